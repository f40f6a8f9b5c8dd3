"""Requests that replace words by others."""

import re
from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.finding import EditError
from decklab.editing.requests.clause import Clause, Former, Read, is_name, refuse_wish
from decklab.editing.requests.lexicon import word_set
from decklab.editing.requests.operation import Unclear
from decklab.editing.requests.phrases import Slots
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import replace_words
from decklab.editing.requests.words import Token

_OPTIONS = {
    "whole": r"(?:(?:only|as|a) )*whole words?(?: only)?",
    "any": r"in any case|in (?:upper|lower) or (?:upper|lower) case|case[ -]?insensitive(?:ly)?"
    r"|(?:ignor(?:e|ing)|regardless of|no matter|irrespective of|whatever|whether)"
    r"(?: (?:the|upper|lower|capitals?|small|and|or|in|is))* (?:case|capitals|letters)",
    "part": r"(?:(?:also|even|and|including|as|in) )*"
    r"(?:(?:the middle|a part|parts?) of|parts?|inside of|inside|within)(?: longer| other)? words?",
}
"""How words are replaced, said behind them."""
_OLD = word_set(
    "series category label the all every each any occurrence occurrences instance instances of "
    "word words text phrase name term mention mentions string"
)
_REPLACING = ("change", "update", "switch", "convert", "turn", "edit", "modify")
_REPLACED_IN = ("title", "body", "footer", "notes", "table", "chart", "diagram", "caption",
                "subtitle", "text box", "shape", "text")  # fmt: skip


def read_replace(clause: Clause) -> Read | None:
    """``replace A with B``, ``substitute B for A``, ``change A to B``, ``rename A to B``."""
    if clause.action == "set" and clause.verb not in _REPLACING:
        return None
    tokens, options = _without_options(clause.body)
    body = _with_body(clause, tokens)
    words = {"replace": ("with", "by", "for", "to"), "swap": ("for",)}.get(
        clause.action, ("to", "into")
    )
    if clause.action == "rename":
        words = ("to", "into", "as")
    for left, right in body.splits(*words):
        if clause.verb == "substitute" and _splitter(body, left) == "for":
            return _substituted(body, left, right, options)
        old, left_slots = _old_words(body, left)
        if not old or not right:
            continue
        new, at = _new_words(body, right)
        if new is None:
            continue
        right_slots = body.slots(right[at:])
        return _replaced(body, old, new, (left_slots, right_slots), options)
    return None


def _substituted(
    clause: Clause, new: Sequence[Token], old: Sequence[Token], options: frozenset[str]
) -> Read | None:
    """``substitute Acme for Apple in titles``: the old words stand behind the new ones."""
    words, at = _new_words(clause, old) if old else (None, 0)
    value = clause.value(new, scoped=False) if new else None
    if words is None or value is None:
        return None
    return _replaced(clause, words, value[0], (Slots(), clause.slots(old[at:])), options)


def _with_body(clause: Clause, tokens: Sequence[Token]) -> Clause:
    """The clause with other tokens after its verb."""
    kept = clause.tokens[: len(clause.tokens) - len(clause.body)]
    return replace(clause, tokens=(*kept, *tokens))


def _splitter(clause: Clause, left: Sequence[Token]) -> str:
    return clause.body[len(left)].low


def _replaced(
    clause: Clause, old: str, new: str, slots: tuple[Slots, Slots], options: frozenset[str]
) -> Read | None:
    left, right = slots
    if right.rest or right.quoted or right.look or right.properties or left.look or left.properties:
        return None
    scope = right.scope or left.scope
    if right.scope and left.scope and right.scope != left.scope:
        raise EditError("it names slides twice")
    targets = [one for one in (*left.targets, *right.targets) if one.kind != "word"]
    kinds = {one.kind for one in targets} - ({"text"} if len(targets) > 1 else set())
    if len(kinds) > 1 or kinds - set(_REPLACED_IN):
        return None
    target = next((one for one in targets if one.kind in kinds), None)
    operation = replace_words(
        old,
        new,
        scope or Scope(),
        target=target,
        part_words="part" in options,
        match_case="any" not in options,
    )
    return Read(operation, Former(scope))


def _without_options(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], frozenset[str]]:
    """Words without ``whole word``, ``ignoring case``, ``part of words`` at their end."""
    held, found = list(tokens), set[str]()
    changed = True
    while changed:
        changed = False
        while held and held[-1].text in (",", "(", ")"):
            held.pop()
        said = " ".join("“”" if token.kind == "quoted" else token.low for token in held)
        for option, pattern in _OPTIONS.items():
            match = re.search(rf"(?<= )(?:{pattern})$", said)
            if match and len(match[0].split()) < len(held):
                del held[-len(match[0].split()) :]
                found.add(option)
                changed = True
                break
    return tuple(held), frozenset(found)


def _old_words(clause: Clause, left: Sequence[Token]) -> tuple[str, Slots]:
    """The words to be replaced, and the slots around them."""
    quoted = [at for at, token in enumerate(left) if token.kind == "quoted"]
    if quoted:
        at = quoted[0]
        outside = [*left[:at], *left[at + 1 :]]
        slots = clause.slots([one for one in outside if one.low not in _OLD or one.low == "text"])
        # A shape may not be named by the quoted text alone, nor may words be left over.
        return (left[at].text if len(quoted) == 1 and not slots.rest else ""), slots
    held = list(left)
    while held and held[0].low in _OLD:
        held.pop(0)
    if not held:
        return "", Slots()
    at, _scope = clause.trailing_scope(held)
    thing = clause.slots(held[:at])
    if left[0].low == "the" and held == list(left[1:]) and thing.targets and not thing.rest:
        return "", Slots()  # a thing and not its name: the picture, the title
    for end in range(1, len(held)):
        if held[end].low in ("in", "on", "from", "of", "throughout", "across"):
            around = clause.slots(held[end:])
            if not (around.rest or around.quoted or around.look or around.numbers) and (
                around.scope or around.targets or around.everywhere
            ):
                at = min(at, end)
                break
    return clause.text(held[:at]), clause.slots(held[at:])


def _new_words(clause: Clause, right: Sequence[Token]) -> tuple[str | None, int]:
    """The new words, and where what follows them begins."""
    if right[0].kind == "quoted":
        return right[0].text, 1
    lead = next(
        (n for n, token in enumerate(right) if token.low not in ("the", "word", "words")), 0
    )
    if lead < len(right) and right[lead].kind == "quoted":
        return right[lead].text, lead + 1
    at = len(right)
    for end in range(1, len(right)):
        low = right[end].low
        if low in ("in", "on", "from", "of", "throughout", "across", "everywhere", "for"):
            around = clause.slots(right[end:])
            extra = (
                around.rest or around.quoted or around.look or around.numbers or around.properties
            )
            if not extra and (around.scope or around.targets or around.everywhere):
                at = end
                break
    text = clause.text(right[:at])
    joint = next((n for n, token in enumerate(right[:at]) if token.low == "and"), at)
    if any(token.low in ("to", "with", "by", "into", "for") for token in right[joint:at]):
        raise Unclear(f"“{text}” may be one text or two requests", (f"… '{text}'", "… ; …"))
    return (refuse_wish(text, quoted=False), at) if text else (None, at)


def read_becoming(clause: Clause) -> Read | None:
    """``in the SmartArt on slide 12, Hillside becomes Uplands``: words, quoted or names both."""
    for left, right in clause.splits("to"):
        if not left or not right:
            continue
        named = [one[0].kind == "quoted" or is_name(one[0]) for one in (left, right)]
        whole = clause.slots((*left, *right))
        old, left_slots = _old_words(clause, left)
        new, at = _new_words(clause, right)
        if not all(named) or whole.look or whole.properties or not old or new is None:
            return None
        return _replaced(clause, old, new, (left_slots, clause.slots(right[at:])), frozenset())
    return None
