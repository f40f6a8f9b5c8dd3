"""Values of a table by label and series, which of these share an axis, and how they are written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import isclose
from typing import Final

from decklab.board.languages import primary_language
from decklab.documents.computed import COUNT_HEADING, Computed, gathered, number_text, quoted_name
from decklab.documents.table_columns import ColumnKind, TableColumn, TableColumns, cell_number
from decklab.documents.table_times import TimeLabel

MOST_TIMES: Final = 24
MOST_LABELS: Final = 14
MOST_SERIES: Final = 6
"""Points, bars and series that one chart shows at a readable size. Ours."""
ONE_SCALE: Final = 20.0
"""Series share an axis if their largest values differ by less. Ours."""
_UNLIKE_SCALE: Final = 5.0
"""The same of counts of different things, of which the smaller would not be seen. Ours."""
_NAME_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_RATE: Final = re.compile(r"(?:[^\W\d_]{1,4}|[€$£])\s?/\s?[^\W\d_]{1,5}")
_MANY_DECIMALS: Final = re.compile(r"\d[.,]\d{5,}")
"""Decimals that a program wrote; a title has fewer. Ours."""
_MONTHS: Final = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "es": "ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic.",
}
_ISO_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_AMOUNTS: Final = re.compile(
    r"sale|revenue|turnover|cost|spen[dt]|budget|actual|forecast|income|expens|invest|profit|fund"
    r"|donation|grant|amount|paid|saving|umsatz|umsätz|kosten|ausgabe|einnahme|budget|ertr|aufwand"
    r"|gewinn|vente|chiffre|dépense|coût|recette|ingreso|venta|gasto|coste|presupuesto|importe",
    re.IGNORECASE,
)
"""Headings of money that can be added up; fees and prices cannot."""
_LOW: Final = re.compile(
    r"\bwait|delay|\bburst|accident|incident|injur|\bloss|\bcosts?\b|expens|spend|invest|complaint|\berror|defect"
    r"|absence|fault|failure|crime|emission|leak|downtime|breakdown|\bprice|\bfees?\b|\brent\b|latency"
    r"|warte|verspät|unf[aä]ll|verlust|kosten|ausgabe|beschwerde|fehler|ausfall|ausfälle|miete|preis"
    r"|attente|retard|perte|\bcoût|dépense|plainte|erreur|panne|loyer|espera|retras|accidente"
    r"|pérdida|\bcoste|\bgasto|queja|alquiler|precio",
    re.IGNORECASE,
)
_GAINS: Final = re.compile(
    r"revenue|income|sales|profit|saving|benefit|yield|umsatz|erlös|gewinn|einnahme|ertrag|recette"
    r"|bénéfice|vente|ingreso|beneficio|venta|ahorro|\bmarks?\b"
    r"|\bpoints\b|scores?\b|rating|criteri|weighted|punkte|bewertung|gewichte|critère",
    re.IGNORECASE,
)
"""Words for amounts of which low ones are good, and for those of which high ones are."""
_LINES: Final = re.compile(
    r"\b(?:all|alle|tous|todos|net|result|balance|surplus|deficit|(?:sub-?)?total|gross)\b|saldo|ergebnis|überschuss"
    r"|fehlbetrag|zwischensumme|\bgesamt|résultat|\bsolde|excédent|resultado|superávit|déficit",
    re.IGNORECASE,
)
"""Names of lines of an account that sum up others."""
_GIVEN: Final = re.compile(
    r"revenue|income|subsid|grant|donation|fare|sales|einnahme|erlös|umsatz|zuschuss|zuschüsse"
    r"|förder|steuer|gebühr|\btax(?:es)?\b|recette|subvention|ventes|impôt|ingreso|subvenci|impuesto",
    re.IGNORECASE,
)
_TAKEN: Final = re.compile(
    r"\bcosts?\b|expens|spend|\bwages\b|salar|\brent\b|personal\b|umlage|gehälter|löhne|kosten|ausgabe|aufwand|aufwend|coût|dépense|charges|gasto|costes",
    re.IGNORECASE,
)
"""Names of lines that count for and against a result."""
PLANNED: Final = re.compile(
    r"\b(?:plan|planned|budget|actual|forecast|target|soll|ist|prognose|ansatz|prévu|réel|previsto"
    r"|real)\b",
    re.IGNORECASE,
)
"""Headings of columns that are no options but states of one thing."""
WEIGHT: Final = re.compile(
    r"weights?|weighting|gewicht(?:ung)?|poids|peso|max(?:imum)?(?:\.| points)?|máximo|höchstzahl",
    re.IGNORECASE,
)
"""Headings of what criteria count, or of the most that each can have."""
_ALTERNATIVES: Final = re.compile(
    r"options?|alternatives?|varia?nte?[ns]?|scenarios?|szenari(?:o|en)|bidders?|bids?|offers?"
    r"|tenders?|quotes?|angebote?|anbieter|bieter|offres?|soumissionnaires?|ofertas?|opci(?:ón|ones)"
    r"|licitador(?:es)?|variantes?|scénarios?|alternativas?|alternativen?",
    re.IGNORECASE,
)
"""Headings of rows of which only one comes about."""
_LABEL: Final = re.compile(
    r"^(?:table|tabelle|tab\.|tableau|tabla|cuadro|figure|fig\.|abbildung|abb\.|figura)\s*"
    r"[\w.]*\d[\w.]*\s*[:.–—-]?\s*",
    re.IGNORECASE,
)
_MOST_LINES, _LEAST_SUMMED = 40, 3
"""Rows of an account, and rows that show by their numbers that another is their sum. Ours."""
_SHOWN: Final = {
    "en": ("{part} of {all} rows: largest by {name}", "last {part} of {all}", "sums by {name}",
           "means by {name}", "without {name}, which is incomplete"),
    "de": ("{part} von {all} Zeilen: größte nach {name}", "letzte {part} von {all}",
           "Summen nach {name}", "Mittelwerte nach {name}", "ohne {name} (unvollständig)"),
    "fr": ("{part} lignes sur {all} : les plus grandes par {name}", "{part} dernières sur {all}",
           "sommes par {name}", "moyennes par {name}", "sans {name} (incomplet)"),
    "es": ("{part} de {all} filas: las mayores por {name}", "últimas {part} de {all}",
           "sumas por {name}", "medias por {name}", "sin {name} (incompleto)"),
}  # fmt: skip
_SIGNS: Final = ("{part} / {all}: {name}", "{part} / {all}", "Σ {name}", "⌀ {name}", "− {name}")
"""For languages without words here."""


@dataclass(frozen=True)
class TableSeries:
    """The values of one series, a label each, as the cells write them or as computed.

    ``formulas`` of computed values, else empty. ``total`` is the sum of all rows of the table, by
    ``total_formula``; None if a sum means nothing, a value is missing or negative, or a total row
    states another one.
    """

    name: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    kind: ColumnKind = "count"
    unit: str = ""
    is_additive: bool = False
    formulas: tuple[str, ...] = ()
    total: float | None = None
    total_formula: str = ""

    def part(self, kept: Sequence[int]) -> "TableSeries":
        """The series at some of its labels."""
        return replace(
            self,
            values=tuple(self.values[at] for at in kept),
            texts=tuple(self.texts[at] for at in kept),
            formulas=tuple(self.formulas[at] for at in kept) if self.formulas else (),
        )

    @property
    def largest(self) -> float:
        """The largest absolute value; 0 if none is known."""
        return max((abs(value) for value in self.values if value is not None), default=0.0)


@dataclass(frozen=True)
class Grid:
    """Values by label and series: one way to read a table.

    ``times`` are those of the labels, in order; empty if they are none. ``parts`` says whether the
    series add up to a whole; ``ends`` whether the first and the last time are known as fully as
    the others; ``said`` has the same values with times as labels, for claims.
    """

    heading: str
    labels: tuple[str, ...]
    series: tuple[TableSeries, ...]
    times: tuple[TimeLabel, ...] = ()
    shown: str = ""
    computed: tuple[Computed, ...] = ()
    parts: bool = False
    ends: bool = True
    rest: bool = False
    """Whether the last label stands for all that are not shown."""
    said: "Grid | None" = None
    measure: str = ""
    """Name of the values, if the series are groups of one column, and the heading of these."""
    group: str = ""
    ranged: bool = False
    """Whether the lowest and the highest label say most, as of options."""
    caption: str = ""
    """The caption of the table; else the heading of the names, if it says what is measured."""
    topic: str = ""
    """Words of the caption, the heading and the names of the rows."""
    alternatives: bool = False
    """Whether only one of the rows of the table comes about."""
    cut: bool = False
    """Whether labels with small values of the first series are left out."""
    numbers: str = "en"
    """The language whose marks the numbers of the table have."""


def is_better_low(text: str) -> bool:
    """Whether low values are good by the words for them, as of waits, accidents and cost.

    >>> is_better_low("Waiting time (min)"), is_better_low("Sales")
    (True, False)
    """
    return bool(_LOW.search(text)) and not _GAINS.search(text)


def without_label(caption: str) -> str:
    """A caption without the label of its table or figure; what is a label alone stays.

    >>> without_label("Table 2. Rising time"), without_label("Table of tides")
    ('Rising time', 'Table of tides')
    """
    return _LABEL.sub("", caption) or caption


def are_lines(names: Sequence[str]) -> bool:
    """Whether some rows count for a result and others against it, by their names.

    >>> are_lines(["Fares", "Subsidy", "Running cost"]), are_lines(["Fares", "Subsidy"])
    (True, False)
    """
    return any(map(_GIVEN.search, names)) and any(map(_TAKEN.search, names))


def are_alternatives(columns: TableColumns) -> bool:
    """Whether only one of the rows comes about, as of options and bids, by a heading: these have no
    sum, and the highest of them is not the best."""
    return any(_ALTERNATIVES.fullmatch(one.name) for one in columns.columns)


def is_sum_line(name: str) -> bool:
    """Whether a row sums up others, by its name."""
    return bool(_LINES.search(name))


def axes_of(series: Sequence[TableSeries], *, over_time: bool) -> list[list[TableSeries]]:
    """Series in groups that can share an axis: of one unit and of about one size.

    Bars of which the names have no word in common, and no unit says that they measure one thing,
    are nearer in size, and those of one series nowhere higher than those of another, as of what was
    offered, booked and used.
    """
    axes: list[list[TableSeries]] = []
    for one in series:
        if not one.largest or one.kind == "mixed":
            continue
        for axis in axes:
            same = _measured(axis[0]) == _measured(one)
            sizes = [other.largest for other in (*axis, one)]
            alike = over_time or one.unit or all(_names_alike(one, other) for other in axis)
            part = alike or all(_is_part(one, other) for other in axis)
            scale = ONE_SCALE if alike else _UNLIKE_SCALE
            if same and part and max(sizes) < scale * min(sizes):
                axis.append(one)
                break
        else:
            axes.append([one])
    return axes


def _names_alike(first: TableSeries, second: TableSeries) -> bool:
    """Whether the names of two series share a word, or have none, as years and letters."""
    words, others = (
        set(_NAME_WORD.findall(series.name.casefold())) for series in (first, second)
    )  # fmt: skip
    return not (words and others) or not words.isdisjoint(others)


def _is_part(first: TableSeries, second: TableSeries) -> bool:
    """Whether the values of one of two series are nowhere higher than those of the other."""
    pairs = zip(first.values, second.values, strict=True)
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return all(a <= b for a, b in known) or all(a >= b for a, b in known)


def _measured(series: TableSeries) -> tuple[str, str, bool]:
    """The unit and kind that series on one axis share: counts are no averages or shares, and a
    rate that is a series' name ("EUR/kg") is its unit."""
    bounded = series.kind if series.kind in ("share", "rating") else ""
    rate = series.name if _RATE.fullmatch(series.name) else ""
    return series.unit or rate, bounded, series.is_additive


def shown_words(language: str) -> tuple[str, ...]:
    """Words that say which part of a table is shown; signs if the language has none here."""
    return _SHOWN.get(primary_language(language), _SIGNS)


def month_text(label: str, language: str) -> str:
    """A month such as 2024-03 in words; other labels, and other languages, as they are.

    >>> month_text("2024-03", "en"), month_text("Q1 2024", "en"), month_text("2024-03", "zh")
    ('Mar 2024', 'Q1 2024', '2024-03')
    """
    names, match = _MONTHS.get(primary_language(language)), _ISO_MONTH.fullmatch(label)
    return f"{names.split()[int(match[2]) - 1]} {match[1]}" if names and match else label


def number_language(columns: TableColumns, language: str) -> str:
    """The language whose marks the numbers of a table have: its own if it shows any."""
    cells = (text for column in columns.columns if column.is_numeric for text in column.texts)
    if not any(re.search(r"\d[.,]\d", text) for text in cells):
        return language
    if columns.decimal == ".":
        return "en"
    return "de" if number_text(0.5, language) == "0.5" else language


def column_series(columns: TableColumns, column: TableColumn) -> TableSeries:
    """A column of numbers as a series; decimals that a program wrote are rounded."""
    texts = tuple(
        number_text(value) if value is not None and _MANY_DECIMALS.search(text) else text
        for value, text in zip(column.values, column.texts, strict=True)
    )
    rounded = tuple(
        text if shown != text else "" for shown, text in zip(texts, column.texts, strict=True)
    )
    return TableSeries(
        column.name, column.values, texts, column.kind, column.unit, column.is_additive,
        rounded if any(rounded) else (), total_of(columns, column),
        f"sum({quoted_name(column.heading)})",
    )  # fmt: skip


def is_tariff(kind: ColumnKind, name: str) -> bool:
    """Whether amounts of money may be prices of unlike things, by their heading.

    >>> is_tariff("money", "Proposed"), is_tariff("money", "Sales"), is_tariff("count", "Calls")
    (True, False, False)
    """
    return kind == "money" and not _AMOUNTS.search(name)


def total_of(columns: TableColumns, column: TableColumn) -> float | None:
    """The sum of a column of amounts of which shares mean something; None if there is none."""
    known = [value for value in column.values if value is not None]
    if not column.is_additive or column.kind not in ("money", "count"):
        return None
    if len(known) < len(column.values) or min(known) < 0 or not any(known):
        return None
    total = gathered(known, "sum")
    if are_alternatives(columns) or (columns.rows <= _MOST_LINES and _is_account(columns, known)):
        return None
    if column.heading == COUNT_HEADING:
        return total
    at = columns.columns.index(column)
    stated = [read[0] for row in columns.totals if (read := cell_number(row[at], columns.decimal))]
    agreed = any(isclose(total, value, rel_tol=0.005) for value in stated)
    return total if agreed or not (stated or is_tariff(column.kind, column.name)) else None


def _is_account(columns: TableColumns, values: Sequence[float]) -> bool:
    """Whether some rows are no parts of a whole: they sum up others, or count against them."""
    names = next((one.texts for one in columns.columns if not one.is_numeric), ())
    if are_lines(names) or any(map(is_sum_line, names)):
        return True
    for column in columns.columns:  # subsidies are negative for some options, say, and 0 for others
        amounts = [value or 0.0 for value in column.values] if column.is_additive else []
        if amounts and not column.is_difference and min(amounts) < 0 < max(amounts):
            return True
    for at, value in enumerate(values):
        for beside in (values[:at][::-1], values[at + 1 :]):
            sums = list(accumulate(beside))[_LEAST_SUMMED - 1 :]
            if value and any(isclose(value, total, rel_tol=1e-9) for total in sums):
                return True
    return False
