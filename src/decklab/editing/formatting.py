"""Font, size, colour, alignment and letter case of whole texts; fonts and colours of themes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from lxml.etree import SubElement
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.text.text import Font
from pptx.util import Pt

from decklab.editing.finding import (
    EditError,
    find_shape,
    paragraphs,
    shapes,
    slides_of,
    text_bodies,
    texts_of,
)
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import look_phrase, phrase
from decklab.ooxml.xml import NAMESPACES, Element, qn

_SMALL = re.compile("a|an|and|as|at|but|by|for|from|in|into|of|on|or|over|the|to|with")
"""Words that stay small inside of a title (Chicago Manual of Style, 8.159)."""
CASES = ("upper", "lower", "title", "sentence")


@phrase(
    "(write|put|set|make) {shape:texts} (in|to|into|all) ({case=upper case|lower case|title case"
    "|sentence case|lowercase}|{case=capitals} [letters])",
    "make {shape:texts} {case=uppercase|lowercase|title case|sentence case}",
    example="put all titles in capitals", changes="text table")  # fmt: skip
def change_case(prs: Presentation, slide: int, shape: str | int, case: str) -> int:
    """Write a shape's words in another case; return how many paragraphs changed.

    ``case`` is "upper", "lower", "title" or "sentence", see ``set_letter_case``.

    Example: change_case(prs, 2, "Title 1", "title")
    """
    return set_letter_case(texts_of(find_shape(prs, slide, shape)), case)


def set_letter_case(bodies: Iterable[Any], case: str) -> int:
    """Write the words of text bodies in another case; return how many paragraphs changed.

    ``case`` is one of ``CASES``. ``title`` and ``sentence`` leave words in capitals as they are.
    Formatting stays: the number of letters of each run does.
    """
    if case not in CASES:
        raise EditError(f"{case!r} is none of {', '.join(CASES)}")
    return sum(_write(paragraph, case) for body in bodies for paragraph in body.iter(qn("a:p")))


def _write(paragraph: Any, case: str) -> bool:
    holders = [run.find(qn("a:t")) for run in paragraph.findall(qn("a:r"))]
    pieces = [(holder, holder.text or "") for holder in holders if holder is not None]
    before = "".join(text for _holder, text in pieces)
    if case in ("upper", "lower"):  # letters may become several, such as ß
        for holder, text in pieces:
            holder.text = text.upper() if case == "upper" else text.lower()
        return bool("".join(holder.text for holder, _text in pieces) != before)
    written = _capitalised(before, every_word=case == "title")
    at = 0
    for holder, text in pieces:
        holder.text = written[at : at + len(text)]
        at += len(text)
    return written != before


def _capitalised(text: str, *, every_word: bool) -> str:
    """Words with capitals as in a title, of which small ones inside have none, or a sentence."""
    words = re.split(r"(\s+)", text)
    spoken = [index for index, word in enumerate(words) if word.strip()]
    edges = {*spoken[:1], *(spoken[-1:] if every_word else ())}
    for at, word in enumerate(words):
        is_inside = at not in edges and (not every_word or _SMALL.fullmatch(word.lower()))
        if not _is_name(word):
            words[at] = word.lower() if is_inside else _capital(word)
    return "".join(words)


def _is_name(word: str) -> bool:
    """Whether a word is written in a way that has to stay, such as NASA or iPhone."""
    letters = [char for char in word if char.isalpha()]
    return len(letters) > 1 and any(char.isupper() for char in letters[1:])


def _capital(word: str) -> str:
    for index, char in enumerate(word):
        if char.isalpha():
            rest = word[index + 1 :].lower()
            return word[:index] + (char.upper() if len(char.upper()) == 1 else char) + rest
    return word


_ATTRIBUTES: Final[Mapping[str, str]] = {
    "font.bold": "b", "font.italic": "i", "font.size": "sz", "font.underline": "u",
    "font.strike": "strike", "font.caps": "cap", "font.baseline": "baseline",
    "font.spacing": "spc",
}  # fmt: skip
_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_CHILDREN: Final[Mapping[str, tuple[str, ...]]] = {"font.color": _FILLS, "font.name": ("latin",)}
_ORDER = (
    "ln", *_FILLS, "effectLst", "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill",
    "latin", "ea", "cs", "sym", "hlinkClick", "hlinkMouseOver", "rtl", "extLst",
)  # fmt: skip
"""Children of the properties of a run, in the order of the standard (ECMA-376, 21.1.2.3.9)."""
RUN_LOOKS: Final = frozenset({*_ATTRIBUTES, *_CHILDREN})
"""Properties of changes that can be put back run by run."""
_RUNS = tuple(qn(f"a:{name}") for name in ("r", "fld", "br"))


def put_back_run_look(older: Element, newer: Element, look: str) -> bool:
    """Give the runs of a shape one of ``RUN_LOOKS`` as the older shape has it.

    False, with nothing changed, if the shapes have other runs.
    """
    sides = [list(shape.iter(*_RUNS)) for shape in (older, newer)]
    if [_text(run) for run in sides[0]] != [_text(run) for run in sides[1]]:
        return False
    for was, now in zip(*sides, strict=True):
        if (stated := was.find(qn("a:rPr"))) is None and now.find(qn("a:rPr")) is None:
            continue
        properties = run_properties(now)
        if look in _ATTRIBUTES:
            _attribute(stated, properties, _ATTRIBUTES[look])
        else:
            _child(stated, properties, _CHILDREN[look])
    return True


def _text(run: Element) -> tuple[str, str]:
    return str(run.tag), run.findtext(qn("a:t")) or ""


def _attribute(stated: Element | None, properties: Element, name: str) -> None:
    if (value := None if stated is None else stated.get(name)) is not None:
        properties.set(name, value)
    elif name in properties.attrib:
        del properties.attrib[name]


def _child(stated: Element | None, properties: Element, names: tuple[str, ...]) -> None:
    tags = {qn(f"a:{name}") for name in names}
    for child in [look for look in properties if look.tag in tags]:
        properties.remove(child)
    later = {qn(f"a:{name}") for name in _ORDER[_ORDER.index(names[-1]) + 1 :]}
    for child in [] if stated is None else [child for child in stated if child.tag in tags]:
        places = [at for at, element in enumerate(properties) if element.tag in later]
        properties.insert(places[0] if places else len(properties), deepcopy(child))


ALIGNMENTS = {"left": "l", "center": "ctr", "right": "r", "justify": "just"}
COLOR_NAMES = {
    "black": "#000000", "white": "#FFFFFF", "red": "#FF0000", "green": "#008000",
    "blue": "#0000FF", "yellow": "#FFFF00", "orange": "#FFA500", "purple": "#800080",
    "grey": "#808080", "gray": "#808080", "navy": "#000080", "teal": "#008080",
}  # fmt: skip
"""Colours by the names of CSS (CSS Color 4, section 6.1)."""
THEME_COLORS = {
    "accent1": MSO_THEME_COLOR.ACCENT_1, "accent2": MSO_THEME_COLOR.ACCENT_2,
    "accent3": MSO_THEME_COLOR.ACCENT_3, "accent4": MSO_THEME_COLOR.ACCENT_4,
    "accent5": MSO_THEME_COLOR.ACCENT_5, "accent6": MSO_THEME_COLOR.ACCENT_6,
    "text1": MSO_THEME_COLOR.TEXT_1, "text2": MSO_THEME_COLOR.TEXT_2,
    "background1": MSO_THEME_COLOR.BACKGROUND_1, "background2": MSO_THEME_COLOR.BACKGROUND_2,
}  # fmt: skip
_FACES = (qn("a:latin"), qn("a:ea"), qn("a:cs"), qn("a:sym"))
_SYMBOLS = ("wingdings", "webdings", "symbol", "zapfdingbats")


def paint(fill: Any, color: str) -> None:
    """Fill with one colour, of the theme by its name or else as ``rgb`` reads it."""
    fill.solid()
    if color in THEME_COLORS:
        fill.fore_color.theme_color = THEME_COLORS[color]
    else:
        fill.fore_color.rgb = rgb(color)


def rgb(color: str) -> Any:
    """A colour as python-pptx takes it, from ``#RRGGBB`` or a name; raises EditError."""
    value = COLOR_NAMES.get(color, color).lstrip("#")
    if not re.fullmatch(r"[0-9A-Fa-f]{6}", value):
        names = ", ".join([*COLOR_NAMES, *THEME_COLORS])
        raise EditError(f"{color!r} is no colour: write #RRGGBB or one of {names}")
    kind: Any = RGBColor  # python-pptx states no types for it
    return kind(*bytes.fromhex(value))


@dataclass(frozen=True)
class TextFormat:
    """The wanted format of text; None leaves a property as it is. Values: see ``format_text``."""

    font: str | None = None
    size: float | None = None
    color: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    align: str | None = None

    def check(self) -> None:
        """Raise EditError for an invalid value, before anything is changed."""
        if self.size is not None and not 1 <= self.size <= 4000:
            raise EditError(f"a size of {self.size:g} pt is none: text has 1 to 4000 pt")
        if self.align is not None and self.align not in ALIGNMENTS:
            raise EditError(f"align={self.align!r} is none of {', '.join(ALIGNMENTS)}")
        if self.color is not None and self.color not in THEME_COLORS:
            rgb(self.color)

    def align_paragraph(self, properties: Any) -> None:
        """Set the alignment in the properties of a paragraph or of a level."""
        if self.align is not None:
            properties.set("algn", ALIGNMENTS[self.align])

    def apply(self, properties: Any) -> None:
        """Set everything but the alignment in the properties of a run."""
        drawn = Font(properties)
        if self.font is not None:
            drawn.name = self.font
        if self.size is not None:
            drawn.size = Pt(self.size)
        if self.color is not None:
            paint(drawn.fill, self.color)
        for name in ("bold", "italic", "underline"):
            if (value := getattr(self, name)) is not None:
                setattr(drawn, name, value)
        if self.strike is not None:
            properties.set("strike", "sngStrike" if self.strike else "noStrike")


@look_phrase("(make|turn|format|put|set) {shape:texts} [(to|as)] {look}",
             "{shape:texts} (should|must) be {look}",
             "(make|format|set) {shape:drawn} [(to|as)] {look:text look}",
             example="make the titles bold and 32 pt")  # fmt: skip
@look_phrase("(set|increase|decrease|reduce) <[(font|text)] size of {shape:lettered}> to {size}",
             "set {shape:role} {on} to {size:value}",
             example="set the size of the titles to 32")  # fmt: skip
@look_phrase("set <[(font|text)] color of {shape:texts}> to {color}",
             "color {shape:texts} [in] {color}",
             example="set the title color on slide 2 to #1F4E79")  # fmt: skip
@look_phrase(
    "{way=increase|decrease|reduce} <[(font|text)] size of {shape:texts}> by {amount:points}",
    example="increase the font size of the titles by 2 points")  # fmt: skip
@look_phrase("{style=bold|italicize|underline|strike through|cross out} {shape:texts}",
             example="bold the titles on slides 2-3")  # fmt: skip
@look_phrase("({align=center|left-align|right-align|justify} {shape:writing})",
             "align {shape:writing} [(to|on)] {align=left|right|center} [side]",
             example="align the titles left")  # fmt: skip
@look_phrase("(set|change) <font of {shape:lettered}> to {font}",
             "use {font} [font] (of {shape:texts}|{on})",
             example="use Arial for the titles on slides 4-6")  # fmt: skip
@look_phrase("set [font] (color {on} to {color}|size {on} to {size})",
             "set [all] (font|fonts) {on} to {font}",
             example="set the font on slides 2 and 3 to Arial")  # fmt: skip
def format_text(
    prs: Presentation,
    *,
    slides: Iterable[int] | None = None,
    where: str = "all",
    shape: str | int | None = None,
    font: str | None = None,
    size: float | None = None,
    color: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strike: bool | None = None,
    align: str | None = None,
) -> int:
    """Format all text of titles, bodies or whole slides; return the number of texts changed.

    ``where`` is ``"all"`` (everything but footers), ``"title"``, ``"body"`` or ``"footer"``;
    ``shape`` narrows it to one shape by name or id. ``size`` is in points; ``color`` is
    ``#RRGGBB``, a name such as ``"red"`` or a theme colour such as ``"accent1"``; ``align`` is
    ``"left"``, ``"center"``, ``"right"`` or ``"justify"``. What is None stays as it is. Ends of
    paragraphs are set too, so that text typed there later looks the same.

    Example: format_text(prs, slides=[2], where="title", size=32, bold=True, color="#1F4E79")
    """
    look = TextFormat(font, size, color, bold, italic, underline, strike, align)
    look.check()
    count = 0
    for number, slide in slides_of(prs, slides):
        if shape is None:
            bodies = list(text_bodies(slide, where))
        else:
            bodies = list(texts_of(find_shape(prs, number, shape)))
        for body in bodies:
            for paragraph in paragraphs(body):
                style_paragraph(paragraph, look)
        count += len(bodies)
    return count


def style_paragraph(paragraph: Any, look: TextFormat) -> None:
    """Format every run of a paragraph, and its end."""
    if look.align is not None:
        look.align_paragraph(_first_child(paragraph, "a:pPr"))
    if look != TextFormat(align=look.align):
        for properties in _looks(paragraph):
            look.apply(properties)


def run_properties(run: Any) -> Any:
    """The ``a:rPr`` of a run, break or field, added if there is none."""
    return _first_child(run, "a:rPr")


def _first_child(element: Any, name: str) -> Any:
    """The child of that name, which the schema requires first; added if there is none."""
    if (child := element.find(qn(name))) is None:
        child = parse_xml(f'<{name} xmlns:a="{NAMESPACES["a"]}"/>')
        element.insert(0, child)
    return child


def _looks(paragraph: Any) -> Iterator[Any]:
    """The properties of each run of a paragraph and of its end, added where missing."""
    for item in paragraph:
        if item.tag in (qn("a:r"), qn("a:br"), qn("a:fld")):
            yield run_properties(item)
    end = paragraph.find(qn("a:endParaRPr"))
    if end is None and not any(item.tag != qn("a:pPr") for item in paragraph):
        end = parse_xml(f'<a:endParaRPr xmlns:a="{NAMESPACES["a"]}"/>')
        paragraph.append(end)
    if end is not None:
        yield end


LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""A tag of a language (BCP 47), as far as its form."""


def set_language(prs: Presentation, language: str, *, slides: Iterable[int] | None = None) -> int:
    """Say in which language the texts of slides are, by which programs proofread and read aloud;
    return the number of paragraphs changed.

    ``language`` is a tag such as "de-DE". Notes count as well.

    Example: set_language(prs, "fr-FR", slides=[2, 3])
    """
    count = 0
    for _number, slide in slides_of(prs, slides):
        pages: list[Any] = [slide, *([slide.notes_slide] if slide.has_notes_slide else [])]
        for page in pages:
            for body in (body for shape in shapes(page) for body in texts_of(shape)):
                count += sum(mark_language(line, language) for line in paragraphs(body))
    return count


def mark_language(paragraph: Any, language: str) -> bool:
    """Give a paragraph a language, a BCP 47 tag; whether it had another.

    Raises EditError for what is no tag.
    """
    if not LANGUAGE.fullmatch(language):
        raise EditError(f"{language!r} is no tag of a language, such as de-DE")
    looks = [look for look in _looks(paragraph) if look.get("lang") != language]
    for look in looks:
        look.set("lang", language)
    return bool(looks)


@phrase("normalise fonts", example="normalise fonts on slides 2-4", changes="style table:font")
def normalise_fonts(prs: Presentation, *, slides: Iterable[int] | None = None) -> int:
    """Let all text take the fonts of the theme again; return the number of places changed.

    Typefaces that runs and shapes name for themselves are taken out; sizes, colours and all else
    stay. Symbol fonts stay, their letters mean nothing in another.

    Example: normalise_fonts(prs)
    """
    count = 0
    for _number, slide in slides_of(prs, slides):
        for where in ("all", "footer"):
            for body in text_bodies(slide, where):
                count += sum(map(_forget_face, list(body.iter(*_FACES))))
    return count


def _forget_face(face: Any) -> bool:
    name = (face.get("typeface") or "").casefold()
    if name.startswith("+") or any(symbol in name for symbol in _SYMBOLS):
        return False
    parent = face.getparent()
    if face.tag == qn("a:sym") or parent.tag in (qn("a:buFont"),):
        return False
    parent.remove(face)
    return True


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
                del entry[:]
                SubElement(entry, qn("a:srgbClr"), val=value)
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
        if (properties := style.find(qn(f"a:lvl{number}pPr"))) is not None:
            yield number, properties


def _default_properties(level: Any) -> Any:
    if (defaults := level.find(qn("a:defRPr"))) is None:
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
