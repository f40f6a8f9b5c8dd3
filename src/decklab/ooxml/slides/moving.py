"""A slide taken to another place of its deck."""

from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import find_slide, free_place, slide_entries, slide_list
from decklab.ooxml.slides.sections import settle_in_section
from decklab.ooxml.xml import qn


def move_slide(draft: Draft, slide: int | str, position: int) -> None:
    """Move a slide, given by number or part name, to a 1-based place of the deck.

    It stays in its section where a neighbour at the new place is of that section, and joins the
    section of the slide before it otherwise (of the slide after it, at the front). Raises
    MissingPart where there is no such slide, DeckError where there is no such place.
    """
    entry = find_slide(draft, slide)
    entries = slide_entries(draft)
    free_place(draft, position, len(entries))
    if position == entry.number:
        return
    with draft.whole():
        root = draft.edit(draft.main_part)
        by_link = {item.get(qn("r:id")): item for item in slide_list(root)}
        moved, there = by_link[entry.link], by_link[entries[position - 1].link]
        if position > entry.number:
            there.addnext(moved)
        else:
            there.addprevious(moved)
        settle_in_section(root, entry.id)
