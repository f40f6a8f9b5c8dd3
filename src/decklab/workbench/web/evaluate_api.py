"""The JSON API of evaluation: all that its pages show."""

from typing import Any

from fastapi import APIRouter

from decklab.workbench.web.evaluate_cases import look_at, walk
from decklab.workbench.web.evaluate_filter import leaderboard, paired
from decklab.workbench.web.evaluate_index import Unreadable
from decklab.workbench.web.evaluate_model import KINDS_OF_RUNS
from decklab.workbench.web.evaluate_pages import AskedFilter, add_evaluate_files
from decklab.workbench.web.evaluate_showing import (
    case_json,
    column_json,
    detail_json,
    failed_steps,
    frame_json,
    pair_json,
    place_json,
    run_json,
    steps_json,
)
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.workbench import Workbench


def evaluate_api(bench: Workbench) -> APIRouter:
    """Runs, leaderboards, cases and trajectories, for programs."""
    router = APIRouter()
    index = bench.runs

    @router.get("/evaluate/runs")
    def runs(kind: str = "") -> dict[str, Any]:
        """The runs, the newest first, and what could not be read."""
        return {
            "runs": [run_json(one) for one in index.runs() if not kind or one.kind == kind],
            "not_read": [_unreadable(one) for one in index.unreadable()],
        }

    @router.get("/evaluate/board/{kind}")
    def board(kind: str, sort: str = "", q: str = "") -> dict[str, Any]:
        """The systems of all runs of a benchmark, the best by ``sort`` first."""
        if kind not in KINDS_OF_RUNS:
            raise NotThere("no such benchmark")
        columns, places = leaderboard(index.runs(), kind, sort=sort, q=q)
        return {
            "columns": [column_json(one) for one in columns],
            "places": [place_json(one) for one in places],
        }

    @router.get("/evaluate/runs/{run_id}")
    def run(run_id: str) -> dict[str, Any]:
        """A run with the means of its systems."""
        return run_json(index.run(run_id))

    @router.get("/evaluate/runs/{run_id}/cases")
    def cases(run_id: str, chosen: AskedFilter, first: int = 0, most: int = 100) -> dict[str, Any]:
        """The cases of a run that the filter leaves."""
        found = chosen.choose(index.run(run_id))
        start = max(first, 0)
        wanted = found[start : start + min(max(most, 1), 1000)]
        return {"total": len(found), "cases": [case_json(one) for one in wanted]}

    @router.get("/evaluate/runs/{run_id}/cases/{case_id}")
    def case(run_id: str, case_id: str, draw: bool = True) -> dict[str, Any]:
        """All that is known of a case. Its decks are drawn and compared by a ``job``, once."""
        found = look_at(bench, run_id, case_id, draw=draw)
        return case_json(found.case) | detail_json(found.detail, found.decks, found.job)

    @router.get("/evaluate/compare")
    def compare(before: str, after: str, one: str, other: str, column: str = "") -> dict[str, Any]:
        """System ``one`` of a run beside system ``other`` of another run, case by case."""
        old, new = index.run(before), index.run(after)
        by = old.column(column)
        pairs = paired(
            [case for case in old.cases if case.system == one],
            [case for case in new.cases if case.system == other], by,
        )  # fmt: skip
        return {"column": column_json(by), "cases": [pair_json(pair, by.name) for pair in pairs]}

    @router.get("/evaluate/trajectories")
    def trajectories() -> list[dict[str, Any]]:
        """The trajectories, the newest first."""
        return [steps_json(one) for one in index.trajectories()]

    @router.get("/evaluate/trajectories/{steps_id}")
    def trajectory(steps_id: str) -> dict[str, Any]:
        """A trajectory, step by step; the last frame is the screen at the end."""
        found = index.steps(steps_id)
        read, frames = walk(found)
        return steps_json(found) | {
            "frames": [frame_json(one, n, found.id) for n, one in enumerate(frames, start=1)],
            "failed_steps": failed_steps(read),
        }

    add_evaluate_files(router, bench)
    return router


def _unreadable(one: Unreadable) -> dict[str, str]:
    return {"file": one.file, "why": one.why}
