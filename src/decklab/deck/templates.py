"""Layouts and masters: what slides inherit from, each read once for a whole deck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from decklab.deck.backgrounds import read_background
from decklab.deck.colors import ColorScheme, read_theme_colors
from decklab.deck.outline import Background, Layout
from decklab.deck.placeholders import (
    Placeholder,
    find_in_layout,
    find_in_master,
    placeholders,
)
from decklab.deck.shapes import Behind, Scene, read_shapes, shape_elements
from decklab.deck.source import Source
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element

__all__ = ["Template", "read_layout", "read_master", "shape_tree", "slide_colors"]


@dataclass(frozen=True)
class Template:
    """A layout or master as slides need it: what it is, and what its placeholders hand down."""

    outline: Layout
    colors: ColorScheme
    placeholders: tuple[Placeholder, ...]
    theme: Element | None
    theme_source: Source | None
    parent: "Template | None" = None
    """The master of a layout."""

    def behind(self, one: Placeholder) -> Sequence[Element]:
        """The shape elements a slide's placeholder inherits from: layout's, then master's."""
        mine = find_in_layout(one, self.placeholders)
        if mine is None:
            return ()
        return (mine.element, *_behind_layout(self.parent)(mine))

    def background(self, root: Element, source: Source) -> Background | None:
        """The background that a part under this template sets itself."""
        return read_background(root, source, self.theme, self.theme_source)


def shape_tree(root: Element) -> Element | None:
    """The ``p:spTree`` of a slide, layout or master."""
    return root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")


def read_master(source: Source, size_emu: tuple[int, int]) -> Template:
    """The master in a part; an empty one, and a note, where the part is damaged."""
    root = source.root()
    theme_part = source.related("theme")
    theme_source = None if theme_part is None else source.of(theme_part)
    theme = None if theme_source is None else theme_source.root()
    slots = {} if theme is None else read_theme_colors(theme)
    mapping = None if root is None else root.find(qn("p:clrMap"))
    colors = ColorScheme(slots, {} if mapping is None else _mapping(mapping))
    name = "" if theme is None else theme.get("name") or ""
    return _template(source, root, size_emu, colors, theme, theme_source, None, name)


def read_layout(source: Source, master: Template | None, size_emu: tuple[int, int]) -> Template:
    """The layout in a part; an empty one, and a note, where the part is damaged."""
    root = source.root()
    colors = ColorScheme() if master is None else master.colors
    if root is not None:
        colors = slide_colors(root, colors)
    theme = None if master is None else master.theme
    theme_source = None if master is None else master.theme_source
    return _template(source, root, size_emu, colors, theme, theme_source, master, "")


def slide_colors(root: Element, inherited: ColorScheme) -> ColorScheme:
    """The colours of a slide or layout: its parent's, unless it maps them anew."""
    override = root.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")
    return inherited if override is None else inherited.remapped(_mapping(override))


def _template(
    source: Source,
    root: Element | None,
    size_emu: tuple[int, int],
    colors: ColorScheme,
    theme: Element | None,
    theme_source: Source | None,
    master: Template | None,
    name: str,
) -> Template:
    part = source.part
    parent = None if master is None else master.outline.part
    tree = None if root is None else shape_tree(root)
    if root is None or tree is None:
        empty = Layout(part, name, parent, (), None)
        return Template(empty, colors, (), theme, theme_source, master)
    scene = Scene(source, size_emu, colors, _behind_layout(master))
    own_name = (root.find(qn("p:cSld")).get("name") or "")
    outline = Layout(
        part=part,
        name=own_name or name,
        master=parent,
        shapes=tuple(read_shapes(tree, scene)),
        background=read_background(root, source, theme, theme_source),
    )
    held = placeholders(shape_elements(tree))
    return Template(outline, colors, held, theme, theme_source, master)


def _behind_layout(master: Template | None) -> Behind:
    def behind(one: Placeholder) -> Sequence[Element]:
        found = None if master is None else find_in_master(one, master.placeholders)
        return () if found is None else (found.element,)

    return behind


def _mapping(element: Element) -> Mapping[str, str]:
    return {str(name): str(slot) for name, slot in element.attrib.items()}
