"""Decks: their pages, requests to edit them, versions and their changes accepted or taken back,
comparisons and files; and the JSON API of decks and jobs.
"""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Body, File, Query, UploadFile
from fastapi.responses import FileResponse, HTMLResponse
from starlette.concurrency import run_in_threadpool

from decklab.editing.requests.forms import request_examples
from decklab.editor.chat import MOST_EARLIER
from decklab.linting.mend import FIXABLE
from decklab.workbench.web.database import DeckRow, JobRow, VersionRow
from decklab.workbench.web.jobs import OPEN, SLOW, JobKind, Jobs, QueueFull
from decklab.workbench.web.library import Library, NotThere, line_of
from decklab.workbench.web.looking import WorkTask
from decklab.workbench.web.pages import (
    STAGES,
    attached,
    behind_file,
    decks_json,
    job_json,
    kept_picture,
    render,
    version_json,
    worst_first,
)
from decklab.workbench.web.workbench import (
    Workbench,
    accept,
    older_slide,
    picture_size,
    reopen,
    review,
)
from decklab.workbench.web.worker import EXPORTS

VIEWS = {"after": "Slide", "beside": "Side by side", "slider": "Slider"}
"""How a changed slide is shown, and what the page calls it."""


@dataclass(frozen=True)
class Place:
    """Address of a page of a deck: a slide of a version, against another version."""

    deck: str
    version: int
    against: int | None
    slide: int
    view: str

    def at(self, slide: int | None = None, view: str | None = None) -> str:
        """The address of the page with another slide or view."""
        asked: dict[str, Any] = {"version": self.version, "slide": slide or self.slide}
        if self.against is not None:
            asked["against"] = self.against
        view = view or self.view
        return (
            f"/decks/{self.deck}?{urlencode(asked | ({'view': view} if view != 'after' else {}))}"
        )


def review_context(
    bench: Workbench, shown: VersionRow, slide: int, against: int | None, view: str
) -> dict[str, Any]:
    """Content of a page on the changes of a version; all is empty if it is not compared."""
    base = _base(bench, shown, against)
    reviewed = review(bench.library, shown, base) if base else []
    job = None
    if reviewed is None and base is not None:
        with suppress(QueueFull):
            job = bench.compare(shown.deck, shown.number, base.number)
    older = older_slide(reviewed or (), slide)
    pictured = base is not None and older and bench.library.picture(base, older) is not None
    size = picture_size(bench.library.facts(shown))
    return {
        "base": base, "reviewed": reviewed or [], "older": older if pictured else None,
        "comparing": job.id if job and job.state in OPEN else "",
        "compare_failed": job.message if job and job.state == "failed" else "",
        "place": Place(shown.deck, shown.number, base.number if base else None, slide, view),
        "view": view if view in VIEWS and pictured else "after", "views": VIEWS,
        "changed": {group.slide for group in reviewed or () if group.slide},
        "unaccepted": [key for group in reviewed or () for key in group.open],
        "shapes": bench.library.shapes(shown, slide), "picture_size": size, "stages": STAGES,
    }  # fmt: skip


def _attention(bench: Workbench, shown: VersionRow, against: int | None) -> int:
    """The slide to begin with: the first that changed, else the first with an error, else 1."""
    base, facts = _base(bench, shown, against), bench.library.facts(shown)
    rows = (bench.library.changes(shown, base) if base else None) or ()
    changed = [row["slide"] for row in rows if row["slide"]]
    faulty = [
        finding["slide"] for finding in facts.findings
        if finding["severity"] == "error" and finding["slide"]
    ] if facts else []  # fmt: skip
    return int(min(changed or faulty or [1]))


def _base(bench: Workbench, shown: VersionRow, against: int | None) -> VersionRow | None:
    number = against if against is not None else bench.base_of(shown)
    if number is None or number == shown.number:
        return None
    return bench.library.version(shown.deck, number)


def set_accepted(
    bench: Workbench, deck: str, number: int, against: int, keys: Sequence[str], *, accepted: bool
) -> None:
    """Accept changes of a version, or make them open again; raises NotThere for another key."""
    shown, base = bench.library.version(deck, number), bench.library.version(deck, against)
    known = {row["key"] for row in bench.library.changes(shown, base) or ()}
    if not known.issuperset(keys):
        raise NotThere("these changes are not there")
    (accept if accepted else reopen)(bench.library, base, keys)


def review_api(bench: Workbench) -> APIRouter:
    """The changes of a version, for programs."""
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    @router.get("/decks/{deck_id}/versions/{number}/changes")
    def changes(deck_id: str, number: int, against: int | None = None) -> dict[str, Any]:
        """The changes since ``against``, by default since the version before the request.

        While they are looked for, ``job`` is the work that does it, and ``changes`` is null.
        """
        shown = library.version(deck_id, number)
        if (base := _base(bench, shown, against)) is None:
            return {"against": None, "changes": [], "job": None}
        reviewed = review(library, shown, base)
        job = bench.compare(deck_id, number, base.number) if reviewed is None else None
        return {
            "against": base.number,
            "job": job.id if job else None,
            "changes": None
            if reviewed is None
            else [dict(change) for group in reviewed for change in group.changes],
        }

    @router.post("/decks/{deck_id}/versions/{number}/accept")
    def accept_changes(deck_id: str, number: int, asked: dict[str, Any]) -> dict[str, Any]:
        """Accept the changes ``keys`` since ``against``; ``accepted`` false makes them open."""
        against, keys = _asked(asked)
        set_accepted(
            bench, deck_id, number, against, keys, accepted=bool(asked.get("accepted", True))
        )
        return changes(deck_id, number, against)

    @router.post("/decks/{deck_id}/versions/{number}/take-back", status_code=202)
    def take_back(deck_id: str, number: int, asked: dict[str, Any]) -> dict[str, Any]:
        """Take the changes ``keys`` since ``against`` back, as a new version; returns the job.

        Without both, all changes since the version before go. They go from the current version if
        it comes from this one: later changes stay, and ``undone`` lists conflicts.
        """
        against, keys = _asked(asked) if asked else (None, None)
        return job_json(jobs, jobs.job(bench.take_back(deck_id, number, against, keys)))

    return router


def _asked(asked: dict[str, Any]) -> tuple[int, list[str]]:
    against, keys = asked.get("against"), asked.get("keys")
    if not re.fullmatch(r"\d{1,9}", str(against)) or not isinstance(keys, list):
        raise ValueError("needed are against, the number of a version, and keys, a list")
    return int(str(against)), [str(key) for key in keys]


def deck_pages(bench: Workbench) -> APIRouter:
    """The pages of one deck."""
    router = APIRouter(default_response_class=HTMLResponse)
    library, jobs = bench.library, bench.jobs

    @router.get("/decks/{deck_id}")
    def deck_page(
        deck_id: str,
        version: int | None = None,
        slide: int | None = None,
        against: int | None = None,
        view: str = "after",
    ) -> str:
        problem = bench.look_at(deck_id)
        shown = library.version(deck_id, version or library.deck(deck_id).current)
        if slide is None:
            slide = _attention(bench, shown, against)
        context = _deck_context(bench, shown, slide, against, view)
        return render("deck.html", **context, problem=problem)

    @router.get("/decks/{deck_id}/versions/{number}/looked")
    def looked(
        deck_id: str, number: int, slide: int = 1, against: int | None = None, view: str = "after"
    ) -> str:
        shown = library.version(deck_id, number)
        context = _deck_context(bench, shown, slide, against, view)
        return render("looked.html", **context | {"news": True}, problem="")

    @router.get("/jobs/{job_id}")
    def job_page(job_id: str) -> str:
        return render("job.html", job=job_json(jobs, jobs.job(job_id)))

    add_files(router, library)
    return router


def add_files(router: APIRouter, library: Library) -> None:
    """Add pictures and files of decks to the pages or to the JSON API."""

    @router.get("/decks/{deck_id}/versions/{number}/slides/{slide}.webp")
    def picture(deck_id: str, number: int, slide: int) -> FileResponse:
        if (picture_file := library.picture(library.version(deck_id, number), slide)) is None:
            raise NotThere(f"slide {slide} is not drawn")
        return kept_picture(picture_file)

    @router.get("/decks/{deck_id}/versions/{number}/file")
    def download(deck_id: str, number: int) -> FileResponse:
        deck, version = library.deck(deck_id), library.version(deck_id, number)
        name = PurePath(deck.name).name
        if number > 1:
            name = f"{PurePath(name).stem} v{number}{version.suffix}"
        return attached(library.file(version), name)


def _deck_context(
    bench: Workbench, shown: VersionRow, slide: int, against: int | None, view: str
) -> dict[str, Any]:
    """All that the page of a version shows."""
    deck, facts = bench.library.deck(shown.deck), bench.library.facts(shown)
    look = bench.jobs.last_looks([deck.id]).get((deck.id, shown.number))
    waiting = look.id if look is not None and look.state in OPEN else ""
    count = facts.slides if facts else 0
    slide = max(slide, 1) if facts is None else min(max(slide, 1), max(count, 1))
    versions = bench.library.versions([deck.id])[deck.id]
    file = bench.library.folder_files([deck.id]).get(deck.id)
    return {
        "file": file, "behind": behind_file(file, versions, deck.current),
        "folder": bench.folder, "deck": deck, "shown": shown, "facts": facts, "waiting": waiting,
        "stage": STAGES.get(bench.jobs.stage(look), "") if look and waiting else "",
        "failed": look.message if look and look.state == "failed" else "",
        "slide": slide, "versions": versions, "line": line_of(versions, deck.current),
        "drawn": [n for n in range(1, count + 1) if bench.library.picture(shown, n)],
        "redo": max((row.number for row in versions if row.parent == shown.number), default=None),
        "talk": [
            job_json(bench.jobs, row)
            for row in bench.jobs.of_deck(deck.id, "edit", "take_back", "fix")
        ],
        "findings": worst_first(facts), "safe": FIXABLE, "exports": EXPORTS, "news": False,
        "model": bench.model, "examples": [lines[0] for lines in request_examples().values()],
        **review_context(bench, shown, slide, against, view),
    }  # fmt: skip


def version_of(jobs: Jobs, job: JobRow) -> VersionRow:
    """The version that a job is on: that made by the job ``after`` which it was asked, if any.

    Raises NotThere.
    """
    number, after = job.number or 0, job.asked.get("after")
    if after:
        prior = jobs.job(after)
        number = (prior.result or {}).get("version") or version_of(jobs, prior).number
    return jobs.library.version(job.deck or "", number)


def _earlier(jobs: Jobs, job: JobRow) -> list[str]:
    """The last requests before one, with what came of each, as a model is told them."""
    done = [
        row for row in jobs.of_deck(job.deck or "", "edit", "fix")
        if row.created < job.created and (row.result or {}).get("version")
    ]  # fmt: skip
    return [
        f"“{row.asked['instruction']}” ({row.result['outcome']}): "
        f"{' '.join(row.result['sentences'][:MOST_CHANGES]) or 'nothing'}"
        for row in done[-MOST_EARLIER:]
        if row.result
    ]


def deck_task(jobs: Jobs, job: JobRow) -> WorkTask:
    """The work on a version of a deck; with ``against`` and ``of``, the task has other versions
    too."""
    library, version, asked = jobs.library, version_of(jobs, job), dict(job.asked)
    if asked.get("against"):
        base = library.version(job.deck or "", asked["against"])
        asked["before"] = str(library.file(base))
        asked["changes"] = library.changes_file(version, base).name
    if asked.get("of"):
        asked["made"] = str(library.file(library.version(job.deck or "", asked["of"])))
    if asked.get("shown"):
        asked["shown"] = str(library.file(library.version(job.deck or "", asked["shown"])))
    if asked.get("model"):
        asked["earlier"] = _earlier(jobs, job)
    if asked.get("other"):
        asked["other"] = str(library.file(library.version(*asked["other"])))
    suffix = version.suffix if DECK_JOBS[job.kind].in_turn else f".{asked.get('format', 'json')}"
    return WorkTask(
        kind=job.kind, file=library.file(version), seen=library.seen(version),
        out=library.unfinished(suffix),
        stage=jobs.stage_file(job.id), asked=asked,
    )  # fmt: skip


def _looked(jobs: Jobs, job: JobRow, _task: WorkTask, result: dict[str, Any]) -> None:
    version = version_of(jobs, job)
    jobs.library.remember_words(version.deck, str(result.pop("words", "")))
    jobs.withdraw("score", version.deck, but=version.number)  # whoever goes back has it scored
    jobs.ask("score", version.deck, version.number, follows=True)


def _checked(jobs: Jobs, job: JobRow, _task: WorkTask, result: dict[str, Any]) -> None:
    if "words" in result:
        jobs.library.remember_words(job.deck or "", str(result.pop("words")))


def _exported(_jobs: Jobs, job: JobRow, task: WorkTask, _result: dict[str, Any]) -> None:
    task.seen.mkdir(parents=True, exist_ok=True)
    task.out.replace(task.seen / f"export-{job.deck}.{task.asked['format']}")


def _compared(_jobs: Jobs, _job: JobRow, task: WorkTask, _result: dict[str, Any]) -> None:
    task.seen.mkdir(parents=True, exist_ok=True)
    task.out.replace(task.seen / task.asked["changes"])


def _edited(jobs: Jobs, job: JobRow, task: WorkTask, result: dict[str, Any]) -> None:
    if not task.out.exists():
        return
    version = version_of(jobs, job)
    made, current = jobs.library.add_version(
        version.deck, version.number, task.out, str(job.asked["instruction"]), job.id
    )
    result["version"] = made.number
    if current != version.number:
        result["fork"] = (
            f"Version {made.number} goes on from version {version.number}. Version {current} was "
            "the current one: its own changes are not in it."
        )
    base = job.asked.get("against") or version.number
    if picture := job.asked.get("picture"):
        Path(picture).unlink(missing_ok=True)
    kind = "look"
    if job.kind == "touch":  # people see it already, and touch it again
        kind = "relook"
        jobs.withdraw(kind, version.deck, but=made.number)
    jobs.ask(kind, made.deck, made.number, follows=True, against=base)


DECK_JOBS: Final[Mapping[str, JobKind]] = {
    "edit": JobKind(deck_task, _edited, in_turn=True),
    "take_back": JobKind(deck_task, _edited, in_turn=True),
    "touch": JobKind(deck_task, _edited, in_turn=True),
    "fix": JobKind(deck_task, _edited, in_turn=True),
    "compare": JobKind(deck_task, _compared),
    "compare-decks": JobKind(deck_task),
    "export": JobKind(deck_task, _exported),
    "check": JobKind(deck_task, _checked, order=1),
    "look": JobKind(deck_task, _looked, order=1),
    "relook": JobKind(deck_task, _looked, order=SLOW),
    "score": JobKind(deck_task, order=SLOW),
}
"""Edits come before pictures of new decks, and those before scores."""


MOST_CHANGES: Final = 12
"""Changes of an earlier request that a model is told (ours)."""
WAIT_SECONDS = 0.04
"""Between two looks at a job whose end somebody waits for (ours)."""


def deck_api(bench: Workbench) -> APIRouter:
    """Decks, their versions and jobs, for programs."""
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    def shown(deck: DeckRow) -> dict[str, Any]:
        return decks_json(library, [deck])[0]

    @router.get("/decks")
    def decks(q: str = "", first: int = 0, most: int = 100) -> dict[str, Any]:
        """The decks of the library, newest first; ``q`` are words of their name or text."""
        decks_listed = bench.decks(q, first=max(first, 0), most=min(max(most, 1), 500))
        return {"total": library.count(), "decks": decks_json(library, decks_listed)}

    @router.post("/decks", status_code=201)
    def add(file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Upload a deck; it is looked at soon."""
        return shown(bench.upload(file))

    @router.get("/decks/{deck_id}")
    def deck(deck_id: str) -> dict[str, Any]:
        """A deck, its versions in short, and its jobs.

        If its file in the folder has changed, or was never read, it is read; ``problem`` is why it
        cannot be.
        """
        problem = bench.look_at(deck_id)
        return shown(library.deck(deck_id)) | {
            "problem": problem,
            "jobs": [job_json(jobs, job) for job in jobs.of_deck(deck_id)],
        }

    @router.patch("/decks/{deck_id}")
    def rename(deck_id: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Give a deck another ``name``; its suffix stays."""
        return shown(library.rename(deck_id, str(asked.get("name", ""))))

    router.delete("/decks/{deck_id}", status_code=204)(library.remove)

    @router.get("/decks/{deck_id}/versions/{number}")
    def version(deck_id: str, number: int) -> dict[str, Any]:
        """A version: findings and scores, if it was looked at."""
        row = library.version(deck_id, number)
        return version_json(library, row, library.facts(row))

    @router.post("/decks/{deck_id}/versions/{number}/edit", status_code=202)
    def edit(deck_id: str, number: int, request: dict[str, Any]) -> dict[str, Any]:
        """Ask for an edit: ``instruction``, and optionally ``slides`` ("2,4-6") and ``model``.

        With ``follow`` it is made on the version that is current then. Without, an edit of an older
        version is a branch, which becomes current; ``result.fork`` of the job says so.
        """
        job = bench.edit(
            deck_id, None if request.get("follow") else number, str(request.get("instruction", "")),
            str(request.get("slides") or ""), bool(request.get("model")),
        )  # fmt: skip
        return job_json(jobs, jobs.job(job))

    @router.post("/decks/{deck_id}/versions/{number}/fix", status_code=202)
    def fix(
        deck_id: str,
        number: int,
        rule: Annotated[str, Body(max_length=100)] = "",
        slides: Annotated[list[int] | None, Body(max_length=5000)] = None,
        *,
        follow: Annotated[bool, Body()] = False,
    ) -> dict[str, Any]:
        """Fix what lint finds and can be fixed safely; returns the job.

        ``rule`` is the only rule whose findings are fixed, ``slides`` the only slides; ``follow``
        is as for an edit.
        """
        job = bench.fix(deck_id, None if follow else number, rule, slides or ())
        return job_json(jobs, jobs.job(job))

    @router.post("/decks/{deck_id}/versions/{number}/choose")
    def choose(
        deck_id: str,
        number: int,
        seen: Annotated[int | None, Body()] = None,
        slide: Annotated[int, Body()] = 1,
    ) -> dict[str, Any]:
        """Make a version the current one; undo is choosing the parent of the current one. ``slide``
        of the answer is where that of the version ``seen`` is now."""
        if seen is not None:
            slide = bench.same_slide(deck_id, seen, slide, number)
        bench.choose(deck_id, number)
        return shown(library.deck(deck_id)) | {"slide": slide}

    @router.post("/decks/{deck_id}/versions/{number}/save", status_code=201)
    def save(deck_id: str, number: int) -> dict[str, Any]:
        """Save a version to the folder that is served, under a free name; ``saved`` is its path."""
        return {"saved": bench.save(deck_id, number)}

    @router.get("/jobs/{job_id}")
    async def job(job_id: str, wait: Annotated[float, Query(ge=0, le=20)] = 0) -> dict[str, Any]:
        """A job: its state, stage and result, when it has ended or after ``wait`` seconds."""
        until = time.monotonic() + wait
        while (row := await run_in_threadpool(jobs.job, job_id)).state in OPEN:
            if time.monotonic() >= until:
                break
            await asyncio.sleep(WAIT_SECONDS)
        return await run_in_threadpool(job_json, jobs, row)

    @router.post("/jobs/{job_id}/stop")
    def stop(job_id: str) -> dict[str, Any]:
        """Stop a job that waits or runs."""
        jobs.stop(job_id)
        return job_json(jobs, jobs.job(job_id))

    add_files(router, library)
    return router
