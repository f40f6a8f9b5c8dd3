"""Names of the Office Open XML vocabularies, parts parsed safely and written as XML, and how files
spell DrawingML's measures: lengths in EMU, angles, percentages, switches."""

import re
from functools import cache
from typing import NewType, TypeAlias
from xml.parsers import expat

from lxml import etree

from decklab.core.errors import LimitExceeded, MalformedPart
from decklab.ooxml.signatures import DEFAULT_LIMITS, Limits

Emu = NewType("Emu", int)
"""English Metric Units, 914,400 to the inch: the length unit of the file format."""

EMU_PER_INCH = 914_400
EMU_PER_POINT = 12_700

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_INTEGER = re.compile(r"\s*[+-]?\d{1,18}\s*\Z")
_MEASURE = re.compile(r"\s*(-?\d{1,12}(?:\.\d{1,12})?)(mm|cm|in|pt|pc|pi)\s*\Z")
_PERCENT = 100_000  # ST_Percentage counts thousandths of a percent
_SPELLED = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,9})?)%\s*\Z")
_EMU_PER_UNIT = {
    "mm": EMU_PER_INCH / 25.4,
    "cm": EMU_PER_INCH / 2.54,
    "in": EMU_PER_INCH,
    "pt": EMU_PER_POINT,
    "pc": 12 * EMU_PER_POINT,
    "pi": 12 * EMU_PER_POINT,
}


def parse_int(text: str | None) -> int | None:
    """A whole number as XML spells it; None for no text, or for text that is no such number.

    >>> parse_int("-12"), parse_int("1e3"), parse_int(None)
    (-12, None, None)
    """
    return None if text is None or not _INTEGER.match(text) else int(text)


def parse_emu(text: str | None) -> Emu | None:
    """A length (ST_Coordinate): EMU, or a number with a unit; None if it is neither.

    >>> parse_emu("914400"), parse_emu("2.5in"), parse_emu("wide")
    (914400, 2286000, None)
    """
    if (whole := parse_int(text)) is not None:
        return Emu(whole)
    measure = _MEASURE.match(text or "")
    return Emu(round(float(measure[1]) * _EMU_PER_UNIT[measure[2]])) if measure else None


def degrees(text: str | None) -> float:
    """An angle (ST_Angle) in degrees clockwise, 0 to 360; 0 if there is none.

    >>> degrees("5400000"), degrees("-5400000")
    (90.0, 270.0)
    """
    angle = parse_int(text)
    return 0.0 if angle is None else (angle / _ANGLE_UNIT) % 360


def share(text: str | None) -> float | None:
    """A percentage as a share of one; None if the text is none.

    >>> share("62500"), share("62.5%"), share(None)
    (0.625, 0.625, None)
    """
    if (whole := parse_int(text)) is not None:
        return whole / _PERCENT
    spelled = _SPELLED.match(text or "")
    return float(spelled[1]) / 100 if spelled else None


def flag(text: str | None) -> bool | None:
    """A boolean (``xsd:boolean``, or ``on`` and ``off`` of table styles); None if not stated.

    >>> flag("1"), flag("off"), flag("def")
    (True, False, None)
    """
    if text in ("1", "true", "on", "t"):
        return True
    if text in ("0", "false", "off", "f"):
        return False
    return None


NAMESPACES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
    "ahyp": "http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor",
    "am3d": "http://schemas.microsoft.com/office/drawing/2017/model3d",
    "aink": "http://schemas.microsoft.com/office/drawing/2016/ink",
    "asvg": "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "ct": "http://schemas.openxmlformats.org/package/2006/content-types",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "cx1": "http://schemas.microsoft.com/office/drawing/2015/9/8/chartex",
    "cx2": "http://schemas.microsoft.com/office/drawing/2015/10/21/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "dsp": "http://schemas.microsoft.com/office/drawing/2008/diagram",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "ole": "http://schemas.openxmlformats.org/presentationml/2006/ole",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "p15": "http://schemas.microsoft.com/office/powerpoint/2012/main",
    "p159": "http://schemas.microsoft.com/office/powerpoint/2015/09/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "rel": "http://schemas.openxmlformats.org/package/2006/relationships",
    "s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "table": "http://schemas.openxmlformats.org/drawingml/2006/table",
}
"""Prefix to namespace, in the spelling of the transitional edition (ISO/IEC 29500-4)."""

_MAIN = "application/vnd.openxmlformats-officedocument.presentationml."
_MACRO = "application/vnd.ms-powerpoint."

MAIN_CONTENT_TYPES = {
    f"{_MAIN}presentation.main+xml": "pptx",
    f"{_MAIN}template.main+xml": "potx",
    f"{_MAIN}slideshow.main+xml": "ppsx",
    f"{_MACRO}presentation.macroEnabled.main+xml": "pptm",
    f"{_MACRO}template.macroEnabled.main+xml": "potm",
    f"{_MACRO}slideshow.macroEnabled.main+xml": "ppsm",
}
"""Content type of a presentation's main part to the file extension that belongs to it."""

_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


@cache
def qn(name: str) -> str:
    """The qualified name in Clark notation.

    >>> qn("mc:Choice")
    '{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice'
    """
    prefix, local = name.split(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def local_name(tag: str) -> str:
    """The name without its namespace.

    >>> local_name(qn("p:sp"))
    'sp'
    """
    return tag.rpartition("}")[2]


def relationship_type(name: str) -> str:
    """The full type of an office-document relationship.

    >>> relationship_type("slideLayout")
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/slideLayout'
    """
    return _RELATIONSHIPS + name


Element: TypeAlias = etree._Element
"""One XML element, as lxml gives it."""

ILLEGAL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML cannot hold (XML 1.0, 2.2)."""

_DOCTYPE_MARKS = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/")
_DOCTYPE = "it declares a document type (DTD), which decks never need"
_TOO_DEEP = "xcessive depth"


def parse_xml(
    data: bytes, *, path: object, part: str | None, limits: Limits = DEFAULT_LIMITS
) -> Element:
    """The root element of an XML part.

    ``path`` and ``part`` only name the place in errors. Namespaces of the strict edition (ISO/IEC
    29500 part 1) are turned into the transitional ones (part 4), so callers meet one vocabulary.
    Raises MalformedPart if the bytes are no well-formed XML or declare a document type (and
    with it entities), LimitExceeded if the part is too large, dense or deep.
    """
    where = str(path)
    _check_size(data, where, part, limits)
    if any(mark in data for mark in _DOCTYPE_MARKS) and _declares_doctype(data):
        raise MalformedPart(where, _DOCTYPE, part)
    try:
        root = _tree(_as_transitional(data))
    except etree.XMLSyntaxError as error:
        if _TOO_DEEP in str(error):
            raise _too_deep(where, part, limits) from None
        raise MalformedPart(where, f"not well-formed XML: {error.msg}", part) from None
    except ValueError as error:
        raise MalformedPart(where, f"not well-formed XML: {error}", part) from None
    if root.getroottree().docinfo.doctype:  # type: ignore[attr-defined]
        raise MalformedPart(where, _DOCTYPE, part)
    if _deeper_than(limits.xml_depth)(root):
        raise _too_deep(where, part, limits)
    return root


def serialize_xml(root: Element) -> bytes:
    """The bytes of a part: UTF-8 with an XML declaration that says standalone, as Office writes."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def take_out(element: Element) -> None:
    """Take an element out of its tree; a root, which is in none, stays."""
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def non_visual(shape: Element) -> Element | None:
    """The ``p:nvSpPr``, ``p:nvPicPr`` ... of a shape; None if it has none."""
    return next((child for child in shape if local_name(str(child.tag)).startswith("nv")), None)


def non_visual_properties(shape: Element) -> Element | None:
    """The ``cNvPr`` of a shape, which has its id and name; None if it has none."""
    holder = non_visual(shape)
    return next((shape if holder is None else holder).iter("{*}cNvPr"), None)


def shape_id(shape: Element) -> int:
    """The id of a shape on its slide; 0 if it states none."""
    names = non_visual_properties(shape)
    return 0 if names is None else parse_int(names.get("id")) or 0


def shape_name(shape: Element) -> str:
    """The name of a shape; empty if it states none."""
    names = non_visual_properties(shape)
    return "" if names is None else names.get("name") or ""


def _check_size(data: bytes, path: str, part: str | None, limits: Limits) -> None:
    if len(data) > limits.xml_bytes:
        detail = f"{len(data):,} bytes of XML, more than the limit of {limits.xml_bytes:,}"
        raise LimitExceeded(path, detail, part)
    if data.count(b"<") + data.count(b"=") > limits.xml_nodes:
        detail = f"more than the limit of {limits.xml_nodes:,} elements and attributes"
        raise LimitExceeded(path, detail, part)


def _too_deep(path: str, part: str | None, limits: Limits) -> LimitExceeded:
    detail = f"elements nested deeper than the limit of {limits.xml_depth}"
    return LimitExceeded(path, detail, part)


def _declares_doctype(data: bytes) -> bool:
    """Ask a second parser that stops at the declaration, before anything in it can expand."""
    seen: list[str] = []

    def note(name: str, *_rest: object) -> None:
        seen.append(name)
        raise _Seen

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = note
    try:
        parser.Parse(data, True)
    except _Seen:
        return True
    except (expat.ExpatError, LookupError, ValueError):
        return False  # not well-formed: the real parser says so with its own words
    return bool(seen)


class _Seen(Exception):
    pass


def _tree(data: bytes) -> Element:
    """Parse; a namespace may bear any name, as those that SharePoint leaves in decks do.

    To libxml2 a name that is no URI is an error like any other; to "Namespaces in XML 1.0" the
    document is well-formed all the same.
    """
    parser = _parser()
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        kinds = {entry.type for entry in parser.error_log}
        if kinds != {etree.ErrorTypes.WAR_NS_URI}:
            raise
        return etree.fromstring(data, _parser(recover=True))


def _parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        recover=recover,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


@cache
def _deeper_than(depth: int) -> etree.XPath:
    return etree.XPath(f"boolean({'/*' * (depth + 1)})")


def _as_transitional(data: bytes) -> bytes:
    if b"http://purl.oclc.org/ooxml/" not in data:
        return data
    return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)
