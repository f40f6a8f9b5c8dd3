"""What is known of a deck while a request is read: names that stand in it, and where things are."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from decklab.deck.model.shapes import Cell
from decklab.deck.model.slide import DeckElements, SlideElements


@dataclass(frozen=True)
class DeckFacts:
    """What a reader of requests has to know of a deck. Names are in small letters."""

    titles: tuple[str, ...] = ()
    """Of the slides, in order; empty for a slide without a title."""
    names: frozenset[str] = frozenset()
    """Of shapes."""
    headings: frozenset[str] = frozenset()
    """The texts of the first cells of rows and columns."""
    categories: frozenset[str] = frozenset()
    series: frozenset[str] = frozenset()
    layouts: frozenset[str] = frozenset()
    having: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The numbers of the slides that have pictures, charts, notes and so on."""

    @property
    def total(self) -> int:
        """How many slides there are."""
        return len(self.titles)


def facts_of(deck: DeckElements) -> DeckFacts:
    """What a reader of requests has to know of a deck that was read."""
    charts = [chart for slide in deck.slides for chart in slide.charts]
    tables = [table.rows for slide in deck.slides for table in slide.tables if table.rows]
    headings = [cell for rows in tables for cell in (*rows[0], *(row[0] for row in rows if row))]
    having = {
        name: frozenset(slide.number for slide in deck.slides if has(slide))
        for name, has in HAVING.items()
    }
    return DeckFacts(
        tuple(slide.title or "" for slide in deck.slides),
        _lowered(item.name for slide in deck.slides for item in slide.elements()),
        _lowered(map(_text, headings)),
        _lowered(label for chart in charts for one in chart.series for label in one.categories),
        _lowered(series.name or "" for chart in charts for series in chart.series),
        _lowered(layout.name for layout in deck.layouts),
        having,
    )


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
}
"""What slides are chosen by, ``slides with pictures``, and how it is seen that a slide has it."""


def _lowered(names: Iterable[str | None]) -> frozenset[str]:
    return frozenset(" ".join(name.split()).lower() for name in names if name and name.strip())


def _text(cell: Cell) -> str:
    return " ".join("".join(run.text for run in line.runs) for line in cell.paragraphs)
