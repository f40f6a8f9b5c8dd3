"""Clones, deletes and moves slides, and updates sections, custom shows and document properties.

The deck is a ``Draft`` of a file, or one open in python-pptx (``open_parts.parts_of``).
"""

from collections.abc import Collection, Mapping

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.identities import renew_comments, renew_custom_data, renew_slide
from decklab.editing.open_parts import EditableParts
from decklab.editing.part_copies import (
    COPY,
    LinkFate,
    copy_part,
    drop_links,
    drop_zooms,
    has_zooms,
    is_shared,
)
from decklab.ooxml.parts import Parts, Relationship, reachable
from decklab.ooxml.slide_list import (
    SlideEntry,
    add_to_list,
    find_slide,
    free_place,
    leave_sections,
    list_items,
    recount,
    settle_in_section,
    slide_entries,
    unlist,
)
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name


def clone_slide(deck: EditableParts, slide: int | str, position: int | None = None) -> str:
    """Double a slide, given by number or part name; return the name of the new slide's part.

    The clone goes to the 1-based ``position``, right after the original if none is given, into
    the section that belongs there; a hidden slide gives a hidden one. Charts, workbooks, diagrams,
    OLE objects, notes, comments, tags, ink and custom data become its own; layout, pictures,
    sound and video are shared. Links to slides lead where they led. Custom shows do not take it
    up. Raises MissingPart if there is no such slide or it has no layout, DeckError if there
    is no such place.
    """
    entry = find_slide(deck, slide)
    total = len(slide_entries(deck)) + 1
    place = entry.number + 1 if position is None else position
    free_place(deck, place, total)
    require_layout(deck, entry)
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        if link.kind == "slide" and link.target == entry.part and owner != entry.part:
            return known[entry.part] if is_notes(deck, owner) else link.target
        return link.target if is_shared(deck, link) else COPY

    with deck.whole():
        name = copy_part(deck, deck, entry.part, choose, known)
        enter_slide(deck, name, place, known.values())
    return name


def require_layout(parts: Parts, entry: SlideEntry) -> str:
    """The part of the slide's layout; raises MissingPart."""
    for layout in parts.related(entry.part, "slideLayout"):
        return layout
    detail = f"slide {entry.number} has no layout, so a copy of it would need repair"
    raise MissingPart(parts.label, detail, entry.part)


def is_notes(parts: Parts, name: str) -> bool:
    """Whether a part is the notes of a slide."""
    return (parts.content_type(name) or "").endswith("notesSlide+xml")


def delete_slide(deck: EditableParts, slide: int | str) -> None:
    """Delete a slide, given by number or part name.

    With it go its notes, comments, charts, diagrams and media, as far as nothing else needs them;
    its entries in sections, custom shows and views; links to it on other slides (their text and
    shapes stay); zooms on it (the picture stays). Sections and custom shows left empty, masters
    and comment authors stay. Raises MissingPart if there is no such slide, DeckError for the
    only slide: a deck without slides has nothing to show, and many programs refuse it.
    """
    entry = find_slide(deck, slide)
    entries = slide_entries(deck)
    if len(entries) == 1:
        detail = "the only slide of a deck cannot be deleted"
        raise DeckError(deck.label, detail, entry.part)
    again = [other for other in entries if other.part == entry.part and other != entry]
    with deck.whole():
        before = reachable(deck)
        root = deck.edit(deck.main_part)
        _drop_entry(root, entry)
        if again:
            if all(other.link != entry.link for other in again):
                deck.unlink(deck.main_part, entry.link)
        else:
            for owner in sorted(reachable(deck, without=entry.part)):
                drop_links(deck, owner, entry.part)
        _drop_zooms(deck, entry.id)
        _clamp_show(deck, len(entries) - 1)
        sweep(deck, before)
        recount(deck)


def _drop_entry(root: Element, entry: SlideEntry) -> None:
    unlist(list_items(root)[entry.place - 1])
    leave_sections(root, entry.id)


def _drop_zooms(deck: EditableParts, id: int) -> None:
    for entry in slide_entries(deck):
        part = entry.part
        if deck.mentions(part, b"sldZmObj") and has_zooms(deck.root(part), {id}):
            drop_zooms(deck.edit(part), {id})


def _clamp_show(deck: EditableParts, slides: int) -> None:
    """Limit a show from slide ``st`` to ``end`` to the last slide."""
    for part in deck.related(deck.main_part, "presProps"):
        if not deck.mentions(part, b"sldRg"):
            continue
        for item in deck.edit(part).iter():
            if isinstance(item.tag, str) and local_name(item.tag) == "sldRg":
                for name in ("st", "end"):
                    item.set(name, str(min(parse_int(item.get(name)) or slides, slides)))


def move_slide(deck: EditableParts, slide: int | str, position: int) -> None:
    """Move a slide, given by number or part name, to a 1-based place of the deck.

    It stays in its section where a neighbour at the new place is of that section, and joins the
    section of the slide before it otherwise (of the slide after it, at the front). Raises
    MissingPart if there is no such slide, DeckError if there is no such place.
    """
    entry = find_slide(deck, slide)
    entries = slide_entries(deck)
    free_place(deck, position, len(entries))
    if position == entry.number:
        return
    with deck.whole():
        root = deck.edit(deck.main_part)
        items = list_items(root)
        moved, target = items[entry.place - 1], items[entries[position - 1].place - 1]
        if position > entry.number:
            target.addnext(moved)
        else:
            target.addprevious(moved)
        settle_in_section(root, entry.id)


def enter_slide(
    deck: EditableParts,
    part: str,
    position: int,
    copied: Collection[str],
    authors: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Add a copied slide to the slide list at a 1-based place.

    ``copied`` names the parts that were copied for it; ``authors`` maps ids of comment authors that
    changed, by the content type of the comments.
    """
    id = add_to_list(deck, part, position)
    settle_in_section(deck.edit(deck.main_part), id)
    creation = renew_slide(deck, part)
    renew_comments(deck, copied, slide_id=id, creation_id=creation, authors=authors)
    renew_custom_data(deck, copied)
    recount(deck)


def sweep(deck: EditableParts, before: set[str]) -> None:
    """Remove parts that could be reached ``before`` and no longer can.

    Parts that nothing led to in the first place are left alone.
    """
    for name in before - reachable(deck):
        deck.remove(name)
