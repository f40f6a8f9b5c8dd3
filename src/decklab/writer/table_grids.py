"""Ways to read a table as values by label and series: as it is, turned, or gathered by groups."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from decklab.board.languages import primary_language
from decklab.documents.computed import count_column
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
from decklab.documents.table_times import read_time
from decklab.writer.table_groups import Gatherer
from decklab.writer.table_series import (
    MOST_LABELS,
    MOST_SERIES,
    ONE_SCALE,
    PLANNED,
    WEIGHT,
    Grid,
    TableSeries,
    are_alternatives,
    column_series,
    is_better_low,
    month_text,
    number_language,
    shown_words,
)

_LONGEST_LABEL: Final = 40
_PARAMETERS: Final = re.compile(
    r"val\.?|values?|werte?|valeurs?|valor(?:es)?|init\.?|opt\.?|defaults?|settings?", re.IGNORECASE
)
"""Headings of lists of parameters, whose values have nothing in common."""
_NAMES: Final = re.compile(
    r"(?:year(?: built)?|built|born|founded|opened|since|room|zip|postcode|version|phone|page|rank"
    r"|jahr|baujahr|geboren|gegründet|raum|zimmer|plz|année|salle|rang|año|sala|versión)"
    r"(?: (?:no\.?|number|code|nr\.?))?",
    re.IGNORECASE,
)
"""Headings of numbers that name a time, a place or an edition."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_YEAR: Final = re.compile(r"(?:1[89]|20)\d\d")
_COHORT: Final = re.compile(
    r"\b(?:bought|built|purchased|delivered|planted|founded|installed|born|age|since|made in"
    r"|baujahr|gekauft|angeschafft|gebaut|geboren|alter|achat|construit|né|edad|comprado)\b",
    re.IGNORECASE,
)
"""Headings of times that tell groups of things apart, and not when something was measured."""
_ADDRESS: Final = re.compile(r"0x[\da-f]", re.IGNORECASE)
_STATE: Final = re.compile(
    r"\A(?:all|total|of which|alle|tous|todos)\Z|\b(?:19|20)\d\d\b"
    r"|\b(?:years?|months?|now|today|after|before|first|last|then|jahre?|ans?|années?|años?)\b",
    re.IGNORECASE,
)
"""Headings of columns that are times or states of one thing, or hold the others."""
_LEAST_OPTIONS: Final = 3
_LEAST_COUNTED: Final = 20
"""Rows that are counted or summed by group. Ours."""
_ROWS: Final = {"en": "Rows", "de": "Zeilen", "fr": "Lignes", "es": "Filas"}


def grids(columns: TableColumns, table: DocumentTable, language: str) -> Iterator[Grid]:
    """Ways to read a table, the fullest first; none if it has no numbers."""
    label = _label_column(columns)
    numeric = [
        column for column in columns.columns
        if column.is_numeric and not column.is_total and column is not label
        and (_names_values(column) or (label is not None and label.times
                                       and not _NAMES.fullmatch(column.name)))
    ]  # fmt: skip
    numeric = [column for column in numeric if not column.is_difference] or numeric
    gatherer = Gatherer(columns, table, language)
    numbers = number_language(columns, language)
    rows = label.texts if label and columns.rows <= MOST_LABELS else ()
    heading = label.heading if label else ""
    topic = " ".join([table.caption, heading, *rows])
    caption = table.caption or (heading if is_better_low(heading) else "")
    for grid in _read(columns, label, numeric, gatherer, language):
        said = grid.said and replace(grid.said, numbers=numbers, topic=topic, caption=caption)
        yield replace(
            grid, numbers=numbers, topic=topic, caption=caption, said=said,
            alternatives=are_alternatives(columns),
        )  # fmt: skip


def _read(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn],
    gatherer: Gatherer, language: str,
) -> Iterator[Grid]:  # fmt: skip
    if not numeric and columns.rows >= _LEAST_COUNTED and not any(
        column.is_numeric for column in columns.columns
    ):  # fmt: skip
        yield from gatherer.groups([count_column(columns, _counted(columns, language))])
    if not numeric:
        return
    if label is None:
        few = columns.rows < _LEAST_COUNTED
        yield from (grid for grid in gatherer.groups(numeric) if not (few and grid.computed))
        return
    turned = _turned(columns, label, numeric, language)
    if turned is not None:
        yield turned
    elif columns.rows > 1 and not _has_row_units(label):
        plain = _plain_grid(columns, label, numeric)
        totals = None if plain.times else _totals_grid(columns, label, numeric)
        plain = replace(
            plain, labels=tuple(month_text(text, language) for text in plain.labels),
            said=_with_total(plain, columns) if plain.times else totals,
        )  # fmt: skip
        if totals is not None and len(numeric) >= _LEAST_OPTIONS:
            yield totals
        fitted = gatherer.fitted(plain, label, numeric)
        groups = gatherer.groups(numeric) if columns.rows >= _LEAST_COUNTED else iter(())
        timed = label is not None and label.times
        yield from chain(fitted, groups) if timed else chain(groups, fitted)


def _label_column(columns: TableColumns) -> TableColumn | None:
    """The column that names the rows: the first with a name of its own for each, numbers last."""
    kinds = {"time": 0, "category": 0, "text": 0, "code": 1, "identifier": 1, "count": 2}
    fitting = [
        column for column in columns.columns
        if column.kind in kinds and column.is_distinct
        and (column is columns.columns[0] or any(map(_LETTER.search, column.texts)))
        and (column.kind != "count" or (column is columns.columns[0] and columns.rows > 1))
        and _can_be_labels(column)
    ]  # fmt: skip
    return min(fitting, key=lambda column: kinds[column.kind], default=None)


def _names_values(column: TableColumn) -> bool:
    """Whether a heading says what the values are; those of a list of parameters differ, and years
    and numbers of rooms are no amounts."""
    plain = _PARAMETERS.fullmatch(column.name) is None and _NAMES.fullmatch(column.name) is None
    years = not column.unit and all(map(_YEAR.fullmatch, column.texts))
    return bool(column.name) and plain and not years


def _counted(columns: TableColumns, language: str) -> str:
    """The name of the things in the rows of a table, by the heading of the first column."""
    name = columns.columns[0].name
    if columns.columns[0].kind != "category" or len(name) < 4 or not name.isalpha():
        return _ROWS.get(primary_language(language), "#")
    return f"{name}s" if primary_language(language) == "en" and not name.endswith("s") else name


def _can_be_labels(column: TableColumn) -> bool:
    """Whether the cells are names, short or with beginnings that tell them apart; no addresses."""
    if all(map(_ADDRESS.match, column.texts)):
        return False
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
    timed = label is not None and not _COHORT.search(label.heading)
    times = tuple(time for time in label.times if time) if label and timed else ()
    order = list(range(len(labels)))
    if times:
        order.sort(key=lambda at: times[at])
    return Grid(
        heading=(label or columns.columns[0]).name,
        labels=tuple(labels[at] for at in order),
        series=tuple(column_series(columns, column).part(order) for column in numeric),
        times=tuple(times[at] for at in order) if times else (),
        parts=any(column.is_total for column in columns.columns),
    )


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
    # of another axis than its parts
    stated = replace(column_series(columns, total), is_additive=False)
    return replace(plain, series=(stated, *plain.series))


def _totals_grid(
    columns: TableColumns, label: TableColumn | None, numeric: Sequence[TableColumn]
) -> Grid | None:
    """The only total row with its columns as labels, so that these can be compared; else None."""
    if len(columns.totals) != 1 or label is None or len(numeric) < 2:
        return None
    if len(numeric) < _LEAST_OPTIONS and numeric[0].kind != "money" and not is_better_low(
        " ".join([label.heading, *label.texts])
    ):  # fmt: skip
        return None
    timed = all(read_time(column.name) for column in numeric)
    if any(
        PLANNED.search(column.name) or (not timed and _STATE.search(column.name))
        for column in numeric
    ):
        return None
    if any(column.is_total for column in columns.columns):  # parts of one thing, no options
        return None
    numeric = [column for column in numeric if not WEIGHT.fullmatch(column.name)]
    cells = columns.totals[0]
    places = [columns.columns.index(column) for column in numeric]
    read = [cell_number(cells[at], columns.decimal) for at in places]
    if None in read or len({(column.unit, column.kind) for column in numeric}) > 1:
        return None
    name = cells[columns.columns.index(label)]
    total = TableSeries(
        name, tuple(item[0] for item in read if item), tuple(cells[at] for at in places),
        numeric[0].kind, numeric[0].unit,
    )  # fmt: skip
    if max(total.values[at] or 0.0 for at in range(len(places))) >= ONE_SCALE * min(
        abs(value or 0.0) for value in total.values
    ):
        return None
    names = tuple(column.name for column in numeric)
    return Grid("", names, (total,), ranged=True, shown=name)


def _has_row_units(label: TableColumn | None) -> bool:
    """Whether the names of the rows have units that differ, so that no axis fits all rows."""
    units = {heading_unit(text)[1] for text in label.texts} if label else set()
    return len(units) > 1 and any(map(is_unit, units))


def _row_series(grid: Grid, columns: Sequence[TableColumn], at: int) -> TableSeries:
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
    return TableSeries(name if own == unit else grid.labels[at], values, texts, kind, own, additive,
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
