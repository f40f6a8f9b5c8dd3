"""A composed deck as a native .pptx: placeholders, charts with workbooks, tables, notes, sections.

What a layout of the deck states is left to it: a slide states only what differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.boxes import (
    BoxParagraph,
    ChartBox,
    ComposedSlide,
    Connector,
    GroupBox,
    Item,
    PictureBox,
    Shape,
    Slot,
    TableBox,
    TextBox,
    TextStyle,
    row_fill,
)
from decklab.board.chart_looks import chart_words
from decklab.board.compose import Composed, compose
from decklab.board.fitting import CELL_PADDING, Fitter
from decklab.board.layout_samples import layout_samples
from decklab.board.library import Role
from decklab.board.native.lists import list_notes_master as list_notes_master  # noqa: PLC0414 - read from here elsewhere
from decklab.board.native.lists import list_sections as list_sections  # noqa: PLC0414 - read from here elsewhere
from decklab.board.native.markup import NO_STYLE as NO_STYLE  # noqa: PLC0414 - read from here elsewhere
from decklab.board.pptx_charts import add_native_chart
from decklab.board.pptx_template import LayoutKey, PptxTemplate, mark_xml, shape_xml
from decklab.board.pptx_text import (
    DECLARED,
    TextWriter,
    emu,
    fill_xml,
    geometry_xml,
    named_xml,
    place_xml,
    stroke_xml,
)
from decklab.board.typography import Face
from decklab.core.files import scratch_folder
from decklab.core.geometry import Box
from decklab.editing.motion import set_transition
from decklab.editing.opening import FIXED_DATE, save_undated, undated_workbook
from decklab.ooxml.xml import NAMESPACES

_PARTS_OF_SITES = {"rect": 4, "roundRect": 4, "ellipse": 8}


def write_pptx(composed: Composed, out: str | Path) -> Path:
    """Write a composed deck as .pptx, whole or not at all; equal input gives equal bytes.

    Raises OSError where the file cannot be written.
    """
    plan, theme = composed.plan, composed.theme
    writer = TextWriter(theme, plan.language, right_to_left=plan.right_to_left)
    template = PptxTemplate(theme, _layouts(composed), writer, composed.title_size)
    deck = template.deck
    fitter = Fitter(theme, plan.language)
    for composed_slide in composed.slides:
        key = (composed_slide.layout, composed_slide.role)
        slide = deck.slides.add_slide(template.layouts[key])
        SlideWriter(slide, composed_slide, template.boxes[key], writer, fitter).write()
    set_transition(deck, "fade", seconds=0.5)
    list_notes_master(deck)
    write_sections(deck, plan, [slide.plan for slide in composed.slides])
    core = deck.core_properties
    core.title, core.language = plan.title, plan.language
    core.author, core.last_modified_by, core.revision = "", "", 1
    core.created = core.modified = FIXED_DATE
    return save_undated(deck, Path(out), undated_workbook)


def _layouts(composed: Composed) -> Iterator[ComposedSlide]:
    """A sample of each layout in its own role, and of those that the deck uses in another role."""
    with scratch_folder("compose") as folder:
        plans = layout_samples(folder)
        wanted: dict[LayoutKey, Role] = {
            (name, plan.shown_role): plan.shown_role for name, plan in plans.items()
        }
        wanted |= {(slide.layout, slide.role): slide.role for slide in composed.slides}
        samples = [
            plans[name].model_copy(update={"role": role}) for (name, _), role in wanted.items()
        ]
        plan = DeckPlan(
            title="Layouts", language=composed.plan.language, footer="Footer", slides=tuple(samples)
        )
        made = compose(plan, composed.theme)
    for slide in made.slides:
        items = tuple(
            replace(item, style=replace(item.style, size=composed.title_size))
            if isinstance(item, TextBox) and _is_body_title(item, slide)
            else item
            for item in slide.items
        )
        yield replace(slide, items=items)


def _is_body_title(item: TextBox, slide: ComposedSlide) -> bool:
    return (
        item.slot is not None
        and item.slot.kind == "title"
        and slide.layout not in ("title", "section", "closing")
    )


class SlideWriter:
    """Fills one slide; ids of its shapes are in drawing order from 2 on."""

    def __init__(
        self,
        slide: Slide,
        composed: ComposedSlide,
        known: Mapping[int, TextBox | Box],
        writer: TextWriter,
        fitter: Fitter,
    ) -> None:
        """``known`` are the boxes of the layout's placeholders by their numbers."""
        self.slide, self.composed, self.writer, self.fitter = slide, composed, writer, fitter
        self.known = known
        self.tree: Any = slide.shapes._spTree
        self.ids: dict[str, int] = {}
        self.geometries: dict[str, str] = {}
        for shape in list(slide.placeholders):
            shape._element.getparent().remove(shape._element)

    def write(self) -> None:
        """Put all items on the slide, and its sources in the notes."""
        for item in self.composed.items:
            for name in _names(item):
                self.ids[name] = len(self.ids) + 2
        for item in self.composed.items:
            self.tree.append(self._item(item))
        self._notes()

    def _item(self, item: Item) -> Any:
        if isinstance(item, ChartBox):
            return self._chart(item)
        if isinstance(item, GroupBox):
            return parse_xml(self._group(item))
        if isinstance(item, Shape):
            self.geometries[item.name] = item.geometry
            return parse_xml(shape_xml(item, self.ids[item.name]))
        if isinstance(item, TextBox):
            self.geometries[item.name] = item.geometry
            return parse_xml(self._text(item))
        if isinstance(item, PictureBox):
            return parse_xml(self._picture(item))
        if isinstance(item, TableBox):
            return parse_xml(self._table(item))
        return parse_xml(self._connector(item))

    def _text(self, item: TextBox) -> str:
        base = self._base(item.slot)
        id, look, place, mark, kind = self.ids[item.name], "", "", "", ""
        if isinstance(base, TextBox) and item.slot is not None:
            mark = mark_xml(item.slot, self.composed.layout)
            kind = '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            if not _same(item.box, base.box):
                place = place_xml(item.box)
        else:
            base = None
            drawn = item.fill is not None or item.line is not None
            kind = "<p:cNvSpPr/>" if drawn else '<p:cNvSpPr txBox="1"/>'
            place = place_xml(item.box) + geometry_xml(item)
            look = fill_xml(item.fill) + stroke_xml(item.line)
        return (
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, item.name)}{kind}<p:nvPr>{mark}</p:nvPr>"
            f"</p:nvSpPr><p:spPr>{place}{look}</p:spPr>{self.writer.body(item, base)}</p:sp>"
        )

    def _base(self, slot: Slot | None) -> TextBox | Box | None:
        return None if slot is None else self.known.get(slot.idx)

    def _mark(self, slot: Slot | None) -> str:
        """The placeholder mark of an object, where the layout has a place for it."""
        return "" if slot is None or self._base(slot) is None else mark_xml(slot)

    def _picture(self, item: PictureBox) -> str:
        _part, link = self.slide.part.get_or_add_image_part(item.picture.path)
        crop = ""
        if any(item.crop):
            sides = zip("ltrb", item.crop, strict=True)
            crop = f"<a:srcRect {' '.join(f'{side}={quoteattr(str(round(share * 100_000)))}' for side, share in sides)}/>"  # noqa: E501
        name = named_xml(self.ids[item.name], item.name, item.picture.alt)
        return (
            f"<p:pic {DECLARED}><p:nvPicPr>{name}"
            '<p:cNvPicPr><a:picLocks noGrp="1" noChangeAspect="1"/></p:cNvPicPr>'
            f"<p:nvPr>{self._mark(item.slot)}</p:nvPr></p:nvPicPr>"
            f'<p:blipFill><a:blip r:embed="{link}"/>{crop}<a:stretch><a:fillRect/></a:stretch>'
            f"</p:blipFill><p:spPr>{place_xml(item.box)}"
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
        )

    def _chart(self, item: ChartBox) -> Any:
        theme = self.writer.theme
        face = Face(theme.fonts.body, language=self.writer.language)
        frame = add_native_chart(self.slide, item, face, theme.colors)
        name = named_xml(self.ids[item.name], item.name, chart_words(item.chart))
        head = (
            f"<p:nvGraphicFramePr {DECLARED}>{name}<p:cNvGraphicFramePr><a:graphicFrameLocks "
            f'noGrp="1"/></p:cNvGraphicFramePr><p:nvPr>{self._mark(item.slot)}</p:nvPr>'
            "</p:nvGraphicFramePr>"
        )
        frame.replace(frame[0], parse_xml(head))
        return frame

    def _table(self, item: TableBox) -> str:
        grid = "".join(f'<a:gridCol w="{emu(width)}"/>' for width in item.widths)
        rows = "".join(
            f'<a:tr h="{emu(height)}">{"".join(self._cells(item, number, row))}</a:tr>'
            for number, (row, height) in enumerate(
                zip((item.table.header, *item.table.rows), item.heights, strict=True)
            )
        )
        words = ", ".join(item.table.header)
        direction = ' rtl="1"' if self.writer.right_to_left else ""
        return (
            f"<p:graphicFrame {DECLARED}><p:nvGraphicFramePr>"
            f"{named_xml(self.ids[item.name], item.name, words)}<p:cNvGraphicFramePr>"
            '<a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>'
            f"<p:nvPr>{self._mark(item.slot)}</p:nvPr></p:nvGraphicFramePr>"
            f"{place_xml(item.box, 'p:xfrm')}"
            f'<a:graphic><a:graphicData uri="{NAMESPACES["table"]}"><a:tbl>'
            f'<a:tblPr firstRow="1"{direction}><a:tableStyleId>{NO_STYLE}</a:tableStyleId>'
            f"</a:tblPr><a:tblGrid>{grid}</a:tblGrid>{rows}</a:tbl>"
            "</a:graphicData></a:graphic></p:graphicFrame>"
        )

    def _cells(self, item: TableBox, number: int, row: tuple[str, ...]) -> Iterator[str]:
        across, down = (emu(side) for side in CELL_PADDING)
        for text, numeric in zip(row, item.numeric, strict=True):
            style = TextStyle(
                item.size,
                "background" if number == 0 else "text",
                bold=number == 0,
                align="end" if numeric else "start",
            )
            box = TextBox("", item.box, (BoxParagraph(text),), style)
            body = self.writer.body(box, tag="a:txBody")
            body = "<a:txBody><a:bodyPr/>" + body[body.index("<a:lstStyle/>") :]
            below = stroke_xml("line", 0.75).replace("a:ln", "a:lnB")
            yield (
                f'<a:tc>{body}<a:tcPr marL="{across}" marR="{across}" marT="{down}" '
                f'marB="{down}" anchor="ctr">{below}{fill_xml(row_fill(number))}</a:tcPr></a:tc>'
            )

    def _group(self, item: GroupBox) -> str:
        inner = "".join(
            shape_xml(member, self.ids[member.name])
            if isinstance(member, Shape)
            else self._text(member)
            for member in item.items
        )
        box = item.box
        child = (
            f'<a:chOff x="{emu(box.left)}" y="{emu(box.top)}"/>'
            f'<a:chExt cx="{emu(box.width)}" cy="{emu(box.height)}"/></a:xfrm>'
        )
        place = place_xml(box).replace("</a:xfrm>", child)
        return (
            f"<p:grpSp {DECLARED}><p:nvGrpSpPr>{named_xml(self.ids[item.name], item.name)}"
            f"<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>{place}</p:grpSpPr>{inner}</p:grpSp>"
        )

    def _connector(self, item: Connector) -> str:
        box = Box(
            min(item.x1, item.x2),
            min(item.y1, item.y2),
            max(item.x1, item.x2),
            max(item.y1, item.y2),
        )
        flips = ' flipH="1"' if item.x2 < item.x1 else ""
        flips += ' flipV="1"' if item.y2 < item.y1 else ""
        head = '<a:tailEnd type="triangle" w="med" len="med"/>' if item.arrow else ""
        back = item.x2 < item.x1
        start = _site(self.geometries[item.start], right=not back)
        end = _site(self.geometries[item.end], right=back)
        if item.upright:
            start, end = _PARTS_OF_SITES.get(self.geometries[item.start], 4) // 2, 0
        name = named_xml(self.ids[item.name], item.name, decorative=True)
        return (
            f"<p:cxnSp {DECLARED}><p:nvCxnSpPr>{name}<p:cNvCxnSpPr>"
            f'<a:stCxn id="{self.ids[item.start]}" idx="{start}"/>'
            f'<a:endCxn id="{self.ids[item.end]}" idx="{end}"/></p:cNvCxnSpPr><p:nvPr/>'
            f"</p:nvCxnSpPr><p:spPr>{place_xml(box, flips=flips)}"
            '<a:prstGeom prst="straightConnector1"><a:avLst/></a:prstGeom>'
            f"{stroke_xml('grey2', 2.0, head)}</p:spPr></p:cxnSp>"
        )

    def _notes(self) -> None:
        plan = self.composed.plan
        words = [plan.notes.strip()] if plan.notes.strip() else []
        words += [plan.shown_source] if plan.shown_source else []
        if not words:
            return
        frame: Any = self.slide.notes_slide.notes_text_frame
        frame.text = "\n".join(words)
        for run in frame._txBody.iter(f"{{{NAMESPACES['a']}}}r"):
            run.get_or_add_rPr().set("lang", self.writer.language)


def _names(item: Item) -> list[str]:
    members = [member.name for member in item.items] if isinstance(item, GroupBox) else []
    return [item.name, *members]


def _same(first: Box, second: Box) -> bool:
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) < 0.5


def _site(geometry: str, *, right: bool) -> int:
    """The connection site at the middle of a side: sites are counted from the top, to the left."""
    count = _PARTS_OF_SITES.get(geometry, 4)
    return count * 3 // 4 if right else count // 4


def write_sections(deck: Any, plan: DeckPlan, slides: Sequence[SlidePlan]) -> None:
    """The sections of the plan, by the slides that name them."""
    list_sections(deck, plan.sections, [slide.section for slide in slides])
