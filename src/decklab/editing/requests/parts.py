"""An instruction divided into parts, each of them read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decklab.editing.finding import EditError
from decklab.editing.requests.clause import (
    Clause,
    Former,
    Read,
    action_at,
    with_joined_verbs,
    with_plain_verbs,
    without_politeness,
)
from decklab.editing.requests.examples import EXAMPLES, nearest
from decklab.editing.requests.operation import Operation, Unclear
from decklab.editing.requests.phrases import PhraseReader
from decklab.editing.requests.reading import read_clause
from decklab.editing.requests.slide_names import DeckFacts, SlideReader
from decklab.editing.requests.words import Token, tokens_of

MOST_CHARACTERS = 20_000
"""Characters of a request. Ours: the whole text of a slide has some hundreds."""
MOST_PARTS = 50
"""Parts of a request. Ours: more is a program's work."""
MOST_WORDS = 400
"""Words of a part."""
_MOST_DIVISIONS = 12
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0, section 2.2, cannot hold."""
_SHOWN = 200
_JOINTS = ("and", ",", "but", "then", "also", "plus", "&")


@dataclass(frozen=True)
class NotUnderstood:
    """A part of a request that is not known, makes no sense, or can be read in two ways."""

    part: str
    nearest: tuple[str, ...] = ()
    """Requests that are understood and share most of its words; none where none is like it."""
    why: str = ""
    """What is wrong with a part that is known."""
    readings: tuple[str, ...] = ()
    """What it may mean, where it can be read in several ways."""

    @property
    def words(self) -> str:
        """Why the part was not done, and what could be asked."""
        if not self.part:
            return self.why
        part = self.part if len(self.part) <= _SHOWN else self.part[: _SHOWN - 1] + "…"
        if self.why:
            return f"{'unclear' if self.readings else 'not done'}: “{part}”: {self.why}"
        if not self.nearest:
            families = "; ".join(name[:1].lower() + name[1:] for name in EXAMPLES)
            return f"not understood without a model: “{part}”. Known are requests about: {families}"
        known = "; ".join(self.nearest)
        return f"not understood without a model: “{part}”. Known requests near it: {known}"


@dataclass(frozen=True)
class ParsedRequest:
    """A request in its parts, in their order."""

    parts: tuple[Operation | NotUnderstood, ...]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The parts that can be done."""
        return tuple(part for part in self.parts if isinstance(part, Operation))

    @property
    def not_understood(self) -> tuple[NotUnderstood, ...]:
        """The parts that cannot."""
        return tuple(part for part in self.parts if isinstance(part, NotUnderstood))


def understand(request: str, facts: DeckFacts) -> ParsedRequest:
    """Take a request about a deck apart.

    Parts are divided by ``;``, a new line, ``then`` or a full stop, by ``and`` and commas where
    there is a known request on each side. Nothing is understood of a request of more than
    ``MOST_CHARACTERS`` or ``MOST_PARTS``.

    >>> facts = DeckFacts(("One", "Two", "Three"))
    >>> [one.words for one in understand("Replace a with b; hide slide 3", facts).operations]
    ['replace “a” with “b” on all slides', 'hide slide 3']
    """
    if len(request) > MOST_CHARACTERS:
        return _too_much(request, f"it has {len(request):,} characters", MOST_CHARACTERS)
    tokens = with_plain_verbs(tokens_of(request, facts.words))
    parts = [part for part in _hard_parts(request, tokens) if part]
    if len(parts) > MOST_PARTS:
        return _too_much(request, f"it has {len(parts):,} parts", MOST_PARTS)
    reader = _PartReader(request, facts)
    found: list[Operation | NotUnderstood] = []
    former = Former()
    for part in parts:
        for one in reader.read(part, former):
            former = one.former if isinstance(one, Read) else Former()
            found.append(one.operation if isinstance(one, Read) else one)
    return ParsedRequest(tuple(found))


def _too_much(request: str, has: str, most: int) -> ParsedRequest:
    start = " ".join(request[:_SHOWN].split())
    return ParsedRequest((NotUnderstood(f"{start}…", (), f"{has}, more than {most:,}"),))


def _hard_parts(request: str, tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """The parts between ``;``, new lines, full stops, and ``then`` before a verb."""
    part: list[Token] = []
    for at, token in enumerate(tokens):
        gap = request[part[-1].end : token.start] if part else ""
        if "\n" in gap or _ends_sentence(request, tokens, at, part):
            yield without_politeness(part)
            part = []
        if token.kind == "mark" and token.text == ";":
            yield without_politeness(part)
            part = []
            continue
        part.append(token)
        if token.low == "then" and token.kind == "word" and _begins(tokens, at + 1):
            part.pop()
            while part and part[-1].low in ("and", ",") and part[-1].kind != "quoted":
                part.pop()
            yield without_politeness(part)
            part = []
    yield without_politeness(part)


def _ends_sentence(request: str, tokens: Sequence[Token], at: int, part: Sequence[Token]) -> bool:
    """Whether a sentence ends before a token, and another one begins with it."""
    if not part or part[-1].text not in (".", "!", "?") or part[-1].kind == "quoted":
        return False
    return request[part[-1].end : tokens[at].start] != "" and _begins(tokens, at, sentence=True)


def _begins(tokens: Sequence[Token], at: int, *, sentence: bool = False) -> bool:
    """Whether a request may begin at a place: with a verb, a polite word, or where it applies."""
    rest = without_politeness(tokens[at : at + 12])
    if not rest:
        return False
    starts = ("on", "in", "for", "do", "don't", "never")
    return (
        bool(action_at(rest, 0)[0])
        or rest[0].low in starts
        or (
            sentence
            and rest[0].kind == "word"
            and rest[0].text[:1].islower() is False
            and rest[0].low
            in ("the", "every", "all", "titles", "translate", "summarise", "summarize")
        )
    )


@dataclass(frozen=True)
class _PartReader:
    """Reads the parts of one instruction."""

    source: str
    facts: DeckFacts

    def read(self, tokens: tuple[Token, ...], former: Former) -> list[Read | NotUnderstood]:
        """A part, or what joints such as ``and`` divide it into where all of that is known."""
        shown = self.source[tokens[0].start : tokens[-1].end]
        if _UNWRITABLE.search(shown):
            shown = _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", shown)
            return [NotUnderstood(shown, (), "it holds characters that no deck can hold")]
        if len(tokens) > MOST_WORDS:
            return [NotUnderstood(shown, (), f"it has {len(tokens)} words, more than {MOST_WORDS}")]
        divided = self._divided(tokens, former, _MOST_DIVISIONS)
        if divided is not None:
            return list(divided)
        whole = self._one(tokens, former)
        if isinstance(whole, Read):
            return [whole]
        carried = self._carried(tokens, former, needs_target=False)
        return [whole] if carried is None else list(carried)

    def _divided(
        self, tokens: tuple[Token, ...], former: Former, most: int
    ) -> list[Read | NotUnderstood] | None:
        """Requests between joints that a verb follows, where each of them is understood."""
        for end, start in _joints(tokens):
            if most < 1 or not _begins(tokens, start):
                continue
            left = self._one(without_politeness(tokens[:end]), former)
            if isinstance(left, NotUnderstood) and not left.why:
                continue
            after = left.former if isinstance(left, Read) else former
            rest = without_politeness(tokens[start:])
            more = self._divided(rest, after, most - 1) or [self._one(rest, after)]
            if all(isinstance(one, Read) or one.why for one in more):
                return [left, *more]
        return self._carried(tokens, former, needs_target=True)

    def _carried(
        self, tokens: tuple[Token, ...], former: Former, *, needs_target: bool
    ) -> list[Read | NotUnderstood] | None:
        """``make the titles blue and the body grey``: the verb holds for both."""
        clause = self._clause(tokens, former)
        verb = clause.tokens[: len(clause.tokens) - len(clause.body)]
        if not clause.action:
            return None
        for end, start in _joints(tokens):
            rest = tokens[start:]
            if not rest or action_at(rest, 0)[0] or end <= len(verb):
                continue
            named = clause.reader.read(rest[:3])
            if needs_target and not (_has_value(tokens[:end]) and _has_value(rest)):
                continue
            both = _has_value(tokens[:end]) and _has_value(rest)
            if not (named.targets or named.scope or both):
                continue
            left = self._one(tokens[:end], former)
            whole = (*verb, *rest)
            after = left.former if isinstance(left, Read) else former
            more = self._carried(whole, after, needs_target=needs_target) or [
                self._one(whole, after)
            ]
            alike = all(
                isinstance(one, Read) and bool(one.former.scope) == _scoped(left) for one in more
            )
            is_named = bool(named.targets or named.scope)
            if (
                isinstance(left, Read)
                and all(isinstance(one, Read) for one in more)
                and (is_named or alike)
            ):
                return [left, *more]
        return None

    def _one(self, tokens: tuple[Token, ...], former: Former) -> Read | NotUnderstood:
        """A part without joints."""
        shown = self.source[tokens[0].start : tokens[-1].end] if tokens else ""
        why: EditError | None = None
        for to_is_range in (True, False):
            try:
                found = read_clause(self._clause(tokens, former, to_is_range=to_is_range))
            except EditError as error:
                why = why or error
                continue
            if found is not None:
                return found
        if why is None:
            return NotUnderstood(shown, nearest(shown))
        readings = why.readings if isinstance(why, Unclear) else ()
        return NotUnderstood(shown, (), str(why), readings)

    def _clause(
        self, tokens: tuple[Token, ...], former: Former, *, to_is_range: bool = True
    ) -> Clause:
        reader = PhraseReader(SlideReader(self.facts, to_is_range))
        return Clause(self.source, with_joined_verbs(tokens), reader, former)


def _scoped(read: Read | NotUnderstood) -> bool:
    """Whether a part names slides."""
    return isinstance(read, Read) and read.former.scope is not None


def _has_value(tokens: Sequence[Token]) -> bool:
    """Whether words give something a value: ``the title to Plans``."""
    return any(token.low in ("to", "as", "into", "with", "by") for token in tokens[1:-1])


def _joints(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where words such as ``and`` stand: the place of the first, and the place after the last."""
    at = 1
    while at < len(tokens):
        if tokens[at].kind == "quoted" or tokens[at].low not in _JOINTS:
            at += 1
            continue
        end = at
        while at < len(tokens) and tokens[at].kind != "quoted" and tokens[at].low in _JOINTS:
            at += 1
        yield end, at
