"""Results of a run as pages, tables and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from decklab.benchmarks.pptarena.decks import Decks, Image
from decklab.benchmarks.pptarena.difficulty import DifficultyRow
from decklab.benchmarks.pptarena.ordering import Ordering
from decklab.benchmarks.pptarena.running import CaseResult
from decklab.benchmarks.pptarena.session import FLAWED
from decklab.benchmarks.pptarena.starter import slug
from decklab.benchmarks.pptarena.summary import COLUMNS, summary
from decklab.geometry import Box
from decklab.judges.editing.verdict import EditVerdict
from decklab.metrics.pictures import color_ssim, visual_diff
from decklab.reports.pictures import SlidePicture, encode_jpeg
from decklab.reports.pptarena_page import write_arena_case, write_arena_summary
from decklab.reports.pptarena_view import (
    ArenaCase,
    ArenaCell,
    ArenaEditor,
    ArenaRow,
    ArenaRun,
    ArenaSlide,
    ArenaVerdict,
)
from decklab.results import NotScored

_SHOWN = 8
"""Slides that a case's page shows at most, changed ones only. Ours."""
_WIDTH, _QUALITY = 800, 70
"""Of the pictures of a case's page, in pixels and 0 to 100. Ours: twice as wide as they are shown,
some 40 kB."""
_NEAR_ONE = ("preservation", "visual")
"""Columns whose values are near 1 even for poor edits, and need three decimals."""


def arena_run(
    title: str,
    version: str,
    runs: Mapping[str, Sequence[CaseResult]],
    *,
    facts: Sequence[str] = (),
    difficulty: Sequence[DifficultyRow] = (),
    orders: Mapping[str, Mapping[str, Ordering]] | None = None,
) -> ArenaRun:
    """What tables and pages show: results by the name of their editor; ``orders`` are those of
    ``Session``."""
    return ArenaRun(
        title,
        version,
        COLUMNS,
        tuple(_editor(name, results) for name, results in runs.items()),
        tuple(facts),
        tuple(_difficulty_row(row) for row in difficulty),
        _order_rows(orders or {}),
    )


def write_pages(run: ArenaRun, runs: Mapping[str, Sequence[CaseResult]], folder: Path,
                decks: Decks) -> Path:  # fmt: skip
    """Write ``index.html`` and a page for each case and editor, and return the index's path.

    Decks are drawn again from the cache where ``decks`` draws at all.
    """
    found: dict[str, list[ArenaCase]] = {name: [] for name in runs}
    for results in zip(*runs.values(), strict=True):  # by case: its decks are drawn once
        for name, result in zip(runs, results, strict=True):
            page = f"cases/{slug(name)}/{slug(result.case.name)}.html"
            case = replace(arena_case(result, decks), page=page)
            write_arena_case(
                folder / page, case, editor=name, columns=run.columns, summary="../../index.html"
            )
            found[name].append(replace(case, slides=()))
    editors = tuple(replace(one, cases=tuple(found[one.name])) for one in run.editors)
    write_arena_summary(folder / "index.html", replace(run, editors=editors))
    return folder / "index.html"


def arena_case(result: CaseResult, decks: Decks) -> ArenaCase:
    """One case with the pictures of the slides that anybody changed."""
    companions, case = result.companions, result.case
    slides: list[ArenaSlide] = []
    more = 0
    missing = companions.reason if isinstance(companions, NotScored) else ""
    if not missing:
        drawn = [
            decks.pictures(path) for path in (case.original, result.prediction, case.ground_truth)
        ]
        missing = next((one.reason for one in drawn if isinstance(one, NotScored)), "")
        pictures = [one for one in drawn if not isinstance(one, NotScored)]
        slides, more = ([], 0) if missing else _slides(*pictures)
    told = None if isinstance(companions, NotScored) else companions
    return ArenaCase(
        name=case.name,
        prompt=case.prompt,
        style_target=case.style_target,
        categories=case.categories,
        edit_types=case.edit_types,
        ending=result.edited.ending,
        note=result.edited.note,
        seconds=result.seconds,
        values={column: _cell(column, result.value(column)) for column in COLUMNS},
        verdicts=tuple(
            _verdict(name, verdict)
            for name, verdict in (
                ("IF", result.instruction), ("VQ", result.visual), *result.second,
            )
            if verdict is not None
        ),
        matched=told.matched_words if told else (),
        missing=told.missing_words if told else (),
        unasked=told.unasked_words if told else (),
        slides=tuple(slides),
        more=more,
        no_pictures=missing,
    )  # fmt: skip


def results_json(runs: Mapping[str, Sequence[CaseResult]]) -> dict[str, Any]:
    """Plain JSON: by editor the summary and each case's values, or reasons for none."""
    return {
        editor: {
            "summary": [
                {
                    "category": row.category,
                    "cases": row.cases,
                    **{
                        column: _plain(cell.mean, cell.scored) for column, cell in row.cells.items()
                    },
                }
                for row in summary(results)
            ],
            "cases": [_case_json(result) for result in results],
        }
        for editor, results in runs.items()
    }


def _case_json(result: CaseResult) -> dict[str, Any]:
    told = None if isinstance(result.companions, NotScored) else result.companions
    return {
        "name": result.case.name,
        "categories": list(result.case.categories),
        "edit_types": list(result.case.edit_types),
        "prediction": str(result.prediction),
        "ending": result.edited.ending,
        "note": result.edited.note,
        "seconds": round(result.seconds, 3),
        "values": {column: _plain(result.value(column)) for column in COLUMNS},
        "reasons": {
            name: verdict.reason
            for name, verdict in (
                ("IF", result.instruction), ("VQ", result.visual), *result.second,
            )
            if verdict is not None
        },
        "missing": list(told.missing_words) if told else [],
        "unasked": list(told.unasked_words) if told else [],
    }  # fmt: skip


def _plain(value: float | NotScored, scored: int | None = None) -> dict[str, Any]:
    count = {} if scored is None else {"scored": scored}
    if isinstance(value, NotScored):
        return {"value": None, "reason": value.reason, **count}
    return {"value": value, **count}


def _editor(name: str, results: Sequence[CaseResult]) -> ArenaEditor:
    rows = tuple(
        ArenaRow(
            row.category,
            row.cases,
            {column: _cell(column, cell.mean, cell.scored) for column, cell in row.cells.items()},
        )
        for row in summary(results)
    )
    return ArenaEditor(name, rows, flawed=name.startswith(FLAWED))


def _order_rows(orders: Mapping[str, Mapping[str, Ordering]]) -> tuple[tuple[str, ...], ...]:
    if not orders:
        return ()
    kinds = next(iter(orders.values()))
    rows = [
        (companion, *(f"{one.right} of {one.pairs}" for one in by_kind.values()))
        for companion, by_kind in orders.items()
    ]
    return (("", *kinds), *rows)


def _difficulty_row(row: DifficultyRow) -> tuple[str, ...]:
    return (
        row.category,
        str(row.cases),
        f"{row.operations:.1f}",
        f"{row.slides:.1f}",
        f"{row.cross_slide:.0%}",
        f"{row.high_diff:.0%}",
    )


def _cell(column: str, value: float | NotScored, scored: int = 1) -> ArenaCell:
    if isinstance(value, NotScored):
        return ArenaCell(None, 0, value.reason)
    return ArenaCell(value, scored, digits=3 if column in _NEAR_ONE else 2)


def _verdict(name: str, verdict: EditVerdict) -> ArenaVerdict:
    judge = f"{name} ({verdict.model})" if verdict.model else name
    return ArenaVerdict(judge, _cell(name, verdict.score), verdict.reason, verdict.shown)


def _slides(
    original: Sequence[Image], prediction: Sequence[Image], truth: Sequence[Image]
) -> tuple[list[ArenaSlide], int]:
    """Slides that look different, those least like the truth where there are too many, and how
    many more there are."""
    count = max(len(original), len(prediction), len(truth))
    rows = [
        [pictures[n] if n < len(pictures) else None for n in range(count)]
        for pictures in (original, prediction, truth)
    ]
    changed = [n for n in range(count) if not all(_same(rows[0][n], row[n]) for row in rows[1:])]
    likeness = {
        n: 1.0 if _same(rows[1][n], rows[2][n]) else color_ssim(rows[1][n], rows[2][n])
        for n in changed
    }
    shown = sorted(sorted(changed, key=lambda n: likeness[n])[:_SHOWN])
    slides = [
        ArenaSlide(
            n + 1,
            original=_thumbnail(rows[0][n]),
            prediction=_thumbnail(rows[1][n]),
            truth=_thumbnail(rows[2][n]),
            likeness=likeness[n],
            regions=_regions(rows[1][n], rows[2][n]),
        )
        for n in shown
    ]
    return slides, len(changed) - len(shown)


def _regions(one: Image | None, other: Image | None) -> tuple[Box, ...]:
    return () if _same(one, other) else visual_diff([one], [other])[0].regions


def _same(one: Image | None, other: Image | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(one, other))


def _thumbnail(image: Image | None) -> SlidePicture | None:
    return None if image is None else encode_jpeg(image, width=_WIDTH, quality=_QUALITY)
