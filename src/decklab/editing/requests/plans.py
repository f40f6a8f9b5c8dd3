"""Plans of requests about whole slides, and the table of all plans.

A plan carries out a request that means more than a call for each slide or shape.
"""

from collections.abc import Callable, Mapping

from decklab.editing.finding import EditError
from decklab.editing.plan import ExpectedChange
from decklab.editing.requests import object_plans, text_plans
from decklab.editing.requests.carrying_out import Expected, PlainRequest, new_number, place_among
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.values import SlidePlace
from decklab.editing.slide_import import bring_slide
from decklab.editing.slides import clone_slide, delete_slide, order_slides, section_sizes, share_out


def plan_deletion(request: PlainRequest) -> Expected:
    """Delete slides, or all others."""
    slots, deck = request.slots, request.deck
    numbers = deck.numbers(slots["slides"])
    if request.phrase.fixed.get("others"):
        numbers = [number for number in deck.numbers(Scope()) if number not in numbers]
    if len(numbers) == deck.total:
        raise EditError("a deck cannot lose all its slides")
    if not numbers:
        raise EditError("there are no other slides")
    ids = tuple(map(deck.id, numbers))
    for number in reversed(numbers):
        delete_slide(deck.prs, number)
    return request.expected(ids)


def plan_move(request: PlainRequest) -> Expected:
    """Move slides, which keep their order among themselves, to a place."""
    slots, deck = request.slots, request.deck
    moved = deck.numbers(slots["slides"])
    others = [number for number in range(1, deck.total + 1) if number not in moved]
    at = place_among(deck, slots["place"], others, len(moved))
    return _reordered(request, [*others[:at], *moved, *others[at:]])


def plan_order(request: PlainRequest) -> Expected:
    """Let two slides change their places, or put slides into the opposite order."""
    slots, deck = request.slots, request.deck
    pair = Scope((slots["number"], slots["other"])) if "other" in slots else Scope()
    scope = slots.get("slides", pair)
    numbers = deck.numbers(scope)
    if request.phrase.fixed["how"] == "swap" and len(numbers) != 2:
        raise EditError("two slides are swapped; name two")
    order = list(range(1, deck.total + 1))
    for number, other in zip(numbers, reversed(numbers), strict=True):
        order[number - 1] = other
    sizes = section_sizes(deck.prs)
    planned = _reordered(request, order)
    share_out(deck.prs, sizes)
    return planned


def _reordered(request: PlainRequest, order: list[int]) -> Expected:
    if order == sorted(order):
        raise EditError("they are there already")
    order_slides(request.deck.prs, order)
    # Which of two neighbours moved past the other cannot be told.
    return request.expected(())


def plan_copies(request: PlainRequest) -> Expected:
    """Double slides, each right behind itself, or at a place."""
    slots, deck = request.slots, request.deck
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
        planned += request.expected((deck.id(at),))
    return tuple(planned)


_MOST_COPIES = 50


def plan_brought_slides(request: PlainRequest) -> Expected:
    """Bring slides of another deck in, at a place, in their order."""
    slots, deck = request.slots, request.deck
    source = deck.other_deck(slots["deck"])
    at = new_number(deck, slots.get("place"))
    new: list[int] = []
    for offset, number in enumerate(slots["numbers"]):
        keep_design = bool(request.phrase.fixed.get("keep_design"))
        bring_slide(deck.prs, source, number, at + offset, keep_design=keep_design)
        new.append(deck.id(at + offset))
    return request.expected(tuple(new))


def plan_moved_section(request: PlainRequest) -> Expected:
    """Move a section with its slides."""
    slots, deck = request.slots, request.deck
    if deck.limit is not None:
        raise EditError("it is about all slides; leave out which slides may be edited")
    if not request.operation(deck.prs, **slots):
        raise EditError("it is there already")
    return request.expected(())


def plan_section(request: PlainRequest) -> Expected:
    """Begin a section at a slide."""
    slots, deck = request.slots, request.deck
    slide = deck.only_number(slots["slides"], "a section begins at one slide; name one")
    request.operation(deck.prs, slots["name"], slide)
    return request.expected(())


Plan = Callable[[PlainRequest], Expected]
PLANS: Mapping[str, Plan] = {
    "delete_slide": plan_deletion,
    "move_slide": plan_move,
    "order_slides": plan_order,
    "clone_slide": plan_copies,
    "add_slide": object_plans.plan_new_slide,
    "bring_slide": plan_brought_slides,
    "add_section": plan_section,
    "move_section": plan_moved_section,
    "replace_text": text_plans.plan_replacement,
    "add_bullet": text_plans.plan_bullets,
    "set_link": text_plans.plan_link,
    "format_text": text_plans.plan_look,
    "change_case": text_plans.plan_case,
    "set_line_spacing": text_plans.plan_spacing,
    "add_text_box": object_plans.plan_new_thing,
    "add_shape": object_plans.plan_new_thing,
    "add_picture": object_plans.plan_new_thing,
    "add_table": object_plans.plan_new_thing,
    "add_chart": object_plans.plan_new_thing,
    "replace_picture": object_plans.plan_new_picture,
    "set_geometry": object_plans.plan_geometry,
    "align_shapes": object_plans.plan_edge,
    "add_row": object_plans.plan_line,
    "add_column": object_plans.plan_line,
    "delete_row": object_plans.plan_line,
    "delete_column": object_plans.plan_line,
    "merge_cells": object_plans.plan_merge,
    "set_cell": object_plans.plan_cell,
    "set_chart_value": object_plans.plan_point,
    "move_row": object_plans.plan_moved_line,
    "move_column": object_plans.plan_moved_line,
    "set_column_width": object_plans.plan_line_size,
    "set_row_height": object_plans.plan_line_size,
    "fill_cells": object_plans.plan_cells,
    "move_bullet": text_plans.plan_moved_bullet,
    "set_paragraph_space": text_plans.plan_space,
}
"""The plan of an operation by its name; of others it is ``carry_out``."""
