"""One part of an instruction, taken apart into action, front, body and value."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from decklab.editing.requests.lexicon import (
    ACTIONS,
    EXACT_WORDS,
    NEGATIONS,
    NUMBERS,
    TARGETS,
    VAGUE,
    word_set,
)
from decklab.editing.requests.operation import OpenDeck, Operation, Unclear
from decklab.editing.requests.phrases import PhraseReader, Slots, Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.words import Token, low_at, phrase_at, text_between
from decklab.editing.verification import ExpectedChange

_POLITE = (
    "please", "and", "then", "also", "now", "next", "finally", "kindly", "can you", "could you",
    "would you", "will you", "you should", "i want you to", "i want to", "i would like you to",
    "i would like to", "i'd like you to", "i'd like to", "i need you to", "let's", "just", ",",
    "first ,", "we should", "we need to", "you can", "go ahead and",
)  # fmt: skip
_THANKS = ("please", "thanks", "thank you", "for me", ".", "!", "?", ",")
_INTRODUCING = word_set("to with as : be = reading saying called titled named by into")
_PREPOSITIONS = word_set("on in of from for at to across throughout within into over")
_MODALS = ("should", "must", "shall", "has to", "have to", "needs to", "need to", "ought to",
           "becomes", "comes", "goes", "belongs")  # fmt: skip
_EFFECTS = ("push", "cut", "cover", "split", "zoom", "fade", "wipe")
_BEING = word_set("be read say become now have look use come go stand appear also only")
_FRONTS = word_set("on in for at from across throughout within everywhere")
_PARTICLES = {"take": "off out away", "turn": "off on", "switch": "off on", "bring": "back",
              "leave": "out", "throw": "out away", "cut": "out"}  # fmt: skip
"""Verbs whose second word may stand behind what they are about: ``take the footer off``."""
_NONE_OF = word_set("footer numbers transition animation notes link outline bullet background")
"""What ``no`` takes away."""
_COPIES = ("make", "create", "add", "insert", "produce")


@dataclass(frozen=True)
class Former:
    """What the request before was about, for ``it``."""

    scope: Scope | None = None
    target: Target | None = None
    doubt: str = ""
    """Why ``it`` is unclear, where the request before leaves two things it may mean."""


@dataclass(frozen=True)
class Read:
    """A part of a request that was understood."""

    operation: Operation
    former: Former = field(default_factory=Former)
    """What ``it`` means in the part after."""


def together(reads: Sequence[Read]) -> Read:
    """One request that does several things, in their order; ``it`` means the first of them."""
    first, *more = reads
    if not more:
        return first

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        return tuple(change for one in reads for change in one.operation.apply(deck))

    words = " and ".join(dict.fromkeys(one.operation.words for one in reads))
    return Read(Operation(words, apply), first.former)


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
        return self._front[0]

    @cached_property
    def _front(self) -> tuple[int, Slots]:
        """The words that say where before the action, and what they name."""
        nowhere = (0, Slots())
        if not self.tokens:
            return nowhere
        named = self.reader.slides.read(self.tokens, 0)
        is_place = self.tokens[0].low in _FRONTS and self.tokens[0].kind == "word"
        if not is_place and not (named and _lows(self.tokens[named[1] :][:1]) in ((":",), (",",))):
            return nowhere
        titled = self.reader.slides.read_title(self.tokens, 1) if is_place else None
        if titled and _lows(self.tokens[titled[1] :][:1]) in ((":",), (",",)):
            return titled[1] + 1, Slots(scope=titled[0])
        for end in range(2, len(self.tokens)):
            is_mark = self.tokens[end].low in (",", ":") and self.tokens[end].kind == "mark"
            if is_mark or (is_place and action_at(self.tokens, end)[0]):
                slots = self.reader.read(self.tokens[:end])
                named_something = slots.scope or slots.targets or slots.everywhere
                if not slots.rest and not slots.quoted and named_something:
                    return end + is_mark, slots
        return nowhere

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
        first = self.tokens[1:2] if self.verb == "no" else self.tokens[:2]
        return any(token.kind == "word" and token.low in NEGATIONS for token in first)

    def slots(self, tokens: Sequence[Token]) -> Slots:
        """The slots of some words, with what is said before the verb and what ``it`` means."""
        found = self.reader.read(tokens)
        front = self._front[1]
        found.scope = found.scope or front.scope
        found.targets += [one for one in front.targets if one not in found.targets]
        if found.pronoun and self.former.doubt:
            self._refuse_doubt(found)
        if found.pronoun and not found.targets and self.former.target:
            found.targets.append(self.former.target)
        if found.pronoun and found.scope is None:
            found.scope = self.former.scope
        if found.pronoun and found.targets and self.former == Former() and found.scope is None:
            found.rest += [one for one in tokens if one.low in ("its", "their")]
        return found

    def _refuse_doubt(self, found: Slots) -> None:
        """Raise Unclear where words are about ``it``; a move comes to the same for a slide and its
        copy, and words left over may be a text."""
        if found.scope is None and not (found.rest or found.quoted) and self.action != "move":
            raise Unclear(self.former.doubt, ())

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
        self, tokens: Sequence[Token], *, scoped: bool, within: Collection[str] = ()
    ) -> tuple[str, Scope | None, bool] | None:
        """The text that words stand for, the slides named behind it, and whether it is quoted.

        With ``scoped`` the slides are known and all of it is text, unless it is quoted. Things of
        the kinds ``within`` may be named behind it. None where something else stands behind a
        quoted text; raises Unclear for a bare text that ends in what may be another thing.
        """
        if not tokens:
            return None
        at, scope = len(tokens), None
        if not scoped or tokens[0].kind == "quoted":
            at, scope = self.trailing_scope(tokens)
        end, kinds = self._trailing_thing(tokens[:at])
        if kinds and kinds <= set(within):
            at = end
        elif kinds and tokens[0].kind != "quoted":
            text = self.text(tokens[:at])
            divided = f"… '{self.text(tokens[:end])}' {self.text(tokens[end:at])}"
            raise Unclear(f"“{text}” may be more than the words", (f"… '{text}'", divided))
        if tokens[0].kind == "quoted":
            return (tokens[0].text, scope, True) if at == 1 else None
        return (self.text(tokens[:at]), scope, False) if at else None

    def _trailing_thing(self, tokens: Sequence[Token]) -> tuple[int, set[str]]:
        """Where ``in the table`` and its like begin at the end, and the kinds that they name."""
        for at in range(1, len(tokens) - 1):
            if tokens[at].kind == "word" and tokens[at].low in ("in", "on", "of", "from"):
                slots = self.reader.read(tokens[at:])
                if (
                    tokens[at + 1].low == "the"
                    and slots.targets
                    and not (
                        slots.rest or slots.quoted or slots.look or slots.numbers or slots.scope
                    )
                ):
                    return at, slots.kinds
        return len(tokens), set()

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
    lows = _lows(tokens[at : at + 5])
    nouns = {TARGETS.get(" ".join(lows[1:end])) for end in (2, 3)}
    if lows[:1] == ("no",) and nouns & _NONE_OF:
        return "delete", at + 1
    if lows[:1] and lows[0] in _COPIES and _counted_copies(lows[1:]):
        return "duplicate", at + 2 + _counted_copies(lows[1:])
    for end in range(min(len(tokens), at + 4), at, -1):
        words = tokens[at:end]
        if all(token.kind == "word" for token in words):
            meaning = ACTIONS.get(" ".join(token.low for token in words))
            before_transition = end < len(tokens) and tokens[end].low.startswith("transition")
            if meaning and not (before_transition and words[0].low in _EFFECTS):
                return meaning, end
    return "", at


def _counted_copies(lows: Sequence[str]) -> int:
    """How many words ``two more copies of`` has before ``of``; 0 where it is something else."""
    count = len(lows) and (lows[0] in NUMBERS or lows[0].isdigit())
    noun = 1 + (lows[1:2] in (("more",), ("extra",), ("further",), ("other",)))
    copies = lows[noun : noun + 2] in (("copies", "of"), ("duplicates", "of"))
    return noun + 1 if count and copies else 0


def with_joined_verbs(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words in which ``take the footer off`` begins with ``take off``."""
    first = tokens[0].low if tokens else ""
    if first not in _PARTICLES or tokens[0].kind != "word":
        return tuple(tokens)
    particles = _PARTICLES[first].split()
    for at in range(2, len(tokens)):
        low = tokens[at].low
        if tokens[at].kind != "word" or low not in particles:
            continue
        where = at + 1 < len(tokens) and low == "off"
        joined = replace(tokens[0], low=f"{first} {low}")
        behind = [replace(tokens[at], low="from")] if where else []
        if low == "on" and at + 1 < len(tokens) and tokens[at + 1].low not in _FRONTS:
            continue
        return (joined, *tokens[1:at], *behind, *tokens[at + 1 :])
    return tuple(tokens)


def with_plain_verbs(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words in which ``should be``, ``must read`` and their like are one ``to``."""
    held: list[Token] = []
    at = 0
    while at < len(tokens):
        modal = phrase_at(tokens, at, _MODALS)
        if not modal or not held:
            held.append(tokens[at])
            at += 1
            continue
        held.append(replace(tokens[at], low="to"))
        at += len(modal.split())
        while at < len(tokens) and tokens[at].kind == "word" and tokens[at].low in _BEING:
            at += 1
    return tuple(held)


def without_politeness(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Words without ``please`` and its like around them, and without marks at the end."""
    held = list(tokens)
    changed = True
    while changed and held:
        polite = phrase_at(held, 0, _POLITE)
        del held[: len(polite.split())]
        thanks = next((n for n in (1, 2) if " ".join(_lows(held[-n:])) in _THANKS), 0)
        behind = low_at(held, len(held) - thanks - 1)
        is_value = thanks and held[-1].kind == "word" and behind in _INTRODUCING
        if is_value or thanks >= len(held):
            thanks = 0
        del held[len(held) - thanks :]
        changed = bool(polite or thanks)
    return tuple(held)


def _lows(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple("" if token.kind == "quoted" else token.low for token in tokens)


def is_name(token: Token) -> bool:
    """Whether a word begins with a capital letter and is no known one."""
    return token.kind == "word" and token.text[:1].isupper() and token.low not in EXACT_WORDS


def refuse_wish(text: str, quoted: bool) -> str:
    """A value, unless it is rather a wish, such as ``something shorter``; raises Unclear."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    second = text.split()[1].lower() if len(text.split()) > 1 else ""
    wishes = first in VAGUE or (first in ("a", "an", "be", "the", "its") and second in VAGUE)
    conditions = word_set("unless if whenever instead otherwise ignoring except excluding")
    wishes = wishes or bool(conditions & set(text.split()[1:]))
    if not quoted and wishes:
        raise Unclear(
            f"“{text}” may be the words or a wish",
            (f"… to '{text}'", "… to '(the words that you want)'"),
        )
    return text
