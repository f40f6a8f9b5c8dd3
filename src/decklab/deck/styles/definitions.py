"""Inherited styles, as stated: text styles by level, formats of themes, table styles.

Stated values are plain JSON by name: values of text are named as in a comparison of texts
(``font.size``, ``paragraph.margin_left``), values of formats by their path in the XML. Typefaces of
the theme keep their reference (``+mj-lt``), paints the slot of the theme's colour.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from decklab.deck.frames import rounded
from decklab.deck.model.base import Statements
from decklab.deck.model.shapes import Bullet
from decklab.deck.part import Source
from decklab.deck.sheets import DeckReading, Sheet
from decklab.deck.styles.characters import spacing_of, stated_paragraph, stated_run
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.table_styles import TableStyle
from decklab.deck.styles.themes import MappedTheme, Theme
from decklab.ooxml.xml import Element, local_name, qn

_MASTER_STYLES = {"title style": "p:titleStyle", "body style": "p:bodyStyle",
                  "other style": "p:otherStyle"}  # fmt: skip
_LEVELS = 9
_FORMATS = {"fill style": "fills", "line style": "lines", "effect style": "effects",
            "background style": "backgrounds"}  # fmt: skip
_TABLE_PARTS = {
    "tblBg": "background", "wholeTbl": "whole table", "band1H": "odd rows", "band2H": "even rows",
    "band1V": "odd columns", "band2V": "even columns", "firstRow": "first row",
    "lastRow": "last row", "firstCol": "first column", "lastCol": "last column",
    "neCell": "top right cell", "nwCell": "top left cell", "seCell": "bottom right cell",
    "swCell": "bottom left cell",
}  # fmt: skip


def text_styles(sheet: Sheet) -> dict[str, Statements]:
    """Values that a master's text styles state, by style and level; empty for other sheets."""
    styles = None if sheet.root is None else sheet.root.find(qn("p:txStyles"))
    if styles is None:
        return {}
    return {
        f"{name}, {level}": stated
        for name, tag in _MASTER_STYLES.items()
        for level, stated in _levels(styles.find(qn(tag)), sheet.look, sheet.source)
    }


def list_styles(sheet: Sheet) -> dict[str, dict[str, Statements]]:
    """Values that the list styles of a template's placeholders state, by shape id and level."""
    stated: dict[str, dict[str, Statements]] = {}
    for key in sheet.placeholders:
        styles = key.element.find(f"{qn('p:txBody')}/{qn('a:lstStyle')}")
        name = next(key.element.iter(qn("p:cNvPr")), None)
        levels = dict(_levels(styles, sheet.look, sheet.source))
        if levels and name is not None:
            stated[name.get("id") or ""] = levels
    return stated


def default_text(reading: DeckReading, look: MappedTheme) -> dict[str, Statements]:
    """Values that a presentation's default text style states, by level."""
    styles = reading.root.find(qn("p:defaultTextStyle"))
    return dict(_levels(styles, look, reading.main))


def theme_formats(theme: Theme) -> dict[str, Statements]:
    """Values that a theme's format scheme states, by kind of style and its number."""
    return {
        f"{name} {number}": dict(_spelled(element))
        for name, field in _FORMATS.items()
        for number, element in enumerate(getattr(theme, field), start=1)
    }


def table_styles(defined: Mapping[str, Element]) -> dict[str, dict[str, Statements]]:
    """Values that a deck's own table styles state, by id and part of a table."""
    styles = (TableStyle.read(element) for element in defined.values())
    return {
        style.id: {
            "name": {"name": style.name},
            **{_TABLE_PARTS.get(name, name): dict(_spelled(part))
               for name, part in style.parts.items()},
        }
        for style in styles
    }  # fmt: skip


def _levels(
    styles: Element | None, look: MappedTheme, source: Source
) -> Iterator[tuple[str, Statements]]:
    if styles is None:
        return
    for number in range(1, _LEVELS + 1):
        level = styles.find(qn(f"a:lvl{number}pPr"))
        if level is not None:
            yield f"level {number}", _level(level, look, source)


def _level(level: Element, look: MappedTheme, source: Source) -> Statements:
    values: Statements = {}
    for name, stated in stated_paragraph(level, "master", look, source).items():
        values[f"paragraph.{name.replace('bullet_', 'bullet.')}"] = _plain(name, stated.value)
    characters = level.find(qn("a:defRPr"))
    if characters is not None:
        for name, stated in stated_run(characters, "master", look, source).items():
            values[f"font.{name}"] = _plain(name, stated.value)
    return values


def _plain(name: str, value: Any) -> Any:
    if value is None:  # a bullet's font, colour or size follows the text
        return "none" if name == "bullet" else "as the text"
    if isinstance(value, Fill):
        return value.paint.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, tuple):
        return spacing_of(value).model_dump(mode="json")
    if isinstance(value, Bullet):
        return value.model_dump(mode="json", exclude_defaults=True)
    return rounded(value) if isinstance(value, float) else value


def _spelled(element: Element) -> Iterator[tuple[str, str]]:
    """The attributes of an element and of all elements in it, by their path from it; repeated tags
    are numbered."""
    yield "", local_name(str(element.tag))
    for name, value in element.attrib.items():
        yield local_name(str(name)), str(value)
    yield from _inner(element, "")


def _inner(element: Element, path: str) -> Iterator[tuple[str, str]]:
    counts: dict[str, int] = {}
    for child in _elements(element):
        tag = local_name(str(child.tag))
        counts[tag] = counts.get(tag, 0) + 1
        child_path = f"{path}{tag}{counts[tag] if counts[tag] > 1 else ''}"
        yield child_path, ""
        for name, value in child.attrib.items():
            yield f"{child_path}.{local_name(str(name))}", str(value)
        yield from _inner(child, f"{child_path}.")


def _elements(element: Element) -> Iterable[Element]:
    return (child for child in element if isinstance(child.tag, str))
