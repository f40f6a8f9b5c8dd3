"""A slide doubled within its deck, sharing nothing with the original that can be edited."""

from decklab.errors import MissingPart
from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.copying import COPY, Fate, copy_part, is_shared
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.entering import enter_slide
from decklab.ooxml.slides.listing import Parts, SlideEntry, find_slide, free_place, slide_entries


def clone_slide(draft: Draft, slide: int | str, position: int | None = None) -> str:
    """Double a slide, given by number or part name; return the name of the new slide's part.

    The clone goes to the 1-based ``position``, right after the original where none is given, into
    the section that belongs there; a hidden slide gives a hidden one. Charts, workbooks, diagrams,
    OLE objects, notes, comments, tags, ink and custom data become its own; layout, pictures,
    sound and video are shared. Links to slides lead where they led. Custom shows do not take it
    up. Raises MissingPart where there is no such slide or it has no layout, DeckError where there
    is no such place.
    """
    entry = find_slide(draft, slide)
    total = len(slide_entries(draft)) + 1
    place = entry.number + 1 if position is None else position
    free_place(draft, place, total)
    require_layout(draft, entry)
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | Fate:
        if link.kind == "slide" and link.target == entry.part and owner != entry.part:
            return known[entry.part] if is_notes(draft, owner) else link.target
        return link.target if is_shared(draft, link) else COPY

    with draft.whole():
        name = copy_part(draft, draft, entry.part, choose, known)
        enter_slide(draft, name, place, known.values())
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
