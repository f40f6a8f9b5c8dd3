"""Numbers that no source states but that follow from it: their formulas, notes of them, and proof.

A formula has numbers as the source writes them, ``+ - * /`` and parentheses, or takes the cells of
a table: ``sum("Sales", "Region" = "North", "Date" month != "2024-03")`` and ``mean(...)`` of the
rows that meet all conditions. ``sum("Sales") by "Region", "Date" month`` stands for the sums of all
groups. Cells are those of ``table_columns``, which leaves total rows out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, get_args

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.documents.numbers import DecimalMark, parse_numbers
from decklab.documents.table_columns import HEADING_SCALES, TableColumn, TableColumns, table_columns
from decklab.documents.table_times import Grain

_WORDS: Final = {
    "en": "Computed", "de": "Berechnet", "fr": "Calculé", "es": "Calculado", "it": "Calcolato",
    "pt": "Calculado", "nl": "Berekend", "ar": "محسوب", "zh": "计算",
}  # fmt: skip
_MARKS: Final = {
    "de": (".", ","), "es": (".", ","), "it": (".", ","), "pt": (".", ","), "nl": (".", ","),
    "fr": ("\u202f", ","),
}  # fmt: skip
"""The marks of thousands and of decimals; of other languages those of English."""
_LONGEST_FORMULA: Final = 4_000
_DEEPEST: Final = 20
_THOUSANDS = re.compile(r"\d\.\d{3}(?!\d)")
_NOTE = re.compile(rf"(?:{'|'.join(set(_WORDS.values()))}): (.+?) = (.+)\Z")
_GROUPS = re.compile(r"(sum|mean)\((\"[^\"]*\")\) by (.+)\Z")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d.,'’\u00a0\u202f\u2009 ]*\d|\d)|(?P<text>\"[^\"]*\")"
    r"|(?P<word>[a-z]+)|(?P<sign>!=|[-+*/()=,]))"
)


@dataclass(frozen=True)
class Computed:
    """A number that stands in no source but follows from it.

    ``text`` is the number as shown ("40 %"); of sums by group it names these. ``where`` is the
    place in the document: a table with rows and column, or the words that hold the numbers.
    """

    text: str
    formula: str
    document: str
    where: str


@dataclass(frozen=True)
class Condition:
    """Rows whose cell in a column, or whose coarser time there, is (or is not) a label."""

    column: str
    label: str
    grain: Grain | None = None
    equal: bool = True

    @property
    def text(self) -> str:
        """As a formula has it."""
        grain = f" {self.grain}" if self.grain else ""
        sign = "=" if self.equal else "!="
        return f"{quoted_name(self.column)}{grain} {sign} {quoted_name(self.label)}"

    def rows(self, table: TableColumns) -> list[bool]:
        """For each row whether it is meant; raises KeyError if the table has no such column."""
        labels = labels_within(column_of(table, self.column), self.grain)
        wanted = quoted_name(self.label)
        return [(quoted_name(label) == wanted) == self.equal for label in labels]


def quoted_name(name: str) -> str:
    """A heading or label as formulas have it."""
    return '"' + " ".join(name.replace('"', "'").split()) + '"'


COUNT_HEADING: Final = "#"
"""Stands in formulas for a column with 1 in each row."""


def count_column(table: TableColumns, name: str) -> TableColumn:
    """A column that counts the rows of a table."""
    ones = ("1",) * table.rows
    return TableColumn(COUNT_HEADING, name, "count", ones, values=(1,) * table.rows)


def column_of(table: TableColumns, heading: str) -> TableColumn:
    """The column with a heading; raises KeyError if there is none."""
    if heading == COUNT_HEADING:
        return count_column(table, heading)
    wanted = quoted_name(heading)
    for column in table.columns:
        if quoted_name(column.heading) == wanted:
            return column
    raise KeyError(heading)


def labels_within(column: TableColumn, grain: Grain | None) -> list[str]:
    """The cells of a column, as the coarser times that they lie in if ``grain`` names one."""
    if grain is None or not column.times:
        return list(column.texts)
    return [time.within(grain).text if time else "" for time in column.times]


def gathered(values: Sequence[float], how: str) -> float:
    """The sum of some values without the binary noise of decimals, or their mean to four digits."""
    total = sum(values)
    return round(total, 10) if how == "sum" else float(f"{total / len(values):.4g}")


def computed_note(computed: Computed, language: str) -> str:
    """A computed number in one line of notes, which ``computed_notes`` reads back.

    >>> computed_note(Computed("40 %", "1,930 / 4,812", "report.md", "table 2"), "en")
    'Computed: 40 % = 1,930 / 4,812 (report.md, table 2)'
    """
    word = _WORDS.get(language.partition("-")[0], _WORDS["en"])
    where = " ".join(computed.where.split())
    return f"{word}: {computed.text} = {computed.formula} ({computed.document}, {where})"


def computed_notes(notes: str, documents: Sequence[str]) -> Iterator[Computed]:
    """The computed numbers that notes name, of documents with these names."""
    for line in notes.splitlines():
        match = _NOTE.match(line.strip())
        places = [
            (match[2].rindex(f" ({name}, "), name)
            for name in documents
            if match and f" ({name}, " in match[2] and match[2].endswith(")")
        ]
        if match and places:
            at, name = max(places)
            where = match[2][at + len(name) + 4 : -1]
            yield Computed(match[1], match[2][:at], name, where)


def number_text(value: float, language: str = "en") -> str:
    """A number as a language writes it, with at most two decimals.

    >>> number_text(1930.0), number_text(1930.5, "de"), number_text(0.12345), number_text(-4.0)
    ('1,930', '1.930,5', '0.12', '-4')
    """
    decimals = 0 if abs(value) >= 1000 and value != int(value) else 1 if abs(value) >= 100 else 2
    if 0 < abs(value) < 0.1:
        decimals = 4
    if abs(value) >= 1000 and abs(value) < 100_000:
        decimals = 1
    text = f"{value:,.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    thousands, decimal = _MARKS.get(language.partition("-")[0], (",", "."))
    return text.replace(",", "\0").replace(".", decimal).replace("\0", thousands)


class Proof:
    """Evaluates formulas with the numbers and tables of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def values(self, computed: Computed) -> tuple[float, ...]:
        """The values of a computed number that its formula gives; none if it does not.

        Of one number the value of its text; of sums by group those of all groups.
        """
        if groups := _GROUPS.match(computed.formula):
            return tuple(self._groups(groups))
        marks: tuple[DecimalMark, ...] = (".", ",")
        for mark, written in product(marks, marks):
            shown = parse_numbers(_plain_minus(computed.text), decimal=mark)
            value = self._value(computed.formula, written)
            if len(shown) != 1 or len(shown[0].values) != 1 or value is None:
                continue
            if re.search(rf"[1-9]\d{{0,2}}{re.escape(mark)}\d\d0(?!\d)", computed.text):
                continue  # 277,000 is no 277
            number = shown[0].values[0]
            factor = 100.0 if shown[0].unit == "%" else 1.0
            exact = [value * factor * stated for stated in (1.0, *self._factors)]
            for scale in (1.0, *_scales(computed.text)):
                near = (exact[0], *(one / scale for one in exact))
                if any(is_rounded(number / scale, one, computed.text, mark) for one in near):
                    return shown[0].values
        return ()

    def _value(self, formula: str, decimal: DecimalMark) -> float | None:
        if len(formula) > _LONGEST_FORMULA:
            return None
        try:
            tables = [table for table in self._tables if table.decimal == decimal]
            return _Reader(formula, decimal, self._known, tables or self._tables).whole()
        except (KeyError, ValueError, ZeroDivisionError, OverflowError):
            return None

    def _groups(self, match: re.Match[str]) -> Iterator[float]:
        keys = re.findall(r"(\"[^\"]*\")(?: ([a-z]+))?", match[3])
        for table in self._tables:
            try:
                column = column_of(table, match[2].strip('"'))
                labels = [
                    labels_within(column_of(table, name.strip('"')), _grain(grain))
                    for name, grain in keys
                ]
            except (KeyError, ValueError):
                continue
            groups: dict[tuple[str, ...], list[float]] = {}
            for key, value in zip(zip(*labels, strict=True), column.values, strict=False):
                if value is not None:
                    groups.setdefault(key, []).append(value)
            yield from (gathered(values, match[1]) for values in groups.values())

    @cached_property
    def _tables(self) -> list[TableColumns]:
        return list(_readings(self._document))

    @cached_property
    def _factors(self) -> frozenset[float]:
        """The factors that headings of the document's tables name."""
        columns = (column for table in self._tables for column in table.columns)
        return frozenset(column.scale for column in columns) - {1.0}

    @cached_property
    def _known(self) -> frozenset[float]:
        own = KnowledgeBase((self._document,)).values
        return frozenset(round(abs(value), 10) for value in (*own, *_values_of(self._tables)))


def _readings(document: Document) -> Iterator[TableColumns]:
    """The tables of a document whose columns can be told; twice if 1.234 may be thousands."""
    for table in document.tables:
        marks: tuple[DecimalMark, ...] = (".", ",") if _THOUSANDS.search(table.text) else (".",)
        read = [found for mark in marks if (found := table_columns(table, mark))]
        yield from read[: 2 if len({found.decimal for found in read}) > 1 else 1]


def table_values(document: Document) -> frozenset[float]:
    """The numbers of a document's tables, with and without the factors that headings name."""
    return frozenset(_values_of(list(_readings(document))))


def _values_of(tables: Sequence[TableColumns]) -> Iterator[float]:
    for table in tables:
        for column in table.columns:
            known = [value for value in column.values if value is not None]
            yield from known
            if column.scale != 1.0:
                yield from (round(value * column.scale, 6) for value in known)


def is_rounded(shown: float, exact: float, text: str, decimal: DecimalMark = ".") -> bool:
    """Whether a number as shown is an exact value rounded to the decimals that its text has."""
    found = re.search(rf"\d{re.escape(decimal)}(\d+)(?!.*\d{re.escape(decimal)}\d)", text)
    found = found or re.search(r"\d[.,](\d{1,2})(?![.,]?\d)", text)  # no thousands either way
    decimals = len(found[1]) if found else 0
    return abs(shown - exact) <= 0.5 * 10.0**-decimals + 1e-9 * max(1.0, abs(exact))


def _scales(text: str) -> list[float]:
    """The factors that words of a text name: a table in million EUR holds 13.8, not 13,800,000."""
    return [HEADING_SCALES[word] for word in text.split() if word in HEADING_SCALES]


def _plain_minus(text: str) -> str:
    return text.replace("−", "-")


def _grain(word: str) -> Grain | None:
    for grain in get_args(Grain):
        if grain == word:
            return grain  # type: ignore[no-any-return]
    if word:
        raise ValueError(word)
    return None


class _Reader:
    """Reads a formula from left to right and evaluates it."""

    def __init__(
        self, formula: str, decimal: DecimalMark, known: frozenset[float],
        tables: Sequence[TableColumns],
    ) -> None:  # fmt: skip
        self._tokens = list(_tokens(formula))
        self._at = 0
        self._decimal, self._known, self._tables = decimal, known, tables

    def whole(self) -> float:
        value = self._sum(0)
        if self._at < len(self._tokens):
            raise ValueError("something follows the formula")
        return value

    def _sum(self, depth: int) -> float:
        if depth > _DEEPEST:
            raise ValueError("too deep")
        value = self._product(depth)
        while sign := self._taken("+", "-"):
            value += self._product(depth) * (1 if sign == "+" else -1)
        return value

    def _product(self, depth: int) -> float:
        value = self._factor(depth)
        while sign := self._taken("*", "/"):
            other = self._factor(depth)
            value = value * other if sign == "*" else value / other
        return value

    def _factor(self, depth: int) -> float:
        if self._taken("-"):
            return -self._factor(depth + 1)
        if self._taken("("):
            value = self._sum(depth + 1)
            self._need(")")
            return value
        kind, text = self._next()
        if kind == "word" and text in ("sum", "mean"):
            return self._call(text)
        if kind != "number":
            raise ValueError(f"{text!r} is no number")
        return self._numeral(text)

    def _numeral(self, text: str) -> float:
        found = parse_numbers(text, decimal=self._decimal)
        if len(found) != 1 or len(found[0].values) != 1:
            raise ValueError(f"{text!r} is no number")
        value = found[0].values[0]
        if round(abs(value), 10) not in self._known:
            raise ValueError(f"{text} is not in the source")
        return value

    def _call(self, how: str) -> float:
        self._need("(")
        column = self._text()
        conditions = []
        while self._taken(","):
            name, word = self._text(), self._word()
            sign = self._taken("=", "!=")
            if not sign:
                raise ValueError("a condition has = or !=")
            conditions.append(Condition(name, self._text(), _grain(word), sign == "="))
        self._need(")")
        for table in self._tables:
            try:
                return table_result(table, how, column, conditions)
            except KeyError:
                continue
        raise KeyError(column)

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise ValueError("the formula ends early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _taken(self, *signs: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in [("sign", s) for s in signs]:
            return self._next()[1]
        return ""

    def _need(self, sign: str) -> None:
        if not self._taken(sign):
            raise ValueError(f"{sign} is missing")

    def _text(self) -> str:
        kind, text = self._next()
        if kind != "text":
            raise ValueError(f"{text!r} is no name")
        return text.strip('"')

    def _word(self) -> str:
        kind, _ = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        return self._next()[1] if kind == "word" else ""


def table_result(
    table: TableColumns, how: str, column: str, conditions: Sequence[Condition]
) -> float:
    """The sum or mean of a column over the rows that meet all conditions.

    Raises KeyError if the table has no such columns or no such rows.
    """
    meant = [condition.rows(table) for condition in conditions]
    values = column_of(table, column).values
    kept = [
        value
        for at, value in enumerate(values)
        if value is not None and all(rows[at] for rows in meant)
    ]
    if not kept:
        raise KeyError(column)
    return gathered(kept, how)


def _tokens(formula: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(formula):
        match = _TOKEN.match(formula, at)
        if match is None:
            if formula[at:].strip():
                raise ValueError(f"unknown sign at {formula[at : at + 10]!r}")
            return
        at = match.end()
        yield next((kind, text) for kind, text in match.groupdict().items() if text)


def founded_values(notes: Sequence[str], sources: KnowledgeBase) -> frozenset[float]:
    """The values of the computed numbers in some notes whose formulas give them again."""
    documents = {document.name: document for document in sources.documents}
    proofs: dict[str, Proof] = {}
    found: set[float] = set()
    for text in notes:
        for item in computed_notes(text, list(documents)):
            proof = proofs.setdefault(item.document, Proof(documents[item.document]))
            found.update(proof.values(item))
    return frozenset(found)
