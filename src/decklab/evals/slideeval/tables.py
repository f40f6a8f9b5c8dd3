"""Rows, labels and values of a slideeval report: for CSV files and for a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.files import write_whole
from decklab.core.results import NotScored, reason_of
from decklab.evals.results.means import MeanOf
from decklab.evals.results.page import CaseCell, CaseRow, CaseTable
from decklab.evals.results.tables import ResultColumn, ResultRow, ResultTable, apart, system_table
from decklab.evals.slideeval.summary import (
    CountSpread,
    DatasetTables,
    ScopedMeasure,
    SensitivitySummary,
    SlideEvalSummary,
)
from decklab.metrics.ratings import PRINTED_MACE, PRINTED_POA
from decklab.metrics.sensitivity import ManipulationCheck
from decklab.metrics.statistics import Interval
from decklab.pages.files import csv_text
from decklab.pages.wording import clean, counted, number


@dataclass(frozen=True)
class MeasureLabel:
    """The label of a measure, and whether higher is better."""

    label: str
    higher: bool
    unit: str = ""
    top: float | None = 1.0
    """End of its axis; None for the largest value shown."""
    low: float = 0.0
    """Start of its axis."""
    doubled: bool = True
    """Whether end to end and parsed only differ; errors do not, as both use matched pairs."""


MEASURES: Final[dict[str, MeasureLabel]] = {
    "matching_f1": MeasureLabel("Matching F1", True),
    "iou_error": MeasureLabel("1 − IoU", False, doubled=False),
    "center_error": MeasureLabel("Centre error, of the diagonal", False, "", None, doubled=False),
    "size_error": MeasureLabel("Size error", False, doubled=False),
    "aspect_error": MeasureLabel("Image aspect error", False, doubled=False),
    "text_f1": MeasureLabel("Text content F1", True),
    "any_style_f1": MeasureLabel("Any-style F1", True),
    "font_family_accuracy": MeasureLabel("Font family accuracy", True),
    "font_group_accuracy": MeasureLabel("Font group accuracy", True),
    "font_size_error": MeasureLabel("Font size error", False, " pt", None, doubled=False),
    "text_color": MeasureLabel("Text colour", False, " ΔE00", None, doubled=False),
    "contrast_shift": MeasureLabel("Contrast shift", False, "", None, doubled=False),
    "length_ratio": MeasureLabel("Length ratio", True, top=None),
    "kendall_tau": MeasureLabel("Kendall’s τ", True, low=-1.0),
    "spearman_rho": MeasureLabel("Spearman’s ρ", True, low=-1.0),
    "exact_match": MeasureLabel("Exact match", True),
}

TABLE_4: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Elements", ("matching_f1",)),
    ("Geometry", ("iou_error", "center_error", "size_error", "aspect_error")),
    ("Content", ("text_f1",)),
    (
        "Style",
        (
            "any_style_f1", "font_family_accuracy", "font_group_accuracy", "font_size_error",
            "text_color", "contrast_shift",
        ),
    ),
)  # fmt: skip
"""Rows of the paper's table 4, by group."""

FIGURE_2: Final = ("matching_f1", "text_f1", "iou_error", "font_family_accuracy")
FIGURE_7: Final = (
    "any_style_f1", "font_group_accuracy", "font_family_accuracy", "font_size_error",
    "text_color", "contrast_shift", "iou_error", "center_error", "size_error", "aspect_error",
)  # fmt: skip
FIGURE_8: Final = ("length_ratio", "kendall_tau", "spearman_rho", "exact_match")

CATEGORIES: Final = {
    "slides": "Number of slides",
    "elements": "All elements",
    "texts": "Text",
    "rects": "Rect",
    "lines": "Line",
    "images": "Image",
    "tables": "Table",
    "words": "Words",
}
"""Labels of the rows of table 2; the last is ours."""

COUNTS: Final = ("mean", "SD", "min", "median", "max")

_CSV_COUNTS: Final = ("mean", "sd", "min", "median", "max")

_MEASURE: Final = (
    "judge measure where end_to_end low high parsed_only parsed_low parsed_high coverage std n "
    "reason"
)

_Row = Sequence[Any]
PlainTable = tuple[str, Iterable[_Row]]
"""Names of columns, separated by blanks, and the rows."""


def printed_values(check: ManipulationCheck) -> tuple[float | None, float | None]:
    """Adjacent POA and MACE that the paper prints for a check; None if it prints none."""
    poa = PRINTED_POA.get(check.scale or 0) if check.axis == "all" else None
    of_all = (check.of, check.axis, check.scale) == ("judges", "all", None)
    return poa, PRINTED_MACE if of_all else None


def print_dataset(tables: DatasetTables, console: Console) -> None:
    """Print the tables to ``console``, fonts in lines as wide as the console."""
    console.print(Text(f"{clean(tables.name)}, {counted(tables.decks, 'deck')}", style="bold"))
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for over in ("per deck", "per slide"):
        for column, heading in enumerate(COUNTS):
            table.add_column(f"{over}\n{heading}" if column == 0 else heading, justify="right")
    table.add_column("total", justify="right")
    for row in tables.rows:
        cells = [*_printed(row.per_deck), *_printed(row.per_slide)]
        table.add_row(CATEGORIES[row.category], *cells, str(row.total))
    console.print(table)
    for title, fonts in (("fonts", tables.families), ("groups of fonts", tables.groups)):
        if fonts:
            listed = ", ".join(f"{clean(font.name)} {font.true}" for font in fonts)
            console.print(Text(f"\n{title}: {listed}"))


def _printed(counts: CountSpread | None) -> Iterator[str]:
    """Whole numbers without decimals; mean and SD with two decimals, as in the paper."""
    for name, value in zip(COUNTS, _counts(counts), strict=True):
        if value is None:
            yield "–"
        elif name in ("mean", "SD"):
            yield number(value)
        else:
            yield f"{value:g}"


def write_slideeval_csv(folder: str | Path, summary: SlideEvalSummary) -> list[Path]:
    """Write every table and figure into ``folder``, each file whole or not at all.

    ``table-2``, ``table-4``, ``table-5``, ``table-6``, ``figure-2``, ``figure-3a``,
    ``figure-3b``, ``figure-6``, ``figure-7``, ``figure-8``, ``manipulation``, ``measures``,
    ``scales``, ``severity``, ``weights`` and ``questions``, all ``.csv`` with a header. A cell is
    empty if there is no value; ``reason`` says why.
    """
    tables = plain_tables(summary)
    return [_write(Path(folder, f"{name}.csv"), *table) for name, table in tables.items()]


def plain_tables(summary: SlideEvalSummary) -> dict[str, PlainTable]:
    """Every table and figure by its name: names of columns, separated by blanks, and rows."""
    return {
        **_extraction_tables(summary),
        **_sensitivity_tables(summary.sensitivity),
        **_dataset_tables(summary.datasets),
        "figure-8": (
            "judge measure mean low high decks reason",
            (
                (row.name, key, cell.mean, *_ends(cell.interval), cell.scored, cell.reason)
                for row in order_table(summary).rows
                for key, cell in row.cells.items()
            ),
        ),
        "questions": (
            "task judge decks questions unreadable without_reply causes",
            (
                (i.task, i.judge, i.decks, i.questions, i.unreadable, i.failures,
                 "; ".join(f"{count} x {cause}" for cause, count in i.failed))
                for i in summary.questions
            ),
        ),
    }  # fmt: skip


_OF_TABLES: Final[Mapping[str, tuple[str, str]]] = {
    "figure-6": ("Figure 6: parse success by complexity", "bootstrap_low bootstrap_high reason"),
    "weights": ("What hangs on the weights of the matching", "reason"),
    "figure-3a": ("Figure 3a: consistency and fidelity", "on_frontier ladder_draws reason"),
    "figure-3b": ("Figure 3b: agreement of judges by severity", "reason"),
    "manipulation": ("Manipulation check, beside what the paper prints", "reason"),
    "scales": ("From 5 to 100 points", "reason"),
    "figure-8": ("Figure 8: order of slides", "reason"),
    "table-2": ("Table 2: what the slides hold", ""),
    "table-5": ("Table 5: fonts of texts", ""),
    "table-6": ("Table 6: groups of fonts", ""),
    "questions": ("Questions", ""),
}
"""Titles of tables on the page, and the columns that are in the CSV file only."""


def case_table(name: str, table: PlainTable) -> tuple[str, CaseTable] | None:
    """A plain table as the page shows it, and its title; None if it has no row."""
    title, hidden = _OF_TABLES[name]
    header, rows = table[0].split(), list(table[1])
    shown = [place for place, column in enumerate(header) if column not in hidden.split()]
    words = [header[place].replace("_", " ") for place in shown[1:]]
    made = [
        CaseRow(str(row[shown[0]]), [_case_cell(row[place]) for place in shown[1:]]) for row in rows
    ]
    return (title, CaseTable(header[0], words, made)) if made else None


def _case_cell(value: Any) -> CaseCell:
    if value is None or isinstance(value, NotScored):
        return CaseCell("–", why=reason_of(value))
    if isinstance(value, float):
        return CaseCell(number(value, 3), value)
    return CaseCell(str(value), float(value) if isinstance(value, int) else None)


def measure_table(summary: SlideEvalSummary, *, parsed: bool = False) -> ResultTable:
    """Table 4: judges by measures, end to end or over the replies that fit the schema."""
    names = [name for _, listed in TABLE_4 for name in listed]
    cells: dict[str, dict[str, MeanOf]] = {}
    for item in summary.measures:
        if item.whole.where == "all" and item.name in names:
            estimate = item.parsed if parsed else item.whole
            mean = _estimated(estimate.value, estimate.n, estimate.interval)
            cells.setdefault(item.judge, {})[item.name] = mean
    scope, name = ("parsed only", "table-4-parsed") if parsed else ("end to end", "table-4")
    return _judge_table(name, f"Table 4: extraction, {scope}", names, cells)


def order_table(summary: SlideEvalSummary) -> ResultTable:
    """Figure 8: judges by the measures of their orders, compared over decks."""
    title, columns = "Figure 8: order of slides", _columns(FIGURE_8)
    return system_table(
        "figure-8", title, summary.ordering, columns, main="kendall_tau", head="Judge"
    )


def _judge_table(
    name: str, title: str, measures: Sequence[str], cells: Mapping[str, Mapping[str, MeanOf]]
) -> ResultTable:
    columns = _columns(name for name in measures if any(name in row for row in cells.values()))
    none = MeanOf(_NOBODY, 0, 0, _NOBODY)
    rows = tuple(
        ResultRow(judge, {column.key: row.get(column.key, none) for column in columns})
        for judge, row in cells.items()
    )
    table = ResultTable(name, title, columns, rows, head="Judge")
    return replace(table, leading=apart(table))


def _columns(measures: Iterable[str]) -> tuple[ResultColumn, ...]:
    return tuple(
        ResultColumn(measure, f"{label.label}{label.unit}",
                     f"{'higher' if label.higher else 'lower'} is better",
                     scale=(label.low, label.top) if label.top else None,
                     lower_better=not label.higher)
        for measure in measures
        for label in [MEASURES[measure]]
    )  # fmt: skip


def _estimated(value: float | NotScored, count: int, interval: Interval | NotScored) -> MeanOf:
    """A measure that was asked for, with its own interval."""
    due = max(1, count) if isinstance(value, NotScored) else count
    return MeanOf(value, count, due, interval)


_NOBODY: Final = NotScored("it was not measured")


def _extraction_tables(summary: SlideEvalSummary) -> dict[str, PlainTable]:
    overall = [row for row in summary.measures if row.whole.where == "all"]
    names = [name for _, listed in TABLE_4 for name in listed]
    return {
        "table-4": (_MEASURE, _named(overall, names)),
        "figure-2": (_MEASURE, _named(overall, FIGURE_2)),
        "figure-7": (_MEASURE, _named(overall, FIGURE_7)),
        "measures": (_MEASURE, map(_measure, summary.measures)),
        "figure-6": (
            "judge elements n rate low high bootstrap_low bootstrap_high reason",
            (
                (each.judge, i.label, i.n, i.rate, *_ends(i.interval), *_ends(i.bootstrap),
                 reason_of(i.rate))
                for each in summary.extraction
                for i in each.bins
            ),
        ),
        "weights": (
            "judge changed factor matching_f1 shift reason",
            (
                (each.judge, i.changed or "nothing", i.factor, i.f1, i.shift, reason_of(i.f1))
                for each in summary.extraction
                for i in each.weights
            ),
        ),
    }  # fmt: skip


def _named(items: Sequence[ScopedMeasure], names: Sequence[str]) -> Iterator[_Row]:
    chosen = [item for item in items if item.name in names]
    return map(_measure, sorted(chosen, key=lambda item: names.index(item.name)))


def _measure(item: ScopedMeasure) -> _Row:
    whole, parsed = item.whole, item.parsed
    return (
        item.judge, item.name, whole.where, whole.value, *_ends(whole.interval), parsed.value,
        *_ends(parsed.interval), whole.coverage, whole.std, whole.n, reason_of(whole.value),
    )  # fmt: skip


def _sensitivity_tables(sensitivity: SensitivitySummary) -> dict[str, PlainTable]:
    return {
        "figure-3a": (
            "judge axis scale consistency consistency_low consistency_high fidelity fidelity_low "
            "fidelity_high mace n on_frontier ladder_draws damage_consistency damage_fidelity "
            "damage_mace reason",
            _points(sensitivity),
        ),
        "figure-3b": (
            "first second axis scale over up_to n rho reason",
            (
                (*i.models, i.axis, i.scale, None if i.low < 0 else i.low, i.high, i.n, i.rho,
                 reason_of(i.rho))
                for i in sensitivity.agreements
            ),
        ),
        "manipulation": (
            "of axis scale poa low high mace n printed_poa printed_mace reason",
            (
                (i.of, i.axis, i.scale, i.poa, *_ends(i.interval), i.mace, i.n,
                 *printed_values(i), reason_of(i.poa))
                for i in sensitivity.checks
            ),
        ),
        "scales": (
            "judge r2 rmse p n reason",
            ((i.model, i.r2, i.rmse, i.p, i.n, reason_of(i.r2)) for i in sensitivity.links),
        ),
        "severity": ("judge axis scale severity degradation damage", _severities(sensitivity)),
    }  # fmt: skip


def _points(sensitivity: SensitivitySummary) -> Iterator[_Row]:
    for i in sensitivity.points:
        top = sensitivity.ceiling(i)
        yield (
            i.model, i.axis, i.scale, i.consistency, *_ends(i.consistency_interval), i.fidelity,
            *_ends(i.fidelity_interval), i.mace, i.n, i.on_frontier,
            sensitivity.ladder_draws.get(i.model),
            *((top.consistency, top.fidelity, top.mace) if top else (None, None, None)),
            reason_of(i.fidelity) or reason_of(i.consistency),
        )  # fmt: skip


def _severities(sensitivity: SensitivitySummary) -> Iterator[_Row]:
    for point in sensitivity.points:
        top = sensitivity.ceiling(point)
        damage = dict(top.curve) if top else {}
        for severity, y in point.curve:
            yield point.model, point.axis, point.scale, severity, y, damage.get(severity)


def _dataset_tables(datasets: Sequence[DatasetTables]) -> dict[str, PlainTable]:
    """Table 2, and tables 5 and 6: fonts by ``truth``, those of the slides, and by each judge."""
    per = " ".join(f"{over}_{name}" for over in ("deck", "slide") for name in _CSV_COUNTS)
    rows = (
        (each.name, row.category, *_counts(row.per_deck), *_counts(row.per_slide), row.total)
        for each in datasets
        for row in each.rows
    )
    return {
        "table-2": (f"dataset category {per} total", rows),
        "table-5": ("dataset of font count", _fonts(datasets, "families")),
        "table-6": ("dataset of group count", _fonts(datasets, "groups")),
    }


def _fonts(datasets: Sequence[DatasetTables], kind: str) -> Iterator[_Row]:
    for each in datasets:
        for column, of in enumerate(("truth", *each.judges)):
            for font in getattr(each, kind):
                yield each.name, of, font.name, (font.true, *font.predicted)[column]


def _counts(counts: CountSpread | None) -> Sequence[float | None]:
    if counts is None:
        return (None,) * len(COUNTS)
    return counts.mean, counts.sd, counts.low, counts.median, counts.high


def _ends(interval: Interval | NotScored) -> _Row:
    return (None, None) if isinstance(interval, NotScored) else interval


def _write(path: Path, header: str, rows: Iterable[_Row]) -> Path:
    cells = ([_cell(value) for value in row] for row in rows)
    write_whole(path, csv_text([header.split(), *cells]).encode())
    return path


def _cell(value: object) -> object:
    if value is None or isinstance(value, NotScored):
        return ""
    if isinstance(value, float):
        return repr(value)
    return clean(value) if isinstance(value, str) else value
