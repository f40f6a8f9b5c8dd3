"""Slides, layouts and masters as styles see them: each with its look and what it inherits from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from decklab.deck.part import Notes, Source
from decklab.deck.placeholders import (
    Placeholder,
    find_in_layout,
    find_in_master,
    placeholder_of,
    placeholders,
)
from decklab.deck.roots import color_map, shape_tree, slide_colors
from decklab.deck.shapes import shape_elements
from decklab.deck.styles.colors import ColorScheme
from decklab.deck.styles.inheritance import Inheritance, Step
from decklab.deck.styles.table_styles import TableStyles, read_table_styles
from decklab.deck.styles.themes import Look, Stated, Theme, override_theme, read_theme
from decklab.ooxml.package import Package
from decklab.ooxml.xml import Element, qn

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
    source: Source
    root: Element | None
    """None where the part is damaged."""
    look: Look
    inheritance: Inheritance
    parent: "Sheet | None"
    """A slide's layout, a layout's master."""
    placeholders: tuple[Placeholder, ...] = ()

    def behind(self, shape: Element) -> tuple[Stated, ...]:
        """A shape, then the placeholders it inherits from, nearest first."""
        here = Stated(shape, "shape", self.source)
        one = placeholder_of(shape)
        if one is None or self.parent is None:
            return (here,)
        return (here, *self.parent.handed_down(one, self.kind))

    def handed_down(self, one: Placeholder, to: SheetKind) -> tuple[Stated, ...]:
        """The placeholders of this layout or master, and behind, that one inherits from."""
        find = find_in_layout if to == "slide" else find_in_master
        found = find(one, self.placeholders)
        if found is None:
            return ()
        origin: Literal["layout", "master"] = "layout" if self.kind == "layout" else "master"
        here = Stated(found.element, origin, self.source)
        if self.parent is None:
            return (here,)
        return (here, *self.parent.handed_down(found, self.kind))

    def text_style(self, shape: Element) -> tuple[Stated, ...]:
        """The master's text style that holds for a placeholder; none for other shapes."""
        one = placeholder_of(shape)
        master = self
        while master.parent is not None:
            master = master.parent
        if one is None or master.root is None or master.kind != "master":
            return ()
        name = _TEXT_STYLES.get(one.master_type, "p:otherStyle")
        found = master.root.find(f"{qn('p:txStyles')}/{qn(name)}")
        return () if found is None else (Stated(found, "master", master.source),)

    @property
    def tree(self) -> Element | None:
        """The shape tree; None where there is none."""
        return None if self.root is None else shape_tree(self.root)


@dataclass
class Sheets:
    """All sheets of a package by part name, read when met, and what they all inherit."""

    package: Package
    notes: Notes = field(default_factory=Notes)
    _known: dict[str, Sheet] = field(default_factory=dict)
    _table_styles: TableStyles | None = None
    _defaults: tuple[Stated, ...] | None = None

    @property
    def main(self) -> Source:
        """The presentation part."""
        return Source(self.package, self.package.main_part, self.notes)

    @property
    def defaults(self) -> Sequence[Step]:
        """The presentation's default text style, where it has one."""
        if self._defaults is None:
            root = self.main.root()
            found = None if root is None else root.find(qn("p:defaultTextStyle"))
            self._defaults = () if found is None else (Stated(found, "presentation", self.main),)
        return self._defaults

    @property
    def table_styles(self) -> TableStyles:
        """The deck's table styles, and those that every PowerPoint knows."""
        if self._table_styles is None:
            part = self.main.related("tableStyles")
            root = None if part is None else self.main.of(part).root()
            self._table_styles = read_table_styles(root)
        return self._table_styles

    def sheet(self, part: str, kind: SheetKind) -> Sheet:
        """The sheet in a part; an empty one, and a note, where the part is damaged."""
        if part not in self._known:
            self._known[part] = self._read(self.main.of(part), kind)
        return self._known[part]

    def _read(self, source: Source, kind: SheetKind) -> Sheet:
        root = source.root()
        parent = None
        if kind in _PARENTS:
            relation, parent_kind = _PARENTS[kind]
            part = source.related(relation)
            parent = None if part is None else self.sheet(part, parent_kind)
        look = _look(source, root, parent)
        shared = parent is not None and parent.look is look
        tree = None if root is None else shape_tree(root)
        return Sheet(
            kind=kind,
            source=source,
            root=root,
            look=look,
            inheritance=parent.inheritance if shared and parent else Inheritance(look),
            parent=parent,
            placeholders=() if tree is None else placeholders(shape_elements(tree)),
        )


def _look(source: Source, root: Element | None, parent: Sheet | None) -> Look:
    """The parent's look itself where this sheet changes nothing of it."""
    if parent is None:
        part = source.related("theme")
        theme = read_theme(None if part is None else source.of(part))
        mapping = None if root is None else root.find(qn("p:clrMap"))
        return Look(theme, ColorScheme(theme.colors, color_map(mapping)))
    theme = _overridden(source, parent.look.theme)
    colors = parent.look.colors
    if theme is not parent.look.theme:
        colors = ColorScheme(theme.colors, colors.mapping)
    if root is not None:
        colors = slide_colors(root, colors)
    if theme is parent.look.theme and colors is parent.look.colors:
        return parent.look
    return Look(theme, colors)


def _overridden(source: Source, theme: Theme) -> Theme:
    part = source.related("themeOverride")
    here = None if part is None else source.of(part)
    root = None if here is None else here.root()
    return theme if root is None else override_theme(theme, root, here)
