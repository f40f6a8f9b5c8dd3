"""The library: pages of decks with their pictures, search, uploads; documents with their jobs."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Annotated, Any, Final

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.workbench.web.database import DeckRow, FolderRow, JobRow, VersionRow
from decklab.workbench.web.jobs import OPEN, JobKind, Jobs
from decklab.workbench.web.library import (
    DECK_SUFFIXES,
    DocumentRow,
    NotThere,
    document,
    document_file,
    documents,
    remember_reading,
    remove_document,
)
from decklab.workbench.web.looking import WorkTask
from decklab.workbench.web.pages import behind_file, render, score_of, worst_findings
from decklab.workbench.web.served_folder import FolderError
from decklab.workbench.web.sharing import ACTS
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import EXPORTS


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
        return render("document.html", one=document_card(bench, row))

    return router


def document_card(bench: Workbench, row: DocumentRow) -> dict[str, Any]:
    """Fields of a document's card in the library; ``waiting`` is the job that reads it."""
    job = None if row.lines is not None else bench.jobs.last(row.id, "read")
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
    def search(q: str = "", most: int = 100) -> dict[str, Any]:
        """The documents of the library, newest first; ``q`` are words of their name or text."""
        rows = documents(bench.library, q, most=min(max(most, 1), 500))
        return {"documents": [document_card(bench, row) for row in rows]}

    @router.post("/documents", status_code=201)
    def add(file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Upload a document; it is read soon."""
        return document_card(bench, bench.upload_document(file))

    @router.get("/documents/{document_id}")
    def document_by_id(document_id: str) -> dict[str, Any]:
        """A document: its first lines, and how many pages it has."""
        return document_card(bench, document(bench.library, document_id))

    @router.delete("/documents/{document_id}", status_code=204)
    def forget(document_id: str) -> None:
        """Remove a document."""
        remove_document(bench.library, document_id)

    return router


PAGE_DECKS = 24


def library_pages(bench: Workbench) -> APIRouter:
    """The library's pages."""
    router = APIRouter(default_response_class=HTMLResponse)
    library = bench.library

    @router.get("/")
    def library_page(q: str = "", page: int = 1, *, gone: bool = False) -> str:
        first = (max(page, 1) - 1) * PAGE_DECKS
        listed = list(bench.decks(q, first=first, most=PAGE_DECKS + 1, gone=gone))
        return render(
            "library.html", here="/", q=q, page=max(page, 1), more=len(listed) > PAGE_DECKS,
            cards=_cards(bench, listed[:PAGE_DECKS]),
            suffixes=",".join((*DECK_SUFFIXES, *DOCUMENT_SUFFIXES)), total=library.count(),
            documents=[document_card(bench, document) for document in documents(library, q)]
            if page <= 1 and not gone else [],
            gone=gone, away=0 if gone else library.count(gone=True), folder=bench.folder,
            left_out=bench.folder.left_out if bench.folder and not gone else (),
            acts=ACTS, exports=EXPORTS,
        )  # fmt: skip

    @router.get("/decks/{deck_id}/card")
    def card(deck_id: str, *, look: bool = False) -> str:
        problem = ""
        if look:
            try:
                problem = bench.look_at(deck_id)
            except FolderError as error:
                problem = str(error)
        if not (cards := _cards(bench, [library.deck(deck_id)])):
            raise NotThere(f"no deck {deck_id}")
        shown = cards[0]
        shown["failed"] = problem or shown["failed"]
        shown["unread"] = shown["unread"] and not look  # a card asks once
        return render("card.html", card=shown)

    @router.post("/decks")
    def upload(files: Annotated[list[UploadFile], File()]) -> RedirectResponse:
        places = [_upload(bench, file) for file in files]
        return RedirectResponse(places[0] if len(places) == 1 else "/", 303)

    return router


def _upload(bench: Workbench, file: UploadFile) -> str:
    """Take in a deck or a document; returns the page that shows it."""
    if PurePath(file.filename or "").suffix.lower() in DOCUMENT_SUFFIXES:
        bench.upload_document(file)
        return "/"
    return f"/decks/{bench.upload(file).id}"


def _cards(bench: Workbench, decks: Sequence[DeckRow]) -> list[dict[str, Any]]:
    """Decks in the library; those that were removed meanwhile are left out."""
    versions = bench.library.versions(row.id for row in decks)
    files = bench.library.folder_files(row.id for row in decks)
    looks = bench.jobs.last_looks(row.id for row in decks)
    return [
        _card(bench, deck, versions[deck.id], files.get(deck.id), looks)
        for deck in decks
        if versions[deck.id] or deck.id in files
    ]


def _card(
    bench: Workbench,
    deck: DeckRow,
    versions: Sequence[VersionRow],
    file: FolderRow | None,
    looks: Mapping[tuple[str, int], JobRow],
) -> dict[str, Any]:
    """A deck in the library; ``waiting`` is the job that looks at it.

    It is ``unread`` if its file in the folder has changed or was never read.
    """
    shown = next((version for version in versions if version.number == deck.current), None)
    facts = bench.library.facts(shown) if shown else None
    last = looks.get((deck.id, deck.current))
    return {
        "id": deck.id, "name": deck.name, "version": deck.current, "versions": len(versions),
        "unread": file is not None and not file.gone and file.read != file.found,
        "behind": behind_file(file, versions, deck.current),
        "slides": facts.slides if facts else None, "findings": worst_findings(facts),
        "quality": score_of(facts, "quality.score"),
        "picture": shown is not None and bench.library.picture(shown, 1) is not None,
        "waiting": last.id if last is not None and last.state in OPEN else "",
        "failed": last.message if last and last.state == "failed" else "",
    }  # fmt: skip
