"""A template without what its author showed in it: slides, comments, sections, names, pictures.

What stays is a list of what may: masters with their layouts and themes, the masters of notes and
handouts, table styles, embedded fonts and settings. So nothing of an example is taken along because
nobody thought of it.
"""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from pptx.opc.constants import CONTENT_TYPE
from pptx.presentation import Presentation

from decklab.core.errors import DeckError
from decklab.editing.finding import properties, shapes
from decklab.editing.open_parts import edited
from decklab.editing.opening import PPTX_ERRORS, drop_unlisted, opened
from decklab.ooxml.slide_list import list_items
from decklab.ooxml.xml import EMU_PER_POINT, NAMESPACES, qn, take_out

_KEPT_LINKS = frozenset(
    ("slideMaster", "notesMaster", "handoutMaster", "theme", "tableStyles", "presProps", "font")
)
_LEFT_OUT = (
    "p:custShowLst", "p:photoAlbum", "p:custDataLst", "p:modifyVerifier", "p:smartTags", "p:extLst",
)  # fmt: skip
_OF_SHOW = ("p:htmlPubPr", "p:webPr", "p:showPr")
_ID = f"{{{NAMESPACES['r']}}}id"
_SLIDES = ("/ppt/slides/", "/ppt/notesSlides/")
_SHEETS = ("/ppt/slideMasters/", "/ppt/slideLayouts/")
_TITLE_SHARE = 1 / 18
"""Share of the slide's height from which on words are as large as a title: 30 pt of 540. Ours."""
_MENU = 3
"""Buttons alike with words of their own that make a menu. Ours."""
_TO_EXAMPLE = frozenset(("slide", "notesSlide", "comments"))


def opened_template(path: Path) -> Presentation:
    """The masters, layouts and themes of a template as a presentation without slides.

    The kind is that of an ordinary presentation without macros. Raises DeckError where the file
    cannot be read or has no layout.
    """
    deck = opened(path)
    try:
        emptied(deck)
        layouts = sum(len(master.slide_layouts) for master in deck.slide_masters)
    except PPTX_ERRORS as error:
        line = " ".join(f"{type(error).__name__}: {error}".split())
        raise DeckError(path, f"it cannot be used as a template: {line}") from error
    if not layouts:
        detail = "it cannot be used as a template: it has no slide layout"
        raise DeckError(path, detail)
    return deck


def opened_design(path: Path) -> Presentation:
    """A deck with its slides, opened for slides like them: every shape can be named."""
    deck = opened(path)
    drop_unlisted(deck.part)
    for part in deck.part.package.iter_parts():
        if part.partname.startswith(_SHEETS):
            drop_left_over(getattr(part, "_element", None), int(deck.slide_height or 0))
    _renumber_twins(deck)
    return deck


def _renumber_twins(prs: Presentation) -> None:
    """Give shapes that share an id on their slide ids of their own, so that each can be named."""
    for slide in prs.slides:
        seen: set[str] = set()
        top = max((int(properties(one).get("id") or 0) for one in shapes(slide)), default=1)
        for element in shapes(slide):
            marks = properties(element)
            if marks.get("id") in seen:
                top += 1
                marks.set("id", str(top))
            seen.add(str(marks.get("id")))


def emptied(deck: Any, keep: int = 0) -> None:
    """Leave of a deck its design and the last ``keep`` of its slides."""
    root, part = deck.part._element, deck.part
    for tag in _LEFT_OUT:
        for element in root.findall(qn(tag)):
            root.remove(element)
    entries = list_items(root)
    gone = entries[: len(entries) - keep]
    kept = {entry.get(_ID) for entry in entries[len(gone) :]}
    for entry in gone:
        take_out(entry)
    for id, link in list(part.rels.items()):
        if id not in kept and link.reltype.rpartition("/")[2] not in _KEPT_LINKS:
            part.rels.pop(id)
    _drop(part.package._rels, lambda name: name != "officeDocument")
    part._content_type = CONTENT_TYPE.PML_PRESENTATION_MAIN
    for other in list(part.package.iter_parts()):
        if other is not part and not other.partname.startswith(_SLIDES):
            _unlink(other, _drop(other.rels, lambda name: name in _TO_EXAMPLE))
        if other.partname.startswith(_SHEETS):
            drop_left_over(getattr(other, "_element", None), deck.slide_height)
        if other.partname.endswith("presProps.xml"):
            with edited(other) as settings:
                for tag in _OF_SHOW:
                    for element in settings.findall(qn(tag)):
                        settings.remove(element)


def drop_left_over(sheet: Any, height: int) -> None:
    """Take out of a layout or master what only its old deck has a use for: words as large as a
    title, which would stand on every slide, and menus; ``height`` is that of its slides in EMU.

    Marks, footers and names of companies stay, within the slide.
    """
    held = [] if sheet is None else list(sheet.iter(qn("p:sp")))
    worded = [shape for shape in held if _is_worded(shape)]
    sizes = Counter(_button(shape) for shape in worded)
    for shape in worded:
        large = max(map(int, shape.xpath(".//a:rPr/@sz")), default=0) * EMU_PER_POINT / 100
        if large >= _TITLE_SHARE * height or (_button(shape) and sizes[_button(shape)] >= _MENU):
            shape.getparent().remove(shape)
        elif shape.getparent().tag == qn("p:spTree"):
            _lift(shape, height)


def _lift(shape: Any, height: int) -> None:
    """Move a shape that the lower edge of the slide cuts up to stand on it."""
    for frame in shape.xpath("./p:spPr/a:xfrm"):
        place, size = frame.find(qn("a:off")), frame.find(qn("a:ext"))
        top, high = int(place.get("y")), int(size.get("cy"))
        if top < height < top + high:
            place.set("y", str(height - high))


def _is_worded(shape: Any) -> bool:
    """Whether a shape is no placeholder and has words."""
    free = shape.find(f".//{qn('p:ph')}") is None
    return free and any((item.text or "").strip() for item in shape.iter(qn("a:t")))


def _button(shape: Any) -> tuple[str, ...]:
    """Form and size of a drawn shape; empty for a plain box of text."""
    settings = shape.find(qn("p:nvSpPr") + "/" + qn("p:cNvSpPr"))
    if settings is None or settings.get("txBox") in ("1", "true"):
        return ()
    return tuple(map(str, shape.xpath("./p:spPr/a:xfrm/a:ext/@*|./p:spPr/a:prstGeom/@prst")))


def _drop(links: Any, unwanted: Callable[[str], bool]) -> set[str]:
    """Take out the relationships whose kind is not wanted; returns their ids."""
    gone = {id for id, link in list(links.items()) if unwanted(link.reltype.rpartition("/")[2])}
    for id in gone:
        links.pop(id)
    return gone


def _unlink(part: Any, gone: set[str]) -> None:
    """Take out what leads to slides of the example from a layout or master."""
    root = getattr(part, "_element", None)
    if root is None or not gone:
        return
    for element in [item for item in root.iter() if item.get(_ID) in gone]:
        element.getparent().remove(element)


def added_slide(deck: Presentation, layout: Any) -> Any:
    """A new slide on a layout, with the layout's own map of theme colours, as PowerPoint gives it.

    Programs differ in whether a slide that states no map takes that of its layout.
    """
    slide: Any = deck.slides.add_slide(layout)
    stated = layout._element.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")
    own = slide._element.find(qn("p:clrMapOvr"))
    if stated is not None and own is not None:
        own.replace(own[0], deepcopy(stated))
    return slide


def layouts_of(deck: Presentation) -> list[tuple[int, Any]]:
    """The layouts of all masters in order, each with the 1-based number of its master."""
    return [
        (number, layout)
        for number, master in enumerate(deck.slide_masters, start=1)
        for layout in master.slide_layouts
    ]
