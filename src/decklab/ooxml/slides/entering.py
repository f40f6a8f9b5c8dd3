"""A new slide made part of the deck: listed, in a section, with an identity of its own."""

from collections.abc import Collection, Mapping

from decklab.ooxml.slides.comments import renew_comments
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.identity import renew_custom_data, renew_slide
from decklab.ooxml.slides.listing import add_to_list
from decklab.ooxml.slides.properties import recount
from decklab.ooxml.slides.sections import settle_in_section


def enter_slide(
    draft: Draft,
    part: str,
    position: int,
    copied: Collection[str],
    authors: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Enter a copied slide at a 1-based place.

    ``copied`` names the parts that were copied for it; ``authors`` maps ids of comment authors
    where they changed, by the content type of the comments.
    """
    id = add_to_list(draft, part, position)
    settle_in_section(draft.edit(draft.main_part), id)
    creation = renew_slide(draft, part)
    renew_comments(draft, copied, slide_id=id, creation_id=creation, authors=authors)
    renew_custom_data(draft, copied)
    recount(draft)
