"""Small changes that mend one fault: titles for screen readers, marks of pictures, runs of text.

Shapes are given by id. A run is given by its paragraph and its place there, both from 0, with the
text it must have; lines breaks count as runs. They raise ``EditError`` if they cannot be made.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.arranging import set_geometry
from decklab.editing.finding import (
    TITLES,
    EditError,
    find_shape,
    placeholder_of,
    placeholder_type,
    properties,
    shapes,
    slide_at,
)
from decklab.editing.formatting import TextFormat
from decklab.editing.paragraphs import set_body_text
from decklab.editing.placing import px_sizes
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
    title = placeholder_of(held, TITLES)
    if title is None:
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
    set_geometry(
        prs, slide, shape_id(title), x=_LEFT, y=-_ABOVE, width=_WIDTH, height=_HEIGHT
    )  # fmt: skip
    return shape_id(title)


def _new_title(slide: Any) -> Any:
    """A new title placeholder, the first in the order of reading."""
    tree = slide._element.cSld.spTree
    number = max((shape_id(shape) for shape in shapes(slide)), default=1) + 1
    kinds = [
        placeholder_type(placeholder._element) for placeholder in slide.slide_layout.placeholders
    ]
    kind = next((kind for kind in kinds if kind in TITLES), "title")
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
    held = marks.find(qn("a:extLst"))
    if held is None:
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
    for place in runs:
        held = [item for item in paragraphs[place.paragraph] if item.tag in _RUNS] if (
            place.paragraph < len(paragraphs)) else []  # fmt: skip
        run = held[place.run] if place.run < len(held) else None
        if run is None or (run.findtext(qn("a:t")) or "") != place.text:
            raise EditError(f"shape {shape} on slide {slide} has no run {place.text!r} there")
        look = run.find(qn("a:rPr"))
        if look is None:
            look = run.get_or_add_rPr()
        yield look
