"""The pages of the library: decks with their pictures, search, uploads."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse

from decklab.workbench.web.database import DeckRow, JobRow, VersionRow
from decklab.workbench.web.document_pages import document_card
from decklab.workbench.web.documents import DOCUMENT_SUFFIXES, documents
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import DECK_SUFFIXES, NotThere
from decklab.workbench.web.pages import ROOMS, render
from decklab.workbench.web.showing import score_of, worst_findings
from decklab.workbench.web.workbench import Workbench

PAGE_DECKS = 24


def library_pages(bench: Workbench) -> APIRouter:
    """The library's pages."""
    router = APIRouter(default_response_class=HTMLResponse)
    library = bench.library

    @router.get("/")
    def library_page(q: str = "", page: int = 1) -> str:
        first = (max(page, 1) - 1) * PAGE_DECKS
        found = list(library.decks(q, first=first, most=PAGE_DECKS + 1))
        return render(
            "library.html", here="/", q=q, page=max(page, 1), more=len(found) > PAGE_DECKS,
            cards=_cards(bench, found[:PAGE_DECKS]),
            suffixes=",".join((*DECK_SUFFIXES, *DOCUMENT_SUFFIXES)), total=library.count(),
            documents=[document_card(bench, one) for one in documents(library, q)]
            if page <= 1 else [],
            writes=any(place == "/write" for place, _name in ROOMS),
        )  # fmt: skip

    @router.get("/decks/{deck_id}/card")
    def card(deck_id: str) -> str:
        cards = _cards(bench, [library.deck(deck_id)])
        if not cards:
            raise NotThere(f"no deck {deck_id}")
        return render("card.html", card=cards[0])

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
    looks = bench.jobs.last_looks(one.id for one in decks)
    return [
        _card(bench, deck, shown, len(versions[deck.id]), looks.get((deck.id, shown.number)))
        for deck in decks
        for shown in versions[deck.id]
        if shown.number == deck.current
    ]


def _card(
    bench: Workbench, deck: DeckRow, shown: VersionRow, count: int, last: JobRow | None
) -> dict[str, Any]:
    """A deck in the library; ``waiting`` is the job that looks at it."""
    facts = bench.library.facts(shown)
    return {
        "id": deck.id, "name": deck.name, "version": shown.number, "versions": count,
        "slides": facts.slides if facts else None, "findings": worst_findings(facts),
        "quality": score_of(facts, "quality.score"),
        "picture": bench.library.picture(shown, 1) is not None,
        "waiting": last.id if last is not None and last.state in OPEN else "",
        "failed": last.message if last and last.state == "failed" else "",
    }  # fmt: skip
