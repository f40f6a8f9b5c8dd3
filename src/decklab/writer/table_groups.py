"""Few labels of many rows: coarser times, groups with their sums or means, the largest."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import Final

from decklab.board.languages import primary_language
from decklab.documents.computed import (
    COUNT_HEADING,
    Computed,
    Condition,
    gathered,
    labels_within,
    number_text,
    quoted_name,
)
from decklab.documents.model import DocumentTable
from decklab.documents.table_columns import TableColumn, TableColumns
from decklab.documents.table_times import COARSER, Grain, TimeLabel
from decklab.writer.table_series import (
    MOST_LABELS,
    MOST_SERIES,
    MOST_TIMES,
    Grid,
    TableSeries,
    axes_of,
    month_text,
    number_language,
    shown_words,
    total_of,
)

_MOST_DAYS_DRAWN: Final = 36
_TOP: Final = 10
"""Days that one chart shows at a readable size, and the largest of a long list. Ours."""
_MOST_DAYS, _LEAST_MONTHS, _LEAST_TIMES = 12, 4, 3
_LONGEST_LABEL: Final = 40
_MOST_GROUPS: Final = 60
_WHOLE_END: Final = 0.8
"""Share of the values that a sum or mean needs, and of the usual number of rows that the first and
the last time need for a change to be claimed: of a month of which half is known nothing can be
said. Ours."""
_SLACK: Final = 0.1
"""Share of a month or year that may be missing at an end. Ours."""
_DAYS_OF: Final[dict[Grain, int]] = {"week": 7, "quarter": 93, "half": 186}
"""Days of parts of a year of twelve months of 31."""
_TALLEST_REST: Final = 3.0
"""A rest that is more times the largest bar would make all others look alike. Ours."""
_REST: Final = {"en": "Other", "de": "Übrige", "fr": "Autres", "es": "Otros", "it": "Altri",
                "pt": "Outros", "nl": "Overige"}  # fmt: skip


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


class Gatherer:
    """Makes few labels of many: coarser times, groups with their sums or means, the largest."""

    def __init__(self, columns: TableColumns, table: DocumentTable, language: str) -> None:
        self._columns, self._table, self._language = columns, table, language
        self._numbers = number_language(columns, language)
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
            for axis in axes_of(grid.series, over_time=False):
                yield self._top(replace(grid, series=tuple(axis)), _Key(label))

    def groups(self, numeric: Sequence[TableColumn]) -> Iterator[Grid]:
        """Tables in long form, a row for each case: by time and group, by time, by group."""
        times = [
            column for column in self._columns.columns
            if column.kind == "time" and len(set(column.times)) > 1
        ]  # fmt: skip
        named = [
            column for column in self._columns.columns
            if column.kind in ("category", "text", "code")
            and 2 <= len(set(column.texts) - {""}) <= min(_MOST_GROUPS, self._columns.rows - 1)
            and max(map(len, column.texts)) <= _LONGEST_LABEL
        ]  # fmt: skip
        named = _different(named)
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
                if whole and not value.is_additive:  # a reading for each time and group
                    yield from filter(None, (self._by(key, few[0], one) for one in numeric))
                    return
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
            wanted = [item for item in wanted if how == "sum" or _differs(item.column, key)]
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
        series = [
            _Wanted(_class_name(group, name), value, (Condition(group.heading, name),))
            for name in names
        ]
        grid = self._gathered(key, series, by=group)
        if grid is None:
            return None
        return replace(grid, parts=value.is_additive, measure=value.name, group=group.name)

    def _gathered(
        self, key: _Key, wanted: Sequence[_Wanted], by: TableColumn | None = None
    ) -> Grid | None:
        """The values of some series by a key; None if there are fewer than two labels."""
        labels = key.labels
        every = self._ordered(key)
        order = every[:-1] if len(every) > _LEAST_TIMES and not _is_whole(key, -1) else every
        if len(order) < 2 or not wanted:
            return None
        series = [self._gathered_series(key, order, item) for item in wanted]
        is_computed = any(one.formulas for one in series)
        counts = Counter(labels)
        usual = median(counts[label] for label in order)
        how = {_how(item.column) for item in wanted}
        by_names = [key.column.name, *([by.name] if by else [])]
        words = self._words[2 if how == {"sum"} else 3].format(name=", ".join(by_names))
        if order != every:
            words += f", {self._words[4].format(name=self._label(every[-1], key))}"
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
            and _is_whole(key, 0) and (order != every or _is_whole(key, -1)),
        )  # fmt: skip
        if len(order) > _most_labels(grid):
            return self._last(grid) if grid.times else self._top(grid, key)
        return grid

    def _label(self, label: str, key: _Key) -> str:
        if key.column.times:
            return month_text(label, self._language)
        return _class_name(key.column, label)

    def _ordered(self, key: _Key) -> list[str]:
        """The labels of a key, each once: times in their order, others as they stand."""
        labels = [label for label in dict.fromkeys(key.labels) if label]
        if key.column.times:
            times = dict(zip(key.labels, key.column.times, strict=True))
            labels.sort(key=lambda label: times[label] or TimeLabel(0))
        return labels

    def _gathered_series(self, key: _Key, order: Sequence[str], wanted: _Wanted) -> TableSeries:
        name, column, conditions = wanted.name, wanted.column, wanted.conditions
        meant = [condition.rows(self._columns) for condition in conditions]
        rows: dict[str, list[int]] = {label: [] for label in order}
        for at, label in enumerate(key.labels):
            if label in rows and column.values[at] is not None and all(kept[at] for kept in meant):
                rows[label].append(at)
        how = _how(column)
        if max(map(len, rows.values())) <= 1:
            first = [rows[label][0] if rows[label] else None for label in order]
            return TableSeries(
                name, tuple(None if at is None else column.values[at] for at in first),
                tuple("" if at is None else column.texts[at] for at in first),
                column.kind, column.unit, column.is_additive,
            )  # fmt: skip
        counts = Counter(
            label for at, label in enumerate(key.labels) if all(kept[at] for kept in meant)
        )
        values = tuple(
            gathered([value for at in rows[label] if (value := column.values[at]) is not None], how)
            if rows[label] and len(rows[label]) >= _WHOLE_END * counts[label] else None
            for label in order
        )  # fmt: skip
        formulas = tuple(
            self._formula(column, (Condition(key.column.heading, label, key.grain), *conditions))
            for label in order
        )
        total = total_of(self._columns, column) if not conditions else None
        return TableSeries(
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
            cut=True,
        )
        return self._with_rest(top, grid, key) if _has_sum(grid) else top

    def _with_rest(self, top: Grid, grid: Grid, key: _Key) -> Grid:
        others = [
            Condition(key.column.heading, label, key.grain, False)
            for label in dict.fromkeys(key.labels)
            if self._label(label, key) in top.labels
        ]
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


def _class_name(column: TableColumn, label: str) -> str:
    """A label; a number that names a class has its heading before it, such as Priority 3."""
    return f"{column.name} {label}" if column.kind == "code" else label


def _different(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Columns that group rows, without those that only give the groups of one before another
    name."""
    kept: dict[tuple[int, ...], TableColumn] = {}
    for column in columns:
        first: dict[str, int] = {}
        kept.setdefault(
            tuple(first.setdefault(text, at) for at, text in enumerate(column.texts)), column
        )
    return list(kept.values())


def _differs(column: TableColumn, key: _Key) -> bool:
    """Whether the means of a column differ between groups: those of what was set do not."""
    groups: dict[str, list[float]] = {}
    for label, value in zip(key.labels, column.values, strict=True):
        if value is not None:
            groups.setdefault(label, []).append(value)
    return len({round(sum(values) / len(values), 9) for values in groups.values()}) > 1


def _has_sum(grid: Grid) -> bool:
    """Whether the values of all series can be summed, so that a rest means something."""
    return all(
        series.is_additive and series.total_formula
        and all(value >= 0 for value in series.values if value is not None)
        for series in grid.series
    )  # fmt: skip


def _is_whole(key: _Key, end: int) -> bool:
    """Whether the first (0) or the last (-1) of coarser times is covered as far as the others."""
    if key.grain is None:
        return True
    days: dict[TimeLabel, list[int]] = {}
    for time in key.column.times:
        if time is not None:
            days.setdefault(time.within(key.grain), []).append(
                _DAYS_OF.get(time.grain, 31) * (time.part - 1) + max(time.day, 1) - 1
            )
    order = sorted(days)
    year = 31 * {"month": 1, "quarter": 3}.get(key.grain, 12)
    if end == 0:
        begun = [min(days[time]) % year for time in order]
        return begun[0] <= median(begun) + _SLACK * year
    ended = [max(days[time]) % year for time in order]
    return ended[-1] >= median(ended) - _SLACK * year


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
