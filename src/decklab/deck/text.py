"""The plain text of a paragraph."""

from decklab.deck.part import children
from decklab.ooxml.xml import Element, qn

LINE_BREAK = "\v"
"""A line break inside a paragraph (``a:br``), as PowerPoint puts it on the clipboard."""

_RUNS = (qn("a:r"), qn("a:fld"))


def paragraph_text(paragraph: Element) -> str:
    """The plain text of an ``a:p``: runs, fields, formulas, and LINE_BREAK for line breaks."""
    return "".join(_piece(child) for child in children(paragraph))


def _piece(element: Element) -> str:
    if element.tag in _RUNS:
        return element.findtext(qn("a:t")) or ""
    if element.tag == qn("a:br"):
        return LINE_BREAK
    if element.tag == qn("a14:m"):
        return "".join(text.text or "" for text in element.iter(qn("m:t")))
    return ""
