"""The shapes of a slide, layout or master, walked once for all views of a deck."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decklab.deck.frames import Frame, GroupTransform, frame_on_slide, read_frame, read_group
from decklab.deck.graphic_frames import diagram_data, diagram_drawing, read_chart
from decklab.deck.model.base import Effective
from decklab.deck.model.outline import OutlineChart, OutlineMedia, OutlinePicture, ShapeKind
from decklab.deck.model.shapes import Body, Border
from decklab.deck.part import Source, blip_fill, read_media, read_picture, shape_elements
from decklab.deck.sheets import (
    DeckReading,
    PlaceholderKey,
    Sheet,
    effective_background,
    placeholder_of,
)
from decklab.deck.styles.fills import (
    Fill,
    fill_of,
    shape_effects,
    shape_fill,
    shape_line,
    shape_properties,
)
from decklab.deck.styles.text import StyledText, shape_body, shape_text, table_fields, text_body
from decklab.deck.styles.themes import Stated
from decklab.ooxml.xml import (
    NAMESPACES,
    Element,
    flag,
    local_name,
    non_visual,
    non_visual_properties,
    parse_int,
    qn,
    shape_id,
)

_KINDS: dict[str, ShapeKind] = {
    qn("p:sp"): "shape",
    qn("p:pic"): "picture",
    qn("p:cxnSp"): "connector",
    qn("p:grpSp"): "group",
}
_FRAME_KINDS: dict[str, ShapeKind] = {
    NAMESPACES["c"]: "chart",
    NAMESPACES["cx"]: "chart",
    NAMESPACES["table"]: "table",
    NAMESPACES["dgm"]: "smartart",
    NAMESPACES["ole"]: "ole",
}
_GROUPS = (qn("p:grpSp"), qn("dsp:grpSp"))
_OWN_XFRMS = (qn("p:xfrm"), qn("p14:xfrm"))
_GEOMETRIES = (qn("a:prstGeom"), qn("a:custGeom"))
_CHART_REFERENCES = (qn("c:chart"), qn("cx:chart"))


@dataclass(frozen=True, eq=False)
class ShapeNode:
    """One shape element of a sheet, with what it inherits; each value is computed once, when it is
    first requested."""

    element: Element
    sheet: Sheet
    z: int
    """Place in drawing order, 0 at the back, over all nesting levels."""
    parents: tuple["ShapeNode", ...] = ()
    """The enclosing groups, outermost first."""

    @property
    def source(self) -> Source:
        """The sheet's part, where the links of the shape start."""
        return self.sheet.source

    @property
    def reading(self) -> DeckReading:
        """The reading that the sheet belongs to."""
        return self.sheet.reading

    @cached_property
    def placeholder(self) -> PlaceholderKey | None:
        """The placeholder that the shape is; None if it is no placeholder."""
        return placeholder_of(self.element)

    @cached_property
    def chain(self) -> tuple[Stated, ...]:
        """The shape, then the placeholders it inherits from, nearest first."""
        return self.sheet.chain_of(self.element, self.placeholder)

    @cached_property
    def properties(self) -> tuple[Element | None, ...]:
        """The ``spPr`` or ``grpSpPr`` of each element of the chain, or None."""
        return tuple(shape_properties(item.element) for item in self.chain)

    @cached_property
    def names(self) -> Element | None:
        """The ``cNvPr`` that names the shape; None if it is missing."""
        return non_visual_properties(self.element)

    @property
    def id(self) -> int:
        """The shape's id; 0 if it has none."""
        return parse_int(self._named("id")) or 0

    @property
    def name(self) -> str:
        """The shape's name; the name of its element if it has none."""
        return self._named("name") or local_name(str(self.element.tag))

    @property
    def hidden(self) -> bool:
        """Whether it, or a group around it, is hidden."""
        return any(item._named("hidden") in ("1", "true") for item in (*self.parents, self))

    @property
    def alt_text(self) -> str:
        """Its description in words."""
        return self._named("descr") or ""

    @property
    def groups(self) -> tuple[int, ...]:
        """Ids of the enclosing groups, outermost first."""
        return tuple(parent.id for parent in self.parents)

    @cached_property
    def graphic(self) -> Element | None:
        """The ``a:graphicData`` of a graphic frame; None for other shapes."""
        return self.element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}")

    @cached_property
    def kind(self) -> ShapeKind:
        """The kind of object that an editor sees."""
        if self.media is not None:
            return "media"
        if self.element.tag == qn("p:graphicFrame"):
            uri = "" if self.graphic is None else self.graphic.get("uri") or ""
            return _FRAME_KINDS.get(uri, "unknown")
        return _KINDS.get(str(self.element.tag), "unknown")

    @cached_property
    def group(self) -> GroupTransform | None:
        """How a group places its members; None if it does not move them."""
        return read_group(_xfrm(self.element, self.properties[0]))

    @cached_property
    def frame(self) -> Frame | None:
        """On the slide, in EMU: the first full position that the chain states, or None."""
        places = zip(self.chain, self.properties, strict=True)
        stated = (read_frame(_xfrm(item.element, properties)) for item, properties in places)
        groups = (parent.group for parent in reversed(self.parents))
        return frame_on_slide(stated, (group for group in groups if group is not None))

    @cached_property
    def geometry(self) -> Element | None:
        """The first ``a:prstGeom`` or ``a:custGeom`` that the chain states; None if none does."""
        for properties in self.properties:
            for tag in _GEOMETRIES:
                if (element := None if properties is None else properties.find(tag)) is not None:
                    return element
        return None

    @cached_property
    def media(self) -> OutlineMedia | None:
        """The video or sound that the shape plays; None for other shapes."""
        holder = non_visual(self.element)
        return read_media(None if holder is None else holder.find(qn("p:nvPr")), self.source)

    @cached_property
    def picture(self) -> OutlinePicture | None:
        """The image of a picture, of a picture fill, or a medium's poster frame; None for other
        shapes."""
        if self.element.tag == qn("p:pic"):
            return read_picture(blip_fill(self.element), self.source)
        if (fill := fill_of(self.properties[0])) is None or fill.tag != qn("a:blipFill"):
            return None
        return read_picture(fill, self.source)

    @cached_property
    def chart(self) -> OutlineChart | None:
        """The native chart that the shape shows; None for other shapes."""
        if self.kind != "chart":
            return None
        items = () if self.graphic is None else self.graphic
        reference = next((item for item in items if item.tag in _CHART_REFERENCES), None)
        part = None if reference is None else self.source.linked_part(reference)
        if part is None:
            name = None if self.names is None else self.names.get("name")
            self.source.log.add(self.source.part, f"the chart of {name} is not there")
        return read_chart(part, self.source)

    @cached_property
    def diagram_data(self) -> Element | None:
        """The root of a SmartArt diagram's data; None for other shapes."""
        return diagram_data(self.graphic, self.source)

    @cached_property
    def drawn_shapes(self) -> tuple["ShapeNode", ...]:
        """The shapes that a SmartArt diagram was last drawn with; empty for all other shapes."""
        elements = diagram_drawing(self.graphic, self.diagram_data, self.source)
        return tuple(_nodes(elements, self.sheet))

    @cached_property
    def fill(self) -> Effective[Fill]:
        """The fill of its area."""
        if flag(self.element.get("useBgFill")):
            return Effective(effective_background(self.sheet).value, "shape")
        return shape_fill(self.chain, self.sheet.look, self._group_fill)

    @cached_property
    def line(self) -> Border:
        """The line of its outline."""
        return shape_line(self.chain, self.sheet.look, self._group_fill)

    @cached_property
    def effects(self) -> Effective[tuple[str, ...]]:
        """Names of its effects, such as ``outerShdw``."""
        return shape_effects(self.chain, self.sheet.look)

    @cached_property
    def body(self) -> Body:
        """How its text stands in it."""
        return shape_body(self.chain)

    @cached_property
    def text(self) -> StyledText | None:
        """Its text; None if it has no text body."""
        if (holder := text_body(self.element)) is None:
            return None
        return shape_text(holder, self.body, self.chain, self.sheet, self.placeholder)

    @cached_property
    def table(self) -> dict[str, Any] | None:
        """The fields of its table, by the names of the model's; None if it is no table."""
        element = None if self.graphic is None else self.graphic.find(qn("a:tbl"))
        return None if element is None else table_fields(element, self.sheet)

    @property
    def _group_fill(self) -> Effective[Fill] | None:
        """The fill that ``a:grpFill`` stands for."""
        return self.parents[-1].fill if self.parents else None

    def _named(self, attribute: str) -> str | None:
        return None if self.names is None else self.names.get(attribute)


def walk_shapes(sheet: Sheet, *, without: Collection[int] = ()) -> Iterator[ShapeNode]:
    """The shapes of a sheet in drawing order, each group before its members.

    Shapes directly on the sheet whose ids are in ``without`` are left out and not counted, groups
    with their members. Problems of a shape's parts are recorded before it is yielded. Raises
    LimitExceeded if the deck has too many shapes.
    """
    elements = () if sheet.tree is None else shape_elements(sheet.tree)
    shown = (item for item in elements if not (without and shape_id(item) in without))
    for node in _nodes(shown, sheet):
        sheet.source.log.add_effort(1 + len(node.parents), sheet.source.package)
        _ = node.media, node.picture, node.chart
        yield node


def _nodes(
    elements: Iterable[Element], sheet: Sheet, parents: tuple[ShapeNode, ...] = (), z: int = 0
) -> Iterator[ShapeNode]:
    for element in elements:
        node = ShapeNode(element, sheet, z, parents)
        yield node
        z += 1
        if element.tag in _GROUPS:
            for inner in _nodes(shape_elements(element), sheet, (*parents, node), z):
                yield inner
                z += 1


def _xfrm(element: Element, properties: Element | None) -> Element | None:
    """The position of a shape element; graphic frames and ink state it in elements of their own."""
    if properties is not None:
        return properties.find(qn("a:xfrm"))
    return next((child for child in element if child.tag in _OWN_XFRMS), None)
