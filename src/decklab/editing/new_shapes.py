"""Text boxes, shapes, connectors and pictures added to slides.

A ``box`` is left, top, width and height in pixels of the 960x540 frame. Each function gives the id
of the new shape, by which the others find it.
"""

from io import BytesIO
from typing import Any, Literal

from PIL import Image, UnidentifiedImageError
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import EditError, find_shape, properties, shapes, slide_at
from decklab.editing.formatting import TextFormat, style_paragraph
from decklab.editing.frames import PxBox, emu_frame, emu_lengths, frame_of, px_sizes
from decklab.editing.placing import fill_shape, outline_shape
from decklab.editing.texts import set_body_text
from decklab.ooxml.xml import NAMESPACES, qn

_OTHER_NAMES = {"circle": "OVAL", "ellipse": "OVAL", "triangle": "ISOSCELES_TRIANGLE",
                "arrow": "RIGHT_ARROW", "star": "STAR_5_POINT", "rounded": "ROUNDED_RECTANGLE",
                "speech bubble": "ROUNDED_RECTANGULAR_CALLOUT"}  # fmt: skip
_KINDS = MSO_SHAPE.__members__
_CONNECTORS = {"straight": MSO_CONNECTOR.STRAIGHT, "elbow": MSO_CONNECTOR.ELBOW,
               "curved": MSO_CONNECTOR.CURVE}  # fmt: skip
_SITES = {"ellipse": (0, 2, 4, 6), "flowChartConnector": (0, 2, 4, 6), "triangle": (0, 1, 3, 5),
          "parallelogram": (1, 2, 4, 5), "trapezoid": (0, 1, 2, 3), "octagon": (7, 5, 3, 1),
          "hexagon": (5, 3, 2, 0)}  # fmt: skip
"""Numbers of the connection sites at top, left, bottom and right, where these are not 0 to 3
(ECMA-376 Part 1, presetShapeDefinitions.xml)."""

Fit = Literal["inside", "fill", "stretch"]
"""How a picture takes its box: whole and centred, cropped so that it covers it, or distorted."""


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
    name = _OTHER_NAMES.get(kind.casefold(), "_".join(kind.upper().split()))
    if name not in _KINDS:
        raise EditError(f"{kind!r} is no kind of shape; there are {', '.join(_words(_KINDS))}")
    for color in (fill, line):
        TextFormat(color=color).check()
    sides = emu_lengths(prs, box)
    native = slide_at(prs, slide).shapes.add_shape(_KINDS[name], *sides)
    fill_shape(prs, slide, native.shape_id, fill)
    outline_shape(prs, slide, native.shape_id, line)
    if text:
        set_body_text(native.text_frame._txBody, text)
    return int(native.shape_id)


def _words(names: Any) -> list[str]:
    return [name.lower().replace("_", " ") for name in names]


def add_connector(
    prs: Presentation,
    slide: int,
    start: str | int | tuple[float, float],
    end: str | int | tuple[float, float],
    *,
    kind: str = "straight",
    arrow: bool = True,
    color: str | None = None,
) -> int:
    """Connect two shapes by a line that moves with them; return its id.

    ``start`` and ``end`` are shapes by name or id, or points (x, y) in pixels. ``kind`` is
    "straight", "elbow" or "curved"; ``arrow`` puts a head at the end.

    Example: add_connector(prs, 2, "Rectangle 3", "Oval 4", kind="elbow")
    """
    if kind not in _CONNECTORS:
        raise EditError(f"{kind!r} is no kind of connector; there are {', '.join(_CONNECTORS)}")
    TextFormat(color=color).check()
    boxes = [_end_box(prs, slide, one) for one in (start, end)]
    sides = _facing(*boxes)
    (x1, y1), (x2, y2) = (_side(box, side) for box, side in zip(boxes, sides, strict=True))
    native: Any = slide_at(prs, slide).shapes.add_connector(_CONNECTORS[kind], x1, y1, x2, y2)
    held = native._element.find(f"{qn('p:nvCxnSpPr')}/{qn('p:cNvCxnSpPr')}")
    for tag, one, side in (("a:stCxn", start, sides[0]), ("a:endCxn", end, sides[1])):
        if not isinstance(one, tuple):
            glued = find_shape(prs, slide, one)
            glue = parse_xml(f'<{tag} xmlns:a="{NAMESPACES["a"]}" id="" idx=""/>')
            glue.set("id", str(properties(glued).get("id")))
            glue.set("idx", str(_site(glued, side)))
            held.append(glue)
    outline_shape(prs, slide, native.shape_id, color or "text1")
    if arrow:
        native._element.find(f"{qn('p:spPr')}/{qn('a:ln')}").append(
            parse_xml(f'<a:tailEnd xmlns:a="{NAMESPACES["a"]}" type="triangle"/>')
        )
    return int(native.shape_id)


def _end_box(
    prs: Presentation, slide: int, one: str | int | tuple[float, float]
) -> tuple[int, int, int, int]:
    if not isinstance(one, tuple):
        return frame_of(prs, slide, one)
    x, y, _width, _height = emu_frame(prs, (*one, 100, 100))
    return x, y, 0, 0


def _facing(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> tuple[int, int]:
    """Which sides of two boxes look at each other: 0 top, 1 left, 2 bottom, 3 right."""
    right = second[0] - (first[0] + first[2])
    left = first[0] - (second[0] + second[2])
    below = second[1] - (first[1] + first[3])
    above = first[1] - (second[1] + second[3])
    gaps = {(3, 1): right, (1, 3): left, (2, 0): below, (0, 2): above}
    return max(gaps, key=lambda sides: gaps[sides])


def _side(box: tuple[int, int, int, int], side: int) -> tuple[Any, Any]:
    """The middle of one side of a box."""
    left, top, width, height = box
    across = (0.5, 0.0, 0.5, 1.0)[side]
    down = (0.0, 0.5, 1.0, 0.5)[side]
    return round(left + across * width), round(top + down * height)


def _site(shape: Any, side: int) -> int:
    preset = shape.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return _SITES.get("" if preset is None else preset.get("prst"), (0, 1, 2, 3))[side]


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
