"""Plans of requests about words, and the changes to expect."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from decklab.diffing.changes import Kind
from decklab.editing.every_text import HeldText
from decklab.editing.finding import (
    EditError,
    find_shape,
    properties,
    shape_id,
    shape_text,
    slide_at,
)
from decklab.editing.links import point_link, set_link
from decklab.editing.lists import add_bullet, bullet_family
from decklab.editing.phrasing import Phrase
from decklab.editing.replacing import replace_text
from decklab.editing.replacing_everywhere import (
    is_in,
    left_out,
    replace_in_shape,
    replace_on_masters,
    replace_on_slide,
    words_in,
)
from decklab.editing.requests.carrying_out import Slots, expected
from decklab.editing.requests.operation import OpenDeck, Unclear, shapes_in
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.templates import quoted
from decklab.editing.requests.things import Target
from decklab.editing.verification import ExpectedChange
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
    apart: Target | None = held.get("apart")
    within = {} if target is None else deck.shapes(scope, target)

    def replaced(number: int, **how: bool) -> int:
        if target is not None:
            ids = within.get(number, ())
            return sum(replace_in_shape(deck.prs, number, id, old, new, **how) for id in ids)
        if where != "all":
            return replace_text(deck.prs, old, new, slides=[number], where=where, **how)
        beyond = scope.slides is None
        spare = None if apart is None else _spared(deck, number, apart)
        counts = replace_on_slide(
            deck.prs, number, old, new, beyond_view=beyond, spare=spare, **how
        )
        return sum(counts.values())

    counts = {number: replaced(number, **how) for number in deck.numbers(scope)}
    whole_deck = (
        where == "all"
        and target is None
        and apart is None
        and scope in (Scope(), Scope(every=True))
        and deck.limit is None
    )
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


def _spared(deck: OpenDeck, number: int, apart: Target) -> Callable[[HeldText], bool]:
    """Whether a text of a slide is one of those that are left as they are."""
    if apart.kind in ("notes", "footer"):
        return lambda text: text.place.kind == apart.kind
    ids = deck.shapes_on(number, replace(apart, plural=apart.name is None))
    held = [find_shape(deck.prs, number, id) for id in ids]
    return lambda text: any(is_in(text, one) for one in held)


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
    """Say which spellings were left, and which contents were not looked at."""
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
    texts = slots["text"] if isinstance(slots["text"], tuple) else (slots["text"],)
    over = bool(phrase.fixed.get("over"))
    beside = next((name for name in ("bullet", "before", "after") if name in slots), None)
    spots: dict[int, tuple[int, int | None]] = {}
    if beside:
        for number, (id, held) in deck.bullets(scope, slots[beside]).items():
            spots[number] = (id, held + (beside == "after"))
    else:
        at: int | None = 1 if slots.get("end") == "start" else slots.get("place")
        shapes = deck.shapes(scope, slots.get("shape") or Target("body"), can_be_all=False)
        spots = {number: (ids[0], at) for number, ids in shapes.items()}
    for number, (id, place) in spots.items():
        for offset, text in enumerate(texts):
            add_bullet(deck.prs, number, id, text, place and place + offset, over=over)
    slides, touched = tuple(map(deck.id, spots)), tuple(id for id, _place in spots.values())
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
    if phrase.fixed.get("again") and shape is None:
        return expected(phrase, words, (deck.id(_lead_elsewhere(deck, scope, goal)),))
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


def _lead_elsewhere(deck: OpenDeck, scope: Scope, goal: str | int) -> int:
    """Let the only link of the slides lead elsewhere; the number of its slide."""
    links = [(number, link) for number in deck.numbers(scope)
             for link in slide_at(deck.prs, number)._element.iter(qn("a:hlinkClick"))]  # fmt: skip
    where = {(number, link.get(qn("r:id")), link.get("action")) for number, link in links}
    if len(where) > 1 and len({number for number, _link in links}) > 1 and scope.slides is None:
        numbers = dict.fromkeys(number for number, _link in links)
        raise Unclear("several slides have links", [{"slides": Scope((n,))} for n in numbers])
    if len(where) != 1:
        raise EditError(f"{scope.words} have {len(where)} links; name the words of one")
    for number, link in links:
        point_link(deck.prs, number, link, goal)
    return links[0][0]


def _links(deck: OpenDeck, number: int, id: int) -> bool:
    """Whether a shape leads somewhere itself, not its words."""
    element = next(one for one in shapes_in(deck.prs, number) if shape_id(one) == id)
    return properties(element).find(qn("a:hlinkClick")) is not None


def plan_moved_bullet(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Move lines of a text to an end of it, beside another line, or by one place."""
    scope: Scope = slots.get("slides", Scope())
    bullet: Target = slots["bullet"]
    places = deck.bullets(scope, bullet)
    beside = next((name for name in ("before", "after") if name in slots), None)
    goals = deck.bullets(Scope(tuple(places)), slots[beside]) if beside else {}
    for number, (id, place) in places.items():
        count = bullet_family(deck.prs, number, id, place, bullet.count)
        last = len(shape_text(find_shape(deck.prs, number, id)).split("\n")) - count + 1
        if beside:
            if goals.get(number, (None,))[0] != id:
                raise EditError("the two bullets are not in one text")
            to = goals[number][1] + (beside == "after")
            to -= count if to > place else 0
        elif "end" in slots:
            to = 1 if slots["end"] in ("start", "first") else last
        else:
            to = slots["to"] if "to" in slots else place + (1 if slots["way"] == "down" else -1)
        if not operation(deck.prs, number, id, place, to, count=count):
            raise EditError("it is so already")
    slides = tuple(map(deck.id, places))
    return expected(phrase, words, slides, tuple(id for id, _place in places.values()))
