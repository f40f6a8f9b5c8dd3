"""What requests about words do, and which changes to expect."""

from collections.abc import Callable
from typing import Any

from decklab.diffing.changes import Kind
from decklab.editing.bullets import add_bullet
from decklab.editing.finding import EditError, properties
from decklab.editing.links import set_link
from decklab.editing.phrasing import Phrase
from decklab.editing.replacing import replace_text
from decklab.editing.replacing_everywhere import (
    replace_in_shape,
    replace_on_masters,
    replace_on_slide,
    words_in,
)
from decklab.editing.requests.carrying_out import (
    Slots,
    check_slide_is_named,
    expected,
    place_of_bullet,
)
from decklab.editing.requests.operation import OpenDeck, Unclear, shapes_in
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.things import Target
from decklab.editing.requests.tokens import quoted
from decklab.editing.selecting import shape_id
from decklab.editing.verification import ExpectedChange
from decklab.editing.words_left import left_out
from decklab.ooxml.xml import qn

Expected = tuple[ExpectedChange, ...]
Operation = Callable[..., object]
MOST_ADDED = 200_000
"""Characters that one request may add. Ours: more than all text of most decks."""
_KINDS: dict[str, tuple[Kind, ...]] = {"notes": ("notes",)}


def plan_replacement(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Replace words, without slides named also in notes, descriptions and on masters."""
    held = {"new": "", "whole_word": True, "match_case": True, **phrase.fixed, **slots}
    scope: Scope = held.get("slides", Scope())
    old, new, target = held["old"], held["new"], held.get("shape")
    where = held.get("where", "all")
    how = {name: bool(held[name]) for name in ("whole_word", "match_case")}
    if "\n" in new:
        raise EditError("words are replaced within a line; the new text has several")
    if not old or old == new:
        raise EditError("it would change nothing")
    within = {} if target is None else deck.shapes(scope, target)

    def replaced(number: int, **how: bool) -> int:
        if target is not None:
            ids = within.get(number, ())
            return sum(replace_in_shape(deck.prs, number, id, old, new, **how) for id in ids)
        if where != "all":
            return replace_text(deck.prs, old, new, slides=[number], where=where, **how)
        beyond = scope.slides is None
        return sum(replace_on_slide(deck.prs, number, old, new, beyond_view=beyond, **how).values())

    counts = {number: replaced(number, **how) for number in deck.numbers(scope)}
    whole_deck = where == "all" and target is None and scope == Scope() and deck.limit is None
    on_masters = replace_on_masters(deck.prs, old, new, **how) if whole_deck else 0
    total = sum(counts.values()) + on_masters
    if not total:
        raise EditError(f"“{old}” stands nowhere on {scope.words}{_otherwise(deck, held, counts)}")
    added = total * (len(new) - len(old))
    if added > MOST_ADDED:
        raise EditError(f"it would add {added:,} characters, more than {MOST_ADDED:,}")
    _tell_what_stays(deck, held, counts, whole_deck=whole_deck)
    ids = tuple(deck.id(number) for number, count in counts.items() if count)
    kinds = _KINDS.get(where, tuple(kind.replace("_", " ") for kind in phrase.changes.split()))
    return (
        *([ExpectedChange(words, kinds, ids)] if ids else ()),  # type: ignore[arg-type]
        ExpectedChange(words, ("style", "table"), ids, ("font",), required=False),
        ExpectedChange(words, ("detail", "other"), required=False),
        *([ExpectedChange(words, ("layout", "master"), (None,))] if on_masters else ()),
    )


def _otherwise(deck: OpenDeck, held: dict[str, Any], counts: dict[int, int]) -> str:
    """Where words stand that are almost the ones to replace."""
    spelled = words_in(deck.prs, list(counts), held["old"], whole_word=False)
    if not spelled:
        return ""
    return f"; there are {_counted(spelled)}: a form with “part of words” or “in any case” has them"


def _counted(spelled: dict[str, int]) -> str:
    return ", ".join(f"{count} “{word}”" for word, count in sorted(spelled.items()))


def _tell_what_stays(
    deck: OpenDeck, held: dict[str, Any], counts: dict[int, int], *, whole_deck: bool
) -> None:
    """Say which spellings were left, and what was not looked at."""
    old, new = held["old"], held["new"]
    if held["match_case"] and held["whole_word"]:
        spelled = words_in(deck.prs, list(counts), old)
        spelled = {word: count for word, count in spelled.items() if word not in (old, new)}
        if spelled:
            again = f"replace {quoted(next(iter(spelled)))} with {quoted(new)}"
            deck.left_out.append(
                f"left as it is, for it is spelled otherwise than “{old}”: {_counted(spelled)}"
                f" (to change it: {again})"
            )
    beyond = left_out(deck.prs) if whole_deck else ()
    if beyond:
        deck.left_out.append(f"not looked at for “{old}”: {'; '.join(beyond)}")


def plan_bullets(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Add bullets at a place, or give one another text."""
    scope: Scope = slots.get("slides", Scope())
    check_slide_is_named(phrase, scope, deck)
    texts = slots["text"] if isinstance(slots["text"], tuple) else (slots["text"],)
    over = bool(phrase.fixed.get("over"))
    shapes = deck.shapes(scope, slots.get("shape") or Target("body"))
    for number, ids in shapes.items():
        at: int | None = slots.get("place")
        for name, offset in (("bullet", 0), ("before", 0), ("after", 1)):
            if name in slots:
                at = place_of_bullet(deck, number, ids[0], slots[name]) + offset
        for offset, text in enumerate(texts):
            place = None if at is None else at + offset
            add_bullet(deck.prs, number, ids[0], text, place, over=over)
    slides, touched = tuple(map(deck.id, shapes)), tuple(ids[0] for ids in shapes.values())
    return expected(phrase, words, slides, touched)


def plan_link(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Link words or a shape to an address, or to a slide by its number before the request."""
    scope: Scope = slots.get("slides", Scope())
    target = slots["target"]
    goal = deck.now(target) if isinstance(target, int) else target
    shape: Target | None = slots.get("shape")
    text: str | None = slots.get("text")
    buttons = {} if text is None else {number: deck.shapes_on(number, Target("shape", name=text))
                                       for number in deck.numbers(scope)}  # fmt: skip
    if text is not None and any(_links(deck, number, id) for number in buttons
                                for id in buttons[number]):  # fmt: skip
        raise Unclear(f"“{text}” is a shape that leads somewhere itself",
                      [{"shape": Target("shape", name=text)}])  # fmt: skip
    found = {} if shape is None else deck.shapes(scope, shape)

    def change(number: int) -> int:
        if shape is not None:
            return sum(set_link(deck.prs, number, goal, shape=id) for id in found.get(number, ()))
        try:
            set_link(deck.prs, number, goal, text=text)
        except EditError:
            if scope.slides is not None:
                raise
            return False
        return True

    ids = deck.changed_on(scope, change, f"“{text}” stands nowhere on {scope.words}")
    return expected(phrase, words, ids)


def _links(deck: OpenDeck, number: int, id: int) -> bool:
    """Whether a shape leads somewhere itself, not its words."""
    element = next(one for one in shapes_in(deck.prs, number) if shape_id(one) == id)
    return properties(element).find(qn("a:hlinkClick")) is not None
