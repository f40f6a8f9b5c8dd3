"""Metrics of what a deck shows, by program: proxies for what a model would see.

A source's picture is known again by its hash, a table or chart by its numbers and labels. A chart
that was only a picture in the source and is drawn anew is not known again, and this is told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable, Figure
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.documents.sections import document_sections
from decklab.evals.judges.quiz.amounts import facts_in, same_values
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.metrics import ScenarioItem
from decklab.evals.judges.scenario.shown_deck import (
    DeckVisual,
    PictureHash,
    StatedDeck,
    picture_hash,
    picture_of,
    same_picture,
)
from decklab.evals.judges.scenario.task import ScenarioTask, VisualElement, source_visual

_USED: Final = 0.5
_FAITHFUL: Final = 0.9
_LABELLED: Final = 0.8
_FOREIGN: Final = 0.1
"""Shares of a source table's numbers that a redrawing must have to be one, and to keep its values;
of its labels; and of the redrawing's numbers that may be none of the source's. Ours."""
_LEGIBLE: Final = 0.35
"""Of the slide's width or height that a chart's picture must take to be legible. Ours."""
_SUPPORTS: Final = 0.25
_RELATED: Final = 0.05
_RELEVANT: Final = 0.15
"""Shares of words, weighted: of the slide's that the source must have in what it says of a visual,
for support and for some relation; of a visual's own that the slide must have where it is of no
source. Ours."""
_NAMED: Final = 0.6
"""Share of a chart's label words that what is said of a picture must have where the chart draws it
anew. Ours."""
_GONE: Final = "the sources have no such figure or table"


@dataclass(frozen=True)
class SourceVisual:
    """A figure or table of the sources, with what is said of it."""

    visual: Figure | DocumentTable
    about: str
    """Its caption, and the sentences that refer to it."""

    @cached_property
    def hash(self) -> PictureHash | None:
        """Of its picture."""
        data = picture_of(self.visual)
        return None if data is None else picture_hash(data)

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """Its cells; none of a figure."""
        return self.visual.rows if isinstance(self.visual, DocumentTable) else ()


class SourceVisuals:
    """All figures and tables of some documents."""

    def __init__(self, sources: KnowledgeBase) -> None:
        self.sources = sources
        found: list[Figure | DocumentTable] = [*sources.figures, *sources.tables]
        self._all = [SourceVisual(one, _about(one, sources)) for one in found]

    def named(self, visual: VisualElement) -> SourceVisual | None:
        """The one that an annotation means; None where there is none."""
        found = source_visual(visual, self.sources)
        return next((one for one in self._all if one.visual is found), None)

    def said_of(self, visual: Figure | DocumentTable) -> str:
        """What the sources say of a figure or table; empty of what is none of theirs."""
        return next((one.about for one in self._all if one.visual is visual), "")

    def like(self, shown: DeckVisual) -> SourceVisual | None:
        """The one that a visual of a deck shows or redraws; None where there is none."""
        return next((one for one in self._all if use_of(one, shown)), None)

    def drawn_anew(self, shown: DeckVisual, cited: str = "") -> SourceVisual | None:
        """The picture of the sources that a native table or chart seems to draw anew: the only one
        whose label the line below it (``cited``) has, or what is said of it has most words of the
        labels, or the only one; None if there is none."""
        if shown.table is None:
            return None
        labelled = [one for one in self._all if _is_cited(one.visual.label, cited)]
        if len(labelled) == 1:
            return None if labelled[0].rows else labelled[0]
        words = {
            word
            for word in (*_labels(shown.table.rows), *search_words(shown.caption))
            if not any(char.isdigit() for char in word)
        }
        pictures = [one for one in self._all if not one.rows]
        shares = [(_share_of_words(words, set(search_words(one.about))), one) for one in pictures]
        best, found = max(shares, key=lambda pair: pair[0], default=(0.0, None))
        return found if words and best >= (_NAMED if len(words) > 1 else 1.0) else None


def _is_cited(label: str, line: str) -> bool:
    """Whether a line has a label, such as "Figure 2" but not of "Figure 21"."""
    return bool(label) and bool(re.search(rf"\b{re.escape(label)}\b", line, re.IGNORECASE))


def _about(visual: Figure | DocumentTable, sources: KnowledgeBase) -> str:
    document = next(one for one in sources.documents if one.name == visual.document)
    said = [visual.caption]
    if isinstance(visual, DocumentTable):
        said.append(" ".join(_labels(visual.rows)))
    if visual.label:
        said += [
            block.text
            for block in document.blocks
            if block.kind in {"paragraph", "item"} and visual.label in block.text
        ]
    else:
        said += _section_text(visual, document)
    return " ".join(said)


def _section_text(visual: Figure | DocumentTable, document: Document) -> list[str]:
    """Heading and text of the section in which a visual without a number stands."""
    kind = "table" if isinstance(visual, DocumentTable) else "figure"
    for section in document_sections(document):
        for block in section.blocks:
            if block.kind == kind and block.index == visual.number - 1:
                return [section.heading, section.text]
    return []


def use_of(source: SourceVisual, shown: DeckVisual) -> str:
    """How a visual of a deck uses one of the sources: ``reuse``, ``redraw`` or not at all."""
    if shown.table is None:
        return "reuse" if same_picture(source.hash, shown.hash) else ""
    kept = _share_kept(_numbers(source.rows), _numbers(shown.table.rows))
    labels = _share_of_words(_labels(source.rows), _labels(shown.table.rows))
    return "redraw" if kept >= _USED and labels >= _USED else ""


def _numbers(rows: Sequence[Sequence[str]]) -> list[StatedNumber]:
    """The numbers of all cells but those of the first row and column, which are labels."""
    return [number for row in rows[1:] for cell in row[1:] for number in facts_in(cell)]


def _labels(rows: Sequence[Sequence[str]]) -> set[str]:
    head = " ".join(rows[0]) if rows else ""
    return set(search_words(" ".join([head, *(row[0] for row in rows[1:] if row)])))


def _share_kept(wanted: Sequence[StatedNumber], given: Sequence[StatedNumber]) -> float:
    """Share of numbers that are among others, each used once; 0 to 1."""
    left = list(given)
    kept = 0
    for number in wanted:
        same = next((other for other in left if same_values(number, other)), None)
        if same is not None:
            left.remove(same)
            kept += 1
    return kept / len(wanted) if wanted else 0.0


def _share_of_words(wanted: set[str], given: set[str]) -> float:
    return len(wanted & given) / len(wanted) if wanted else 1.0


def visual_use(
    task: ScenarioTask, sources: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each annotated element: whether the deck reuses or redraws it in a way that is accepted."""
    for element in task.visuals:
        source = sources.named(element)
        text = _name_of(element)
        if source is None:
            yield ScenarioItem(element.id, text, NotScored(_GONE), element.weight)
            continue
        uses = [(shown, use_of(source, shown)) for shown in deck.visuals]
        found = next(((shown, use) for shown, use in uses if use in element.uses), None)
        if found:
            shown, use = found
            yield ScenarioItem(
                element.id, text, 1.0, element.weight, f"{use} as {shown.name}", shown.slide
            )
        else:
            yield ScenarioItem(element.id, text, 0.0, element.weight, _missing(source))


def _name_of(element: VisualElement) -> str:
    place = element.label or f"page {element.page}"
    return f"{place} of {element.document}"


def _missing(source: SourceVisual) -> str:
    if source.rows:
        return "no picture, table or chart of the deck has it"
    return "no picture of the deck is it; a picture drawn anew would not be known by program"


def figure_claim(sources: SourceVisuals, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each visual of the deck: whether the text beside it is what the sources say of it.

    1 where it is a source's, and what the source says of it has a good part of the words on its
    slide; 0.5 where it has few of them, or where a visual of no source has labels or alternative
    text that fit the slide; else 0. The words of the visual itself are not counted as text beside
    it.
    """
    for number, shown in enumerate(deck.visuals, start=1):
        beside = _beside(shown, deck)
        source = sources.like(shown)
        if source is None:
            own = f"{shown.caption} {' '.join(_labels(shown.table.rows)) if shown.table else ''}"
            fits = _fit(own, beside, deck) >= _RELEVANT
            state, told = (0.5, "its own words fit") if fits else (0.0, "of no source")
        else:
            fit = _fit(beside.text, DeckStatement(None, source.about), deck)
            state = 1.0 if fit >= _SUPPORTS else 0.5 if fit >= _RELATED else 0.0
            told = f"of {source.visual.document}, which has {fit:.0%} of the words beside it"
        text = f"{shown.name} {shown.caption[:80]}".strip()
        yield ScenarioItem(f"visual {number}", text, state, evidence=told, slide=shown.slide)


def _beside(shown: DeckVisual, deck: StatedDeck) -> DeckStatement:
    """What the slide says besides a visual, its title included."""
    cells = " | "
    texts = [
        one.text
        for one in deck.by_slide.get(shown.slide, ())
        if cells not in one.text and one.text not in shown.caption
    ]
    return DeckStatement(shown.slide, " ".join(texts))


def _fit(text: str, statement: DeckStatement, deck: StatedDeck) -> float:
    return deck.statements.fit(text, statement) if text.strip() else 0.0


def chart_fidelity(
    task: ScenarioTask, sources: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each element whose fidelity is asked for: its picture at a legible size, or its values and
    labels in a native table or chart."""
    for element in task.visuals:
        if not element.chart_fidelity:
            continue
        source = sources.named(element)
        text = _name_of(element)
        if source is None:
            yield ScenarioItem(element.id, text, NotScored(_GONE), element.weight)
            continue
        judged = [_kept(source, shown) for shown in deck.visuals]
        state, evidence, slide = max(
            judged, key=lambda one: one[0], default=(0.0, _missing(source), None)
        )
        yield ScenarioItem(
            element.id, text, state, element.weight, evidence or _missing(source), slide
        )


def _kept(source: SourceVisual, shown: DeckVisual) -> tuple[float, str, int | None]:
    """How faithfully a visual of a deck shows one of the sources, and why."""
    use = use_of(source, shown)
    if use == "reuse":
        small = shown.share is not None and shown.share < _LEGIBLE
        told = f"{shown.name} is the source's own" + (", too small to read" if small else "")
        return (0.5 if small else 1.0), told, shown.slide
    if not use or shown.table is None:
        return 0.0, "", None
    own, given = _numbers(source.rows), _numbers(shown.table.rows)
    kept, foreign = _share_kept(own, given), 1 - _share_kept(given, own)
    labels = _share_of_words(_labels(source.rows), _labels(shown.table.rows))
    told = f"{shown.name} has {kept:.0%} of the values and {labels:.0%} of the labels"
    if foreign > _FOREIGN:
        return 0.0, f"{told}; {foreign:.0%} of its values are not the source's", shown.slide
    full = kept >= _FAITHFUL and labels >= _LABELLED
    return (1.0 if full else 0.5), told, shown.slide
