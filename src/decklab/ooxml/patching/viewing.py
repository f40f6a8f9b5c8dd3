"""A part as text, in the words that patches have to use."""

import re
from collections.abc import Collection
from html import escape

from lxml import etree

from decklab.ooxml.names import NAMESPACES, qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element

__all__ = ["part_text"]

_PREFIX_OF = {uri: prefix for prefix, uri in NAMESPACES.items()}
_LONG_VALUE = 300
_LINE_DEPTH = 4
"""Down to this depth each element starts a line: shapes, paragraphs of a list style, plots."""
_ELIDED = (
    frozenset[str](),
    frozenset({qn("p:extLst"), qn("a:extLst"), qn("c:extLst")}),
    frozenset(
        {qn("p:extLst"), qn("a:extLst"), qn("c:extLst"), qn("a:pathLst"), qn("p:timing"),
         qn("mc:Fallback"), qn("a:effectLst"), qn("a:lstStyle")}
    ),
)  # fmt: skip
"""What is left out, the least useful first, until the text is short enough."""


def part_text(package: Package, part: str, *, most: int = 40_000) -> str:
    """An XML part on few lines, at most ``most`` characters, without namespace declarations.

    Elements have the prefixes of ``decklab.ooxml.names.NAMESPACES``. Where the text would be too
    long, extensions, then drawings, animations and effects are shown as ``…``; what is still too
    long is cut, and says so. Raises what ``Package.xml`` raises.
    """
    root = package.xml(part)
    text = ""
    for elided in _ELIDED:
        text = "".join(_pieces(root, elided, 0)).strip()
        if len(text) <= most:
            return text
    told = f"\n… cut here: {len(text):,} characters in all"
    return text[: max(0, most - len(told))] + told


def _pieces(item: Element, elided: Collection[str], depth: int) -> list[str]:
    name = _name(str(item.tag))
    attributes = "".join(
        f' {_name(str(key))}="{_value(str(value))}"' for key, value in item.attrib.items()
    )
    start = "\n" * (depth <= _LINE_DEPTH) + f"<{name}{attributes}"
    text = escape(item.text, quote=False) if item.text and item.text.strip() else ""
    if name in ("a:t", "m:t", "c:v", "c:f"):
        text = escape(item.text or "", quote=False)
    if item.tag in elided:
        return [f"{start}>…</{name}>"]
    inner = [piece for child in item for piece in _pieces(child, elided, depth + 1)]
    if not inner and not text:
        return [f"{start}/>"]
    return [f"{start}>{text}", *inner, f"</{name}>"]


def _name(tag: str) -> str:
    parsed = etree.QName(tag)
    if not parsed.namespace:
        return parsed.localname
    if parsed.namespace == "http://www.w3.org/XML/1998/namespace":
        return f"xml:{parsed.localname}"
    return f"{_PREFIX_OF.get(parsed.namespace, f'{{{parsed.namespace}}}')}:{parsed.localname}"


def _value(value: str) -> str:
    shown = value if len(value) <= _LONG_VALUE else value[:_LONG_VALUE] + "…"
    return re.sub(r"\s", " ", escape(shown))
