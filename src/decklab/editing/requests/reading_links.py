"""Requests about links: on words and on shapes, to the web and to slides, and off again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read
from decklab.editing.requests.lexicon import word_set
from decklab.editing.requests.phrases import DRAWN, Target
from decklab.editing.requests.show_operations import link_to, unlink
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.words import Token

_LEADING = word_set("jump jumps lead leads link links point points go navigate")
_WORDS = word_set("the word words text phrase")


def read_link(clause: Clause) -> Read | None:
    """``link 'Questions' on slide 10 to slide 2``, ``make the picture lead to https://…``."""
    for left, right in _sides(clause):
        goal = _goal(clause, right)
        if goal is not None and left:
            return _linked(clause, left, goal)
    return None


def _sides(clause: Clause) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...]]]:
    """What is linked and where it leads, from the last ``to`` on."""
    for at in range(len(clause.body) - 1, 0, -1):
        token = clause.body[at]
        if token.kind != "word" or token.low not in ("to", "with", "at"):
            continue
        left = clause.body[:at]
        if clause.action in ("", "set") and left[-1].low not in _LEADING:
            continue
        left = left[:-1] if clause.action in ("", "set") else left
        yield (left[:-1] if left and left[-1].low in ("a", "to") else left), clause.body[at + 1 :]


def _goal(clause: Clause, tokens: Sequence[Token]) -> str | int | None:
    """The address or the slide that words name; None where they name neither."""
    if len(tokens) == 1 and tokens[0].kind in ("url", "quoted"):
        address = tokens[0].text
        return f"https://{address}" if address.startswith("www.") else address
    slots = clause.slots(tokens)
    slides = slots.scope.slides if slots.scope else None
    return slides[0] if slides and len(slides) == 1 and not (slots.rest or slots.targets) else None


def _linked(clause: Clause, left: Sequence[Token], goal: str | int) -> Read | None:
    at, where = clause.trailing_scope(left)
    label = clause.text(left[:at])
    if label.lower() in clause.reader.slides.facts.labels:
        return Read(link_to(goal, where or Scope(), text=label, shape=None), Former(where))
    slots = clause.slots(left)
    drawn = slots.target(*DRAWN)
    kinds = slots.kinds - {"word", "text", "link"}
    scope = slots.scope_or_all
    if slots.look or slots.measures or slots.contradicts:
        return None
    if drawn and not slots.rest and len(kinds) == 1 and len(slots.quoted) < 2:
        shape = replace(drawn, name=slots.quoted[0]) if slots.quoted else drawn
        return Read(link_to(goal, scope, text=None, shape=shape), Former(slots.scope, shape))
    if len(slots.quoted) == 1 and not slots.rest and not kinds:
        return Read(link_to(goal, scope, text=slots.quoted[0], shape=None), Former(slots.scope))
    if slots.rest and not slots.quoted and not kinds:
        held = list(left)
        while held and held[0].low in _WORDS:
            held.pop(0)
        value = clause.value(held, scoped=False) if held else None
        if value:
            return Read(link_to(goal, value[1] or Scope(), text=value[0], shape=None))
    return None


def read_unlink(clause: Clause) -> Read | None:
    """``unlink 'our site' on slide 5``, ``unlink the web address``, ``unlink the picture``."""
    slots = clause.slots(clause.body)
    others = [one for one in slots.targets if one.kind not in ("link", "word", "text")]
    if slots.rest or slots.look or slots.numbers or len(slots.quoted) > 1 or len(others) > 1:
        return None
    name = slots.quoted[0] if slots.quoted else None
    shape: Target | None = None
    if others:
        if others[0].kind not in DRAWN:
            return None
        shape, name = replace(others[0], name=name), None
    link = slots.target("link")
    one = bool(link and not link.plural) and name is None and shape is None
    if name is None and shape is None and not slots.targets:
        return None
    return Read(unlink(name, slots.scope_or_all, shape=shape, only_one=one), Former(slots.scope))
