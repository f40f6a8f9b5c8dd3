"""Layouts and masters: what slides inherit from, each read once for a whole deck."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from decklab.deck.backgrounds import read_background
from decklab.deck.model.outline import Layout
from decklab.deck.part import Source
from decklab.deck.placeholders import (
    Placeholder,
    Placeholders,
    find_in_layout,
    find_in_master,
    placeholders,
)
from decklab.deck.roots import color_map, shape_tree, slide_colors
from decklab.deck.shapes import Scene, read_shapes, shape_elements
from decklab.deck.styles.colors import ColorScheme
from decklab.deck.styles.themes import Theme, read_theme
from decklab.ooxml.xml import Element, qn


@dataclass(frozen=True)
class Template:
    """A layout or master as slides need it: what it is, and what its placeholders hand down."""

    outline: Layout
    colors: ColorScheme
    theme: Theme
    placeholders: Placeholders
    master: "Template | None" = None
    """The master of a layout."""
    layout_parts: tuple[str, ...] = ()
    """Existing layouts of a master: the listed ones in order, then any others it refers to."""

    def behind(self, one: Placeholder) -> Sequence[Element]:
        """The shape elements a slide's placeholder inherits from: layout's, then master's."""
        mine = find_in_layout(one, self.placeholders)
        if mine is None:
            return ()
        return (mine.element, *_handed_down(self.master, mine))


@dataclass
class Templates:
    """The masters and layouts of a deck by part name, in the deck's order, read when met."""

    source: Source
    size_emu: tuple[int, int]
    masters: dict[str, Template] = field(default_factory=dict)
    layouts: dict[str, Template] = field(default_factory=dict)
    themes: dict[str, Theme] = field(default_factory=dict)

    def add_master(self, part: str) -> None:
        """Read a master and the layouts it lists."""
        for layout_part in self.master(part).layout_parts:
            self.layout(layout_part)

    def master(self, part: str) -> Template:
        """The master in a part; an empty one, and a note, where the part is damaged."""
        if part not in self.masters:
            here = self.source.of(part)
            self.masters[part] = _read_master(here, self._theme(here), self.size_emu)
        return self.masters[part]

    def layout(self, part: str) -> Template:
        """The layout in a part; an empty one, and a note, where the part is damaged."""
        if part not in self.layouts:
            here = self.source.of(part)
            master_part = here.related("slideMaster")
            master = None if master_part is None else self.master(master_part)
            self.layouts[part] = _read_layout(here, master, self.size_emu)
        return self.layouts[part]

    def _theme(self, master: Source) -> Theme:
        part = master.related("theme")
        if part is None:
            return Theme()
        if part not in self.themes:
            self.themes[part] = read_theme(master.of(part))
        return self.themes[part]


def nothing_behind(_one: Placeholder) -> Sequence[Element]:
    """What a placeholder inherits where there is no template."""
    return ()


def _read_master(source: Source, theme: Theme, size_emu: tuple[int, int]) -> Template:
    root = source.root()
    mapping = None if root is None else root.find(qn("p:clrMap"))
    empty = Template(
        outline=Layout(source.part, theme.name, None, (), None),
        colors=ColorScheme(theme.colors, color_map(mapping)),
        theme=theme,
        placeholders=Placeholders(),
        layout_parts=tuple(_layout_parts(root, source)),
    )
    return empty if root is None else _filled(empty, root, source, size_emu)


def _read_layout(source: Source, master: Template | None, size_emu: tuple[int, int]) -> Template:
    root = source.root()
    empty = Template(
        outline=Layout(source.part, "", None if master is None else master.outline.part, (), None),
        colors=ColorScheme() if master is None else master.colors,
        theme=Theme() if master is None else master.theme,
        placeholders=Placeholders(),
        master=master,
    )
    return empty if root is None else _filled(empty, root, source, size_emu)


def _filled(empty: Template, root: Element, source: Source, size_emu: tuple[int, int]) -> Template:
    """A template with the shapes, name and background that stand in its part."""
    tree = shape_tree(root)
    if tree is None:
        source.notes.add(source.part, "it has no shape tree")
        return empty
    colors = slide_colors(root, empty.colors)

    def behind(one: Placeholder) -> Sequence[Element]:
        return _handed_down(empty.master, one)

    content = root.find(qn("p:cSld"))
    outline = Layout(
        part=source.part,
        name=(None if content is None else content.get("name")) or empty.outline.name,
        master=empty.outline.master,
        shapes=tuple(read_shapes(tree, Scene(source, size_emu, colors, behind))),
        background=read_background(root, source, empty.theme),
    )
    held = placeholders(shape_elements(tree))
    return replace(empty, outline=outline, colors=colors, placeholders=held)


def _layout_parts(root: Element | None, source: Source) -> dict[str, None]:
    items = () if root is None else root.iterfind(f"{qn('p:sldLayoutIdLst')}/*")
    parts: dict[str, None] = {}
    for item in items:
        part = source.linked_part(item)
        if part is None:
            source.notes.add(source.part, f"layout {item.get(qn('r:id'))} leads to no part")
        else:
            parts[part] = None
    for link in source.links().values():
        if link.kind == "slideLayout" and not link.external and link.target in source.package:
            parts[link.target] = None
    return parts


def _handed_down(master: Template | None, one: Placeholder) -> Sequence[Element]:
    found = None if master is None else find_in_master(one, master.placeholders)
    return () if found is None else (found.element,)
