"""The jobs on drafts: the outline, the deck, and its scores."""

from collections.abc import Mapping
from typing import Any, Final

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import SLOW, JobKind, Jobs
from decklab.workbench.web.work import WorkTask
from decklab.workbench.web.write_drafts import Drafts
from decklab.workbench.web.write_settings import DraftSettings
from decklab.workbench.web.write_tables import DraftRow


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
