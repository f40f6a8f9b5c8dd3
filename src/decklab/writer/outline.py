"""The outline of a deck: for each page its title and points, each with where its source says so.

Paper 004, section V-A: per-page titles, key messages and content points, with page-level grounding.
Here every point names its evidence as document, page and quote, and a quote that the document does
not hold word for word is found by program.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.board.blueprint import ChartKind, first_fault
from decklab.board.library import LayoutName
from decklab.core.errors import PlanError
from decklab.core.files import write_whole
from decklab.documents.knowledge import KnowledgeBase

PageForm = Literal["points", "columns", "cards", "change", "table", "code"]
"""How the points of a page belong together: in any way, side by side under the headings that are
their labels, one card a label, what changed (the first point) and a remark, as rows, or beside an
example (the last point)."""
PageRole = Literal["opening", "contents", "section", "body", "ending"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Evidence(_Part):
    """Where a source says something: its words, and the document and page they stand on."""

    document: str
    page: int | None = None
    quote: str = Field(min_length=1)

    @property
    def place(self) -> str:
        """Document and page in words, as a source line names them."""
        return self.document if self.page is None else f"{self.document}, p. {self.page}"


class OutlinePoint(_Part):
    """One point of a page. ``label`` stands out beside it: a year, a number, the name of a step.

    ``group`` is the heading of the column, option or lane that it is in, where a layout has some.
    """

    text: str = Field(min_length=1)
    label: str = ""
    group: str = ""
    level: int = Field(default=0, ge=0, le=2)
    bare: bool = False
    """Whether it is a sentence beside the items of a list, which has no bullet."""
    cells: tuple[str, ...] = ()
    """The same as a row of a table or as lines of code, on pages of these forms."""
    evidence: tuple[Evidence, ...] = ()


class VisualRef(_Part):
    """A figure or table of a source by its number in the document, counted from 1.

    Of a table ``chart`` may say as what kind of chart it is shown, ``rows`` and ``columns`` which
    of its rows and columns, by what their first cells say; all where they are empty; ``accent`` is
    the one that stands out. ``view`` is which of its ways to be shown, the best of ``table_views``
    first.
    """

    kind: Literal["figure", "table"]
    document: str
    number: int = Field(ge=1)
    chart: ChartKind | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    accent: str = ""
    view: int = Field(default=0, ge=0)


class OutlinePage(_Part):
    """One page: what it says and what it shows.

    ``topic`` is the heading of its source, ``section`` the part of the deck that it is in; ``form``
    is how the points belong together. With a ``layout``, which a model chose, the page is that;
    ``accent`` is then the number of the point that stands out (0 for none).
    """

    role: PageRole = "body"
    title: str = Field(min_length=1)
    evidence: tuple[Evidence, ...] = ()
    """Of the title, where it states something."""
    topic: str = ""
    section: str = ""
    points: tuple[OutlinePoint, ...] = ()
    form: PageForm = "points"
    header: tuple[str, ...] = ()
    """Headings above the cells of its points, on a page of that form."""
    layout: LayoutName | None = None
    subtitle: str = ""
    accent: int = Field(default=0, ge=0)
    html: str = ""
    """With the layout ``free`` the page below its title; what it says stands in the points too."""
    computed: tuple[str, ...] = ()
    """Notes of the numbers that follow from those of the sources, with their formulas."""
    visual: VisualRef | None = None
    notes: str = ""
    """Words of the speaker; the sources of the page follow by themselves."""


class Outline(_Part):
    """The content of a deck, page by page."""

    title: str = Field(min_length=1)
    subtitle: str = ""
    language: str = "en"
    pages: tuple[OutlinePage, ...] = Field(min_length=1)

    @property
    def evidence(self) -> Iterator[tuple[int, Evidence]]:
        """All evidence with the number of its page, counted from 1."""
        for number, page in enumerate(self.pages, start=1):
            for item in page.evidence:
                yield number, item
            for point in page.points:
                for item in point.evidence:
                    yield number, item


def load_outline(path: str | Path) -> Outline:
    """An outline from a file that ``write_outline`` wrote and a person may have changed.

    Raises PlanError, in one line that names the place, where it is none.
    """
    try:
        return Outline.model_validate_json(Path(path).read_text(encoding="utf-8"))
    except ValidationError as error:
        raise PlanError(f"{path}: {first_fault(error)}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: it cannot be read: {error}") from error


def write_outline(outline: Outline, path: str | Path) -> None:
    """Write an outline as JSON that a person can read and change, whole or not at all."""
    write_whole(path, (outline.model_dump_json(indent=1, exclude_defaults=True) + "\n").encode())


def missing_quotes(outline: Outline, sources: KnowledgeBase) -> tuple[str, ...]:
    """The quotes that no source holds, one line each; empty where all are found."""
    return tuple(
        f"page {number}: {item.place} does not say: {item.quote}"
        for number, item in outline.evidence
        if sources.find_quote(item.quote) is None
    )
