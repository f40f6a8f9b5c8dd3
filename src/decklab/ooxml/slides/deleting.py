"""A slide taken out of its deck, with everything that was there for it alone."""

from decklab.errors import DeckError
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import SlideEntry, find_slide, slide_entries, slide_list
from decklab.ooxml.slides.properties import recount
from decklab.ooxml.slides.reach import reachable, sweep
from decklab.ooxml.slides.references import drop_links, drop_zooms
from decklab.ooxml.slides.sections import leave_sections
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn


def delete_slide(draft: Draft, slide: int | str) -> None:
    """Delete a slide, given by number or part name.

    With it go its notes, comments, charts, diagrams and media, as far as nothing else needs them;
    its entries in sections, custom shows and views; links to it on other slides (their text and
    shapes stay); zooms on it (the picture stays). Sections and custom shows left empty, masters
    and comment authors stay. Raises MissingPart where there is no such slide, DeckError for the
    only slide: a deck without slides has nothing to show, and many programs refuse it.
    """
    entry = find_slide(draft, slide)
    entries = slide_entries(draft)
    if len(entries) == 1:
        detail = "the only slide of a deck cannot be deleted"
        raise DeckError(draft.label, detail, entry.part)
    again = [other for other in entries if other.part == entry.part and other != entry]
    with draft.whole():
        before = reachable(draft)
        root = draft.edit(draft.main_part)
        _strike(root, entry)
        if again:
            if all(other.link != entry.link for other in again):
                draft.unlink(draft.main_part, entry.link)
        else:
            for owner in sorted(reachable(draft, without=entry.part)):
                drop_links(draft, owner, entry.part)
        _drop_zooms(draft, entry.id)
        _clamp_show(draft, len(entries) - 1)
        sweep(draft, before)
        recount(draft)


def _strike(root: Element, entry: SlideEntry) -> None:
    items = slide_list(root)
    for item in list(items):
        if item.get(qn("r:id")) == entry.link and parse_int(item.get("id")) == entry.id:
            items.remove(item)
    leave_sections(root, entry.id)


def _drop_zooms(draft: Draft, id: int) -> None:
    for entry in slide_entries(draft):
        if b"sldZmObj" in draft.read(entry.part) and drop_zooms(draft.xml(entry.part), {id}):
            drop_zooms(draft.edit(entry.part), {id})


def _clamp_show(draft: Draft, slides: int) -> None:
    """A show from slide ``st`` to ``end`` cannot go past the last slide."""
    for part in draft.related(draft.main_part, "presProps"):
        if b"sldRg" not in draft.read(part):
            continue
        for item in draft.edit(part).iter():
            if isinstance(item.tag, str) and local_name(item.tag) == "sldRg":
                for name in ("st", "end"):
                    item.set(name, str(min(parse_int(item.get(name)) or slides, slides)))
