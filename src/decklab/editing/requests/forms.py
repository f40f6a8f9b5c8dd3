"""The forms of requests, made from what the operations declare; plans of requests about whole
slides, and the table of all plans.

A plan carries out a request that means more than a call for each slide or shape.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from decklab.editing.chart_names import rename_in_chart
from decklab.editing.finding import EditError
from decklab.editing.operations import FAMILIES, operations_of
from decklab.editing.phrasing import Phrase, phrases_of
from decklab.editing.plan import ExpectedChange
from decklab.editing.requests import object_plans, text_plans
from decklab.editing.requests.carrying_out import Expected, PlainRequest, new_number, place_among
from decklab.editing.requests.slide_names import ON, SLIDES, Scope
from decklab.editing.requests.templates import (
    ARTICLES,
    Choice,
    Choices,
    Named,
    SlotForm,
    TemplateNode,
    TemplateWord,
    compiled,
    expanded,
    first_words,
)
from decklab.editing.requests.things import THINGS
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
    numbers = deck.numbers(slots.get("slides", pair))
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
    index: SlidePlace | None = slots.get("place")
    times: int = slots.get("times", 1)
    if not 1 <= times <= _MOST_COPIES:
        raise EditError(f"one request makes up to {_MOST_COPIES} copies")
    planned: list[ExpectedChange] = []
    ids = [deck.id(number) for number in deck.numbers(slots["slides"])]
    for offset, id in enumerate([id for id in ids for _time in range(times)]):
        number = deck.number(id) or 1
        at = number + 1 if index is None else new_number(deck, index)
        at += offset if index is not None and index.side != "end" else 0
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

_KINDS: Mapping[str, TemplateNode] = {**THINGS, "slides": SLIDES, "on": ON}
_LOCATED = (
    "shape", "drawn", "noun shape", "texts", "writing", "box shape", "picture", "chart", "cell",
    "called", "lettered", "cells", "row", "column", "lines", "table", "bullet",
)  # fmt: skip
"""Types of slots for things on slides, so that slides may be named behind them."""
_SLOT = re.compile(r"\{([a-z_]+)(?:[:=]([^}]*))?\}")
_SHOWN = {
    "list": "words, words", "names": "'words', 'words'", "quoted": "'words'", "writing": "text",
    "texts": "text", "lettered": "text", "text look": "look", "file": "file", "rank": "place",
     "drawn": "shape", "called": "shape", "noun shape": "shape",
    "box shape": "shape",
    "role": "title", "goal": "slide or address", "numbered": "words number, words number",
    "on": "on slides", "old": "words", "shapes": "shape, shape", "lines": "row or column",
    "layout name": "layout", "node": "words", "chart name": "name", "line text": "words",
    "unquoted": "words", "held": "'words'",
}  # fmt: skip
"""Names of types of slots as people read them, if they differ."""

_MORE: Mapping[str, tuple[Callable[..., object], ...]] = {
    "slides": (bring_slide,), "charts and diagrams": (rename_in_chart,)
}  # fmt: skip
"""Operations that programs of models do not have: they open other decks and workbooks."""


@dataclass(frozen=True)
class RequestForm:
    """One way to ask for an operation."""

    family: str
    operation: Callable[..., object]
    phrase: Phrase
    template: str

    @cached_property
    def nodes(self) -> tuple[TemplateNode, ...]:
        """The template, ready to be tried on words; slides may follow things on slides."""
        return compiled(self._located, _KINDS)

    @cached_property
    def begins(self) -> frozenset[str] | None:
        """The words with which it may begin; None for any."""
        return first_words(self.nodes)

    @property
    def _located(self) -> str:
        def with_slides(match: re.Match[str]) -> str:
            kind = match[1] if match[2] is None or "|" in match[2] else match[2]
            slot = match[0]
            return f"({slot} {{on}}|{{slides}} 's {slot})" if kind in _LOCATED else slot

        template = _SLOT.sub(with_slides, expanded(self.template, " {on}"))
        names = inspect.signature(self.operation).parameters
        takes_slides = "slide" in names or "slides" in names
        if takes_slides and "{slides}" not in self.template:
            template = template.replace(" to {", " {on} to {", 1)
        if takes_slides and "{slides}" not in self.template and not template.endswith("{on}"):
            template += " {on}"
        return template

    @property
    def takes_slides(self) -> bool:
        """Whether slides may be named."""
        return "{on}" in self._located

    @property
    def takes_shape(self) -> bool:
        """Whether a shape may be named before the request: ``in the table, …``."""
        held = re.search(r"\{(shape|table|cell|row|column|bullet)", " ".join(self.phrase.templates))
        return bool(held or self.phrase.shape)

    @property
    def shown(self) -> str:
        """The template as people read it."""
        return _SLOT.sub(_shown, self.template).replace("<", "").replace(">", "")


def _shown(match: re.Match[str]) -> str:
    name, kind = match[1], match[2]
    if kind and "|" in kind:
        return f"({kind})"
    return "{" + _SHOWN.get(kind or name, kind or name) + "}"


@cache
def forms() -> tuple[RequestForm, ...]:
    """All forms, by family in the order of the operations."""
    return tuple(
        RequestForm(family, operation, declared, template)
        for family in FAMILIES
        for operation in (*operations_of(family), *_MORE.get(family, ()))
        for declared in phrases_of(operation)
        for template in declared.templates
    )


@cache
def form_words() -> frozenset[str]:
    """The words of all forms and of the names of slides and things, articles aside."""
    words: set[str] = set()
    seen: set[int] = set()

    def collect(node: object) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        if isinstance(node, TemplateWord):
            words.update(word for spelling in node.spellings for word in spelling.split())
        for part in _parts(node):
            collect(part)

    for form in forms():
        for node in form.nodes:
            collect(node)
    nouns = (name for node in THINGS.values() for name in _nouns(node))
    return frozenset(word for word in (*words, *nouns) if word.isalpha()) - ARTICLES - {"of"}


@cache
def command_words() -> frozenset[str]:
    """The words that begin a form, and are no names of things or limits."""
    words = {word for form in forms() for word in form.begins or ()}
    nouns = {word for node in THINGS.values() for word in _nouns(node)}
    return frozenset(words - nouns) - {"keep", "no", "text", "theme", "footer", "the"}


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, Choice):
        for branch in node.branches:
            yield from branch
    elif isinstance(node, Named):
        yield node.kind
    elif isinstance(node, Choices):
        for _value, nodes in node.phrases:
            yield from nodes
    elif isinstance(node, SlotForm):
        for nodes, _make in node.templates:
            yield from nodes


def _nouns(node: object) -> Iterator[str]:
    for part in _parts(node):
        yield from _nouns(part)
    for noun in getattr(node, "nouns", ()):
        yield from noun.split()


@cache
def request_examples() -> Mapping[str, tuple[str, ...]]:
    """Requests for ``decklab edit`` without a model, by family; one for each form."""
    examples: dict[str, dict[str, None]] = {}
    for form in forms():
        examples.setdefault(form.family, {})[form.phrase.example] = None
    return {family: tuple(texts) for family, texts in examples.items()}


def form_lines(word: str = "") -> Iterator[str]:
    """The forms by family, each operation with an example; those only that hold a word."""
    family = ""
    for form in forms():
        texts = (form.family, form.shown, form.phrase.example)
        if not any(word.casefold() in text.casefold() for text in texts):
            continue
        if form.family != family:
            family = form.family
            yield f"{family}:"
        is_first = form.template == form.phrase.templates[0]
        yield f"  {form.shown}" + (f"\n      such as: {form.phrase.example}" if is_first else "")
