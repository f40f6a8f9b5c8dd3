"""Which figure or table of the sources a page shows: paper 004, appendix C, coarse to fine.

First a program finds candidates: what stands in the sections that the page's evidence is from, then
what shares words with the page. Of at most five a model says which show what the page says, by
their captions, cells and, where it takes pictures, the pictures themselves. Numbers of a chart have
to be those of its table.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any, Final

from PIL import Image, UnidentifiedImageError
from pydantic import Field, ValidationError

from decklab.board.blueprint import ChartKind, ChartPlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.retrieval import passage_scores, search_words
from decklab.documents.sections import Passage
from decklab.documents.table_columns import TableColumn, labelled_numbers
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Answered, Unanswered, answered
from decklab.writer.outline import Evidence, OutlinePage, VisualRef
from decklab.writer.table_views import TableView, chart_of, table_views

MOST_CANDIDATES: Final = 5
"""Offered for a page at most: paper 004, appendix C."""
_PICTURE_PX = 640
_SHOWN_ROWS, _SHOWN_CELLS = 24, 700
_SAID_CHARACTERS = 240


class AskedSeries(StrictForm):
    """A series of a chart: a column of the table."""

    name: str = Field(min_length=1)
    values: tuple[float | None, ...]


class AskedChart(StrictForm):
    """A chart of rows and columns of one table, with exactly the numbers of its cells."""

    table: str
    kind: ChartKind
    categories: tuple[str, ...] = Field(min_length=1)
    series: tuple[AskedSeries, ...] = Field(min_length=1)


class VisualChoice(StrictForm):
    """Which of the figures and tables show what a page says, best first; none where none does."""

    ranked: tuple[str, ...]
    reason: str = Field(min_length=1)
    chart: AskedChart | None


@dataclass(frozen=True)
class VisualCandidate:
    """A figure or table that a page may show, with the name by which it is offered."""

    name: str
    shown: Figure | DocumentTable

    @property
    def ref(self) -> VisualRef:
        """As an outline names it."""
        return VisualRef(
            kind="figure" if isinstance(self.shown, Figure) else "table",
            document=self.shown.document,
            number=self.shown.number,
        )


@dataclass(frozen=True)
class ChosenVisuals:
    """What a model found fit for one page, best first, why, and what was refused of it."""

    refs: tuple[VisualRef, ...] = ()
    reason: str = ""
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class _Known:
    shown: Figure | DocumentTable
    words: Passage
    """Its caption and cells, with the heading of its section."""


class VisualFinder:
    """The figures and tables of sources that slides can show, ready to be looked through."""

    def __init__(self, sources: KnowledgeBase) -> None:
        said = _words_near(sources)
        shown: list[Figure | DocumentTable] = [
            *(one for one in sources.figures if one.caption or _key(one) in said),
            *(one for one in sources.tables if table_views(one, source="-")),
        ]
        known = (_Known(one, _passage(one, said.get(_key(one)))) for one in shown)
        self._known = [
            one for one in known if search_words(f"{one.words.section} {one.words.quote}")
        ]
        self._sources = sources

    def candidates(self, page: OutlinePage) -> tuple[VisualCandidate, ...]:
        """At most five for a page, best first: those of the sections that its evidence is from,
        then others, each by the words that it shares with the page (BM25)."""
        query = " ".join((page.title, *(point.text for point in page.points)))
        own = self._sections_of(page)
        scores = passage_scores([known.words for known in self._known], query)
        near = [(known.words.document, known.words.section) in own for known in self._known]
        ranked = sorted(
            (at for at, score in enumerate(scores) if score > 0 or near[at]),
            key=lambda at: (not near[at], -scores[at], at),
        )
        return tuple(
            VisualCandidate(f"V{number}", self._known[at].shown)
            for number, at in enumerate(ranked[:MOST_CANDIDATES], start=1)
        )

    def _sections_of(self, page: OutlinePage) -> set[tuple[str, str]]:
        quoted: list[Evidence] = [*page.evidence]
        quoted += [item for point in page.points for item in point.evidence]
        places = [(item, self._sources.find_quote(item.quote)) for item in quoted]
        return {(place.document, place.section) for _, place in places if place is not None}


def _key(shown: Figure | DocumentTable) -> tuple[str, str, int]:
    return shown.document, "figure" if isinstance(shown, Figure) else "table", shown.number


def _words_near(sources: KnowledgeBase) -> dict[tuple[str, str, int], tuple[str, str]]:
    """For each figure and table the heading of its section, and the paragraph before it."""
    found: dict[tuple[str, str, int], tuple[str, str]] = {}
    for section in sources.sections:
        before = ""
        for block in section.blocks:
            if block.kind in ("figure", "table") and block.index is not None:
                key = (section.document, block.kind, block.index + 1)
                found.setdefault(key, (section.heading, before))
            elif block.kind in ("paragraph", "item"):
                before = block.text
    return found


def _passage(shown: Figure | DocumentTable, near: tuple[str, str] | None) -> Passage:
    heading, before = near or ("", "")
    cells = shown.text if isinstance(shown, DocumentTable) else ""
    words = " ".join((shown.label, shown.caption, before[-_SAID_CHARACTERS:], cells))
    return Passage(shown.document, shown.page, words, heading)


def ask_visual(
    page: OutlinePage, candidates: Sequence[VisualCandidate], ask: Ask
) -> ChosenVisuals:  # fmt: skip
    """Have a model say which of some candidates a page shows.

    A name that was not offered, and a chart whose numbers its table does not hold, are sent back
    with the cause. After three tries what cannot be used is left out and told. Raises what ``ask``
    raises.
    """
    offered = {one.name: one for one in candidates}
    readable: list[VisualChoice] = []

    def check(choice: VisualChoice) -> str | None:
        readable.append(choice)
        return _unknown(choice, offered) or _chart_fault(choice, offered)

    text = fill_prompt(
        "decklab.writer",
        "prompts/figures.txt",
        title=page.title,
        points="\n".join(f"- {point.text}" for point in page.points),
        visuals="\n\n".join(map(_described, candidates)),
    )
    pictures = [data for one in candidates if (data := small_picture(one.shown))]

    def asked(images: Sequence[bytes]) -> Answered[VisualChoice]:
        how: dict[str, Any] = {"images": images} if images else {}
        return answered(ask, text, VisualChoice, check=check, stage="figures", **how)

    try:
        try:
            reply = asked(pictures)
        except PicturesUnseen:
            reply = asked(())
    except Unanswered as error:
        if not readable:
            return ChosenVisuals(told=(f"no figure or table: {error.problem}",), usage=error.usage)
        choice, told = _usable(readable[-1], offered)
        return ChosenVisuals(tuple(_refs(choice, offered)), choice.reason, tuple(told), error.usage)
    return ChosenVisuals(tuple(_refs(reply.answer, offered)), reply.answer.reason, (), reply.usage)


def _described(one: VisualCandidate) -> str:
    """A candidate in words: its name, caption, and of a table its cells."""
    kind = "figure" if isinstance(one.shown, Figure) else "table"
    place = f"{one.shown.document}{f', page {one.shown.page}' if one.shown.page else ''}"
    lines = [f"{one.name}: a {kind} of {place}: {one.shown.caption or one.shown.label or '-'}"]
    if isinstance(one.shown, DocumentTable):
        rows = ["\t".join(row) for row in one.shown.rows[:_SHOWN_ROWS]]
        lines.append("\n".join(rows)[:_SHOWN_CELLS])
    return "\n".join(lines)


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


def _unknown(choice: VisualChoice, offered: Mapping[str, VisualCandidate]) -> str | None:
    names = ", ".join(offered)
    for name in choice.ranked:
        if name not in offered:
            return f"ranked: {name!r} is none of those offered: {names}"
    if len(set(choice.ranked)) < len(choice.ranked):
        return "ranked: one of them is there twice"
    return None


def _chart_fault(choice: VisualChoice, offered: Mapping[str, VisualCandidate]) -> str | None:
    if choice.chart is None:
        return None
    one = offered.get(choice.chart.table)
    if one is None or isinstance(one.shown, Figure):
        return f"chart.table: {choice.chart.table!r} is no table offered: a chart needs its source"
    return chart_problem(choice.chart, one.shown)


def chart_problem(asked: AskedChart, table: DocumentTable) -> str | None:
    """What of a chart its table does not hold, in words for a model; None where it holds all."""
    numbers = labelled_numbers(table)
    if numbers is None:
        return "chart: the cells of the table are not all numbers"
    labels, numeric = numbers
    columns = {column.heading: column for column in numeric}
    unknown = [name for name in asked.categories if name not in labels]
    if unknown or len(set(asked.categories)) < len(asked.categories):
        return f"chart.categories: {(unknown or ['one of them'])[0]!r} is no row, or there twice"
    for series in asked.series:
        if series.name not in columns:
            return f"chart.series: {series.name!r} is no column of the table"
        if len(series.values) != len(asked.categories):
            return f"chart.series {series.name!r}: give one value for each category"
        problem = _value_problem(series, asked.categories, columns[series.name], labels)
        if problem:
            return problem
    if _chart(table, _chart_ref(asked, table)) is None:
        return "chart: these rows and columns give no chart of this kind that can be read"
    return None


def _value_problem(
    series: AskedSeries, rows: Sequence[str], column: TableColumn, labels: Sequence[str]
) -> str | None:
    for row, value in zip(rows, series.values, strict=True):
        at = labels.index(row)
        known = column.values[at]
        same = value is known if None in (value, known) else isclose(value or 0, known or 0)
        if not same:
            cell = column.texts[at] or "empty"
            return f"chart.series {series.name!r}: {row} is {cell!r} in the table, not {value}"
    return None


def _chart_ref(asked: AskedChart, table: DocumentTable) -> VisualRef:
    return VisualRef(
        kind="table", document=table.document, number=table.number, chart=asked.kind,
        rows=asked.categories, columns=tuple(series.name for series in asked.series),
    )  # fmt: skip


def _chart(table: DocumentTable, ref: VisualRef) -> ChartPlan | None:
    return shown_chart(table, ref, "-")


def shown_table(table: DocumentTable, ref: VisualRef) -> DocumentTable:
    """The rows and columns of a table that an outline names; the table where it names none."""
    if not ref.rows and not ref.columns:
        return table
    header, *body = table.rows
    kept = [
        at
        for at, name in enumerate(header)
        if not at or not ref.columns or name.strip() in ref.columns
    ]
    rows = [row for row in body if not ref.rows or row[0].strip() in ref.rows]
    return replace(table, rows=tuple(tuple(row[at] for at in kept) for row in [header, *rows]))


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
    """The chart of a table, of the kind that an outline names; None where there is none.

    Its numbers are those of the cells, whoever asked for it.
    """
    chart = chart_of(shown_table(table, ref), source)
    if chart is None or ref.chart is None or ref.chart == chart.kind:
        return chart
    try:
        return ChartPlan.model_validate({**chart.model_dump(), "kind": ref.chart})
    except ValidationError:
        return None


def _usable(
    choice: VisualChoice, offered: Mapping[str, VisualCandidate]
) -> tuple[VisualChoice, list[str]]:
    """What of a choice can be used, and what was refused, a line each."""
    told: list[str] = []
    ranked = tuple(dict.fromkeys(name for name in choice.ranked if name in offered))
    told += [f"not offered: {name!r}" for name in choice.ranked if name not in offered]
    chart = choice.chart
    fault = _chart_fault(choice, offered)
    if fault:
        told.append(f"the chart is refused: {fault}")
        chart = None
    return choice.model_copy(update={"ranked": ranked, "chart": chart}), told


def _refs(choice: VisualChoice, offered: Mapping[str, VisualCandidate]) -> list[VisualRef]:
    """What was chosen as an outline names it; the chart that was asked for is the first."""
    refs = [offered[name].ref for name in choice.ranked]
    if choice.chart is None:
        return refs
    table = offered[choice.chart.table].shown
    assert isinstance(table, DocumentTable), "the chart was checked"
    ref = _chart_ref(choice.chart, table)
    return [ref, *(one for one in refs if one != offered[choice.chart.table].ref)]


def each_once(chosen: Sequence[ChosenVisuals]) -> list[VisualRef | None]:
    """For each page the best of its visuals that no earlier page shows; None where there is none.

    What a page has as its only choice goes to it before others take it as one of several.
    """
    used: set[tuple[str, str, int]] = set()
    given: dict[int, VisualRef] = {}
    for at in sorted(range(len(chosen)), key=lambda at: (len(chosen[at].refs) != 1, at)):
        for ref in chosen[at].refs:
            key = (ref.document, ref.kind, ref.number)
            if key not in used:
                used.add(key)
                given[at] = ref
                break
    return [given.get(at) for at in range(len(chosen))]
