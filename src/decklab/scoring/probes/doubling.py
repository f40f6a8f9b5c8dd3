"""The pen for gate 1: double the longest paragraph of each text shape, all text in one colour."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from decklab.deck.model.outline import Shape, Slide
from decklab.metrics.editability.content import content_shapes, has_text
from decklab.ooxml.xml import Element, qn

RUNS = frozenset({qn("a:r"), qn("a:fld"), qn("a:br")})
FILLS = frozenset(
    qn(f"a:{name}")
    for name in ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
LINKS = frozenset({qn("a:hlinkClick"), qn("a:hlinkHover"), qn("a:hlinkMouseOver")})
BLUE = 0x5B
"""Blue of every marking colour; red and green count the shapes of a slide."""


@dataclass(frozen=True)
class Doubled:
    """A shape whose longest paragraph was doubled, and the colour that its text is set in."""

    shape: Shape
    color: str
    """``#RRGGBB``."""


def can_be_doubled(shape: Shape) -> bool:
    """True for upright, horizontal text in a placed shape: what this probe can measure."""
    upright = abs((shape.rotation + 180) % 360 - 180) < 1
    text = shape.text
    return (
        shape.kind == "shape" and upright and shape.box is not None
        and text is not None and not text.vertical and has_text(shape)
    )  # fmt: skip


def double_texts(root: Element, slide: Slide) -> list[Doubled]:
    """Double texts in the XML of a slide, in place; the shapes that were changed."""
    bodies = _bodies(root)
    done: list[Doubled] = []
    for shape in content_shapes(slide):
        targets = bodies.get(shape.id, [])
        if can_be_doubled(shape) and targets and len(done) < 0xFF * 0xFF:
            color = f"{1 + len(done) // 0xFF:02X}{1 + len(done) % 0xFF:02X}{BLUE:02X}"
            changed = [_double_longest(body, color) for body in targets]
            if any(changed):
                done.append(Doubled(shape, f"#{color}"))
    return done


def _bodies(root: Element) -> Mapping[int, list[Element]]:
    """Text bodies by the id of their shape; alternatives of one shape share its id."""
    found: dict[int, list[Element]] = {}
    for body in root.iter(qn("p:txBody")):
        for id in _shape_id(body):
            found.setdefault(id, []).append(body)
    return found


def _shape_id(body: Element) -> Iterator[int]:
    parent = body.getparent()
    named = None if parent is None else parent.find(f"{qn('p:nvSpPr')}/{qn('p:cNvPr')}")
    value = "" if named is None else named.get("id", "")
    if value.isdigit():
        yield int(value)


def _text(paragraph: Element) -> str:
    return "".join(node.text or "" for node in paragraph.iter(qn("a:t")))


def _double_longest(body: Element, color: str) -> bool:
    paragraphs = body.findall(qn("a:p"))
    longest = max(paragraphs, key=lambda item: len(_text(item)), default=None)
    if longest is None or not _text(longest).strip():
        return False
    runs = [child for child in longest if child.tag in RUNS]
    copies = [deepcopy(run) for run in runs]
    _put_space_before(copies)
    place = longest.index(runs[-1]) + 1
    longest[place:place] = copies
    for paragraph in paragraphs:
        for run in paragraph:
            if run.tag in RUNS:
                _mark(run, color)
    return True


def _put_space_before(runs: list[Element]) -> None:
    for run in runs:
        text = run.find(qn("a:t"))
        if text is not None and text.text:
            text.text = f" {text.text}"
            return


def _mark(run: Element, color: str) -> None:
    """Give a run its colour, and take away what would override it."""
    style = run.find(qn("a:rPr"))
    if style is None:
        style = run.makeelement(qn("a:rPr"), {})
        run.insert(0, style)
    for child in list(style):
        if child.tag in FILLS or child.tag in LINKS:
            style.remove(child)
    fill = style.makeelement(qn("a:solidFill"), {})
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": color}))
    outline = style.find(qn("a:ln"))
    style.insert(0 if outline is None else style.index(outline) + 1, fill)
