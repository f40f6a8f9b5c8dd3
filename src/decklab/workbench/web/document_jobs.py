"""The jobs on documents of the library."""

from collections.abc import Mapping
from typing import Any, Final

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.documents import document, document_file, remember_reading
from decklab.workbench.web.jobs import JobKind, Jobs
from decklab.workbench.web.work import WorkTask


def _task(jobs: Jobs, job: JobRow) -> WorkTask:
    row = document(jobs.library, job.about or "")
    return WorkTask(
        kind=job.kind, file=document_file(jobs.library, row), seen=jobs.library.folder / "seen",
        out=jobs.library.unfinished(), stage=jobs.stage_file(job.id), asked=dict(job.asked),
    )  # fmt: skip


def _finish(jobs: Jobs, job: JobRow, _task: WorkTask, result: dict[str, Any]) -> None:
    remember_reading(jobs.library, job.about or "", result)
    result.pop("words", None)


DOCUMENT_JOBS: Final[Mapping[str, JobKind]] = {"read": JobKind(_task, _finish, order=1)}
"""Documents are read when no edit waits."""
