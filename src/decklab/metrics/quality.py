"""Quality: one score of a native deck, made of its flaws; every damage lowers it.

Ours. Paper 002's aesthetics measure the colours and texture of pictures: a plain white deck can be
high in them and a careful one low. Quality counts what reviewers name: alignment, fit, contrast,
consistency, spelling, text too small for a room. The two stand beside each other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil, exp
from typing import Any, Final

import numpy as np

from decklab.core.colors import Color, parse_color
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box, BoxIndex
from decklab.core.results import Measurement, NotScored
from decklab.deck.model.shapes import Element, Image, Media, Other, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.styles.themes import family_without_style
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.metric import MetricInfo, measured, register
from decklab.metrics.spelling import misspelt_share

# All ours. Lengths in px of the frame.
_ALIGNED = 2.0
_MARGIN = 12.0
_WORDY = 12  # words that fit a line of a bullet
_LONG = 15  # letters of a word that is probably two
_SMALL_PT = 12.0
_LARGE_PT = 60.0
_LEGIBLE_PT = 18.0
_MARKS = 3
_TITLES = ("title", "ctrTitle")
_TITLES_COMPARED = 3
_FAMILIES_A_DECK = 3
_WORDS_A_SLIDE = 90
_FEW_WORDS = 15
_NOTICED = 0.005  # of the slide, as large as an icon of 51 by 51 px
_THIN = 8.0
_ADRIFT = 24.0
_PAIR = 2
_PITCH = 1.2
_STRETCHED = 0.5  # logarithm of the change in a ratio of sides at which this flaw is 1
_FAMILIES = 3  # beyond the first: numbers at which these flaws are 1
_SIZES = 5
_COLORS = 4
_FINE_PX = 20.0  # drawn lines below this height are the finer the lower
_HEADLINE_PX = 60.0  # height of a line that stands out from the back of a room
_MANY_WORDS = 120
_COLORFUL = 40.0  # Hasler and Süsstrunk: between moderate (33) and averagely colourful (45)
_OTHER_COLOR = 8  # of 255 in a channel: an area that differs less from its ground is not noticed
_OVERPRINTED = 0.3  # of the lower line's height, and px along it, that two lines have in common
_OVERPRINTED_PX = 4.0
_WHITE = 245  # channels above which a ground is white
_LOUD = 0.75  # saturation and value above which a colour of text is loud


@dataclass(frozen=True)
class MeasuredSlide:
    """A slide's elements, the text that was drawn, and how much of it is hard to tell apart."""

    slide: SlideElements
    regions: Sequence[TextRegion]
    """Drawn lines or pieces of lines of text."""
    faint: float = 0.0
    """Share of them with less contrast than WCAG asks, 0 to 1."""
    english: bool = False
    """Whether the deck's text is English, so that its spelling can be judged."""
    known: frozenset[str] = frozenset()
    """Words that are right, such as those that several slides of the deck have."""
    colorfulness: float = _COLORFUL
    """Of its picture (``engagement.colorfulness``)."""
    stated: "MeasuredSlide | None" = None
    """The slide with all that it states and all text that was drawn, if an audience does not see
    some of that."""

    @property
    def texts(self) -> list[Text]:
        """The visible texts."""
        return [item for item in self.slide.texts if _shown(item) and item.text.strip()]


def _shown(item: Text | Image) -> bool:
    return item.placed and not item.hidden


def word_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Words run together, capitals out of place, many or wordy lines, words that look misspelt."""
    texts = [item.text for item in seen.texts]
    words = [word for text in texts for word in text.split()]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    return {
        "misspelt": _misspelt(seen),
        "joined": _mean([len(word) > _LONG and word.isalpha() for word in words]),
        "capitals": _mean([_mixed_case(word) for word in words if word not in seen.known]),
        "many": min(1.0, len(words) / _MANY_WORDS),
        "wordy": _mean([len(line.split()) > _WORDY for line in lines]),
    }


def _misspelt(seen: MeasuredSlide) -> float:
    text = "\n".join(item.text for item in seen.texts)
    return (seen.english and misspelt_share(text, seen.known)) or 0.0


def layout_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Boxes unaligned, overlapping or at the edge; text that does not fit, and lines that run into
    each other; stretched pictures."""
    shown: list[Text | Image] = [*seen.texts, *(i for i in seen.slide.images if _shown(i))]
    boxes = [Box(item.x, item.y, item.x + item.w, item.y + item.h) for item in shown]
    inks = [region.frame_box for region in seen.regions]
    pixels = FRAME_WIDTH / seen.slide.size_pt[0]
    gaps = _alignment_gaps(boxes)
    overlap, crowded = _overlaps(boxes)
    places = BoxIndex(boxes)
    pictures = [item for item in seen.slide.images if _shown(item) and len(item.pixels) == 2]
    return {
        "unaligned": _mean([gap > _ALIGNED for gap in gaps]),
        "overlap": overlap,
        "cut": float(any((box.intersection(FRAME).area < 0.9 * box.area) for box in inks)),
        "margin": _mean([_near_edge(box) for box in boxes]),
        "thin": _mean([min(box.width, box.height) < _THIN for box in boxes]),
        "overflow": _mean(
            [not _is_inside(ink, (boxes[n] for n in places.near(ink))) for ink in inks]
        ),
        "stretched": _mean([_stretch(item) for item in pictures]),
        "unbalanced": _unbalanced(boxes),
        "adrift": _mean([min(1.0, gap / _ADRIFT) for gap in gaps]),
        "crowded": crowded,
        "cramped": _mean([_cramped(item, pixels) for item in seen.texts]),
        "blank": float(not shown or not seen.regions),
        "overprinted": _overprinted(seen.regions),
    }


def _overprinted(regions: Sequence[TextRegion]) -> float:
    """Share of the drawn lines of text that another line runs into."""
    lines: dict[object, Box] = {}
    for number, region in enumerate(regions):
        box, line = region.frame_box, (number, 0) if region.line is None else region.line
        if region.text.strip() and box.area:
            lines[line] = lines[line].union(box) if line in lines else box
    boxes = list(lines.values())
    index = BoxIndex(boxes)
    return _mean([
        any(_runs_into(box, boxes[other]) for other in index.near(box) if other != number)
        for number, box in enumerate(boxes)
    ])  # fmt: skip


def _runs_into(line: Box, other: Box) -> bool:
    common = line.intersection(other)
    least = _OVERPRINTED * min(line.height, other.height)
    return common.width > _OVERPRINTED_PX and common.height > least


def style_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Low contrast, too many families, sizes and colours, emphasis, odd sizes, loud colours; fine
    print, no line that stands out, and plain black on white."""
    looks = _looks(seen)
    if not (fonts := [(item.font, len(item.text)) for item in seen.texts]):
        return dict.fromkeys(_STYLE, 0.0) | looks
    families = {font.name.casefold() for font, _n in fonts}
    typefaces = {family_without_style(font.name).casefold() for font, _n in fonts}
    sizes = Counter(round(font.size) for font, _n in fonts)
    colors = {font.color for font, _n in fonts}
    marks = [font.style for font, _n in fonts]
    values = (
        seen.faint,
        min(1.0, (len(families) - 1) / _FAMILIES),
        min(1.0, (len(sizes) - 1) / _SIZES),
        min(1.0, (len(colors) - 1) / _COLORS),
        _mean(["italic" in style for style in marks]),
        _mean(["underscore" in style for style in marks]),
        _mean([font.size < _SMALL_PT for font, _n in fonts]),
        _mean([font.size > _LARGE_PT for font, _n in fonts]),
        _mean([_is_loud(font.color) for font, _n in fonts]),
        min(1.0, float(np.std([np.log(font.size) for font, _n in fonts]))),
        _mean([max(0.0, 1 - font.size / _LEGIBLE_PT) for font, _n in fonts]),
        min(1.0, (len({font.style for font, _n in fonts}) - 1) / _MARKS),
        min(1.0, (len(typefaces) - 1) / _FAMILIES),
    )
    return dict(zip(_STYLE, values, strict=True)) | looks


def _looks(seen: MeasuredSlide) -> dict[str, float]:
    """Flaws of what was drawn, text in pictures of charts and tables included."""
    heights = [region.frame_box.height for region in seen.regions]
    return {
        "fine": _mean([max(0.0, 1 - height / _FINE_PX) for height in heights]),
        "flat": max(0.0, 1 - max(heights, default=0.0) / _HEADLINE_PX),
        "plain": _is_white(seen.slide) * max(0.0, 1 - seen.colorfulness / _COLORFUL),
    }


def _is_white(slide: SlideElements) -> bool:
    plain = slide.background_paint.kind in ("solid", "none")
    return plain and min(parse_color(slide.background)[:3]) > _WHITE


_STYLE = (
    "faint", "families", "sizes", "colors", "italic", "underlined", "small", "large", "loud",
    "uneven", "tiny", "marks", "typefaces",
)  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _mixed_case(word: str) -> bool:
    """Whether a word has capitals after its first letter, and also small letters."""
    inner = word[1:]
    return not word.isupper() and not inner.islower() and any(c.isupper() for c in inner)


def _cramped(item: Text, pixels: float) -> float:
    """How much of a text does not fit its box by a rule of thumb: half an em a letter.

    ``pixels`` is the length of a point in the frame.
    """
    size = item.font.size * pixels
    a_line = max(1.0, item.w / (size / 2))
    lines = sum(max(1, -(-len(line) // int(a_line))) for line in item.text.splitlines())
    needed = lines * size * _PITCH
    return max(0.0, 1 - max(item.h, 1.0) / needed) if needed > item.h else 0.0


def _alignment_gaps(boxes: Sequence[Box]) -> list[float]:
    """Of each box the distance to the next line that another begins, ends or is centred on.

    Empty for fewer than two boxes.
    """
    if len(boxes) < _PAIR:
        return []
    edges = np.array([tuple(box) for box in boxes])
    centres = np.column_stack([edges[:, 0] + edges[:, 2], edges[:, 1] + edges[:, 3]]) / 2
    nearest = np.full(len(boxes), np.inf)
    for line in np.hstack([edges, centres]).T:
        order = np.argsort(line)
        steps = np.diff(line[order])
        nearest[order[1:]] = np.minimum(nearest[order[1:]], steps)
        nearest[order[:-1]] = np.minimum(nearest[order[:-1]], steps)
    return [float(gap) for gap in nearest]


def _overlaps(boxes: Sequence[Box]) -> tuple[float, float]:
    """Common area of pairs over that of the smaller, the most of each box, mean over boxes; and
    common area of all pairs as a share of the slide; each at most 1."""
    if len(boxes) < _PAIR:
        return 0.0, 0.0
    left, top, right, bottom = np.array([tuple(box) for box in boxes]).T
    areas = np.array([box.area for box in boxes])
    most, common = np.zeros(len(boxes)), 0.0
    for at in range(len(boxes) - 1):
        rest = slice(at + 1, None)
        across = np.minimum(right[at], right[rest]) - np.maximum(left[at], left[rest])
        down = np.minimum(bottom[at], bottom[rest]) - np.maximum(top[at], top[rest])
        shared = np.maximum(across, 0.0) * np.maximum(down, 0.0)
        shares = shared / np.maximum(1.0, np.minimum(areas[at], areas[rest]))
        most[at] = max(most[at], shares.max())
        most[rest] = np.maximum(most[rest], shares)
        common += float(shared.sum())
    return float(most.mean()), min(1.0, common / (FRAME_WIDTH * FRAME_HEIGHT))


def _near_edge(box: Box) -> bool:
    gaps = (box.left, box.top, FRAME_WIDTH - box.right, FRAME_HEIGHT - box.bottom)
    return min(gaps) < _MARGIN


def _is_inside(ink: Box, boxes: Iterable[Box]) -> bool:
    """Whether more than 0.9 of the area of drawn text lies in one of the boxes."""
    area = max(ink.area, 1.0)
    return any(ink.intersection(box).area / area > 0.9 for box in boxes)


def _stretch(item: Image) -> float:
    """How far a picture's ratio of sides is from that of its file, 0 to 1."""
    across = item.pixels[0] * (1 - item.crop.left - item.crop.right)
    down = item.pixels[1] * (1 - item.crop.top - item.crop.bottom)
    if min(across, down, item.w, item.h) <= 0:
        return 0.0
    return min(1.0, abs(float(np.log(item.w * down / (item.h * across)))) / _STRETCHED)


def _unbalanced(boxes: Sequence[Box]) -> float:
    """Distance of the boxes' common middle from the slide's, as a share of the way to its edge."""
    if not (total := sum(box.area for box in boxes)):
        return 0.0
    x = sum((box.left + box.right) / 2 * box.area for box in boxes) / total
    y = sum((box.top + box.bottom) / 2 * box.area for box in boxes) / total
    return min(1.0, float(np.hypot(2 * x / FRAME_WIDTH - 1, 2 * y / FRAME_HEIGHT - 1)))


def _is_loud(color: str) -> bool:
    red, green, blue = bytes.fromhex(color[1:])
    high, low = max(red, green, blue), min(red, green, blue)
    return high > 255 * _LOUD and (high - low) / max(high, 1) > _LOUD


def deck_flaws(slides: Sequence[MeasuredSlide]) -> dict[str, float]:
    """Flaws that only several slides together show, each a share of the slides or of a limit."""
    titles = [_title(seen) for seen in slides]
    families = {
        family_without_style(item.font.name).casefold() for seen in slides for item in seen.texts
    }
    words = [sum(len(item.text.split()) for item in seen.texts) for seen in slides]
    return {
        "untitled": _mean([title is None for title in titles]),
        "titles_apart": _titles_apart([title for title in titles if title is not None]),
        "many_families": min(1.0, max(0, len(families) - _FAMILIES_A_DECK) / _FAMILIES),
        "only_text": _mean([_is_only_text(seen) for seen in slides]),
        "dense": _mean([count > _WORDS_A_SLIDE for count in words]),
    }


def _title(seen: MeasuredSlide) -> Text | None:
    titles = [t for t in seen.texts if t.placeholder and t.placeholder.type in _TITLES]
    return titles[0] if titles else None


def _titles_apart(titles: Sequence[Text]) -> float:
    """Share of titles whose left or top edge no other slide's title has."""
    if len(titles) < _TITLES_COMPARED:
        return 0.0
    places = Counter((round(title.x / _ADRIFT), round(title.y / _ADRIFT)) for title in titles)
    return sum(1 for count in places.values() if count == 1) / len(titles)


def _differs(color: Color, ground: Color) -> bool:
    return (
        max(abs(channel - other) for channel, other in zip(color, ground, strict=True))
        > _OTHER_COLOR
    )


def _is_only_text(seen: MeasuredSlide) -> bool:
    """Whether a slide has many words and no picture, chart, table with words, diagram or area of
    another colour that is large enough to be noticed. Words that are not seen count too."""
    slide = seen.slide
    ground = parse_color(slide.background)
    filled = (
        rect
        for rect in slide.rects
        if rect.fill and not rect.hidden and _differs(parse_color(rect.fill), ground)
    )
    tables = (table for table in slide.tables if any(map(str.strip, chain(*table.cells))))
    graphics: list[Element] = [
        *slide.images, *tables, *slide.charts, *slide.diagrams, *slide.media, *filled,
    ]  # fmt: skip
    areas = [box.area for item in graphics if (box := box_of(item)) is not None]
    words = sum(len(item.text.split()) for item in (seen.stated or seen).slide.texts)
    return max(areas, default=0.0) < _NOTICED * FRAME.area and words > _FEW_WORDS


ALIKE: Final = 0.8
"""Ours: share of two slides' contents from which on they are one slide shown twice."""
LITTLE: Final = 10
"""Ours: contents under which a slide has hardly room for a flaw, such as a title alone."""
_GRAPHIC: Final = 5
"""Ours: words that a picture, film or object counts for."""


def contents(slide: SlideElements) -> Counter[str]:
    """The content of a slide, and how often it comes: words, the values of charts, pictures."""
    said: Counter[str] = Counter()
    texts = [item.text for item in slide.texts if item.placed and not item.hidden]
    texts += [cell for table in slide.tables for row in table.cells for cell in row]
    texts += [node.text for diagram in slide.diagrams for node in diagram.nodes]
    for chart in slide.charts:
        texts.append(chart.title or "")
        for series in chart.series:
            texts += [series.name or "", *series.categories, *map(str, series.values)]
    said.update(word for text in texts for word in text.split())
    for picture in slide.images:
        if picture.placed and not picture.hidden:
            said[f"picture {picture.sha256}"] += _GRAPHIC
    objects: list[Media | Other] = [*slide.media, *slide.others]
    for item in objects:
        said[f"object {item.name}"] += _GRAPHIC
    return said


def counted_slides(
    slides: Mapping[int, MeasuredSlide], penalties: Mapping[int, float]
) -> tuple[int, ...]:
    """The numbers of the slides that make a deck's score, by slide number and penalty.

    Of slides that repeat each other only the one with the highest penalty counts. A slide that
    shows little counts only where its penalty is above the mean of the others.
    """
    said = {number: contents(seen.slide) for number, seen in slides.items()}
    groups: list[list[int]] = []
    groups_of: dict[tuple[str, int], list[int]] = {}
    rare = _rare_contents(said)
    for number in sorted(slides):
        near = sorted({known for item in rare[number] for known in groups_of.get(item, ())})
        same = (n for n in near if _is_alike(said[groups[n][0]], said[number]))
        if (known := next(same, None)) is not None:
            groups[known].append(number)
            continue
        for item in rare[number]:
            groups_of.setdefault(item, []).append(len(groups))
        groups.append([number])
    worst = [max(group, key=lambda number: penalties[number]) for group in groups]
    full = [number for number in worst if said[number].total() >= LITTLE]
    if not full:
        return tuple(sorted(worst))
    mean = sum(penalties[number] for number in full) / len(full)
    return tuple(sorted(n for n in worst if n in full or penalties[n] > mean))


def _rare_contents(said: Mapping[int, Counter[str]]) -> dict[int, list[tuple[str, int]]]:
    """Of each slide so many of its rarest contents that two slides that are alike share one.

    Otherwise each slide would be compared with all others.
    """
    items = {
        number: [(word, copy) for word, count in words.items() for copy in range(count)]
        for number, words in said.items()
    }
    often = Counter(item for listed in items.values() for item in listed)
    rare = {}
    for number, listed in items.items():
        listed.sort(key=lambda item: (often[item], item))
        rare[number] = listed[: len(listed) - ceil(ALIKE * len(listed)) + 1] or [("", 0)]
    return rare


def _is_alike(first: Counter[str], second: Counter[str]) -> bool:
    most = max(first.total(), second.total())
    if min(first.total(), second.total()) < ALIKE * most:
        return False
    return (first & second).total() >= ALIKE * most


SLIDE_WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "layout": {
        "adrift": 0.10, "blank": 0.55, "cramped": 0.46, "crowded": 0.24, "cut": 0.24,
        "margin": 0.08, "overflow": 0.05, "overlap": 0.18, "overprinted": 0.07, "stretched": 0.18,
        "thin": 0.21, "unaligned": 0.02, "unbalanced": 0.14,
    },
    "style": {
        "faint": 0.05, "fine": 0.20, "flat": 0.17, "italic": 0.43, "large": 0.01, "loud": 0.31,
        "marks": 0.06, "plain": 0.32, "tiny": 0.15, "typefaces": 0.14, "underlined": 0.49,
        "uneven": 0.02,
    },
    "words": {
        "capitals": 0.80, "joined": 0.60, "many": 0.14, "misspelt": 0.33,
    },
}  # fmt: skip
"""Ours, by part and flaw: fitted on 360 pairs of slides that two raters compared and on damage as
in paper 000, which must not help, times 0.27 (docs/quality.md, ``bench/quality_pairs.py``)."""

DECK_WEIGHTS: Final[Mapping[str, float]] = {
    "untitled": 0.25, "titles_apart": 0.20, "many_families": 0.15, "only_text": 0.20, "dense": 0.30,
}  # fmt: skip
"""Ours, chosen, not fitted: no ladder has these flaws of whole decks."""

PARTS: Final = (*SLIDE_WEIGHTS, "deck")
"""The parts of quality: the score is the product of their shares."""

_MEANINGS = {
    "layout": "Alignment, room, margins, overlaps and fit of what stands on the slides.",
    "style": "Contrast, and how few families, sizes and kinds of emphasis the text has.",
    "words": "Spelling, capitals and how many words there are.",
    "deck": "Titles on all slides and in one place, few families, more than text, not too much.",
}
_SOURCE = "decklab"

register(
    MetricInfo(
        "quality.score", "deck", "The deck by its flaws, all parts together.", _SOURCE,
        high=100.0, version="4", label="Quality",
    ),
    *(
        MetricInfo(
            f"quality.{part}", "deck", _MEANINGS[part], _SOURCE,
            high=100.0, version="4", label=f"Quality: {part}",
        )
        for part in PARTS
    ),
    MetricInfo("quality.slide", "slide", "A slide by its flaws.", _SOURCE, high=100.0, version="4"),
)  # fmt: skip

_NOT_KNOWN = "quality needs the elements of a .pptx deck"


def slide_costs(seen: MeasuredSlide) -> dict[str, float]:
    """The penalty that each flaw adds to a slide, by ``part.flaw``; 0 and more, lower is better.

    Of a slide that states more than an audience sees the worse of both counts: to hide flaws does
    not mend them, and what nobody sees makes no slide better.

    >>> from decklab.deck.model.slide import SlideElements
    >>> costs = slide_costs(MeasuredSlide(SlideElements(background="#FFFFFF"), []))
    >>> {name: cost for name, cost in costs.items() if cost}
    {'layout.blank': 0.55, 'style.flat': 0.17}
    """
    if seen.stated is not None:
        both = (slide_costs(replace(seen, stated=None)), slide_costs(seen.stated))
        return max(both, key=lambda costs: sum(costs.values()))
    flaws = {"layout": layout_flaws(seen), "style": style_flaws(seen), "words": word_flaws(seen)}
    return {
        f"{part}.{name}": weight * flaws[part][name]
        for part, weights in SLIDE_WEIGHTS.items()
        for name, weight in weights.items()
    }


def costs_score(costs: Mapping[str, float]) -> float:
    """100 e^-penalty: 100 without flaws, near 0 with many; higher is better.

    >>> costs_score({}), round(costs_score({"style.faint": 0.7}), 1)
    (100.0, 49.7)
    """
    return 100 * exp(-sum(costs.values()))


def quality_rows(
    slides: Mapping[int, MeasuredSlide], undrawn: Mapping[int, str] | None = None
) -> list[Measurement]:
    """Rows of a deck and its slides, by slide number; those that an audience does not see are left
    out by the caller.

    The deck's penalty is the mean of its slides' and that of the deck as a whole, over the slides
    that count (``counted_slides``): repeats and slides that show little do not raise the score. The
    evidence ``gains`` names, by flaw, how many points the score would gain without it. Slides whose
    elements are not known are left out by the caller; without any there is no score. ``undrawn``
    says of slides by number why they have no picture, and so no score.
    """
    missing = [
        measured("quality.slide", NotScored(reason), slide=number)
        for number, reason in (undrawn or {}).items()
    ]
    if not slides:
        return [*unknown_quality_rows("the deck has no slide that can be measured"), *missing]
    costs = {number: slide_costs(seen) for number, seen in sorted(slides.items())}
    names = next(iter(costs.values()))
    counted = counted_slides(slides, {n: sum(penalty.values()) for n, penalty in costs.items()})
    whole = {name: float(np.mean([costs[n][name] for n in counted])) for name in names}
    flaws = deck_flaws([slides[number] for number in counted])
    whole |= {f"deck.{name}": weight * flaws[name] for name, weight in DECK_WEIGHTS.items()}
    score = costs_score(whole)
    evidence = {"gains": _gains(whole, score), "slides_scored": len(counted)}
    rows = [measured("quality.score", score, evidence=evidence)]
    for part in PARTS:
        share = {name: cost for name, cost in whole.items() if name.startswith(f"{part}.")}
        rows.append(measured(f"quality.{part}", costs_score(share), evidence=_judged(part, slides)))
    return rows + [
        measured("quality.slide", costs_score(penalty), slide=number,
                 evidence={"gains": _gains(penalty, costs_score(penalty))})
        for number, penalty in costs.items()
    ] + missing  # fmt: skip


def unknown_quality_rows(reason: str = _NOT_KNOWN) -> list[Measurement]:
    """The deck's rows where quality cannot be measured.

    >>> [row.reason for row in unknown_quality_rows()][0]
    'quality needs the elements of a .pptx deck'
    """
    names = ("score", *PARTS)
    return [measured(f"quality.{name}", NotScored(reason)) for name in names]


def _gains(costs: Mapping[str, float], score: float) -> dict[str, float]:
    """Points that the score would gain without each flaw, the most first; none below 0.05."""
    gains = {name: round(score * (exp(cost) - 1), 1) for name, cost in costs.items()}
    return {
        name: gain
        for name, gain in sorted(gains.items(), key=lambda item: (-item[1], item[0]))
        if gain > 0
    }


def _judged(part: str, slides: Mapping[int, MeasuredSlide]) -> dict[str, Any]:
    """Whether spelling is part of the score of words."""
    if part != "words":
        return {}
    return {
        "spelling": "judged"
        if any(seen.english for seen in (list(slides.values())))
        else "only English is judged"
    }
