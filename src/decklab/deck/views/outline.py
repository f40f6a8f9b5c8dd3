"""The outline of a deck: the objects of its slides, layouts and masters."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from decklab.deck.frames import glue_of, to_frame
from decklab.deck.model.outline import (
    Background,
    DeckOutline,
    OutlineLayout,
    OutlineShape,
    OutlineSlide,
    TextBody,
)
from decklab.deck.part import children, read_picture
from decklab.deck.shapes import ShapeNode, walk_shapes
from decklab.deck.sheets import DeckReading, Sheet, stated_background
from decklab.deck.slide_facts import animated_shapes, transition_of
from decklab.deck.styles.fills import fill_of
from decklab.deck.styles.text import paragraph_text, text_body
from decklab.deck.styles.themes import stated_color
from decklab.ooxml.xml import Element, flag, local_name, parse_int, qn

_BACKGROUNDS: dict[str, Literal["solid", "gradient", "picture", "pattern"]] = {
    "solidFill": "solid",
    "gradFill": "gradient",
    "blipFill": "picture",
    "pattFill": "pattern",
}
_NO_SLIDE = OutlineSlide(0, "", 0, False, None, (), None, None, None, ())
_RUNS = (qn("a:r"), qn("a:fld"))
_FILL_REFERENCE = f"{qn('p:style')}/{qn('a:fillRef')}"
_LINE_REFERENCE = f"{qn('p:style')}/{qn('a:lnRef')}"
_NO_GLUE = (None, None, None, None)


@dataclass
class OutlineShapes:
    """The shapes of sheets as outline shapes; each sheet is outlined once."""

    _known: dict[Sheet, tuple[OutlineShape, ...]] = field(default_factory=dict)

    def walk(self, sheet: Sheet) -> Iterator[ShapeNode]:
        """The shapes of a sheet for another view; outlines them on the way."""
        shapes: list[OutlineShape] | None = None if sheet in self._known else []
        for node in walk_shapes(sheet):
            yield node
            if shapes is not None:
                shapes.append(outline_shape(node))
        if shapes is not None:
            self._known[sheet] = tuple(shapes)

    def of(self, sheet: Sheet) -> tuple[OutlineShape, ...]:
        """The outline shapes of a sheet in drawing order; known ones count as effort, too."""
        if sheet in self._known:
            effort = sum(1 + len(shape.groups) for shape in self._known[sheet])
            sheet.reading.log.add_effort(effort, sheet.reading.package)
        else:
            deque(self.walk(sheet), maxlen=0)
        return self._known[sheet]


@dataclass
class _Templates:
    """The layouts and masters of a deck by part, in the order in which they are read."""

    shapes: OutlineShapes
    layouts: dict[str, OutlineLayout] = field(default_factory=dict)
    masters: dict[str, OutlineLayout] = field(default_factory=dict)
    _below: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The layouts of each master."""

    def add_master(self, sheet: Sheet) -> None:
        """Read a master and its layouts."""
        self._add(sheet)
        for part in self._below[sheet.part]:
            self.add_layout(sheet.reading.sheet(part, "layout"))

    def add_layout(self, sheet: Sheet) -> None:
        """Read a layout, after its master."""
        if sheet.part not in self.layouts:
            if sheet.parent is not None:
                self._add(sheet.parent)
            self.layouts[sheet.part] = self._read(sheet)

    def _add(self, master: Sheet) -> None:
        if master.part not in self.masters:
            self._below[master.part] = tuple(_layout_parts(master))
            self.masters[master.part] = self._read(master)

    def _read(self, sheet: Sheet) -> OutlineLayout:
        master = None if sheet.parent is None else sheet.parent.part
        if not _has_tree(sheet):
            name = sheet.theme_name if sheet.kind == "master" else ""
            return OutlineLayout(sheet.part, name, master, (), None)
        return OutlineLayout(
            part=sheet.part,
            name=sheet.name,
            master=master,
            shapes=self.shapes.of(sheet),
            background=_background(sheet),
        )


def outline_of(reading: DeckReading, shapes: OutlineShapes) -> DeckOutline:
    """The outline of a deck; ``shapes`` are those of the sheets outlined already."""
    templates = _Templates(shapes)
    for part in _listed_masters(reading):
        templates.add_master(reading.sheet(part, "master"))
    slides = tuple(_slides(reading, templates))
    return DeckOutline(
        path=reading.package.path,
        size_emu=reading.size_emu,
        slides=slides,
        layouts=tuple(templates.layouts.values()),
        masters=tuple(templates.masters.values()),
        problems=tuple(reading.log.problems),
    )


def outline_shape(node: ShapeNode) -> OutlineShape:
    """One shape of a sheet as an outline shape."""
    frame, placeholder = node.frame, node.placeholder
    start, _, end, _ = glue_of(node.element) if node.element.tag == qn("p:cxnSp") else _NO_GLUE
    return OutlineShape(
        id=node.id,
        name=node.name,
        kind=node.kind,
        box=None if frame is None else to_frame(frame, node.reading.size_emu),
        rotation=0.0 if frame is None else frame.rotation,
        z=node.z,
        groups=node.groups,
        placeholder=None if placeholder is None else placeholder.type,
        placeholder_idx=None if placeholder is None else placeholder.idx,
        geometry=_geometry(node.geometry),
        filled=_is_filled(node),
        outlined=_is_outlined(node),
        fill_color=_own_color(node),
        text=_text(node),
        picture=node.picture,
        chart=node.chart,
        media=node.media,
        connects=(start, end),
        hidden=node.hidden,
        alt_text=node.alt_text,
    )


def _listed_masters(reading: DeckReading) -> Iterator[str]:
    main = reading.main
    for item, part in main.listed_parts(reading.root, "p:sldMasterIdLst"):
        if part is None:
            kind = local_name(str(item.tag))
            reading.log.add(main.part, f"{kind} {item.get(qn('r:id'))} leads to no part")
        else:
            yield part


def _layout_parts(master: Sheet) -> dict[str, None]:
    """The existing layouts of a master: the listed ones in order, then others it refers to."""
    source = master.source
    parts: dict[str, None] = {}
    for item, part in source.listed_parts(master.root, "p:sldLayoutIdLst"):
        if part is None:
            source.log.add(source.part, f"layout {item.get(qn('r:id'))} leads to no part")
        else:
            parts[part] = None
    for link in source.links().values():
        if link.kind == "slideLayout" and not link.external and link.target in source.package:
            parts[link.target] = None
    return parts


def _slides(reading: DeckReading, templates: _Templates) -> Iterator[OutlineSlide]:
    """The slides in order; a part that is listed again is not read again."""
    known: dict[str, OutlineSlide] = {}
    for entry in reading.slides:
        if (part := entry.part) not in known:
            known[part] = _slide(reading.sheet(part, "slide"), templates)
        else:
            reading.log.add_effort(1 + len(known[part].shapes), reading.package)
        yield replace(known[part], number=entry.number, id=entry.id)


def _slide(sheet: Sheet, templates: _Templates) -> OutlineSlide:
    """A slide without its number and id, which come from the slide list."""
    if sheet.parent is None:
        sheet.source.log.add(sheet.part, "it has no layout")
    else:
        templates.add_layout(sheet.parent)
    layout, root = None if sheet.parent is None else sheet.parent.part, sheet.root
    if root is None:
        return replace(_NO_SLIDE, part=sheet.part, layout=layout)
    transition = transition_of(root)
    return OutlineSlide(
        number=0,
        part=sheet.part,
        id=0,
        hidden=flag(root.get("show")) is False,
        layout=layout,
        shapes=templates.shapes.of(sheet) if _has_tree(sheet) else (),
        background=_background(sheet),
        transition=None if transition is None else transition.name or None,
        advances_after_ms=None if transition is None else transition.advance_after_ms,
        animated=animated_shapes(root),
    )


def _has_tree(sheet: Sheet) -> bool:
    """Whether there is a shape tree; a readable part without one is noted."""
    if sheet.root is not None and sheet.tree is None:
        sheet.source.log.add(sheet.part, "it has no shape tree")
    return sheet.tree is not None


def _geometry(stated: Element | None) -> str | None:
    if stated is None:
        return None
    return stated.get("prst") if stated.tag == qn("a:prstGeom") else "custom"


def _is_filled(node: ShapeNode) -> bool:
    """Whether a shape paints its area: by its own fill, an inherited one, or its style."""
    if node.element.get("useBgFill") in ("1", "true"):
        return True
    for properties in node.properties:
        if (fill := fill_of(properties)) is not None and fill.tag == qn("a:grpFill"):
            return bool(node.parents) and _is_filled(node.parents[-1])
        if fill is not None:
            return fill.tag != qn("a:noFill")
    return _style_index(node.element, _FILL_REFERENCE) > 0


def _is_outlined(node: ShapeNode) -> bool:
    """Whether a shape draws its outline: by its own line, an inherited one, or its style."""
    for properties in node.properties:
        fill = fill_of(None if properties is None else properties.find(qn("a:ln")))
        if fill is not None:
            return fill.tag != qn("a:noFill")
    return _style_index(node.element, _LINE_REFERENCE) > 0


def _style_index(shape: Element, reference: str) -> int:
    """Index into the theme's style matrix; 0 paints nothing."""
    item = shape.find(reference)
    return 0 if item is None else parse_int(item.get("idx")) or 0


def _own_color(node: ShapeNode) -> str | None:
    """``#RRGGBB`` of a solid fill that the shape states itself."""
    if (fill := fill_of(node.properties[0])) is None or fill.tag != qn("a:solidFill"):
        return None
    return stated_color(fill, node.sheet.look.colors)


def _text(node: ShapeNode) -> TextBody | None:
    """The text body of a shape; None if it has none."""
    if (body := text_body(node.element)) is None:
        return None
    return TextBody(
        paragraphs=tuple(paragraph_text(item) for item in body.iterfind(qn("a:p"))),
        wraps=node.body.wraps,
        autofit=node.body.autofit,
        vertical=node.body.direction not in ("horz", ""),
        size_pt=_largest_size(body),
    )


def _largest_size(body: Element) -> float | None:
    """Sizes count in hundredths of a point (ST_TextFontSize)."""
    runs = (child for p in body.iterfind(qn("a:p")) for child in children(p) if child.tag in _RUNS)
    stated = (properties.get("sz") for run in runs for properties in run.iterfind(qn("a:rPr")))
    sizes = [size for text in stated if (size := parse_int(text)) is not None]
    return max(sizes) / 100 if sizes else None


def _background(sheet: Sheet) -> Background | None:
    """The background that a sheet states itself; None if it shows its parent's.

    A reference to the theme's background styles is of kind ``theme``, with the theme's picture
    if that style is one.
    """
    stated = None if sheet.root is None else stated_background(sheet.root)
    if stated is None:
        return None
    fill, theme = stated.fill, sheet.look.theme
    if stated.reference is not None:
        styled = theme.fill(parse_int(stated.reference.get("idx")) or 0)
        if styled is None or styled.tag != qn("a:blipFill") or theme.source is None:
            return Background("theme", None)
        return Background("theme", read_picture(styled, theme.source))
    kind = None if fill is None else _BACKGROUNDS.get(local_name(str(fill.tag)))
    if kind is None:
        return None
    return Background(kind, read_picture(fill, sheet.source) if kind == "picture" else None)
