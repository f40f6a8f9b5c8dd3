"""An instruction read: its parts as operations, as choices to ask back, or as refusals.

A part is carried out only if all of its words belong to one form, in one way. Words that are
stated without quotes and may be meant for the request make a part one that is asked back.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from decklab.editing.plan import ExpectedChange
from decklab.editing.requests.carrying_out import OpenDeck, PlainRequest, carry_out
from decklab.editing.requests.forms import PLANS, RequestForm, command_words, form_words, forms
from decklab.editing.requests.slide_names import ON, SLIDES, DeckSlot, Scope, titled
from decklab.editing.requests.slide_names import form as slot_form
from decklab.editing.requests.templates import (
    ARTICLES,
    DeckNames,
    Piece,
    Pieces,
    Token,
    Words,
    compiled,
    read_all,
    rendering,
    said,
    tokens_of,
)
from decklab.editing.requests.things import SHAPE, Target
from decklab.editing.requests.values import is_value

MOST_CHARACTERS = 20_000
"""Characters of an instruction. Ours: the whole text of a slide has some hundreds."""
MOST_PARTS = 50
"""Parts of an instruction. Ours: more is a program's work."""
MOST_WORDS = 120
"""Words of a part; a quoted text is one."""
_MOST_JOINTS = 8
_MOST_READINGS = 8
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0, section 2.2, cannot hold."""
_SHOWN = 200
NEAREST = 2
"""How many forms a refusal names."""
FREE_WORDS = (
    "requests without a model are English and have exact forms (decklab edit --forms); for other "
    "words or languages name a model: --model NAME"
)


@dataclass(frozen=True)
class Operation:
    """One thing to do to a deck.

    ``apply`` does it and gives the changes to expect, with ids of slides in place of their numbers.
    It raises EditError if it cannot be done.
    """

    words: str
    """The change that it makes, as a request that can be made again."""
    apply: Callable[[OpenDeck], tuple[ExpectedChange, ...]]
    """The readings of an ``Unclear`` that it raises are written by ``reading``."""
    reading: Callable[[Mapping[str, Any]], str]
    """The request with other values in some of its slots."""


@dataclass(frozen=True)
class NotUnderstood:
    """A part of an instruction that has no known form, cannot be done, or has several readings."""

    part: str
    why: str = ""
    readings: tuple[str, ...] = ()
    """Requests that say it in one way each."""

    @property
    def words(self) -> str:
        """Why the part was not done, and what could be asked."""
        if not self.part:
            return self.why
        part = self.part if len(self.part) <= _SHOWN else self.part[: _SHOWN - 1] + "…"
        kind = "asked back" if self.readings else "not done"
        lines = "".join(f"\n    {reading}" for reading in self.readings)
        return f"{kind}: {part}: {self.why}{lines}"


@dataclass(frozen=True)
class ParsedRequest:
    """An instruction in its parts, in their order."""

    parts: tuple[Operation | NotUnderstood, ...]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The parts that can be done."""
        return tuple(part for part in self.parts if isinstance(part, Operation))

    @property
    def not_understood(self) -> tuple[NotUnderstood, ...]:
        """The parts that cannot."""
        return tuple(part for part in self.parts if isinstance(part, NotUnderstood))


@dataclass(frozen=True)
class RequestReading:
    """A part as a form with its slots."""

    form: RequestForm
    pieces: Pieces

    @property
    def slots(self) -> dict[str, Any]:
        """The values of the slots by their names."""
        return {piece.name: piece.value for piece in self.pieces if piece.name}

    @property
    def doubt(self) -> bool:
        """Whether a value without quotes holds words that may be meant for the request."""
        return any(piece.doubt for piece in self.pieces)

    @property
    def cuts_limit(self) -> bool:
        """Whether a value without quotes ends within a limit, with a word such as ``not``."""
        values = [piece.value for piece in self.pieces[:-1] if piece.doubt]
        last = (value[-1] if isinstance(value, tuple) else value for value in values)
        return any(str(text).rsplit(maxsplit=1)[-1].lower() in _LIMITS for text in last)

    @property
    def is_offered(self) -> bool:
        """Whether it is a doubtful reading that people are asked about."""
        return self.doubt and self.known and not (self.swallowed or self.cuts_limit)

    @property
    def known(self) -> bool:
        """Whether the deck holds the things named in quotes, as far as that is known."""
        return all(piece.known for piece in self.pieces)

    @property
    def swallowed(self) -> str:
        """Words of a value without quotes that look like another request; empty for nothing."""
        texts = (str(piece.value) for piece in self.pieces if piece.doubt)
        matches = (match for text in texts for match in _NEXT.finditer(text))
        return next((match[1] for match in matches if match[2].lower() in command_words()), "")

    @property
    def effect(self) -> str:
        """Equal for two readings that do the same."""
        return repr(
            (self.form.operation.__name__, self.form.phrase.fixed, sorted(self.slots.items()))
        )

    @property
    def words(self) -> str:
        """The reading as a request."""
        return said(self.pieces)

    def operation(self) -> Operation:
        """The operation that it asks for."""

        def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
            plan = PLANS.get(self.form.operation.__name__, carry_out)
            form = self.form
            return plan(PlainRequest(form.operation, form.phrase, self.words, self.slots, deck))

        return Operation(self.words, apply, self.otherwise)

    def otherwise(self, values: Mapping[str, Any]) -> str:
        """The request with other values in some slots."""
        pieces = list(self.pieces)
        scope: Scope | None = values.get("slides")
        thing: Target | None = values.get("shape")
        thing = None if thing == Target(self.form.phrase.shape) else thing
        names = [piece.name for piece in pieces]
        at = next((names.index(name) for name in _OF_THINGS if name in names), None)
        if thing is not None and at is not None:
            held = pieces[at].value
            if isinstance(held, Target) and held.is_within:
                thing = replace(held, within=None if thing == Target("body") else thing)
            pieces[at] = replace(pieces[at], text=thing.words)
        elif thing is not None:
            pieces.append(Piece(f"in {thing.words}"))
        if scope is not None:
            if "slides" in names:
                old = pieces[names.index("slides")]
                leads = old.text.startswith(("on ", "everywhere"))
                text = f"on {scope.words}" if leads else scope.words
                pieces[names.index("slides")] = replace(old, text=text)
            else:
                index = len(pieces) if at is None else at + 1
                pieces.insert(index, Piece(f"on {scope.words}"))
        return said(pieces)


def exact_words(reading: RequestReading, facts: DeckNames) -> str:
    """A reading as a request that can be read in no other way."""
    slots = {piece.name: piece.text for piece in reading.pieces if piece.name}
    written = [reading.words]
    for template in reading.form.phrase.templates:
        rendered = rendering(replace(reading.form, template=template).nodes, slots)
        if rendered is not None and set(rendered[1]) == slots.keys():
            written.append(rendered[0])
    for words in written:
        certain = _Part(words, tokens_of(words), facts).certain()
        effects = {
            reading.effect for reading in [option for option in certain if option.known] or certain
        }
        if effects == {reading.effect}:
            return words
    return reading.words


def understand(request: str, facts: DeckNames) -> ParsedRequest:
    """Read an instruction about a deck.

    Parts are divided by ``;``, a new line, ``then``; and by a full stop, ``and`` and commas if
    each side is a request by itself and no other reading is left.

    >>> from decklab.editing.requests.templates import DeckNames
    >>> facts = DeckNames(("One", "Two", "Three"))
    >>> read = understand("replace 'cats' with 'dogs'; hide slide 3", facts)
    >>> [part.words for part in read.parts]
    ["replace 'cats' with 'dogs'", 'hide slide 3']
    """
    if len(request) > MOST_CHARACTERS:
        return _too_much(request, f"it has {len(request):,} characters", MOST_CHARACTERS)
    parts = list(_parts(request))
    if len(parts) > MOST_PARTS:
        return _too_much(request, f"it has {len(parts):,} parts", MOST_PARTS)
    read: list[Operation | NotUnderstood] = []
    for tokens in parts:
        read += _Part(request, tokens, facts).read()
    return ParsedRequest(tuple(read))


def _too_much(request: str, has: str, most: int) -> ParsedRequest:
    start = " ".join(request[:_SHOWN].split())
    return ParsedRequest((NotUnderstood(f"{start}…", f"{has}, more than {most:,}"),))


def _parts(request: str) -> Iterator[tuple[Token, ...]]:
    """The words between ``;`` and new lines."""
    part: list[Token] = []
    for token in tokens_of(request):
        gap = request[part[-1].end : token.start] if part else ""
        divides = token.kind == "mark" and token.text == ";"
        if ("\n" in gap or divides) and part:
            yield tuple(part)
            part = []
        if not divides:
            part.append(token)
    if part:
        yield tuple(part)


_JOINTS = (
    ("and", "then"), (",", "then"), (",", "and"), (".", "then"), ("then",), ("and",), (".",), (",",)
)  # fmt: skip

_OF_THINGS = ("shape", "table", "cell", "row", "column", "bullet", "before", "after")
"""Slots for things on slides."""
_NEXT = re.compile(r"(?:\b(?:and|then)|[.;,])\s+(?=((\w+).*))", re.IGNORECASE)
_LIMITS = frozenset(("only", "except", "not", "keep", "without", "unless", "if", "excluding"))
"""Words that begin what limits a request."""
_LED = slot_form(("{scope:on}", lambda f, scope: scope), ("(on|in) {title}", titled),
                 say=lambda scope: f"on {scope.words}",
                 kinds={"on": ON, "title": DeckSlot(("title_names",))})  # fmt: skip
_LEADS = tuple(
    compiled(template, {"led": _LED, "slides": SLIDES, "on": ON, "thing": SHAPE})
    for template in ("{slides:led} [(,|:)]", "{slides} (:|,)",
                     "(on|in|for) {shape:thing} {on} [(,|:)]", "{shape:thing} {on} :",
                     "in {where=notes|footer} {on} [(,|:)]")
)  # fmt: skip
"""Places that may be named before a request: ``on slide 3, …``, ``in the table, …``."""

_POLITE = ("please", "could you please", "could you", "can you please", "can you", "would you",
           "would you kindly", "would you please", "kindly")  # fmt: skip


def _politeness(tokens: Sequence[Token]) -> int:
    """How many words at the beginning are only polite."""
    lows = [token.low for token in tokens]
    counts = [len(said.split()) for said in _POLITE if lows[: len(said.split())] == said.split()]
    return max(counts, default=0)


@dataclass
class _Part:
    """A part of an instruction, while it is read."""

    source: str
    tokens: tuple[Token, ...]
    facts: DeckNames
    _read: dict[tuple[int, int], list[RequestReading]] = field(default_factory=dict)
    _furthest: list[tuple[int, RequestForm]] = field(default_factory=list)
    _errors: dict[str, int] = field(default_factory=dict)

    def read(self) -> list[Operation | NotUnderstood]:
        """The operations that it asks for, or why it is not done."""
        shown = self.source[self.tokens[0].start : self.tokens[-1].end]
        if _UNWRITABLE.search(shown):
            plain = _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", shown)
            return [NotUnderstood(plain, "it holds characters that no deck can hold")]
        if len(self.tokens) > MOST_WORDS:
            why = f"it has {len(self.tokens)} words without quotes, more than {MOST_WORDS}"
            return [NotUnderstood(shown, why)]
        start = _politeness(self.tokens)
        if self.tokens[-1].low == "please" and len(self.tokens) > start + 1:
            self.tokens = self.tokens[:-1]
        whole = self._readings(start, len(self.tokens))
        ways = [[reading] for reading in whole if not reading.doubt]
        doubtful = [[reading] for reading in whole if reading.is_offered]
        joints = [(at, end) for at, end in self._joints() if at > start]
        is_sure = True
        for way, can_divide in self._divided(start, joints[:_MOST_JOINTS]):
            ways.append(way)
            is_sure = is_sure and can_divide
            if not can_divide:
                ways += [way for way in doubtful if way not in ways]
        ways = [way for way in ways if all(reading.known for reading in way)] or ways
        different = {repr([reading.effect for reading in way]): way for way in ways or doubtful}
        if len(different) == 1 and ways and is_sure:
            return [reading.operation() for reading in next(iter(different.values()))]
        if different:
            exact = ([exact_words(part, self.facts) for part in way] for way in different.values())
            texts = dict.fromkeys(map("; ".join, exact))
            why = "words of the request may be meant as a value; if they are, write:"
            why = "it has several readings; say which:" if len(texts) > 1 else why
            return [NotUnderstood(shown, why, tuple(texts)[:_MOST_READINGS])]
        if swallowed := next((reading.swallowed for reading in whole if reading.swallowed), ""):
            why = f"“{swallowed}” is no request here; if it belongs to the text, quote the text"
            return [NotUnderstood(shown, why)]
        pieces = (piece for reading in whole for piece in reading.pieces if not piece.known)
        if absent := next((piece.value for piece in pieces if isinstance(piece.value, str)), ""):
            why = f"“{absent}” stands nowhere on the slides; to look beyond them, quote it"
            return [NotUnderstood(shown, why)]
        return [NotUnderstood(shown, self._why(start))]

    def certain(self) -> list[RequestReading]:
        """The ways in which the whole of it fills a form, without doubt."""
        return [reading for reading in self._readings(0, len(self.tokens)) if not reading.doubt]

    def _joints(self) -> Iterator[tuple[int, int]]:
        """Where words such as ``and`` stand: the place of the first, and the place behind."""
        at = 0
        while at < len(self.tokens):
            lows = tuple(token.low for token in self.tokens[at : at + 2])
            joint = next((joint for joint in _JOINTS if lows[: len(joint)] == joint), ())
            if joint and at + len(joint) < len(self.tokens):
                yield at, at + len(joint)
            at += max(1, len(joint))

    def _divided(
        self, start: int, joints: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[list[RequestReading], bool]]:
        """The part as several requests; whether no value can run across what divides them."""
        for index, (end, after) in enumerate(joints):
            left = [reading for reading in self._readings(start, end) if not reading.doubt]
            if not left:
                continue
            is_sure = any(token.low == "then" for token in self.tokens[end:after])
            rest = self._readings(after, len(self.tokens))
            tails = [([reading], True) for reading in rest if not reading.doubt]
            tails += list(self._divided(after, joints[index + 1 :]))
            for first in left:
                open_end = first.pieces[-1].text.startswith("'") and self._is_bare(end - 1)
                for tail, tail_sure in tails:
                    yield [first, *tail], (is_sure or not open_end) and tail_sure

    def _is_bare(self, at: int) -> bool:
        return self.tokens[at].kind != "quoted"

    def _readings(self, start: int, end: int) -> list[RequestReading]:
        """The ways in which some words, all of them, fill a form."""
        if (start, end) not in self._read:
            self._read[start, end] = list(self._all_readings(start, end))
            if end > start + 1 and self.tokens[end - 1].low == ".":
                self._read[start, end] += self._all_readings(start, end - 1)
        return self._read[start, end]

    def _all_readings(self, start: int, end: int) -> Iterator[RequestReading]:
        words = Words(self.source, self.tokens[start:end], self.facts, form_words())
        leads = [((), 0), *(way for lead in _LEADS for way in read_all(lead, words, 0))]
        is_first = start <= _politeness(self.tokens)
        for form in forms():
            words.furthest = 0
            for lead, at in leads:
                first = words.low(at + (words.low(at) in ARTICLES))
                can_begin = form.begins is None or first in form.begins
                if not can_begin or not _can_lead(lead, form):
                    continue
                for pieces, last in read_all(form.nodes, words, at):
                    joined = _joined(lead, pieces)
                    if last == end - start and joined is not None:
                        yield RequestReading(form, joined)
            if is_first:
                self._furthest.append((words.furthest, form))
        self._errors |= words.errors

    def _why(self, start: int) -> str:
        """Why no form fits: the fault of a slot, or the unknown word."""
        if not (reached := max((count for count, _form in self._furthest), default=0)):
            return FREE_WORDS
        if self._errors:
            return max(self._errors, key=lambda error: self._errors[error])
        rest = [token for token in self.tokens[start + reached :] if token.low not in ARTICLES]
        words = [token.text for token in rest if token.kind in ("word", "mark")]
        unknown = next((word for word in words if not self._is_known(word.lower())), "")
        at = words[0] if words else "the end"
        unknown = unknown if unknown and (unknown == at or self._is_known(at.lower())) else ""
        near = get_close_matches(unknown.lower(), form_words(), 1, 0.75) if unknown else []
        what = f"no form goes on with “{at}” there"
        what = f"“{unknown}” is no word of these requests" if unknown else what
        hint = f" (“{near[0]}”?)" if near else ""
        nearest = "; ".join(f"“{form.phrase.example}”" for form in self._nearest())
        return f"{what}{hint}. Near to it: {nearest}. {FREE_WORDS[0].upper()}{FREE_WORDS[1:]}"

    def _is_known(self, low: str) -> bool:
        return low in form_words() or low in ("the", "a", "an", "of", "'s") or is_value(low)

    def _nearest(self) -> list[RequestForm]:
        """The forms that explain the most words, of those alike the ones that share most."""
        asked = {token.low for token in self.tokens}

        def score(item: tuple[int, RequestForm]) -> tuple[float, int]:
            count, form = item
            shared = asked & set(re.findall(r"[a-z]+", f"{form.template} {form.phrase.example}"))
            return count + len(shared), count

        best = sorted(self._furthest, key=score, reverse=True)
        unique = {form.phrase.example: form for _count, form in best}
        return list(unique.values())[:NEAREST]


def _can_lead(lead: Pieces, form: RequestForm) -> bool:
    """Whether the words before a request can be a part of a form."""
    takes = {"slides": form.takes_slides, "shape": form.takes_shape}
    takes["where"] = "{where=" in form.template
    return all(takes.get(piece.name, True) for piece in lead)


def _joined(lead: Pieces, pieces: Pieces) -> Pieces | None:
    """A request with the words before it, such as its table; None if both name the same."""
    names = [piece.name for piece in (*lead, *pieces) if piece.name]
    if len(names) == len(set(names)):
        return (*lead, *pieces)
    things = [piece.value for piece in lead if piece.name == "shape"]
    held = next((piece for piece in pieces if piece.name == "shape"), None)
    inner = None if held is None else held.value
    if len(names) - len(set(names)) > 1 or not things or not isinstance(inner, Target):
        return None
    if not inner.is_within or inner.within is not None:
        return None
    whole = replace(inner, within=things[0])  # type: ignore[arg-type]
    slides = tuple(piece for piece in lead if piece.name == "slides")
    as_whole = partial(replace, value=whole, text=whole.words)
    return (*(as_whole(piece) if piece is held else piece for piece in pieces), *slides)
