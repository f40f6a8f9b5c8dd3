"""The columns of a table by type: times, amounts with their units, categories, words; and which
rows and columns are totals."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Final, Literal

from decklab.documents.model import DocumentTable
from decklab.documents.numbers import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    UNITS,
    DecimalMark,
    decimal_mark,
    parse_numbers,
)
from decklab.documents.table_times import TimeLabel, read_time, read_times

ColumnKind = Literal[
    "time", "money", "share", "count", "measure", "rating", "mixed", "category", "text",
    "identifier", "code", "unclear",
]  # fmt: skip
"""``rating`` are marks on a scale that the heading names, such as (1-5), ``mixed`` are numbers of
several units, ``identifier`` are numbers that only name their row, ``code`` are small whole numbers
that name a class, such as a priority, and ``unclear`` are numbers with words among them."""

_NUMERIC: Final = frozenset({"money", "share", "count", "measure", "rating", "mixed"})
_BLANK: Final = frozenset({
    "", "-", "–", "—", ".", "…", "...", "n/a", "na", "n.a.", "n.a", "nan", "null", "none", "nil",
    "k.a.", "k. a.", "nd", "n.d.", "n.d", "s/d", "tbd", "?", "/", "*",
})  # fmt: skip
_LONGEST_NAME: Final = 40
"""Characters of a cell that names something; longer ones are text. Ours."""
_CODES = "|".join(code for code in CURRENCY_WORDS if code.isupper())
_MONEY = re.compile(rf"(?:\b(?:{_CODES})\b|US\$|[$€£¥₹]|\b[Ee]uros?\b|\b[Dd]ollars?\b)")
_AMOUNT_OF_MONEY = re.compile(
    rf"(?P<sign>[-−–]?)\s?(?P<lead>US\$|[$€£¥₹]|(?:{_CODES})\s)\s?(?P<number>[\d.,]*\d)\s?"
    r"(?P<scale>k|K|m|M|mn|bn|b|B)"
)
HEADING_SCALES: Final = {
    "k": 1e3, "K": 1e3, "000": 1e3, "000s": 1e3, "'000": 1e3, "thousand": 1e3, "thousands": 1e3,
    "Tsd": 1e3, "Tsd.": 1e3, "T": 1e3, "m": 1e6, "M": 1e6, "mn": 1e6, "mln": 1e6, "million": 1e6,
    "millions": 1e6, "Mio": 1e6, "Mio.": 1e6, "Millionen": 1e6, "millones": 1e6, "bn": 1e9,
    "billion": 1e9, "billions": 1e9, "Mrd": 1e9, "Mrd.": 1e9, "B": 1e9, "b": 1e9, "milliards": 1e9,
}  # fmt: skip
"""Factors of words in the unit of a heading."""
_MEASURES = sorted(
    (*UNITS, "hours", "days", "weeks", "months", "years", "minutes", "seconds", "tonnes", "tons",
     "Stunden", "Tage", "Wochen", "Minuten", "Tonnen", "heures", "jours", "tonnes", "horas",
     "días", "toneladas", "points", "pp", "percent", "per cent", "Prozent"),
    key=len, reverse=True,
)  # fmt: skip
_SCALE_WORDS = "|".join(sorted(map(re.escape, HEADING_SCALES), key=len, reverse=True))
_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]{1,24})[)\]]\s*\Z")
_SCALE = re.compile(r"\s*[(\[]\s*[01]\s*(?:-|–|to|bis|à|a)\s*(?:[4-9]|10|100)\s*[)\]]\s*\Z")
"""The scale of a rating."""
_DIRECTION = re.compile(r"\s*[(\[]?\s*(?:[↑↓]|\\(?:up|down)arrow)\s*[)\]]?\s*\Z")
"""An arrow that says whether high or low values are good."""
_FOLLOWING = re.compile(
    rf"(?:,|\s(?:in|en))\s+((?:US\$|[$€£¥₹]|{_CODES})(?:\s?(?:{_SCALE_WORDS}))?"
    rf"|(?:{_SCALE_WORDS})(?:\s?(?:US\$|[$€£¥₹]|{_CODES}))?|%"
    rf"|(?:{'|'.join(map(re.escape, _MEASURES))}))\Z|\s([%€$£])\Z"
)
_INSIDE = re.compile(
    r"(?P<name>.*[^\W\d_](?<!\bper)(?<!\bpro)(?<!\bpar)(?<!\bpor)(?<!\bje)(?<!\bin)(?<!\bof))\s"
    rf"(?P<unit>[kMG]Wh|k?m[²2]|m[³3]|kg|{_CODES})"
    r"(?P<time>\s(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?)?"
)
"""A heading with its unit behind what it measures, and the time of that: Gas kWh 2023/24."""
_NO_UNIT = re.compile(
    r"\d(?<![²³])(?<!CO2)(?<!m2)(?<!m3)(?<!000)|est\b|\bboth\b|combined|\ball\b|better|worse|see|incl|excl|total|avg|n=|=",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:grand |sub-?|in |weighted |gewichtete )?totals?|weighted (?:sum|score)|sum"
    r"|overall|all|gesamt|summe|insgesamt|gesamtsumme|ensemble"
    r"|suma|totale|totaal|zwischensumme|合计|总计|总和",
    re.IGNORECASE,
)
_AVERAGE = re.compile(
    r"(?:averages?|avg\.?|mean|median|durchschnitt|mittelwert|mittel|moyenne|promedio|media)",
    re.IGNORECASE,
)
_BEGINS_TOTAL = re.compile(r"(?:(?:grand |sub-?)?total|sum of|all|gesamt|summe)\b|.*\btotals?\Z",
                           re.IGNORECASE)  # fmt: skip
_AVERAGED = re.compile(
    r"\b(?:rates?|ratio|averages?|avg|mean|median|min|max|minimum|maximum|prices?|index|scores?"
    r"|ratings?|age|temperature|satisf\w*|nps|likert|stars?|recommend\w*|agree\w*|zufrieden\w*|shares?|percent(?:age)?|durations?|latency|wait\w*"
    r"|(?<!first-)(?<!full-)(?<!part-)(?<!one-)(?<!first )(?<!full )(?<!part )time"
    r"|speed|accuracy|precision|recall|f1|auc|error|loss|density|level|grade|rank"
    r"|per|pro|par|por|quote|\w*anteil|durchschnitt\w*|mittel\w*|\w*preis|alter|\w*dauer|moyen\w*"
    r"|levels?|stages?|depth|heights?|temp|temperatures?|pressure|humidity|readings?|voltage|flow"
    r"|discharge|concentration|ph|elevation|altitude|\w*pegel|wasserst[aä]nde?|füllst[aä]nde?|\w*temperatur(?:en)?"
    r"|\w*druck|\w*höhe|\w*tiefe|\w*feuchte|abfluss|niveau|température|pression|hauteur"
    r"|profondeur|débit|nivel|temperatura|presión|altura|profundidad|caudal|lecturas?"
    r"|taux|prix|âge|durée|part|indice|promedio|tasa|precio|edad|duración|cuota|note|yields?|ertr[aä]ge?)\b"
    r"|\b(?:t|kg|g|mg|l|ml|m3|mm|cm|km|kwh|\d+)[ _]?(?:ha|m2|m²|km2|km|kg|l|h|s|min|day|year)\b"
    r"|[%°/]|率|均",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"(?:[\w ]+[ _-])?(?:id|ids|no\.?|nr\.?|n°|#|code|zip|plz|postcode|phone|tel|isbn|lat|lon|lng"
    r"|latitude|longitude|index|key|uuid|rank|position|rang|pos\.?)|#|№|number|nummer",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"route|line|room|gate|door|lot|clause|step|section|item|bus|platform|zone|ward|level|bay|year"
    r"|linie|raum|zimmer|tor|schritt|ligne|salle|porte|étape|línea|sala|puerta|paso",
    re.IGNORECASE,
)
"""Headings in the singular of things that are told apart by numbers."""
_CODE = re.compile(
    r"(?:.*[ _-])?(?:priorit(?:y|ies)|level|class|grade|rank|severity|code|status|stage|tier|phase"
    r"|category|cluster|q|quarter|month|weekday|priorität|stufe|klasse|note|rang|schweregrad|phase"
    r"|quartal|monat|wochentag|kategorie|priorité|niveau|classe|gravité|statut|étape|catégorie"
    r"|trimestre|mois|prioridad|nivel|clase|gravedad|estado|etapa|categoría|mes)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r".*[^\Wsui_]s|(?:.*[ _])?(?:units?|qty|quantity|number|count|amount|total|sum|size|menge|stück"
    r"|\w*(?:anzahl|zahl|fehler|fälle|besucher|gäste|personen|kinder|tage|stunden)|quantité|nombre"
    r"|cantidad|número|sales|cost|price)(?:[ _].*)?",
    re.IGNORECASE,
)
"""Headings of amounts: plurals, and words for quantities."""
_RATED = re.compile(r"satisf|rating|score|stars?\b|recommend|agree|likert|zufrieden|bewertung|nps",
                    re.IGNORECASE)  # fmt: skip
_DURATION = re.compile(
    r"\b(?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?|jahre?|jours?|semaines?|mois"
    r"|días?|semanas?|mes(?:es)?)\b",
    re.IGNORECASE,
)
_UNIT_HEADING = re.compile(r"units?|uom|packs?|einheit|unité|unidad", re.IGNORECASE)
_ACQUIRED = re.compile(
    r"(?:(?:year|date) (?:of )?)?(?:bought|built|born|founded|acquired|registered|purchased?|birth"
    r"|construction|cohort|vintage|gekauft|gebaut|geboren|achetés?|construits?|comprados?)"
    r"|(?:bau|kauf|geburts)?jahrgang|(?:bau|kauf|geburts)jahre?",
    re.IGNORECASE,
)
"""Headings of when things came to be, which group them as they are now and are no times at which
something was measured."""
_MOST_CODES, _LARGEST_CODE, _LARGEST_PART = 7, 10, 12
_LONG = 30
"""Classes and their largest number, months of a year, and the rows of a table in which numbers that
repeat are classes whatever their heading. Ours."""
_DIFFERENCE = re.compile(
    r"(?:.*\b)?(?:differences?|diff\.?|change|delta|variance|deviation|variation|increase|abweichung"
    r"|differenz|veränderung|änderung|écart|différence|évolution|diferencia|variación|desviación"
    r"|差异|变化)(?:[\s\d/–-]*|\s(?:in|from|vs\.?|since|to|on|over|year|zu|zum|seit|gegenüber|par"
    r"|depuis|respecto|frente)\b.*)|\+\s?/\s?[-−–].*|±.*|[ΔΔ∆].*",
    re.IGNORECASE,
)
_BALANCE = re.compile(
    r"profit|result|margin|net\b|surplus|deficit|balance|saldo|gap|gewinn|ergebnis|überschuss"
    r"|résultat|bénéfice|solde|marge|resultado|beneficio|margen",
    re.IGNORECASE,
)
"""Headings of differences, and of amounts that are left of others."""
_LEAST_DIFFERENCES = 3
"""Rows that show by their numbers that a column is a difference. Ours."""
_YEARS = re.compile(r"(?:.* )?(?:years?|jahr|années?|année|an|años?|anno|ano|jaar|year ended)\b.*",
                    re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading, what its cells are, and what they say.

    ``values`` are the numbers of numeric columns and ``times`` those of times, None for empty
    cells; both are empty for other kinds. ``unit`` is that of the cells, else that of the heading;
    ``scale`` is the factor that the heading names ("EUR m" is 1,000,000).
    """

    heading: str
    name: str
    """The heading without its unit."""
    kind: ColumnKind
    texts: tuple[str, ...]
    unit: str = ""
    scale: float = 1.0
    values: tuple[float | None, ...] = ()
    units: tuple[str, ...] = ()
    """Of each cell, if these differ."""
    times: tuple[TimeLabel | None, ...] = ()
    is_total: bool = False
    """Whether it is the sum of columns beside it."""
    is_difference: bool = False
    """Whether it is the difference of columns beside it, by its heading or its values."""

    @property
    def is_numeric(self) -> bool:
        """Whether its cells are amounts."""
        return self.kind in _NUMERIC

    @property
    def is_additive(self) -> bool:
        """Whether sums of its values mean something; of rates, prices and times means do."""
        return (
            self.kind in ("money", "count", "measure")
            and not _AVERAGED.search(self.name.replace("_", " "))
            and not re.search(
                r"[%°/]|\bper\b|^(?:s|ms|min|C|F|K|V|A|bar|[hk]?Pa|dB|Hz)$", self.unit
            )
        )

    @property
    def is_distinct(self) -> bool:
        """Whether every row has a name of its own here."""
        filled = [text for text in self.texts if text]
        return len(filled) == len(self.texts) == len(set(filled))


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table without its total rows; ``totals`` are the cells of these."""

    columns: tuple[TableColumn, ...]
    totals: tuple[tuple[str, ...], ...] = ()
    decimal: DecimalMark = "."

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].texts)


def table_columns(
    table: DocumentTable, decimal: DecimalMark = ".", *, keep_totals: bool = False
) -> TableColumns | None:
    """The columns of a table that was read for certain and has a heading row; else None.

    ``decimal`` is the decimal mark to take if the cells do not show which they use. With
    ``keep_totals`` total rows are rows like others.
    """
    if not table.native or len({len(row) for row in table.rows}) != 1:
        return None
    header, rows = table_header(table), table.rows[max(1, table.header_rows) :]
    if not header or not rows or has_numbers_for_headings(table):
        return None
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    mark = _decimal_of([cell for row in cells for cell in row], decimal)
    columns = [
        _column(name, [row[at] for row in cells], mark, first=at == 0)
        for at, name in enumerate(header)
    ]
    summed = frozenset() if keep_totals else _total_rows(columns)
    kept = [at for at in range(len(cells)) if at not in summed]
    if summed and kept:
        shown = [cells[at] for at in kept]
        columns = [
            _column(name, [row[at] for row in shown], mark, first=at == 0)
            for at, name in enumerate(header)
        ]
    else:
        summed = frozenset()
    columns = _with_row_units(_with_differences(_filled_down(_with_head_unit(columns))))
    columns = _with_total_columns(_with_names_as_numbers(columns))
    return TableColumns(tuple(columns), tuple(tuple(cells[at]) for at in sorted(summed)), mark)


def _with_head_unit(columns: list[TableColumn]) -> list[TableColumn]:
    """Plain numbers in the unit that stands over the names of their rows, as in "Item (EUR m)"."""
    first, *others = columns
    _name, unit = heading_unit(spaced(first.heading))
    numeric = [column for column in others if column.is_numeric]
    if first.is_numeric or not is_unit(unit) or any(column.kind != "count" for column in numeric):
        return columns
    kind, scale = unit_kind(unit), _scale_of(unit)
    stated = (
        replace(one, kind=kind, unit=unit, scale=scale) if one in numeric else one
        for one in others
    )  # fmt: skip
    return [first, *stated]


def has_numbers_for_headings(table: DocumentTable) -> bool:
    """Whether at least half of a heading row are numbers that are no times: it was taken for one
    by mistake."""
    cells = [cell for cell in table_header(table) if not is_blank(cell)]
    numbers = [cell for cell in cells if cell_number(cell.strip()) and read_time(cell) is None]
    return bool(numbers) and 2 * len(numbers) >= len(cells)


def labelled_numbers(
    table: DocumentTable,
) -> tuple[tuple[str, ...], tuple[TableColumn, ...]] | None:
    """The names of a table's rows in its first column, and all others as numbers, totals too.

    None if the names do not differ, or a column is not numbers and empty cells throughout.
    """
    read = table_columns(table, keep_totals=True)
    if read is None or len(read.columns) < 2:
        return None
    names, others = (
        [row[0].strip() for row in table.rows[table.header_rows or 1 :]],
        read.columns[1:],
    )
    if "" in names or len(set(names)) < len(names):
        return None
    if any(not any(column.values) and 0 not in column.values for column in others):
        return None
    return tuple(names), others


def table_header(table: DocumentTable) -> tuple[str, ...]:
    """The headings of a table's columns, those of two rows joined; empty if it has none.

    A table of words that names no heading row has its headings in the first row.
    """
    if table.header_rows > 1:
        above: list[str] = []
        for row in table.rows[: table.header_rows - 1]:
            for at, cell in enumerate(row):  # a heading over several columns stands in the first
                above += [cell or (above[-1] if at else "")]
        width = len(table.rows[0])
        parts = [[*above[at::width], table.rows[table.header_rows - 1][at]] for at in range(width)]
        return tuple(" / ".join(dict.fromkeys(filter(None, names))) for names in parts)
    first = tuple(" ".join(cell.split()) for cell in table.rows[0]) if table.rows else ()
    if table.header_rows == 1:
        return first
    headed = len(table.rows) > 1 and all(first) and len(set(first)) == len(first)
    return first if headed and not any(re.search(r"\d", cell) for cell in first) else ()


def _column(
    heading: str, cells: Sequence[str], decimal: DecimalMark, *, first: bool
) -> TableColumn:
    texts = tuple("" if is_blank(cell) else cell for cell in cells)
    title = spaced(heading)
    name, unit = heading_unit(heading if _JOINED_UNIT.fullmatch(heading.strip()) else title)
    column = TableColumn(heading, name, "category", texts, unit)
    times = read_times(texts)
    plain = all(re.fullmatch(r"\d{4}", text) for text in texts if text)
    if times is not None and plain:  # counts such as 1812 look like years
        ordered = [time for time in times if time]
        sorted_ = ordered in (sorted(ordered), sorted(ordered, reverse=True))
        if not _YEARS.fullmatch(heading) and not (first and sorted_):
            times = None
    if times is not None and _ACQUIRED.fullmatch(title):
        return replace(column, name=title, unit="")
    if times is not None:
        return replace(column, name=title, unit="", kind="time", times=times)
    read = [cell_number(text, decimal) if text else None for text in texts]
    if any(read) and all(
        item is not None or not text for item, text in zip(read, texts, strict=True)
    ):
        return _numeric(column, read, first=first)
    if 2 * sum(item is not None for item in read) > sum(map(bool, texts)):
        return replace(column, kind="unclear")
    longest = max(map(len, texts), default=0)
    return replace(
        column, name=title, unit="", kind="text" if longest > _LONGEST_NAME else "category"
    )


def _numeric(
    column: TableColumn, read: Sequence[tuple[float, str] | None], *, first: bool
) -> TableColumn:
    values = tuple(item[0] if item else None for item in read)
    known = [value for value in values if value is not None]
    if all(text.startswith("(") for text in column.texts if text):  # standard errors, say
        return replace(column, kind="category")
    units = {item[1] for item in read if item} - {""}
    mixed = len(units) > 1 or not _on_all(units, read)
    marks = _SCALE.search(column.heading)
    unit = "" if mixed else (next(iter(units), "") or column.unit)
    whole = all(value == int(value) for value in known)
    counting = first and known == list(range(1, len(known) + 1))
    kind: ColumnKind = "count" if whole and not unit else unit_kind(unit)
    if mixed:
        kind = "mixed"
    elif marks:
        kind, unit = "rating", marks[0].strip(" ()[]")
    elif kind == "count" and _is_code(column.name, known):
        kind = "code"
    elif kind in ("count", "measure") and whole:
        kind = "identifier" if counting or _IDENTIFIER.fullmatch(column.name) else kind
    each = tuple(item[1] if item else "" for item in read) if mixed else ()
    scale = 1.0 if units else _scale_of(column.unit)
    return replace(column, kind=kind, unit=unit, scale=scale, values=values, units=each)


def _is_code(name: str, known: Sequence[float]) -> bool:
    """Whether whole numbers without unit name classes: they are few, small, and headed so, or
    repeat in a long table under a heading that names no amount."""
    classes = len(set(known))
    if min(known) < 0 or max(known) > _LARGEST_PART:
        return False
    if _CODE.fullmatch(name):
        return classes <= _MOST_CODES or bool(re.search(r"(?:month|monat|mois|mes)\Z", name, re.I))
    if max(known) > _LARGEST_CODE or len(known) <= _LONG or _COUNTED.fullmatch(name):
        return False
    return classes <= _MOST_CODES and not _RATED.search(name)


def _scale_of(unit: str) -> float:
    """The factor that a unit names beside what it counts; a letter alone is a measure."""
    words = re.findall(rf"US\$|[$€£¥₹]|{_CODES}|[^\s/$€£¥₹]+", unit)
    if len(words) == 1 and len(unit) == 1:
        return 1.0
    return next((HEADING_SCALES[word] for word in words if word in HEADING_SCALES), 1.0)


_STATED_ONCE = 2
"""Cells with a currency that holds for all below. Ours."""


def _on_all(units: set[str], read: Sequence[tuple[float, str] | None]) -> bool:
    """Whether the only unit is that of all cells: each has it, or the first, and perhaps the total,
    has a currency."""
    filled = [item[1] for item in read if item]
    currency = bool(filled) and filled[0] in CURRENCY_WORDS.values()
    return not units or all(filled) or (currency and sum(map(bool, filled)) <= _STATED_ONCE)


def unit_kind(unit: str) -> ColumnKind:
    """The kind of amounts with a unit.

    >>> unit_kind("EUR m"), unit_kind("%"), unit_kind("kg")
    ('money', 'share', 'measure')
    """
    if "%" in unit or unit.casefold() in ("percent", "per cent", "prozent"):
        return "share"
    return "money" if _MONEY.search(unit) else "measure"


def is_unit(text: str) -> bool:
    """Whether a text is a unit that is known here, and no other remark.

    >>> is_unit("EUR m"), is_unit("hours"), is_unit("main office")
    (True, True, False)
    """
    words = text.split()
    return bool(words) and (
        unit_kind(text) != "measure"
        or all(word in HEADING_SCALES or word in _MEASURES for word in words)
    )


def spaced(heading: str) -> str:
    """A heading with spaces between the words that a program joined by underscores.

    >>> spaced("opened_at"), spaced("x_1"), spaced("CO_2 in t")
    ('opened at', 'x 1', 'CO_2 in t')
    """
    joined = re.fullmatch(r"\w*_\w*(?:\s*[(\[].*)?", heading.strip())
    return " ".join(heading.replace("_", " ").split()) if joined else heading


def is_blank(cell: str) -> bool:
    """Whether a cell says that nothing is known: it is empty, a dash, or a word such as n/a."""
    return cell.strip().casefold() in _BLANK


_JOINED_UNIT = re.compile(
    r"([A-Za-z]\w*?)_((?<=temp_)c|(?:(?<=stage_)|(?<=level_)|(?<=depth_)|(?<=height_))m|m3s|(?:t|kg|g|mg|l|ml|m3|km)_(?:ha|m2|km2|l|kg|h|s)|percent|pct|perc|kwh|kg|mg|km|cm|mm|ml|"
    r"min|ms|eur|usd|gbp)",
    re.IGNORECASE,
)
"""A heading of a program that ends in its unit."""
_UNITS_JOINED: Final = {"percent": "%", "pct": "%", "perc": "%", "c": "°C", "m3s": "m³/s"}


def heading_unit(heading: str) -> tuple[str, str]:
    """A heading without its unit, and the unit; empty if it names none.

    >>> heading_unit("Sales (EUR m)"), heading_unit("Weight, kg"), heading_unit("Sales (2024)")
    (('Sales', 'EUR m'), ('Weight', 'kg'), ('Sales (2024)', ''))
    >>> heading_unit("yield_t_ha"), heading_unit("lodging_percent"), heading_unit("opened_at")
    (('yield', 't/ha'), ('lodging', '%'), ('opened_at', ''))
    """
    joined = _JOINED_UNIT.fullmatch(heading.strip())
    if joined:
        unit = joined[2].casefold()
        return spaced(joined[1]), _UNITS_JOINED.get(unit, unit.replace("_", "/"))
    text = _DIRECTION.sub("", heading.strip()).strip("*†‡ ")
    text = _SCALE.sub("", text) or text
    found = _BRACKETED.search(text)
    if found and found.start() and not _NO_UNIT.search(found[1]) and len(found[1].split()) < 4:
        return text[: found.start()], found[1].strip().removeprefix("in ")
    inside = _INSIDE.fullmatch(text)
    if inside:
        return f"{inside['name']}{inside['time'] or ''}", inside["unit"]
    following = _FOLLOWING.search(text)
    if following and following.start():
        return text[: following.start()].rstrip(" ,"), following[1] or following[2]
    return text, ""


_ESTIMATED = re.compile(r"\A(?:[EPRepr]|est\.?|ca\.?|c\.|~)\s?(?=\d[\d.,]*\Z)")
"""What marks a number as estimated, provisional or revised, as statistics do."""


def cell_number(text: str, decimal: DecimalMark = ".") -> tuple[float, str] | None:
    """The number that a cell consists of, and its unit; None if it holds other words or numbers.

    >>> cell_number("1,930"), cell_number("(3.2)"), cell_number("$1.2m"), cell_number("about 3")
    ((1930, ''), (-3.2, ''), (1200000.0, 'USD'), None)
    """
    text = _ESTIMATED.sub("", text)
    if re.fullmatch(r"-?\d{1,15}", text):
        return int(text), ""
    if not re.search(r"\d", text) or len(text) > _LONGEST_NAME:
        return None
    money = _AMOUNT_OF_MONEY.fullmatch(text)
    if money:
        inner = cell_number(money["number"], decimal)
        lead = money["lead"].strip()
        sign = -1 if money["sign"] else 1
        currency = CURRENCY_SIGNS.get(lead) or CURRENCY_WORDS[lead]
        factor = sign * HEADING_SCALES[money["scale"]]
        return (round(inner[0] * factor, 6), currency) if inner else None
    if re.fullmatch(r"\([^()]+\)", text):  # a loss, as accountants write it
        inner = cell_number(text[1:-1].strip(), decimal)
        return (-inner[0], inner[1]) if inner and inner[0] >= 0 else None
    found = parse_numbers(text, decimal=decimal)
    if len(found) != 1 or found[0].kind not in ("percent", "money", "count", "year"):
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    return (found[0].values[0], found[0].unit) if not rest.strip(" +*†‡") else None


def _decimal_of(cells: Sequence[str], hint: DecimalMark) -> DecimalMark:
    """The decimal mark of a table: as its cells show it, else ``hint``.

    Cells such as 1,234 alone are thousands, whatever the hint; 1.234 alone are what it says.
    """
    text = "\n".join(cell for cell in cells if len(cell) <= _LONGEST_NAME)
    if decimal_mark(text) == ",":
        return ","
    if re.search(r"(?<![\d.,])\d+\.\d{1,2}(?![\d.,]*\d)", text):
        return "."
    if re.search(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d.,])", text):
        return "."
    if re.search(r"(?<![\d.,])0[.]\d", text):
        return "."
    return hint


def names_total(label: str) -> bool:
    """Whether the name of a row or column says that it sums up others.

    >>> names_total("Total:"), names_total("Total loss"), names_total("Hall")
    (True, True, False)
    """
    return bool(_TOTAL.fullmatch(label.rstrip(" :")) or _BEGINS_TOTAL.match(label))


def _total_rows(columns: Sequence[TableColumn]) -> frozenset[int]:
    """The rows that sum up others or give their mean, by their label and their values."""
    labels = next((column.texts for column in columns if not column.is_numeric), ())
    numeric = [column for column in columns if column.is_numeric]
    if not numeric:
        return frozenset()
    named = {
        at for at, text in enumerate(labels)
        if _TOTAL.fullmatch(text.rstrip(" :")) or _AVERAGE.fullmatch(text.rstrip(" :"))
        or re.match(r"sub-?totals?\b", text, re.IGNORECASE)
    }  # fmt: skip
    last = len(labels) - 1
    likely = [
        at for at, text in enumerate(labels)
        if at not in named and (_BEGINS_TOTAL.match(text) or (at == last > 1 and is_blank(text)))
    ]  # fmt: skip
    for at in likely:
        rest = [row for row in range(len(labels)) if row not in named and row != at]
        if len(rest) > 1 and any(_sums(column.values, at, rest) for column in numeric):
            named.add(at)
    return frozenset(named)


def _sums(values: Sequence[float | None], at: int, rest: Sequence[int]) -> bool:
    total, parts = values[at], [values[row] for row in rest]
    if total is None or not total or None in parts:
        return False
    return isclose(total, sum(part or 0.0 for part in parts), rel_tol=0.005)


def _with_differences(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """The columns; differences of others are marked."""
    return [
        replace(column, is_difference=True)
        if column.is_numeric
        and (_DIFFERENCE.fullmatch(column.name) or _is_difference(column, columns[:at]))
        else column
        for at, column in enumerate(columns)
    ]


def _is_difference(column: TableColumn, before: Sequence[TableColumn]) -> bool:
    """Whether a column is one minus another of those before it in all of several rows.

    A column of positive numbers that complete the second to the first is rather a part of it, as
    men and women are of all, unless its heading names a balance.
    """
    operands = [
        other for other in before
        if other.is_numeric and other.unit == column.unit and other.kind != "mixed"
    ]  # fmt: skip
    signed = any(value is not None and value < 0 for value in column.values)
    if len(column.values) < _LEAST_DIFFERENCES or None in column.values or not any(column.values):
        return False
    for at, second in enumerate(operands):
        for first in operands[:at]:
            if _subtracts(second, first, column):
                return True
            if (signed or _BALANCE.search(column.name)) and _subtracts(first, second, column):
                return True
    return False


def _subtracts(minuend: TableColumn, subtrahend: TableColumn, column: TableColumn) -> bool:
    return all(
        one is not None and two is not None and isclose(one - two, result or 0.0, abs_tol=1e-6)
        for one, two, result in zip(minuend.values, subtrahend.values, column.values, strict=True)
    )


def _with_row_units(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """The columns; amounts without a unit are mixed if a column beside them names several."""
    units = next(
        (one.texts for one in columns
         if one.kind == "category" and _UNIT_HEADING.fullmatch(one.name)), ()
    )  # fmt: skip
    if len(set(units) - {""}) < 2:
        return list(columns)
    return [
        replace(column, kind="mixed", units=units)
        if column.kind in ("count", "measure") and not column.unit
        and not _DURATION.search(column.name)
        else column
        for column in columns
    ]  # fmt: skip


def _with_names_as_numbers(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """The columns; whole numbers that differ are names of their rows where the heading is one
    thing that has a number, such as a route, or where they stand first, beside names."""
    first, *others = columns
    beside = bool(others) and others[0].kind in ("category", "text") and others[0].is_distinct
    return [
        replace(column, kind="identifier")
        if column.kind in ("count", "measure") and not column.unit and column.is_distinct
        and all(value == int(value) for value in column.values if value is not None)
        and (_NUMBERED.fullmatch(column.name)
             or (column is first and beside and not _COUNTED.fullmatch(column.name)))
        else column
        for column in columns
    ]  # fmt: skip


def _with_total_columns(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """The columns; one that is the sum of all others of its unit in each row is marked, and one
    that is named so and is the sum of those right before it."""
    return [
        replace(column, is_total=True) if _is_total_column(column, columns) else column
        for column in columns
    ]


def _is_total_column(column: TableColumn, columns: Sequence[TableColumn]) -> bool:
    if not column.is_numeric or column.kind == "mixed" or column.is_difference:
        return False
    parts = [
        other for other in columns
        if other is not column and other.is_numeric and not other.is_difference
        and other.is_additive == column.is_additive
        and (other.unit, other.kind == "share") == (column.unit, column.kind == "share")
    ]  # fmt: skip
    named = names_total(column.name)
    if len(parts) < 2 or not (named or len(column.values) > 2):
        return False
    before = columns[: next(at for at, other in enumerate(columns) if other is column)]
    own = [part for part in parts if part in before] if named else []
    runs = [parts, *(own[start:] for start in range(1, len(own) - 1))]
    return any(_sums_up(column, run, 0.005 if named else 1e-9) for run in runs)


def _sums_up(column: TableColumn, parts: Sequence[TableColumn], tolerance: float) -> bool:
    """Whether each value of a column is the sum of those of others in its row."""
    rows = [
        (total, sum(part.values[at] or 0.0 for part in parts))
        for at, total in enumerate(column.values)
        if total is not None
    ]
    return any(total for total, _ in rows) and all(
        isclose(total, value, rel_tol=tolerance) for total, value in rows
    )


def _filled_down(columns: list[TableColumn]) -> list[TableColumn]:
    """The columns, with the names of a first column that are written once for several rows."""
    if len(columns) < 3 or columns[0].kind != "category" or not columns[0].texts[0]:
        return columns
    first, second = columns[0], columns[1]
    if "" not in first.texts or second.kind not in ("category", "time") or "" in second.texts:
        return columns
    texts: list[str] = []
    for text in first.texts:
        texts.append(text or texts[-1])
    return [replace(first, texts=tuple(texts)), *columns[1:]]
