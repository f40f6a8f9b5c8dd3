"""The figures and tables of sources that slides can show, and what of a table is drawn.

Paper 004, appendix C chooses figures from coarse to fine after a page is written. Here a model is
offered all of them, by name, caption and first rows, while it outlines the deck: what a page shows
is known before its words are written. Numbers of a chart are always those of its table.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Final

from PIL import Image, UnidentifiedImageError
from pydantic import ValidationError

from decklab.board.blueprint import ChartPlan, first_fault
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.table_columns import labelled_numbers
from decklab.documents.table_times import read_time, read_times
from decklab.writer.forms import AskedChart
from decklab.writer.outline import VisualRef
from decklab.writer.table_charts import LONGEST_LABEL, short_text
from decklab.writer.table_views import TableView, chart_of, table_views

MOST_OFFERED: Final = 60
"""Figures and tables that a model is offered at most, those of the first pages. Ours."""
_PICTURE_PX = 640
_OFFERED_ROWS, _OFFERED_CELLS, _LONGEST_CELL = 16, 900, 120
"""Rows, characters of rows, and of a cell, that are told of an offered table. Ours."""
_SAID_CHARACTERS = 200


@dataclass(frozen=True)
class OfferedVisual:
    """A figure or table that a page may show, with the name by which it is offered."""

    name: str
    shown: Figure | DocumentTable
    heading: str = ""
    """Of the section that it stands in."""
    said: str = ""
    """The end of the paragraph before it."""

    @property
    def ref(self) -> VisualRef:
        """As an outline names it."""
        kind = "figure" if isinstance(self.shown, Figure) else "table"
        return VisualRef.model_validate(
            {"kind": kind, "document": self.shown.document, "number": self.shown.number}
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a slide of which one shows it."""
        return ("picture",) if isinstance(self.shown, Figure) else ("chart", "table")

    @property
    def words(self) -> str:
        """Words about it for a model: its name with the rest, and of a table its first rows."""
        rows = _first_rows(self.shown.rows) if isinstance(self.shown, DocumentTable) else ()
        return "\n".join((self.named, *rows))

    @property
    def named(self) -> str:
        """Its name, place and caption, in one line for a model."""
        kind = "figure" if isinstance(self.shown, Figure) else "table"
        page = f", page {self.shown.page}" if self.shown.page else ""
        caption = self.shown.caption or self.shown.label or self.said or "-"
        under = f" under {self.heading!r}" if self.heading else ""
        shape = ""
        if isinstance(self.shown, Figure) and self.shown.size and min(self.shown.size) > 0:
            shape = f", {self.shown.size[0] / self.shown.size[1]:.1f} times as wide as high"
        return f"{self.name}: a {kind} of {self.shown.document}{page}{under}{shape}: {caption}"


def _first_rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first rows of a table in whole rows, and how many are left out."""
    left = _OFFERED_CELLS
    for at, row in enumerate(rows[:_OFFERED_ROWS]):
        line = "\t".join(shorten(cell, _LONGEST_CELL, placeholder=" …") for cell in row)
        left -= len(line)
        if left < 0 and at > 1:
            yield f"({len(rows) - at} more rows)"
            return
        yield line
    if len(rows) > _OFFERED_ROWS:
        yield f"({len(rows) - _OFFERED_ROWS} more rows)"


def offered_visuals(sources: KnowledgeBase) -> tuple[OfferedVisual, ...]:
    """The figures (F1, F2, ...) and tables (T1, T2, ...) that slides can show.

    Left out are pictures of which no words say what they show, and tables that give neither chart
    nor table.
    """
    near = _words_near(sources)
    figures = [figure for figure in sources.figures if figure.caption or _key(figure) in near]
    tables = [table for table in sources.tables if table_views(table, source="-")]
    named: list[tuple[str, Figure | DocumentTable]] = []
    named += [(f"F{number}", figure) for number, figure in enumerate(figures, start=1)]
    named += [(f"T{number}", table) for number, table in enumerate(tables, start=1)]
    return tuple(
        OfferedVisual(name, shown, *near.get(_key(shown), ("", "")))
        for name, shown in named[:MOST_OFFERED]
    )


def _key(shown: Figure | DocumentTable) -> tuple[str, str, int]:
    return shown.document, "figure" if isinstance(shown, Figure) else "table", shown.number


def _words_near(sources: KnowledgeBase) -> dict[tuple[str, str, int], tuple[str, str]]:
    """For each figure and table the heading of its section, and the end of the paragraph before."""
    near: dict[tuple[str, str, int], tuple[str, str]] = {}
    for section in sources.sections:
        before = ""
        for block in section.blocks:
            if block.kind in ("figure", "table") and block.index is not None:
                key = (section.document, block.kind, block.index + 1)
                near.setdefault(key, (section.heading, _end_of(before)))
            elif block.kind in ("paragraph", "item"):
                before = block.text
    return near


def _end_of(text: str) -> str:
    """The last whole words of a paragraph."""
    cut = text[-_SAID_CHARACTERS:]
    return cut if len(cut) == len(text) else f"… {cut.partition(' ')[2]}"


def small_picture(shown: Figure | DocumentTable) -> bytes | None:
    """A figure as a small PNG; None for tables, whose cells are told, and what cannot be drawn."""
    if not isinstance(shown, Figure):
        return None
    try:
        with Image.open(io.BytesIO(shown.draw())) as image:
            small = image.convert("RGB")
            small.thumbnail((_PICTURE_PX, _PICTURE_PX))
            buffer = io.BytesIO()
            small.save(buffer, "PNG")
            return buffer.getvalue()
    except (ValueError, OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return None


def chart_problem(asked: AskedChart, table: DocumentTable | None) -> str | None:
    """Why a chart cannot be drawn of the page's table, in words for a model; None if it can."""
    if table is None:
        return "chart: the page shows no table; give null"
    header, *body = table.rows
    labels, headings = [row[0].strip() for row in body], [name.strip() for name in header[1:]]
    for field, names, known in (("rows", asked.rows, labels), ("columns", asked.columns, headings)):
        unknown = [name for name in names if name not in known]
        if unknown or len(set(names)) < len(names):
            named = (unknown or ["one of them"])[0]
            return f"chart.{field}: {named!r} is none of {', '.join(known)}, or there twice"
    if asked.accent and asked.accent not in (*asked.rows, *asked.columns):
        return f"chart.accent: {asked.accent!r} is none of its rows and columns"
    if asked.kind == "table":
        return None
    try:
        chart = _asked_chart(table, chart_ref(asked, table), "-")
    except ValidationError as error:
        return f"chart: {first_fault(error)}"
    if chart is None and asked.kind in ("line", "area"):
        kind = asked.model_copy(update={"kind": "column"})
        other = chart_problem(kind, table)
        return other or f"chart.kind: a {asked.kind} joins dates only; take column, bar or table"
    return None if chart else "chart: these rows and columns are not all numbers; take table"


def chart_ref(asked: AskedChart, table: DocumentTable) -> VisualRef:
    """The part of its table that a chart shows, as an outline names it."""
    return VisualRef(
        kind="table", document=table.document, number=table.number,
        chart=None if asked.kind == "table" else asked.kind,
        rows=asked.rows, columns=asked.columns, accent=asked.accent,
    )  # fmt: skip


def shown_table(table: DocumentTable, ref: VisualRef) -> DocumentTable:
    """The rows and columns of a table that an outline names; the table where it names none."""
    if not ref.rows and not ref.columns:
        return table
    header, *body = table.rows
    kept = [0, *_places(ref.columns, header[1:], 1)]
    rows = [body[at] for at in _places(ref.rows, [row[0] for row in body], 0)]
    return replace(table, rows=tuple(tuple(row[at] for at in kept) for row in [header, *rows]))


def _places(names: Sequence[str], known: Sequence[str], first: int) -> list[int]:
    """The places of those of some cells that are named, in the order in which they are named; all
    places where none is. They count from ``first``."""
    cells = [cell.strip() for cell in known]
    return [first + at for name in names or cells for at, cell in enumerate(cells) if cell == name]


def shown_views(
    table: DocumentTable, ref: VisualRef, source: str, language: str
) -> tuple[TableView, ...]:
    """The ways to show a table as an outline names it: a chart of the kind that it names comes
    first."""
    views = table_views(shown_table(table, ref), source=source, language=language)
    asked = shown_chart(table, ref, source) if ref.chart else None
    if asked is None or (views and views[0].chart == asked):
        return views
    claim = next((view for view in views if view.chart is not None and not view.shown), None)
    said = (claim.claim, claim.computed) if claim else ("", ())
    return (TableView(asked, None, *said), *views)


def shown_chart(table: DocumentTable, ref: VisualRef, source: str) -> ChartPlan | None:
    """The chart of a table as an outline names it; None where there is none."""
    if ref.chart is None:
        return chart_of(shown_table(table, ref), source)
    try:
        return _asked_chart(table, ref, source)
    except ValidationError:
        return None


def _asked_chart(table: DocumentTable, ref: VisualRef, source: str) -> ChartPlan | None:
    """The chart of the kind, rows and columns that are asked for, with the numbers of the cells,
    whoever asked; None where these are no numbers.

    Raises ValidationError where such a chart does not show them.
    """
    part = shown_table(table, ref)
    joined = ref.chart in ("line", "area")
    if joined and all(map(read_time, part.rows[0][1:])):
        part = replace(part, rows=tuple(zip(*part.rows, strict=True)))  # times go to the right
    read = labelled_numbers(part)
    if read is None or (joined and read_times(read[0]) is None):
        return None
    names, columns = read
    units = tuple(dict.fromkeys(column.unit for column in columns))
    series = [
        {"name": short_text(column.name, LONGEST_LABEL), "values": column.values,
         "unit": column.unit or None if len(units) > 1 else None}
        for column in columns
    ]  # fmt: skip
    unit = units[0] if len(units) == 1 else ""
    alone = [columns[0].name] if len(columns) == 1 else []
    headings = [column.heading.strip() for column in columns]
    chart = {
        "kind": ref.chart, "source": source, "series": series,
        "categories": [short_text(name, LONGEST_LABEL) for name in names],
        "unit": ", ".join(filter(None, [*alone, unit])) or None,
        "accent": headings.index(ref.accent) if ref.accent in headings else len(series) - 1,
        "accent_category": names.index(ref.accent) if ref.accent in names else None,
    }  # fmt: skip
    return ChartPlan.model_validate(chart, strict=False)
