"""XML parts, parsed without entities, document types, network or unbounded depth."""

import re
from functools import cache
from typing import TypeAlias
from xml.parsers import expat

from lxml import etree

from decklab.errors import LimitExceeded, MalformedPart
from decklab.ooxml.limits import DEFAULT_LIMITS, Limits

__all__ = ["Element", "parse_xml", "serialize_xml"]

Element: TypeAlias = etree._Element
"""One XML element, as lxml gives it."""

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
    Raises MalformedPart where the bytes are no well-formed XML or declare a document type (and
    with it entities), LimitExceeded where the part is too large, dense or deep.
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
