"""The XML of a patch, read like that of a stranger's deck, with all known prefixes."""

import re

from lxml import etree

from decklab.core.errors import DeckError
from decklab.ooxml.limits import Limits
from decklab.ooxml.patch_paths import Refusal
from decklab.ooxml.xml import NAMESPACES, Element, parse_xml

FRAGMENT_LIMITS = Limits(xml_bytes=512 * 1024, xml_nodes=20_000, xml_depth=60)
"""Size of the XML of one patch. Ours: the largest slides without drawings in them."""

_WHERE = re.compile(r",? line \d+(, column \d+)?")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_PREFIXES = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())


def read_fragment(xml: str, *, relationships: bool = False) -> list[Element]:
    """The elements of a piece of XML that may use all known prefixes without declaring them.

    In a part of ``relationships`` names without prefix are of its namespace. Raises Refusal where
    it is not well-formed, declares a document type or entities, is too large, holds text outside
    of elements, or elements without a namespace.
    """
    default = f' xmlns="{NAMESPACES["rel"]}"' if relationships else ""
    text = f"<patch {_PREFIXES}{default}>{_DECLARATION.sub('', xml)}</patch>"
    try:
        root = parse_xml(text.encode(), path="patch", part=None, limits=FRAGMENT_LIMITS)
    except UnicodeEncodeError:
        raise Refusal("its XML holds characters that are no text") from None
    except DeckError as error:
        raise Refusal(f"its XML is refused: {_WHERE.sub('', error.detail)}") from None
    if (root.text or "").strip() or any((item.tail or "").strip() for item in root):
        raise Refusal("its XML has text outside of elements")
    for item in root.iter():
        if item is not root and not etree.QName(item).namespace:
            raise Refusal(f"its XML names <{item.tag}> without a prefix, as in <a:{item.tag}>")
    if not len(root):
        raise Refusal("its XML holds no element")
    for item in root:
        item.tail = None
    return list(root)
