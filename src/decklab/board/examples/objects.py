"""Pictures, charts and tables put into a filled slide, in the looks of the example's."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_LABEL_POSITION
from pptx.presentation import Presentation
from pptx.util import Pt

from decklab.board.blueprint import ChartPlan, PicturePlan, TablePlan
from decklab.board.boxes import ChartBox
from decklab.board.chart_frame import frame_chart
from decklab.board.chart_looks import (
    GREYS,
    chart_words,
    labels_all,
    number_format,
    point_colors,
    series_colors,
    value_decimals,
)
from decklab.board.examples.choosing import (
    SOURCE_HEIGHT,
    ChosenSlide,
    PlacedObject,
    table_face,
    table_measures,
    table_size,
)
from decklab.board.examples.colors import Areas, ground_of, marks_on, readable
from decklab.board.examples.slots import SlideScale, TextSlot
from decklab.board.pptx_charts import add_native_chart
from decklab.board.themes import LIGHT, SCHEME
from decklab.board.typography import Face
from decklab.core.errors import PlanError
from decklab.core.geometry import Box
from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import add_chart, set_chart_data, set_chart_title
from decklab.editing.finding import EditError, find_graphic, find_shape, slide_at
from decklab.editing.new_shapes import add_picture, add_text_box
from decklab.editing.placing import delete_shape, place_shape
from decklab.editing.tables import add_column, add_row, add_table, delete_column, delete_row
from decklab.editing.texts import fill_cell, set_alt_text
from decklab.ooxml.xml import qn

_EDITED = frozenset({"column", "bar", "line", "pie"})
"""Kinds of charts for which the example's own chart is given other data."""


@dataclass(frozen=True)
class ObjectWriter:
    """Puts objects into one slide of a presentation."""

    prs: Presentation
    number: int
    scale: SlideScale
    accents: tuple[str, ...]
    """The strong colours of the deck."""

    def put(self, chosen: ChosenSlide) -> None:
        """Put the object of a slide in its place, with its source below it.

        Raises EditError where the example's cannot be changed so.
        """
        placed, shown = chosen.placed, chosen.content.shown
        if placed is None or shown is None:
            return
        box, source = placed.box, chosen.plan.shown_source
        ground = ground_of(_standing(chosen), box)
        if source:
            box = box._replace(bottom=box.bottom - SOURCE_HEIGHT)
        if isinstance(shown, ChartPlan):
            self._chart(shown, placed, box, ground)
        elif isinstance(shown, TablePlan):
            box = self._table(shown, placed, box)
        else:
            box = self._picture(shown, placed, box)
        if source:
            self._caption(source, box, placed, readable(ground, _colors(placed.ink)))

    def _caption(self, text: str, box: Box, placed: PlacedObject, color: str) -> None:
        """A small line of text below a box."""
        room, ink = placed.box, placed.ink
        place = (room.left, box.bottom, max(room.width, 240.0), SOURCE_HEIGHT)
        id = add_text_box(self.prs, self.number, place, text, size=self.scale.least, color=color)
        frame: Any = find_shape(self.prs, self.number, id).find(qn("p:txBody"))
        frame.find(qn("a:bodyPr")).set("lIns", "0")
        _set_font(frame, ink, self.scale.language)

    def _picture(self, shown: PicturePlan, placed: PlacedObject, box: Box) -> Box:
        """The box that the picture takes."""
        try:
            data = Path(shown.path).read_bytes()
        except OSError as error:
            raise PlanError(f"picture {shown.path}: it cannot be read: {error}") from error
        photograph = shown.kind == "photograph"
        place = (box.left, box.top, box.width, box.height)
        try:
            id = add_picture(
                self.prs, self.number, place, data,
                fit="fill" if photograph else "inside", alt=shown.alt,
            )  # fmt: skip
        except EditError as error:
            raise PlanError(f"picture {shown.path}: {error}") from error
        fresh = find_shape(self.prs, self.number, id)
        if placed.slot is not None:
            old = find_shape(self.prs, self.number, placed.slot.id)
            if photograph and old.tag == qn("p:pic"):
                _take_geometry(old, fresh)
        self._take_place(fresh, placed)
        return box

    def _chart(self, shown: ChartPlan, placed: PlacedObject, box: Box, ground: str) -> None:
        if shown.kind not in _EDITED or len(shown.series) > len(GREYS) + 1:
            self._drawn_chart(shown, placed, box, ground)
            return
        series = {item.name: list(item.values) for item in shown.series}
        if placed.slot is None:
            self._new_chart(shown, series, box, placed.ink, ground)
            return
        id = placed.slot.id
        set_chart_data(self.prs, self.number, list(shown.categories), series, shape=id)
        if _family(getattr(placed.slot.shown, "type", "")) != shown.kind:
            set_chart_type(self.prs, self.number, shown.kind, shape=id)
        if shown.unit or self._chart_of(id).has_title:
            set_chart_title(self.prs, self.number, shown.unit, shape=id)
        set_alt_text(self.prs, self.number, id, chart_words(shown))
        self._fit_frame(id, box)
        space = self._chart_of(id)._chartSpace
        clear_chart(space, len(shown.series), len(shown.categories))

    def _drawn_chart(self, shown: ChartPlan, placed: PlacedObject, box: Box, ground: str) -> None:
        """A chart as in decks of decklab's own themes, in the colours of the example."""
        words = readable(ground, _colors(placed.ink))
        if len(shown.units) == 1 and shown.units[0] and shown.kind != "scatter":
            self._caption(shown.units[0], box._replace(bottom=box.top), placed, words)
            box = box._replace(top=box.top + SOURCE_HEIGHT)
        size = self.scale.least / self.scale.down
        face = Face(LIGHT.fonts.body, language=self.scale.language)
        problem = frame_chart(shown, face, size, box.width, box.height).problem
        if problem is not None:
            raise EditError(f"the chart does not fit: {problem}")
        slide = slide_at(self.prs, self.number)
        fresh = add_native_chart(slide, ChartBox("Chart", box, shown, size), face, LIGHT.colors)
        id = int(next(fresh.iter(qn("p:cNvPr"))).get("id"))
        set_alt_text(self.prs, self.number, id, chart_words(shown))
        self._fit_frame(id, box)
        accent, greys = marks_on(ground, self.accents)
        names = dict(zip(("grey1", "grey2", "grey3"), greys, strict=True))
        names |= {"accent": accent, "text": words, "muted": words, "line": greys[2],
                  "background": ground}  # fmt: skip
        slots = {slot: names[token] for token, slot in SCHEME.items() if token in names}
        space = self._chart_of(id)._chartSpace
        for color in list(space.iter(qn("a:schemeClr"))):
            plain = color.makeelement(qn("a:srgbClr"), {"val": slots[color.get("val")].lstrip("#")})
            plain.extend(list(color))
            color.getparent().replace(color, plain)
        for text in space.iter(qn("a:defRPr"), qn("a:rPr")):
            if text.get("sz"):
                text.set("sz", str(round(int(text.get("sz")) * self.scale.down)))
        if placed.ink is not None:
            self._chart_of(id).font.name = placed.ink.look(0).paragraph.runs[0].font.name
        self._take_place(fresh, placed)

    def _take_place(self, fresh: Any, placed: PlacedObject) -> None:
        """Put a new shape where the one that it replaces was in the order of drawing."""
        if placed.slot is None:
            return
        top = find_shape(self.prs, self.number, placed.slot.id)
        while top.getparent().tag == qn("p:grpSp"):
            top = top.getparent()
        top.addnext(fresh)
        delete_shape(self.prs, self.number, placed.slot.id)

    def _new_chart(
        self, shown: ChartPlan, series: dict[str, list[float | None]], box: Box,
        ink: TextSlot | None, ground: str,
    ) -> None:  # fmt: skip
        place = (box.left, box.top, box.width, box.height)
        id = add_chart(
            self.prs, self.number, place, shown.kind, categories=list(shown.categories),
            series=series, title=shown.unit,
        )  # fmt: skip
        set_alt_text(self.prs, self.number, id, chart_words(shown))
        chart = self._chart_of(id)
        words = _rgb(readable(ground, _colors(ink)))
        chart.font.size, chart.font.color.rgb = Pt(self.scale.least), words
        if ink is not None:
            chart.font.name = ink.look(0).paragraph.runs[0].font.name
        if chart.has_title:
            for run in chart.chart_title.text_frame.paragraphs[0].runs:
                run.font.size, run.font.bold = Pt(self.scale.least), False
                run.font.color.rgb = words
        self._dress(chart, shown, box, ground)

    def _dress(self, chart: Any, shown: ChartPlan, box: Box, ground: str) -> None:
        """Values on the marks where there is room, else an axis; one accent, the rest grey."""
        plot, count = chart.plots[0], len(shown.series) * len(shown.categories)
        side = box.height if shown.kind == "bar" else box.width
        room = side * 0.85 / count * (self.scale.across if shown.kind != "bar" else 1)
        digits = max(len(f"{value:g}") for item in shown.series for value in item.values
                     if value is not None)  # fmt: skip
        wide = 0.6 * digits * self.scale.least if shown.kind != "bar" else self.scale.least
        labelled = shown.kind == "pie" or (labels_all(shown) and room >= wide)
        if labelled:
            plot.has_data_labels = True
            labels = plot.data_labels
            labels.show_value = True
            labels.number_format = number_format(value_decimals(shown))
            labels.number_format_is_linked = False
            if shown.kind in ("column", "bar"):
                labels.position = XL_LABEL_POSITION.OUTSIDE_END
        if shown.kind != "pie":
            chart.value_axis.visible = not labelled
            chart.value_axis.has_major_gridlines = not labelled
            chart.category_axis.format.line.color.rgb = _rgb(marks_on(ground, ())[1][0])
        if shown.kind in ("column", "bar"):
            plot.gap_width, plot.overlap = 60, -5 if len(shown.series) > 1 else 0
        if shown.kind == "bar":
            chart.category_axis.reverse_order = True
        accent, greys = marks_on(ground, self.accents)
        _paint(plot, shown, accent, greys)

    def _chart_of(self, id: int) -> Any:
        frame = find_graphic(self.prs, self.number, id, qn("c:chart"), "chart")
        part: Any = slide_at(self.prs, self.number).part.related_part(frame.get(qn("r:id")))
        return part.chart

    def _fit_frame(self, id: int, box: Box) -> None:
        across = int(self.prs.slide_width or 0) / 960
        down = int(self.prs.slide_height or 0) / 540
        place_shape(
            self.prs, self.number, id, left=box.left * across, top=box.top * down,
            width=box.width * across, height=box.height * down,
        )  # fmt: skip

    def _table(self, shown: TablePlan, placed: PlacedObject, box: Box) -> Box:
        """The box that the table takes."""
        size = table_size(shown, placed.slot, placed.ink, box, self.scale)
        if size is None:
            raise EditError("the table does not fit")
        widths, heights = table_measures(
            shown, table_face(placed.slot, placed.ink), size, box, self.scale
        )
        rows = (shown.header, *shown.rows)
        if placed.slot is None:
            place = (box.left, box.top, box.width, sum(heights))
            id = add_table(self.prs, self.number, place, rows)
        else:
            id = placed.slot.id
            self._resize(id, len(rows), len(shown.header))
        set_alt_text(self.prs, self.number, id, ", ".join(shown.header))
        table = find_graphic(self.prs, self.number, id, qn("a:tbl"), "table")
        self._fill(table, rows, size)
        across, down = int(self.prs.slide_width or 0) / 960, int(self.prs.slide_height or 0) / 540
        for column, width in zip(table.iter(qn("a:gridCol")), widths, strict=True):
            column.set("w", str(round(width * across)))
        for row, height in zip(table.findall(qn("a:tr")), heights, strict=True):
            row.set("h", str(round(height * down)))
        fitted = Box(box.left, box.top, box.left + sum(widths), box.top + sum(heights))
        frame = find_shape(self.prs, self.number, id)
        extent = frame.find(qn("p:xfrm")).find(qn("a:ext"))
        extent.set("cx", str(round(fitted.width * across)))
        extent.set("cy", str(round(fitted.height * down)))
        return fitted

    def _resize(self, id: int, rows: int, columns: int) -> None:
        """Give the example's table so many rows and columns, taken from or added in its middle."""
        where = {"shape": id}
        table = find_graphic(self.prs, self.number, id, qn("a:tbl"), "table")
        while (count := len(table.findall(qn("a:tr")))) > rows:
            delete_row(self.prs, self.number, count, **where)
        while (count := len(table.findall(qn("a:tr")))) < rows:
            after = max(count - 1, 1) if count > 2 else count
            add_row(self.prs, self.number, [], after=after, **where)
        grid = table.find(qn("a:tblGrid"))
        while (count := len(grid)) > columns:
            delete_column(self.prs, self.number, count, **where)
        while len(grid) < columns:
            add_column(self.prs, self.number, [], **where)

    def _fill(self, table: Any, rows: Sequence[Sequence[str]], size: float) -> None:
        for row, texts in zip(table.findall(qn("a:tr")), rows, strict=True):
            for cell, text in zip(row.findall(qn("a:tc")), texts, strict=True):
                fill_cell(cell, text)
                for item in cell.iter(qn("a:rPr"), qn("a:endParaRPr")):
                    item.set("sz", str(round(size * 100)))
                for run in cell.iter(qn("a:r")):
                    look = run.find(qn("a:rPr"))
                    if look is None:
                        look = run.makeelement(qn("a:rPr"), {"sz": str(round(size * 100))})
                        run.insert(0, look)
                    look.set("lang", self.scale.language)
                for settings in cell.iter(qn("a:pPr")):
                    settings.attrib.pop("marL", None)
                    settings.attrib.pop("indent", None)
                    for mark in ("a:buChar", "a:buAutoNum", "a:buFont", "a:buSzPct", "a:buClr"):
                        for item in settings.findall(qn(mark)):
                            settings.remove(item)


def clear_chart(space: Any, series: int, categories: int) -> None:
    """Take from a chart what was said of its old data: titles of axes, limits, forms of numbers,
    labels of single values, looks of points that are gone, drawings on it."""
    for name in ("c:catAx", "c:valAx", "c:dateAx", "c:serAx"):
        for axis in space.iter(qn(name)):
            for title in axis.findall(qn("c:title")):
                axis.remove(title)
            scaling = axis.find(qn("c:scaling"))
            for limit in ("c:max", "c:min", "c:logBase"):
                for item in scaling.findall(qn(limit)) if scaling is not None else ():
                    scaling.remove(item)
            for unit in ("c:majorUnit", "c:minorUnit", "c:dispUnits"):
                for item in axis.findall(qn(unit)):
                    axis.remove(item)
    for form in space.iter(qn("c:numFmt")):
        form.set("formatCode", "General")
        form.set("sourceLinked", "0")
    for single in list(space.iter(qn("c:dLbl"), qn("c:trendline"), qn("c:errBars"))):
        single.getparent().remove(single)
    for point in list(space.iter(qn("c:dPt"))):
        index = point.find(qn("c:idx"))
        if index is None or series > 1 or int(index.get("val")) >= categories:
            point.getparent().remove(point)
    for drawn in list(space.iter(qn("c:userShapes"))):
        drawn.getparent().remove(drawn)


def _family(kind: str) -> str:
    return {"area": "line", "doughnut": "pie"}.get(kind, kind)


def _standing(chosen: ChosenSlide) -> Areas:
    """The areas of the example without the panels of texts that go, or that stand elsewhere now."""
    kept = {filled.slot.box for filled in chosen.texts}
    gone = {slot.box for slot in chosen.example.bodies if slot.filled} - kept
    return tuple((box, color) for box, color in chosen.example.areas if box not in gone)


def _colors(ink: TextSlot | None) -> tuple[str, ...]:
    return () if ink is None else (ink.look(0).paragraph.runs[0].font.color,)


def _rgb(color: str) -> Any:
    return _from_hex(color.lstrip("#"))


_from_hex: Any = RGBColor.from_string  # python-pptx states no types for it


def _paint(plot: Any, shown: ChartPlan, accent: str, greys: tuple[str, str, str]) -> None:
    """One accent and greys, as in decks of decklab's own themes."""
    names = {"accent": accent, "grey1": greys[0], "grey2": greys[1], "grey3": greys[2]}
    for drawn, token in zip(plot.series, series_colors(shown), strict=True):
        color = _rgb(names[str(token)])
        if shown.kind == "line":
            drawn.smooth = False
            drawn.format.line.color.rgb, drawn.format.line.width = color, Pt(2.5)
            continue
        drawn.format.fill.solid()
        drawn.format.fill.fore_color.rgb = color
        if len(shown.series) > 1:
            continue
        for place, point in enumerate(point_colors(shown)):
            if point != "accent" or shown.kind == "pie":
                fill = drawn.points[place].format.fill
                fill.solid()
                fill.fore_color.rgb = _rgb(names[str(point)])


def _set_font(body: Any, ink: TextSlot | None, language: str) -> None:
    """The typeface and language of a text's runs."""
    for run in body.iter(qn("a:r")):
        look = run.find(qn("a:rPr"))
        if look is None:
            continue
        look.set("lang", language)
        if ink is not None:
            name = ink.look(0).paragraph.runs[0].font.name
            latin = look.makeelement(qn("a:latin"), {"typeface": name})
            look.append(latin)


def _take_geometry(old: Any, fresh: Any) -> None:
    """Give a picture the outline and effects of the one it replaces."""
    source, target = old.find(qn("p:spPr")), fresh.find(qn("p:spPr"))
    place = target.find(qn("a:xfrm"))
    for item in list(target):
        if item is not place:
            target.remove(item)
    for item in list(source):
        if item.tag != qn("a:xfrm"):
            target.append(item)
