"""Whether a deck says what a source says, and a source what a deck says: by meaning as far as a
program can tell it.

Concepts count by how rare they are; numbers have to agree in kind, value and unit, measures
converted; what is denied, or said by its opposite, contradicts. The numbers of a table say
something of its rows and columns, which is put in sentences.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, pairwise, product, starmap
from typing import Final, Literal, TypeVar

from decklab.documents.computed import Proof, computed_notes
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning import Clause, in_digits, proper_names
from decklab.evals.judges.quiz.amounts import (
    BEGIN,
    RISE,
    Amount,
    Meaning,
    facts_in,
    in_unit_of,
    meaning_of_text,
    number_with_unit,
    same_factor,
    same_kind,
    same_number,
    single_numbers,
)
from decklab.evals.judges.quiz.statements import DeckStatement, deck_statements
from decklab.evals.judges.scenario.shown_deck import (
    Passages,
    StatedDeck,
    StatedPassage,
    numbered_names,
    passage_of,
)
from decklab.evals.judges.scenario.task import AnnotatedItem, ScenarioItem

PERIOD: Final = re.compile(r"(?:1[5-9]|20)\d\d|Q[1-4](?:\s\d{4})?")
"""A year or quarter, as the label of a row or the head of a column."""
_MOST_SUMMED: Final = 8
_MOST_COLUMNS: Final = 6
"""Rows whose sums are worked out, two together and all; columns that are compared. Ours."""
_THAN: Final = frozenset(("than",))
_AS: Final = frozenset(("as",))
_TOGETHER: Final = frozenset(
    ("together", "combined", "altogether", "total", "sum", "both", "all", "overall", "add")
)

_T = TypeVar("_T")
Fact = tuple[frozenset[str], str]
"""Words of which a claim has one to mean it, and the sentence."""
_Cell = tuple[str, str, float]
"""The label of its row, its words, its value."""


def table_facts(table: DocumentTable) -> Iterator[Fact]:
    """Which rows have most and least, what two have together, how columns change from period to
    period, and how many times as many of one thing there are as of another."""
    head, rows = table.rows[0], table.rows[table.header_rows :]
    for column, name in enumerate(head[1:], start=1):
        cells = (_cell(row, column, name) for row in rows if column < len(row))
        known = [cell for cell in cells if cell is not None]
        if len(known) == len(rows) and len(known) > 1:
            yield from _ranked(name, known)
            yield from _summed(name, known)
            yield from _changed(name, known)
    for row in rows:
        columns = list(enumerate(head[1:], start=1))[: len(row) - 1]
        named = [(name, _cell(row, column, name)) for column, name in columns]
        stated = [(name, cell) for name, cell in named if cell is not None]
        yield from _in_row(row[0], stated[:_MOST_COLUMNS])


def _cell(row: Sequence[str], column: int, name: str) -> _Cell | None:
    """A cell that states one number, with the unit of its column; None for any other."""
    if (with_unit := number_with_unit(row[column], name)) is not None:
        written = f"{with_unit.values[0]:.15g} {with_unit.unit}".strip()
        return row[0], written, with_unit.values[0]
    amounts = meaning_of_text(row[column]).amounts
    return (row[0], row[column], amounts[0].readings[0].values[0]) if len(amounts) == 1 else None


def _ranked(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    order = sorted(cells, key=lambda cell: cell[2])
    low, high = order[0], order[-1]
    if order[-2][2] < high[2]:
        yield frozenset(), f"{high[0]} has the highest {name}, {high[1]}"
    if order[1][2] > low[2]:
        yield frozenset(), f"{low[0]} has the lowest {name}, {low[1]}"
    for less, more in combinations(order, 2):
        if less[2] < more[2]:
            yield _THAN, f"{more[0]} has a higher {name}, {more[1]}, than {less[0]}, {less[1]}"


def _summed(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    if len(cells) > _MOST_SUMMED:
        return
    for cell, other in combinations(cells, 2):
        yield _TOGETHER, f"{cell[0]} and {other[0]} together have {_sum(cell, other)} {name}"
    yield _TOGETHER, f"All together have {_sum(*cells)} {name}"


def _sum(*cells: _Cell) -> str:
    """The sum of cells, written as the first is."""
    total = f"{round(sum(cell[2] for cell in cells), 9):.15g}"
    return re.sub(r"\d[\d.,\s]*(?:thousand|million|billion)?", f"{total} ", cells[0][1], count=1)


def _changed(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    if all(PERIOD.fullmatch(cell[0]) for cell in cells):
        for before, after in _followed(cells):
            yield from _change(name, before, after)


def _in_row(label: str, cells: Sequence[tuple[str, _Cell]]) -> Iterator[Fact]:
    if len(cells) > 1 and all(PERIOD.fullmatch(name) for name, _ in cells):
        for (first, before), (last, after) in _followed(cells):
            yield from _change(label, (first, before[1], before[2]), (last, after[1], after[2]))
        return
    for part, other in combinations(cells, 2):
        for (name, cell), (beside, of) in ((part, other), (other, part)):
            if cell[2] > 0 and of[2] > 0:
                yield _AS, f"{label} has {cell[2] / of[2]:.4g} times as many {name} as {beside}"


def _followed(cells: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Neighbours, and the first with the last."""
    yield from pairwise(cells)
    if len(cells) > 2:
        yield cells[0], cells[-1]


def _change(name: str, before: _Cell, after: _Cell) -> Iterator[Fact]:
    if before[2] != after[2]:
        verb = "rose" if after[2] > before[2] else "fell"
        yield (
            frozenset(),
            f"{name} {verb} from {before[1]} ({before[0]}) to {after[1]} ({after[0]})",
        )


FULL: Final = 0.6
PART: Final = 0.35
"""Share of a fact's concepts, weighted, from which a statement says it, or some of it. Ours;
docs/scenario.md says what other values give."""
SUPPORTED: Final = 0.7
"""Share of a claim's concepts, weighted, that the sentences of a source have to have. Ours."""
ROW: Final = 0.45
"""The same for the row of a table whose label the claim has. Ours."""
_SLACK: Final = 0.06
_MOST_ROWS: Final = 30
_AN_EXCEPTION: Final = 2
"""How much nearer a sentence may come that contradicts; rows of tables that are compared with each
other; concepts of a clause that is an exception. Ours."""

_LISTED: Final = re.compile(r"[,;]\s+(?:and\s+|und\s+)?")
_PART_WORDS: Final = 2
"""Separators of the parts of a claim that lists several; words of each. Ours."""

Verdict = Literal["supported", "contradicted", "not stated"]


@dataclass(frozen=True)
class Said:
    """How far a deck says a fact: 0 not, 0.5 in part, 1 in full; where, and what is missing."""

    state: float
    slide: int | None
    evidence: str

    def item(self, wanted: AnnotatedItem, text: str) -> ScenarioItem:
        """It as the item of an annotation that is told as ``text``."""
        return ScenarioItem(wanted.id, text, self.state, wanted.weight, self.evidence, self.slide)


@dataclass(frozen=True)
class _Held:
    """How far a passage bears out what a text says."""

    numbers: int
    """How many of its amounts and factors it has."""
    of: int
    other: str
    """The words that it has in place of one of them; empty for none."""
    denied: bool
    """Whether it says the opposite."""

    @property
    def whole(self) -> bool:
        """Whether it has all of them and denies nothing."""
        return self.numbers == self.of and not self.denied


def _held(wanted: Meaning, passage: Meaning) -> _Held:
    held, other = 0, ""
    changes = [part for part in wanted.amounts if part.is_change]
    theirs = list(_changes(passage))
    for amount in wanted.amounts:
        same = partial(same_factor, about=bool(amount.bound))
        met = amount.is_change and any(starmap(same, product(wanted.factors, theirs)))
        if met or _stated(amount, wanted, passage):
            held += 1
        elif amount.is_change and theirs:
            other = other or _other_factor(wanted, passage)
        else:
            other = other or _other_number(amount, passage)
    plain = [] if changes else [part for part in wanted.factors if not _is_stated(part, wanted)]
    for factor in plain:
        if any(same_factor(factor, change) for change in theirs):
            held += 1
        elif theirs:
            other = other or _other_factor(wanted, passage)
    of = len(wanted.amounts) + len(plain)
    worked_out = any(_is_year(part) and _by_span(part, passage) for part in wanted.amounts)
    but = BEGIN if worked_out else frozenset()
    denied = _denied(wanted.clauses, passage.clauses, but) or _other_way(wanted, passage)
    return _Held(held, of, other, denied)


def _other_way(wanted: Meaning, passage: Meaning) -> bool:
    """Whether a text says that something rose which fell over the years, or the reverse."""
    if passage.change is None or passage.change == 1:
        return False
    sign = 1 if passage.change > 1 else -1
    return any(clause.signs.get(RISE) == -sign for clause in wanted.clauses)


def _stated(amount: Amount, wanted: Meaning, passage: Meaning) -> bool:
    """Whether a passage has an amount, or it follows from those that it has.

    Of a year and a span of years the year that follows is meant where the text speaks of what the
    span is beside, as of an end after a beginning, and not of what the year is beside.
    """
    if _is_year(amount) and passage.years_after:
        years = [part for part in passage.amounts if _is_year(part)]
        spans = [part for part in passage.amounts if part.is_span]
        beside = frozenset().union(*(span.near for span in spans))
        there = frozenset().union(*(year.near for year in years))
        ended = {name for part in wanted.clauses for name in BEGIN if part.signs.get(name) == -1}
        if amount.near & (beside - there) or ended & there:
            return _by_span(amount, passage)
    return any(amount.allows(part) for part in (*_meant(amount, passage), *passage.derived))


def _is_year(amount: Amount) -> bool:
    return amount.readings[-1].kind == "year"


def _by_span(amount: Amount, passage: Meaning) -> bool:
    return any(amount.allows(amount_of_passage) for amount_of_passage in passage.years_after)


def _other_factor(wanted: Meaning, passage: Meaning) -> str:
    ours = f"times {wanted.factors[0]:.3g}" if wanted.factors else "another change"
    return f"it says {ours}, the source times {_changes(passage)[0]:.3g}"


def _changes(passage: Meaning) -> tuple[float, ...]:
    """By what a passage says that something was multiplied, or its numbers of two years do."""
    return (*passage.factors, *(() if passage.change is None else (passage.change,)))


def _is_stated(factor: float, meaning: Meaning) -> bool:
    """Whether a factor is that of two amounts which are stated themselves, as "from 3 to 6"."""
    values = [part.readings[0].values[0] for part in meaning.amounts if part.readings[0].values]
    return any(a and same_factor(b / a, factor) for a, b in combinations(values, 2))


def _denied(
    wanted: Sequence[Clause], stated: Sequence[Clause], but: frozenset[str] = frozenset()
) -> bool:
    """Whether the clauses nearest to each other say the opposite, but of some concepts."""
    wanted, stated = ([clause_of.without(but) for clause_of in many] for many in (wanted, stated))
    for clause in wanted:
        nearest = max(stated, key=lambda clause_of: _common(clause, clause_of), default=None)
        near = nearest is not None and 2 * _common(clause, nearest) >= len(clause.signs)
        if nearest is not None and near and clause.denies(nearest):
            return True
        if any(_excepted(clause_of, clause) for clause_of in stated):
            return True
    return False


def _excepted(stated: Clause, wanted: Clause) -> bool:
    """Whether a short clause, such as "but not batteries", takes out what another says of it."""
    few = len(stated.signs) <= _AN_EXCEPTION and stated.signs.keys() <= wanted.signs.keys()
    return few and -1 in stated.signs.values() and wanted.denies(stated)


def _common(first: Clause, second: Clause) -> int:
    return len(first.signs.keys() & second.signs.keys())


def _meant(amount: Amount, passage: Meaning) -> Sequence[Amount]:
    """The amounts of a passage that may be meant; of a row, those of the named columns."""
    if not passage.is_row or not passage.amounts:
        return passage.amounts
    shared = frozenset.intersection(*(other.near for other in passage.amounts))
    named = [other for other in passage.amounts if (other.near - shared) & amount.near]
    return named or passage.amounts


def _other_number(claimed: Amount, passage: Meaning) -> str:
    ours = claimed.readings[-1]
    stated = _meant(claimed, passage)
    if ours.kind == "percent" and not any(fact.readings[-1].kind == "percent" for fact in stated):
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
    note = f"nearest: {_shown(nearest[0][1].statement)}" if nearest else "no slide shares its words"
    best = Said(0.0, None, note)
    for share, passage in nearest:
        if share < PART:
            break
        held = _held(wanted, passage.meaning)
        if share >= FULL and held.whole and names <= passage.names:
            return Said(1.0, passage.statement.slide, _shown(passage.statement))
        if best.state == 0 and not held.denied and (held.numbers or not held.of or share >= FULL):
            missing = f" (numbers: {held.numbers} of {held.of})" if held.numbers < held.of else ""
            best = Said(0.5, passage.statement.slide, f"{_shown(passage.statement)}{missing}")
    return _by_slide(wanted, deck) or best if best.state == 0 else best


def _by_slide(wanted: Meaning, deck: StatedDeck) -> Said | None:
    """In part, where the statements of one slide have it together."""
    slides: dict[int | None, StatedPassage] = {}
    for passage in deck.passages.single:
        slide = passage.statement.slide
        slides[slide] = slides[slide] + passage if slide in slides else passage
    for slide, whole in slides.items():
        held = _held(wanted, whole.meaning)
        if deck.passages.share(wanted, whole) >= FULL and held.numbers == held.of:
            return Said(0.5, slide, f"spread over slide {slide}")
    return None


def _shown(statement: DeckStatement) -> str:
    slide = "" if statement.slide is None else f"slide {statement.slide}: "
    return f"{slide}{statement.text[:160]}"


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
        source = f"{self.document}{page}: {self.quote[:160]}" if self.document else ""
        return "; ".join(part for part in (self.reason, source) if part)


class SourceStatements:
    """Statements of some documents: sentences, the rows of tables, and what follows from
    columns."""

    def __init__(self, sources: KnowledgeBase) -> None:
        self._sources = sources
        self._proofs: dict[str, Proof] = {}

    @cached_property
    def _passages(self) -> Passages:
        documents = self._sources.documents
        return Passages([item for each in documents for item in (*_sentences(each), *_rows(each))])

    def support(self, claim: DeckStatement, notes: str = "") -> Support:
        """Whether the sources say a claim: in one place, or each of the parts that it lists.

        A part has two words or more beside its numbers; what the parts share is not repeated, so
        each has to stand for itself. A number that ``notes`` of its slide compute from numbers of
        a source, by a formula that gives it again, needs no place of its own.
        """
        support = self._as_listed(claim)
        rest = "" if support.supported else self.without_computed(claim.text, notes)
        if support.supported or rest == claim.text:
            return support
        if not search_words(rest):
            return Support("supported", reason="computed in the notes from numbers of a source")
        return self._as_listed(replace(claim, text=rest))

    def without_computed(self, text: str, notes: str) -> str:
        """A text without the numbers that notes compute from numbers of a source."""
        known = list(self._computed(notes))
        for number in reversed(list(facts_in(text)) if known else []):
            if any(same_number(number, other) for other in known):
                text = text[: number.start].rstrip("+-−–") + text[number.end :]
        return " ".join(text.split())

    def _computed(self, notes: str) -> Iterator[StatedNumber]:
        """The numbers that notes compute by formulas which give them again."""
        documents = {document.name: document for document in self._sources.documents}
        for item in computed_notes(notes, list(documents)):
            if item.document not in self._proofs:
                self._proofs[item.document] = Proof(documents[item.document])
            values = self._proofs[item.document].values(item)
            if (shown := single_numbers(facts_in(item.text))) and values:
                yield from shown
            else:  # sums by group
                yield from (fact for value in values for fact in facts_in(f"{value:.10g}"))

    def _as_listed(self, claim: DeckStatement) -> Support:
        support = self._supported(claim)
        parts = [replace(claim, text=part) for part in _LISTED.split(claim.text)]
        if support.verdict != "not stated" or len(parts) == 1:
            return support
        if any(len(part.words_beside_numbers) < _PART_WORDS for part in parts):
            return support
        proofs = [self._supported(part) for part in parts]
        return proofs[0] if all(proof.supported for proof in proofs) else support

    def _supported(self, claim: DeckStatement) -> Support:
        """Whether a sentence, up to three that follow each other, or a row of a table say a claim.

        They have most of the claim's concepts, and all of its numbers and of its names with a
        number. Where they have the concepts, and deny the claim or have another number of the same
        kind and unit, it is contradicted, unless others as near bear it out.
        """
        wanted = passage_of(claim).meaning
        names = numbered_names(claim.words) | proper_names(in_digits(claim.text))
        words = frozenset(re.findall(r"\w+", in_digits(claim.text).casefold()))
        nearest = self._passages.ranked(wanted)
        near = [pair for pair in nearest if _comes_near(*pair, words)]
        against: tuple[float, StatedPassage, str] | None = None
        for share, passage in near:
            if against and share < against[0] - _SLACK:
                break
            if passage.asks and not passage.asks & words:
                continue
            if not names <= passage.names | passage.words:
                instead = _in_place_of(names - passage.names - passage.words, claim.text, passage)
                if instead and against is None:
                    against = share, passage, instead
                continue
            if (held := _held(wanted, passage.meaning)).whole:
                return _support("supported", passage)
            if (other := "it says the opposite" if held.denied else held.other) and against is None:
                against = share, passage, other
        if against:
            return _support("contradicted", *against[1:])
        if near and any(names <= passage.names | passage.words for _, passage in near):
            return _support("not stated", near[0][1], "no source has its numbers there")
        if near:
            missing = ", ".join(sorted(names))
            return _support("not stated", near[0][1], f"no source has {missing} there")
        if not nearest:
            return Support("not stated", reason="no source shares its words")
        return _support("not stated", nearest[0][1], "no source says it; nearest")


def _comes_near(share: float, passage: StatedPassage, words: frozenset[str]) -> bool:
    """Whether a passage is about a claim; a table's row, if the claim names it."""
    return share >= (ROW if passage.label and passage.label <= words else SUPPORTED)


def _in_place_of(missing: set[str], claim: str, passage: StatedPassage) -> str:
    """The name that a passage has in place of a missing one, in words; else empty."""
    if len(missing) != 1:
        return ""
    (name,) = missing
    if (lead := re.search(rf"\b({_PLACING})\s+{re.escape(name)}\b", claim, re.IGNORECASE)) is None:
        return ""
    other = re.search(rf"\b{lead[1]}\s+([A-Z][a-z]+)\b", passage.statement.text)
    if other is None or other[1].casefold() in claim.casefold():
        return ""
    return f"it says {lead[0]}, the source {other[0]}"


_PLACING: Final = "in|at|from|to|near|by"


def _support(verdict: Verdict, passage: StatedPassage, reason: str = "") -> Support:
    statement = passage.statement
    return Support(verdict, passage.document, statement.slide, statement.text, reason)


def _sentences(document: Document) -> Iterator[StatedPassage]:
    for statement in deck_statements(document).statements:
        yield passage_of(statement, document.name)


def _rows(document: Document) -> Iterator[StatedPassage]:
    """The rows of tables, each whole, and what the numbers of their columns say of them."""
    for table in document.tables:
        head = table.rows[0] if table.header_rows else ()
        around = f"{head[0] if head else ''} {table.caption}".strip()

        def stated(
            text: str, context: str = around, page: int | None = table.page
        ) -> StatedPassage:
            statement = DeckStatement(page, text, context)
            return replace(passage_of(statement, document.name), alone=True)

        for row in table.rows[table.header_rows :]:
            label = frozenset(re.findall(r"\w+", row[0].casefold()))
            cells = [
                replace(stated(" | ".join((row[0], column, cell))), label=label)
                for column, cell in zip(head[1:], row[1:], strict=False)
            ]
            if all(PERIOD.fullmatch(column) for column in head[1:]):
                yield from cells  # what holds for one period does not for another
            elif cells:
                whole = sum(cells[1:], cells[0])
                yield replace(whole, meaning=replace(whole.meaning, is_row=True))
        if head and len(table.rows) <= _MOST_ROWS:
            for asks, text in table_facts(table):
                yield replace(stated(text), asks=asks)


def _written(number: StatedNumber) -> str:
    values = " to ".join(f"{value:.15g}" for value in number.values)
    return f"{values} {number.unit}".strip()
