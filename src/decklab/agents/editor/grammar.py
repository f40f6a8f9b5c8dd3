"""Forms of requests: where a request applies, how its words are matched, and what it becomes."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from decklab.agents.editor.verification import ExpectedChange
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.finding import EditError
from decklab.editing.opening import Presentation

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
_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^\]]*)\]|(\s+)")
_PIECES = {"q": r"<(?P<{}>\d+)>", "n": r"(?P<{}>\d{{1,6}}(?:\.\d{{1,6}})?)"}


@dataclass(frozen=True)
class RequestScope:
    """Slides by number, and texts by role."""

    slides: tuple[int, ...] | None = None
    """The numbers in the request; None for all slides. LAST stands for the last slide."""
    but: tuple[int, ...] = ()
    """The slides left out."""
    where: str = "all"
    """The role of the texts, see ``where_in``."""
    shape: str | None = None
    """Name or id of the only shape that is meant."""

    def numbers(self, total: int) -> list[int]:
        """The slides that are meant in a deck of ``total``, in order.

        Raises EditError for a slide that the deck does not have.
        """
        named = range(1, total + 1) if self.slides is None else self.slides
        wanted = {_real(number, total) for number in named}
        wanted -= {_real(number, total) for number in self.but}
        beyond = sorted(number for number in wanted if not 1 <= number <= total)
        if beyond:
            raise EditError(f"there is no slide {beyond[0]}; the deck has {total}")
        return sorted(wanted)

    @property
    def words(self) -> str:
        """The slides in words, such as ``slides 2-4, 7``."""
        if self.slides is None:
            said = "all slides"
        elif self.slides == (LAST,):
            said = "the last slide"
        else:
            said = f"slide{'s' * (len(self.slides) > 1)} {_ranges(self.slides)}"
        return f"{said} but {_ranges(self.but)}" if self.but else said


def read_scope(pieces: Iterable[str], quoted: Mapping[str, str]) -> RequestScope:
    """The scope that several phrases name together; ``quoted`` are the texts by their marks.

    >>> read_scope(["in titles", "on slides 2-4 and 7"], {})
    RequestScope(slides=(2, 3, 4, 7), but=(), where='title', shape=None)
    """
    scope = RequestScope()
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
    """The numbers of a list with ranges; raises EditError for a range that runs backwards.

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


def _with(scope: RequestScope, piece: str, quoted: Mapping[str, str]) -> RequestScope:
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


@dataclass(frozen=True)
class MatchedRequest:
    """A part of a request that a form matched: its words by the names in the form."""

    words: Mapping[str, str]
    quoted: Mapping[str, str]
    """Quoted texts by their marks."""
    scope: RequestScope

    def text(self, name: str) -> str:
        """A quoted text."""
        return self.quoted[self.words[name]]

    def optional_text(self, name: str) -> str | None:
        """A quoted text; None where the request has none."""
        return self.text(name) if name in self.words else None

    def word(self, name: str) -> str:
        """Unquoted words, on one line; empty where there are none."""
        return " ".join((self.words.get(name) or "").split())

    def number(self, name: str) -> float:
        """A number."""
        return float(self.words[name])


class OpenDeck:
    """A copy of a deck that is being edited, open in python-pptx.

    ``before`` is the deck before the request; ``limit`` holds the ids of the slides that a request
    may change, None for all.
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
        """The id of a slide; it stays the same when slides are added, removed and moved."""
        return int(self.prs.slides[number - 1].slide_id)

    def number(self, id: int) -> int:
        """The present number of the slide with an id."""
        return next(n for n in range(1, self.total + 1) if self.id(n) == id)

    def before(self, number: int) -> SlideElements | None:
        """A slide as it was before the request; None for a slide that the request added."""
        return self._before.get(self.id(number))

    def numbers(self, scope: RequestScope) -> list[int]:
        """The slides that an operation applies to.

        Raises EditError where ``scope`` names slides that may not be changed, or none is left.
        """
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

    def only_number(self, scope: RequestScope, if_several: str) -> int:
        """The one slide that an operation applies to.

        Raises EditError as ``numbers`` does, and with ``if_several`` where there are more.
        """
        number, *more = self.numbers(scope)
        if more:
            raise EditError(if_several)
        return number

    def changed_on(
        self, scope: RequestScope, change: Callable[[int], object], if_none: str
    ) -> tuple[int, ...]:
        """Call ``change`` with the number of each slide in ``scope``.

        ``change`` returns something true where it changed the slide; the ids of these slides are
        given. Raises EditError as ``numbers`` does, and with ``if_none`` where there are none.
        """
        ids = tuple(self.id(number) for number in self.numbers(scope) if change(number))
        if not ids:
            raise EditError(if_none)
        return ids


@dataclass(frozen=True)
class Operation:
    """One thing to do to a deck.

    ``apply`` does it and gives the changes to expect, with ids of slides in place of their numbers.
    It raises EditError where it cannot be done.
    """

    words: str
    """What it does, such as ``replace “a” with “b” on slide 2``."""
    apply: Callable[[OpenDeck], tuple[ExpectedChange, ...]]


@dataclass(frozen=True)
class RequestForm:
    """A way to ask for something.

    ``template`` is a regular expression in which ``{q:name}`` stands for a quoted text,
    ``{n:name}`` for a number, ``{where}`` for a role of texts, ``{scope}`` for where the request
    applies (nothing there means everywhere); square brackets enclose what may be left out.
    """

    template: str
    examples: tuple[str, ...]
    read: Callable[[MatchedRequest], Operation]

    def match(self, part: str, quoted: Mapping[str, str]) -> MatchedRequest | None:
        """The words of a part of a request that has this form; None where it has not."""
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
