"""The pages of evaluation: runs, leaderboards, cases, trajectories, two runs compared."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse, HTMLResponse

from decklab.evals.desktop.trajectory_page import drawn_mark, took_words
from decklab.workbench.web.evaluate_cases import (
    LookedCase,
    look_at,
    neighbours,
    picture_of,
    screen_of,
    walk,
)
from decklab.workbench.web.evaluate_filter import ORDERS, CaseFilter, leaderboard, paired
from decklab.workbench.web.evaluate_index import FoundSteps
from decklab.workbench.web.evaluate_jobs import changes_between
from decklab.workbench.web.evaluate_model import KINDS_OF_RUNS, FoundRun, RunCase
from decklab.workbench.web.evaluate_showing import failed_steps, shown_case, shown_time, shown_value
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.pages import render
from decklab.workbench.web.showing import job_json
from decklab.workbench.web.workbench import Workbench

PAGE_CASES = 100
"""Cases that one page lists (ours)."""
HERE = "/evaluate"
_YEAR = "private, max-age=31536000, immutable"
_MARKED_WIDTH = 1280
"""Width of the screen for which marks are drawn; they grow with it."""


def asked_filter(
    *,
    system: str = "",
    label: str = "",
    difficulty: str = "",
    column: str = "",
    low: Annotated[str, Query(max_length=20)] = "",
    high: Annotated[str, Query(max_length=20)] = "",
    state: str = "",
    q: str = "",
    order: str = "",
) -> CaseFilter:
    """The filter in an address; raises ValueError for an end of the range that is no number."""
    return CaseFilter(
        system, label, difficulty, column, _end(low), _end(high), state, q.strip(), order
    )


def _end(given: str) -> float | None:
    if not given.strip():
        return None
    try:
        return float(given)
    except ValueError:
        raise ValueError("the range of scores takes numbers") from None


AskedFilter = Annotated[CaseFilter, Depends(asked_filter)]


def evaluate_pages(bench: Workbench) -> APIRouter:
    """The pages of evaluation."""
    router = APIRouter(default_response_class=HTMLResponse)
    index = bench.runs

    @router.get("/evaluate")
    def runs_page(kind: str = "") -> str:
        runs = index.runs()
        own = [one for one in index.trajectories() if not kind or kind == "trajectory"]
        return _page(
            "evaluate.html", kinds=_kinds(runs, len(index.trajectories())), kind=kind,
            runs=[one for one in runs if not kind or one.kind == kind], trajectories=own,
            unreadable=index.unreadable(), folders=len(index.folders),
        )  # fmt: skip

    @router.get("/evaluate/board/{kind}")
    def board_page(kind: str, sort: str = "", q: str = "") -> str:
        if kind not in KINDS_OF_RUNS:
            raise NotThere("no such benchmark")
        columns, places = leaderboard(index.runs(), kind, sort=sort, q=q)
        by = sort if any(one.name == sort for one in columns) else ""
        main = by or (places[0].run.main if places else "")
        return _page("evaluate_board.html", kind=kind, columns=columns, places=places, by=main, q=q)

    @router.get("/evaluate/runs/{run_id}")
    def run_page(run_id: str, chosen: AskedFilter, page: int = 1) -> str:
        run = index.run(run_id)
        found = chosen.choose(run)
        last = max(1, -(-len(found) // PAGE_CASES))
        page = min(max(page, 1), last)
        first = (page - 1) * PAGE_CASES
        others = [one for one in index.runs() if one.kind == run.kind]
        return _page(
            "evaluate_run.html", run=run, chosen=chosen, orders=ORDERS, page=page, last=last,
            cases=found[first : first + PAGE_CASES], count=len(found), others=others,
            column=run.column(chosen.column),
        )  # fmt: skip

    @router.get("/evaluate/runs/{run_id}/cases/{case_id}")
    def case_page(run_id: str, case_id: str, chosen: AskedFilter, slides: str = "") -> str:
        looked = look_at(bench, run_id, case_id, draw=False)
        before, after, place, count = neighbours(looked.run, looked.case, chosen)
        same = [one for one in looked.run.cases if one.name == looked.case.name]
        return _page(
            "evaluate_case.html", **_case_context(bench, looked, slides), chosen=chosen,
            before=before, after=after, place=place, count=count, same=same,
        )  # fmt: skip

    @router.get("/evaluate/runs/{run_id}/cases/{case_id}/seen")
    def seen(run_id: str, case_id: str, slides: str = "") -> str:
        looked = look_at(bench, run_id, case_id, draw=True)
        return _page("evaluate_seen.html", **_case_context(bench, looked, slides))

    @router.get("/evaluate/compare")
    def compare_page(
        before: str, after: str, one: str = "", other: str = "", column: str = ""
    ) -> str:
        old, new = index.run(before), index.run(after)
        if old.kind != new.kind:
            raise ValueError("only runs of the same benchmark can be compared")
        return _page("evaluate_compare.html", **_compared(old, new, one, other, column))

    @router.get("/evaluate/trajectories/{steps_id}")
    def steps_page(steps_id: str, step: int = 1) -> str:
        return _page("evaluate_steps.html", **_steps_context(index.steps(steps_id), step))

    add_evaluate_files(router, bench)
    return router


def add_evaluate_files(router: APIRouter, bench: Workbench, prefix: str = HERE) -> None:
    """Add pictures of slides and screens to the pages or to the JSON API."""

    @router.get(prefix + "/pictures/{digest}/{slide}.webp")
    def picture(digest: str, slide: int) -> FileResponse:
        found = picture_of(bench, digest, slide)
        return FileResponse(found, media_type="image/webp", headers={"cache-control": _YEAR})

    @router.get(prefix + "/trajectories/{steps_id}/screens/{place}.png")
    def screen(steps_id: str, place: int) -> FileResponse:
        found = screen_of(bench, steps_id, place)
        return FileResponse(found, media_type="image/png")


def _page(template: str, **context: Any) -> str:
    return render(
        template, here=HERE, kind_words=KINDS_OF_RUNS, shown=shown_value, named=shown_case,
        when=shown_time, **context,
    )  # fmt: skip


def _kinds(runs: list[FoundRun], trajectories: int) -> dict[str, int]:
    """How many there are of each kind; kinds without any are left out."""
    counts = {kind: sum(one.kind == kind for one in runs) for kind in KINDS_OF_RUNS}
    counts["trajectory"] = trajectories
    return {kind: count for kind, count in counts.items() if count}


def _case_context(bench: Workbench, looked: LookedCase, slides: str) -> dict[str, Any]:
    changes = {
        one.what: told
        for one in looked.decks[1:]
        if (told := changes_between(looked.decks[0], one)) is not None
    }
    count = max((one.told["slides"] for one in looked.decks if one.told), default=0)
    places = [place for told in changes.values() for place in told["changes"]]
    found = {slide for place in places for slide in place["slides"]}
    changed = sorted(found & set(range(1, count + 1)))
    every = slides == "all" or len(looked.decks) == 1
    return {
        "run": looked.run, "case": looked.case, "detail": looked.detail, "decks": looked.decks,
        "whole": looked.whole, "failed": looked.failed, "changes": changes, "slides": slides,
        "job": job_json(bench.jobs, bench.jobs.job(looked.job)) if looked.job else None,
        "slide_count": count, "changed": changed,
        "shown_slides": list(range(1, count + 1)) if every else changed or [1],
    }  # fmt: skip


def _compared(old: FoundRun, new: FoundRun, one: str, other: str, column: str) -> Mapping[str, Any]:
    by = old.column(column)
    first = one if one in old.systems else old.systems[0]
    later = [name for name in new.systems if new is not old or name != first] or [first]
    second = other if other in new.systems else (first if first in later else later[0])
    pairs = paired(_of(old, first), _of(new, second), by)
    verdicts = [pair.verdict for pair in pairs]
    return {
        "old": old, "new": new, "one": first, "other": second, "column": by, "pairs": pairs,
        "counts": {word: verdicts.count(word) for word in ("better", "worse", "same", "open")},
    }  # fmt: skip


def _of(run: FoundRun, system: str) -> list[RunCase]:
    return [case for case in run.cases if case.system == system]


def _steps_context(found: FoundSteps, step: int) -> dict[str, Any]:
    trajectory, frames = walk(found)
    place = min(max(step, 1), len(frames))
    frame = frames[place - 1]
    width, height = trajectory.run.get("screen") or (1280, 720)
    scale = width / _MARKED_WIDTH
    failed = failed_steps(trajectory)
    return {
        "found": found, "trajectory": trajectory, "frames": frames, "place": place,
        "frame": frame, "width": width, "height": height, "unit": scale,
        "marks": [drawn_mark(mark, scale) for mark in frame.marks], "took": took_words(frame),
        "failed": failed, "next_failed": next((one for one in failed if one > place), None),
    }  # fmt: skip
