"""Markup compatibility (ISO/IEC 29500-3): of alternative contents, the one that is to be read."""

from collections.abc import Iterator

from decklab.ooxml.names import NAMESPACES, qn
from decklab.ooxml.parsing import Element

__all__ = ["children", "resolved"]

_READ = frozenset(
    NAMESPACES[prefix]
    for prefix in ("a14", "aink", "asvg", "cx", "cx1", "cx2", "p14", "p15", "p159")
)
"""Namespaces of extensions that the reader understands, or keeps whole as unknown shapes."""
_CHARTS_OF_2016 = "/chartex"
"""How the namespaces end by which each newer kind of chart asks to be understood."""

_ALTERNATE = qn("mc:AlternateContent")
_CHOICE = qn("mc:Choice")
_FALLBACK = qn("mc:Fallback")


def children(element: Element) -> Iterator[Element]:
    """The child elements, each AlternateContent replaced by the content of one branch."""
    for child in element:
        yield from resolved(child)


def resolved(element: Element) -> Iterator[Element]:
    """The element itself; for an AlternateContent, what stands in the branch to be read.

    That is the first Choice whose required namespaces are all ones we read, else the Fallback;
    where there is no Fallback, the first Choice, so that nothing is lost unseen.
    """
    if element.tag != _ALTERNATE:
        yield element
        return
    branch = _branch(element)
    if branch is not None:
        yield from children(branch)


def _branch(element: Element) -> Element | None:
    choices = element.findall(_CHOICE)
    for choice in choices:
        prefixes = (choice.get("Requires") or "").split()
        if prefixes and all(_is_read(choice.nsmap.get(prefix)) for prefix in prefixes):
            return choice
    fallback = element.find(_FALLBACK)
    if fallback is not None:
        return fallback
    return choices[0] if choices else None


def _is_read(namespace: str | None) -> bool:
    return namespace is not None and (namespace in _READ or namespace.endswith(_CHARTS_OF_2016))
