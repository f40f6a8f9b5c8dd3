"""Amounts that a text states: numbers with their bounds, when two are the same (kind, value and
unit agree), and by how much something changed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import isclose
from typing import Final

from decklab.documents.numbers import (
    CURRENCY_WORDS,
    PERCENT_UNITS,
    UNITS,
    DecimalMark,
    NumberKind,
    StatedNumber,
    parse_numbers,
)
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning import (
    FOLD,
    Clause,
    clauses,
    concepts_of,
    factors_in,
    in_digits,
    in_unit,
    known_unit,
)

_YEAR_NUMBERS = range(1500, 2101)
SPELLED = tuple(
    tuple(words.split())
    for words in (
        "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty "
        "fifty",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig",
    )
)
"""Numbers in words of English and of German, by size, which ``parse_numbers`` does not read; "one"
is more often a pronoun."""


def facts_in(text: str, decimal: DecimalMark = ".") -> list[StatedNumber]:
    """The numbers of a text that say something; references such as "Figure 2" do not.

    >>> [item.values for item in facts_in("Figure 2: 12% of 30 cases")]
    [(12,), (30,)]
    """
    return [item for item in parse_numbers(text, decimal=decimal) if item.kind != "reference"]


def single_numbers(numbers: Iterable[StatedNumber]) -> list[StatedNumber]:
    """Numbers one by one: a range, or a change from one to another, is two.

    >>> [(one.kind, one.values) for one in single_numbers(facts_in("from 21 to 13 percent"))]
    [('percent', (21,)), ('percent', (13,))]
    """
    singles: list[StatedNumber] = []
    for number in numbers:
        if number.kind != "range":
            if number.values:
                singles.append(number)
            continue
        unit = "" if number.unit == "year" else number.unit
        part = replace(number, kind=_kind_of(number.unit), unit=unit)
        singles += [replace(part, values=(value,)) for value in number.values]
    return singles


def _kind_of(unit: str) -> NumberKind:
    """An end of a range; only its unit is known."""
    if unit in PERCENT_UNITS.values():
        return "percent"
    if unit in CURRENCY_WORDS.values():
        return "money"
    return "year" if unit == "year" else "count"


def number_with_unit(cell: str, head: str) -> StatedNumber | None:
    """The number of a table's cell with the unit that the head of its row or column names, also
    behind "in" or in brackets; None if the cell is no bare number or the head names no unit.

    >>> number_with_unit("18.4", "Million euros").values, number_with_unit("5", "Share (in %)").unit
    ((18400000,), '%')
    >>> number_with_unit("5", "Ships"), number_with_unit("5 to 7", "Share in %")
    (None, None)
    """
    bare = facts_in(cell)
    if len(bare) != 1 or bare[0].unit or bare[0].kind not in {"count", "year"}:
        return None
    inside = re.findall(r"[(\[]([^)\]]+)", head)
    for part in (*inside, head):
        for name in (part, part.rpartition(" in ")[2] or part, part.removeprefix("in ")):
            facts = facts_in(f"{cell.strip()} {name.lower()}")
            number = facts[0] if facts else None
            if number and (number.kind in {"percent", "money"} or number.unit in UNITS):
                return number
    return None


def same_number(first: StatedNumber, second: StatedNumber) -> bool:
    """Whether two numbers agree in kind, value and unit; a unit that is not stated fits any.

    A year and a bare count of four digits may be the same. Measures are converted.

    >>> one, two, three = facts_in("12% of 12 hours, 12 ships")
    >>> same_number(one, two), same_number(two, three), same_number(two, facts_in("12 Hours")[0])
    (False, False, True)
    >>> same_number(facts_in("1.5 km")[0], facts_in("1,500 metres")[0])
    True
    """
    return same_kind(first, second) and same_values(first, in_unit_of(second, first))


def in_unit_of(number: StatedNumber, other: StatedNumber) -> StatedNumber:
    """A number in the unit of another; as it is where they do not measure the same."""
    values = [in_unit(value, number.unit, other.unit) for value in number.values]
    known = tuple(value for value in values if value is not None)
    return replace(number, values=known, unit=other.unit) if len(known) == len(values) else number


def same_kind(first: StatedNumber, second: StatedNumber) -> bool:
    """Whether two numbers measure the same: kind and unit agree, whatever their values."""
    if (kinds := {first.kind, second.kind}) == {"count", "year"}:
        return all(item.kind == "year" or _may_be_year(item) for item in (first, second))
    return len(kinds) == 1 and _same_unit(first, second)


def same_values(first: StatedNumber, second: StatedNumber) -> bool:
    """Whether two numbers state the same values, however they are written.

    >>> same_values(facts_in("4.2 million euros")[0], facts_in("4,200,000")[0])
    True
    """
    return len(first.values) == len(second.values) and all(
        isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)
        for value, other in zip(first.values, second.values, strict=True)
    )


def left_over(
    numbers: Iterable[StatedNumber],
    others: Iterable[StatedNumber],
    same: Callable[[StatedNumber, StatedNumber], bool] = same_number,
) -> list[StatedNumber]:
    """Numbers without those that are among others too, each once."""
    left = list(numbers)
    for other in others:
        if (equal := next((number for number in left if same(number, other)), None)) is not None:
            left.remove(equal)
    return left


def holds_all(numbers: Sequence[StatedNumber], text: str) -> bool:
    """Whether a text states the values of all ``numbers``."""
    values = [value for item in facts_in(text) for value in item.values]
    return all(
        any(isclose(value, other, rel_tol=1e-9, abs_tol=1e-12) for other in values)
        for item in numbers
        for value in item.values
    )


def _may_be_year(item: StatedNumber) -> bool:
    value = item.values[0]
    return not item.unit and value == int(value) and int(value) in _YEAR_NUMBERS


def _same_unit(first: StatedNumber, second: StatedNumber) -> bool:
    unit, other = first.unit, second.unit
    if first.kind == "version" or not unit or not other or unit == other:
        return True
    if in_unit(0.0, unit, other) is not None:
        return True
    if first.kind == "count" and (unit in UNITS or other in UNITS):
        return False  # "m" and "M" are not the same
    return search_words(unit) == search_words(other)


_ABOVE: Final = r"more than|over|above|at least|exceed(?:s|ed|ing)?|upwards? of|no less than"
_BELOW: Final = r"less than|fewer than|under|below|at most|up to|no more than|within"
_ABOUT: Final = (
    r"about|around|roughly|nearly|almost|approximately|some|circa|close to|just over|just under|~|≈"
)
_BOUND: Final = re.compile(
    rf"(?:\b(?P<above>{_ABOVE})|\b(?P<below>{_BELOW})|(?P<about>\b(?:{_ABOUT})|[~≈]))\s?$",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"\bby\s(?:(?:about|around|nearly|almost|some|over|up to)\s)?$", re.I)
_TO: Final = re.compile(r"\bto\s(?:(?:about|around|nearly|almost|some|only)\s)?$", re.I)
_OF_IT: Final = re.compile(
    r"\s?(?:of\s(?:its|their|what|the\s(?:earlier|former|old|original|previous|first))\b|[.,;]|$)",
    re.I,
)
_TIMES: Final = re.compile(
    r"(?P<factor>\d+(?:\.\d+)?)\s(?:times|fold)\s(?=that|what|as|the|its|high|larg|more|great|big)",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(r"\bfrom\b(?P<first>.+?)(?:\bto\b|[–—-])(?P<second>.+)", re.I)
_APART: Final = re.compile(r",\s|;\s|\s(?:and|with|but|or|against)\s", re.IGNORECASE)
RISE: Final = "rise"
"""The concept of what grows, and denied of what falls."""
BEGIN: Final = frozenset(("begin", "open"))
"""The concepts of what begins, and denied of what ends."""
COST: Final = "cheap"
"""The concept of what little is paid for, and denied of a cost."""
_NEAR: Final = 0.05
_SAME_FACTOR: Final = 0.005
_MOST_DERIVED: Final = 4
_FAR: Final = 5.0
"""How far "about" goes, as a share; how far apart factors are that are the same; how many numbers
may stand together for others to be worked out from them; how many times as much "more than" may
mean. Ours."""


@dataclass(frozen=True)
class Amount:
    """A number, all that it may mean, and the bound before it."""

    readings: tuple[StatedNumber, ...]
    bound: str = ""
    """``above``, ``below`` or ``about``; empty where it is exact."""
    is_change: bool = False
    """Whether it says by how much, or how many times, something changed."""
    rounded: bool = False
    """Whether it stands for a fraction in words."""
    is_rest: bool = False
    """Whether it is a share that something rose or fell to."""
    near: frozenset[str] = frozenset()
    """The concepts beside it, up to the next comma or "and"; of a cell those of its column."""

    @property
    def is_span(self) -> bool:
        """Whether it is a number of years or decades."""
        return known_unit(self.readings[-1].unit) in {"year", "decade"}

    def allows(self, stated: "Amount") -> bool:
        """Whether a text that states an amount bears this one out."""
        if {self.is_change, stated.is_change} == {self.is_rest, stated.is_rest} == {True, False}:
            return False
        return any(
            self._allows(own, other, stated) for own in self.readings for other in stated.readings
        )

    def _allows(self, reading: StatedNumber, other: StatedNumber, stated: "Amount") -> bool:
        if not same_kind(reading, other):
            return False
        seen = in_unit_of(other, reading)
        if len(seen.values) != len(reading.values):
            return False
        loose = self.rounded or stated.rounded or seen is not other
        return all(
            self._bears(ours, theirs, loose)
            for ours, theirs in zip(reading.values, seen.values, strict=True)
        )

    def _bears(self, ours: float, theirs: float, loose: bool) -> bool:
        margin = 1e-9 * max(1.0, abs(ours))
        if self.bound == "above":
            return ours - margin <= theirs <= _FAR * max(ours, 1.0)
        if self.bound == "below":
            return ours / _FAR <= theirs <= ours + margin
        if self.bound == "about":
            return abs(ours - theirs) <= _NEAR * max(abs(ours), abs(theirs)) + margin
        return abs(ours - theirs) <= (_last_digit(ours) / 2 if loose else 0.0) + margin


def _last_digit(value: float) -> float:
    """The worth of a written number's last digit.

    >>> _last_digit(1.5), _last_digit(67)
    (0.1, 1.0)
    """
    decimals = f"{value:.10g}".partition(".")[2]
    return 10.0 ** -len(decimals) if decimals and "e" not in decimals else 1.0


@dataclass(frozen=True)
class Meaning:
    """The meaning of a text, for comparison with another."""

    clauses: tuple[Clause, ...]
    amounts: tuple[Amount, ...]
    factors: tuple[float, ...]
    """By what something was multiplied, in any way of saying it."""
    is_row: bool = False
    """Whether it is a whole row of a table, whose amounts have columns."""

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Of all its clauses."""
        return frozenset(name for clause in self.clauses for name, _ in clause.concepts)

    def __add__(self, other: "Meaning") -> "Meaning":
        return Meaning(
            self.clauses + other.clauses, self.amounts + other.amounts, self.factors + other.factors
        )

    @cached_property
    def years_after(self) -> tuple[Amount, ...]:
        """The years that lie as many years after a year as a span of years says, or before it where
        something came early."""
        sign = -1 if any(clause.signs.get("early") == 1 for clause in self.clauses) else 1
        years = [part.readings[-1] for part in self.amounts if part.readings[-1].kind == "year"]
        spans = [amount.readings[-1] for amount in self.amounts if amount.is_span]
        return tuple(
            Amount((StatedNumber("year", (year.values[0] + sign * _in_years(span),), "", 0, 0),))
            for year in years
            for span in spans
        )

    @cached_property
    def change(self) -> float | None:
        """By what something was multiplied from one year to another, where a text states two years
        and a number for each; else None."""
        kinds = [_is_year(amount) for amount in self.amounts]
        years = [part.readings[0] for part in self.amounts if _is_year(part)]
        stated = [part.readings[0] for part in self.amounts if not _is_year(part)]
        if kinds not in ([True, False] * 2, [False, True] * 2) or not same_kind(*stated):
            return None
        early, late = (in_unit_of(part, stated[0]).values[0] for part in stated)
        if years[0].values[0] > years[1].values[0]:
            early, late = late, early
        return late / early if early else None

    @cached_property
    def derived(self) -> tuple[Amount, ...]:
        """Numbers that follow from its numbers, if they are few: a sum, a difference, a share, a
        year some years later."""
        if not 2 <= len(self.amounts) <= _MOST_DERIVED:
            return ()
        return tuple(_derived([amount.readings[-1] for amount in self.amounts]))


def _is_year(amount: Amount) -> bool:
    return amount.readings[0].kind == "year"


def _derived(numbers: Sequence[StatedNumber]) -> Iterator[Amount]:
    for first, second in combinations(numbers, 2):
        years = [fact for fact in (first, second) if fact.kind == "year"]
        spans = [fact for fact in (first, second) if known_unit(fact.unit) in {"year", "decade"}]
        if years and spans:
            for sign in (1, -1):
                value = years[0].values[0] + sign * _in_years(spans[0])
                yield Amount((StatedNumber("year", (value,), "", 0, 0),))
        elif not years and first.kind == second.kind != "date" and same_kind(first, second):
            fact, other = first, in_unit_of(second, first)
            small, large = sorted((fact.values[0], other.values[0]))
            unit = first.unit or second.unit
            for value in (small + large, large - small):
                yield Amount((StatedNumber(first.kind, (round(value, 9),), unit, 0, 0),))
            if first.kind == "count" and 0 < small < large:
                share = 100 * small / large
                yield Amount((StatedNumber("percent", (share,), "%", 0, 0),), rounded=True)
        elif len(years) == 2:
            apart = abs(first.values[0] - second.values[0])
            yield Amount((StatedNumber("count", (apart,), "years", 0, 0),))


_YEARS: Final = StatedNumber("count", (1,), "years", 0, 0)


def _in_years(span: StatedNumber) -> float:
    return in_unit_of(span, _YEARS).values[0]


@lru_cache(maxsize=16384)
def meaning_of_text(text: str, units: tuple[tuple[StatedNumber, ...], ...] = ()) -> Meaning:
    """The meaning of a text. ``units`` are the readings of its numbers where a table gives them.

    >>> meaning_of_text("Costs fell by a quarter").factors, meaning_of_text("Costs halved").factors
    ((0.75,), (0.5,))
    """
    spelled = in_digits(text)
    numbers = single_numbers(facts_in(spelled))
    own = tuple(_readings(number, spelled) for number in numbers)
    readings = units if len(units) == len(numbers) else own
    fractions = spelled != text
    left = list(spelled)
    amounts = []
    for fact, meant in zip(numbers, readings, strict=True):
        before = spelled[: fact.start]
        bound = _BOUND.search(before)
        start, end, percent = fact.start, fact.end, fact.kind == "percent"
        times = _TIMES.match(spelled, start) or FOLD.match(spelled, start)
        changed = bool(_BY.search(before) or times)
        rest = percent and bool(_TO.search(before) and _OF_IT.match(spelled, end))
        rounded = fractions and percent and spelled[start:end] not in text
        near = concepts_of(_beside(spelled, fact))
        how = (bound.lastgroup or "") if bound else ""
        amounts.append(Amount(meant, how, changed, rounded, rest, near))
        _blank(left, fact, spelled)
        if bound:
            left[bound.start() : fact.start] = " " * (fact.start - bound.start())
    said = clauses("".join(left))
    return Meaning(said, tuple(amounts), tuple(_factors(spelled, amounts, said)))


def _readings(number: StatedNumber, text: str) -> tuple[StatedNumber, ...]:
    """Possible meanings of a number: pounds are money or a weight."""
    if number.unit == "GBP" and "pound" in text[number.start : number.end].casefold():
        return number, replace(number, kind="count", unit="pounds")
    return (number,)


def _beside(text: str, number: StatedNumber) -> str:
    """The text around a number, without it."""
    before = _APART.split(text[: number.start])[-1]
    measured = known_unit(number.unit) is not None or number.kind != "count"
    written = re.match(r"\S*", text[number.start :])
    end = number.end if measured else number.start + (written.end() if written else 0)
    return f"{before} {_APART.split(text[end:])[0]}"


def _blank(left: list[str], number: StatedNumber, text: str) -> None:
    """Take a number out of a text, with its unit where that is a measure, a share or money."""
    end = number.end
    if number.kind == "count" and known_unit(number.unit) is None:
        written = re.match(r"[^\s]*", text[number.start :])
        end = number.start + (written.end() if written else 0)
    left[number.start : end] = " " * (end - number.start)


def _factors(text: str, amounts: Sequence[Amount], said: Sequence[Clause]) -> Iterator[float]:
    yield from factors_in(text)
    yield from (float(match["factor"]) for match in _TIMES.finditer(text))
    falls = any(clause.signs.get(RISE) == -1 for clause in said)
    for amount in amounts:
        number = amount.readings[0]
        if amount.is_rest:
            yield number.values[0] / 100
        if amount.is_change and number.kind == "percent":
            yield 1 + (-1 if falls else 1) * number.values[0] / 100
    for match in _FROM_TO.finditer(text):
        first, second = facts_in(match["first"]), facts_in(match["second"])
        if not first or not second or not first[0].values[0] or second[0].kind == "year":
            continue
        same = in_unit_of(second[0], first[0])
        if same_kind(first[0], second[0]) or not first[0].unit or not second[0].unit:
            yield same.values[0] / first[0].values[0]


def same_factor(factor: float, other: float, *, about: bool = False) -> bool:
    """Whether two factors are the same but for rounding to a percent.

    >>> same_factor(1.12, 1.123), same_factor(1.12, 1.13)
    (True, False)
    """
    share = _NEAR if about else _SAME_FACTOR
    return abs(factor - other) <= share * max(1.0, abs(factor), abs(other))
