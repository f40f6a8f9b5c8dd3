"""What a deck states, piece by piece, and how well a piece fits a question.

A statement fits by the words that it shares with the question, rare ones counting more; the title
of its slide counts too. Whether it holds an option is decided by words, and for numbers by kind,
value and unit.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.documents.sections import DocumentSection, document_sections
from decklab.documents.sentences import sentences
from decklab.evals.judges.quiz.amounts import (
    facts_in,
    number_with_unit,
    same_number,
    single_numbers,
)
from decklab.evals.judges.quiz.bank import BLANK, QuizQuestion

_SEVERAL = re.compile(r"[.!?][”\")]?\s+\S")
_BAR = " | "
_CONTEXT = 0.5
FIGURE_WORDS = 3
_BY_TITLE = 0.8
_MOST_WORDS = 0.75
"""What parts sentences. The numbers are ours: how much words of a slide's title count beside its
statements' own; words of a text that is a number in large type; how much an option counts that
only the title holds; the share of its words that a longer option must have."""
_ASKING = frozenset(
    search_words(
        "how much many what which when where who whom whose why did do does following true "
        "according document report best describes statement"
    )
)
"""Words of questions that statements do not have."""
_OF_EACH = frozenset(("each", "apiece", "jeweils"))


@dataclass(frozen=True)
class DeckStatement:
    """A piece of a slide: a title, a point, a sentence, or a cell with its row and column."""

    slide: int | None
    text: str
    context: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Its own words, as they are compared."""
        return frozenset(search_words(self.text))

    @cached_property
    def around(self) -> frozenset[str]:
        """The words of the title above it."""
        return frozenset(search_words(self.context)) - self.words

    @cached_property
    def numbers(self) -> tuple[StatedNumber, ...]:
        """The numbers that it states."""
        return tuple(facts_in(self.text))

    @cached_property
    def words_beside_numbers(self) -> frozenset[str]:
        """Its words without its numbers, their units, what has a digit, and "each" of these."""
        rest = list(self.text)
        for one in self.numbers:
            rest[one.start : one.end] = " " * (one.end - one.start)
        words = search_words("".join(rest))
        beside = frozenset(word for word in words if not any(char.isdigit() for char in word))
        return beside - _OF_EACH

    @cached_property
    def readings(self) -> tuple[tuple[StatedNumber, ...], ...]:
        """What each of its numbers may mean, both ends of a range apart: a bare number of a cell
        also has the unit of its row or column."""
        row, first, rest = self.text.partition(_BAR)
        column, second, cell = rest.partition(_BAR)
        numbers = single_numbers(self.numbers)
        with_unit = [
            one for head in (column, row) if first and second
            if (one := number_with_unit(cell, head)) is not None
        ]  # fmt: skip
        place = len(self.text) - len(cell)
        return tuple(
            (one, *with_unit) if with_unit and one.start >= place else (one,) for one in numbers
        )


class DeckStatements:
    """All statements of a deck, and how rare their words are."""

    def __init__(self, statements: Sequence[DeckStatement]) -> None:
        self.statements = tuple(statements)
        self._counts = Counter(word for one in statements for word in (*one.words, *one.around))

    def fit(self, question: str, statement: DeckStatement) -> float:
        """How much of a question a statement has, 0 to 1: the share of its words' weights."""
        wanted = set(search_words(question.replace(BLANK, " "))) - _ASKING
        return self._share({word: self._weight(word) for word in wanted}, statement)

    def fits(self, question: str) -> list[float]:
        """The fit of every statement, in their order."""
        wanted = set(search_words(question.replace(BLANK, " "))) - _ASKING
        weights = {word: self._weight(word) for word in wanted}
        return [self._share(weights, statement) for statement in self.statements]

    def _share(self, weights: Mapping[str, float], statement: DeckStatement) -> float:
        total = sum(weights.values())
        if not total:
            return 0.0
        own = sum(weights[word] for word in weights.keys() & statement.words)
        near = sum(weights[word] for word in weights.keys() & statement.around)
        return (own + _CONTEXT * near) / total

    def holding(self, question: QuizQuestion, option: str) -> Iterator[tuple[float, DeckStatement]]:
        """The statements that hold an option of a question, each with how well it fits."""
        meant = meaning_of(question, option)
        for statement in self.statements:
            share = meant.held_by(statement)
            if share:
                yield share * self.fit(question.question, statement), statement

    def best_fit(self, question: QuizQuestion, option: str) -> float:
        """The fit of the best statement that holds an option; 0 where none does."""
        return max((fit for fit, _ in self.holding(question, option)), default=0.0)

    def _weight(self, word: str) -> float:
        return math.log(1 + (1 + len(self.statements)) / (0.5 + self._counts[word]))


@dataclass(frozen=True)
class OptionMeaning:
    """What a statement must have to hold an option: its numbers, and its words that do not stand in
    the question. ``asked`` are the numbers that the question states itself."""

    numbers: tuple[StatedNumber, ...]
    words: frozenset[str]
    asked: tuple[StatedNumber, ...]

    def held_by(self, statement: DeckStatement) -> float:
        """1 where a statement has all numbers and most of the words, less where it takes the title
        of the slide for the words, 0 where it does not hold them."""
        if not self.numbers and not self.words:
            return 0.0
        left = _without(statement.numbers, self.asked) if self.numbers else []
        if not all(any(same_number(one, other) for other in left) for one in self.numbers):
            return 0.0
        if self._most(statement.words):
            return 1.0
        return _BY_TITLE if self._most(statement.words | statement.around) else 0.0

    def _most(self, words: frozenset[str]) -> bool:
        least = len(self.words) if len(self.words) <= 2 else _MOST_WORDS * len(self.words)
        return len(self.words & words) >= least


def meaning_of(question: QuizQuestion, option: str) -> OptionMeaning:
    """An option as its question means it: a number has the unit that follows the blank."""
    asked = question.question
    start = asked.find(BLANK)
    own = facts_in(option)
    numbers = own
    if start >= 0:
        inside = range(start, start + len(option))
        numbers = [item for item in facts_in(question.filled(option)) if item.start in inside]
    rest = option
    for item in own:
        rest = rest[: item.start] + " " * (item.end - item.start) + rest[item.end :]
    open_words = asked.replace(BLANK, " ")
    spare = set(search_words(open_words)) if start < 0 else set[str]()
    words = frozenset(search_words(rest)) - spare
    return OptionMeaning(tuple(numbers), words, tuple(facts_in(open_words)))


def _without(numbers: Sequence[StatedNumber], asked: Sequence[StatedNumber]) -> list[StatedNumber]:
    """Numbers of a statement without those that the question states itself, each once."""
    left = list(numbers)
    for one in asked:
        same = next((number for number in left if same_number(number, one)), None)
        if same is not None:
            left.remove(same)
    return left


def deck_statements(document: Document) -> DeckStatements:
    """What a deck states that was read as a document."""
    return DeckStatements(list(_stated(document)))


def _stated(document: Document) -> Iterator[DeckStatement]:
    for section in document_sections(document):
        title = section.heading
        if title:
            yield DeckStatement(section.page, title)
        for block in section.blocks:
            if block.kind == "table" and block.index is not None:
                yield from cell_statements(document.tables[block.index], title)
            else:
                several = _SEVERAL.search(block.text)
                for text in sentences(block.text) if several else [block.text]:
                    if text.strip():
                        yield DeckStatement(block.page, text, title)
        yield from _joined(section, title)


def _joined(section: DocumentSection, title: str) -> Iterator[DeckStatement]:
    """Numbers that stand alone, as in large type, with the text before and after them."""
    texts = [block for block in section.blocks if block.kind != "table" and block.text.strip()]
    for one, other in pairwise(texts):
        alone = (_is_figure(one.text), _is_figure(other.text))
        if alone[0] != alone[1] and one.page == other.page:
            yield DeckStatement(one.page, f"{one.text} {other.text}", title)


def _is_figure(text: str) -> bool:
    few = len(search_words(text)) <= FIGURE_WORDS
    return any(char.isdigit() for char in text) and (
        few or not DeckStatement(None, text).words_beside_numbers
    )


def cell_statements(table: DocumentTable, title: str) -> Iterator[DeckStatement]:
    """Each cell with the label of its row and its column."""
    head = table.rows[0] if table.header_rows else ()
    context = f"{title} {table.caption}".strip()
    for row in table.rows[table.header_rows :]:
        if len(row) < 2:
            yield DeckStatement(table.page, " ".join(row), context)
        for place, cell in enumerate(row[1:], start=1):
            column = head[place] if place < len(head) else ""
            yield DeckStatement(table.page, _BAR.join((row[0], column, cell)), context)
