"""Requests about transitions of slides and about how things on them come in."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from decklab.editing.motion import EFFECTS, TRANSITIONS
from decklab.editing.requests.clause import Clause, Former, Read
from decklab.editing.requests.lexicon import word_set
from decklab.editing.requests.phrases import DRAWN, Target
from decklab.editing.requests.show_operations import bring_in, change_transition
from decklab.editing.requests.words import Token, low_at, phrase_at, without_phrase

_SECONDS = {"one": 1.0, "two": 2.0, "three": 3.0, "half": 0.5}
_BEFORE_SECONDS = word_set("lasting of over in for with duration a , taking that lasts each")
_SAYS_TRANSITION = word_set("between effect effects style type")
_SAYS_ANIMATION = word_set("animation animations animated animate entrance effect effects")
_STARTS = {
    "on click": "on click", "on a click": "on click", "at a click": "on click",
    "at click": "on click", "when clicked": "on click", "when i click": "on click",
    "at the click": "on click", "with a click": "on click", "with previous": "with previous",
    "with the previous": "with previous", "after previous": "after previous",
    "after the previous": "after previous",
}  # fmt: skip
_COMING = ("title", "subtitle", "body", "caption")


def read_transition(clause: Clause) -> Read | None:
    """``use the push transition on slide 2``, ``let slides 2 to 4 wipe in, one second``."""
    kind, tokens, comes_in = _without_effect(clause.body, TRANSITIONS)
    lows = {token.low for token in tokens if token.kind != "quoted"}
    says = lows & {"transition", "transitions", "effect"} or ("between" in lows)
    if kind is None or not (says or comes_in):
        return None
    seconds, tokens = _without_seconds(tokens)
    slots = clause.slots([one for one in tokens if one.low not in _SAYS_TRANSITION])
    if slots.rest or slots.quoted or slots.look or slots.kinds - {"transition"} or slots.numbers:
        return None
    if slots.axes or not (says or slots.scope):
        return None
    return Read(
        change_transition(kind, slots.scope_or_all, seconds),
        Former(slots.scope, Target("transition")),
    )


def read_animation(clause: Clause) -> Read | None:
    """``fade in the picture on slide 5 on click``, ``let the table on slide 3 wipe in``."""
    kind, tokens, comes_in = _without_effect(clause.body, EFFECTS)
    start, words = without_phrase(tokens, _STARTS)
    lows = {token.low for token in words if token.kind != "quoted"}
    says = bool(lows & _SAYS_ANIMATION) or clause.verb == "animate"
    if kind is None or not (comes_in or says or start) or "transition" in lows:
        return None
    seconds, tokens = _without_seconds(words)
    slots = clause.slots([one for one in tokens if one.low not in _SAYS_ANIMATION])
    if slots.rest or slots.look or slots.numbers or slots.axes or slots.measures:
        return None
    if len(slots.targets) != 1 or slots.targets[0].kind not in (*DRAWN, *_COMING):
        return None
    name = slots.quoted[0] if len(slots.quoted) == 1 else slots.targets[0].name
    target = replace(slots.targets[0], name=name)
    operation = bring_in(kind, slots.scope_or_all, target, start or "on click", seconds)
    return Read(operation, Former(slots.scope, target))


def _without_effect(
    tokens: Sequence[Token], kinds: Collection[str]
) -> tuple[str | None, list[Token], bool]:
    """The effect that is named, the words without it, and whether something comes ``in`` by it."""
    places = ((at, phrase_at(tokens, at, kinds)) for at in range(len(tokens)))
    at, kind = next(((at, kind) for at, kind in places if kind), (0, ""))
    if kind:
        end = at + len(kind.split())
        follows = low_at(tokens, end) == "in"
        last = low_at(tokens, len(tokens) - 1) == "in"
        rest = [*tokens[:at], *tokens[end + follows :]]
        held = rest[:-1] if last and not follows else rest
        return kind, held, follows or last or kind == "fly in"
    return None, list(tokens), False


def _without_seconds(tokens: Sequence[Token]) -> tuple[float | None, list[Token]]:
    """How long it lasts, and the words without that."""
    for at, token in enumerate(tokens):
        if at == 0 or token.low not in ("second", "seconds", "s", "sec"):
            continue
        half = at > 1 and tokens[at - 1].low in ("a", "an") and tokens[at - 2].low == "half"
        start = at - 1 - half
        low = tokens[start].low
        number = float(low) if tokens[start].kind == "number" else _SECONDS.get(low)
        if number is None:
            continue
        lead = start
        while lead and tokens[lead - 1].low in _BEFORE_SECONDS:
            lead -= 1
        return number, [*tokens[:lead], *tokens[at + 1 :]]
    return None, list(tokens)
