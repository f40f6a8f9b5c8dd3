"""Whether a deck says what a source says, and a source what a deck says: by meaning as far as a
program can tell it.

Concepts count by how rare they are; numbers have to agree in kind, value and unit, measures
converted; what is denied, or said by its opposite, contradicts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Final, Literal

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning.wording import Clause, proper_names
from decklab.evals.judges.quiz.amounts import Amount, Meaning, meaning_of_text, same_factor
from decklab.evals.judges.quiz.quantities import in_unit_of, same_kind
from decklab.evals.judges.quiz.statements import DeckStatement, deck_statements
from decklab.evals.judges.scenario.passages import Passage, Passages, numbered_names, passage_of
from decklab.evals.judges.scenario.shown_deck import StatedDeck

FULL: Final = 0.6
PART: Final = 0.35
"""Share of a fact's concepts, weighted, from which a statement says it, or some of it. Ours;
docs/scenario.md says what other values give."""
SUPPORTED: Final = 0.7
"""Share of a claim's concepts, weighted, that the sentences of a source have to have. Ours."""
_SLACK: Final = 0.06
_MOST_ROWS: Final = 30
_AN_EXCEPTION: Final = 2
"""How much nearer a sentence may come that contradicts; rows of tables that are compared with each
other; concepts of a clause that is an exception. Ours."""

Verdict = Literal["supported", "contradicted", "not stated"]


@dataclass(frozen=True)
class Said:
    """How far a deck says a fact: 0 not, 0.5 in part, 1 in full; where, and what is missing."""

    state: float
    slide: int | None
    evidence: str


@dataclass(frozen=True)
class _Held:
    """How far a passage bears out what a text says."""

    numbers: int
    """How many of its amounts and factors it has."""
    of: int
    other: str
    """What it has in place of one of them, in words; empty where it has nothing else."""
    denied: bool
    """Whether it says the opposite."""

    @property
    def whole(self) -> bool:
        """Whether it has all of them and denies nothing."""
        return self.numbers == self.of and not self.denied


def _held(wanted: Meaning, passage: Meaning) -> _Held:
    held, other = 0, ""
    changes = [one for one in wanted.amounts if one.is_change]
    for amount in wanted.amounts:
        if (
            amount.is_change
            and any(
                same_factor(ours, theirs, about=bool(amount.bound))
                for ours in wanted.factors
                for theirs in passage.factors
            )
        ) or any(amount.allows(one) for one in (*_meant(amount, passage), *passage.derived)):
            held += 1
        else:
            other = other or _other_number(amount, passage)
    plain = [] if changes else [one for one in wanted.factors if not _is_stated(one, wanted)]
    for factor in plain:
        if any(same_factor(factor, one) for one in passage.factors):
            held += 1
        elif passage.factors:
            other = other or f"it says times {factor:g}, the source times {passage.factors[0]:.3g}"
    of = len(wanted.amounts) + len(plain)
    return _Held(held, of, other, _denied(wanted.clauses, passage.clauses))


def _is_stated(factor: float, meaning: Meaning) -> bool:
    """Whether a factor is that of two amounts which are stated themselves, as "from 3 to 6"."""
    values = [one.readings[0].values[0] for one in meaning.amounts if one.readings[0].values]
    return any(a and same_factor(b / a, factor) for a, b in combinations(values, 2))


def _denied(wanted: Sequence[Clause], stated: Sequence[Clause]) -> bool:
    """Whether the clauses that come nearest to each other say the opposite."""
    for clause in wanted:
        nearest = max(stated, key=lambda one: _common(clause, one), default=None)
        near = nearest is not None and 2 * _common(clause, nearest) >= len(clause.signs)
        if nearest is not None and near and clause.denies(nearest):
            return True
        if any(_excepted(one, clause) for one in stated):
            return True
    return False


def _excepted(stated: Clause, wanted: Clause) -> bool:
    """Whether a short clause, such as "but not batteries", takes out what another says of it."""
    few = len(stated.signs) <= _AN_EXCEPTION and stated.signs.keys() <= wanted.signs.keys()
    return few and -1 in stated.signs.values() and wanted.denies(stated)


def _common(first: Clause, second: Clause) -> int:
    return len(first.signs.keys() & second.signs.keys())


def _meant(amount: Amount, passage: Meaning) -> Sequence[Amount]:
    """The amounts of a passage that one may be: of a row of a table those of the columns that the
    text names beside it, where it names any."""
    if not passage.is_row:
        return passage.amounts
    shared = frozenset.intersection(*(one.near for one in passage.amounts))
    named = [one for one in passage.amounts if (one.near - shared) & amount.near]
    return named or passage.amounts


def _other_number(claimed: Amount, passage: Meaning) -> str:
    ours = claimed.readings[-1]
    stated = _meant(claimed, passage)
    if ours.kind == "percent" and not any(one.readings[-1].kind == "percent" for one in stated):
        stated = (*stated, *passage.derived)
    for other in (other for many in stated for other in many.readings):
        if same_kind(ours, other) and ours.kind != "reference":
            return f"it says {_written(ours)}, the source {_written(in_unit_of(other, ours))}"
    return ""


def said_in(fact: str, deck: StatedDeck) -> Said:
    """How far a deck says a fact.

    In full where one statement, or several that follow each other on a slide, have most of its
    concepts and all of its numbers and names and do not deny it; in part where a statement has some
    of the concepts and one of the numbers, or most of the concepts and other numbers, or where a
    whole slide has them. Coverage is recall: wrong numbers are counted by faithfulness.
    """
    if not deck.passages.single:
        return Said(0.0, None, "the deck states nothing")
    wanted = meaning_of_text(fact)
    names = numbered_names(search_words(fact))
    nearest = deck.passages.ranked(wanted)
    told = f"nearest: {_shown(nearest[0][1].statement)}" if nearest else "no slide shares its words"
    best = Said(0.0, None, told)
    for share, one in nearest:
        if share < PART:
            break
        held = _held(wanted, one.meaning)
        if share >= FULL and held.whole and names <= one.names:
            return Said(1.0, one.statement.slide, _shown(one.statement))
        if best.state == 0 and not held.denied and (held.numbers or not held.of or share >= FULL):
            missing = f" (numbers: {held.numbers} of {held.of})" if held.numbers < held.of else ""
            best = Said(0.5, one.statement.slide, f"{_shown(one.statement)}{missing}")
    if best.state == 0:
        return _by_slide(wanted, deck) or best
    return best


def _by_slide(wanted: Meaning, deck: StatedDeck) -> Said | None:
    """In part, where the statements of one slide have it together."""
    slides: dict[int | None, Passage] = {}
    for one in deck.passages.single:
        slide = one.statement.slide
        slides[slide] = slides[slide] + one if slide in slides else one
    for slide, whole in slides.items():
        held = _held(wanted, whole.meaning)
        if deck.passages.share(wanted, whole) >= FULL and held.numbers == held.of:
            return Said(0.5, slide, f"spread over slide {slide}")
    return None


def _shown(statement: DeckStatement) -> str:
    place = "" if statement.slide is None else f"slide {statement.slide}: "
    return f"{place}{statement.text[:160]}"


@dataclass(frozen=True)
class Support:
    """Whether sources say a claim, with their words, or why it counts as unsupported."""

    verdict: Verdict
    document: str = ""
    page: int | None = None
    quote: str = ""
    reason: str = ""

    @property
    def supported(self) -> bool:
        """Whether they say it."""
        return self.verdict == "supported"

    @property
    def evidence(self) -> str:
        """The reason and the words in a line."""
        page = "" if self.page is None else f", page {self.page}"
        place = f"{self.document}{page}: {self.quote[:160]}" if self.document else ""
        return "; ".join(part for part in (self.reason, place) if part)


class SourceStatements:
    """What some documents state: sentences, the rows of tables, and what follows from columns."""

    def __init__(self, sources: KnowledgeBase) -> None:
        self._sources = sources

    @cached_property
    def _passages(self) -> Passages:
        return Passages(
            [
                passage
                for document in self._sources.documents
                for passage in (*_sentences(document), *_rows(document))
            ]
        )

    def support(self, claim: DeckStatement) -> Support:
        """Whether a sentence, up to three that follow each other, or a row of a table say a claim.

        They have most of the claim's concepts, and all of its numbers and of its names with a
        number. Where they have the concepts, and deny the claim or have another number of the same
        kind and unit, it is contradicted, unless others as near bear it out.
        """
        wanted = passage_of(claim).meaning
        names = numbered_names(claim.words) | proper_names(claim.text)
        than = " than " in f" {claim.text.casefold()} "
        nearest = self._passages.ranked(wanted)
        near = [pair for pair in nearest if pair[0] >= SUPPORTED]
        against: tuple[float, Passage, str] | None = None
        for share, one in near:
            if against and share < against[0] - _SLACK:
                break
            if one.compares and not than:
                continue
            if not names <= one.names | one.words:
                continue
            held = _held(wanted, one.meaning)
            if held.whole:
                return _support("supported", one)
            other = "it says the opposite" if held.denied else held.other
            if other and against is None:
                against = share, one, other
        if against:
            return _support("contradicted", *against[1:])
        if near and any(names <= one.names | one.words for _, one in near):
            return _support("not stated", near[0][1], "no source has its numbers there")
        if near:
            missing = ", ".join(sorted(names))
            return _support("not stated", near[0][1], f"no source has {missing} there")
        if not nearest:
            return Support("not stated", reason="no source shares its words")
        return _support("not stated", nearest[0][1], "no source says it; nearest")


def _support(verdict: Verdict, passage: Passage, reason: str = "") -> Support:
    one = passage.statement
    return Support(verdict, passage.document, one.slide, one.text, reason)


def _sentences(document: Document) -> Iterator[Passage]:
    for one in deck_statements(document).statements:
        yield passage_of(one, document.name)


def _rows(document: Document) -> Iterator[Passage]:
    """The rows of tables, each whole, and what the numbers of their columns say of them."""
    for table in document.tables:
        head = table.rows[0] if table.header_rows else ()
        around = f"{head[0] if head else ''} {table.caption}".strip()

        def stated(text: str, context: str = around, page: int | None = table.page) -> Passage:
            return passage_of(DeckStatement(page, text, context), document.name)

        for row in table.rows[table.header_rows :]:
            cells = [
                stated(" | ".join((row[0], column, cell)))
                for column, cell in zip(head[1:], row[1:], strict=False)
            ]
            if cells:
                whole = sum(cells[1:], cells[0])
                yield replace(whole, meaning=replace(whole.meaning, is_row=True))
        if len(table.rows) <= _MOST_ROWS:
            for place, column in enumerate(head[1:], start=1):
                for text in _column_facts(table, place, column):
                    yield replace(stated(text), compares=" than " in text)


def _column_facts(table: DocumentTable, place: int, column: str) -> Iterator[str]:
    """Which row has the highest and the lowest number of a column, and which of two has more."""
    rows = [row for row in table.rows[table.header_rows :] if place < len(row)]
    amounts = [(row[0], row[place], meaning_of_text(row[place]).amounts) for row in rows]
    known = sorted(
        ((found[0].readings[0].values[0], name, cell) for name, cell, found in amounts
         if len(found) == 1),
        key=lambda one: one[0],
    )  # fmt: skip
    if len(known) < 2 or len(known) < len(rows):
        return
    low, high = known[0], known[-1]
    if known[-2][0] < high[0]:
        yield f"{high[1]} has the highest {column}, {high[2]}"
    if known[1][0] > low[0]:
        yield f"{low[1]} has the lowest {column}, {low[2]}"
    for less, more in combinations(known, 2):
        if less[0] < more[0]:
            yield f"{more[1]} has a higher {column}, {more[2]}, than {less[1]}, {less[2]}"


def _written(number: StatedNumber) -> str:
    values = " to ".join(f"{value:.15g}" for value in number.values)
    return f"{values} {number.unit}".strip()
