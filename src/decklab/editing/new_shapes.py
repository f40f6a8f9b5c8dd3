"""Text boxes, shapes and pictures added to slides.

A ``box`` is left, top, width and height in pixels of the 960x540 frame. Each function gives the id
of the new shape, by which the others find it.
"""

from copy import deepcopy
from io import BytesIO
from typing import Any, Literal

from PIL import Image, UnidentifiedImageError
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.presentation import Presentation

from decklab.editing.finding import SHAPES, EditError, find_shape, properties, shapes, slide_at
from decklab.editing.formatting import TextFormat, style_paragraph
from decklab.editing.paragraphs import set_body_text
from decklab.editing.phrasing import new_phrase, phrase
from decklab.editing.placing import (
    PxBox,
    emu_frame,
    emu_lengths,
    fill_shape,
    frame_of,
    outline_shape,
    put_frame,
    px_sizes,
)
from decklab.ooxml.xml import NAMESPACES, qn

_OTHER_NAMES = {"circle": "OVAL", "ellipse": "OVAL", "triangle": "ISOSCELES_TRIANGLE",
                "arrow": "RIGHT_ARROW", "star": "STAR_5_POINT", "rounded": "ROUNDED_RECTANGLE",
                "speech bubble": "ROUNDED_RECTANGULAR_CALLOUT"}  # fmt: skip
_KINDS = MSO_SHAPE.__members__
Fit = Literal["inside", "fill", "stretch"]
"""How a picture takes its box: whole and centred, cropped so that it covers it, or distorted."""


@phrase("add text box [saying] {text:quoted} {on} [{box}] {on}",
        "add text box saying {text:words} {on} [{box}]",
        "add text box {on} [{box}] saying {text:words}",
        "(add|write) (text|words) {text:quoted} {on} [{box}] {on}",
        example="add a text box 'Source: annual report' to slide 2 at 60, 480, 400 by 40",
        changes="added")  # fmt: skip
def add_text_box(
    prs: Presentation,
    slide: int,
    box: PxBox,
    text: str,
    *,
    size: float | None = None,
    color: str | None = None,
    bold: bool | None = None,
    align: str | None = None,
) -> int:
    """Add a text, one paragraph a line, which wraps in its box; return its id.

    Its font is the theme's; ``size`` is in points, 18 where nothing is said. The rest is as in
    ``format_text``.

    Example: add_text_box(prs, 2, (60, 420, 400, 60), "Source: annual report", size=14)
    """
    look = TextFormat(size=size, color=color, bold=bold, align=align)
    look.check()
    sides = emu_lengths(prs, box)
    native: Any = slide_at(prs, slide).shapes.add_textbox(*sides)
    frame = native.text_frame
    frame.word_wrap, frame.auto_size = True, MSO_AUTO_SIZE.NONE
    set_body_text(frame._txBody, text)
    for paragraph in frame.paragraphs:
        style_paragraph(paragraph._p, look)
    return int(native.shape_id)


@phrase("add [{fill:color}] {kind:new shape} {on} [{box}] {on}",
        "add [{fill:color}] {kind:new shape} saying {text:words} {on} [{box}] {on}",
        "add [{fill:color}] {kind:new shape} {on} [{box}] saying {text:words}",
        example="add a rectangle with the text 'Plan' to slide 1 at 60, 400, 240 by 80",
        changes="added")  # fmt: skip
def add_shape(
    prs: Presentation,
    slide: int,
    box: PxBox,
    kind: str = "rectangle",
    *,
    text: str = "",
    fill: str | None = "accent1",
    line: str | None = None,
) -> int:
    """Add a drawn shape with its text in the middle; return its id.

    ``kind`` is "rectangle", "rounded rectangle", "oval", "triangle", "diamond", "hexagon",
    "chevron", "pentagon", "right arrow", "down arrow", "star", "speech bubble" or another name of
    ``MSO_SHAPE`` in words. ``fill`` and ``line`` are colours as in ``format_text``, None for none.

    Example: add_shape(prs, 2, (60, 120, 240, 80), "rounded rectangle", text="Plan", fill="accent2")
    """
    form = _form(kind)
    for color in (fill, line):
        TextFormat(color=color).check()
    sides = emu_lengths(prs, box)
    native = slide_at(prs, slide).shapes.add_shape(form, *sides)
    fill_shape(prs, slide, native.shape_id, fill)
    outline_shape(prs, slide, native.shape_id, line)
    if text:
        set_body_text(native.text_frame._txBody, text)
    return int(native.shape_id)


def change_shape(prs: Presentation, slide: int, shape: str | int, kind: str) -> None:
    """Give a drawn shape another form, a ``kind`` as in ``add_shape``; text, place and looks stay.

    Example: change_shape(prs, 2, "Plan box", "rectangle")
    """
    element, form = find_shape(prs, slide, shape), _form(kind)
    if (drawn := element.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")) is None:
        raise EditError(f"{shape!r} on slide {slide} has no form of its own to change")
    for adjusted in drawn.findall(qn("a:avLst")):
        drawn.remove(adjusted)
    drawn.set("prst", form.xml_value)
    drawn.append(drawn.makeelement(qn("a:avLst")))


def _form(kind: str) -> Any:
    """The form of a shape by its name in words; raises EditError."""
    if (name := _OTHER_NAMES.get(kind.casefold(), "_".join(kind.upper().split()))) not in _KINDS:
        known = ", ".join(known.lower().replace("_", " ") for known in _KINDS)
        raise EditError(f"{kind!r} is no kind of shape; there are {known}")
    return _KINDS[name]


@phrase(
    "duplicate {shape:drawn}",
    example="duplicate the picture on slide 4", changes="added", follows="detail other media",
)  # fmt: skip
def duplicate_shape(prs: Presentation, slide: int, shape: str | int) -> int:
    """Add a copy of a shape to its slide, a little to the right and below; return its id.

    Raises EditError for a chart or diagram, whose parts no two shapes can share, and for a member
    of a group.

    Example: duplicate_shape(prs, 2, "Rectangle 3")
    """
    element = find_shape(prs, slide, shape)
    held = slide_at(prs, slide)
    if element.getparent() is not held._element.cSld.spTree:
        raise EditError(f"{shape!r} on slide {slide} is part of a group or a choice")
    if any(item.tag in (qn("c:chart"), qn("dgm:relIds")) for item in element.iter()):
        raise EditError(f"{shape!r} on slide {slide} has parts of its own; duplicate the slide")
    fresh = deepcopy(element)
    for placeholder in fresh.findall(f"./*/{qn('p:nvPr')}/{qn('p:ph')}"):
        placeholder.getparent().remove(placeholder)
    ids = [int(properties(item).get("id") or 0) for item in shapes(held)]
    for offset, item in enumerate((fresh, *fresh.iterdescendants(*SHAPES)), start=1):
        properties(item).set("id", str(max(ids) + offset))
        for extension in properties(item).findall(qn("a:extLst")):
            properties(item).remove(extension)
    frame = frame_of(prs, slide, shape)
    element.addnext(fresh)
    across, down = px_sizes(prs)
    id = int(properties(fresh).get("id"))
    corner = frame[0] + round(_STEP * across), frame[1] + round(_STEP * down)
    put_frame(prs, slide, id, (*corner, *frame[2:]))
    return id


_STEP = 16
"""Pixels of the frame that a copy stands away from its model. Ours."""


@new_phrase(
    "add picture {picture:file} {on} [{box}] {on} [with (alt|alternative) text {alt:quoted}]",
    example="insert the picture 'logo.png' on slide 1 at 800, 20, 120 by 60",
    follows="media detail")  # fmt: skip
def add_picture(
    prs: Presentation,
    slide: int,
    box: PxBox,
    picture: bytes | str,
    *,
    fit: Fit = "inside",
    alt: str = "",
) -> int:
    """Add a picture; return its id.

    ``picture`` is the name of a picture that the deck has already, or the bytes of a PNG, JPEG,
    GIF, BMP or TIFF file. ``fit`` is "inside" (whole and centred in its box), "fill" (cropped so
    that it covers the box) or "stretch".

    Example: add_picture(prs, 2, (500, 120, 400, 300), "Picture 3", alt="The new plant")
    """
    if fit not in ("inside", "fill", "stretch"):
        raise EditError(f"fit={fit!r} is none of 'inside', 'fill', 'stretch'")
    data = picture if isinstance(picture, bytes) else _picture_named(prs, picture)
    frame, share = emu_frame(prs, box), _share(prs, box, data)
    sides = emu_lengths(prs, box)
    native: Any = slide_at(prs, slide).shapes.add_picture(BytesIO(data), *sides)
    if fit == "inside":
        native.width = round(frame[2] * min(1, share))
        native.height = round(frame[3] * min(1, 1 / share))
        native.left = frame[0] + (frame[2] - native.width) // 2
        native.top = frame[1] + (frame[3] - native.height) // 2
    elif fit == "fill":
        native.crop_left = native.crop_right = max(0, (1 - 1 / share) / 2)
        native.crop_top = native.crop_bottom = max(0, (1 - share) / 2)
    properties(native._element).set("descr", alt)
    return int(native.shape_id)


@phrase("(replace|exchange|swap) {shape:picture} (with|for) [picture] {picture:file}",
        "change {shape:picture} to [picture] {picture:file}",
        example="replace the picture on slide 4 with 'new.png'", changes="picture",
        follows="picture media detail style geometry")  # fmt: skip
def replace_picture(
    prs: Presentation, slide: int, shape: str | int, picture: bytes | str, *, fit: str = "fill"
) -> None:
    """Show another picture in the frame of one; its place, name, links and effects stay.

    ``picture`` is as in ``add_picture``. With ``fit`` "fill" it is cropped so that it covers the
    frame, "stretch" distorts it. The alternative text stays: it may need another.

    Example: replace_picture(prs, 4, "Picture 3", "Picture 5")
    """
    if fit not in ("fill", "stretch"):
        raise EditError(f"fit={fit!r} is none of 'fill', 'stretch'")
    if (element := find_shape(prs, slide, shape)).tag != qn("p:pic"):
        raise EditError(f"{shape!r} on slide {slide} is no picture")
    data = picture if isinstance(picture, bytes) else _picture_named(prs, picture)
    across, down = px_sizes(prs)
    left, top, width, height = frame_of(prs, slide, shape)
    box = (left / across, top / down, width / across, height / down)
    share = _share(prs, box, data)
    part: Any = slide_at(prs, slide).part
    blip = element.find(f"{qn('p:blipFill')}/{qn('a:blip')}")
    old = blip.get(qn("r:embed"))
    _image, id = part.get_or_add_image_part(BytesIO(data))
    blip.set(qn("r:embed"), id)
    for extension in blip.findall(qn("a:extLst")):  # such as the drawing that it was made from
        blip.remove(extension)
    if (crop := element.find(qn("p:blipFill")).find(qn("a:srcRect"))) is not None:
        crop.attrib.clear()
    if fit == "fill":
        native: Any = next(item for item in slide_at(prs, slide).shapes if item._element is element)
        native.crop_left = native.crop_right = max(0, (1 - 1 / share) / 2)
        native.crop_top = native.crop_bottom = max(0, (1 - share) / 2)
    if old and old != id and not element.getroottree().xpath(f"//@r:embed[. = '{old}']",
                                                             namespaces=NAMESPACES):  # fmt: skip
        part.rels.pop(old)


def _share(prs: Presentation, box: PxBox, data: bytes) -> float:
    """How wide a picture is for its height, in terms of its box; raises EditError."""
    try:
        with Image.open(BytesIO(data)) as opened:
            width, height = opened.size
            known = opened.format in ("PNG", "JPEG", "GIF", "BMP", "TIFF")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        known = False
    if not known:
        raise EditError("the picture is none of PNG, JPEG, GIF, BMP, TIFF")
    across, down = px_sizes(prs)
    return (width / height) / (box[2] * across / (box[3] * down))


def _picture_named(prs: Presentation, name: str) -> bytes:
    names = []
    for slide in prs.slides:
        for shape in shapes(slide):
            blip = shape.find(f"{qn('p:blipFill')}/{qn('a:blip')}")
            if shape.tag != qn("p:pic") or blip is None:
                continue
            link = slide.part.rels.get(blip.get(qn("r:embed")))
            if link is not None and not link.is_external:
                names.append(str(properties(shape).get("name")))
                if names[-1].casefold() == name.casefold():
                    return bytes(link.target_part.blob)
    there = ", ".join(map(repr, dict.fromkeys(names))) or "none"
    raise EditError(f"the deck has no picture {name!r}; it has {there}")
