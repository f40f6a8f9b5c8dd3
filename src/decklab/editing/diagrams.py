"""SmartArt: its texts are in the diagram's data and in its last drawing."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from lxml import etree
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.finding import EditError, find_graphic, shapes, slide_at
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import phrase
from decklab.editing.texts import set_body_text, set_paragraph_text
from decklab.ooxml.xml import qn

_IDS = qn("dgm:relIds")
_DATA = qn("r:dm")
_MODEL = "{http://schemas.microsoft.com/office/drawing/2008/diagram}dataModelExt"
_DRAWING = "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"


def diagram_texts(prs: Presentation, slide: int, shape: str | int | None = None) -> list[str]:
    """The texts of a SmartArt diagram, one for each of its points that has any.

    ``shape`` may be left out where the slide has one diagram.

    Example: diagram_texts(prs, 5)
    """
    ids = find_graphic(prs, slide, shape, _IDS, "SmartArt diagram")
    part = slide_at(prs, slide).part.related_part(ids.get(_DATA))
    root = etree.fromstring(part.blob)
    texts = (_text(point) for point in root.iter(qn("dgm:pt")))
    return [text for text in texts if text]


@phrase("set diagram text {old:node} to {new:words}",
        "(change|rename|replace) {old:node} (in|of) diagram {on} (to|with) {new:words}",
        "(change|rename|replace) {old:node} (to|with) {new:words} (in|of) diagram",
        example="set the diagram text 'Plan' to 'Prepare' on slide 5", changes="diagram",
        follows="detail other", shape="diagram")  # fmt: skip
def set_diagram_text(
    prs: Presentation, slide: int, old: str, new: str, *, shape: str | int | None = None
) -> int:
    """Give the points of a SmartArt diagram that read ``old`` the text ``new``; return how many.

    The drawing that programs show is changed along. Raises EditError where no point reads so.

    Example: set_diagram_text(prs, 5, "Plan", "Prepare")
    """
    ids = find_graphic(prs, slide, shape, _IDS, "SmartArt diagram")
    page = slide_at(prs, slide)
    count = 0
    for part in parts_of_diagram(page.part, ids):
        with edited(part) as root:
            bodies = [item for item in _texts(root) if _text(item) == old]
            for item in bodies:
                set_body_text(item, new)
            for line in _lines_of_drawing(root, old) if not bodies and "\n" not in new else ():
                set_paragraph_text(line, new)
        count = count or len(bodies)
    if not count:
        texts = ", ".join(map(repr, diagram_texts(prs, slide, shape)))
        raise EditError(f"the diagram on slide {slide} has no text {old!r}; it has {texts}")
    return count


@contextmanager
def diagram_parts(slide: Slide, only: Any = None) -> Iterator[list[Any]]:
    """The data and drawings of all diagrams of a slide, for changes in place.

    ``only`` is the ``dgm:relIds`` of the one diagram that is meant.
    """
    every = [ids for item in shapes(slide) for ids in item.findall(f".//{_IDS}")]
    frames = every if only is None else [only]
    parts = [part for ids in frames for part in parts_of_diagram(slide.part, ids)]
    with ExitStack() as editing:
        yield [editing.enter_context(edited(part)) for part in parts]


def parts_of_diagram(owner: Any, ids: Any) -> Iterator[Any]:
    """The data part of a diagram, and its drawing, which the data names by a link of its owner.

    ``owner`` is the part of the slide that has the diagram's frame. Yields nothing if there is
    no data.
    """
    link = owner.rels.get(ids.get(_DATA))
    if link is None or link.is_external:
        return
    data = link.target_part
    yield data
    named = {item.get("relId") for item in etree.fromstring(data.blob).iter(_MODEL)}
    for id, one in owner.rels.items():
        if one.reltype == _DRAWING and id in named:
            yield one.target_part


def _texts(root: Any) -> list[Any]:
    """The text bodies of a diagram's data or drawing."""
    return [*root.iter(qn("dgm:t")), *root.iter(qn("dsp:txBody"))]


def _lines_of_drawing(root: Any, text: str) -> list[Any]:
    """The paragraphs of a drawing with a text: a shape of it may show several points."""
    lines = (line for body in root.iter(qn("dsp:txBody")) for line in body.iter(qn("a:p")))
    return [line for line in lines
            if "".join(item.text or "" for item in line.iter(qn("a:t"))) == text]  # fmt: skip


def _text(holder: Any) -> str:
    lines = ("".join(item.text or "" for item in line.iter(qn("a:t"))) for line in
             holder.iter(qn("a:p")))  # fmt: skip
    return "\n".join(lines)
