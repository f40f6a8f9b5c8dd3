"""Forms of requests: where a request applies, how its words are matched, and what it becomes."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from decklab.agents.editor.library.errors import EditError
from decklab.agents.editor.library.opening import Presentation
from decklab.agents.editor.verification import ExpectedChange
from decklab.deck.model.slide import DeckElements, SlideElements

NUMBERS = r"\d{1,6}(?!\d)(?:\s*(?:,\s*and|and|,|-|–|to)\s*\d{1,6}(?!\d))*"
BUT = (
    rf"\s+(?:except|but\s+not)\s+(?:for\s+|on\s+)?(?:slides?\s+{NUMBERS}"
    r"|the\s+(?:first|last)\s+slide)"
)
SLIDES = (
    rf"(?:(?:(?:the\s+)?slides?\s+{NUMBERS}|(?:all|every|each)\s+(?:the\s+|of\s+the\s+)?slides?"
    r"|the\s+(?:whole\s+|entire\s+)?(?:deck|presentation)|the\s+(?:first|last)\s+slide)"
    rf"(?:{BUT})?)"
)
WHERE = (
    r"(?:(?:the\s+|all\s+|all\s+the\s+|every\s+)?(?:titles?|headings?|body(?:\s+texts?)?|bodies"
    r"|footers?|speaker\s+notes|notes|texts?|everything)|(?:the\s+)?(?:shape|box|text\s+box)\s+<\d+>)"
)
SCOPE = (
    rf"(?:everywhere(?:{BUT})?|(?:(?:on|in|of|from|for|across|throughout|to)\s+(?:{SLIDES}"
    rf"|{WHERE}(?:\s+(?:on|in|of|from|for|across|throughout)\s+{SLIDES})?)))"
)

LAST = -1
"""In place of a number: the last slide, wherever that is."""

_ROLES = (("title", "title"), ("heading", "title"), ("bod", "body"), ("footer", "footer"),
          ("notes", "notes"))  # fmt: skip
_SHAPE = re.compile(r"(?:shape|box)\s+<(\d+)>", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except|but\s+not)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Scope:
    """Slides by number, and texts by role."""

    slides: tuple[int, ...] | None = None
    """As they were written; None for all. LAST stands for the last slide."""
    but: tuple[int, ...] = ()
    """Those left out."""
    where: str = "all"
    shape: str | None = None

    def numbers(self, total: int) -> list[int]:
        """The slides of a deck of ``total``; raises EditError for one that it has not."""
        named = range(1, total + 1) if self.slides is None else self.slides
        wanted = {_real(number, total) for number in named}
        wanted -= {_real(number, total) for number in self.but}
        beyond = sorted(number for number in wanted if not 1 <= number <= total)
        if beyond:
            raise EditError(f"there is no slide {beyond[0]}; the deck has {total}")
        return sorted(wanted)

    @property
    def words(self) -> str:
        """As it is said after what is done."""
        if self.slides is None:
            said = "all slides"
        elif self.slides == (LAST,):
            said = "the last slide"
        else:
            said = f"slide{'s' * (len(self.slides) > 1)} {_ranges(self.slides)}"
        return f"{said} but {_ranges(self.but)}" if self.but else said


def read_scope(pieces: Iterable[str], quoted: Mapping[str, str]) -> Scope:
    """What several phrases say together; ``quoted`` are the texts by their marks.

    >>> read_scope(["in titles", "on slides 2-4 and 7"], {})
    Scope(slides=(2, 3, 4, 7), but=(), where='title', shape=None)
    """
    scope = Scope()
    for piece in pieces:
        scope = _with(scope, piece, quoted)
    return scope


def where_in(words: str) -> str:
    """The role that words name: ``title``, ``body``, ``footer``, ``notes`` or ``all``.

    >>> where_in("all the headings")
    'title'
    """
    return next((role for word, role in _ROLES if word in words.lower()), "all")


def numbers_in(words: str) -> tuple[int, ...]:
    """The numbers of a list with ranges; raises EditError for one that runs backwards.

    >>> numbers_in("2, 4-6 and 9")
    (2, 4, 5, 6, 9)
    """
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*(?:-|–|to)\s*(\d+))?", words):
        start, end = int(first), int(last or first)
        if end < start:
            raise EditError(f"slides {start} to {end} run backwards")
        if end - start > 10_000:
            raise EditError(f"no deck has {end} slides")
        found += range(start, end + 1)
    return tuple(dict.fromkeys(found))


def _real(number: int, total: int) -> int:
    return total if number == LAST else number


def _with(scope: Scope, piece: str, quoted: Mapping[str, str]) -> Scope:
    shape = _SHAPE.search(piece)
    if shape:
        scope = replace(scope, shape=quoted[shape[1]])
        piece = _SHAPE.sub("", piece)
    elif where_in(piece) != "all":
        scope = replace(scope, where=where_in(piece))
    kept, *left_out = _EXCEPT.split(piece, maxsplit=1)
    slides = _slides(kept)
    if slides is not None:
        scope = replace(scope, slides=slides)
    if left_out:
        scope = replace(scope, but=_slides(left_out[0]) or ())
    return scope


def _slides(words: str) -> tuple[int, ...] | None:
    if re.search(r"\bfirst\s+slide\b", words, re.IGNORECASE):
        return (1,)
    if re.search(r"\blast\s+slide\b", words, re.IGNORECASE):
        return (LAST,)
    named = re.search(rf"\bslides?\s+({NUMBERS})", words, re.IGNORECASE)
    return numbers_in(named[1]) if named else None


def _ranges(numbers: tuple[int, ...]) -> str:
    """Numbers as people write them: ``2-4, 7``."""
    told: list[str] = []
    start = last = None
    for number in (*sorted(numbers), None):
        if last is not None and number == last + 1:
            last = number
            continue
        if start is not None:
            told.append("the last" if start == LAST else f"{start}" if start == last else
                        f"{start}-{last}")  # fmt: skip
        start = last = number
    return ", ".join(told)


_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^\]]*)\]|(\s+)")
_PIECES = {
    "q": r"<(?P<{}>\d+)>",
    "n": r"(?P<{}>\d{{1,6}}(?:\.\d{{1,6}})?)",
    "word": r"(?P<{}>\w[\w ./%#+-]*?)",
    "numbers": rf"(?P<{{}}>{NUMBERS})",
}


@dataclass(frozen=True)
class MatchedRequest:
    """A part of a request that was understood: what stands where in its form."""

    words: Mapping[str, str]
    quoted: Mapping[str, str]
    scope: Scope

    def text(self, name: str) -> str:
        """A quoted text."""
        return self.quoted[self.words[name]]

    def word(self, name: str) -> str:
        """What stands unquoted, on one line; empty where nothing does."""
        return " ".join((self.words.get(name) or "").split())

    def number(self, name: str) -> float:
        """A number."""
        return float(self.words[name])


class OpenDeck:
    """An open copy of a deck with what steps need to know of it.

    ``limit`` are the ids of the slides that a request may touch, None for all.
    """

    def __init__(
        self, prs: Presentation, before: DeckElements, limit: frozenset[int] | None = None
    ) -> None:
        self.prs = prs
        self.limit = limit
        self._before = {slide.id: slide for slide in before.slides}

    @property
    def total(self) -> int:
        """How many slides the deck has now."""
        return len(self.prs.slides)

    def id(self, number: int) -> int:
        """The id of a slide, which stays when slides come, go and move."""
        return int(self.prs.slides[number - 1].slide_id)

    def number(self, id: int) -> int:
        """Where the slide of an id stands now."""
        return next(n for n in range(1, self.total + 1) if self.id(n) == id)

    def before(self, number: int) -> SlideElements | None:
        """A slide as it was before the request; None for one that came with it."""
        return self._before.get(self.id(number))

    def numbers(self, scope: Scope) -> list[int]:
        """The slides that a step applies to; raises EditError where it names others than it may,
        or none is left."""
        named = scope.numbers(self.total)
        if self.limit is None:
            found = named
        else:
            found = [number for number in named if self.id(number) in self.limit]
            outside = [number for number in named if number not in found]
            if scope.slides is not None and outside:
                raise EditError(f"slide {outside[0]} is not among the slides that may be edited")
        if not found:
            raise EditError("no slide is left to apply it to")
        return found


@dataclass(frozen=True)
class Operation:
    """One thing to do. ``apply`` does it and says what was meant to change, by ids of slides; it
    raises EditError where it cannot be done."""

    words: str
    """What it does, such as ``replace “a” with “b” on slide 2``."""
    apply: Callable[[OpenDeck], tuple[ExpectedChange, ...]]


@dataclass(frozen=True)
class RequestForm:
    """A way to ask for something.

    In ``template`` ``{q:name}`` stands for a quoted text, ``{n:name}`` for a number,
    ``{numbers:name}`` for a list of slides, ``{word:name}`` for unquoted words, ``{where}`` for
    a role of text, ``{scope}`` for where it applies, with nothing for everywhere; square brackets
    for what may be left out, bars in parentheses for alternatives.
    """

    template: str
    examples: tuple[str, ...]
    read: Callable[[MatchedRequest], Operation]

    def match(self, part: str, quoted: Mapping[str, str]) -> MatchedRequest | None:
        """What a part of a request says in this form; None where it is of another."""
        found = self.pattern.fullmatch(part)
        if found is None:
            return None
        words = {name: text for name, text in found.groupdict().items() if text is not None}
        pieces = [text for name, text in words.items() if name.startswith("scope_")]
        return MatchedRequest(words, quoted, read_scope(pieces, quoted))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The template as a regular expression."""
        counter = iter(range(100))

        def piece(match: re.Match[str]) -> str:
            kind, name, optional, space = match.groups()
            if space:
                return r"\s+"
            if optional is not None:
                inner = _TOKEN.sub(piece, optional.strip())
                before = r"\s+" if optional.startswith(" ") else r"\s*"
                return rf"(?:{inner}\s+)?" if optional.endswith(" ") else rf"(?:{before}{inner})?"
            if kind == "scope":
                return rf"(?:\s+(?P<scope_{next(counter)}>{SCOPE}))?"
            if kind == "where":
                return rf"(?P<scope_{next(counter)}>{WHERE})"
            return _PIECES[kind].format(name)

        return re.compile(_TOKEN.sub(piece, self.template), re.IGNORECASE)
