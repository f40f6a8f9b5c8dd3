"""The shapes of a sheet, each with its XML, its outline, its effective style and its frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decklab.deck.elements.extraction.canvas import Canvas
from decklab.deck.fills import shape_properties
from decklab.deck.outline import Shape
from decklab.deck.placeholders import Placeholder
from decklab.deck.placement import Frame, Group, frame_on_slide, read_frame, read_group
from decklab.deck.shapes import Scene, read_shapes, shape_elements
from decklab.deck.styles.effective import Effective
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.shapes import StyledShape, read_styled_shape
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element

__all__ = ["Found", "named", "shapes_of"]

_OWN_XFRMS = (qn("p:xfrm"), qn("p14:xfrm"))


@dataclass(frozen=True)
class Found:
    """One shape."""

    element: Element
    behind: tuple[Element, ...]
    """The element, then the placeholders it inherits from, nearest first."""
    outline: Shape
    styled: StyledShape
    frame: Frame | None
    """On the slide, in EMU; None where nothing gives a position."""

    @property
    def graphic(self) -> Element | None:
        """The ``a:graphicData`` of a graphic frame."""
        return self.element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}")


@dataclass(frozen=True)
class _Around:
    """The groups around a shape."""

    groups: tuple[Group, ...] = ()
    """Innermost first."""
    ids: tuple[int, ...] = ()
    fill: Effective[Fill] | None = None


def shapes_of(canvas: Canvas) -> Iterator[Found]:
    """The shapes of a sheet in drawing order, each group before its members."""
    sheet = canvas.sheet
    tree = sheet.tree
    if tree is None:
        return

    def behind(one: Placeholder) -> Sequence[Element]:
        parent = sheet.parent
        handed = () if parent is None else parent.handed_down(one, sheet.kind)
        return [item.element for item in handed]

    scene = Scene(canvas.source, canvas.desk.size_emu, sheet.look.colors, behind)
    yield from _walk(tree, read_shapes(tree, scene), _Around(), canvas)


def named(element: Element) -> Element | None:
    """The ``cNvPr`` of a shape element, which names it; None where it has none."""
    holder = next((c for c in element if local_name(str(c.tag)).startswith("nv")), element)
    return next(holder.iter("{*}cNvPr"), None)


def _walk(
    tree: Element, outlines: Iterator[Shape], around: _Around, canvas: Canvas
) -> Iterator[Found]:
    """``outlines`` come in the order of this walk."""
    for element in shape_elements(tree):
        outline = next(outlines)
        styled = read_styled_shape(
            element, canvas.sheet, canvas.desk.sheets, around.ids, around.fill
        )
        behind = tuple(item.element for item in canvas.sheet.behind(element))
        yield Found(element, behind, outline, styled, _frame(behind, around.groups))
        if element.tag == qn("p:grpSp"):
            group = read_group(_xfrm(element))
            inside = _Around(
                around.groups if group is None else (group, *around.groups),
                (*around.ids, outline.id),
                styled.fill,
            )
            yield from _walk(element, outlines, inside, canvas)


def _frame(behind: Sequence[Element], groups: Sequence[Group]) -> Frame | None:
    return frame_on_slide((read_frame(_xfrm(item)) for item in behind), groups)


def _xfrm(element: Element) -> Element | None:
    properties = shape_properties(element)
    if properties is not None:
        return properties.find(qn("a:xfrm"))
    return next((child for child in element if child.tag in _OWN_XFRMS), None)
