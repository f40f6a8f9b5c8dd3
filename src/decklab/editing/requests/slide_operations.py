"""Operations on whole slides: their number, order, layout and visibility."""

from dataclasses import dataclass

from decklab.diffing.changes import Kind
from decklab.editing.finding import EditError
from decklab.editing.new_slides import add_slide, apply_layout, order_slides
from decklab.editing.requests.operation import OpenDeck, Operation
from decklab.editing.requests.slide_names import Scope
from decklab.editing.slides import clone_slide, delete_slide, hide_slide
from decklab.editing.verification import ExpectedChange

_SECTIONS = ExpectedChange("sections follow", ("section", "show"), required=False)


@dataclass(frozen=True)
class SlidePlace:
    """A place in the order of slides."""

    side: str
    """``before`` or ``after`` a slide, ``at`` a number, ``start`` or ``end``."""
    number: int = 0
    """Of the slide, as the deck was before the request, or of the place."""

    @property
    def words(self) -> str:
        """The place in words."""
        if self.side in ("before", "after"):
            return f"{self.side} slide {self.number}"
        return f"to place {self.number}" if self.side == "at" else f"to the {self.side}"


def delete_slides(scope: Scope) -> Operation:
    """Delete slides."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        numbers = deck.numbers(scope)
        if len(numbers) == deck.total:
            raise EditError("a deck cannot lose all its slides")
        ids = tuple(deck.id(number) for number in numbers)
        for number in reversed(numbers):
            delete_slide(deck.prs, number)
        return (
            ExpectedChange(f"{scope.words} go", ("slide",), ids, ("removed",)),
            ExpectedChange("links to them go", ("link",), required=False),
            ExpectedChange("layouts without slides", ("layout",), required=False),
            _SECTIONS,
        )

    return Operation(f"delete {scope.words}", apply)


def move_slides(scope: Scope, place: SlidePlace) -> Operation:
    """Move slides, which keep their order among themselves, to a place."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        moved = deck.numbers(scope)
        others = [number for number in range(1, deck.total + 1) if number not in moved]
        at = _index(deck, place, others, len(moved))
        return _reordered(
            deck, [*others[:at], *moved, *others[at:]], f"{scope.words} move {place.words}"
        )

    return Operation(f"move {scope.words}", apply)


def _index(deck: OpenDeck, place: SlidePlace, others: list[int], count: int) -> int:
    """Where among the other slides the moved ones go."""
    if place.side in ("start", "end"):
        return 0 if place.side == "start" else len(others)
    if place.side == "at":
        if not 1 <= place.number <= len(others) + 1:
            raise EditError(
                f"there is no place {place.number}; the deck has {len(others) + count} slides"
            )
        return place.number - 1
    anchor = deck.now(place.number)
    if anchor not in others:
        raise EditError(f"there is no such place: {place.words}")
    return others.index(anchor) + (place.side == "after")


def _reordered(deck: OpenDeck, order: list[int], what: str) -> tuple[ExpectedChange, ...]:
    if order == sorted(order):
        raise EditError("it is there already")
    order_slides(deck.prs, order)
    # Which of two neighbours moved past the other cannot be told.
    return (ExpectedChange(what, ("slide",), (), ("moved",)), _SECTIONS)


def swap_slides(scope: Scope) -> Operation:
    """Let two slides change their places."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        numbers = deck.numbers(scope)
        if len(numbers) != 2:
            raise EditError("two slides are swapped; name two")
        order = list(range(1, deck.total + 1))
        one, other = numbers
        order[one - 1], order[other - 1] = other, one
        return _reordered(deck, order, f"{scope.words} change places")

    return Operation(f"swap {scope.words}", apply)


def reverse_slides(scope: Scope) -> Operation:
    """Put slides into the opposite order."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        numbers = deck.numbers(scope)
        order = list(range(1, deck.total + 1))
        for place, number in zip(numbers, reversed(numbers), strict=True):
            order[place - 1] = number
        return _reordered(deck, order, "the slides are in the opposite order")

    return Operation(f"reverse {scope.words}", apply)


def copy_slides(scope: Scope, place: SlidePlace | None, times: int = 1) -> Operation:
    """Double slides, each right behind itself, or at a place."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        planned = []
        ids = [deck.id(number) for number in deck.numbers(scope)]
        for offset, id in enumerate([id for id in ids for _time in range(times)]):
            number = deck.number(id) or 1
            everything = list(range(1, deck.total + 1))
            at = number + 1 if place is None else 1 + _index(deck, place, everything, 0)
            at += offset if place is not None and place.side != "end" else 0
            clone_slide(deck.prs, number, min(at, deck.total + 1))
            what = f"slide {number} is doubled"
            planned.append(ExpectedChange(what, ("slide",), (deck.id(at),), ("added",)))
        return (*planned, _SECTIONS)

    return Operation(f"double {scope.words}", apply)


def hide_slides(scope: Scope, *, hidden: bool) -> Operation:
    """Hide slides from the show, or show them again."""
    to = "hide" if hidden else "show"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            shown = deck.prs.slides[number - 1]._element.get("show") not in ("0", "false")
            if shown == hidden:
                hide_slide(deck.prs, number, hidden)
            return shown == hidden

        so_already = f"{scope.words} {'hidden' if hidden else 'shown'} already"
        ids = deck.changed_on(scope, change, so_already)
        return (ExpectedChange(f"{to} {scope.words}", ("slide",), ids, ("hidden",)),)

    return Operation(f"{to} {scope.words}", apply)


def insert_slide(place: SlidePlace | None, title: str, layout: str | None) -> Operation:
    """Add a slide at a place, at the end where none is said."""
    named = f" “{title}”" if title else ""
    where = place.words if place else "to the end"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        everything = list(range(1, deck.total + 1))
        at = len(everything) if place is None else _index(deck, place, everything, 0)
        number = add_slide(deck.prs, at + 1, title=title, layout=layout)
        new = deck.id(number)
        return (
            ExpectedChange(f"a slide{named} is there", ("slide",), (new,), ("added",)),
            _SECTIONS,
        )

    return Operation(f"add a slide{named} {where}", apply)


def change_layout(name: str, scope: Scope) -> Operation:
    """Give slides another layout."""
    what = f"the layout becomes “{name}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope, lambda number: apply_layout(deck.prs, number, name), "it is so already"
        )
        what_follows: tuple[Kind, ...] = (
            "style",
            "geometry",
            "text",
            "removed",
            "layout",
            "detail",
            "slide",
            "other",
        )
        return (
            ExpectedChange(what, ("slide", "layout"), ids),
            ExpectedChange("looks follow the layout", what_follows, ids, required=False),
        )

    return Operation(f"{what} on {scope.words}", apply)
