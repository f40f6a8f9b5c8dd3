"""Shapes of a slide by what they are: pictures, boxes, tables, charts."""

from collections.abc import Iterator
from typing import Any

from pptx.slide import Slide

from decklab.editing.finding import BODIES, TITLES, placeholder_type, properties, shapes
from decklab.ooxml.xml import qn

_RECTANGLES = ("rect", "roundRect", "round1Rect", "round2SameRect", "snip1Rect")
_MEDIA = (qn("a:videoFile"), qn("a:audioFile"), qn("a:wavAudioFile"), qn("a:quickTimeFile"))
_GRAPHICS = {"table": qn("a:tbl"), "chart": qn("c:chart"), "diagram": qn("dgm:relIds")}
KINDS = (
    "title", "subtitle", "body", "picture", "shape", "box", "rectangle", "circle", "text box",
    "table", "chart", "diagram", "line", "group", "placeholder",
)  # fmt: skip
"""The kinds of shapes that ``shapes_of`` knows."""


def shapes_of(slide: Slide, kind: str) -> list[Any]:
    """The elements of a slide's shapes of one of ``KINDS``, in drawing order.

    ``shape`` means every drawn shape that is no placeholder and no text box, ``box`` text boxes
    too; a ``picture`` is none that plays a video or sound.
    """
    return [item for item in shapes(slide) if _is(item, kind, slide)]


def shape_id(shape: Any) -> int:
    """The id of a shape on its slide."""
    return int(properties(shape).get("id") or 0)


def shape_name(shape: Any) -> str:
    """The name of a shape."""
    return str(properties(shape).get("name") or "")


def shape_text(shape: Any) -> str:
    """The text of a shape, its paragraphs as lines."""
    lines = (
        "".join(item.text or "" for item in paragraph.iter(qn("a:t")))
        for paragraph in shape.iterfind(f"{qn('p:txBody')}/{qn('a:p')}")
    )
    return "\n".join(lines)


def texts_of(shape: Any) -> Iterator[Any]:
    """The text bodies of a shape, of a table those of its cells."""
    yield from shape.iterfind(qn("p:txBody"))
    yield from shape.iterfind(f".//{qn('a:tc')}/{qn('a:txBody')}")


def _is(item: Any, kind: str, slide: Slide) -> bool:
    role = placeholder_type(item)
    if kind in _GRAPHICS:
        return (
            item.tag == qn("p:graphicFrame") and next(item.iter(_GRAPHICS[kind]), None) is not None
        )
    if kind == "picture" and item.tag == qn("p:pic") and _plays(item):
        return False
    tags = {"picture": "p:pic", "line": "p:cxnSp", "group": "p:grpSp"}
    if kind in tags:
        return bool(item.tag == qn(tags[kind]))
    if item.tag != qn("p:sp"):
        return False
    if kind in ("title", "subtitle", "body", "placeholder"):
        return _is_placeholder(role, kind, item, slide)
    return role is None and _is_drawn(item, kind)


def _plays(picture: Any) -> bool:
    """Whether a picture stands for a video or sound."""
    return any(next(picture.iter(tag), None) is not None for tag in _MEDIA)


def _is_placeholder(role: str | None, kind: str, item: Any, slide: Slide) -> bool:
    if kind == "title":
        return role in TITLES
    if kind == "subtitle":
        return (
            role == "subTitle"
            or "subtitle" in shape_name(item).casefold()
            or (
                role in BODIES
                and slide.slide_layout._element.get("type") == "title"
                and _first_body(slide) is item
            )
        )
    return role in BODIES if kind == "body" else role is not None


def _first_body(slide: Slide) -> Any:
    return next((item for item in shapes(slide) if placeholder_type(item) in BODIES), None)


def _is_drawn(item: Any, kind: str) -> bool:
    is_text_box = item.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").get("txBox") in ("1", "true")
    if kind == "text box":
        return is_text_box
    geometry = item.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    preset = "" if geometry is None else geometry.get("prst")
    if kind == "rectangle":
        return not is_text_box and preset in _RECTANGLES
    if kind == "circle":
        return not is_text_box and preset == "ellipse"
    return kind == "box" or (kind == "shape" and not is_text_box)
