"""Whether a deck says what a source says, and a source what a deck says: by words and numbers.

Words count by how rare they are; numbers have to agree in kind, value and unit. What is said in
other words is not seen.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.quantities import facts_in, same_kind, same_number, single_numbers
from decklab.evals.judges.quiz.statements import DeckStatement, DeckStatements, deck_statements
from decklab.evals.judges.scenario.shown_deck import StatedDeck

FULL: Final = 0.6
PART: Final = 0.35
"""Share of a fact's words, weighted, from which a statement says it, or some of it. Ours;
docs/scenario.md says what other values give."""
SUPPORTED: Final = 0.55
"""Share of a claim's words, weighted, that the sentence of a source has to have. Ours."""


Readings = Sequence[tuple[StatedNumber, ...]]
"""Numbers one by one, each with all that it may mean."""
_NAME: Final = re.compile(r"[^\W\d]+\d")
_ALONE: Final = re.compile(r"(?<!\w)\d[\d.,]*(?!\w)")


def without_numbers(text: str) -> str:
    """A text without the numbers that stand alone: these are compared by value, not as words.

    >>> without_numbers("Q3 brought 4,200,000 euros in 2025.")
    'Q3 brought   euros in  '
    """
    return _ALONE.sub(" ", text)


def numbered_names(words: Iterable[str]) -> set[str]:
    """Words that are names with a number, such as lme4, Q3 or CO2: they stand as they are, or
    something else is meant.

    >>> sorted(numbered_names(["lme4", "12", "3d", "q3", "ships"]))
    ['lme4', 'q3']
    """
    return {word for word in words if _NAME.match(word)}


def _names_held(names: set[str], statement: DeckStatement) -> bool:
    return names <= statement.words | statement.around


def _fits(text: str, statements: DeckStatements) -> list[float]:
    """How much of a text each statement has: of all its words, or of those that are no numbers,
    whichever is more, so that a number in other digits costs nothing and one in the same helps."""
    both = (statements.fits(text), statements.fits(without_numbers(text)))
    return [max(pair) for pair in zip(*both, strict=True)]


@dataclass(frozen=True)
class Said:
    """How far a deck says a fact: 0 not, 0.5 in part, 1 in full; where, and what is missing."""

    state: float
    slide: int | None
    evidence: str


def said_in(fact: str, deck: StatedDeck) -> Said:
    """How far a deck says a fact.

    In full where one statement has most of its words and all of its numbers and names; in part
    where it has some of the words and one of the numbers, or most of the words and other numbers,
    or where a whole slide has them. Coverage is recall: wrong numbers are counted by faithfulness.
    """
    statements = deck.statements.statements
    if not statements:
        return Said(0.0, None, "the deck states nothing")
    numbers = [(one,) for one in single_numbers(facts_in(fact))]
    names = numbered_names(search_words(fact))
    fits = _fits(fact, deck.statements)
    ranked = sorted(range(len(fits)), key=lambda place: -fits[place])
    best = Said(0.0, None, f"nearest: {_shown(statements[ranked[0]])}")
    for place in ranked:
        if fits[place] < PART:
            break
        one = statements[place]
        held = _held(numbers, one.readings)
        if fits[place] >= FULL and held == len(numbers) and _names_held(names, one):
            return Said(1.0, one.slide, _shown(one))
        if best.state == 0 and (held or not numbers or fits[place] >= FULL):
            missing = f" (numbers: {held} of {len(numbers)})" if held < len(numbers) else ""
            best = Said(0.5, one.slide, f"{_shown(one)}{missing}")
    if best.state == 0:
        return _by_slide(fact, numbers, deck) or best
    return best


def _by_slide(fact: str, numbers: Readings, deck: StatedDeck) -> Said | None:
    """In part, where the statements of one slide have it together."""
    for slide, statements in deck.by_slide.items():
        whole = DeckStatement(slide, " ".join(one.text for one in statements))
        stated = [readings for one in statements for readings in one.readings]
        if deck.statements.fit(without_numbers(fact), whole) >= FULL and _held(
            numbers, stated
        ) == len(numbers):
            return Said(0.5, slide, f"spread over slide {slide}")
    return None


def _held(wanted: Readings, stated: Readings) -> int:
    """How many numbers are among others, in one of their meanings."""
    return sum(_is_among(readings, stated) for readings in wanted)


def _is_among(readings: tuple[StatedNumber, ...], stated: Readings) -> bool:
    return any(same_number(one, other) for one in readings for many in stated for other in many)


def _shown(statement: DeckStatement) -> str:
    place = "" if statement.slide is None else f"slide {statement.slide}: "
    return f"{place}{statement.text[:160]}"


@dataclass(frozen=True)
class Support:
    """Whether sources say a claim, with their words, or why it counts as unsupported."""

    supported: bool
    document: str = ""
    page: int | None = None
    quote: str = ""
    reason: str = ""

    @property
    def evidence(self) -> str:
        """The reason and the words in a line."""
        page = "" if self.page is None else f", page {self.page}"
        place = f"{self.document}{page}: {self.quote[:160]}" if self.document else ""
        return "; ".join(part for part in (self.reason, place) if part)


class SourceStatements:
    """What some documents state: sentences, pairs that follow each other, three cells of a row."""

    def __init__(self, sources: KnowledgeBase) -> None:
        self._found: list[DeckStatement] = []
        self._documents: list[str] = []
        for document in sources.documents:
            own = deck_statements(document).statements
            pairs = [
                DeckStatement(one.slide, f"{one.text} {other.text}", one.context)
                for one, other in pairwise(own)
                if one.context == other.context and one.context
            ]
            cells = [
                DeckStatement(one.slide, " ".join(part.text for part in three), one.context)
                for three in zip(own, own[1:], own[2:], strict=False)
                if (one := three[0]).context and all(_of_row(part, one) for part in three)
            ]
            self._found += [*own, *pairs, *cells]
            self._documents += [document.name] * (len(own) + len(pairs) + len(cells))

    @cached_property
    def _statements(self) -> DeckStatements:
        return DeckStatements(self._found)

    def support(self, claim: DeckStatement) -> Support:
        """Whether a sentence, or two that follow each other, say a claim of a deck.

        They have most of the claim's words, and all of its numbers and of its names with a number.
        Where they have the words, and another number of the same kind and unit, the claim is
        contradicted.
        """
        fits = _fits(claim.text, self._statements)
        ranked = sorted(range(len(fits)), key=lambda place: -fits[place])
        words = [place for place in ranked if fits[place] >= SUPPORTED]
        names = numbered_names(claim.words)
        near = [place for place in words if _names_held(names, self._found[place])]
        for place in near:
            if _held(claim.readings, self._found[place].readings) == len(claim.readings):
                return self._at(place, "", supported=True)
        for place in near:
            other = _other_number(claim.readings, self._found[place].readings)
            if other:
                return self._at(place, other)
        if near:
            return self._at(near[0], "no source has its numbers there")
        if words:
            return self._at(words[0], f"no source has {', '.join(sorted(names))} there")
        if not ranked or fits[ranked[0]] == 0:
            return Support(False, reason="no source shares its words")
        return self._at(ranked[0], "no source says it; nearest")

    def _at(self, place: int, reason: str, *, supported: bool = False) -> Support:
        one = self._found[place]
        return Support(supported, self._documents[place], one.slide, one.text, reason)


def _of_row(cell: DeckStatement, other: DeckStatement) -> bool:
    """Whether two cells of a table stand in one row, as ``Energy | 2023 | 6.4``."""
    name, bar, _ = cell.text.partition(" | ")
    return bool(bar) and name == other.text.partition(" | ")[0] and cell.context == other.context


def _other_number(claimed: Readings, stated: Readings) -> str:
    for readings in claimed:
        if _is_among(readings, stated):
            continue
        for other in (other for many in stated for other in many):
            if same_kind(readings[-1], other):
                return f"it says {_written(readings[-1])}, the source {_written(other)}"
    return ""


def _written(number: StatedNumber) -> str:
    values = " to ".join(f"{value:.15g}" for value in number.values)
    return f"{values} {number.unit}".strip()
