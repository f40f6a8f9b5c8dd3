"""One part of an instruction, taken apart into action, front, body and value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from decklab.agents.requests.lexicon import ACTIONS, NEGATIONS, VAGUE
from decklab.agents.requests.operation import Operation, Unclear
from decklab.agents.requests.phrases import PhraseReader, Slots, Target
from decklab.agents.requests.slide_names import Scope
from decklab.agents.requests.words import Token, text_between

_POLITE = (
    ("please",), ("and",), ("then",), ("also",), ("now",), ("next",), ("finally",), ("kindly",),
    ("can", "you"), ("could", "you"), ("would", "you"), ("will", "you"), ("you", "should"),
    ("i", "want", "you", "to"), ("i", "want", "to"), ("i", "would", "like", "you", "to"),
    ("i", "would", "like", "to"), ("i'd", "like", "you", "to"), ("i'd", "like", "to"),
    ("i", "need", "you", "to"), ("let's",), ("just",), (",",), ("first", ","), ("we", "should"),
    ("we", "need", "to"), ("you", "can"), ("go", "ahead", "and"),
)  # fmt: skip
_THANKS = (("please",), ("thanks",), ("thank", "you"), ("for", "me"), (".",), ("!",), ("?",), (",",))
_PREPOSITIONS = frozenset("on in of from for at to across throughout within into over".split())
_MODALS = (("should",), ("must",), ("shall",), ("has", "to"), ("have", "to"), ("needs", "to"),
           ("need", "to"), ("ought", "to"))  # fmt: skip
_BEING = ("be", "read", "say", "become", "now", "have", "look")
_FRONTS = frozenset("on in for at from across throughout within".split())


@dataclass(frozen=True)
class Former:
    """What the request before was about, for ``it``."""

    scope: Scope | None = None
    target: Target | None = None


@dataclass(frozen=True)
class Read:
    """A part of a request that was understood."""

    operation: Operation
    former: Former = field(default_factory=Former)
    """What ``it`` means in the part after."""


@dataclass(frozen=True)
class Clause:
    """One part of an instruction."""

    source: str
    tokens: tuple[Token, ...]
    """Without polite words and the marks at the end."""
    reader: PhraseReader
    former: Former = field(default_factory=Former)

    @cached_property
    def front(self) -> int:
        """How many tokens at the beginning say where, before the action: ``on slide 6, …``."""
        if not self.tokens or self.tokens[0].low not in _FRONTS:
            return 0
        for end in range(2, len(self.tokens)):
            at_action = self.tokens[end].low == "," or action_at(self.tokens, end)[0]
            if at_action and not self.tokens[end].kind == "quoted":
                slots = self.reader.read(self.tokens[:end])
                if not slots.rest and not slots.quoted and (slots.scope or slots.targets):
                    return end + (self.tokens[end].low == ",")
        return 0

    @cached_property
    def action(self) -> str:
        """What is to be done, a meaning of ``lexicon.ACTIONS``; empty where no verb begins it."""
        return action_at(self.tokens, self.front)[0]

    @cached_property
    def verb(self) -> str:
        """The verb as it is written, in small letters."""
        end = action_at(self.tokens, self.front)[1]
        return " ".join(token.low for token in self.tokens[self.front : end])

    @cached_property
    def body(self) -> tuple[Token, ...]:
        """What follows the verb."""
        return self.tokens[action_at(self.tokens, self.front)[1] :]

    @cached_property
    def negated(self) -> bool:
        """Whether it says what not to do."""
        return bool(self.tokens) and any(
            token.kind == "word" and token.low in NEGATIONS for token in self.tokens[:2]
        )

    def slots(self, tokens: Sequence[Token]) -> Slots:
        """The slots of some words, with what is said before the verb and what ``it`` means."""
        found = self.reader.read(tokens)
        if self.front:
            front = self.reader.read(self.tokens[: self.front])
            found.scope = found.scope or front.scope
            found.targets += [one for one in front.targets if one not in found.targets]
        if found.pronoun and not found.targets and self.former.target:
            found.targets.append(self.former.target)
        if found.pronoun and found.scope is None:
            found.scope = self.former.scope
        return found

    def text(self, tokens: Sequence[Token]) -> str:
        """Some words as they are written, without quotes around the whole."""
        return text_between(self.source, tokens)

    def splits(self, *words: str) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...]]]:
        """The body divided at each of some words that is not a part of slides' names."""
        inside = self._inside_slides
        for at, token in enumerate(self.body):
            if token.kind != "quoted" and token.low in words and at not in inside:
                yield self.body[:at], self.body[at + 1 :]

    @cached_property
    def _inside_slides(self) -> frozenset[int]:
        found: set[int] = set()
        at = 0
        while at < len(self.body):
            named = self.reader.slides.read(self.body, at)
            if named:
                found |= set(range(at, named[1]))
            at = named[1] if named else at + 1
        return frozenset(found)

    def value(
        self, tokens: Sequence[Token], *, scoped: bool
    ) -> tuple[str, Scope | None, bool] | None:
        """The text that words stand for, the slides named behind it, and whether it is quoted.

        With ``scoped`` the slides are known and all of it is text, unless it is quoted. None where
        something stands behind a quoted text that is no slide.
        """
        if not tokens:
            return None
        at, scope = len(tokens), None
        if not scoped or tokens[0].kind == "quoted":
            at, scope = self.trailing_scope(tokens)
        if tokens[0].kind == "quoted":
            return (tokens[0].text, scope, True) if at == 1 else None
        return (self.text(tokens[:at]), scope, False) if at else None

    def trailing_scope(self, tokens: Sequence[Token]) -> tuple[int, Scope | None]:
        """Where slides named at the end begin, and these slides."""
        end = len(tokens) - (tokens[-1].low == "only" and tokens[-1].kind == "word")
        for at in range(1, end):
            token = tokens[at]
            if token.kind == "quoted":
                continue
            if token.low == "everywhere" and at == end - 1:
                return at, Scope()
            if token.low in _PREPOSITIONS or (at and tokens[at - 1].kind == "quoted"):
                slots = self.reader.read(tokens[at:end])
                plain = not (slots.rest or slots.quoted or slots.targets or slots.look
                             or slots.numbers or slots.properties or slots.axes)  # fmt: skip
                if plain and slots.scope is not None:
                    return at, slots.scope
        return len(tokens), None


def action_at(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The action whose verb begins at a place, and the place after it; empty where none does."""
    for end in range(min(len(tokens), at + 3), at, -1):
        words = tokens[at:end]
        if all(token.kind == "word" for token in words):
            meaning = ACTIONS.get(" ".join(token.low for token in words))
            if meaning and not (end < len(tokens) and tokens[end].low.startswith("transition")):
                return meaning, end
    return "", at


def with_plain_verbs(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words in which ``should be``, ``must read`` and their like are one ``to``."""
    held: list[Token] = []
    at = 0
    while at < len(tokens):
        lows = _lows(tokens[at : at + 3])
        modal = next((phrase for phrase in _MODALS if lows[: len(phrase)] == phrase), ())
        if not modal or not held:
            held.append(tokens[at])
            at += 1
            continue
        held.append(replace(tokens[at], low="to"))
        at += len(modal)
        while at < len(tokens) and tokens[at].kind == "word" and tokens[at].low in _BEING:
            at += 1
    return tuple(held)


def without_politeness(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words without ``please`` and its like around them, and without marks at the end."""
    held = list(tokens)
    changed = True
    while changed and held:
        changed = False
        for phrase in _POLITE:
            if _lows(held[: len(phrase)]) == phrase:
                del held[: len(phrase)]
                changed = True
        for phrase in _THANKS:
            if len(held) > 1 and _lows(held[-len(phrase) :]) == phrase:
                del held[-len(phrase) :]
                changed = True
    return tuple(held)


def _lows(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple("" if token.kind == "quoted" else token.low for token in tokens)


def refuse_wish(text: str, quoted: bool) -> str:
    """A value, unless it is rather a wish, such as ``something shorter``; raises Unclear."""
    first = text.split()[0].lower() if text.split() else ""
    second = text.split()[1].lower() if len(text.split()) > 1 else ""
    wishes = first in VAGUE or (first in ("a", "an", "be", "the", "its") and second in VAGUE)
    if not quoted and wishes:
        raise Unclear(
            f"“{text}” may be the words or a wish",
            (f"… to '{text}'", "… to '(the words that you want)'"),
        )
    return text


def with_scope(slots: Slots, scope: Scope | None) -> Slots:
    """Slots with slides that are named elsewhere, where they have none."""
    return replace(slots, scope=slots.scope or scope)
