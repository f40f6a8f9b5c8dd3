"""Parts that python-pptx knows only as bytes, changed as XML."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lxml import etree


@contextmanager
def edited(part: Any) -> Iterator[Any]:
    """The root of a part, to be changed in place; kept when the block ends well."""
    live = getattr(part, "_element", None)
    if live is not None:
        yield live
        return
    root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False))
    before = etree.tostring(root)
    yield root
    if etree.tostring(root) != before:
        part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
