"""Edits of the kinds people and agents make, to try on any deck.

Each takes an open package, a source of chance and the file to write, and says whether the deck
had anything to edit in that way.
"""

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image

from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import qn, serialize_xml

__all__ = ["EDITS", "edit_text"]

Edit = Callable[[Package, random.Random, Path], bool]


def edit_text(package: Package, slide: str, text: str, target: Path) -> bool:
    """Make the first text of the slide in the part ``slide`` another."""
    root = package.xml(slide)
    first = next(root.iter(qn("a:t")), None)
    if first is None:
        return False
    first.text = text
    write_package(package, target, replace={slide: serialize_xml(root)})
    return True


def _slides(package: Package) -> list[str]:
    return [entry.part for entry in slide_entries(package)]


def _text(package: Package, chance: random.Random, target: Path) -> bool:
    slides = _slides(package)
    chance.shuffle(slides)
    words = "Edited " * chance.randint(1, 12)
    return any(edit_text(package, slide, words, target) for slide in slides)


def _many_texts(package: Package, chance: random.Random, target: Path) -> bool:
    """Three slides at once."""
    slides = _slides(package)
    changed = {}
    for slide in chance.sample(slides, min(3, len(slides))):
        root = package.xml(slide)
        for item in root.iter(qn("a:t")):
            item.text = (item.text or "")[::-1]
        changed[slide] = serialize_xml(root)
    write_package(package, target, replace=changed)
    return bool(changed)


def _picture(package: Package, chance: random.Random, target: Path) -> bool:
    found = {name for slide in _slides(package) for name in package.related(slide, "image")}
    pictures = sorted(name for name in found if name.lower().endswith(".png"))
    if not pictures:
        return False
    out = BytesIO()
    Image.new("RGB", (60, 40), "teal").save(out, "PNG")
    write_package(package, target, replace={chance.choice(pictures): out.getvalue()})
    return True


def _chart(package: Package, chance: random.Random, target: Path) -> bool:
    charts = sorted({name for part in _slides(package) for name in package.related(part, "chart")})
    for chart in chance.sample(charts, len(charts)):
        root = package.xml(chart)
        value = next(root.iterfind(f".//{qn('c:val')}//{qn('c:v')}"), None)
        if value is not None:
            value.text = "1.25"
            write_package(package, target, replace={chart: serialize_xml(root)})
            return True
    return False


def _other_layout(package: Package, chance: random.Random, target: Path) -> bool:
    """One slide on the layout of another."""
    slides = _slides(package)
    layouts = sorted({name for part in slides for name in package.related(part, "slideLayout")})
    if len(layouts) < 2:
        return False
    slide = chance.choice(slides)
    (own,) = package.related(slide, "slideLayout")
    other = chance.choice([layout for layout in layouts if layout != own])
    name = relationships_part(slide)
    links = package.xml(name)
    for item in links:
        if (item.get("Type") or "").endswith("/slideLayout"):
            item.set("Target", f"/{other}")
    write_package(package, target, replace={name: serialize_xml(links)})
    return True


def _edited_layout(package: Package, chance: random.Random, target: Path) -> bool:
    """A layout whose first shape stands lower."""
    slides = _slides(package)
    layouts = sorted({name for part in slides for name in package.related(part, "slideLayout")})
    for layout in chance.sample(layouts, len(layouts)):
        root = package.xml(layout)
        place = next(root.iterfind(f".//{qn('p:sp')}//{qn('a:off')}"), None)
        if place is not None:
            place.set("y", str(int(place.get("y") or 0) + 300_000))
            write_package(package, target, replace={layout: serialize_xml(root)})
            return True
    return False


def _theme(package: Package, chance: random.Random, target: Path) -> bool:
    masters = package.related(package.main_part, "slideMaster")
    themes = sorted({name for part in masters for name in package.related(part, "theme")})
    if not themes:
        return False
    theme = chance.choice(themes)
    root = package.xml(theme)
    for item in root.iter(qn("a:accent1"), qn("a:dk1")):
        for color in item.iter(qn("a:srgbClr")):
            color.set("val", "8A2BE2")
    for font in root.iterfind(f".//{qn('a:minorFont')}/{qn('a:latin')}"):
        font.set("typeface", "Liberation Serif")
    write_package(package, target, replace={theme: serialize_xml(root)})
    return True


def _move(package: Package, chance: random.Random, target: Path) -> bool:
    draft = Draft(package)
    count = len(slide_entries(package))
    if count < 2:
        return False
    move_slide(draft, *chance.sample(range(1, count + 1), 2))
    draft.save(target)
    return True


def _delete(package: Package, chance: random.Random, target: Path) -> bool:
    draft = Draft(package)
    count = len(slide_entries(package))
    if count < 2:
        return False
    delete_slide(draft, chance.randint(1, count))
    draft.save(target)
    return True


def _insert(package: Package, chance: random.Random, target: Path) -> bool:
    """A clone of a slide with another text, elsewhere."""
    draft = Draft(package)
    count = len(slide_entries(package))
    if not count:
        return False
    number = chance.randint(1, count)
    clone_slide(draft, number)
    move_slide(draft, number + 1, chance.randint(1, count + 1))
    draft.save(target)
    return True


EDITS: dict[str, Edit] = {
    "text": _text,
    "texts": _many_texts,
    "picture": _picture,
    "chart": _chart,
    "layout": _other_layout,
    "layouts": _edited_layout,
    "theme": _theme,
    "move": _move,
    "delete": _delete,
    "insert": _insert,
}
"""By name. ``layout`` puts a slide on another layout, ``layouts`` edits one that slides are on."""
