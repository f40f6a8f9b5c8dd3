"""The pages of the library: decks with their pictures, search, uploads."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from decklab.workbench.web.database import DeckRow, FolderRow, JobRow, VersionRow
from decklab.workbench.web.document_pages import document_card
from decklab.workbench.web.documents import DOCUMENT_SUFFIXES, documents
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import DECK_SUFFIXES, NotThere
from decklab.workbench.web.pages import ROOMS, render
from decklab.workbench.web.served_folder import FolderError
from decklab.workbench.web.showing import behind_file, score_of, worst_findings
from decklab.workbench.web.workbench import Workbench

PAGE_DECKS = 24


def library_pages(bench: Workbench) -> APIRouter:
    """The library's pages."""
    router = APIRouter(default_response_class=HTMLResponse)
    library = bench.library

    @router.get("/")
    def library_page(q: str = "", page: int = 1, *, gone: bool = False) -> str:
        first = (max(page, 1) - 1) * PAGE_DECKS
        found = list(bench.decks(q, first=first, most=PAGE_DECKS + 1, gone=gone))
        return render(
            "library.html", here="/", q=q, page=max(page, 1), more=len(found) > PAGE_DECKS,
            cards=_cards(bench, found[:PAGE_DECKS]),
            suffixes=",".join((*DECK_SUFFIXES, *DOCUMENT_SUFFIXES)), total=library.count(),
            documents=[document_card(bench, one) for one in documents(library, q)]
            if page <= 1 and not gone else [],
            gone=gone, away=0 if gone else library.count(gone=True), folder=bench.folder,
            left_out=bench.folder.left_out if bench.folder and not gone else (),
            writes=any(place == "/write" for place, _name in ROOMS),
        )  # fmt: skip

    @router.get("/decks/{deck_id}/card")
    def card(deck_id: str, *, look: bool = False) -> str:
        problem = ""
        if look:
            try:
                problem = bench.look_at(deck_id)
            except FolderError as error:
                problem = str(error)
        cards = _cards(bench, [library.deck(deck_id)])
        if not cards:
            raise NotThere(f"no deck {deck_id}")
        shown = cards[0]
        shown["failed"] = problem or shown["failed"]
        shown["unread"] = shown["unread"] and not look  # a card asks once
        return render("card.html", card=shown)

    @router.post("/decks")
    def upload(files: Annotated[list[UploadFile], File()]) -> RedirectResponse:
        places = [_upload(bench, one) for one in files]
        return RedirectResponse(places[0] if len(places) == 1 else "/", 303)

    return router


def _upload(bench: Workbench, file: UploadFile) -> str:
    """Take in a deck or a document; gives the page that shows it."""
    if PurePath(file.filename or "").suffix.lower() in DOCUMENT_SUFFIXES:
        bench.upload_document(file)
        return "/"
    return f"/decks/{bench.upload(file).id}"


def _cards(bench: Workbench, decks: Sequence[DeckRow]) -> list[dict[str, Any]]:
    """Decks in the library; those that were removed meanwhile are left out."""
    versions = bench.library.versions(one.id for one in decks)
    files = bench.library.folder_files(one.id for one in decks)
    looks = bench.jobs.last_looks(one.id for one in decks)
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
    shown = next((one for one in versions if one.number == deck.current), None)
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
