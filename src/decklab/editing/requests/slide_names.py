"""The slides that a request names: by number, place, title, section or contents; all but some."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from decklab.editing.finding import EditError
from decklab.editing.requests.templates import (
    ARTICLES,
    HAVING,
    DeckNames,
    Piece,
    SlotForm,
    TemplateNode,
    Way,
    Words,
    compiled,
    plain,
    quoted,
    tokens_of,
)

NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "last": -1, "final": -1,
    "penultimate": -2,
}  # fmt: skip
_MOST_DIGITS = 6
_RANGE = re.compile(r"(\d{1,6})(?:[-–](\d{1,6}))?")
_LONGEST = 15
"""Words of a text of the deck that is named without quotes. Ours."""


@dataclass(frozen=True)
class Scope:
    """Slides by their numbers when the request is made."""

    slides: tuple[int, ...] | None = None
    """None for all slides."""
    but: tuple[int, ...] = ()
    """The slides left out."""
    every: bool = False
    """Whether all slides are said to be meant."""

    def numbers(self, total: int) -> list[int]:
        """The slides that are meant in a deck of ``total``, in order.

        Raises EditError for a slide that the deck does not have.
        """
        wanted = set(range(1, total + 1) if self.slides is None else self.slides) - set(self.but)
        beyond = sorted(number for number in wanted | set(self.but) if not 1 <= number <= total)
        if beyond:
            raise EditError(f"there is no slide {beyond[0]}; the deck has {total}")
        return sorted(wanted)

    @property
    def words(self) -> str:
        """The slides in words, such as ``slides 2-4, 7``, as a request may name them."""
        if self.slides is None:
            words = "all slides"
        else:
            words = f"slide{'s' * (len(self.slides) > 1)} {ranges(self.slides)}"
        return f"{words} except {ranges(self.but)}" if self.but else words


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as people write them: ``2-4, 7``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


class NumberSlot:
    """A whole number, in digits or as a word."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The number that stands there."""
        low = words.low(at)
        number = int(low) if low.isascii() and low.isdigit() and len(low) <= _MOST_DIGITS else None
        if (number := NUMBERS.get(low) if number is None else number) is not None:
            yield (Piece(str(number), value=number),), at + 1


class OrdinalSlot:
    """A place: ``first``, ``2nd``, ``last`` (-1), ``third to last`` (-3)."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The place that is named there."""
        at += words.low(at) == "the"
        if (index := ordinal_of(words.low(at))) is None:
            return
        if (words.low(at + 1), words.low(at + 2)) == ("to", "last") and index > 0:
            yield (Piece(f"{words.low(at)} to last", value=-index),), at + 3
        else:
            yield (Piece(words.low(at), value=index),), at + 1


def ordinal_of(word: str) -> int | None:
    """The place that a word such as ``second``, ``2nd`` or ``last`` (-1) names."""
    digits = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)", word)
    return int(digits[1]) if digits else ORDINALS.get(word)


class NumbersSlot:
    """Several numbers with ranges: ``2-4, 7 and 9``, ``2 to 4``; all that stand in a row."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The numbers up to the first word that is none; ``to`` may also begin a value."""
        for through in (("to", "through", "-", "–"), ()):
            numbers: list[int] = []
            end = at
            after = at
            while (item := _item(words, after, through)) is not None:
                span, end = item
                numbers += span
                after = end
                while words.low(after) in (",", "and", "&"):
                    after += 1
                if after == end:
                    break
            if numbers:
                unique = tuple(dict.fromkeys(numbers))
                yield (Piece(ranges(unique), value=unique),), end


def _item(words: Words, at: int, through: Sequence[str]) -> tuple[list[int], int] | None:
    """A number or range, and the place behind it."""
    if (low := words.low(at)) in NUMBERS:
        return [NUMBERS[low]], at + 1
    parts = [_RANGE.fullmatch(part) for part in low.split(",")]
    if not low or not all(parts):
        return None
    spans = [_span(int(part[1]), int(part[2] or part[1])) for part in parts if part]
    last = words.low(at + 2)
    if words.low(at + 1) in through and last.isdigit() and len(last) <= _MOST_DIGITS:
        more = _span(spans[-1][-1], int(last)) if int(last) >= spans[-1][-1] else None
        if more is not None:
            return [number for span in (*spans[:-1], more) for number in span], at + 3
    return [number for span in spans for number in span], at + 1


def _span(first: int, last: int) -> list[int]:
    if last < first:
        raise EditError(f"slides {first} to {last} run backwards")
    if last - first > 10_000:
        raise EditError(f"no deck has {last} slides")
    return list(range(first, last + 1))


@dataclass(frozen=True)
class QuotedSlot:
    """A text in quotes; with ``held`` one that may stand in the deck."""

    held: bool = False

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The text without its quotes."""
        if at < len(words.tokens) and words.tokens[at].kind == "quoted":
            text = words.tokens[at].text
            known = not self.held or words.facts.holds(text)
            yield (Piece(quoted(text), value=text, known=known),), at + 1


@dataclass(frozen=True)
class DeckSlot:
    """A text that stands in the deck, in quotes or as it stands there, case and marks aside."""

    names: tuple[str, ...]
    """Fields of ``DeckNames``."""
    bare: bool = False
    """Whether it stands there without quotes only."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The quoted text, or the texts of the deck that stand there."""
        starts = (at, at + 1)[: 1 + (words.low(at) in ARTICLES)]
        quotes = () if self.bare else QuotedSlot().read(words, starts[-1])
        for (piece,), end in quotes:
            known = any(
                plain(str(piece.value)) in getattr(words.facts, name) for name in self.names
            )
            yield (replace(piece, known=known),), end
        for start in starts:
            for end in range(start + 1, min(len(words.tokens), start + _LONGEST) + 1):
                if words.tokens[end - 1].kind == "quoted":
                    break
                said = words.plain(start, end)
                fields = (getattr(words.facts, name) for name in self.names)
                for text in (text for field in fields for text in field.get(said, ())):
                    yield (Piece(quoted(text), value=text),), end


def _all(
    facts: DeckNames, but: Scope | tuple[int, ...] | int | None = None, slides: Scope | None = None
) -> Scope:
    but = slides or but
    if isinstance(but, Scope):
        but = but.slides if but.slides is not None else ()
    if isinstance(but, int):
        but = (_from_end(facts, but),)
    return Scope(but=tuple(sorted(but or ())), every=True)


def _all_but_two(facts: DeckNames, but: int, more: int) -> Scope:
    return _all(facts, (_from_end(facts, but), _from_end(facts, more)))


def _of(numbers: Sequence[int]) -> Scope:
    return Scope(tuple(dict.fromkeys(numbers)))


def _from_end(facts: DeckNames, at: int) -> int:
    return at if at > 0 else facts.total + 1 + at


def _run(facts: DeckNames, count: int, *, last: bool) -> Scope:
    if not 0 < count <= facts.total:
        raise EditError(f"there are no {count} slides; the deck has {facts.total}")
    return _of(range(facts.total - count + 1, facts.total + 1) if last else range(1, count + 1))


def titled(facts: DeckNames, title: str) -> list[Scope]:
    """The slides of a title; raises EditError if there is none."""
    named = [number for number, held in enumerate(facts.titles, start=1)
             if held and plain(held) == plain(title)]  # fmt: skip
    if not named:
        raise EditError(f"no slide has the title “{title}”; name the slide by its number")
    return [_of([number]) for number in named]


def _of_section(facts: DeckNames, section: str) -> Scope:
    numbers = [slides for name, slides in facts.sections.items() if plain(name) == plain(section)]
    if len(numbers) != 1:
        raise EditError(f"the deck has no section “{section}”, or several")
    return _of(numbers[0])


def _having(facts: DeckNames, thing: str, *, has: bool = True) -> Scope:
    every = range(1, facts.total + 1)
    chosen = [number for number in every if (number in facts.having.get(thing, ())) == has]
    if not chosen:
        how = ("" if has else "without ") if thing == "hidden" else "with " if has else "without "
        raise EditError(f"no slide is {how}" + (f"“{thing}”" if thing == "hidden" else thing))
    return _of(chosen)


def _span_to_end(facts: DeckNames, number: int) -> Scope:
    return _of(range(number, max(facts.total, number) + 1))


def _before(number: int) -> Scope:
    if number < 2:
        raise EditError("no slide stands before slide 1")
    return _of(range(1, number))


_THINGS = "{thing=" + "|".join(name for name in HAVING if name not in ("hidden", "cover")) + "}"
_PARTS: dict[str, TemplateNode] = {
    "number": NumberSlot(), "numbers": NumbersSlot(), "ordinal": OrdinalSlot(),
    "title": DeckSlot(("title_names",)), "section": DeckSlot(("section_names",)),
}  # fmt: skip


def form(
    *pairs: tuple[str, Callable[..., object]],
    say: Callable[[Any], str] | None = None,
    kinds: Mapping[str, TemplateNode],
) -> SlotForm:
    """A type of slots from templates, each with the function that makes its value."""
    made = tuple((compiled(template, kinds), make) for template, make in pairs)
    return SlotForm(made, say)


_say = attrgetter("words")
_SIMPLE = form(
    ("(slide|slides) [number] {numbers}", lambda f, numbers: _of(numbers)),
    ("{ordinal} slide", lambda f, ordinal: _of([_from_end(f, ordinal)])),
    ("{ordinal} and {more:ordinal} (slide|slides)",
     lambda f, ordinal, more: _of([_from_end(f, ordinal), _from_end(f, more)])),
    ("first {number} slides", lambda f, number: _run(f, number, last=False)),
    ("last {number} slides", lambda f, number: _run(f, number, last=True)),
    ("slide [titled] {title}", titled),
    ("{title} slide", titled),
    ("[all] slides of [section] {section} [section]", _of_section),
    ("(slide|slides) {number} (onwards|onward)", _span_to_end),
    ("slides {number} to (end|last)", _span_to_end),
    ("slides from {number} (on|onwards)", _span_to_end),
    ("[(all|every)] (slide|slides) after [slide] {number}",
     lambda f, number: _span_to_end(f, number + 1)),
    ("[(all|every)] (slide|slides) before [slide] {number}", lambda f, number: _before(number)),
    ("[all] odd [numbered] slides", lambda f: _of(range(1, f.total + 1, 2))),
    ("[all] even [numbered] slides", lambda f: _of(range(2, f.total + 1, 2))),
    ("every (second|other) slide",
     lambda f: [_of(range(start, f.total + 1, 2)) for start in (2, 1)]),
    ("(title|cover) slide", lambda f: _having(f, "cover")),
    ("[all] hidden slides", lambda f: _having(f, "hidden")),
    (f"[(all|every|each)] (slide|slides) with {_THINGS}", _having),
    (f"[(all|every|each)] (slide|slides) without {_THINGS}",
     lambda f, thing: _having(f, thing, has=False)),
    say=_say, kinds=_PARTS,
)  # fmt: skip
_LIST = form(
    ("{simple}", lambda f, simple: simple),
    ("{simple} and {more:simple}", lambda f, simple, more: _of(simple.slides + more.slides)),
    ("{simple} , [and] {more:simple}", lambda f, simple, more: _of(simple.slides + more.slides)),
    say=_say, kinds={"simple": _SIMPLE},
)  # fmt: skip
_EXCEPT = "[,] (except [for]|but [not]|apart from|other than|excluding)"
_EVERY = "(all [of] slides|every slide|each slide|all|[whole|entire] deck)"
SLIDES = form(
    ("{list}", lambda f, list: list),
    (f"{_EVERY} {_EXCEPT} {{but:numbers}}", _all),
    (f"{_EVERY} {_EXCEPT} {{but:list}}", _all),
    (f"{_EVERY} {_EXCEPT} {{but:ordinal}}", _all),
    (f"{_EVERY} {_EXCEPT} {{but:ordinal}} and {{more:ordinal}}", _all_but_two),
    ("(all [of] slides|every slide|each slide|[whole|entire] deck)", _all),
    say=_say, kinds={**_PARTS, "list": _LIST},
)  # fmt: skip
"""Slides, as requests name them."""
ON = form(
    ("(on|of|in|from|for|to|at) {slides}", lambda f, slides: slides),
    ("(everywhere|anywhere|throughout [[whole|entire] deck])", _all),
    (f"everywhere {_EXCEPT} [on] {{slides}}", _all),
    (f"{_EXCEPT} [on] {{slides}}", _all),
    (f"{_EXCEPT} [on] {{but:ordinal}}", _all),
    (f"{_EXCEPT} {{but:numbers}}", _all),
    say=lambda value: "everywhere" if value == Scope(every=True) else f"on {_say(value)}",
    kinds={**_PARTS, "slides": SLIDES},
)
"""Slides with the word that leads to them, such as ``on slide 3``."""


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers of a list with ranges; empty if it is no such list.

    Raises EditError for a range that runs backwards.

    >>> numbers_in("2, 4-6 and 9")
    (2, 4, 5, 6, 9)
    """
    tokens = tokens_of(text)
    for pieces, end in NumbersSlot().read(Words(text, tokens, DeckNames()), 0):
        if end == len(tokens):
            return tuple(pieces[0].value)  # type: ignore[arg-type]
    return ()
