"""Slides, layouts and masters as elements."""

from collections.abc import Mapping
from typing import Any

from decklab.deck.comments import Authors, comments_of, notes_of
from decklab.deck.elements import elements_of
from decklab.deck.measures import flag
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
from decklab.deck.part import Source
from decklab.deck.roots import stated_color_map
from decklab.deck.sheets import Sheet
from decklab.deck.styles.backgrounds import effective_background
from decklab.deck.styles.colors import WHITE, mixed
from decklab.deck.styles.definitions import list_styles, text_styles
from decklab.deck.styles.fills import Fill, main_color
from decklab.deck.styles.paints import paint_of
from decklab.deck.timing import animations_of, transition_of
from decklab.deck.walking import Canvas, Desk
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
    sheet: Sheet, desk: Desk, *, number: int, id: int, sections: Mapping[int, str], authors: Authors
) -> SlideElements:
    """One slide with everything on it."""
    canvas = Canvas(desk, sheet)
    contents = _contents(canvas)
    root = sheet.root
    layout = sheet.parent
    master = None if layout is None else layout.parent
    fields: dict[str, Any] = {
        "number": number,
        "id": id,
        "part": sheet.source.part,
        "section": sections.get(id),
        "layout": "" if layout is None else _name(layout, desk),
        "layout_part": "" if layout is None else layout.source.part,
        "master": "" if master is None else _name(master, desk),
        "theme": desk.theme_name(sheet),
        "notes": notes_of(sheet.source),
        "comments": comments_of(canvas, authors),
    }
    if root is not None:
        fields |= _slide_fields(root)
    return SlideElements(**contents, **fields, **_placeholder_texts(contents["texts"]))


def missing_slide(number: int, id: int, desk: Desk) -> SlideElements:
    """The place of a slide that the deck lists and that is not there."""
    return SlideElements(background=WHITE.hex, size_pt=desk.size_pt, number=number, id=id)


def read_template(sheet: Sheet, desk: Desk) -> TemplateElements:
    """One layout or master."""
    root = sheet.root
    return TemplateElements(
        **_contents(Canvas(desk, sheet)),
        kind="layout" if sheet.kind == "layout" else "master",
        name=_name(sheet, desk),
        part=sheet.source.part,
        type="" if root is None else root.get("type") or "",
        parent=None if sheet.parent is None else sheet.parent.source.part,
        theme=desk.theme_name(sheet),
        shows_master=root is None or flag(root.get("showMasterSp")) is not False,
        text_styles=text_styles(sheet, desk),
        list_styles=list_styles(sheet, desk),
    )


def named_template(sheet: Sheet, desk: Desk) -> TemplateElements:
    """One layout or master by its names."""
    return TemplateElements(
        background=WHITE.hex,
        size_pt=desk.size_pt,
        kind="layout" if sheet.kind == "layout" else "master",
        name=_name(sheet, desk),
        part=sheet.source.part,
        type="" if sheet.root is None else sheet.root.get("type") or "",
        parent=None if sheet.parent is None else sheet.parent.source.part,
        theme=desk.theme_name(sheet),
        used=False,
    )


def unused_layout(source: Source, master: Sheet, desk: Desk) -> TemplateElements:
    """A layout that no slide uses, by its names."""
    root = source.root()
    return TemplateElements(
        background=WHITE.hex,
        size_pt=desk.size_pt,
        kind="layout",
        name=_stated_name(root),
        part=source.part,
        type="" if root is None else root.get("type") or "",
        parent=master.source.part,
        theme=desk.theme_name(master),
        used=False,
    )


def _contents(canvas: Canvas) -> dict[str, Any]:
    background = effective_background(canvas.sheet)
    sources: Sources = {}
    if background.source != "default":
        sources["background"] = background.source
    lists: dict[str, list[Element]] = {kind: [] for kind in KINDS}
    for element in elements_of(canvas):
        lists[_LISTS[type(element)]].append(element)
    return {
        "background": _on_paper(background.value),
        "background_paint": paint_of(background.value, canvas.desk),
        "size_pt": canvas.desk.size_pt,
        "color_map": {} if canvas.sheet.root is None else stated_color_map(canvas.sheet.root),
        "sources": sources,
        **{kind: tuple(items) for kind, items in lists.items()},
    }


def _on_paper(fill: Fill) -> str:
    """The colour that stands for a background, seen through to the white page where it is
    translucent; white for none and for pictures."""
    if fill.kind in ("none", "picture"):
        return WHITE.hex
    color = main_color(fill)
    return mixed(WHITE, color, color.alpha).hex


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


def _name(sheet: Sheet, desk: Desk) -> str:
    return _stated_name(sheet.root) or (desk.theme_name(sheet) if sheet.kind == "master" else "")


def _stated_name(root: Xml | None) -> str:
    content = None if root is None else root.find(qn("p:cSld"))
    return "" if content is None else content.get("name") or ""
