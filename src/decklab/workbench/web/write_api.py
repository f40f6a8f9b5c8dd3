"""The JSON API of drafts, which can do all that the pages do, and the jobs on drafts."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Form

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import SLOW, JobKind, Jobs
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.showing import job_json
from decklab.workbench.web.work import WorkTask
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.write_drafts import DraftRow, Drafts, DraftSettings
from decklab.workbench.web.write_pages import add_draft_files, draft_json, take_json
from decklab.workbench.web.writing import DraftForm, Writing


def _writing(jobs: Jobs, job: JobRow) -> WorkTask:
    """The work on a draft; paths are looked up here, and are in no row."""
    drafts = Drafts(jobs.library)
    draft = drafts.draft(job.about or "")
    folder = drafts.folder(draft.id)
    documents = drafts.files(draft, "source")
    return WorkTask(
        kind=job.kind, file=documents[0] if documents else folder, seen=drafts.work(draft.id),
        out=jobs.library.unfinished(".pptx" if job.kind == "draft-outline" else ""),
        stage=jobs.stage_file(job.id),
        asked={
            "documents": [str(path) for path in documents],
            "options": _options(drafts, draft, job.asked),
            "model": job.asked.get("model"),
            "record": str(folder / "records" / job.id),
            "start": job.asked.get("start", "documents"),
        },
    )  # fmt: skip


def _options(drafts: Drafts, draft: DraftRow, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``WriteOptions``: the draft's settings, with what this job is to change."""
    settings = DraftSettings.model_validate(draft.settings)
    options = settings.options(str(asked.get("theme") or ""))
    if settings.look != "theme" and not asked.get("theme"):
        options[settings.look] = str(drafts.files(draft, settings.look)[0])
    if asked.get("start", "documents") == "documents":
        options["slides_from"] = "".join(map(str, drafts.files(draft, "slides")[:1]))
        options["prompt"] = "" if options["slides_from"] else options["prompt"]
    if drafts.files(draft, "picture"):
        options["pictures"] = str(drafts.folder(draft.id) / "picture")
    if asked.get("redo"):
        options["redo"] = tuple(asked["redo"])
    return options


def _outlined(_jobs: Jobs, _job: JobRow, _task: WorkTask, _result: dict[str, Any]) -> None:
    """The outline lies in the draft's folder already."""


def _wrote(jobs: Jobs, job: JobRow, task: WorkTask, result: dict[str, Any]) -> None:
    found = {**result, "look": str(job.asked.get("theme") or "")}
    told = {"made_by": str(job.asked["made_by"]), "result": found}
    take = Drafts(jobs.library).add_take(job.about or "", job.id, task.out, told)
    result.clear()
    result["take"] = take.number
    jobs.queue("draft-score", {"take": take.number}, about=job.about, follows=True)


def _scoring(jobs: Jobs, job: JobRow) -> WorkTask:
    drafts = Drafts(jobs.library)
    folder = drafts.take_folder(drafts.take(job.about or "", int(job.asked["take"])))
    return WorkTask(
        kind=job.kind, file=folder / "deck.pptx", seen=folder, out=jobs.library.unfinished(),
        stage=jobs.stage_file(job.id),
    )  # fmt: skip


def _scored(_jobs: Jobs, _job: JobRow, _task: WorkTask, _result: dict[str, Any]) -> None:
    """What was scored is in the facts of the take already."""


WRITE_JOBS: Final[Mapping[str, JobKind]] = {
    "draft-outline": JobKind(_writing, _outlined),
    "draft-write": JobKind(_writing, _wrote),
    "draft-score": JobKind(_scoring, _scored, order=SLOW),
}
"""Somebody waits for drafts, as for edits; scores come last."""


def write_api(bench: Workbench) -> APIRouter:
    """Drafts, their outlines and takes, for programs."""
    router = APIRouter()
    writing = Writing(bench)
    drafts = writing.drafts

    @router.get("/drafts")
    def every(first: int = 0, most: int = 50) -> dict[str, Any]:
        """The drafts, newest first."""
        found = drafts.drafts(first=max(first, 0), most=min(max(most, 1), 200))
        return {"drafts": [draft_json(writing, one) for one in found]}

    @router.post("/drafts", status_code=201)
    def create(
        form: Annotated[DraftForm, Form(media_type="multipart/form-data")],
    ) -> dict[str, Any]:
        """A new draft; with ``outline_first`` it stops for the outline."""
        return draft_json(writing, writing.create(form))

    @router.get("/drafts/{draft_id}")
    def draft(draft_id: str) -> dict[str, Any]:
        """A draft: its state, jobs and takes."""
        return draft_json(writing, drafts.draft(draft_id))

    @router.delete("/drafts/{draft_id}", status_code=204)
    def forget(draft_id: str) -> None:
        """Remove a draft; decks of the library that were made of it stay."""
        writing.remove(draft_id)

    _add_stages(router, writing)
    _add_takes(router, writing)
    add_draft_files(router, writing, "/drafts")
    return router


def _add_stages(router: APIRouter, writing: Writing) -> None:
    """Add the outline, and the work on a draft."""
    drafts = writing.drafts

    def queued(job: str) -> dict[str, Any]:
        return job_json(writing.jobs, writing.jobs.job(job))

    @router.get("/drafts/{draft_id}/outline")
    def outline(draft_id: str) -> dict[str, Any]:
        """The outline: pages with their points, and where the sources say so."""
        drafts.draft(draft_id)
        found = drafts.outline(draft_id)
        if found is None:
            raise NotThere("there is no outline yet")
        return found.model_dump(mode="json")

    @router.put("/drafts/{draft_id}/outline")
    def save(draft_id: str, outline: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        """Keep a changed outline; its quotes are looked up when the deck is written."""
        return writing.save_outline(draft_id, outline).model_dump(mode="json")

    @router.post("/drafts/{draft_id}/outline", status_code=202)
    def outline_again(draft_id: str) -> dict[str, Any]:
        """Make the outline anew from the sources."""
        return queued(writing.outline_again(draft_id))

    @router.get("/drafts/{draft_id}/visuals")
    def visuals(draft_id: str) -> dict[str, Any]:
        """Figures and tables of the sources, which pages of the outline may show."""
        drafts.draft(draft_id)
        return {"visuals": drafts.visuals(draft_id)}

    @router.post("/drafts/{draft_id}/write", status_code=202)
    def write(draft_id: str, start: Annotated[str, Body(embed=True)] = "outline") -> dict[str, Any]:
        """Write the deck: ``start`` is "documents", "outline" or "plan"."""
        return queued(writing.write(draft_id, start))

    @router.post("/drafts/{draft_id}/theme", status_code=202)
    def theme(draft_id: str, theme: Annotated[str, Body(embed=True)]) -> dict[str, Any]:
        """Make the same slides in another theme; no model is asked."""
        return queued(writing.retheme(draft_id, theme))

    @router.post("/drafts/{draft_id}/redo", status_code=202)
    def redo(
        draft_id: str, slide: Annotated[int, Body()], wish: Annotated[str, Body()]
    ) -> dict[str, Any]:
        """Make one slide again, such as "shorter, as a timeline"."""
        return queued(writing.redo(draft_id, slide, wish))


def _add_takes(router: APIRouter, writing: Writing) -> None:
    """Add the decks that were written."""
    drafts = writing.drafts

    @router.get("/drafts/{draft_id}/takes/{number}")
    def take(draft_id: str, number: int) -> dict[str, Any]:
        """A deck that was written: slides with evidence and defects, findings, scores."""
        return take_json(writing, drafts.take(draft_id, number))

    @router.post("/drafts/{draft_id}/takes/{number}/choose")
    def choose(draft_id: str, number: int) -> dict[str, Any]:
        """Go on from an earlier take."""
        writing.choose(draft_id, number)
        return draft_json(writing, drafts.draft(draft_id))

    @router.post("/drafts/{draft_id}/takes/{number}/open")
    def opened(draft_id: str, number: int) -> dict[str, Any]:
        """Take a deck into the library; gives its id there."""
        return {"deck": writing.open_in_library(draft_id, number)}
