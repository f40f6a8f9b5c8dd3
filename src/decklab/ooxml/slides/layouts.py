"""A layout of this deck for a slide that comes from another one."""

from decklab.errors import MissingPart
from decklab.ooxml.slides.designs import listed_masters, master_of
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import Parts, slide_entries
from decklab.ooxml.xml import Element, qn

_CUSTOM = "cust"
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")


def fitting_layout(source: Parts, draft: Draft, layout: str, position: int) -> str:
    """The layout of the draft that does the same job as a layout of ``source``.

    Looked for under the master of the slide before ``position`` (or after, at the front): same
    name and type, same name, same type, then the one whose placeholders differ least. Raises
    MissingPart where the draft has no layouts.
    """
    candidates = draft.related(_master_near(draft, position), "slideLayout")
    if not candidates:
        raise MissingPart(draft.label, "the deck has no layouts to map a slide onto")
    wanted = source.xml(layout)
    return max(candidates, key=lambda name: _likeness(draft.xml(name), wanted))


def placeholders(root: Element) -> list[Element]:
    """The ``p:ph`` elements of a slide, layout or master, in z-order, those in groups too."""
    tree = root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")
    return [] if tree is None else list(tree.iter(qn("p:ph")))


def _master_near(draft: Draft, position: int) -> str:
    entries = slide_entries(draft)
    for place in (position - 2, position - 1):
        if 0 <= place < len(entries):
            for layout in draft.related(entries[place].part, "slideLayout"):
                return master_of(draft, layout)
    for master in listed_masters(draft):
        return master
    raise MissingPart(draft.label, "the deck has no master to map a slide onto")


def _likeness(root: Element, wanted: Element) -> tuple[bool, bool, bool, int]:
    same_name = _name(root) == _name(wanted) and bool(_name(root))
    kind = wanted.get("type", _CUSTOM)
    same_kind = root.get("type", _CUSTOM) == kind and kind != _CUSTOM
    return same_name and same_kind, same_name, same_kind, -_difference(root, wanted)


def _name(root: Element) -> str:
    content = root.find(qn("p:cSld"))
    return "" if content is None else (content.get("name") or "").casefold()


def _difference(one: Element, other: Element) -> int:
    """How many placeholders the one has and the other lacks."""
    left = _kinds(one)
    missing = 0
    for kind in _kinds(other):
        if kind in left:
            left.remove(kind)
        else:
            missing += 1
    return missing + len(left)


def _kinds(root: Element) -> list[str]:
    kinds = (item.get("type", "obj") for item in placeholders(root))
    return [kind for kind in kinds if kind not in _FURNITURE]
