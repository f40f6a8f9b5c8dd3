"""A slide brought in from another deck, with or without the design it had there."""

import posixpath

from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.authors import merge_authors
from decklab.ooxml.slides.cloning import is_notes, require_layout
from decklab.ooxml.slides.comments import CLASSIC_COMMENTS, MODERN_COMMENTS
from decklab.ooxml.slides.copying import COPY, DROP, Fate, copy_part
from decklab.ooxml.slides.designs import bring_layout, bring_notes_master, bring_related
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.entering import enter_slide
from decklab.ooxml.slides.layouts import fitting_layout
from decklab.ooxml.slides.listing import Parts, SlideEntry, find_slide, free_place, slide_entries
from decklab.ooxml.slides.placeholders import fit_placeholders
from decklab.ooxml.slides.references import drop_show_links, drop_zooms
from decklab.ooxml.slides.tablestyles import bring_table_styles


def import_slide(
    draft: Draft,
    source: Parts,
    slide: int | str,
    position: int | None = None,
    *,
    keep_design: bool = True,
) -> str:
    """Bring a slide of another deck in; return the name of the new slide's part.

    ``source`` is a Package or a Draft, which stays as it is; ``slide`` a number or part name of
    it. The slide goes to the 1-based ``position``, the end where none is given. With
    ``keep_design`` its layout comes along with master, theme and the master's other layouts,
    unless the deck has an equal master with an equal layout; otherwise the slide is laid onto the
    deck's own layout of the same name or type.

    Everything the slide needs is copied; media of the same content are stored once; authors of
    comments are merged; styles of its tables are added. Links to slides that stay behind, to
    custom shows, and zooms lose their action and keep text and picture. Shapes keep position and
    size in EMU also where the decks differ in slide size; embedded fonts and the deck's default
    text style stay behind.

    Raises MissingPart where there is no such slide, or it has no layout or master; DeckError
    where there is no such place.
    """
    entry = find_slide(source, slide)
    total = len(slide_entries(draft)) + 1
    place = total if position is None else position
    free_place(draft, place, total)
    old_layout = require_layout(source, entry)
    with draft.whole():
        if keep_design:
            layout = bring_layout(source, draft, old_layout)
        else:
            layout = fitting_layout(source, draft, old_layout, place)
        known: dict[str, str] = {}
        name = _copy(source, draft, entry, layout, known)
        if not keep_design:
            fit_placeholders(draft, name, layout, source, old_layout)
        drop_zooms(draft.edit(name))
        drop_show_links(draft.edit(name))
        bring_table_styles(source, draft, name)
        enter_slide(draft, name, place, known.values(), _authors(source, draft, known))
    return name


def _copy(
    source: Parts, draft: Draft, entry: SlideEntry, layout: str, known: dict[str, str]
) -> str:
    def choose(owner: str, link: Relationship) -> str | Fate:
        if link.kind == "slideLayout":
            return layout
        if link.kind == "notesMaster":
            return bring_notes_master(source, draft, link.target)
        if link.kind == "slide":
            return COPY if link.target == entry.part else DROP
        if is_notes(source, link.target) and owner != entry.part:
            return DROP
        return bring_related(source, draft, link)

    folder = posixpath.dirname(draft.main_part)
    like = posixpath.join(folder, "slides/slide1.xml")
    return copy_part(source, draft, entry.part, choose, known, like=like)


def _authors(source: Parts, draft: Draft, known: dict[str, str]) -> dict[str, dict[str, str]]:
    kinds = {draft.content_type(name) for name in known.values()}
    return {
        kind: merge_authors(source, draft, modern=kind == MODERN_COMMENTS)
        for kind in (CLASSIC_COMMENTS, MODERN_COMMENTS)
        if kind in kinds
    }
