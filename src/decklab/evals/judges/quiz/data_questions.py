"""Questions about numbers, made by program: a sentence or table without one of its numbers.

The wrong options are numbers of the same document, of the same kind and unit and of a plausible
size. Where it has too few, counts of other things and values near the right one take their place.
"""

import math
import re
from collections.abc import Iterator, Sequence
from random import Random

from decklab.documents.knowledge import KnowledgeBase, Number
from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import SCALES, UNITS, DecimalMark, StatedNumber, decimal_mark
from decklab.documents.sections import document_sections
from decklab.evals.judges.quiz.amounts import SPELLED, facts_in, same_kind, same_values
from decklab.evals.judges.quiz.bank import BLANK, ClozeQuestion, blanked
from decklab.evals.judges.quiz.source_sentences import SourceSentence

_SPELLED = re.compile(r"\b([a-zäöüß]{3,7})\s(?=[a-zäöüA-Z][\w-]{3,})")
_SPELLED_WEIGHT = 0.4
_ASKED = frozenset({"percent", "money", "count", "year", "date", "range"})
_SCALE_WORDS = "|".join(sorted((re.escape(word) for word in SCALES), key=len, reverse=True))
_NUMERAL = re.compile(rf"[-−]?\d[\d.,'’\u00a0\u2009\u202f]*(?:\s(?:{_SCALE_WORDS})\b)?")
_NAMED = re.compile(
    r"(?:(?<=[a-z,;] )[A-Z][\w-]*|\b(?:type|phase|grade|level|day|case|group|step|class|order|"
    r"model|option|stage|test|set|study|block|item|trial|line))\s$"
)
"""What a number after it is part of the name of."""
_RATIO = 20.0
_NEAREST = 8
_YEARS_APART = 60
_FACTORS = (0.5, 0.75, 1.25, 1.5, 2.0)
_MOST_ROWS, _MOST_LABEL = 30, 60
"""How far wrong options are from the right one, how many are drawn from; size of tables. Ours."""
_WEIGHTS = {"percent": 1.3, "money": 1.3, "range": 1.0, "count": 1.0, "date": 1.0, "year": 0.9}
"""What readers of a document look for first. Ours."""


def number_questions(
    sentences: Sequence[SourceSentence], sources: KnowledgeBase, random: Random
) -> list[ClozeQuestion]:
    """One for every number of the sentences that can be asked for."""
    marks = {document.name: _mark(document) for document in sources.documents}
    known = {document.name: _known(document.name, sources) for document in sources.documents}
    return [
        question
        for sentence in sentences
        for question in (
            *_of_sentence(sentence, marks[sentence.document], known[sentence.document], random),
            *_of_words(sentence, random),
        )
    ]


def _known(name: str, sources: KnowledgeBase) -> list[Number]:
    return [number for number in sources.numbers if number.document == name and number.is_fact]


def _mark(document: Document) -> DecimalMark:
    return decimal_mark("\n".join(block.text for block in document.blocks))


def _of_sentence(
    sentence: SourceSentence, decimal: DecimalMark, known: Sequence[Number], random: Random
) -> Iterator[ClozeQuestion]:
    text = sentence.text
    stated = facts_in(text, decimal)
    for item in stated:
        if not _worth_asking(item):
            continue
        start, end = _answer_span(text, item)
        right = text[start:end]
        others = [other for other in stated if other is not item]
        named = item.kind == "count" and _NAMED.search(text, 0, start)
        if any(same_values(item, other) for other in others) or not right or named:
            continue
        wrong = _wrong_options(item, right, known, others, random)
        if wrong is not None:
            yield ClozeQuestion(
                blanked(text, start, end), right, wrong, sentence.quote, sentence.document,
                sentence.page, sentence.section, sentence.importance * _WEIGHTS[item.kind],
            )  # fmt: skip


def _of_words(sentence: SourceSentence, random: Random) -> Iterator[ClozeQuestion]:
    """Of the one number in words that says how many there are; the wrong ones are near it."""
    found = [match for match in _SPELLED.finditer(sentence.text) if match[1] in SPELLED]
    if len(found) != 1:
        return
    (match,) = found
    place = SPELLED.index(match[1])
    near = [SPELLED[at] for at in range(max(0, place - 3), place + 4) if SPELLED[at] != match[1]]
    first, second, third = random.sample(near, 3)
    start, end = match.span(1)
    yield ClozeQuestion(
        blanked(sentence.text, start, end), match[1], (first, second, third),
        sentence.quote, sentence.document, sentence.page, sentence.section,
        sentence.importance * _SPELLED_WEIGHT,
    )  # fmt: skip


def _worth_asking(item: StatedNumber) -> bool:
    """Whether a number says something: no small count, and none of nothing but digits."""
    if item.kind not in _ASKED or not item.values:
        return False
    value = item.values[0]
    whole = value == int(value)
    return item.kind != "count" or not whole or abs(value) > (2 if item.unit else 9)


def _answer_span(text: str, item: StatedNumber) -> tuple[int, int]:
    """What is left out: the number with its unit, but without a word that it counts."""
    numeral = _NUMERAL.match(text, item.start)
    if item.kind == "count" and item.unit not in UNITS and numeral:
        return item.start, item.start + len(numeral.group().rstrip(".,'’ "))
    return item.start, item.end


def _wrong_options(
    item: StatedNumber, right: str, known: Sequence[Number],
    others: Sequence[StatedNumber], random: Random,
) -> tuple[str, str, str] | None:  # fmt: skip
    """Three numbers of the document that are not the right one; None where it has none at all."""
    found = _drawn(item, right, known, others, random, alike=True)
    if item.kind == "count" and item.unit not in UNITS and len(found) < 3:
        more = _drawn(item, right, known, others, random, alike=False)
        found += [text for text in more if text not in found]
    if not found:
        return None
    found += [text for text in _near(item, right, random) if text not in found]
    return (found[0], found[1], found[2]) if len(found) >= 3 else None


def _drawn(
    item: StatedNumber, right: str, known: Sequence[Number],
    others: Sequence[StatedNumber], random: Random, *, alike: bool,
) -> list[str]:  # fmt: skip
    """Up to three options of the document, drawn among those nearest in size."""
    options: dict[tuple[float, ...], str] = {}
    for number in known:
        other = StatedNumber(number.kind, number.values, number.unit, 0, len(number.text))
        taken = any(same_values(other, one) for one in (item, *others))
        fits = same_kind(item, other) and bool(other.unit) == bool(item.unit)
        if not alike:
            fits = other.kind == item.kind and other.unit not in UNITS
        if taken or not fits or not _plausible(item, other):
            continue
        start, end = _answer_span(number.text, other)
        text = number.text[start:end]
        if text and _written_alike(right, text):
            options.setdefault(tuple(number.values), text)
    nearest = sorted(options, key=lambda values: (_distance(item.values[0], values[0]), values))
    chosen = random.sample(nearest[:_NEAREST], min(3, len(nearest)))
    return [options[values] for values in chosen]


def _plausible(item: StatedNumber, other: StatedNumber) -> bool:
    one, two = item.values[0], other.values[0]
    if item.kind in {"year", "date"}:
        return abs(one - two) <= _YEARS_APART
    if item.kind == "count" and (one == int(one)) != (two == int(two)):
        return False
    return (one > 0) == (two > 0) and one != 0 and two != 0 and _distance(one, two) <= _RATIO


def _distance(one: float, two: float) -> float:
    """How many times one is larger than the other."""
    if not one or not two:
        return math.inf
    ratio = abs(one / two)
    return max(ratio, 1 / ratio)


def _written_alike(right: str, other: str) -> bool:
    """Whether two options look as if they answered the same question: signs and letters agree, and
    a whole number does not stand among fractions."""
    shape = [re.sub(r"[\d.,'’\s]", "", text).casefold()[:1] for text in (right, other)]
    return bool(shape[0]) == bool(shape[1]) and len(other) <= len(right) + 12


def _near(item: StatedNumber, right: str, random: Random) -> list[str]:
    """Values near the right one, written as it is; none of dates and ranges."""
    numeral = _NUMERAL.search(right)
    if item.kind in {"date", "range"} or numeral is None:
        return []
    written = re.match(r"[-−]?\d[\d.,'’]*\d|\d", numeral.group())
    if written is None:
        return []
    values = _values_near(item, written.group(), random)
    start = numeral.start()
    rest = right[start + written.end() :]
    return [right[:start] + value + rest for value in values]


def _values_near(item: StatedNumber, written: str, random: Random) -> list[str]:
    if item.kind == "year":
        steps = random.sample([-4, -3, -2, -1, 1, 2, 3, 4], 8)
        return [str(int(written) + step) for step in steps]
    decimals = len(written.rpartition(".")[2]) if re.fullmatch(r"[-−]?\d+\.\d+", written) else 0
    grouped = re.fullmatch(r"[-−]?\d{1,3}(?:,\d{3})+", written) is not None
    if not grouped and not re.fullmatch(r"\d+(?:\.\d+)?", written):
        return []
    value = float(written.replace(",", ""))
    most = 100 if item.kind == "percent" and value <= 100 else math.inf
    made = [round(value * factor, decimals) for factor in random.sample(_FACTORS, len(_FACTORS))]
    mark = "," if grouped else ""
    texts = [f"{one:{mark}.{decimals}f}" for one in made if one not in {value, 0} and one <= most]
    return list(dict.fromkeys(texts))


# Tables ----------------------------------------------------------------------------------------


def table_questions(sources: KnowledgeBase, random: Random) -> list[ClozeQuestion]:
    """One for each cell with a number of tables that have a header and were read for certain."""
    return [
        question
        for document in sources.documents
        for section in document_sections(document)
        if not section.is_apparatus
        for block in section.blocks
        if block.kind == "table" and block.index is not None
        for question in _of_table(
            document.tables[block.index], section.heading, _mark(document), random
        )
    ]


def _of_table(
    table: DocumentTable, heading: str, decimal: DecimalMark, random: Random
) -> Iterator[ClozeQuestion]:
    head, body = table.rows[:1], table.rows[1:]
    if not table.native or table.header_rows != 1 or not 2 <= len(body) <= _MOST_ROWS:
        return
    name = table.caption or heading
    for row in body:
        label = row[0].strip()
        if not _is_label(label):
            continue
        for place, cell in enumerate(row[1:], start=1):
            column = head[0][place].strip()
            others = [line[place] for line in body] + list(row[1:])
            wrong = _other_cells(cell, others, decimal, random)
            if wrong and column and len(column) <= _MOST_LABEL and row.count(cell) == 1:
                yield ClozeQuestion(
                    f"{name[:80]}: {label} / {column} = {BLANK}", cell, wrong, " ".join(row),
                    table.document, table.page, heading, 0.0,
                )  # fmt: skip


def _is_label(text: str) -> bool:
    return sum(char.isalpha() for char in text) >= 3 and len(text) <= _MOST_LABEL


def _other_cells(
    cell: str, others: Sequence[str], decimal: DecimalMark, random: Random
) -> tuple[str, str, str] | None:
    """Three other numbers of the same column or row; None where there are not so many."""
    own = facts_in(cell, decimal)
    if len(own) != 1 or own[0].end - own[0].start < len(cell.strip()):
        return None
    found: dict[tuple[float, ...], str] = {}
    for other in others:
        numbers = facts_in(other, decimal)
        if len(numbers) == 1 and numbers[0].kind == own[0].kind:
            found.setdefault(tuple(numbers[0].values), other.strip())
    found.pop(tuple(own[0].values), None)
    if len(found) < 3:
        return None
    first, second, third = random.sample(sorted(found.values()), 3)
    return first, second, third
