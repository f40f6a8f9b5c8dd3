"""Layouts of one large thing: a picture, a chart or a table."""

from dataclasses import replace
from typing import Final

from decklab.board.blueprint import TablePlan
from decklab.board.boxes import ChartBox, Item, Shape, Slot, TableBox, TextBox, TextStyle
from decklab.board.chart_frame import frame_chart
from decklab.board.fitting import fit_table
from decklab.board.page import (
    CARD_INSET,
    CONTENT,
    GUTTER,
    IDX_BODY,
    IDX_OBJECT,
    IDX_UNIT,
    PageDraft,
    across,
    corners,
)
from decklab.board.pages.document import is_numeric
from decklab.board.pictures import placed_picture
from decklab.board.typography import Face
from decklab.core.geometry import Box

_MOST_ROW_AIR: Final = 14.0
_MOST_GROWTH: Final = 1.25
_FEW_WORDS: Final = 0.75
"""Share of the height of an area that words take at most to stand at its middle. Ours."""


def lay_out_picture_beside(page: PageDraft, *, right: bool) -> None:
    """A picture on one half, text on the other; ``right`` is the side of the picture."""
    page.head()
    first, text = (6, 0) if right else (0, 6)
    area = page.area
    room = across(first, 6, area)
    box = _on_plate(page, room)
    words = []
    if page.plan.body:
        words = [page.points("Text", across(text, 6, area), page.plan.body, IDX_BODY)]
        words = [page.aired(one) for one in page.fitted(words)]
    items: list[Item] = [*words, *box] if right else [*box, *words]
    page.add(*items)


def lay_out_picture_full(page: PageDraft) -> None:
    """A picture as large as the slide has room."""
    page.head()
    page.add(*_on_plate(page, page.area))


def _on_plate(page: PageDraft, room: Box) -> list[Item]:
    """The picture in its place; a figure that is shown whole stands on an area of that place."""
    picture = page.plan.picture
    if picture is not None and picture.kind == "photograph":
        return [placed_picture(page, room)]
    plate = Shape("Plate", room, "background", "line", corners(page.theme))
    return [plate, placed_picture(page, _inside(room))]


def _inside(plate: Box) -> Box:
    return Box(plate.left + 16, plate.top + 16, plate.right - 16, plate.bottom - 16)


def lay_out_chart(page: PageDraft) -> None:
    """A chart as large as the slide has room."""
    page.head()
    _chart_in(page, page.area)


def lay_out_chart_takeaways(page: PageDraft) -> None:
    """A chart, and what it says beside it."""
    page.head()
    _chart_in(page, across(0, 8, page.area))
    if page.plan.body:
        _takeaways(page, across(8, 4, page.area))


def _takeaways(page: PageDraft, area: Box) -> None:
    """What a chart or table says, on an area of its own."""
    scale = page.theme.scale
    size = scale.body if area.width < CONTENT.width / 2 else scale.small
    box = page.points("Takeaways", area, page.plan.body, IDX_BODY, size=size)
    box = replace(box, fill="tint", inset=CARD_INSET, geometry=corners(page.theme))
    page.add(*(_in_the_middle(page, page.aired(one)) for one in page.fitted([box])))


def _in_the_middle(page: PageDraft, box: TextBox) -> TextBox:
    """Few words in a large area, at the middle of its height."""
    few = page.fitter.height(box) < box.inner.height * _FEW_WORDS
    return replace(box, style=replace(box.style, anchor="middle")) if few else box


def _chart_in(page: PageDraft, area: Box) -> None:
    """The chart with its unit above; two units stand at their axes."""
    chart = page.plan.chart
    if chart is None:
        return
    scale = page.theme.scale
    box = area
    if len(chart.units) == 1 and chart.units[0] and chart.kind != "scatter":
        unit = Box(area.left, area.top, area.right, area.top + 20)
        style = TextStyle(scale.caption, page.style.muted)
        page.line("Unit", unit, chart.units[0], style, Slot("body", IDX_UNIT))
        box = Box(area.left, area.top + 24, area.right, area.bottom)
    sizes = [scale.caption]
    if len(chart.categories) * len(chart.series) <= 8 and area.width > 700:
        sizes.insert(0, scale.small)
    for size in sizes:
        face = Face(page.theme.fonts.body, language=page.fitter.language)
        problem = frame_chart(chart, face, size, box.width, box.height).problem
        if problem is None:
            break
    if problem is not None:
        page.problems.append(f"Chart: {problem}")
    page.add(ChartBox("Chart", box, chart, size, Slot("chart", IDX_OBJECT)))


def lay_out_table(page: PageDraft) -> None:
    """A table, with columns of numbers to the right; up to three points beside or below it."""
    page.head()
    table, area = page.plan.table, page.area
    if table is None:
        return
    if not page.plan.body:
        _table_in(page, table, area)
        return
    beside = across(0, 8, area)
    if area.width == CONTENT.width and _hardly_grows(page, table, beside.width):
        place = _table_in(page, table, beside)
        room = across(8, 4, area)._replace(bottom=max(place.bottom, area.top + area.height / 2))
        _takeaways(page, room)
        return
    points = page.points("Takeaways", area, page.plan.body, IDX_BODY, size=page.theme.scale.small)
    high = page.fitter.height(points) + 2 * CARD_INSET
    place = _table_in(page, table, area._replace(bottom=area.bottom - high - GUTTER))
    top = place.bottom + GUTTER
    _takeaways(page, Box(area.left, top, area.right, top + high))


def _hardly_grows(page: PageDraft, table: TablePlan, width: float) -> bool:
    """Whether a table is as legible in a narrower place, without many more lines in its cells."""
    area = page.area
    narrow = fit_table(table, page.fitter, width, area.height)
    wide = fit_table(table, page.fitter, area.width, area.height)
    grown = sum(narrow.heights) / sum(wide.heights)
    return narrow.fits and narrow.size == wide.size and grown <= _MOST_GROWTH


def _table_in(page: PageDraft, table: TablePlan, area: Box) -> Box:
    """Put the table at the top of an area; returns the place that it takes."""
    fit = fit_table(table, page.fitter, area.width, area.height)
    if not fit.fits:
        page.problems.append(f"Table: its rows do not fit at {fit.size:g} pt")
    spare = max(area.height - sum(fit.heights), 0) / len(fit.heights)
    heights = tuple(height + min(spare, _MOST_ROW_AIR) for height in fit.heights)
    numeric = tuple(
        is_numeric([row[column] for row in table.rows]) for column in range(len(table.header))
    )
    box = Box(area.left, area.top, area.right, area.top + sum(heights))
    page.add(
        TableBox(
            "Table", box, table, fit.size, fit.widths, heights, numeric, Slot("table", IDX_OBJECT)
        )
    )
    return box
