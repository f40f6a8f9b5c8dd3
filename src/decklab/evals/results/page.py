"""The page of a benchmark's results: facts, tables, charts, cases, and what could not be scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decklab.evals.results.means import METHOD
from decklab.evals.results.tables import PLACES, ResultTable
from decklab.pages.page import write_page
from decklab.pages.svg_charts import SvgChart

PAGE = "results.html"


@dataclass(frozen=True)
class CaseCell:
    """A value of a case."""

    text: str
    value: float | None = None
    """The key by which the column is sorted; None is last. Without numbers it goes by text."""
    meter: float | None = None
    """Share of a bar below the text, 0 to 1."""
    possible: float = 0.0
    """Share that is still possible above ``meter``."""
    page: str = ""
    """Path of the page it leads to, relative to the report."""
    why: str = ""
    """Words that are shown when it is pointed at, such as why there is no value."""
    note: str = ""
    """A word below it."""


@dataclass(frozen=True)
class CaseRow:
    """A task, a case or another thing, and its cells in the order of the columns."""

    name: str
    cells: Sequence[CaseCell]
    note: str = ""
    cause: str = ""
    """Why it has no score; shown below the name."""
    page: str = ""


@dataclass(frozen=True)
class CaseTable:
    """Rows that are no means: cases, or facts."""

    head: str
    columns: Sequence[str]
    rows: Sequence[CaseRow]

    def numbers(self, column: int) -> bool:
        """Whether a column is sorted by numbers."""
        return any(row.cells[column].value is not None for row in self.rows)


@dataclass(frozen=True)
class PageSection:
    """A part of a page under a heading."""

    title: str
    lead: str = ""
    tables: Sequence[ResultTable] = ()
    charts: Sequence[SvgChart] = ()
    cases: CaseTable | None = None
    notes: Sequence[str] = ()
    strips: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Rows of pictures by their names; a picture has ``uri``, ``width`` and ``height``."""
    folded: bool = False
    """Whether it is closed until somebody opens it."""


@dataclass(frozen=True)
class ResultPage:
    """A page. ``causes`` are the reasons why there is no score, each with what it concerns."""

    eyebrow: str
    title: str
    sections: Sequence[PageSection]
    facts: Mapping[str, str] = field(default_factory=dict)
    figures: Sequence[tuple[str, str, str]] = ()
    """Large numbers: heading, number, and a word on it."""
    notices: Sequence[tuple[str, str]] = ()
    """A fact that a reader must know first: some words, and the rest of the sentence."""
    causes: Sequence[tuple[str, str]] = ()
    units: str = "decks"
    method: str = METHOD
    """How intervals were made."""
    kind: str = "results"
    """What ``is_page`` knows the page by."""


def write_result_page(path: Path, page: ResultPage) -> Path:
    """Write a page to ``path``, whole or not at all, and return the path.

    It links to its cases and loads nothing; without JavaScript only sorting is gone.
    """
    compared = any(table.differences for part in page.sections for table in part.tables)
    write_page(
        path, PAGE, "sort.js", generator=page.kind, package="decklab.evals.results", page=page,
        method=page.method.format(units=page.units),
        places=PLACES.format(units=page.units) if compared else "",
    )  # fmt: skip
    return path
