"""Slides, layouts and masters of a deck, each read once, with what they inherit and the background
they show.

Placeholders: which shape of the layout, and of the master, a placeholder inherits from.

A slide's placeholder finds its layout's by index, a title by its type; a layout's finds its
master's by type (ISO/IEC 29500-1, 19.3.1.36, and the behaviour of PowerPoint).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.frames import rounded
from decklab.deck.model.base import Effective, Origin
from decklab.deck.part import ReadingLog, Source, shape_elements, shape_tree
from decklab.deck.styles.characters import ChainLink, Inheritance
from decklab.deck.styles.fills import NO_FILL, Fill, fill_of, fill_style, read_fill, solid_fill
from decklab.deck.styles.table_styles import TableStyles, read_table_styles
from decklab.deck.styles.themes import (
    ColorScheme,
    MappedTheme,
    Stated,
    Theme,
    override_theme,
    read_theme,
)
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideEntry
from decklab.ooxml.xml import EMU_PER_POINT, Element, parse_int, qn

_TITLES = frozenset({"title", "ctrTitle"})
_MASTER_TYPES = {
    "ctrTitle": "title",
    "title": "title",
    "dt": "dt",
    "ftr": "ftr",
    "sldNum": "sldNum",
    "hdr": "hdr",
}


@dataclass(frozen=True)
class PlaceholderKey:
    """The place in the template that a placeholder states, and the shape's element."""

    type: str
    idx: int
    numbered: bool
    """Whether it states its index; else index 0 is only the default."""
    element: Element

    @property
    def master_type(self) -> str:
        """The type of the master's placeholder that it inherits from: ``body`` for all content."""
        return _MASTER_TYPES.get(self.type, "body")


def placeholder_of(element: Element) -> PlaceholderKey | None:
    """The placeholder a shape element is; None for all others."""
    for holder in element:
        if isinstance(holder.tag, str) and holder.tag.endswith(("SpPr", "PicPr", "FramePr")):
            if (ph := holder.find(f"{qn('p:nvPr')}/{qn('p:ph')}")) is not None:
                idx = parse_int(ph.get("idx"))
                return PlaceholderKey(ph.get("type") or "obj", idx or 0, idx is not None, element)
            return None
    return None


class Placeholders(tuple[PlaceholderKey, ...]):
    """The placeholders of one layout or master, in order, with an index to find one by."""

    @cached_property
    def first(self) -> dict[tuple[str, object], PlaceholderKey]:
        """The first placeholder of each kind of key: by ``type``, ``master``, ``idx``, ``both``."""
        keys: dict[tuple[str, object], PlaceholderKey] = {}
        for item in self:
            is_title = item.type in _TITLES
            keys.setdefault(("type", "title" if is_title else item.type), item)
            keys.setdefault(("master", item.master_type), item)
            if not is_title:
                keys.setdefault(("idx", item.idx), item)
                keys.setdefault(("both", (item.idx, item.type)), item)
        return keys


def placeholders(elements: Iterable[Element]) -> Placeholders:
    """The placeholders among shape elements, in order."""
    keys = (placeholder_of(element) for element in elements)
    return Placeholders(item for item in keys if item is not None)


def find_in_layout(key: PlaceholderKey, layout: Placeholders) -> PlaceholderKey | None:
    """The layout's placeholder that a slide's inherits from; None if the layout has none."""
    first = layout.first
    if key.type in _TITLES:
        return first.get(("type", "title"))
    numbered = first.get(("both", (key.idx, key.type))) or first.get(("idx", key.idx))
    if numbered is not None:
        return numbered
    if not key.numbered or key.master_type != "body":
        return first.get(("type", key.type))
    return None


def find_in_master(key: PlaceholderKey, master: Placeholders) -> PlaceholderKey | None:
    """The master's placeholder that a layout's inherits from; None if the master has none."""
    return master.first.get(("master", key.master_type))


SheetKind = Literal["slide", "layout", "master"]

_PARENTS: dict[SheetKind, tuple[str, SheetKind]] = {
    "slide": ("slideLayout", "layout"),
    "layout": ("slideMaster", "master"),
}
_TEXT_STYLES = {"title": "p:titleStyle", "body": "p:bodyStyle"}


@dataclass(frozen=True, eq=False)
class Sheet:
    """One slide, layout or master."""

    kind: SheetKind
    reading: "DeckReading"
    source: Source
    root: Element | None
    """None if the part is damaged."""
    look: MappedTheme
    """The theme under the sheet's colour map."""
    inheritance: Inheritance
    parent: "Sheet | None"
    """A slide's layout, a layout's master."""
    placeholders: Placeholders

    def chain_of(self, shape: Element, key: PlaceholderKey | None) -> tuple[Stated, ...]:
        """A shape, then the placeholders it inherits from, nearest first.

        ``key`` is the shape as a placeholder; None for other shapes.
        """
        here = Stated(shape, "shape", self.source)
        if key is None or self.parent is None:
            return (here,)
        return (here, *self.parent.inherited_by(key, self.kind))

    def inherited_by(self, key: PlaceholderKey, kind: SheetKind) -> tuple[Stated, ...]:
        """The placeholders of this layout or master, then of its parent, that a placeholder of a
        child sheet inherits from."""
        find = find_in_layout if kind == "slide" else find_in_master
        if (placeholder := find(key, self.placeholders)) is None:
            return ()
        origin: Literal["layout", "master"] = "layout" if self.kind == "layout" else "master"
        here = Stated(placeholder.element, origin, self.source)
        if self.parent is None:
            return (here,)
        return (here, *self.parent.inherited_by(placeholder, self.kind))

    def text_style(self, key: PlaceholderKey | None) -> tuple[Stated, ...]:
        """The master's text style that holds for a placeholder; none for other shapes."""
        master = self.top
        if key is None or master.root is None or master.kind != "master":
            return ()
        name = _TEXT_STYLES.get(key.master_type, "p:otherStyle")
        style = master.root.find(f"{qn('p:txStyles')}/{qn(name)}")
        return () if style is None else (Stated(style, "master", master.source),)

    @property
    def top(self) -> "Sheet":
        """The master; if it is missing, the last sheet on the way to it."""
        return self if self.parent is None else self.parent.top

    @property
    def tree(self) -> Element | None:
        """The shape tree; None if it is missing."""
        return None if self.root is None else shape_tree(self.root)

    @property
    def part(self) -> str:
        """Name of its part."""
        return self.source.part

    @property
    def name(self) -> str:
        """The name that the part states; for a master without one, its theme's."""
        return stated_name(self.root) or (self.theme_name if self.kind == "master" else "")

    @property
    def theme_name(self) -> str:
        """Of its master's theme."""
        return self.top.look.theme.name


@dataclass
class DeckReading:
    """One reading of a deck: its sheets by part, read when needed, and their shared values."""

    package: Package
    root: Element
    """Of the presentation part."""
    slides: tuple[SlideEntry, ...]
    size_emu: tuple[int, int]
    """Width and height of the slides."""
    log: ReadingLog
    _sheets: dict[str, Sheet] = field(default_factory=dict)
    _roots: dict[str, Element | None] = field(default_factory=dict)
    _themes: dict[str, Theme] = field(default_factory=dict)

    @cached_property
    def slide_ids(self) -> Mapping[str, int]:
        """Slide id by part name."""
        return {entry.part: entry.id for entry in self.slides}

    @property
    def main(self) -> Source:
        """The presentation part."""
        return Source(self.package, self.package.main_part, self.log)

    @property
    def size_pt(self) -> tuple[float, float]:
        """Width and height of the slides in points."""
        return rounded(self.size_emu[0] / EMU_PER_POINT), rounded(self.size_emu[1] / EMU_PER_POINT)

    def across(self, emu: float) -> float:
        """A horizontal length or place in px of the slide frame."""
        return rounded(emu * (FRAME_WIDTH / self.size_emu[0]))

    def down(self, emu: float) -> float:
        """A vertical length or place in px of the slide frame."""
        return rounded(emu * (FRAME_HEIGHT / self.size_emu[1]))

    @cached_property
    def defaults(self) -> Sequence[ChainLink]:
        """The presentation's default text style, if it has one."""
        style = self.root.find(qn("p:defaultTextStyle"))
        return () if style is None else (Stated(style, "presentation", self.main),)

    @cached_property
    def table_styles(self) -> TableStyles:
        """The deck's table styles, and the built-in ones of PowerPoint."""
        part = self.main.related("tableStyles")
        return read_table_styles(None if part is None else self.main.of(part).root())

    def sheet(self, part: str, kind: SheetKind) -> Sheet:
        """The sheet in a part; an empty one, and a recorded problem, if the part is damaged."""
        if part not in self._sheets:
            self._sheets[part] = self._read(self.main.of(part), kind)
        return self._sheets[part]

    def sheet_root(self, part: str) -> Element | None:
        """The root of a sheet's part, parsed once; None, and a problem recorded, if damaged."""
        if part not in self._roots:
            self._roots[part] = self.main.of(part).root()
        return self._roots[part]

    def use_templates(self, templates: Mapping[str, Sheet]) -> None:
        """Use layouts and masters that were read before from a package with the same ones."""
        for sheet in templates.values():
            self._use(sheet)

    def forget_sheets(self) -> None:
        """Release the sheets: they refer to this reading, which delays freeing their memory."""
        self._sheets.clear()
        self._roots.clear()

    def _use(self, sheet: Sheet) -> Sheet:
        if sheet.part not in self._sheets:
            parent = None if sheet.parent is None else self._use(sheet.parent)
            self._sheets[sheet.part] = replace(sheet, reading=self, parent=parent)
        return self._sheets[sheet.part]

    def _read(self, source: Source, kind: SheetKind) -> Sheet:
        root = self.sheet_root(source.part)
        parent = None
        if kind in _PARENTS:
            relation, parent_kind = _PARENTS[kind]
            part = source.related(relation)
            parent = None if part is None else self.sheet(part, parent_kind)
        look = self._look(source, root) if parent is None else _look(source, root, parent)
        shared = parent is not None and parent.look is look
        tree = None if root is None else shape_tree(root)
        return Sheet(
            kind=kind,
            reading=self,
            source=source,
            root=root,
            look=look,
            inheritance=parent.inheritance if shared and parent else Inheritance(look),
            parent=parent,
            placeholders=Placeholders() if tree is None else placeholders(shape_elements(tree)),
        )

    def _look(self, source: Source, root: Element | None) -> MappedTheme:
        """The look of a sheet without parent."""
        if (part := source.related("theme") or "") not in self._themes:
            self._themes[part] = read_theme(source.of(part) if part else None)
        theme = self._themes[part]
        mapping = None if root is None else root.find(qn("p:clrMap"))
        return MappedTheme(theme, ColorScheme(theme.colors, _color_map(mapping)))


def stated_name(root: Element | None) -> str:
    """The name that the root of a slide, layout or master states; empty for none."""
    content = None if root is None else root.find(qn("p:cSld"))
    return "" if content is None else content.get("name") or ""


def stated_color_map(root: Element) -> dict[str, str]:
    """Names to theme slots, as a slide, layout or master maps them itself; empty if it has its
    parent's map."""
    element = root.find(qn("p:clrMap"))
    return dict(_color_map(_override(root) if element is None else element))


def _look(source: Source, root: Element | None, parent: Sheet) -> MappedTheme:
    """The look of a sheet with a parent; the parent's own look where the sheet changes nothing."""
    theme = _overridden(source, parent.look.theme)
    colors = parent.look.colors
    if theme is not parent.look.theme:
        colors = ColorScheme(theme.colors, colors.mapping)
    if (override := None if root is None else _override(root)) is not None:
        colors = colors.remapped(_color_map(override))
    if theme is parent.look.theme and colors is parent.look.colors:
        return parent.look
    return MappedTheme(theme, colors)


def _overridden(source: Source, theme: Theme) -> Theme:
    part = source.related("themeOverride")
    here = None if part is None else source.of(part)
    root = None if here is None else here.root()
    return theme if root is None else override_theme(theme, root, here)


def _override(root: Element) -> Element | None:
    return root.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")


def _color_map(element: Element | None) -> Mapping[str, str]:
    return {} if element is None else {str(k): str(v) for k, v in element.attrib.items()}


@dataclass(frozen=True)
class StatedBackground:
    """The background that a part's root states."""

    fill: Element | None
    """A fill of its own."""
    reference: Element | None
    """The reference to a fill of the theme (``p:bgRef``), if it has no fill of its own."""


def stated_background(root: Element) -> StatedBackground | None:
    """The background in a part's root; None if it states none and shows its parent's."""
    if (holder := root.find(f"{qn('p:cSld')}/{qn('p:bg')}")) is None:
        return None
    fill = fill_of(holder.find(qn("p:bgPr")))
    return StatedBackground(fill, None if fill is not None else holder.find(qn("p:bgRef")))


def effective_background(sheet: Sheet) -> Effective[Fill]:
    """The background of a slide, layout or master, under its own colour map.

    A reference to a background style of the theme has the source ``theme``; if nothing is stated
    the background is the theme's ``bg1``. A slide that states to paint nothing (``a:noFill``, or a
    reference to style 0 or 1000) shows what its layout shows; a layout or master that states so
    shows the bare page, ``NO_FILL``. ISO/IEC 29500 leaves this open; it is what LibreOffice draws.
    """
    holder: Sheet | None = sheet
    while holder is not None:
        stated = None if holder.root is None else _stated(holder.root, holder.kind, holder, sheet)
        skipped = holder.kind == "slide" and stated is not None and stated.value == NO_FILL
        if stated is not None and not skipped:
            return stated
        holder = holder.parent
    return Effective(solid_fill(sheet.look.slot("bg1")), "default")


def _stated(root: Element, origin: Origin, holder: Sheet, shown: Sheet) -> Effective[Fill] | None:
    if (background := stated_background(root)) is None:
        return None
    if background.fill is not None:
        fill = read_fill(background.fill, shown.look, holder.source)
        return None if fill is None else Effective(fill, origin)
    if (reference := background.reference) is None:
        return None
    index = parse_int(reference.get("idx")) or 0
    styled = fill_style(index, shown.look.color(reference), shown.look)
    return None if styled is None else Effective(styled, "theme")
