"""SlideEval's tables and figures as CSV, one file each."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from decklab.files import whole_file
from decklab.reports.slideeval_labels import FIGURE_2, FIGURE_7, TABLE_4
from decklab.reports.slideeval_tables import dataset_tables
from decklab.reports.slideeval_views import CeilingView, MeasureView, SlideEvalView, Spread
from decklab.reports.wording import clean

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


def _ends(spread: Spread) -> tuple[float | None, float | None, float | None]:
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
