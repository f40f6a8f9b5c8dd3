"""What texts state, piece by piece with its meaning, and which pieces come nearest to a claim."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from decklab.documents.numbers import CURRENCY_WORDS, SCALES
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning.spelled import in_digits, known_unit, measured_by
from decklab.evals.judges.meaning.wording import clauses, concepts_of
from decklab.evals.judges.quiz.amounts import COST, RISE, Meaning, meaning_of_text
from decklab.evals.judges.quiz.statements import DeckStatement

_BEFORE: Final = "before"
"""The concept of what comes before, and denied of what comes after."""
_CONTEXT: Final = 0.5
_WINDOW: Final = 3
_LEAST_WORDS: Final = 3
"""How much the heading above counts; how many sentences together bear out a claim, and words that
each of them has at least. Ours."""
_NAME: Final = re.compile(r"[^\W\d]+\d")


def numbered_names(words: Iterable[str]) -> set[str]:
    """Words that are names with a number, such as lme4, Q3 or CO2: they stand as they are, or
    something else is meant. Units are none.

    >>> sorted(numbered_names(["lme4", "12", "3d", "q3", "ships", "km2"]))
    ['lme4', 'q3']
    """
    return {word for word in words if _NAME.match(word) and known_unit(word) is None}


@dataclass(frozen=True)
class Passage:
    """One or more statements of a text that follow each other, and what they mean together."""

    statement: DeckStatement
    meaning: Meaning
    around: frozenset[str]
    document: str = ""
    asks: frozenset[str] = frozenset()
    """Words of which a claim has to have one, where it was worked out of cells of a table."""
    alone: bool = False
    """Whether it is of a table, so that what follows does not belong to it."""
    label: frozenset[str] = frozenset()
    """The words before its row or cell of a table."""

    @property
    def names(self) -> set[str]:
        """Its names with a number, those of the heading too."""
        return numbered_names(search_words(f"{self.statement.text} {self.statement.context}"))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words as they are written, those of the heading too, in small letters."""
        text = f"{self.statement.text} {self.statement.context}"
        return frozenset(re.findall(r"\w+", text.casefold()))

    def __add__(self, other: "Passage") -> "Passage":
        text = f"{self.statement.text} {other.statement.text}"
        statement = replace(self.statement, text=text)
        return replace(self, statement=statement, meaning=self.meaning + other.meaning)


def passage_of(statement: DeckStatement, document: str = "") -> Passage:
    """A statement with what it means; the bare number of a cell has the unit of its column."""
    units = statement.readings if " | " in statement.text else ()
    meaning = meaning_of_text(statement.text, units)
    if any(len(readings) > 1 for readings in units):
        meaning = replace(meaning, clauses=clauses(_UNITS.sub(" ", statement.text)))
    return Passage(statement, meaning, concepts_of(in_digits(statement.context)), document)


_UNITS: Final = re.compile(
    rf"\d[\d.,]*|\b(?:{'|'.join(map(re.escape, (*SCALES, *CURRENCY_WORDS, 'percent', 'in')))})\b|%",
    re.IGNORECASE,
)
"""What the head of a column says of its numbers, and these themselves."""


class Passages:
    """Passages of a text, alone and with those that follow, found by their concepts."""

    def __init__(self, single: Sequence[Passage]) -> None:
        self.single = tuple(single)
        self._all = (*single, *_windows(single))
        self._counts = Counter(name for one in single for name in one.meaning.concepts | one.around)
        self._own: dict[str, list[int]] = {}
        self._near: dict[str, list[int]] = {}
        for place, one in enumerate(self._all):
            for name in one.meaning.concepts:
                self._own.setdefault(name, []).append(place)
            for name in one.around - one.meaning.concepts:
                self._near.setdefault(name, []).append(place)

    def ranked(self, wanted: Meaning) -> list[tuple[float, Passage]]:
        """Passages with the weighted share of a text's concepts that each has, 0 to 1, the highest
        first; those of its heading count half. Only those that share any.

        A rise or fall between two stated numbers, and which of them comes first, is left to the
        numbers, and so is what one calls having an amount of money or a measure.
        """
        told = {RISE, _BEFORE} if len(wanted.amounts) > 1 else set()
        if any(amount.readings[-1].kind == "money" for amount in wanted.amounts):
            told = {*told, COST}
        told = told.union(*(_implied(one.readings[-1].unit) for one in wanted.amounts))
        names = wanted.concepts - told or wanted.concepts
        weights = {name: self._weight(name) for name in names}
        total = sum(weights.values())
        shares: dict[int, float] = {}
        for name, weight in weights.items():
            for places, much in ((self._own, weight), (self._near, _CONTEXT * weight)):
                for place in places.get(name, ()):
                    shares[place] = shares.get(place, 0.0) + much
        found = sorted(shares.items(), key=lambda pair: (-round(pair[1], 9), pair[0]))
        return [(share / total, self._all[place]) for place, share in found]

    def share(self, wanted: Meaning, passage: Passage) -> float:
        """Weighted share of the concepts of a text that a passage has, 0 to 1."""
        weights = {name: self._weight(name) for name in wanted.concepts}
        own = sum(weights[name] for name in wanted.concepts & passage.meaning.concepts)
        return own / sum(weights.values()) if weights else 0.0

    def _weight(self, name: str) -> float:
        return math.log(1 + (1 + len(self.single)) / (0.5 + self._counts[name]))


@lru_cache(maxsize=1024)
def _implied(unit: str) -> frozenset[str]:
    """The concepts of having so much of a measure, which the measure says already."""
    return concepts_of(measured_by(unit))


def _windows(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Sentences below one heading that follow each other, two and three together."""
    texts = {passage.statement.text for passage in passages}
    single = [one for one in passages if not _joins(one.statement.text, texts)]
    for start, first in enumerate(single):
        together = first
        for following in single[start + 1 : start + _WINDOW]:
            if not _follows(first, following):
                break
            together += following
            yield together


def _joins(text: str, texts: Collection[str]) -> bool:
    """Whether a text is two others, one after the other."""
    places = [match.start() for match in re.finditer(" ", text)]
    return any(text[:place] in texts and text[place + 1 :] in texts for place in places)


def _follows(first: Passage, other: Passage) -> bool:
    one, two = first.statement, other.statement
    return (
        not first.alone
        and not other.alone
        and first.document == other.document
        and one.slide == two.slide
        and one.context == two.context != ""
        and " | " not in one.text + two.text
        and min(len(one.text.split()), len(two.text.split())) >= _LEAST_WORDS
    )
