"""Whether what a model wrote on a page stands in the evidence that it was given.

A program looks up every quote and every number, so that a model cannot invent either. A number that
no evidence states may stand on a page where its formula gives it from numbers of the evidence.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final

from decklab.board.pages.free import html_words
from decklab.documents.computed import Computed, Proof, computed_note
from decklab.documents.model import Document, DocumentTable
from decklab.documents.number_words import in_digits
from decklab.documents.numbers import parse_numbers
from decklab.documents.quotes import SearchableText
from decklab.documents.sections import Passage
from decklab.documents.table_columns import table_columns
from decklab.writer.forms import WrittenPage, WrittenPoint
from decklab.writer.outline import Evidence

_MOST_TOLD: Final = 12
"""Problems that a model is told at once."""
_LEAST_QUOTED: Final = 3
"""Words in quotation marks from which on they are a quote, not a name. Ours."""
_QUOTED = re.compile(r"[“„«\"]([^“”„«»\"]+)[”“»\"]")
_DIGITS = re.compile(r"\d[\d.,'’]*\d|\d")
_SHOWN_WHERE: Final = 60
_SPOKEN: Final = 12
"""Up to which a number in words ("three steps") states nothing that needs proof. Ours."""


@dataclass(frozen=True)
class PageEvidence:
    """Evidence for a page: numbered passages of sources, and the table that it shows."""

    passages: tuple[Passage, ...] = ()
    table: DocumentTable | None = None
    documents: Mapping[str, Document] = field(default_factory=dict, repr=False)
    """The sources by name, with whose numbers formulas are proven."""
    years: frozenset[float] = frozenset()
    """Years of the page's topic that stand in the sources: they may be said without a quote."""

    @cached_property
    def numbered(self) -> tuple[Passage, ...]:
        """The passages, then the table with all of its rows: what a quote may be of."""
        table = self.table
        if table is None:
            return self.passages
        rows = "\n".join(map("\t".join, table.rows))
        return (*self.passages, Passage(table.document, table.page, rows, table.caption))

    @property
    def lines(self) -> str:
        """A line for each, with the number that a model names it by.

        >>> PageEvidence().lines
        'none'
        """
        lines = (
            f"[{number}] ({item.document}{f', page {item.page}' if item.page else ''}) {item.quote}"
            for number, item in enumerate(self.numbered, start=1)
        )
        return "\n".join(lines) or "none"

    def at(self, number: int) -> Passage | None:
        """The evidence with a number, counted from 1."""
        return self.numbered[number - 1] if 1 <= number <= len(self.numbered) else None

    def quoted(self, quote: str, number: int) -> tuple[Evidence, ...]:
        """A quote as it stands in an outline; none if the evidence does not have it."""
        passage = self.at(number)
        if not quote or passage is None or not _holds(passage, quote):
            return ()
        return (Evidence(document=passage.document, page=passage.page, quote=quote),)

    @cached_property
    def table_values(self) -> frozenset[float]:
        """The numbers of the table, with and without the factors that its headings name."""
        if self.table is None:
            return frozenset()
        values = _values(self.table.text)
        read = table_columns(self.table, keep_totals=True)
        for column in read.columns if read else ():
            cells = [value for value in column.values if value is not None]
            values |= {*cells, *(round(value * column.scale, 6) for value in cells)}
        return frozenset(values)

    def computed(self, point: WrittenPoint, page: WrittenPage) -> Iterator[Computed]:
        """The numbers of a point, the title and the subtitle that one of the point's formulas,
        parted by semicolons, gives from numbers of its evidence."""
        passage = self.at(point.evidence)
        document = self.documents.get(passage.document) if passage else None
        if passage is None or document is None or not point.formula.strip():
            return
        where = " ".join(point.quote.split())[:_SHOWN_WHERE] or "its numbers"
        for text in (point.label, point.text, page.title, page.subtitle):
            stated = (item for item in parse_numbers(text) if item.kind != "reference")
            shown = (part for item in stated for part in _ends(text[item.start : item.end]))
            formulas = filter(None, map(str.strip, point.formula.split(";")))
            for part, formula in product(shown, formulas):
                number = Computed(part, formula, passage.document, where)
                if Proof(document).values(number):
                    yield number


def _ends(shown: str) -> Iterator[str]:
    """A number as shown, or both of a range, each with its unit.

    >>> list(_ends("22 to 24%")), list(_ends("4.60 euros"))
    (['22%', '24%'], ['4.60 euros'])
    """
    if len(numbers := _DIGITS.findall(shown)) != 2:
        yield shown
        return
    unit = shown[shown.rindex(numbers[1]) + len(numbers[1]) :]
    yield from (f"{number}{unit}" for number in numbers)


def page_problem(page: WrittenPage, evidence: PageEvidence) -> str | None:
    """All that a page's evidence does not hold, in words for the model; None if it holds all.

    Without evidence there is nothing to quote; then a number is a problem, since nobody can say
    where it is from.
    """
    problems = list(page_problems(page, evidence))
    return "; ".join(problems[:_MOST_TOLD]) or None


def page_problems(page: WrittenPage, evidence: PageEvidence) -> Iterator[str]:
    """The problems of a page, one by one."""
    if not 0 <= page.accent <= len(page.points):
        yield f"accent: there is no point {page.accent}; name one from 1, or 0 for none"
    if page.title_quote or page.title_evidence:
        yield from _quote_problem("title_quote", page.title_quote, page.title_evidence, evidence)
    for place, point in enumerate(page.points):
        if evidence.numbered:
            name = f"points.{place}.quote"
            yield from _quote_problem(name, point.quote, point.evidence, evidence)
        yield from _mark_problems(place, point, page.layout == "quote")
    yield from _number_problems(page, evidence)


def _quote_problem(name: str, quote: str, number: int, evidence: PageEvidence) -> Iterator[str]:
    passage = evidence.at(number)
    if passage is None:
        yield f"{name}: there is no evidence {number}; name one from 1 to {len(evidence.numbered)}"
    elif not _holds(passage, quote):
        yield f"{name}: evidence {number} does not have the words {quote[:120]!r}; copy its words"


def _holds(passage: Passage, quote: str) -> bool:
    return SearchableText([passage.quote]).find(quote) is not None


def _mark_problems(place: int, point: WrittenPoint, is_quote: bool) -> Iterator[str]:
    """Words that are shown as somebody's own and are not."""
    spans = [point.text] if is_quote else _QUOTED.findall(point.text)
    for span in spans:
        words = span.strip(" .“”„«»\"'")
        long = is_quote or len(words.split()) >= _LEAST_QUOTED
        if long and SearchableText([point.quote]).find(words) is None:
            yield (
                f"points.{place}.text: {words[:80]!r} is shown as a quote and does not stand in "
                "its quote: copy the words, leave out the marks, or take another layout"
            )


def _values(text: str) -> set[float]:
    """The values of the numbers of a text, in digits and in words."""
    texts = (text, in_digits(text))
    return {value for told in texts for item in parse_numbers(told) for value in item.values}


def _number_problems(page: WrittenPage, evidence: PageEvidence) -> Iterator[str]:
    known = {*evidence.table_values, *evidence.years}
    for quote in (page.title_quote, *(point.quote for point in page.points)):
        known |= _values(quote)
    for point in page.points:
        numbers = evidence.computed(point, page)
        known |= {value for number in numbers for value in _values(number.text)}
    texts = [("title", page.title), ("subtitle", page.subtitle)]
    texts += [("html", text) for text in html_words(page.html)]
    for at, point in enumerate(page.points):
        named = (("text", point.text), ("label", point.label), ("group", point.group))
        texts += [(f"points.{at}.{name}", text) for name, text in named]
    known |= {abs(value) for value in known}  # "-78 %" proves "cut by 78 %"
    for name, text in texts:
        for shown, values in _stated(text):
            if not known.issuperset(values):
                yield (
                    f"{name}: {shown!r} stands in no quote of this page, and no formula gives it: "
                    "quote it, compute it or leave it out"
                )


def _stated(text: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """The numbers that a text states, and those in words that are more than a turn of speech."""
    written = [item for item in parse_numbers(text) if item.kind != "reference"]
    yield from ((text[item.start : item.end], item.values) for item in written)
    known = {item.values for item in written}
    digits = in_digits(text)
    for item in parse_numbers(digits) if digits != text else ():
        new = item.kind != "reference" and item.values not in known
        if new and max(item.values) > _SPOKEN:
            yield digits[item.start : item.end], item.values


_NO_TITLE: Final = {
    "title": "-", "title_quote": "", "title_evidence": 0, "subtitle": "", "accent": 0, "html": "",
}  # fmt: skip


def proven_part(page: WrittenPage, evidence: PageEvidence) -> tuple[WrittenPage, list[str]]:
    """A page without the points that its evidence does not hold, and these, a line each.

    The title may still have a problem of its own.
    """
    kept: list[WrittenPoint] = []
    left_out: list[str] = []
    for point in page.points:
        alone = page.model_copy(update={**_NO_TITLE, "points": (point,)})
        problem = next(page_problems(alone, evidence), None)
        if problem is None:
            kept.append(point)
        else:
            left_out.append(f"{point.text} ({problem.removeprefix('points.0.')})")
    accent = page.accent if len(kept) == len(page.points) else 0
    return page.model_copy(update={"points": tuple(kept), "accent": accent}), left_out


def computed_lines(page: WrittenPage, evidence: PageEvidence, language: str) -> tuple[str, ...]:
    """A line of notes for every computed number of a page, from which it is proven again."""
    numbers = (number for point in page.points for number in evidence.computed(point, page))
    return tuple(dict.fromkeys(computed_note(number, language) for number in numbers))
