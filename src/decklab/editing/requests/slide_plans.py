"""Plans of requests about whole slides, and the changes to expect."""

from collections.abc import Callable

from decklab.editing.finding import EditError
from decklab.editing.new_slides import order_slides
from decklab.editing.phrasing import Phrase
from decklab.editing.requests.carrying_out import Slots, expected
from decklab.editing.requests.operation import OpenDeck
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.values import SlidePlace
from decklab.editing.sections import section_sizes, share_out
from decklab.editing.slide_import import bring_slide
from decklab.editing.slides import clone_slide, delete_slide
from decklab.editing.verification import ExpectedChange

Expected = tuple[ExpectedChange, ...]
Operation = Callable[..., object]


def plan_deletion(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Delete slides, or all others."""
    numbers = deck.numbers(slots["slides"])
    if phrase.fixed.get("others"):
        numbers = [number for number in deck.numbers(Scope()) if number not in numbers]
    if len(numbers) == deck.total:
        raise EditError("a deck cannot lose all its slides")
    if not numbers:
        raise EditError("there are no other slides")
    ids = tuple(map(deck.id, numbers))
    for number in reversed(numbers):
        delete_slide(deck.prs, number)
    return expected(phrase, words, ids)


def plan_move(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Move slides, which keep their order among themselves, to a place."""
    moved = deck.numbers(slots["slides"])
    others = [number for number in range(1, deck.total + 1) if number not in moved]
    at = _index(deck, slots["place"], others, len(moved))
    return _reordered(deck, [*others[:at], *moved, *others[at:]], phrase, words)


def plan_order(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Let two slides change their places, or put slides into the opposite order."""
    pair = Scope((slots["number"], slots["other"])) if "other" in slots else Scope()
    scope = slots.get("slides", pair)
    numbers = deck.numbers(scope)
    if phrase.fixed["how"] == "swap" and len(numbers) != 2:
        raise EditError("two slides are swapped; name two")
    order = list(range(1, deck.total + 1))
    for number, other in zip(numbers, reversed(numbers), strict=True):
        order[number - 1] = other
    sizes = section_sizes(deck.prs)
    planned = _reordered(deck, order, phrase, words)
    share_out(deck.prs, sizes)
    return planned


def _reordered(deck: OpenDeck, order: list[int], phrase: Phrase, words: str) -> Expected:
    if order == sorted(order):
        raise EditError("they are there already")
    order_slides(deck.prs, order)
    # Which of two neighbours moved past the other cannot be told.
    return expected(phrase, words, ())


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
        raise EditError(f"slide {place.number} is among the slides that move")
    return others.index(anchor) + (place.side == "after")


def new_number(deck: OpenDeck, place: SlidePlace | None) -> int:
    """The number of a new slide at a place, at the end if none is said."""
    everything = list(range(1, deck.total + 1))
    return 1 + (len(everything) if place is None else _index(deck, place, everything, 0))


def plan_copies(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Double slides, each right behind itself, or at a place."""
    place: SlidePlace | None = slots.get("place")
    times: int = slots.get("times", 1)
    if not 1 <= times <= _MOST_COPIES:
        raise EditError(f"one request makes up to {_MOST_COPIES} copies")
    planned: list[ExpectedChange] = []
    ids = [deck.id(number) for number in deck.numbers(slots["slides"])]
    for offset, id in enumerate([id for id in ids for _time in range(times)]):
        number = deck.number(id) or 1
        at = number + 1 if place is None else new_number(deck, place)
        at += offset if place is not None and place.side != "end" else 0
        clone_slide(deck.prs, number, min(at, deck.total + 1))
        planned += expected(phrase, words, (deck.id(at),))
    return tuple(planned)


_MOST_COPIES = 50


def plan_brought_slides(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Bring slides of another deck in, at a place, in their order."""
    source = deck.other_deck(slots["deck"])
    at = new_number(deck, slots.get("place"))
    new: list[int] = []
    for offset, number in enumerate(slots["numbers"]):
        keep_design = bool(phrase.fixed.get("keep_design"))
        bring_slide(deck.prs, source, number, at + offset, keep_design=keep_design)
        new.append(deck.id(at + offset))
    return expected(phrase, words, tuple(new))


def plan_moved_section(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Move a section with its slides."""
    if deck.limit is not None:
        raise EditError("it is about all slides; leave out which slides may be edited")
    if not operation(deck.prs, **slots):
        raise EditError("it is there already")
    return expected(phrase, words, ())


def plan_section(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Begin a section at a slide."""
    slide = deck.only_number(slots["slides"], "a section begins at one slide; name one")
    operation(deck.prs, slots["name"], slide)
    return expected(phrase, words, ())
