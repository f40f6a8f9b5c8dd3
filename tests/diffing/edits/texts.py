"""Edits of words, and of how they look."""

from collections.abc import Callable
from copy import deepcopy

from lxml import etree
from tests.diffing.edits.desk import (
    COLOR,
    WORD,
    Desk,
    Edit,
    Expected,
    parent_of,
    parsed,
    run_properties,
    runs_of,
    shapes_of,
)

from decklab.ooxml.xml import Element, qn


def replace_word(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp"):
        for run in runs_of(shape):
            if not desk.take(part, f"{id} text", f"{id} style", f"{id} link"):
                break
            text = run.find(qn("a:t"))
            assert text is not None and text.text
            text.text = WORD.sub("Quokka", text.text, count=1)
            desk.expected.append(Expected(part, id, "text", "text"))
            return True
    return False


def _set_font(change: Callable[[Element], bool], property: str) -> Edit:
    def edit(desk: Desk) -> bool:
        for part, shape, id in shapes_of(desk, "p:sp"):
            for run in runs_of(shape):
                properties = run_properties(run)
                if f"{id} text" in {what for one, what in desk.touched if one == part}:
                    break
                if properties.find(qn("a:hlinkClick")) is not None:
                    continue
                if (part, f"{id} style") in desk.touched or not change(properties):
                    continue
                if not desk.take(part, f"{id} style", f"{id} text", f"{id} link"):
                    break
                desk.expected.append(Expected(part, id, "style", property))
                return True
        return False

    return edit


def _size(properties: Element) -> bool:
    properties.set("sz", "1730")
    return True


def _bold(properties: Element) -> bool:
    if properties.get("b") not in ("0", "1"):
        return False
    properties.set("b", "1" if properties.get("b") == "0" else "0")
    return True


def _underline(properties: Element) -> bool:
    properties.set("u", "wavyHeavy")
    return True


def _face(properties: Element) -> bool:
    for old in properties.findall(qn("a:latin")):
        properties.remove(old)
    new = parsed('<a:latin typeface="Quokka Sans"/>')
    before = [child for child in properties if child.tag in (
        qn("a:ln"), qn("a:noFill"), qn("a:solidFill"), qn("a:gradFill"), qn("a:blipFill"),
        qn("a:pattFill"), qn("a:grpFill"), qn("a:effectLst"), qn("a:effectDag"),
        qn("a:highlight"), qn("a:uLnTx"), qn("a:uLn"), qn("a:uFillTx"), qn("a:uFill"))]  # fmt: skip
    properties.insert(1 + properties.index(before[-1]) if before else 0, new)
    return True


def _ink(properties: Element) -> bool:
    for tag in ("a:noFill", "a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill", "a:grpFill"):
        for old in properties.findall(qn(tag)):
            properties.remove(old)
    fill = parsed(f'<a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill>')
    properties.insert(1 if properties.find(qn("a:ln")) is not None else 0, fill)
    return True


def align_paragraph(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp"):
        for run in runs_of(shape):
            paragraph = run.getparent()
            assert paragraph is not None
            if not desk.take(part, f"{id} paragraph", f"{id} text"):
                break
            properties = paragraph.find(qn("a:pPr"))
            if properties is None:
                properties = etree.Element(qn("a:pPr"))
                paragraph.insert(0, properties)
            properties.set("algn", "dist")
            desk.expected.append(Expected(part, id, "style", "paragraph.align"))
            return True
    return False


def add_paragraph(desk: Desk) -> bool:
    """A paragraph like the last one, with other words."""
    for part, shape, id in shapes_of(desk, "p:sp"):
        runs = runs_of(shape)
        if not runs or not desk.take(part, f"{id} text", f"{id} style", f"{id} link"):
            continue
        last = parent_of(runs[-1])
        if any(item.get("spid") == str(id) for item in desk.draft.edit(part).iter()):
            continue  # effects count paragraphs
        new = deepcopy(last)
        for item in [child for child in new if child.tag in (qn("a:r"), qn("a:fld"), qn("a:br"))]:
            new.remove(item)
        run = deepcopy(runs[-1])
        properties = run_properties(run)
        for tag in ("a:hlinkClick", "a:hlinkMouseOver"):
            for link in properties.findall(qn(tag)):
                properties.remove(link)
        text = run.find(qn("a:t"))
        assert text is not None
        text.text = "Quokkas at the end"
        new.insert(1 if new.find(qn("a:pPr")) is not None else 0, run)
        last.addnext(new)
        desk.expected.append(Expected(part, id, "text", "text"))
        return True
    return False


def change_level(desk: Desk) -> bool:
    """What a paragraph inherits at its new level is no change of its own."""
    for part, shape, id in shapes_of(desk, "p:sp"):
        for run in runs_of(shape):
            paragraph = parent_of(run)
            if not desk.take(part, f"{id} paragraph", f"{id} text", f"{id} style"):
                break
            properties = paragraph.find(qn("a:pPr"))
            if properties is None:
                properties = etree.Element(qn("a:pPr"))
                paragraph.insert(0, properties)
            properties.set("lvl", "3" if properties.get("lvl", "0") != "3" else "1")
            desk.expected.append(Expected(part, id, "style", "paragraph.level"))
            return True
    return False


TEXTS: dict[str, Edit] = {
    "word": replace_word,
    "paragraph": add_paragraph,
    "size": _set_font(_size, "font.size"),
    "bold": _set_font(_bold, "font.bold"),
    "underline": _set_font(_underline, "font.underline"),
    "typeface": _set_font(_face, "font.name"),
    "color": _set_font(_ink, "font.color"),
    "align": align_paragraph,
    "level": change_level,
}
