"""The jobs on decks of the library: looks, scores, edits and comparisons."""

from collections.abc import Mapping
from typing import Any, Final

from decklab.workbench.web.database import JobRow, VersionRow
from decklab.workbench.web.jobs import SLOW, JobKind, Jobs
from decklab.workbench.web.work import WorkTask


def version_of(jobs: Jobs, job: JobRow) -> VersionRow:
    """The version that a job is on: what the job ``after`` which it was asked made, if anything.

    Raises NotThere.
    """
    number, after = job.number or 0, job.asked.get("after")
    if after:
        prior = jobs.job(after)
        number = (prior.result or {}).get("version") or version_of(jobs, prior).number
    return jobs.library.version(job.deck or "", number)


def deck_task(jobs: Jobs, job: JobRow) -> WorkTask:
    """The work on a version of a deck; with ``against`` and ``of``, other versions are told with
    it."""
    library, version, asked = jobs.library, version_of(jobs, job), dict(job.asked)
    if asked.get("against"):
        base = library.version(job.deck or "", asked["against"])
        asked["before"] = str(library.file(base))
        asked["changes"] = library.changes_file(version, base).name
    if asked.get("of"):
        asked["made"] = str(library.file(library.version(job.deck or "", asked["of"])))
    makes_deck = job.kind in ("edit", "take_back")
    return WorkTask(
        kind=job.kind, file=library.file(version), seen=library.seen(version),
        out=library.unfinished(version.suffix if makes_deck else ".json"),
        stage=jobs.stage_file(job.id), asked=asked,
    )  # fmt: skip


def _looked(jobs: Jobs, job: JobRow, _task: WorkTask, result: dict[str, Any]) -> None:
    version = version_of(jobs, job)
    jobs.library.remember_words(version.deck, str(result.pop("words", "")))
    jobs.withdraw("score", version.deck, but=version.number)  # whoever goes back has it scored
    jobs.queue("score", {}, deck=version.deck, number=version.number, follows=True)


def _scored(_jobs: Jobs, _job: JobRow, _task: WorkTask, _result: dict[str, Any]) -> None:
    """What was scored is in the facts of the version already."""


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
    jobs.queue("look", {"against": base}, deck=made.deck, number=made.number, follows=True)


DECK_JOBS: Final[Mapping[str, JobKind]] = {
    "edit": JobKind(deck_task, _edited, in_turn=True),
    "take_back": JobKind(deck_task, _edited, in_turn=True),
    "compare": JobKind(deck_task, _compared),
    "look": JobKind(deck_task, _looked, order=1),
    "score": JobKind(deck_task, _scored, order=SLOW),
}
"""Edits come before pictures of new decks, and those before scores."""
