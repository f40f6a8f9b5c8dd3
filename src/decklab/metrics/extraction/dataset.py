"""The contents of a set of decks: the dataset tables of paper 000 (tables 2, 5 and 6)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

from decklab.core.results import NotScored
from decklab.deck.model.base import PlainSlide
from decklab.metrics.extraction.estimates import complexity
from decklab.metrics.extraction.matching import FAMILIES, Family
from decklab.metrics.extraction.measures import canonical_font, font_group


@dataclass(frozen=True)
class CountDistribution:
    """How a count is spread over decks or slides."""

    mean: float
    sd: float | NotScored
    """Sample standard deviation; none for one deck or slide."""
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class DatasetRow:
    """One row of table 2."""

    category: str
    """``slides``, ``elements``, a family such as ``texts``, or ``words``, which the paper lacks."""
    per_deck: CountDistribution | NotScored
    per_slide: CountDistribution | NotScored
    """NotScored for slides themselves."""
    total: int


@dataclass(frozen=True)
class FontCounts:
    """How many text elements are set in each typeface, the most frequent first."""

    families: tuple[tuple[str, int], ...]
    """Table 5: canonical names, ``unknown`` where none is stated."""
    groups: tuple[tuple[str, int], ...]
    """Table 6."""
    total: int


def dataset_statistics(decks: Mapping[str, Sequence[PlainSlide]]) -> tuple[DatasetRow, ...]:
    """Table 2 of paper 000, for any decks: slides by deck.

    Slides and elements are counted as in the schema (``plain_slide``): only visible elements. Words
    are those of texts and table cells, split at white space. Per deck is over decks, per slide over
    all slides. The paper does not say whether its standard deviation is a sample's; this one is.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> rows = dataset_statistics({"a.pptx": [blank], "b.pptx": [blank] * 3})
    >>> rows[0].category, rows[0].per_deck.mean, rows[0].total
    ('slides', 2.0, 4)
    """
    sizes = [len(slides) for slides in decks.values()]
    rows = [
        DatasetRow("slides", _distribution(sizes), NotScored("a slide is one slide"), sum(sizes))
    ]
    counted: dict[str, Callable[[PlainSlide], int]] = {"elements": complexity}
    counted |= {family: _counter_of(family) for family in FAMILIES}
    counted["words"] = _words
    for category, count in counted.items():
        by_deck = [[count(slide) for slide in slides] for slides in decks.values()]
        flat = [value for values in by_deck for value in values]
        per_deck = _distribution([sum(values) for values in by_deck])
        rows.append(DatasetRow(category, per_deck, _distribution(flat), sum(flat)))
    return tuple(rows)


def font_counts(slides: Iterable[PlainSlide]) -> FontCounts:
    """Tables 5 and 6 of paper 000: text elements by typeface and by group of typefaces.

    An element counts for the typeface of most of its characters. Equal counts are sorted by name.

    >>> font_counts([]).total
    0
    """
    names = [canonical_font(text.font.name) for slide in slides for text in slide.texts]
    return FontCounts(_ranked(Counter(names)), _ranked(Counter(map(font_group, names))), len(names))


def _ranked(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _counter_of(family: Family) -> Callable[[PlainSlide], int]:
    return lambda slide: len(getattr(slide, family))


def _words(slide: PlainSlide) -> int:
    cells = [cell for table in slide.tables for row in table.cells for cell in row]
    return sum(len(text.split()) for text in [*(item.text for item in slide.texts), *cells])


def _distribution(values: Sequence[int]) -> CountDistribution | NotScored:
    if not values:
        return NotScored("there is nothing to count")
    spread = stdev(values) if len(values) > 1 else NotScored("one value has no spread")
    return CountDistribution(fmean(values), spread, min(values), median(values), max(values))
