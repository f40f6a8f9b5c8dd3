"""Slides, layouts and masters as elements."""

from collections.abc import Iterable, Mapping
from typing import Any

from decklab.deck.comments import Authors, comments_of, notes_of
from decklab.deck.elements import elements_of
from decklab.deck.model.base import Sources
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
)
from decklab.deck.model.slide import KINDS, SlideElements, TemplateElements
from decklab.deck.shapes import ShapeNode
from decklab.deck.sheets import Sheet, stated_color_map, stated_name
from decklab.deck.styles.backgrounds import effective_background
from decklab.deck.styles.colors import WHITE, mixed
from decklab.deck.styles.definitions import list_styles, text_styles
from decklab.deck.styles.fills import Fill
from decklab.deck.timing import animations_of, transition_of
from decklab.ooxml.slide_list import SlideEntry
from decklab.ooxml.units import flag
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import qn

_LISTS: dict[type[Element], str] = {
    Text: "texts", Rect: "rects", Line: "lines", Image: "images", Table: "tables",
    Chart: "charts", Diagram: "diagrams", Media: "media", Group: "groups", Other: "others",
}  # fmt: skip
_FURNITURE = {"hdr": "header", "ftr": "footer", "dt": "date", "sldNum": "slide_number"}
_TITLES = ("title", "ctrTitle")
_CREATION_ID = qn("p14:creationId")


def read_slide(
    sheet: Sheet,
    shapes: Iterable[ShapeNode],
    entry: SlideEntry,
    *,
    sections: Mapping[int, str],
    authors: Authors,
) -> SlideElements:
    """One slide with everything on it; ``shapes`` are those of the sheet."""
    contents = _contents(sheet, shapes)
    layout = sheet.parent
    master = None if layout is None else layout.parent
    fields: dict[str, Any] = {
        "number": entry.number,
        "id": entry.id,
        "part": sheet.part,
        "section": sections.get(entry.id),
        "layout": "" if layout is None else layout.name,
        "layout_part": "" if layout is None else layout.part,
        "master": "" if master is None else master.name,
        "theme": sheet.theme_name,
        "notes": notes_of(sheet.source),
        "comments": comments_of(sheet, authors),
    }
    if sheet.root is not None:
        fields |= _slide_fields(sheet.root)
    return SlideElements(**contents, **fields, **_placeholder_texts(contents["texts"]))


def read_template(sheet: Sheet, shapes: Iterable[ShapeNode]) -> TemplateElements:
    """One layout or master with everything on it; ``shapes`` are those of the sheet."""
    return TemplateElements(
        **_contents(sheet, shapes),
        **_template_fields(sheet),
        shows_master=sheet.root is None or flag(sheet.root.get("showMasterSp")) is not False,
        text_styles=text_styles(sheet),
        list_styles=list_styles(sheet),
    )


def named_template(sheet: Sheet) -> TemplateElements:
    """One layout or master, only its names."""
    size = sheet.reading.size_pt
    fields = _template_fields(sheet)
    return TemplateElements(background=WHITE.hex, size_pt=size, **fields, used=False)


def unused_layout(part: str, master: Sheet) -> TemplateElements:
    """A layout that no slide uses, by its names."""
    root = master.reading.sheet_root(part)
    return TemplateElements(
        background=WHITE.hex,
        size_pt=master.reading.size_pt,
        kind="layout",
        name=stated_name(root),
        part=part,
        type="" if root is None else root.get("type") or "",
        parent=master.part,
        theme=master.theme_name,
        used=False,
    )


def _template_fields(sheet: Sheet) -> dict[str, Any]:
    return {
        "kind": "layout" if sheet.kind == "layout" else "master",
        "name": sheet.name,
        "part": sheet.part,
        "type": "" if sheet.root is None else sheet.root.get("type") or "",
        "parent": None if sheet.parent is None else sheet.parent.part,
        "theme": sheet.theme_name,
    }


def _contents(sheet: Sheet, shapes: Iterable[ShapeNode]) -> dict[str, Any]:
    background = effective_background(sheet)
    sources: Sources = {}
    if background.source != "default":
        sources["background"] = background.source
    lists: dict[str, list[Element]] = {kind: [] for kind in KINDS}
    for element in elements_of(sheet, shapes):
        lists[_LISTS[type(element)]].append(element)
    return {
        "background": _on_paper(background.value),
        "background_paint": background.value.paint,
        "size_pt": sheet.reading.size_pt,
        "color_map": {} if sheet.root is None else stated_color_map(sheet.root),
        "sources": sources,
        **{kind: tuple(items) for kind, items in lists.items()},
    }


def _on_paper(fill: Fill) -> str:
    """The one colour for a background, over the white page where it is translucent; white for none
    and for pictures."""
    if fill.kind in ("none", "picture"):
        return WHITE.hex
    return mixed(WHITE, fill.color, fill.color.alpha).hex


def _slide_fields(root: Xml) -> dict[str, Any]:
    content = root.find(qn("p:cSld"))
    mark = None if content is None else content.find(f"{qn('p:extLst')}//{_CREATION_ID}")
    return {
        "name": "" if content is None else content.get("name") or "",
        "creation_id": None if mark is None else mark.get("val"),
        "hidden": flag(root.get("show")) is False,
        "shows_master": flag(root.get("showMasterSp")) is not False,
        "transition": transition_of(root),
        "animations": animations_of(root),
    }


def _placeholder_texts(texts: tuple[Text, ...]) -> dict[str, Any]:
    """Title, header, footer, date and slide number, by the names of the slide's fields."""
    found: dict[str, Any] = {}
    for text in texts:
        kind = "" if text.placeholder is None else text.placeholder.type
        name = "title" if kind in _TITLES else _FURNITURE.get(kind)
        if name is not None:
            found.setdefault(name, text.text)
    return found
