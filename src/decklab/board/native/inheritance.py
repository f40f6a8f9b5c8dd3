"""Looks by level that placeholders take from their layout, and their own differences."""

from collections.abc import Mapping
from typing import Any

from decklab.ooxml.xml import qn

_LINKS = (qn("a:hlinkClick"), qn("a:hlinkMouseOver"))
_OTHER_FONTS = (qn("a:ea"), qn("a:cs"))
_LEVELS = 5

Looks = Mapping[int, tuple[Any, Any]]
"""Paragraph and character properties by level, as elements."""


def looks_of(body: Any) -> dict[int, tuple[Any, Any]]:
    """The looks of the first paragraph of each level of a text body."""
    looks: dict[int, tuple[Any, Any]] = {}
    for paragraph in body.findall(qn("a:p")):
        properties = paragraph.find(qn("a:pPr"))
        runs = (child.find(qn("a:rPr")) for child in paragraph)
        run = next((found for found in runs if found is not None), None)
        level = int(properties.get("lvl") or 0) if properties is not None else 0
        if properties is not None and run is not None and level not in looks:
            looks[level] = (properties, run)
    return looks


def list_style(looks: Looks) -> str:
    """The list style of a layout's placeholder."""
    inner = "".join(_level(*looks[level], level) for level in sorted(looks) if level < _LEVELS)
    return f"<a:lstStyle>{inner}</a:lstStyle>"


def _level(properties: Any, run: Any, level: int) -> str:
    fonts = "".join(_xml(child) for child in run if child.tag not in _LINKS)
    stated = _attributes(run, without=("lang",))
    indents = _attributes(properties, without=("lvl",))
    inner = "".join(_xml(child) for child in properties)
    tag = f"a:lvl{level + 1}pPr"
    return f"<{tag}{indents}>{inner}<a:defRPr{stated}>{fonts}</a:defRPr></{tag}>"


def _attributes(element: Any, without: tuple[str, ...]) -> str:
    return "".join(
        f' {name}="{value}"' for name, value in element.attrib.items() if name not in without
    )


def _xml(element: Any) -> str:
    text: str = element.xml if hasattr(element, "xml") else ""
    return text.split("?>", 1)[-1] if text.startswith("<?xml") else text


def leave_to_layout(body: Any, looks: Looks) -> None:
    """Take out of runs what their placeholder's layout states as well, in place.

    Paragraphs keep theirs: LibreOffice 7.4 takes bullets of lower levels from the master only.
    """
    for paragraph in body.findall(qn("a:p")):
        properties = paragraph.find(qn("a:pPr"))
        level = int(properties.get("lvl") or 0) if properties is not None else 0
        if level not in looks:
            continue
        for run in [*paragraph.iter(qn("a:rPr"), qn("a:endParaRPr"))]:
            _subtract(run, looks[level][1])


def _subtract(element: Any, known: Any) -> None:
    if any(child.tag in _OTHER_FONTS for child in element):
        return  # LibreOffice 7.4 does not take fonts of other scripts from layouts
    for name, value in list(element.attrib.items()):
        if name != "lang" and known.get(name) == value:
            del element.attrib[name]
    theirs = {child.tag: _xml(child) for child in known}
    for child in list(element):
        if child.tag not in _LINKS and theirs.get(child.tag) == _xml(child):
            element.remove(child)
