"""Forms of requests, and the steps that requests become."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from decklab.agents.editor.commands.scope import NUMBERS, SCOPE, WHERE, Scope, read_scope
from decklab.agents.editor.verification.plan import Planned
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.finding import EditError
from decklab.editing.opening import Presentation

_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|\[([^\]]*)\]|(\s+)")
_PIECES = {
    "q": r"<(?P<{}>\d+)>",
    "n": r"(?P<{}>\d{{1,6}}(?:\.\d{{1,6}})?)",
    "word": r"(?P<{}>\w[\w ./%#+-]*?)",
    "numbers": rf"(?P<{{}}>{NUMBERS})",
}


@dataclass(frozen=True)
class Said:
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


class Desk:
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
class Step:
    """One thing to do. ``apply`` does it and says what was meant to change, by ids of slides; it
    raises EditError where it cannot be done."""

    words: str
    """What it does, such as ``replace “a” with “b” on slide 2``."""
    apply: Callable[[Desk], tuple[Planned, ...]]


@dataclass(frozen=True)
class Form:
    """A way to ask for something.

    In ``template`` ``{q:name}`` stands for a quoted text, ``{n:name}`` for a number,
    ``{numbers:name}`` for a list of slides, ``{word:name}`` for unquoted words, ``{where}`` for
    a role of text, ``{scope}`` for where it applies, with nothing for everywhere; square brackets
    for what may be left out, bars in parentheses for alternatives.
    """

    template: str
    examples: tuple[str, ...]
    read: Callable[[Said], Step]

    def match(self, part: str, quoted: Mapping[str, str]) -> Said | None:
        """What a part of a request says in this form; None where it is of another."""
        found = self.pattern.fullmatch(part)
        if found is None:
            return None
        words = {name: text for name, text in found.groupdict().items() if text is not None}
        pieces = [text for name, text in words.items() if name.startswith("scope_")]
        return Said(words, quoted, read_scope(pieces, quoted))

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
