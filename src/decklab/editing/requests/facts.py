"""Facts of a deck for reading a request: names that stand in it, and where things are."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from decklab.deck.model.shapes import Cell, Paragraph
from decklab.deck.model.slide import DeckElements, SlideElements

Names = Mapping[str, tuple[str, ...]]
"""Texts of a deck, as they stand there, by their plain words."""


def plain(text: str) -> str:
    """The words of a text in small letters, without its marks: signs such as € and % stay.

    >>> plain("What went well, what was hard")
    'what went well what was hard'
    """
    return " ".join(re.findall(r"\w+|[^\w\s.,;:!?()'’\"“”‘*–-]", text.casefold()))


def names(texts: Iterable[str | None]) -> Names:
    """Texts of one line, by their plain words."""
    held: dict[str, dict[str, None]] = {}
    for text in texts:
        if text and plain(text) and text.isprintable() | ("\u00a0" in text):
            held.setdefault(plain(text), {})[text] = None
    return {words: tuple(spelled) for words, spelled in held.items()}


@dataclass(frozen=True)
class DeckFacts:
    """Facts of a deck that a reader of requests needs."""

    titles: tuple[str, ...] = ()
    """Of the slides, in order; empty for a slide without a title."""
    shapes: Names = field(default_factory=dict)
    """The names of shapes, and the texts of those with one line."""
    lines: Names = field(default_factory=dict)
    """The paragraphs of texts, numbers aside."""
    cells: Names = field(default_factory=dict)
    """The paragraphs of the cells of tables."""
    rows: Names = field(default_factory=dict)
    """The first cells of the rows of tables."""
    columns: Names = field(default_factory=dict)
    """The first cells of their columns."""
    categories: Names = field(default_factory=dict)
    series: Names = field(default_factory=dict)
    layouts: Names = field(default_factory=dict)
    nodes: Names = field(default_factory=dict)
    """The texts of diagrams."""
    sections: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The numbers of the slides of each section."""
    having: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The numbers of the slides that have pictures, charts, notes and so on."""

    @property
    def total(self) -> int:
        """How many slides there are."""
        return len(self.titles)

    @cached_property
    def title_names(self) -> Names:
        """The titles of the slides."""
        return names(self.titles)

    @cached_property
    def section_names(self) -> Names:
        """The names of the sections."""
        return names(self.sections)

    @cached_property
    def _said(self) -> str:
        every = (self.title_names, self.shapes, self.lines, self.cells, self.rows, self.columns,
                 self.categories, self.series, self.nodes)  # fmt: skip
        return " | ".join(f" {words} " for held in every for words in held)

    def holds(self, text: str) -> bool:
        """Whether some words stand in a text of the deck."""
        return bool(plain(text)) and f" {plain(text)} " in self._said


def facts_of(deck: DeckElements) -> DeckFacts:
    """The facts of a deck that a reader of requests needs."""
    charts = [chart for slide in deck.slides for chart in slide.charts]
    tables = [table.rows for slide in deck.slides for table in slide.tables if table.rows]
    cells = [cell for rows in tables for row in rows for cell in row]
    texts = [text.paragraphs for slide in deck.slides for text in slide.texts]
    items = [item for slide in deck.slides for item in slide.elements()]
    nodes = (node for slide in deck.slides for diagram in slide.diagrams for node in diagram.nodes)
    return DeckFacts(
        tuple(slide.title or "" for slide in deck.slides),
        shapes=names([*(item.name for item in items),
                      *(_text(lines[0]) for lines in texts if len(lines) == 1)]),
        lines=names(text for lines in texts for line in lines
                    if not (text := _text(line)).strip().isdigit()),
        cells=names(_text(line) for cell in cells for line in cell.paragraphs),
        rows=names(_cell(row[0]) for rows in tables for row in rows[1:] if row),
        columns=names(_cell(cell) for rows in tables for cell in rows[0]),
        categories=names(name for chart in charts for series in chart.series
                         for name in series.categories),
        series=names(series.name for chart in charts for series in chart.series),
        layouts=names(layout.name for layout in deck.layouts),
        nodes=names(node.text for node in nodes),
        sections={section.name: tuple(slide.number for slide in deck.slides
                                  if slide.section == section.name) for section in deck.sections},
        having={name: frozenset(slide.number for slide in deck.slides if has(slide))
                for name, has in HAVING.items()},
    )  # fmt: skip


HAVING: Mapping[str, Callable[[SlideElements], bool]] = {
    "pictures": lambda slide: bool(slide.images),
    "charts": lambda slide: bool(slide.charts),
    "tables": lambda slide: bool(slide.tables),
    "diagrams": lambda slide: bool(slide.diagrams),
    "notes": lambda slide: bool((slide.notes or "").strip()),
    "animations": lambda slide: bool(slide.animations),
    "transitions": lambda slide: slide.transition is not None and bool(slide.transition.name),
    "comments": lambda slide: bool(slide.comments),
    "hidden": lambda slide: slide.hidden,
    "footers": lambda slide: bool(slide.footer),
    "titles": lambda slide: bool((slide.title or "").strip()),
    "cover": lambda slide: slide.layout.casefold() in ("title slide", "cover", "title"),
}
"""Features that slides are chosen by, ``slides with pictures``, and the test for each."""


def _text(line: Paragraph) -> str:
    return "".join(run.text for run in line.runs)


def _cell(cell: Cell) -> str:
    return " ".join(map(_text, cell.paragraphs))
