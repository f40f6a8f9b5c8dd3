"""Questions made by program: a sentence with one of its terms left out, or a sentence or table
without one of its numbers.

Sentences that define a term come first. The wrong options are other terms of the same document
that could stand in its place: as many words, plural or not, name or phrase. A noun phrase of one to
three words follows an article or another determiner and ends before a word that cannot belong to
it; a name has a capital letter within a sentence. The rules know English.

The wrong options of a number are numbers of the same document, of the same kind and unit and of a
plausible size. If it has too few, counts of other things and values near the right one take their
place.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Literal

from decklab.core.results import by_key
from decklab.documents.knowledge import KnowledgeBase, Number
from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import SCALES, UNITS, DecimalMark, StatedNumber, decimal_mark
from decklab.documents.retrieval import search_words
from decklab.documents.sections import document_sections
from decklab.evals.judges.meaning import word_set
from decklab.evals.judges.quiz.amounts import SPELLED, facts_in, same_kind, same_values
from decklab.evals.judges.quiz.bank import BLANK, ClozeQuestion, blanked
from decklab.evals.judges.quiz.statements import SourceSentence

_SPELLED = re.compile(r"\b([a-zäöüß]{3,7})\s(?=[a-zäöüA-Z][\w-]{3,})")
_SPELLED_WEIGHT = 0.4
_ASKED = frozenset({"percent", "money", "count", "year", "date", "range"})
_SCALE_WORDS = "|".join(sorted((re.escape(word) for word in SCALES), key=len, reverse=True))
_NUMERAL = re.compile(rf"[-−]?\d[\d.,'’\u00a0\u2009\u202f]*(?:\s(?:{_SCALE_WORDS})\b)?")
_NAMED = re.compile(
    r"(?:(?<=[a-z,;] )[A-Z][\w-]*|\b(?:type|phase|grade|level|day|case|group|step|class|order|"
    r"model|option|stage|test|set|study|block|item|trial|line))\s$"
)
"""Words whose name a number after them belongs to."""
_RATIO = 20.0
_NEAREST = 8
_YEARS_APART = 60
_FACTORS = (0.5, 0.75, 1.25, 1.5, 2.0)
_MOST_ROWS, _MOST_LABEL = 30, 60
"""How far wrong options are from the right one, how many are drawn from; size of tables. Ours."""
_WEIGHTS = {"percent": 1.3, "money": 1.3, "range": 1.0, "count": 1.0, "date": 1.0, "year": 0.9}
"""Words that readers of a document look for first. Ours."""
_Wrong = tuple[str, str, str]
"""Three wrong options."""


def number_questions(
    sentences: Sequence[SourceSentence], sources: KnowledgeBase, random: Random
) -> list[ClozeQuestion]:
    """One for every number of the sentences that can be asked for."""
    marks = {document.name: _mark(document) for document in sources.documents}
    facts = (number for number in sources.numbers if number.is_fact)
    known = by_key(facts, lambda number: number.document)
    questions: list[ClozeQuestion] = []
    for sentence in sentences:
        own = known.get(sentence.document, [])
        questions += _numbers_of_sentence(sentence, marks[sentence.document], own, random)
        questions += _of_words(sentence, random)
    return questions


def _mark(document: Document) -> DecimalMark:
    return decimal_mark("\n".join(block.text for block in document.blocks))


def _numbers_of_sentence(
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
        if (wrong := _wrong_options(item, right, known, others, random)) is not None:
            yield _asked(sentence, (start, end), right, wrong, _WEIGHTS[item.kind])


def _asked(
    sentence: SourceSentence, span: tuple[int, int], right: str, wrong: _Wrong, weight: float
) -> ClozeQuestion:
    """The question for what is left out of a sentence, which weighs so much of its importance."""
    stands = sentence.quote, sentence.document, sentence.page, sentence.section
    question = blanked(sentence.text, *span)
    return ClozeQuestion(question, right, wrong, *stands, sentence.importance * weight)


def _of_words(sentence: SourceSentence, random: Random) -> Iterator[ClozeQuestion]:
    """Of the one number in words that says how many there are; the wrong ones are near it."""
    spelled = product(_SPELLED.finditer(sentence.text), SPELLED)
    matches = [(match, numbers) for match, numbers in spelled if match[1] in numbers]
    if len(matches) != 1:
        return
    ((match, numbers),) = matches
    index = numbers.index(match[1])
    near = [*numbers[max(0, index - 3) : index], *numbers[index + 1 : index + 4]]
    first, second, third = random.sample(near, 3)
    yield _asked(sentence, match.span(1), match[1], (first, second, third), _SPELLED_WEIGHT)


def _worth_asking(item: StatedNumber) -> bool:
    """Whether a number says something: no small count, and none of nothing but digits."""
    if item.kind not in _ASKED or not item.values:
        return False
    value = item.values[0]
    whole = value == int(value)
    return item.kind != "count" or not whole or abs(value) > (2 if item.unit else 9)


def _answer_span(text: str, item: StatedNumber) -> tuple[int, int]:
    """The part left out: the number with its unit, but without a word that it counts."""
    numeral = _NUMERAL.match(text, item.start)
    if item.kind == "count" and item.unit not in UNITS and numeral:
        return item.start, item.start + len(numeral.group().rstrip(".,'’ "))
    return item.start, item.end


def _wrong_options(
    item: StatedNumber, right: str, known: Sequence[Number],
    others: Sequence[StatedNumber], random: Random,
) -> _Wrong | None:  # fmt: skip
    """Three numbers of the document that are not the right one; None if it has none at all."""
    options = _drawn(item, right, known, others, random, alike=True)
    if item.kind == "count" and item.unit not in UNITS and len(options) < 3:
        more = _drawn(item, right, known, others, random, alike=False)
        options += [text for text in more if text not in options]
    if not options:
        return None
    options += [text for text in _near(item, right, random) if text not in options]
    return (options[0], options[1], options[2]) if len(options) >= 3 else None


def _drawn(
    item: StatedNumber, right: str, known: Sequence[Number],
    others: Sequence[StatedNumber], random: Random, *, alike: bool,
) -> list[str]:  # fmt: skip
    """Up to three options of the document, drawn among those nearest in size."""
    options: dict[tuple[float, ...], str] = {}
    for number in known:
        other = StatedNumber(number.kind, number.values, number.unit, 0, len(number.text))
        taken = any(same_values(other, option) for option in (item, *others))
        fits = same_kind(item, other) and bool(other.unit) == bool(item.unit)
        if not alike:
            fits = other.kind == item.kind and other.unit not in UNITS
        if taken or not fits or not _plausible(item, other):
            continue
        start, end = _answer_span(number.text, other)
        if (text := number.text[start:end]) and _written_alike(right, text):
            options.setdefault(tuple(number.values), text)
    nearest = sorted(options, key=lambda values: (_distance(item.values[0], values[0]), values))
    chosen = random.sample(nearest[:_NEAREST], min(3, len(nearest)))
    return [options[values] for values in chosen]


def _plausible(item: StatedNumber, other: StatedNumber) -> bool:
    value, two = item.values[0], other.values[0]
    if item.kind in {"year", "date"}:
        return abs(value - two) <= _YEARS_APART
    if item.kind == "count" and (value == int(value)) != (two == int(two)):
        return False
    return (value > 0) == (two > 0) and value != 0 and two != 0 and _distance(value, two) <= _RATIO


def _distance(first: float, two: float) -> float:
    """How many times one is larger than the other."""
    if not first or not two:
        return math.inf
    ratio = abs(first / two)
    return max(ratio, 1 / ratio)


def _written_alike(right: str, other: str) -> bool:
    """Whether two options look alike: signs, letters, whole numbers or fractions."""
    shape = [re.sub(r"[\d.,'’\s]", "", text).casefold()[:1] for text in (right, other)]
    return bool(shape[0]) == bool(shape[1]) and len(other) <= len(right) + 12


def _near(item: StatedNumber, right: str, random: Random) -> list[str]:
    """Values near the right one, written as it is; none of dates and ranges."""
    numeral = _NUMERAL.search(right)
    if item.kind in {"date", "range"} or numeral is None:
        return []
    if (written := re.match(r"[-−]?\d[\d.,'’]*\d|\d", numeral.group())) is None:
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
    texts = [
        f"{near:{mark}.{decimals}f}" for near in made if near not in {value, 0} and near <= most
    ]
    return list(dict.fromkeys(texts))


# Tables ----------------------------------------------------------------------------------------


def table_questions(sources: KnowledgeBase, random: Random) -> list[ClozeQuestion]:
    """One for each cell with a number of tables that have a header and were read for certain."""
    questions: list[ClozeQuestion] = []
    for document in sources.documents:
        sections = [part for part in document_sections(document) if not part.is_apparatus]
        for section, block in ((part, block) for part in sections for block in part.blocks):
            if block.kind == "table" and block.index is not None:
                table = document.tables[block.index]
                questions += _of_table(table, section.heading, _mark(document), random)
    return questions


def _of_table(
    table: DocumentTable, heading: str, decimal: DecimalMark, random: Random
) -> Iterator[ClozeQuestion]:
    head, body = table.rows[:1], table.rows[1:]
    if not table.native or table.header_rows != 1 or not 2 <= len(body) <= _MOST_ROWS:
        return
    name = table.caption or heading
    for row in body:
        label = row[0].strip()
        if sum(char.isalpha() for char in label) < 3 or len(label) > _MOST_LABEL:
            continue
        for at, cell in enumerate(row[1:], start=1):
            column = head[0][at].strip()
            others = [line[at] for line in body] + list(row[1:])
            wrong = _other_cells(cell, others, decimal, random)
            if wrong and column and len(column) <= _MOST_LABEL and row.count(cell) == 1:
                asked = f"{name[:80]}: {label} / {column} = {BLANK}"
                stands = " ".join(row), table.document, table.page, heading
                yield ClozeQuestion(asked, cell, wrong, *stands, 0.0)


def _other_cells(
    cell: str, others: Sequence[str], decimal: DecimalMark, random: Random
) -> _Wrong | None:
    """Three other numbers of the same column or row; None if there are not so many."""
    own = facts_in(cell, decimal)
    if len(own) != 1 or own[0].end - own[0].start < len(cell.strip()):
        return None
    cells: dict[tuple[float, ...], str] = {}
    for other in others:
        numbers = facts_in(other, decimal)
        if len(numbers) == 1 and numbers[0].kind == own[0].kind:
            cells.setdefault(tuple(numbers[0].values), other.strip())
    cells.pop(tuple(own[0].values), None)
    if len(cells) < 3:
        return None
    first, second, third = random.sample(sorted(cells.values()), 3)
    return first, second, third


_DETERMINERS = word_set(
    "the a an each every its their our your no another any some several many most"
)
_SINGULAR = word_set("a an another each every")
_ENDS = word_set(
    "of in on at to for and or with by from that which who whose is are was were be been has "
    "have had can could will would may might must should shall does do did not as than if when "
    "where while because but so into onto over under between within without through during "
    "until since after before about against per via also only both such like unlike using based "
    "given then there it we you they he she i this these those its their our your a an the used "
    "called"
)
_NO_TERMS = word_set(
    "first second third last next same other following way case cases example examples number "
    "user users fact kind kinds type lot set part parts thing things point one ones use above "
    "below rest end time times result results section chapter paper document page others reader "
    "author authors more few little own new most least many figure table left right previous "
    "current default simple usual different various certain whole entire main purpose "
    "possibility idea reason aim goal need order form sense total variety range latter former "
    "presence absence lack fewest north south east west basic best better worst good bad large "
    "small high low given appropriate detail details aspect "
    "aspects step steps overview ways advantage choice"
)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_MOST_WORDS = 3
_DEFINES = re.compile(
    r"^(?P<article>(?:The|An?)\s)?(?P<term>[^\W_][\w-]*(?:\s[\w-]+){0,2}?)\s"
    r"(?:(?:is|are)\s(?:an?|the|one of|defined as|called|known as)|refers? to|means|denotes?|"
    r"describes?|stands? for|consists? of|provides?|implements?|allows?|ensures?|enables?|"
    r"supports?)\s"
)


@dataclass(frozen=True)
class Term:
    """A term where it stands: ``text[start:end]``; its article, and whether it is defined there."""

    text: str
    start: int
    end: int
    article: str = ""
    defined: bool = False

    @property
    def shape(self) -> tuple[Literal["name", "phrase"], int, bool, bool]:
        """Traits that another term has to share with it to stand in its place: name or phrase,
        words, plural, and whether "an" would stand before it where "a" or "an" does."""
        words = self.text.split()
        kind: Literal["name", "phrase"] = "phrase" if self.text.islower() else "name"
        vowel = self.text[0].lower() in "aeiou" if self.article.lower() in {"a", "an"} else False
        return kind, len(words), _is_plural(words[-1]), vowel

    @property
    def key(self) -> str:
        """The term as it is counted and compared."""
        return self.text if self.shape[0] == "name" else self.text.casefold()


def terms_in(text: str) -> list[Term]:
    """The terms of a sentence from left to right, that it defines first; none twice.

    >>> [term.text for term in terms_in("Power goes to the crane; a rail link opens in Oslo.")]
    ['crane', 'Oslo']
    >>> terms_in("A berth is a place for one ship.")[0].defined
    True
    """
    terms: dict[tuple[int, int], Term] = {}
    for term in (*_defined(text), *_phrases(text), *_names(text)):
        overlaps = any(term.start < end and start < term.end for start, end in terms)
        if not overlaps and text[term.end : term.end + 1] not in {"'", "’", "-"}:
            terms[term.start, term.end] = term
    counted = Counter(term.key.casefold() for term in terms.values())
    return [
        term
        for term in terms.values()
        if counted[term.key.casefold()] == 1
        and len(re.findall(f"(?<!\\w){re.escape(term.text)}(?!\\w)", text, re.IGNORECASE)) == 1
    ]


def term_counts(texts: Iterable[str]) -> Counter[Term]:
    """How often each term stands in some sentences; places are left out of the terms."""
    counts: Counter[Term] = Counter()
    for text in texts:
        counts.update(Term(term.text, 0, 0) for term in terms_in(text))
    return counts


def _defined(text: str) -> Iterator[Term]:
    """The subject of a sentence that says what it is or does."""
    if (match := _DEFINES.match(text)) is None:
        return
    words = match["term"].split()
    if words[0].lower() in _ENDS | _DETERMINERS | {"there", "here", "what"} or _dull(words):
        return
    if any(word.lower() in _ENDS for word in words):
        return
    term = match["term"]
    first, rest = term[:1], term[1:]
    is_name = match["article"] is None and len(words) == 1 and not rest.islower()
    shown = term if is_name or not rest.islower() else first.lower() + rest
    yield Term(shown, *match.span("term"), (match["article"] or "").strip(), defined=True)


def _phrases(text: str) -> Iterator[Term]:
    """Noun phrases after a determiner, in small letters."""
    tokens = list(_TOKEN.finditer(text))
    for index, token in enumerate(tokens):
        if token.group().lower() not in _DETERMINERS:
            continue
        phrase = []
        for following in tokens[index + 1 : index + 2 + _MOST_WORDS]:
            if not (word := following.group())[0].isalpha() or word.lower() in _ENDS:
                break
            phrase.append(following)
        words = [item.group() for item in phrase]
        if words and token.group().lower() in _SINGULAR and _is_plural(words[-1]):
            continue  # its last word is a verb
        if 1 <= len(words) <= _MOST_WORDS and all(map(str.islower, words)) and not _dull(words):
            yield Term(" ".join(words), phrase[0].start(), phrase[-1].end(), token.group())


def _names(text: str) -> Iterator[Term]:
    """Words with a capital letter within the sentence, up to three in a row."""
    pattern = r"(?<=[a-zäöüß,;] )[A-Z][\w-]{2,}(?: [A-Z][\w-]+){0,2}(?!\w)"
    for match in re.finditer(pattern, text):
        before = text[: match.start()].split()[-1:]
        follows_name = any(word[0].isupper() for word in before)
        if not follows_name and not any(char.isdigit() for char in match.group()):
            yield Term(match.group(), *match.span())


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "is", "us"))


def _dull(words: list[str]) -> bool:
    """Whether a phrase names nothing in particular, or ends in what is no noun."""
    last = words[-1].lower()
    return last in _NO_TERMS or len(last) < 4 or last.endswith(("ly", "ing", "ed"))


_DEFINED_WEIGHT = 2.0
_OFTEN = 2
_FEW = 60
_DRAWN_FROM = 12
_OTHER_WEIGHT = 0.8
_NAME_WEIGHT = 0.5
"""All ours: how much more a definition says, how often a term has to occur, below how many terms a
document is short, how many terms wrong options are drawn from, how much less a second term of a
sentence says, and a name, which is often that of an author."""


def term_questions(sentences: Sequence[SourceSentence], random: Random) -> list[ClozeQuestion]:
    """One for every term of the sentences that three others could stand in the place of."""
    return [
        question
        for own in by_key(sentences, lambda sentence: sentence.document).values()
        for terms in [_Terms(term_counts(sentence.text for sentence in own))]
        for sentence in own
        for question in _of_sentence(sentence, terms, random)
    ]


class _Terms:
    """The terms of one document, the most frequent first."""

    def __init__(self, counts: Counter[Term]) -> None:
        self.counts = counts
        self.least = 1 if len(counts) <= _FEW else _OFTEN
        self.ranked = [
            (term, frozenset(search_words(term.text)))
            for term, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0].text))
            if self.is_term(term)
        ]

    def often(self, term: Term) -> int:
        """How often a term stands in the document by itself."""
        return self.counts.get(Term(term.text, 0, 0), 0)

    def is_term(self, term: Term) -> bool:
        """Whether it occurs often enough to be one. Several words have to come together twice; a
        single one of a short document once."""
        return self.often(term) >= (_OFTEN if " " in term.text else self.least)

    def reduced(self, term: Term) -> Term:
        """A phrase that is no term as the term that it begins with: its last word may be a verb."""
        words = term.text.split()
        if self.is_term(term) or term.defined:
            return term
        for count in range(len(words) - 1, 0, -1):
            text = " ".join(words[:count])
            shorter = replace(term, text=text, end=term.start + len(text))
            if self.is_term(shorter):
                return shorter
        return term


def _of_sentence(
    sentence: SourceSentence, known: _Terms, random: Random
) -> Iterator[ClozeQuestion]:
    """One for each term that can be asked for, the best first; the others weigh less."""
    text = sentence.text
    terms = [known.reduced(term) for term in terms_in(text)]
    ranked = sorted(terms, key=lambda term: (not term.defined, -known.often(term), term.start))
    weight = 1.0
    for term in ranked:
        wrong = _wrong_terms(term, text, known, random)
        if wrong is None or not (known.is_term(term) or _is_named(term)):
            continue
        stated = weight * (_DEFINED_WEIGHT if term.defined else 1.0)
        stated *= _NAME_WEIGHT if term.shape[0] == "name" and not term.defined else 1.0
        weight *= _OTHER_WEIGHT
        yield _asked(sentence, (term.start, term.end), term.text, wrong, stated)


def _is_named(term: Term) -> bool:
    """Whether a defined term looks like one: with an article, of two words, or a name."""
    return term.defined and (bool(term.article) or " " in term.text or term.shape[0] == "name")


def _wrong_terms(term: Term, text: str, known: _Terms, random: Random) -> _Wrong | None:
    """Three terms of the document that the sentence does not have; the more frequent ones first."""
    said = set(search_words(text))
    shape = term.shape
    fitting = [
        other.text
        for other, words in known.ranked
        if not said & words and replace(other, article=term.article).shape == shape
    ]
    if len(fitting) < 3:
        return None
    first, second, third = random.sample(fitting[:_DRAWN_FROM], 3)
    return first, second, third
