"""Slides, shapes and texts, found by number, name and role; ``EditError`` if there is none."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal

from pptx.presentation import Presentation
from pptx.slide import Slide, SlideLayout

from decklab.core.naming import NOUNS, name_in_words, shape_label
from decklab.ooxml.slide_list import list_items
from decklab.ooxml.xml import non_visual_properties, qn, shape_id, shape_name

Where = Literal["all", "title", "body", "footer"]
"""Which texts of a slide: all but the footers; titles; texts of body placeholders; or the
footer, date and slide number."""

TITLES = ("title", "ctrTitle")
BODIES = ("body", "subTitle", "obj")
FOOTERS = ("ftr", "dt", "sldNum", "hdr")
SHAPES = tuple(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
"""Elements that are shapes."""


GivenShape = str | int | None
"""A shape by its id or name; None for the only one of its kind on a slide."""


class EditError(ValueError):
    """An edit that cannot be made; its text is one line with the reason and the valid choices."""


def slide_at(prs: Presentation, number: int) -> Slide:
    """The slide of a 1-based number; raises EditError."""
    total = len(prs.slides)
    if not 1 <= number <= total:
        raise EditError(f"there is no slide {number}; the deck has {total}")
    slide: Slide = prs.slides[number - 1]
    return slide


def slide_ids(prs: Presentation) -> list[int]:
    """The ids of all slides in their order; a slide's own ``slide_id`` searches all of them."""
    return [int(item.get("id") or 0) for item in list_items(prs.part._element)]


def slides_of(prs: Presentation, slides: Iterable[int] | None) -> list[tuple[int, Slide]]:
    """The slides of some numbers, or all slides for None, in their order; raises EditError."""
    if slides is None:
        return list(enumerate(prs.slides, start=1))
    return [(number, slide_at(prs, number)) for number in sorted(set(slides))]


def shapes(slide: Slide | SlideLayout) -> Iterator[Any]:
    """The elements of all shapes, members of groups included, in drawing order."""
    return (item for item in slide._element.cSld.spTree.iterdescendants(*SHAPES))


def find_shape(prs: Presentation, slide: int, shape: str | int) -> Any:
    """The element of a shape, given by its id or its name.

    Letter case counts only if several names differ in nothing else.

    Raises EditError if there is no such shape, or several of that name.
    """
    items = list(shapes(slide_at(prs, slide)))
    same = [item for item in items if shape in (shape_id(item), shape_name(item))]
    if not same and isinstance(shape, str):
        same = [item for item in items if shape_name(item).casefold() == shape.casefold()]
    if len(same) == 1:
        return same[0]
    if same:
        ids = ", ".join(f"{shape_id(item)}{_words(item, ' ({})')}" for item in same)
        raise EditError(f"slide {slide} has {len(same)} shapes {shape!r}; say which by id: {ids}")
    names = ", ".join(
        shape_label(repr(shape_name(item)), f"{shape_id(item)}{_words(item, ', {}')}")
        for item in items
    )
    raise EditError(f"slide {slide} has no shape {shape!r}; it has {names or 'none'}")


def find_graphic(prs: Presentation, slide: int, shape: GivenShape, tag: str, what: str) -> Any:
    """The element ``tag`` inside a graphic frame; raises EditError.

    ``shape`` is the frame; without it, the slide must have only one.
    """
    if shape is not None:
        if (inner := find_shape(prs, slide, shape).find(f".//{tag}")) is None:
            raise EditError(f"{shape!r} on slide {slide} is no {what}")
        return inner
    graphics = [inner for item in shapes(slide_at(prs, slide)) for inner in _inside(item, tag)]
    if len(graphics) != 1:
        count = f"{len(graphics)} {what}s" if graphics else f"no {what}"
        count += "; say which by name or id" if graphics else ""
        raise EditError(f"slide {slide} has {count}")
    return graphics[0]


def text_bodies(slide: Slide, where: str = "all") -> Iterator[Any]:
    """The text bodies of a slide, of shapes and of table cells, that ``where`` means."""
    if where not in ("all", "title", "body", "footer"):
        raise EditError(f"where={where!r} is none of 'all', 'title', 'body', 'footer'")
    for item in shapes(slide):
        kind = placeholder_type(item)
        role = "footer" if kind in FOOTERS else "title" if kind in TITLES else None
        role = role or ("body" if kind in BODIES else "other")
        if where == role or (where == "all" and role != "footer"):
            if item.tag == qn("p:sp"):
                yield from item.iterfind(qn("p:txBody"))
            elif item.tag == qn("p:graphicFrame"):
                yield from item.iterfind(f".//{qn('a:tc')}/{qn('a:txBody')}")


def body_of(prs: Presentation, slide: int, shape: str | int) -> Any:
    """The text body of a shape; raises EditError for a shape that holds no text."""
    if (body := find_shape(prs, slide, shape).find(qn("p:txBody"))) is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    return body


def placeholder_of(slide: Slide, kinds: Collection[str]) -> Any:
    """The first placeholder of a slide of one of some types; None if there is none."""
    return next((shape for shape in shapes(slide) if placeholder_type(shape) in kinds), None)


def paragraphs(body: Any) -> Iterator[Any]:
    """The paragraphs of a text body."""
    return iter(body.findall(qn("a:p")))


def placeholder_type(shape: Any) -> str | None:
    """The type of a shape's placeholder, ``obj`` if none is stated; None for other shapes."""
    mark = shape.find(f"*/{qn('p:nvPr')}/{qn('p:ph')}")
    return None if mark is None else str(mark.get("type") or "obj")


def _inside(shape: Any, tag: str) -> Iterator[Any]:
    if shape.tag == qn("p:graphicFrame"):
        yield from shape.iterfind(f".//{tag}")


def properties(shape: Any) -> Any:
    """The element with id, name and description of a shape."""
    return non_visual_properties(shape)


def _words(shape: Any, form: str) -> str:
    """The words of a shape, in a form, if its name is automatic; else empty."""
    kind = shape.tag.rpartition("}")[2]
    at = shape.find(f"*/{qn('p:nvPr')}/{qn('p:ph')}")
    boxes = shape.findall(f"*/{qn('p:cNvSpPr')}[@txBox]")
    noun = "text box" if boxes else _KINDS.get(kind, "shape")
    noun = noun if at is None else NOUNS.get(at.get("type", ""), "text")
    lines = ("".join(t.text or "" for t in p.iter(qn("a:t"))) for p in shape.iter(qn("a:p")))
    words = name_in_words(shape_name(shape), noun, " ".join(lines), placeholder=at is not None)
    return form.format(words) if words else ""


_KINDS = {"pic": "picture", "cxnSp": "line", "grpSp": "group", "graphicFrame": "object"}


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
