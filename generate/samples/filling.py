"""Putting words into slides: placeholders, text boxes, notes, links, footers."""

from collections.abc import Sequence

from pptx.dml.color import RGBColor
from pptx.dml.fill import FillFormat
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.shapetree import GroupShapes, SlideShapes
from pptx.slide import Slide
from pptx.text.text import Font, TextFrame, _Paragraph
from pptx.util import Pt

from generate.samples.markup import NAMESPACES, Frame, placeholder

_ALIGN = {"left": PP_ALIGN.LEFT, "center": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}
_ANCHOR = {"top": MSO_ANCHOR.TOP, "middle": MSO_ANCHOR.MIDDLE, "bottom": MSO_ANCHOR.BOTTOM}
_THEME = {
    "bg1": MSO_THEME_COLOR.BACKGROUND_1,
    "bg2": MSO_THEME_COLOR.BACKGROUND_2,
    "tx1": MSO_THEME_COLOR.TEXT_1,
    "tx2": MSO_THEME_COLOR.TEXT_2,
    **{f"accent{n}": MSO_THEME_COLOR.from_xml(f"accent{n}") for n in range(1, 7)},
}


def add_slide(deck: Deck, layout: str, title: str | None = None) -> Slide:
    """A new last slide on the layout of that name, its title filled in."""
    slide: Slide = deck.slides.add_slide(deck.slide_layouts.get_by_name(layout))
    if title is not None and slide.shapes.title is not None:
        slide.shapes.title.text_frame.text = title
    return slide


def fill_placeholder(slide: Slide, idx: int, lines: Sequence[str]) -> Shape:
    """Write paragraphs into a placeholder; each leading tab is one outline level down."""
    shape: Shape = next(item for item in slide.placeholders if item.placeholder_format.idx == idx)
    _write(shape.text_frame, lines)
    return shape


def _write(frame: TextFrame, lines: Sequence[str]) -> None:
    for number, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if number == 0 else _next_paragraph(frame)
        text = line.lstrip("\t")
        paragraph.level = len(line) - len(text)
        paragraph.text = text


def _next_paragraph(frame: TextFrame) -> _Paragraph:
    paragraph: _Paragraph = frame.add_paragraph()  # type: ignore[no-untyped-call]
    return paragraph


def paint(target: FillFormat | Font, color: str) -> None:
    """Colour a fill or a font with a theme colour name or ``#RRGGBB``."""
    fill = target.fill if isinstance(target, Font) else target
    fill.solid()  # type: ignore[no-untyped-call]
    if color.startswith("#"):
        fill.fore_color.rgb = RGBColor.from_string(color[1:])  # type: ignore[no-untyped-call]
    else:
        fill.fore_color.theme_color = _THEME[color]


def place(frame: Frame) -> tuple[Pt, Pt, Pt, Pt]:
    """A frame in points as the lengths that python-pptx takes."""
    left, top, width, height = frame
    return Pt(left), Pt(top), Pt(width), Pt(height)


def add_text(
    shapes: SlideShapes | GroupShapes,
    name: str,
    frame: Frame,
    lines: Sequence[str],
    *,
    size: float,
    color: str = "tx1",
    bold: bool = False,
    align: str = "left",
    anchor: str = "top",
    fits: bool = True,
) -> Shape:
    """A text box that wraps; with ``fits`` its text shrinks rather than leave it."""
    box = shapes.add_textbox(*place(frame))
    box.name = name
    _set_text(
        box.text_frame, lines, size=size, color=color, bold=bold, align=align, anchor=anchor,
        fits=fits,
    )  # fmt: skip
    return box


def add_shape(
    shapes: SlideShapes | GroupShapes,
    name: str,
    kind: MSO_SHAPE,
    frame: Frame,
    color: str | None,
    *,
    lines: Sequence[str] = (),
    outline: str | None = None,
    size: float = 14,
    text_color: str = "bg1",
    bold: bool = False,
    align: str = "center",
    anchor: str = "middle",
    corner: float | None = None,
) -> Shape:
    """An autoshape, filled unless ``color`` is None, with text that shrinks to stay inside.

    ``corner`` is the radius of a rounded rectangle as a share of its shorter side.
    """
    shape = shapes.add_shape(kind, *place(frame))
    shape.name = name
    shape.shadow.inherit = False
    if color is None:
        shape.fill.background()
    else:
        paint(shape.fill, color)
    if outline is None:
        shape.line.fill.background()
    else:
        paint(shape.line.fill, outline)
        shape.line.width = Pt(1.5)
    if corner is not None:
        shape.adjustments[0] = corner
    if lines:
        _set_text(
            shape.text_frame, lines, size=size, color=text_color, bold=bold, align=align,
            anchor=anchor, fits=True,
        )  # fmt: skip
    return shape


def _set_text(
    frame: TextFrame,
    lines: Sequence[str],
    *,
    size: float,
    color: str,
    bold: bool,
    align: str,
    anchor: str,
    fits: bool,
) -> None:
    frame.word_wrap = True
    frame.auto_size = MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE if fits else MSO_AUTO_SIZE.NONE
    frame.vertical_anchor = _ANCHOR[anchor]
    _write(frame, lines)
    for paragraph in frame.paragraphs:
        paragraph.alignment = _ALIGN[align]
        for run in paragraph.runs:
            run.font.size, run.font.bold = Pt(size), bold
            paint(run.font, color)


def describe(shape: BaseShape, text: str) -> None:
    """Set a shape's alt text."""
    shape.element.xpath(".//p:cNvPr")[0].set("descr", text)


def link_text(shape: Shape, paragraph: int, address: str) -> None:
    """Make the last run of a paragraph a hyperlink."""
    shape.text_frame.paragraphs[paragraph].runs[-1].hyperlink.address = address


def set_notes(slide: Slide, text: str) -> None:
    """Write the speaker notes."""
    frame = slide.notes_slide.notes_text_frame
    assert frame is not None  # the notes master that python-pptx adds has a text placeholder
    frame.text = text


def next_id(slide: Slide) -> int:
    """A shape id that the slide does not use yet."""
    return max(int(id) for id in slide.element.xpath("//p:cNvPr/@id")) + 1


def append_shape(slide: Slide, xml: str) -> None:
    """Put a shape given as ``markup`` text on top of the slide."""
    (shape,) = parse_xml(f"<p:spTree {NAMESPACES}>{xml}</p:spTree>")
    slide.shapes._spTree.append(shape)


def set_footer(slide: Slide, number: int, text: str | None = None) -> None:
    """Show the layout's footer and slide number placeholders on the slide."""
    kinds = {
        item.placeholder_format.type.xml_value: item.placeholder_format.idx
        for item in list(slide.slide_layout.placeholders)
    }
    for kind, name, content in (
        ("ftr", "Footer Placeholder", text),
        ("sldNum", "Slide Number Placeholder", str(number)),
    ):
        if kind not in kinds or content is None:
            continue
        id = next_id(slide)
        xml = placeholder(
            id, f"{name} {id - 1}", kind, kinds[kind], prompt=content, field=kind == "sldNum"
        )
        append_shape(slide, xml)
