"""Pictures, charts and tables put into a filled slide, in the looks of the example's."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptx.presentation import Presentation

from decklab.board.blueprint import ChartPlan, PicturePlan
from decklab.board.chart_looks import chart_words
from decklab.board.examples.choosing import SOURCE_HEIGHT, ChosenSlide, PlacedObject
from decklab.board.examples.colors import ground_of, readable
from decklab.board.examples.drawing import PartLook, ink_colors, standing
from decklab.board.examples.slots import ObjectSlot, SlideScale, TextSlot
from decklab.board.slots.parts import DrawnPart, PartDrawer, recolor
from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME, Box
from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import set_chart_data, set_chart_title
from decklab.editing.finding import (
    EditError,
    find_graphic,
    find_shape,
    properties,
    shapes,
    slide_at,
)
from decklab.editing.new_shapes import add_picture, add_text_box
from decklab.editing.placing import delete_shape, place_shape
from decklab.editing.texts import set_alt_text
from decklab.ooxml.xml import qn


@dataclass(frozen=True)
class ObjectWriter:
    """Puts objects into one slide of a presentation."""

    prs: Presentation
    number: int
    scale: SlideScale

    def put(self, chosen: ChosenSlide) -> None:
        """Put the object of a slide in its place, with its source below it.

        Raises EditError where the example's cannot be changed so.
        """
        placed, shown = chosen.placed, chosen.content.shown
        if placed is None or shown is None:
            return
        box, source = placed.box, chosen.plan.shown_source
        ground = ground_of(standing(chosen), box)
        if source:
            box = box._replace(bottom=box.bottom - SOURCE_HEIGHT)
        if isinstance(shown, PicturePlan):
            box = self._picture(shown, placed, box)
        elif placed.slot is not None and isinstance(shown, ChartPlan):
            self._chart(shown, placed.slot, box)
        if source:
            self._caption(source, box, placed, readable(ground, ink_colors(placed.ink)))

    def _caption(self, text: str, box: Box, placed: PlacedObject, color: str) -> None:
        """A small line of text below a box."""
        room, ink = placed.box, placed.ink
        wide, high = max(room.width, 240.0), SOURCE_HEIGHT
        left = min(max(room.left, 0.0), FRAME.width - wide)
        place = (left, min(box.bottom, FRAME.height - high), wide, high)
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

    def _chart(self, shown: ChartPlan, slot: ObjectSlot, box: Box) -> None:
        series = {item.name: list(item.values) for item in shown.series}
        id = slot.id
        set_chart_data(self.prs, self.number, list(shown.categories), series, shape=id)
        if _family(getattr(slot.shown, "type", "")) != shown.kind:
            set_chart_type(self.prs, self.number, shown.kind, shape=id)
        if shown.unit or self._chart_of(id).has_title:
            set_chart_title(self.prs, self.number, shown.unit, shape=id)
        set_alt_text(self.prs, self.number, id, chart_words(shown))
        self._fit_frame(id, box)
        space = self._chart_of(id)._chartSpace
        clear_chart(space, len(shown.series), len(shown.categories))

    def draw(
        self, placed: PlacedObject, part: DrawnPart, look: PartLook, drawer: PartDrawer
    ) -> None:
        """Put a part that the browser laid out in the place of the slide's object."""
        slide = slide_at(self.prs, self.number)
        first = max(int(properties(shape).get("id") or 0) for shape in shapes(slide)) + 1
        tree: Any = slide.shapes._spTree
        before = set(slide.part.rels)
        elements = drawer.shapes(part, slide, look.palette, first)
        for id, link in slide.part.rels.items():
            chart: Any = link.target_part if link.reltype.endswith("/chart") else None
            if chart is not None and id not in before:
                recolor(chart._element, look.colors)
        tree.extend(elements)
        for element in reversed(elements):
            self._stand_for(element, placed)
        self.take_out(placed)

    def take_out(self, placed: PlacedObject) -> None:
        """Remove the example's object."""
        if placed.slot is not None:
            delete_shape(self.prs, self.number, placed.slot.id)

    def _stand_for(self, fresh: Any, placed: PlacedObject) -> None:
        """Put a new shape right above the one that it replaces in the order of drawing."""
        if placed.slot is None:
            return
        top = find_shape(self.prs, self.number, placed.slot.id)
        while top.getparent().tag == qn("p:grpSp"):
            top = top.getparent()
        top.addnext(fresh)

    def _take_place(self, fresh: Any, placed: PlacedObject) -> None:
        """Put a new shape where the one that it replaces was in the order of drawing."""
        self._stand_for(fresh, placed)
        self.take_out(placed)

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
