"""Names of the Office Open XML vocabularies: namespaces, qualified names, relationship types."""

from functools import cache

__all__ = ["MAIN_CONTENT_TYPES", "NAMESPACES", "local_name", "qn", "relationship_type"]

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
