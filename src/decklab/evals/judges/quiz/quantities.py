"""When two numbers in texts are the same: kind, value and unit have to agree."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isclose

from decklab.documents.number_words import CURRENCY_WORDS, PERCENT_UNITS, UNITS
from decklab.documents.numbers import DecimalMark, NumberKind, StatedNumber, parse_numbers
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning.measures import in_unit

_YEARS = range(1500, 2101)
SPELLED = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "fifteen", "twenty", "thirty", "forty", "fifty", "zwei", "drei", "vier", "fünf", "sechs",
    "sieben", "acht", "neun", "zehn", "elf", "zwölf", "zwanzig",
)  # fmt: skip
"""Numbers in words, which ``parse_numbers`` does not read; "one" is more often a pronoun."""


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
    return [
        replace(
            one,
            kind=_kind_of(one.unit),
            values=(value,),
            unit=one.unit if one.unit != "year" else "",
        )
        if one.kind == "range"
        else one
        for one in numbers
        for value in (one.values if one.kind == "range" else one.values[:1])
    ]


def _kind_of(unit: str) -> NumberKind:
    """What an end of a range is, which has its unit only."""
    if unit in PERCENT_UNITS.values():
        return "percent"
    if unit in CURRENCY_WORDS.values():
        return "money"
    return "year" if unit == "year" else "count"


def number_with_unit(cell: str, head: str) -> StatedNumber | None:
    """The number of a table's cell with the unit that the head of its row or column names, also
    behind "in" or in brackets; None where the cell is no bare number or the head names no unit.

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
            found = facts_in(f"{cell.strip()} {name.lower()}")
            one = found[0] if found else None
            if one and (one.kind in {"percent", "money"} or one.unit in UNITS):
                return one
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
    kinds = {first.kind, second.kind}
    if kinds == {"count", "year"}:
        return all(item.kind == "year" or _may_be_year(item) for item in (first, second))
    return len(kinds) == 1 and _same_unit(first, second)


def same_values(first: StatedNumber, second: StatedNumber) -> bool:
    """Whether two numbers state the same values, however they are written.

    >>> same_values(facts_in("4.2 million euros")[0], facts_in("4,200,000")[0])
    True
    """
    return len(first.values) == len(second.values) and all(
        isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
        for one, other in zip(first.values, second.values, strict=True)
    )


def holds_all(numbers: Sequence[StatedNumber], text: str) -> bool:
    """Whether a text states the values of all ``numbers``."""
    known = facts_in(text)
    values = [value for item in known for value in item.values]
    return all(
        any(isclose(value, other, rel_tol=1e-9, abs_tol=1e-12) for other in values)
        for item in numbers
        for value in item.values
    )


def _may_be_year(item: StatedNumber) -> bool:
    value = item.values[0]
    return not item.unit and value == int(value) and int(value) in _YEARS


def _same_unit(first: StatedNumber, second: StatedNumber) -> bool:
    one, other = first.unit, second.unit
    if first.kind == "version" or not one or not other or one == other:
        return True
    if in_unit(0.0, one, other) is not None:
        return True
    if first.kind == "count" and (one in UNITS or other in UNITS):
        return False  # "m" and "M" are not the same
    return search_words(one) == search_words(other)
