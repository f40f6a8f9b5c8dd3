"""Ways to read a table as values by label and series: as it is, turned, or gathered by groups."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import isclose
from statistics import median
from typing import Final

from decklab.board.languages import primary_language
from decklab.documents.model import DocumentTable
from decklab.documents.table_columns import (
    ColumnKind,
    TableColumn,
    TableColumns,
    cell_number,
    heading_unit,
    is_unit,
    unit_kind,
)
from decklab.documents.table_times import COARSER, Grain, TimeLabel, read_time
from decklab.writer.computed import (
    COUNT_HEADING,
    Computed,
    Condition,
    count_column,
    gathered,
    labels_within,
    number_text,
    quoted_name,
)

MOST_TIMES: Final = 24
_MOST_DAYS_DRAWN: Final = 36
MOST_LABELS: Final = 14
MOST_SERIES: Final = 6
_TOP: Final = 10
"""Points, bars and series that one chart shows at a readable size, and of a long list the largest.
Ours."""
_MOST_DAYS, _LEAST_MONTHS, _LEAST_TIMES = 12, 4, 3
_LONGEST_LABEL: Final = 40
_ONE_SCALE: Final = 20.0
"""Series share an axis if their largest values differ by less. Ours."""
_MOST_GROUPS: Final = 60
_WHOLE_END: Final = 0.8
"""Share of the usual number of rows that the first and the last time need for a change to be
claimed: of a month of which half is known nothing can be said. Ours."""
_PARAMETERS: Final = re.compile(
    r"val\.?|values?|werte?|valeurs?|valor(?:es)?|init\.?|opt\.?|defaults?|settings?", re.IGNORECASE
)
"""Headings of lists of parameters, whose values have nothing in common."""
_MANY_DECIMALS: Final = re.compile(r"\d[.,]\d{5,}")
"""Decimals that a program wrote; a title has fewer. Ours."""
_SLACK: Final = 0.1
"""Share of a month or year that may be missing at an end. Ours."""
_MONTHS: Final = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "es": "ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic.",
}
_ROWS: Final = {"en": "Rows", "de": "Zeilen", "fr": "Lignes", "es": "Filas"}
_ISO_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_AMOUNTS: Final = re.compile(
    r"sale|revenue|turnover|cost|spen[dt]|budget|actual|forecast|income|expens|invest|profit|fund"
    r"|donation|grant|amount|paid|saving|umsatz|umsätz|kosten|ausgabe|einnahme|budget|ertr|aufwand"
    r"|gewinn|vente|chiffre|dépense|coût|recette|ingreso|venta|gasto|coste|presupuesto|importe",
    re.IGNORECASE,
)
"""Headings of money that can be added up; fees and prices cannot."""
_TALLEST_REST: Final = 3.0
"""A rest that is more times the largest bar would make all others look alike. Ours."""
_REST: Final = {"en": "Other", "de": "Übrige", "fr": "Autres", "es": "Otros", "it": "Altri",
                "pt": "Outros", "nl": "Overige"}  # fmt: skip
_SHOWN: Final = {
    "en": ("{part} of {all} rows: largest by {name}", "last {part} of {all}", "sums by {name}",
           "means by {name}"),
    "de": ("{part} von {all} Zeilen: größte nach {name}", "letzte {part} von {all}",
           "Summen nach {name}", "Mittelwerte nach {name}"),
    "fr": ("{part} lignes sur {all} : les plus grandes par {name}", "{part} dernières sur {all}",
           "sommes par {name}", "moyennes par {name}"),
    "es": ("{part} de {all} filas: las mayores por {name}", "últimas {part} de {all}",
           "sumas por {name}", "medias por {name}"),
}  # fmt: skip
_SIGNS: Final = ("{part} / {all}: {name}", "{part} / {all}", "Σ {name}", "⌀ {name}")
"""For languages without words here."""


@dataclass(frozen=True)
class Series:
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

    def part(self, kept: Sequence[int]) -> "Series":
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
    series: tuple[Series, ...]
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
    numbers: str = "en"
    """The language whose marks the numbers of the table have."""


def axes_of(series: Sequence[Series]) -> list[list[Series]]:
    """Series in groups that can share an axis: of one unit and of about one size."""
    axes: list[list[Series]] = []
    for one in series:
        if not one.largest or one.kind == "mixed":
            continue
        for axis in axes:
            same = _measured(axis[0]) == _measured(one)
            sizes = [other.largest for other in (*axis, one)]
            if same and max(sizes) < _ONE_SCALE * min(sizes):
                axis.append(one)
                break
        else:
            axes.append([one])
    return axes


def _measured(series: Series) -> tuple[str, str, bool]:
    """The unit and kind that series on one axis share: counts are no averages or shares."""
    bounded = series.kind if series.kind in ("share", "rating") else ""
    return series.unit, bounded, series.is_additive


def shown_words(language: str) -> tuple[str, ...]:
    """Words that say which part of a table is shown; signs if the language has none here."""
    return _SHOWN.get(primary_language(language), _SIGNS)


def grids(columns: TableColumns, table: DocumentTable, language: str) -> Iterator[Grid]:
    """Ways to read a table, the fullest first; none if it has no numbers."""
    label = _label_column(columns)
    numeric = [
        column for column in columns.columns
        if column.is_numeric and not column.is_total and column is not label
        and (_names_values(column) or (label is not None and label.times))
    ]  # fmt: skip
    gatherer = _Gatherer(columns, table, language)
    numbers = _number_language(columns, language)
    for grid in _read(columns, label, numeric, gatherer, language):
        yield replace(
            grid, numbers=numbers, said=replace(grid.said, numbers=numbers) if grid.said else None
        )


def _read(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn],
    gatherer: "_Gatherer", language: str,
) -> Iterator[Grid]:  # fmt: skip
    if not numeric and columns.rows > MOST_LABELS and not any(
        column.is_numeric for column in columns.columns
    ):  # fmt: skip
        yield from gatherer.groups([count_column(columns, _counted(columns, language))])
    if not numeric:
        return
    if label is None and columns.rows > 1:
        yield from gatherer.groups(numeric)
        return
    turned = _turned(columns, label, numeric, language)
    if turned is not None:
        yield turned
    elif columns.rows > 1 and not _has_row_units(label):
        plain = _plain_grid(columns, label, numeric)
        plain = replace(
            plain, labels=tuple(month_text(text, language) for text in plain.labels),
            said=_with_total(plain, columns) if plain.times
            else _totals_grid(columns, label, numeric),
        )  # fmt: skip
        fitted = gatherer.fitted(plain, label, numeric)
        groups = gatherer.groups(numeric) if columns.rows > MOST_LABELS else iter(())
        timed = label is not None and label.times
        yield from chain(fitted, groups) if timed else chain(groups, fitted)


def month_text(label: str, language: str) -> str:
    """A month such as 2024-03 in words; other labels, and other languages, as they are.

    >>> month_text("2024-03", "en"), month_text("Q1 2024", "en"), month_text("2024-03", "zh")
    ('Mar 2024', 'Q1 2024', '2024-03')
    """
    names, match = _MONTHS.get(primary_language(language)), _ISO_MONTH.fullmatch(label)
    return f"{names.split()[int(match[2]) - 1]} {match[1]}" if names and match else label


def _number_language(columns: TableColumns, language: str) -> str:
    """The language whose marks the numbers of a table have: its own if it shows any."""
    cells = (text for column in columns.columns if column.is_numeric for text in column.texts)
    if not any(re.search(r"\d[.,]\d", text) for text in cells):
        return language
    if columns.decimal == ".":
        return "en"
    return "de" if number_text(0.5, language) == "0.5" else language


def _label_column(columns: TableColumns) -> TableColumn | None:
    """The column that names the rows: the first with a name of its own for each, numbers last."""
    kinds = {"time": 0, "category": 0, "text": 0, "identifier": 1, "count": 2}
    fitting = [
        column for column in columns.columns
        if column.kind in kinds and column.is_distinct
        and (column.kind != "count" or (column is columns.columns[0] and columns.rows > 1))
        and _can_be_labels(column)
    ]  # fmt: skip
    return min(fitting, key=lambda column: kinds[column.kind], default=None)


def _names_values(column: TableColumn) -> bool:
    """Whether a heading says what the values are; those of a list of parameters differ."""
    return bool(column.name) and _PARAMETERS.fullmatch(column.name) is None


def _counted(columns: TableColumns, language: str) -> str:
    """The name of the things in the rows of a table, by the heading of the first column."""
    name = columns.columns[0].name
    if columns.columns[0].kind != "category" or len(name) < 4 or not name.isalpha():
        return _ROWS.get(primary_language(language), "#")
    return f"{name}s" if primary_language(language) == "en" and not name.endswith("s") else name


def _can_be_labels(column: TableColumn) -> bool:
    """Whether the cells are short, or can be told apart by their beginnings."""
    longest = max(map(len, column.texts))
    begun = {text[: _LONGEST_LABEL - 4] for text in column.texts}
    return longest <= _LONGEST_LABEL or (
        longest <= 2 * _LONGEST_LABEL and len(begun) == len(column.texts)
    )


def _plain_grid(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn]
) -> Grid:
    """The rows of a table as labels and its columns of numbers as series; times in their order."""
    labels = label.texts if label else ("",) * columns.rows
    times = tuple(time for time in label.times if time) if label else ()
    order = list(range(len(labels)))
    if times:
        order.sort(key=lambda at: times[at])
    return Grid(
        heading=(label or columns.columns[0]).name,
        labels=tuple(labels[at] for at in order),
        series=tuple(_series(columns, column).part(order) for column in numeric),
        times=tuple(times[at] for at in order) if times else (),
        parts=any(column.is_total for column in columns.columns),
    )


def _series(columns: TableColumns, column: TableColumn) -> Series:
    texts = tuple(
        number_text(value) if value is not None and _MANY_DECIMALS.search(text) else text
        for value, text in zip(column.values, column.texts, strict=True)
    )
    rounded = tuple(
        text if shown != text else "" for shown, text in zip(texts, column.texts, strict=True)
    )
    return Series(
        column.name, column.values, texts, column.kind, column.unit, column.is_additive,
        rounded if any(rounded) else (), _total_of(columns, column),
        f"sum({quoted_name(column.heading)})",
    )  # fmt: skip


def _total_of(columns: TableColumns, column: TableColumn) -> float | None:
    """The sum of a column of amounts of which shares mean something; None if there is none."""
    known = [value for value in column.values if value is not None]
    if not column.is_additive or column.kind not in ("money", "count"):
        return None
    if len(known) < len(column.values) or min(known) < 0 or not any(known):
        return None
    total = gathered(known, "sum")
    if column.heading == COUNT_HEADING:
        return total
    at = columns.columns.index(column)
    stated = [read[0] for row in columns.totals if (read := cell_number(row[at], columns.decimal))]
    agreed = any(isclose(total, value, rel_tol=0.005) for value in stated)
    priced = column.kind == "money" and not _AMOUNTS.search(column.name)  # a tariff has no sum
    return total if agreed or not (stated or priced) else None


def _turned(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn], language: str
) -> Grid | None:
    """A table whose columns are times, or that has one row of alike numbers, with these as labels.

    With two times and several rows of one unit the times are the series. None for other tables.
    """
    timed = [(time, column) for column in numeric if (time := read_time(column.name))]
    one_row = columns.rows == 1 and len(numeric) > 2
    kinds = {(column.unit, column.kind) for column in numeric}
    alike = len(kinds) == 1 and numeric[0].kind != "mixed"
    if (
        len(timed) > 1
        and len({time.grain for time, _ in timed}) == 1
        and 2 * len(timed) > len(numeric)
    ):
        timed.sort(key=lambda pair: pair[0])
        shown = [column for _, column in timed]
    elif one_row and alike and numeric[0].unit:
        timed, shown = [], list(numeric)
    else:
        return None
    plain = _plain_grid(columns, label, shown)
    rows = tuple(_row_series(plain, shown, at) for at in range(columns.rows))
    turned = Grid(
        heading="",
        labels=tuple(column.name for column in shown),
        series=tuple(row for row in rows if row.kind != "mixed"),
        times=tuple(time for time, _ in timed),
        parts=bool(columns.totals) and all(column.is_additive for column in shown),
    )
    if not turned.series:
        return None
    alike = alike and not _has_row_units(label)
    totals = _totals_grid(columns, label, shown)
    if totals is not None and timed:
        stated = replace(turned, series=(*totals.series, *turned.series))
        turned = replace(turned, said=stated)
    if len(shown) == 2 and columns.rows > 2 and alike and columns.rows <= MOST_LABELS:
        return replace(plain, said=turned.said or turned, parts=False)
    return _largest_series(turned, language)


def _with_total(plain: Grid, columns: TableColumns) -> Grid | None:
    """A grid over time with the total column that the table states before its parts."""
    total = next((column for column in columns.columns if column.is_total), None)
    if total is None or list(plain.times) != [time for label in columns.columns[:1]
                                              for time in label.times]:  # fmt: skip
        return None
    stated = replace(_series(columns, total), is_additive=False)  # of another axis than its parts
    return replace(plain, series=(stated, *plain.series))


def _totals_grid(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn]
) -> Grid | None:
    """The only total row with its columns as labels, so that these can be compared; else None."""
    if len(columns.totals) != 1 or label is None or len(numeric) < 3:
        return None
    cells = columns.totals[0]
    places = [columns.columns.index(column) for column in numeric]
    read = [cell_number(cells[at], columns.decimal) for at in places]
    if None in read or len({(column.unit, column.kind) for column in numeric}) > 1:
        return None
    name = cells[columns.columns.index(label)]
    total = Series(
        name, tuple(item[0] for item in read if item), tuple(cells[at] for at in places),
        numeric[0].kind, numeric[0].unit,
    )  # fmt: skip
    if max(total.values[at] or 0.0 for at in range(len(places))) >= _ONE_SCALE * min(
        abs(value or 0.0) for value in total.values
    ):
        return None
    return Grid("", tuple(column.name for column in numeric), (total,), ranged=True)


def _has_row_units(label: TableColumn | None) -> bool:
    """Whether the names of the rows have units that differ, so that no axis fits all rows."""
    units = {heading_unit(text)[1] for text in label.texts} if label else set()
    return len(units) > 1 and any(map(is_unit, units))


def _row_series(grid: Grid, columns: Sequence[TableColumn], at: int) -> Series:
    """A row of a grid as a series; its unit is that of its cells, else of its label."""
    name, unit = heading_unit(grid.labels[at])
    units = {(column.units[at] if column.units else column.unit) for column in columns} - {""}
    kinds = {column.kind for column in columns}
    kind: ColumnKind = kinds.pop() if len(kinds) == 1 else "measure"
    own = "" if len(units) > 1 else next(iter(units), unit)
    if len(units) > 1 or kind == "mixed" or (own and kind in ("count", "measure")):
        kind = "mixed" if len(units) > 1 else unit_kind(own)
    values = tuple(series.values[at] for series in grid.series)
    texts = tuple(series.texts[at] for series in grid.series)
    rounded = tuple(series.formulas[at] if series.formulas else "" for series in grid.series)
    additive = all(column.is_additive for column in columns)
    return Series(name if own == unit else grid.labels[at], values, texts, kind, own, additive,
                  rounded if any(rounded) else ())  # fmt: skip


def _largest_series(grid: Grid, language: str) -> Grid:
    """A grid with as many series as a chart shows: those with the largest last values."""
    if len(grid.series) <= MOST_SERIES:
        return grid
    order = sorted(
        range(len(grid.series)), key=lambda at: (-(grid.series[at].values[-1] or 0.0), at)
    )
    kept = sorted(order[:MOST_SERIES])
    shown = shown_words(language)[0].format(
        part=MOST_SERIES, all=len(grid.series), name=grid.labels[-1]
    )
    series = tuple(grid.series[at] for at in kept)
    return replace(grid, series=series, parts=False, shown=shown)


@dataclass(frozen=True)
class _Key:
    """A column that rows are gathered by, and for times how coarsely."""

    column: TableColumn
    grain: Grain | None = None

    @cached_property
    def labels(self) -> list[str]:
        return labels_within(self.column, self.grain)

    @property
    def text(self) -> str:
        return quoted_name(self.column.heading) + (f" {self.grain}" if self.grain else "")


@dataclass(frozen=True)
class _Wanted:
    """A series to gather: the values of a column, of the rows that meet all conditions."""

    name: str
    column: TableColumn
    conditions: tuple[Condition, ...] = ()


class _Gatherer:
    """Makes few labels of many: coarser times, groups with their sums or means, the largest."""

    def __init__(self, columns: TableColumns, table: DocumentTable, language: str) -> None:
        self._columns, self._table, self._language = columns, table, language
        self._numbers = _number_language(columns, language)
        self._words = shown_words(language)

    def fitted(
        self, grid: Grid, label: TableColumn | None, numeric: Sequence[TableColumn]
    ) -> Iterator[Grid]:
        """A grid with as many labels as a chart shows, or parts of it that have."""
        if len(grid.labels) <= _most_labels(grid):
            yield grid
        elif grid.times and label is not None:
            grain = _fitting_grain(label)
            if grain is not None:
                yield from self._over(_Key(label, grain), numeric)
            else:
                yield self._last(grid)
        elif label is not None:
            for axis in axes_of(grid.series):
                yield self._top(replace(grid, series=tuple(axis)), _Key(label))

    def groups(self, numeric: Sequence[TableColumn]) -> Iterator[Grid]:
        """Tables in long form, a row for each case: by time and group, by time, by group."""
        times = [
            column for column in self._columns.columns
            if column.kind == "time" and len(set(column.times)) > 1
        ]  # fmt: skip
        named = [
            column for column in self._columns.columns
            if column.kind in ("category", "text")
            and 2 <= len(set(column.texts) - {""}) <= min(_MOST_GROUPS, self._columns.rows - 1)
            and max(map(len, column.texts)) <= _LONGEST_LABEL
        ]  # fmt: skip
        value = next((column for column in numeric if column.is_additive), numeric[0])
        few = [column for column in named if len(set(column.texts) - {""}) <= MOST_SERIES]
        found: list[Grid | None] = []
        timed: list[Grid | None] = []
        if times:
            key = _Key(times[0], _fitting_grain(times[0]))
            timed += self._over(key, numeric)
            if few:
                parted = self._by(key, few[0], value)
                whole = parted is not None and not parted.computed
                timed.insert(0 if whole else len(timed), parted)
        for at, column in enumerate(named[:3]):
            found += self._over(_Key(column), [value] if value.is_additive else numeric)
            second = next((other for other in few if other is not column), None)
            if second is not None and at == 0 and not times:
                parted = self._by(_Key(column), second, value)
                whole = parted is not None and not parted.computed
                found.insert(0 if whole else len(found), parted)
        yield from filter(None, timed + found if value.is_additive else found + timed)

    def _over(self, key: _Key, numeric: Sequence[TableColumn]) -> Iterator[Grid]:
        """The sums of columns by one key, and the means of others."""
        for how in ("sum", "mean"):
            wanted = [
                _Wanted(column.name, column) for column in numeric
                if column.kind != "mixed" and _how(column) == how and self._is_named(column)
            ]  # fmt: skip
            grid = self._gathered(key, wanted[:MOST_SERIES]) if self._is_named(key.column) else None
            if grid is not None:
                yield grid

    def _is_named(self, column: TableColumn) -> bool:
        """Whether a formula can name a column: no other before it has its heading."""
        wanted = quoted_name(column.heading)
        if column.heading == COUNT_HEADING:
            return True
        named = (one for one in self._columns.columns if quoted_name(one.heading) == wanted)
        return next(named) is column

    def _by(self, key: _Key, group: TableColumn, value: TableColumn) -> Grid | None:
        """The sums or means of a column by a key, a series for each label of a group."""
        if value.kind == "mixed" or not all(map(self._is_named, (key.column, group, value))):
            return None
        sizes: dict[str, float] = {}
        for text, amount in zip(group.texts, value.values, strict=True):
            sizes[text] = sizes.get(text, 0.0) + abs(amount or 0.0)
        names = [name for name in sorted(sizes, key=lambda name: -sizes[name]) if name]
        series = [_Wanted(name, value, (Condition(group.heading, name),)) for name in names]
        grid = self._gathered(key, series, by=group)
        if grid is None:
            return None
        return replace(grid, parts=value.is_additive, measure=value.name, group=group.name)

    def _gathered(
        self, key: _Key, wanted: Sequence[_Wanted], by: TableColumn | None = None
    ) -> Grid | None:
        """The values of some series by a key; None if there are fewer than two labels."""
        labels = key.labels
        order = self._ordered(key)
        if len(order) < 2 or not wanted:
            return None
        series = [self._gathered_series(key, order, item) for item in wanted]
        is_computed = any(one.formulas for one in series)
        counts = Counter(labels)
        usual = median(counts[label] for label in order)
        how = {_how(item.column) for item in wanted}
        by_names = [key.column.name, *([by.name] if by else [])]
        words = self._words[2 if how == {"sum"} else 3].format(name=", ".join(by_names))
        keys = ", ".join([key.text, *([quoted_name(by.heading)] if by else [])])
        computed = tuple(
            self._computed(
                words, f"{_how(column)}({quoted_name(column.heading)}) by {keys}", column
            )
            for column in dict.fromkeys(item.column for item in wanted)
        )
        times = dict(zip(labels, key.column.times, strict=False))
        grid = Grid(
            heading=key.column.name,
            labels=tuple(self._label(label, key) for label in order),
            series=tuple(series),
            times=tuple(
                time.within(key.grain) if key.grain else time
                for label in order if (time := times.get(label))
            ),
            shown=words if is_computed else "",
            computed=computed if is_computed else (),
            ends=min(counts[order[0]], counts[order[-1]]) >= _WHOLE_END * usual
            and _whole_ends(key),
        )  # fmt: skip
        if len(order) > _most_labels(grid):
            return self._last(grid) if grid.times else self._top(grid, key)
        return grid

    def _label(self, label: str, key: _Key) -> str:
        return month_text(label, self._language) if key.column.times else label

    def _ordered(self, key: _Key) -> list[str]:
        """The labels of a key, each once: times in their order, others as they stand."""
        labels = [label for label in dict.fromkeys(key.labels) if label]
        if key.column.times:
            times = dict(zip(key.labels, key.column.times, strict=True))
            labels.sort(key=lambda label: times[label] or TimeLabel(0))
        return labels

    def _gathered_series(self, key: _Key, order: Sequence[str], wanted: _Wanted) -> Series:
        name, column, conditions = wanted.name, wanted.column, wanted.conditions
        meant = [condition.rows(self._columns) for condition in conditions]
        rows: dict[str, list[int]] = {label: [] for label in order}
        for at, label in enumerate(key.labels):
            if label and column.values[at] is not None and all(kept[at] for kept in meant):
                rows[label].append(at)
        how = _how(column)
        if max(map(len, rows.values())) <= 1:
            first = [rows[label][0] if rows[label] else None for label in order]
            return Series(
                name, tuple(None if at is None else column.values[at] for at in first),
                tuple("" if at is None else column.texts[at] for at in first),
                column.kind, column.unit, column.is_additive,
            )  # fmt: skip
        values = tuple(
            gathered([value for at in rows[label] if (value := column.values[at]) is not None], how)
            if rows[label] else None
            for label in order
        )  # fmt: skip
        formulas = tuple(
            self._formula(column, (Condition(key.column.heading, label, key.grain), *conditions))
            for label in order
        )
        total = _total_of(self._columns, column) if not conditions else None
        return Series(
            name, values,
            tuple("" if value is None else number_text(value, self._numbers) for value in values),
            column.kind, column.unit, column.is_additive, formulas, total,
            f"sum({quoted_name(column.heading)})",
        )  # fmt: skip

    def _formula(self, column: TableColumn, conditions: Sequence[Condition]) -> str:
        parts = [quoted_name(column.heading), *(condition.text for condition in conditions)]
        return f"{_how(column)}({', '.join(parts)})"

    def _computed(self, text: str, formula: str, column: TableColumn) -> Computed:
        where = f"table {self._table.number}, column {column.heading}"
        return Computed(text, formula, self._table.document, where)

    def _last(self, grid: Grid) -> Grid:
        """The last times of a grid with too many."""
        kept = range(len(grid.labels) - MOST_TIMES, len(grid.labels))
        shown = self._words[1].format(part=MOST_TIMES, all=len(grid.labels))
        return replace(
            grid,
            labels=grid.labels[-MOST_TIMES:],
            times=grid.times[-MOST_TIMES:],
            series=tuple(series.part(kept) for series in grid.series),
            shown=", ".join(filter(None, [grid.shown, shown])),
        )

    def _top(self, grid: Grid, key: _Key) -> Grid:
        """The labels with the largest values of the first series, and the rest as one."""
        main = grid.series[0]
        order = sorted(
            (at for at, value in enumerate(main.values) if value is not None),
            key=lambda at: (-(main.values[at] or 0.0), at),
        )
        kept = order[:_TOP]
        shown = self._words[0].format(part=len(kept), all=len(grid.labels), name=main.name)
        top = replace(
            grid,
            labels=tuple(grid.labels[at] for at in kept),
            series=tuple(series.part(kept) for series in grid.series),
            shown=", ".join(filter(None, [grid.shown, shown])),
        )
        return self._with_rest(top, grid, key) if _has_sum(grid) else top

    def _with_rest(self, top: Grid, grid: Grid, key: _Key) -> Grid:
        others = [Condition(key.column.heading, label, key.grain, False) for label in top.labels]
        series, computed = [], list(top.computed)
        for shown, every in zip(top.series, grid.series, strict=True):
            column = next(one for one in self._columns.columns
                          if f"sum({quoted_name(one.heading)})" == every.total_formula)  # fmt: skip
            known = [value for value in every.values if value is not None]
            rest = round(sum(known) - sum(value or 0.0 for value in shown.values), 10)
            if rest > _TALLEST_REST * shown.largest:
                return top
            text, formula = number_text(rest, self._numbers), self._formula(column, others)
            computed.append(self._computed(text, formula, column))
            formulas = shown.formulas or ("",) * len(shown.values)
            series.append(replace(
                shown, values=(*shown.values, rest), texts=(*shown.texts, text),
                formulas=(*formulas, formula),
            ))  # fmt: skip
        name = _REST.get(primary_language(self._language), "…")
        return replace(
            top, labels=(*top.labels, name), series=tuple(series), computed=tuple(computed),
            rest=True,
        )  # fmt: skip


def _has_sum(grid: Grid) -> bool:
    """Whether the values of all series can be summed, so that a rest means something."""
    return all(
        series.is_additive and series.total_formula
        and all(value >= 0 for value in series.values if value is not None)
        for series in grid.series
    )  # fmt: skip


def _whole_ends(key: _Key) -> bool:
    """Whether the first and the last of coarser times are covered as far as those between."""
    if key.grain is None:
        return True
    days: dict[TimeLabel, list[int]] = {}
    for time in key.column.times:
        if time is not None:
            days.setdefault(time.within(key.grain), []).append(31 * time.part + time.day)
    order = sorted(days)
    year = 31 * {"month": 1, "quarter": 3}.get(key.grain, 12)
    begun = [(min(days[time]) - 31) % year for time in order]
    ended = [(max(days[time]) - 31) % year for time in order]
    first = begun[0] <= median(begun) + _SLACK * year
    return first and ended[-1] >= median(ended) - _SLACK * year


def _most_labels(grid: Grid) -> int:
    if not grid.times:
        return MOST_LABELS
    return _MOST_DAYS_DRAWN if grid.times[0].grain == "day" else MOST_TIMES


def _how(column: TableColumn) -> str:
    return "sum" if column.is_additive else "mean"


def _fitting_grain(column: TableColumn) -> Grain | None:
    """The finest grain that gives as few times as a chart shows; None for the column's own.

    Many days are months, if there are a few of these: single days say little.
    """
    times = {time for time in column.times if time}
    if not all(time.year for time in times):
        return None
    months = {time.within("month") for time in times} if _grain_of(times) == "day" else set()
    days = _MOST_DAYS if len(months) >= _LEAST_MONTHS else _MOST_DAYS_DRAWN
    if len(times) <= (days if months else MOST_TIMES):
        return None
    for grain in COARSER.get(_grain_of(times), ()):
        if _LEAST_TIMES <= len({time.within(grain) for time in times}) <= MOST_TIMES:
            return grain
    return None


def _grain_of(times: Collection[TimeLabel]) -> Grain:
    return next(iter(times)).grain
