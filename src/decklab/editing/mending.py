"""Small changes that mend one fault: titles that are none, a text in pieces, marks of pictures,
runs of text.

Shapes are given by id or name, a run by its paragraph and its place there, both from 0, with the
text that it must have; line breaks count as runs. They raise ``EditError`` if they cannot be made.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.arranging import set_geometry
from decklab.editing.finding import (
    TITLES,
    EditError,
    body_of,
    find_shape,
    placeholder_of,
    placeholder_type,
    properties,
    shape_text,
    shapes,
    slide_at,
)
from decklab.editing.formatting import TextFormat
from decklab.editing.paragraphs import set_body_text
from decklab.editing.placing import delete_shape, frame_of, put_frame, px_sizes
from decklab.editing.texts import resize_text
from decklab.ooxml.xml import NAMESPACES, qn, shape_id

_HIDDEN_PT = 12
"""Ours: a title that is only heard needs one line beside the slide."""
_LEFT, _ABOVE, _WIDTH, _HEIGHT = 48.0, 48.0, 864.0, 30.0
"""Where it stands, in px of the 960x540 frame: from the left, and how far its top is above."""
_NS = f'xmlns:a="{NAMESPACES["a"]}" xmlns:p="{NAMESPACES["p"]}"'
_DECORATIVE = "http://schemas.microsoft.com/office/drawing/2017/decorative"
_MARK = (
    f'<a:ext {_NS} uri="{{C183D7F6-B498-43B3-948B-1728B52AA6E4}}">'
    f'<adec:decorative xmlns:adec="{_DECORATIVE}" val="1"/></a:ext>'
)
"""The mark of a decorative object ([MS-ODRAWXML] 2.33.1)."""
_RUNS = (qn("a:r"), qn("a:br"), qn("a:fld"))


@dataclass(frozen=True)
class RunPlace:
    """A run of a shape's text."""

    paragraph: int
    run: int
    text: str


def add_hidden_title(prs: Presentation, slide: int, text: str, language: str | None = None) -> int:
    """Give a slide a title above its upper edge, where only screen readers and outlines find it;
    return the id of its shape.

    An empty title placeholder of the slide is used for it. ``language``, a BCP 47 tag, is the one
    to proofread it in. Raises EditError if the slide has a title.
    """
    held = slide_at(prs, slide)
    if (title := placeholder_of(held, TITLES)) is None:
        title = _new_title(held)
    elif any((item.text or "").strip() for item in title.iter(qn("a:t"))):
        raise EditError(f"slide {slide} has a title")
    body = title.find(qn("p:txBody"))
    set_body_text(body, text)
    for look in body.iter(qn("a:rPr")):
        look.set("sz", str(_HIDDEN_PT * 100))
    for run in body.iter(qn("a:r")):
        look = run.get_or_add_rPr()
        look.set("sz", str(_HIDDEN_PT * 100))
        if language:
            look.set("lang", language)
    set_geometry(prs, slide, shape_id(title), x=_LEFT, y=-_ABOVE, width=_WIDTH, height=_HEIGHT)
    return shape_id(title)


def make_title(prs: Presentation, slide: int, shape: str | int) -> None:
    """Make a text the title of its slide, by which outlines and screen readers know it.

    It keeps its place and the looks that it states; an empty title goes. Raises EditError if the
    slide has a title with words, for a shape without text, and for one in a group.

    Example: make_title(prs, 3, "TextBox 4")
    """
    held, text = slide_at(prs, slide), find_shape(prs, slide, shape)
    if (old := placeholder_of(held, TITLES)) is not None and shape_text(old).strip():
        raise EditError(f"slide {slide} has a title: {shape_text(old)!r}")
    if text.tag != qn("p:sp") or not shape_text(text).strip():
        raise EditError(f"{shape!r} on slide {slide} has no text")
    if text.getparent() is not held._element.cSld.spTree:
        raise EditError(f"{shape!r} on slide {slide} is in a group; a title cannot be in one")
    frame = frame_of(prs, slide, shape)
    _state_sizes(prs, slide, text)
    if old is not None:
        old.getparent().remove(old)
    marks = text.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}")
    for mark in marks.findall(qn("p:ph")):
        marks.remove(mark)
    marks.insert(0, parse_xml(f'<p:ph {_NS} type="{_title_kind(held)}"/>'))
    text.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").attrib.pop("txBox", None)
    put_frame(prs, slide, shape_id(text), frame)


def join_texts(prs: Presentation, slide: int, shapes: Sequence[str | int]) -> None:
    """Join texts of a slide in the first of them, which grows over the places of all; the others
    go. Lines come in the order of the shapes, with their looks.

    Example: join_texts(prs, 3, ["TextBox 4", "TextBox 5", "TextBox 6"])
    """
    if len(shapes) < 2:
        raise EditError("name two texts or more to join")
    held = [find_shape(prs, slide, shape) for shape in shapes]
    if len(set(held)) < len(held):
        raise EditError("a text cannot be joined with itself")
    first, *bodies = [body_of(prs, slide, shape) for shape in shapes]
    frames = [frame_of(prs, slide, shape) for shape in shapes]
    for shape in held:
        _state_sizes(prs, slide, shape)
    for body, shape in zip(bodies, held[1:], strict=True):
        first.extend(body.findall(qn("a:p")))
        delete_shape(prs, slide, shape_id(shape))
    left, top = min(frame[0] for frame in frames), min(frame[1] for frame in frames)
    right = max(x + width for x, _y, width, _height in frames)
    bottom = max(y + height for _x, y, _width, height in frames)
    put_frame(prs, slide, shape_id(held[0]), (left, top, right - left, bottom - top))


def _state_sizes(prs: Presentation, slide: int, shape: Any) -> None:
    """State the sizes that a text inherits, where it may inherit others."""
    resize_text(prs, slide, shape.iterfind(f"{qn('p:txBody')}/{qn('a:p')}"))


def _title_kind(slide: Any) -> str:
    """The type of title that the layout of a slide has."""
    kinds = [placeholder_type(item._element) for item in slide.slide_layout.placeholders]
    return next((kind for kind in kinds if kind in TITLES), "title")


def _new_title(slide: Any) -> Any:
    """A new title placeholder, the first in the order of reading."""
    tree = slide._element.cSld.spTree
    number = max((shape_id(shape) for shape in shapes(slide)), default=1) + 1
    kind = _title_kind(slide)
    across, down = px_sizes(slide.part.package.presentation_part.presentation)
    box = (_LEFT * across, -_ABOVE * down, _WIDTH * across, _HEIGHT * down)
    x, y, width, height = map(round, box)
    title = parse_xml(
        f'<p:sp {_NS}><p:nvSpPr><p:cNvPr id="{number}" name="Title {number}"/>'
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr>'
        f'</p:nvSpPr><p:spPr><a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>'
        "</a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )
    tree.insert(2, title)
    return title


def append_to_text(prs: Presentation, slide: int, shape: int, text: str) -> None:
    """Add words to the last run of a shape's text, in its look; raises EditError without one."""
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    runs = [] if body is None else [run for run in body.iter(qn("a:r")) if run.findtext(qn("a:t"))]
    if not runs:
        raise EditError(f"shape {shape} on slide {slide} has no text")
    last = runs[-1].find(qn("a:t"))
    last.text = f"{last.text.rstrip()}{text}"


def mark_decorative(prs: Presentation, slide: int, shape: int) -> None:
    """Say that an object has no meaning of its own, so that screen readers pass over it."""
    marks = properties(find_shape(prs, slide, shape))
    if (held := marks.find(qn("a:extLst"))) is None:
        held = parse_xml(f"<a:extLst {_NS}/>")
        marks.append(held)
    for item in held.findall(qn("a:ext")):
        if any(str(child.tag).startswith(f"{{{_DECORATIVE}}}") for child in item):
            held.remove(item)
    held.append(parse_xml(_MARK))


def set_run_language(
    prs: Presentation, slide: int, shape: int, runs: Iterable[RunPlace], language: str
) -> None:
    """Set the proofing language, a BCP 47 tag, of some runs."""
    for look in _looks(prs, slide, shape, runs):
        look.set("lang", language)


def color_runs(
    prs: Presentation, slide: int, shape: int, runs: Iterable[RunPlace], color: str
) -> None:
    """Paint some runs in a colour (as in ``format_text``)."""
    wanted = TextFormat(color=color)
    wanted.check()
    for look in _looks(prs, slide, shape, runs):
        wanted.apply(look)


def _looks(prs: Presentation, slide: int, shape: int, runs: Iterable[RunPlace]) -> Iterator[Any]:
    """The properties of runs, made if they have none."""
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    paragraphs = [] if body is None else body.findall(qn("a:p"))
    for where in runs:
        held = [item for item in paragraphs[where.paragraph] if item.tag in _RUNS] if (
            where.paragraph < len(paragraphs)) else []  # fmt: skip
        run = held[where.run] if where.run < len(held) else None
        if run is None or (run.findtext(qn("a:t")) or "") != where.text:
            raise EditError(f"shape {shape} on slide {slide} has no run {where.text!r} there")
        if (look := run.find(qn("a:rPr"))) is None:
            look = run.get_or_add_rPr()
        yield look
