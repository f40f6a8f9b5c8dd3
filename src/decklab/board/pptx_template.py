"""The template of a composed deck: its own theme, one master, and a layout for each of ours."""

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck
from pptx.slide import SlideLayout
from pptx.util import Emu

from decklab.board.boxes import ComposedSlide, PictureBox, Shape, Slot, TextBox, TextStyle
from decklab.board.library import LayoutName, Role
from decklab.board.native.theme_part import TREE, add_layout, map_colors, scheme_xml
from decklab.board.page import CONTENT, FOOTER_BOX, NUMBER_BOX, TITLE_BOX
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
from decklab.board.themes import DesignTheme
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.ooxml.xml import qn

LayoutKey = tuple[LayoutName, Role]
LAYOUT_TITLES: dict[LayoutName, str] = {
    "title": "Title", "contents": "Contents", "section": "Section", "body": "Title and Text",
    "two_columns": "Two Columns", "three_columns": "Three Columns",
    "picture_left": "Picture Left", "picture_right": "Picture Right",
    "picture_full": "Picture", "chart": "Chart", "chart_takeaways": "Chart and Takeaways",
    "table": "Table", "big_numbers": "Big Numbers", "quote": "Quote", "timeline": "Timeline",
    "process": "Process", "comparison": "Comparison", "cards": "Cards", "code": "Code",
    "closing": "Closing",
}  # fmt: skip
_TYPES: dict[LayoutName, str] = {
    "title": "title", "section": "secHead", "body": "obj", "chart": "chart", "table": "tbl",
}  # fmt: skip
"""The kind of a layout in ST_SlideLayoutType, where it has one that fits."""


class PptxTemplate:
    """A presentation without slides, with the layouts of a theme by name and role."""

    def __init__(
        self,
        theme: DesignTheme,
        samples: Iterable[ComposedSlide],
        writer: TextWriter,
        title_size: float,
    ) -> None:
        self.deck: Deck = Presentation()
        self.deck.slide_width, self.deck.slide_height = emu_size()
        self.boxes: dict[LayoutKey, dict[int, TextBox | Box]] = {}
        self.layouts: dict[LayoutKey, SlideLayout] = {}
        self._theme, self._writer = theme, writer
        for layout in list(self.deck.slide_layouts):
            self.deck.slide_layouts.remove(layout)
        master = self.deck.slide_masters[0].part
        master.part_related_by(RELATIONSHIP_TYPE.THEME)._blob = theme_xml(theme).encode()
        _fill_master(master._element, theme, writer, title_size)
        for number, sample in enumerate(samples):
            self._add(master, sample, number)

    def _add(self, master: Any, sample: ComposedSlide, number: int) -> None:
        key = (sample.layout, sample.role)
        self.layouts[key] = add_layout(master, _layout_xml(sample, self._writer), number)
        self.boxes[key] = {}
        for item in sample.items:
            slot = getattr(item, "slot", None)
            if slot is None:
                continue
            self.boxes[key][slot.idx] = item if isinstance(item, TextBox) else _room(item)


def emu_size() -> tuple[Emu, Emu]:
    """The size of the slides: one point for each pixel of the frame."""
    return Emu(emu(FRAME_WIDTH)), Emu(emu(FRAME_HEIGHT))


def _room(item: Any) -> Box:
    """The place that a layout keeps for a picture, chart or table."""
    if isinstance(item, PictureBox) and item.room is not None:
        return item.room
    box: Box = item.box
    return (
        box
        if box.height > CONTENT.height / 2
        else Box(box.left, box.top, box.right, CONTENT.bottom)
    )


def theme_xml(theme: DesignTheme) -> str:
    """The theme part: the tokens as colour scheme, the families as font scheme."""
    colors = theme.colors
    slots = {
        "dk1": colors.text,
        "lt1": colors.background,
        "dk2": colors.muted,
        "lt2": colors.surface,
    }
    if theme.dark:
        slots = {
            "dk1": colors.background,
            "lt1": colors.text,
            "dk2": colors.surface,
            "lt2": colors.muted,
        }
    accents = (colors.accent, colors.grey1, colors.grey2, colors.grey3, colors.line, colors.tint)
    slots |= {f"accent{number}": color for number, color in enumerate(accents, start=1)}
    slots |= {"hlink": colors.accent, "folHlink": colors.muted}
    return scheme_xml(f"decklab {theme.name}", slots, theme.fonts.heading, theme.fonts.body)


def _fill_master(root: Any, theme: DesignTheme, writer: TextWriter, title_size: float) -> None:
    """Give the master its ground, placeholders and text styles, in place."""
    style = theme.role("body")
    bold = theme.fonts.heading_bold
    title = TextStyle(title_size, style.title, heading=True, bold=bold, anchor="bottom")
    body = TextStyle(theme.scale.body, style.text, marks="bullet", spacing=10.0)
    small = TextStyle(theme.scale.caption, style.muted, anchor="middle")
    boxes = [
        TextBox("Title", TITLE_BOX, (), title, Slot("title", 0), prompt="Title"),
        TextBox("Text", CONTENT, (), body, Slot("body", 1), prompt="Text"),
        TextBox("Footer", FOOTER_BOX, (), small, Slot("footer", 3), prompt="Footer"),
        TextBox(
            "Slide number",
            NUMBER_BOX,
            (),
            TextStyle(small.size, small.color, align="end", anchor="middle"),
            Slot("number", 4),
            prompt="‹#›",
        ),
    ]
    shapes = "".join(
        placeholder_xml(box, number, writer, full=True) for number, box in enumerate(boxes, 2)
    )
    slide = (
        f'<p:cSld {DECLARED}><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
        f"<p:spTree>{TREE}{shapes}</p:spTree></p:cSld>"
    )
    root.replace(root.cSld, parse_xml(slide))
    map_colors(root, dark=theme.dark)
    styles = root.find(qn("p:txStyles"))
    other = "".join(
        f'<a:lvl{level}pPr algn="l" rtl="0"><a:defRPr sz="1600"><a:solidFill><a:schemeClr '
        'val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/>'
        f'<a:cs typeface="+mn-cs"/></a:defRPr></a:lvl{level}pPr>'
        for level in range(1, 6)
    )
    new = parse_xml(
        f"<p:txStyles {DECLARED}><p:titleStyle>{_inner(writer.levels(boxes[0], 1))}</p:titleStyle>"
        f"<p:bodyStyle>{_inner(writer.levels(boxes[1], 5))}</p:bodyStyle>"
        f"<p:otherStyle>{other}</p:otherStyle></p:txStyles>"
    )
    root.replace(styles, new)


def _inner(levels: str) -> str:
    return levels.removeprefix("<a:lstStyle>").removesuffix("</a:lstStyle>")


def _layout_xml(sample: ComposedSlide, writer: TextWriter) -> str:
    """A layout: its ground, what it draws, and a placeholder for each slot of the sample."""
    shapes = [
        shape_xml(item, number, own=False) for number, item in enumerate(sample.decor, start=2)
    ]
    id = len(shapes) + 2
    for item in sample.items:
        if getattr(item, "slot", None) is None:
            continue
        if isinstance(item, TextBox):
            shapes.append(placeholder_xml(item, id, writer, full=True, layout=sample.layout))
        else:
            shapes.append(_object_placeholder(item, id))
        id += 1
    ground = ""
    if sample.ground != "background":
        ground = f"<p:bg><p:bgPr>{fill_xml(sample.ground)}<a:effectLst/></p:bgPr></p:bg>"
    name = LAYOUT_TITLES[sample.layout]
    name = name if sample.role in ("body", _own_role(sample)) else f"{name} ({sample.role})"
    kind = _TYPES.get(sample.layout)
    stated = f' type="{kind}"' if kind else ' userDrawn="1"'
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<p:sldLayout {DECLARED} preserve="1"{stated}><p:cSld name={quoteattr(name)}>{ground}'
        f"<p:spTree>{TREE}{''.join(shapes)}</p:spTree></p:cSld>"
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _own_role(sample: ComposedSlide) -> Role:
    from_layout = sample.plan.model_copy(update={"role": None})
    return from_layout.shown_role


def shape_xml(item: Shape, id: int, *, own: bool = True) -> str:
    """A drawn area without text; ``own`` for one on a slide, else it belongs to the layout."""
    drawn = "" if own else ' userDrawn="1"'
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, item.name, decorative=True)}<p:cNvSpPr/>"
        f"<p:nvPr{drawn}/></p:nvSpPr><p:spPr>{place_xml(item.box)}{geometry_xml(item)}"
        f"{fill_xml(item.fill)}{stroke_xml(item.line, item.stroke)}</p:spPr></p:sp>"
    )


def mark_xml(slot: Slot, layout: LayoutName | None = None) -> str:
    """The placeholder mark of a slot."""
    opening = layout in ("title", "closing", "section")
    kinds = {
        "title": "ctrTitle" if layout in ("title", "closing") else "title",
        "subtitle": "subTitle" if opening else "body",
        "body": "body",
        "picture": "pic",
        "chart": "chart",
        "table": "tbl",
        "footer": "ftr",
        "number": "sldNum",
    }
    size = ' sz="quarter"' if slot.kind in ("footer", "number") else ""
    idx = "" if slot.kind == "title" else f' idx="{slot.idx}"'
    return f'<p:ph type="{kinds[slot.kind]}"{size}{idx}/>'


def placeholder_xml(
    box: TextBox, id: int, writer: TextWriter, *, full: bool, layout: LayoutName | None = None
) -> str:
    """A text placeholder of a master or layout, with its own list style."""
    assert box.slot is not None, "only boxes with a slot are placeholders"
    if box.slot.kind == "number":
        text = (
            '<a:p><a:fld id="{6F1C2B0A-5E34-4D8E-9F0B-3C7A9D2E1B55}" type="slidenum"><a:rPr '
            f"lang={quoteattr(writer.language)}/><a:t>‹#›</a:t></a:fld></a:p>"
        )
    else:
        text = (
            f"<a:p><a:r><a:rPr lang={quoteattr(writer.language)}/>"
            f"<a:t>{escape(box.prompt)}</a:t></a:r></a:p>"
        )
    prompt = ' hasCustomPrompt="1"' if layout and box.slot.kind in ("subtitle", "body") else ""
    mark = mark_xml(box.slot, layout).replace("<p:ph", f"<p:ph{prompt}", 1)
    look = fill_xml(box.fill) + stroke_xml(box.line) if box.fill or box.line else ""
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, box.name)}"
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>{mark}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place_xml(box.box)}{geometry_xml(box)}{look}</p:spPr>"
        f"<p:txBody>{writer.settings(box)}{writer.levels(box)}{text}</p:txBody></p:sp>"
    )


def _object_placeholder(item: Any, id: int) -> str:
    """A placeholder for a picture, chart or table."""
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, item.name)}"
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>{mark_xml(item.slot)}</p:nvPr>'
        f"</p:nvSpPr><p:spPr>{place_xml(_room(item))}</p:spPr>"
        "<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )
