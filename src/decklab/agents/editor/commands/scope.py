"""Where a request applies: which slides, and which of their texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from decklab.editing.finding import EditError

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
