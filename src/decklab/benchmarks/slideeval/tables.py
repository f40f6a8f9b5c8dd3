"""Rows, labels and values of a slideeval report: for CSV files and for a terminal."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.benchmarks.slideeval.summary_views import (
    CeilingView,
    CountsView,
    DatasetView,
    FontView,
    MeasureView,
    SlideEvalView,
)
from decklab.files import whole_file
from decklab.reports.svg_charts import ValueSpread
from decklab.reports.wording import clean, counted, number


@dataclass(frozen=True)
class MeasureLabel:
    """How a measure is called, and which way is better."""

    label: str
    higher: bool
    unit: str = ""
    top: float | None = 1.0
    """Where its axis ends; None for the largest value shown."""
    doubled: bool = True
    """Whether end to end and parsed only differ: errors are of matched pairs in both."""


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
    "length_ratio": MeasureLabel("Length ratio", True),
    "kendall_tau": MeasureLabel("Kendall’s τ", True),
    "spearman_rho": MeasureLabel("Spearman’s ρ", True),
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

TASKS: Final = {
    "slideeval_extract": "Extraction",
    "slideeval_perturb": "Sensitivity",
    "slideeval_order": "Ordering",
}


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
"""Rows of table 2 in its words; the last is ours."""

COUNTS: Final = ("mean", "SD", "min", "median", "max")

_CSV_COUNTS: Final = ("mean", "sd", "min", "median", "max")
_NOTHING: Final = (None,) * len(COUNTS)


def print_dataset(view: DatasetView, console: Console) -> None:
    """Print the tables to ``console``, fonts beside each other as far as its width goes."""
    console.print(Text(f"{clean(view.name)}, {counted(view.decks, 'deck')}", style="bold"))
    table = _plain_table()
    table.add_column("", no_wrap=True)
    for over in ("per deck", "per slide"):
        for place, heading in enumerate(COUNTS):
            table.add_column(f"{over}\n{heading}" if place == 0 else heading, justify="right")
    table.add_column("total", justify="right")
    for row in view.rows:
        cells = [*_cells(row.per_deck), *_cells(row.per_slide)]
        table.add_row(CATEGORIES[row.category], *cells, str(row.total))
    console.print(table)
    for title, fonts in (("fonts", view.families), ("groups of fonts", view.groups)):
        if fonts:
            told = ", ".join(f"{clean(font.name)} {font.true}" for font in fonts)
            console.print(Text(f"\n{title}: {told}"))


def dataset_tables(view: SlideEvalView) -> dict[str, tuple[Sequence[str], Iterator[Sequence[Any]]]]:
    """Header and rows of ``table-2``, ``table-5`` and ``table-6``.

    A judge's counts are of its predictions; ``truth`` stands for what the slides have.
    """
    per = [f"{over}_{name}" for over in ("deck", "slide") for name in _CSV_COUNTS]
    return {
        "table-2": (("dataset", "category", *per, "total"), _count_rows(view)),
        "table-5": (("dataset", "of", "font", "count"), _font_rows(view, "families")),
        "table-6": (("dataset", "of", "group", "count"), _font_rows(view, "groups")),
    }


def _count_rows(view: SlideEvalView) -> Iterator[Sequence[Any]]:
    for dataset in view.datasets:
        for row in dataset.rows:
            counts = [*_values(row.per_deck), *_values(row.per_slide)]
            yield dataset.name, row.category, *counts, row.total


def _font_rows(view: SlideEvalView, table: str) -> Iterator[Sequence[Any]]:
    for dataset in view.datasets:
        fonts: tuple[FontView, ...] = getattr(dataset, table)
        for place, of in enumerate(("truth", *dataset.judges)):
            for font in fonts:
                count = font.true if place == 0 else font.predicted[place - 1]
                yield dataset.name, of, font.name, count


def _values(found: CountsView | None) -> Sequence[float | None]:
    if found is None:
        return _NOTHING
    return found.mean, found.sd, found.low, found.median, found.high


def _cells(found: CountsView | None) -> Iterator[str]:
    """Whole numbers as they are; mean and spread with two places, as the paper."""
    for name, value in zip(COUNTS, _values(found), strict=True):
        if value is None:
            yield "–"
        elif name in ("mean", "SD"):
            yield number(value)
        else:
            yield f"{value:g}"


def _plain_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)


_Row = Sequence[Any]

_MEASURE = (
    "judge", "measure", "where", "end_to_end", "low", "high", "parsed_only", "parsed_low",
    "parsed_high", "coverage", "std", "n", "reason",
)  # fmt: skip


def write_slideeval_csv(folder: str | Path, view: SlideEvalView) -> list[Path]:
    """Write every table and figure into ``folder``, each file whole or not at all.

    ``table-2``, ``table-4``, ``table-5``, ``table-6``, ``figure-2``, ``figure-3a``,
    ``figure-3b``, ``figure-6``, ``figure-7``, ``figure-8``, ``manipulation``, ``measures``,
    ``scales``, ``severity``, ``weights`` and ``questions``, all ``.csv`` with a header. A cell is
    empty where there is no value; ``reason`` says why.
    """
    overall = [item for item in view.measures if item.where == "all"]
    table = [name for _, names in TABLE_4 for name in names]
    tables: dict[str, tuple[Sequence[str], Iterable[_Row]]] = {
        "table-4": (_MEASURE, _measures(overall, table)),
        "figure-2": (_MEASURE, _measures(overall, FIGURE_2)),
        "figure-3a": (
            ("judge", "axis", "scale", "consistency", "consistency_low", "consistency_high",
             "fidelity", "fidelity_low", "fidelity_high", "mace", "n", "on_frontier",
             "ladder_draws", "damage_consistency", "damage_fidelity", "damage_mace", "reason"),
            _points(view),
        ),
        "figure-3b": (
            ("first", "second", "axis", "scale", "over", "up_to", "n", "rho", "reason"),
            _agreements(view),
        ),
        "figure-6": (
            ("judge", "elements", "n", "rate", "low", "high", "bootstrap_low",
             "bootstrap_high", "reason"),
            (
                (i.judge, i.label, i.n, *_ends(i.rate), i.bootstrap.low, i.bootstrap.high,
                 i.rate.reason)
                for i in view.bins
            ),
        ),
        "figure-7": (_MEASURE, _measures(overall, FIGURE_7)),
        "figure-8": (
            ("judge", "measure", "mean", "low", "high", "std", "decks", "reason"),
            (
                (i.judge, i.name, *_ends(i.value), i.std, i.decks, i.value.reason)
                for i in view.orders
            ),
        ),
        "manipulation": (
            ("of", "axis", "scale", "poa", "low", "high", "mace", "n", "printed_poa",
             "printed_mace", "reason"),
            (
                (i.of, i.axis, i.scale, *_ends(i.poa), i.mace.value, i.n, i.printed_poa,
                 i.printed_mace, i.poa.reason)
                for i in view.checks
            ),
        ),
        **dataset_tables(view),
        "measures": (_MEASURE, map(_measure, view.measures)),
        "scales": (
            ("judge", "r2", "rmse", "p", "n", "reason"),
            (
                (i.judge, i.r2.value, i.rmse.value, i.p.value, i.n, i.r2.reason)
                for i in view.links
            ),
        ),
        "severity": (
            ("judge", "axis", "scale", "severity", "degradation", "damage"),
            (
                (i.judge, i.axis, i.scale, severity, y,
                 None if i.ceiling is None else dict(i.ceiling.curve).get(severity))
                for i in view.points
                for severity, y in i.curve
            ),
        ),
        "weights": (
            ("judge", "changed", "factor", "matching_f1", "shift", "reason"),
            (
                (i.judge, i.changed or "nothing", i.factor, i.f1.value, i.shift.value, i.f1.reason)
                for i in view.weights
            ),
        ),
        "questions": (
            ("task", "judge", "decks", "questions", "unreadable", "without_reply", "causes"),
            (
                (i.task, i.judge, i.decks, i.questions, i.unreadable, i.failures,
                 "; ".join(f"{count} x {cause}" for cause, count in i.failed))
                for i in view.questions
            ),
        ),
    }  # fmt: skip
    return [_write(Path(folder, f"{name}.csv"), *table) for name, table in tables.items()]


def _write(path: Path, header: Sequence[str], rows: Iterable[_Row]) -> Path:
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow([_cell(value) for value in row])
    return path


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    return clean(value) if isinstance(value, str) else value


def _ends(spread: ValueSpread) -> tuple[float | None, float | None, float | None]:
    return spread.value, spread.low, spread.high


def _measures(items: Iterable[MeasureView], names: Sequence[str]) -> Iterator[_Row]:
    found = [item for item in items if item.name in names]
    return map(_measure, sorted(found, key=lambda item: names.index(item.name)))


def _measure(item: MeasureView) -> _Row:
    return (
        item.judge, item.name, item.where, *_ends(item.whole), *_ends(item.parsed), item.coverage,
        item.std, item.n, item.whole.reason,
    )  # fmt: skip


def _points(view: SlideEvalView) -> Iterator[_Row]:
    for i in view.points:
        yield (
            i.judge, i.axis, i.scale, *_ends(i.consistency), *_ends(i.fidelity), i.mace.value, i.n,
            i.on_frontier, i.ladder_draws, *_ceiling(i.ceiling),
            i.fidelity.reason or i.consistency.reason,
        )  # fmt: skip


def _ceiling(item: CeilingView | None) -> _Row:
    if item is None:
        return None, None, None
    return item.consistency.value, item.fidelity.value, item.mace.value


def _agreements(view: SlideEvalView) -> Iterator[_Row]:
    for i in view.agreements:
        low = None if i.low < 0 else i.low
        yield i.first, i.second, i.axis, i.scale, low, i.high, i.n, i.rho.value, i.rho.reason
