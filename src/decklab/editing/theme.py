"""Fonts and colours of the themes, and the text styles of the masters."""

from collections.abc import Iterator
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import EditError
from decklab.editing.formatting import TextFormat, rgb
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import phrase
from decklab.ooxml.xml import NAMESPACES, qn

SLOTS = (
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
)  # fmt: skip
_STYLES = {"title": "titleStyle", "body": "bodyStyle", "other": "otherStyle"}


@phrase("set [theme ['s]] fonts to {headings:font} [for (headings|titles)] and {body:font} "
        "[for (body|body text|text)]",
        "theme fonts : headings {headings:font} , body {body:font}",
        example="theme fonts: headings Arial, body Calibri", changes="theme",
        follows="master layout style")  # fmt: skip
@phrase("set [theme ['s]] heading font [of theme] to {headings:font}",
        example="set the theme's heading font to Georgia", changes="theme",
        follows="master layout style")  # fmt: skip
@phrase("set (theme ['s] body font|body font of theme) to {body:font}",
        example="set the theme's body font to Georgia", changes="theme",
        follows="master layout style")  # fmt: skip
def set_theme_fonts(
    prs: Presentation, *, headings: str | None = None, body: str | None = None
) -> int:
    """Change the theme's font for headings, for body text or both; return how many were changed.

    All text that names no font of its own follows, on every slide.

    Example: set_theme_fonts(prs, headings="Georgia", body="Calibri")
    """
    count = 0
    for part in _themes(prs):
        with edited(part) as root:
            for tag, name in (("a:majorFont", headings), ("a:minorFont", body)):
                for face in root.iterfind(f".//{qn('a:fontScheme')}/{qn(tag)}/{qn('a:latin')}"):
                    if name is not None and face.get("typeface") != name:
                        face.attrib.clear()
                        face.set("typeface", name)
                        count += 1
    return count


@phrase("(set|make) theme ['s] [color] {slot:theme slot} [color] [to] {color}",
        "set {slot:theme slot} [color] [of theme] to {color}",
        example="set the theme's accent1 to #0B6E4F", changes="theme")  # fmt: skip
def set_theme_color(prs: Presentation, slot: str, color: str) -> int:
    """Change a colour of the theme; return the number of themes changed.

    ``slot`` is "dk1", "lt1", "dk2", "lt2", "accent1" to "accent6", "hlink" or "folHlink";
    ``color`` is ``#RRGGBB``. All that uses the slot follows, on every slide.

    Example: set_theme_color(prs, "accent1", "#0B6E4F")
    """
    if slot not in SLOTS:
        raise EditError(f"{slot!r} is no colour of a theme; there are {', '.join(SLOTS)}")
    value = str(rgb(color))
    count = 0
    for part in _themes(prs):
        with edited(part) as root:
            for entry in root.iterfind(f".//{qn('a:clrScheme')}/{qn(f'a:{slot}')}"):
                for old in list(entry):
                    entry.remove(old)
                entry.append(parse_xml(f'<a:srgbClr xmlns:a="{NAMESPACES["a"]}" val="{value}"/>'))
                count += 1
    return count


@phrase("set {where=title|body} [(font|text)] size of [slide] master to {size}",
        "set {where=title|body} [(font|text)] color of [slide] master to {color}",
        "set {where=title|body} font of [slide] master to {font}",
        example="set the title size of the master to 40", changes="master",
        follows="master layout style detail table")  # fmt: skip
def format_master_text(
    prs: Presentation,
    where: str,
    *,
    level: int | None = None,
    font: str | None = None,
    size: float | None = None,
    color: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    align: str | None = None,
) -> int:
    """Format the titles or body text of the masters; return the number of levels changed.

    ``where`` is "title", "body" or "other". Slides and layouts follow where they set nothing of
    their own. ``level`` is 1 to 9, None for all. Other arguments are those of ``format_text``.

    Example: format_master_text(prs, "title", size=36, bold=True)
    """
    if where not in _STYLES:
        raise EditError(f"where={where!r} is none of {', '.join(_STYLES)}")
    look = TextFormat(font, size, color, bold, italic, align=align)
    look.check()
    count = 0
    for master in prs.slide_masters:
        path = f"{qn('p:txStyles')}/{qn('p:' + _STYLES[where])}"
        for style in master._element.iterfind(path):
            for number, properties in _levels(style, level):
                look.align_paragraph(properties)
                look.apply(_default_properties(properties))
                count += number > 0
    return count


def _levels(style: Any, level: int | None) -> Iterator[tuple[int, Any]]:
    for number in range(1, 10) if level is None else (level,):
        properties = style.find(qn(f"a:lvl{number}pPr"))
        if properties is not None:
            yield number, properties


def _default_properties(level: Any) -> Any:
    defaults = level.find(qn("a:defRPr"))
    if defaults is None:
        defaults = parse_xml(f'<a:defRPr xmlns:a="{NAMESPACES["a"]}"/>')
        after = level.find(qn("a:extLst"))
        level.append(defaults) if after is None else after.addprevious(defaults)
    return defaults


def _themes(prs: Presentation) -> Iterator[Any]:
    """The themes of the slide masters, each once."""
    themes = {}
    for master in prs.slide_masters:
        part = master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
        themes[part.partname] = part
    return iter(themes.values())
