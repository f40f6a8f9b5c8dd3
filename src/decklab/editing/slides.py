"""Clones, deletes, moves and hides slides of an open presentation, by their numbers."""

from collections.abc import Iterator
from contextlib import contextmanager

from pptx.presentation import Presentation

from decklab.core.errors import DeckError
from decklab.editing.finding import EditError, slide_at
from decklab.editing.open_parts import EditableParts, parts_of
from decklab.editing.phrasing import order_phrase, phrase
from decklab.editing.slide_operations import clone_slide as clone_in
from decklab.editing.slide_operations import delete_slide as delete_in
from decklab.editing.slide_operations import move_slide as move_in
from decklab.ooxml.slide_list import recount


@phrase("(duplicate|copy|make copy of) {slides} [{place}]",
        example="duplicate slide 2", changes="slide:added", follows="section show")  # fmt: skip
@phrase(
    "make {times:number} copies of {slides} [{place}]",
    "(duplicate|copy) {slides} {times:number} times",
    example="make two copies of slide 2", changes="slide:added", follows="section show",
)  # fmt: skip
def clone_slide(prs: Presentation, slide: int, position: int | None = None) -> int:
    """Double a slide with its charts, diagrams and notes; return the number of the new one.

    It goes right after the original, or to the 1-based ``position``. Charts and all else that can
    be edited are copies; pictures and the layout are shared.

    Example: clone_slide(prs, 3)
    """
    place = slide + 1 if position is None else position
    slide_at(prs, slide)
    _check_place(prs, place, len(prs.slides) + 1)
    with _parts(prs) as parts:
        clone_in(parts, slide, place)
    return place


@phrase("delete {slides}",
        example="delete slides 2 and 4-5", changes="slide:removed",
        follows="link layout section show")  # fmt: skip
@phrase("keep only {slides}",
        example="keep only slides 1-4", changes="slide:removed",
        follows="link layout section show", others=True)  # fmt: skip
def delete_slide(prs: Presentation, slide: int) -> None:
    """Delete a slide, with what only it needs and all links to it; other slides move up.

    The only slide of a deck cannot be deleted.

    Example: delete_slide(prs, 7)
    """
    slide_at(prs, slide)
    with _parts(prs) as parts:
        delete_in(parts, slide)


@order_phrase("(move|put|bring) {slides} {place}",
              "make {slides} {place:rank}",
              example="move slide 2 after slide 4")  # fmt: skip
def move_slide(prs: Presentation, slide: int, position: int) -> None:
    """Move a slide so that it is number ``position``; those between make room.

    Example: move_slide(prs, 8, 2)
    """
    slide_at(prs, slide)
    _check_place(prs, position, len(prs.slides))
    with _parts(prs) as parts:
        move_in(parts, slide, position)


@phrase("hide {slides}", example="hide slides 4 and 5", changes="slide:hidden")
@phrase("(unhide|show) {slides} [again]",
        example="unhide slide 4", changes="slide:hidden", hidden=False)  # fmt: skip
def hide_slide(prs: Presentation, slide: int, hidden: bool = True) -> None:
    """Hide a slide from the show, or show it again.

    Example: hide_slide(prs, 5)
    """
    root = slide_at(prs, slide)._element
    if hidden:
        root.set("show", "0")
    else:
        root.attrib.pop("show", "")
    with _parts(prs) as parts:
        recount(parts)


@contextmanager
def _parts(prs: Presentation) -> Iterator[EditableParts]:
    """The parts of a presentation; a DeckError in the block becomes an EditError."""
    try:
        with parts_of(prs) as parts:
            yield parts
    except DeckError as error:
        raise EditError(error.detail) from error


def _check_place(prs: Presentation, place: int, last: int) -> None:
    if not 1 <= place <= last:
        raise EditError(f"there is no place {place}; the deck has {len(prs.slides)} slides")
