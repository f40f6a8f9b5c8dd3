"""Documents of the library: their page, their jobs, and the JSON API."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.documents import (
    DocumentRow,
    document,
    document_file,
    documents,
    remember_reading,
    remove_document,
)
from decklab.workbench.web.jobs import OPEN, JobKind, Jobs
from decklab.workbench.web.pages import ROOMS, render
from decklab.workbench.web.work import WorkTask
from decklab.workbench.web.workbench import Workbench


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


def document_pages(bench: Workbench) -> APIRouter:
    """The card of a document."""
    router = APIRouter(default_response_class=HTMLResponse)

    @router.get("/documents/{document_id}/card")
    def card(document_id: str) -> str:
        row = document(bench.library, document_id)
        return render(
            "document.html", one=document_card(bench, row),
            writes=any(place == "/write" for place, _name in ROOMS),
        )  # fmt: skip

    @router.post("/documents/{document_id}/remove")
    def remove(document_id: str) -> RedirectResponse:
        remove_document(bench.library, document_id)
        return RedirectResponse("/", 303)

    return router


def document_card(bench: Workbench, row: DocumentRow) -> dict[str, Any]:
    """What the library shows of a document; ``waiting`` is the job that reads it."""
    job = None if row.lines is not None else next(iter(bench.jobs.of(row.id)[-1:]), None)
    return {
        "id": row.id, "name": row.name, "kind": row.suffix[1:].upper(), "bytes": row.size,
        "lines": row.lines or [], "pages": row.pages,
        "waiting": job.id if job and job.state in OPEN else "",
        "failed": job.message if job and job.state == "failed" else "",
    }  # fmt: skip


def document_api(bench: Workbench) -> APIRouter:
    """Documents, for programs."""
    router = APIRouter()

    @router.get("/documents")
    def found(q: str = "", most: int = 100) -> dict[str, Any]:
        """The documents of the library, newest first; ``q`` are words of their name or text."""
        rows = documents(bench.library, q, most=min(max(most, 1), 500))
        return {"documents": [document_card(bench, one) for one in rows]}

    @router.post("/documents", status_code=201)
    def add(file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Upload a document; it is read soon."""
        return document_card(bench, bench.upload_document(file))

    @router.get("/documents/{document_id}")
    def one(document_id: str) -> dict[str, Any]:
        """A document: its first lines, and how many pages it has."""
        return document_card(bench, document(bench.library, document_id))

    @router.delete("/documents/{document_id}", status_code=204)
    def forget(document_id: str) -> None:
        """Remove a document."""
        remove_document(bench.library, document_id)

    return router
