"""Evaluation: the pages of runs, leaderboards, cases and trajectories, and their JSON API."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse, HTMLResponse

from decklab.evals.desktop.trajectory import Trajectory
from decklab.evals.desktop.trajectory_page import StepFrame, drawn_mark, frames_of, took_words
from decklab.workbench.web.evaluate_details import (
    CaseDeck,
    CaseDetail,
    about,
    changes_between,
    detail_of,
    picture_folder,
    seen_decks,
)
from decklab.workbench.web.evaluate_index import STEPS, FoundSteps
from decklab.workbench.web.evaluate_runs import KINDS_OF_RUNS, FoundRun, RunCase
from decklab.workbench.web.evaluate_showing import (
    ORDERS,
    CaseFilter,
    case_json,
    detail_json,
    failed_steps,
    frame_json,
    leaderboard,
    pair_json,
    paired,
    place_json,
    run_json,
    shown_case,
    shown_time,
    shown_value,
    steps_json,
)
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.pages import job_json, kept_picture, render
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import SEE_CASE

_TRY_AGAIN_SECONDS: Final = 60.0
"""How long drawing that failed counts as failed before it is tried again (ours)."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class LookedCase:
    """A case with its drawings and comparisons so far."""

    run: FoundRun
    case: RunCase
    detail: CaseDetail
    decks: Sequence[CaseDeck]
    job: str = ""
    """The job that draws and compares; empty if all is done, or nothing was asked yet."""
    failed: str = ""
    """Why drawing failed."""

    @property
    def whole(self) -> bool:
        """Whether all decks are drawn and compared."""
        return all(deck.facts is not None for deck in self.decks) and all(
            changes_between(self.decks[0], one) is not None for one in self.decks[1:]
        )


def look_at(bench: Workbench, run_id: str, case_id: str, *, draw: bool) -> LookedCase:
    """A case; with ``draw`` its decks are drawn if they are not yet. Raises NotThere, and
    QueueFull if too much waits."""
    run, case = bench.runs.case(run_id, case_id)
    detail = detail_of(bench.runs, run, case)
    looked = LookedCase(run, case, detail, seen_decks(bench.library, detail))
    if looked.whole:
        return looked
    last = bench.jobs.last(about(run, case), SEE_CASE)
    if last is not None and last.state in OPEN:
        return LookedCase(run, case, detail, looked.decks, last.id)
    if last is not None and time.time() - (last.ended or 0) < _TRY_AGAIN_SECONDS:
        return LookedCase(run, case, detail, looked.decks, failed=last.message or "it was stopped")
    if not draw:
        return looked
    job = bench.jobs.ask(SEE_CASE, about=about(run, case), run=run.id, case=case.id)
    return LookedCase(run, case, detail, looked.decks, job)


def picture_of(bench: Workbench, digest: str, slide: int) -> Path:
    """The picture of a slide of a deck that was drawn for a case; raises NotThere."""
    if not _DIGEST.match(digest) or not 0 < slide < 10_000:
        raise NotThere("no such picture")
    path = picture_folder(bench.library, digest) / f"slide-{slide:03}.webp"
    if not path.is_file():
        raise NotThere(f"slide {slide} is not drawn")
    return path


def neighbours(
    run: FoundRun, case: RunCase, chosen: CaseFilter
) -> tuple[RunCase | None, RunCase | None, int, int]:
    """The case before and after among those that the filter leaves, the place of this one from 1
    (0 if it is not among them), and how many there are."""
    cases = chosen.choose(run)
    ids = [item.id for item in cases]
    if case.id not in ids:
        return None, cases[0] if cases else None, 0, len(cases)
    index = ids.index(case.id)
    before = cases[index - 1] if index else None
    after = cases[index + 1] if index + 1 < len(cases) else None
    return before, after, index + 1, len(cases)


@lru_cache(maxsize=32)
def _frames(folder: Path, _stamp: tuple[int, int]) -> tuple[Trajectory, tuple[StepFrame, ...]]:
    read = Trajectory.read(folder)
    return read, tuple(frames_of(read))


def walk(steps: FoundSteps) -> tuple[Trajectory, tuple[StepFrame, ...]]:
    """A trajectory with its frames; raises NotThere if it is gone or broken by now."""
    try:
        folder = steps.folder / STEPS
        status = folder.stat() if folder.exists() else steps.folder.stat()
        return _frames(steps.folder, (status.st_mtime_ns, status.st_size))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotThere("the trajectory cannot be read any more") from error


def screen_of(bench: Workbench, steps_id: str, number: int) -> Path:
    """The picture of the screen at a place of a trajectory, from 1; raises NotThere."""
    steps = bench.runs.steps(steps_id)
    _, frames = walk(steps)
    if not 0 < number <= len(frames):
        raise NotThere("no such step")
    path = steps.folder / frames[number - 1].screen
    inside = path.suffix == ".png" and path.parent == steps.folder / "screens"
    if not inside or not bench.runs.inside(path):
        raise NotThere("the screen of this step is gone")
    return path


PAGE_CASES = 100
"""Cases that one page lists (ours)."""
HERE = "/evaluate"
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
        own = [item for item in index.trajectories() if not kind or kind == "trajectory"]
        return _page(
            "evaluate.html", kinds=_kinds(runs, len(index.trajectories())), kind=kind,
            runs=[item for item in runs if not kind or item.kind == kind], trajectories=own,
            unreadable=index.unreadable(), folders=len(index.folders),
        )  # fmt: skip

    @router.get("/evaluate/board/{kind}")
    def board_page(kind: str, sort: str = "", q: str = "") -> str:
        columns, places = leaderboard(index.runs(), kind, sort=sort, q=q)
        by = sort if any(item.name == sort for item in columns) else ""
        main = by or (places[0].run.main if places else "")
        return _page("evaluate_board.html", kind=kind, columns=columns, places=places, by=main, q=q)

    @router.get("/evaluate/runs/{run_id}")
    def run_page(run_id: str, chosen: AskedFilter, page: int = 1) -> str:
        run = index.run(run_id)
        cases = chosen.choose(run)
        last = max(1, -(-len(cases) // PAGE_CASES))
        page = min(max(page, 1), last)
        first = (page - 1) * PAGE_CASES
        others = [other for other in index.runs() if other.kind == run.kind]
        return _page(
            "evaluate_run.html", run=run, chosen=chosen, orders=ORDERS, page=page, last=last,
            cases=cases[first : first + PAGE_CASES], count=len(cases), others=others,
            column=run.column(chosen.column),
        )  # fmt: skip

    @router.get("/evaluate/runs/{run_id}/cases/{case_id}")
    def case_page(run_id: str, case_id: str, chosen: AskedFilter, slides: str = "") -> str:
        looked = look_at(bench, run_id, case_id, draw=False)
        before, after, position, count = neighbours(looked.run, looked.case, chosen)
        same = [case for case in looked.run.cases if case.name == looked.case.name]
        return _page(
            "evaluate_case.html", **_case_context(bench, looked, slides), chosen=chosen,
            before=before, after=after, place=position, count=count, same=same,
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
        return kept_picture(picture_of(bench, digest, slide))

    @router.get(prefix + "/trajectories/{steps_id}/screens/{place}.png")
    def screen(steps_id: str, place: int) -> FileResponse:
        return FileResponse(screen_of(bench, steps_id, place), media_type="image/png")


def _page(template: str, **context: Any) -> str:
    return render(
        template, here=HERE, kind_words=KINDS_OF_RUNS, shown=shown_value, named=shown_case,
        when=shown_time, **context,
    )  # fmt: skip


def _kinds(runs: list[FoundRun], trajectories: int) -> dict[str, int]:
    """How many there are of each kind; kinds without any are left out."""
    counts = {kind: sum(run.kind == kind for run in runs) for kind in KINDS_OF_RUNS}
    counts["trajectory"] = trajectories
    return {kind: count for kind, count in counts.items() if count}


def _case_context(bench: Workbench, looked: LookedCase, slides: str) -> dict[str, Any]:
    changes = {
        deck.what: by_slide
        for deck in looked.decks[1:]
        if (by_slide := changes_between(looked.decks[0], deck)) is not None
    }
    count = max((shown.facts["slides"] for shown in looked.decks if shown.facts), default=0)
    places = [place for by_slide in changes.values() for place in by_slide["changes"]]
    touched = {slide for place in places for slide in place["slides"]}
    changed = sorted(touched & set(range(1, count + 1)))
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


def _steps_context(steps: FoundSteps, step: int) -> dict[str, Any]:
    trajectory, frames = walk(steps)
    number = min(max(step, 1), len(frames))
    frame = frames[number - 1]
    width, height = trajectory.run.get("screen") or (1280, 720)
    scale = width / _MARKED_WIDTH
    failed = failed_steps(trajectory)
    return {
        "found": steps, "trajectory": trajectory, "frames": frames, "place": number,
        "frame": frame, "width": width, "height": height, "unit": scale,
        "marks": [drawn_mark(mark, scale) for mark in frame.marks], "took": took_words(frame),
        "failed": failed, "next_failed": next((later for later in failed if later > number), None),
    }  # fmt: skip


def evaluate_api(bench: Workbench) -> APIRouter:
    """Runs, leaderboards, cases and trajectories, for programs."""
    router = APIRouter()
    index = bench.runs

    @router.get("/evaluate/runs")
    def runs(kind: str = "") -> dict[str, Any]:
        """The runs, the newest first, and what could not be read."""
        return {
            "runs": [run_json(item) for item in index.runs() if not kind or item.kind == kind],
            "not_read": [vars(file) for file in index.unreadable()],
        }

    @router.get("/evaluate/board/{kind}")
    def board(kind: str, sort: str = "", q: str = "") -> dict[str, Any]:
        """The systems of all runs of a benchmark, the best by ``sort`` first."""
        columns, places = leaderboard(index.runs(), kind, sort=sort, q=q)
        return {
            "columns": list(map(asdict, columns)),
            "places": [place_json(item) for item in places],
        }

    @router.get("/evaluate/runs/{run_id}")
    def run(run_id: str) -> dict[str, Any]:
        """A run with the means of its systems."""
        return run_json(index.run(run_id))

    @router.get("/evaluate/runs/{run_id}/cases")
    def cases(run_id: str, chosen: AskedFilter, first: int = 0, most: int = 100) -> dict[str, Any]:
        """The cases of a run that the filter leaves."""
        cases = chosen.choose(index.run(run_id))
        start = max(first, 0)
        wanted = cases[start : start + min(max(most, 1), 1000)]
        return {"total": len(cases), "cases": [case_json(item) for item in wanted]}

    @router.get("/evaluate/runs/{run_id}/cases/{case_id}")
    def case(run_id: str, case_id: str, draw: bool = True) -> dict[str, Any]:
        """All that is known of a case. Its decks are drawn and compared by a ``job``, once."""
        looked = look_at(bench, run_id, case_id, draw=draw)
        return case_json(looked.case) | detail_json(looked.detail, looked.decks, looked.job)

    @router.get("/evaluate/compare")
    def compare(before: str, after: str, one: str, other: str, column: str = "") -> dict[str, Any]:
        """System ``one`` of a run beside system ``other`` of another run, case by case."""
        old, new = index.run(before), index.run(after)
        by = old.column(column)
        pairs = paired(_of(old, one), _of(new, other), by)
        return {"column": asdict(by), "cases": [pair_json(pair, by.name) for pair in pairs]}

    @router.get("/evaluate/trajectories")
    def trajectories() -> list[dict[str, Any]]:
        """The trajectories, the newest first."""
        return [steps_json(item) for item in index.trajectories()]

    @router.get("/evaluate/trajectories/{steps_id}")
    def trajectory(steps_id: str) -> dict[str, Any]:
        """A trajectory, step by step; the last frame is the screen at the end."""
        steps = index.steps(steps_id)
        read, frames = walk(steps)
        return steps_json(steps) | {
            "frames": [frame_json(frame, n, steps.id) for n, frame in enumerate(frames, start=1)],
            "failed_steps": failed_steps(read),
        }

    add_evaluate_files(router, bench)
    return router
