"""The pages of a deck: its slides, requests to edit it, versions, comparisons and files."""

from pathlib import PurePath
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from decklab.editing.requests.forms import request_examples
from decklab.workbench.web.database import VersionRow
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import Library, NotThere, line_of
from decklab.workbench.web.pages import render
from decklab.workbench.web.review_pages import review_context
from decklab.workbench.web.showing import STAGES, behind_file, job_json
from decklab.workbench.web.workbench import Workbench

_YEAR = "private, max-age=31536000, immutable"


def deck_pages(bench: Workbench) -> APIRouter:
    """The pages of one deck."""
    router = APIRouter(default_response_class=HTMLResponse)
    library, jobs = bench.library, bench.jobs

    @router.get("/decks/{deck_id}")
    def deck_page(
        deck_id: str,
        version: int | None = None,
        slide: int = 1,
        against: int | None = None,
        view: str = "after",
    ) -> str:
        problem = bench.look_at(deck_id)
        shown = library.version(deck_id, version or library.deck(deck_id).current)
        context = _deck_context(bench, shown, slide, against, view)
        return render("deck.html", **context, problem=problem)

    @router.get("/decks/{deck_id}/versions/{number}/looked")
    def looked(
        deck_id: str, number: int, slide: int = 1, against: int | None = None, view: str = "after"
    ) -> str:
        shown = library.version(deck_id, number)
        context = _deck_context(bench, shown, slide, against, view)
        return render("looked.html", **context, problem="")

    @router.post("/decks/{deck_id}/versions/{number}/edit")
    def edit(
        deck_id: str,
        number: int,
        instruction: Annotated[str, Form()],
        slides: Annotated[str, Form()] = "",
        editor: Annotated[str, Form()] = "commands",
        *,
        follow: Annotated[bool, Form()] = False,
    ) -> str:
        start = None if follow else number  # another request may have made a version meanwhile
        job = bench.edit(deck_id, start, instruction, slides, editor == "model")
        return render("job.html", job=job_json(jobs, jobs.job(job)))

    @router.get("/jobs/{job_id}")
    def job_page(job_id: str) -> str:
        return render("job.html", job=job_json(jobs, jobs.job(job_id)))

    @router.post("/jobs/{job_id}/stop")
    def stop(job_id: str) -> str:
        jobs.stop(job_id)
        return render("job.html", job=job_json(jobs, jobs.job(job_id)))

    @router.post("/decks/{deck_id}/versions/{number}/choose")
    def choose(
        deck_id: str,
        number: int,
        shown: Annotated[int | None, Form()] = None,
        slide: Annotated[int, Form()] = 1,
    ) -> RedirectResponse:
        if shown is not None:
            slide = bench.same_slide(deck_id, shown, slide, number)
        bench.choose(deck_id, number)
        return RedirectResponse(f"/decks/{deck_id}?slide={slide}", 303)

    @router.post("/decks/{deck_id}/versions/{number}/save")
    def save(deck_id: str, number: int) -> str:
        saved = bench.save(deck_id, number)
        return render("notice.html", text=f"Saved to the folder as {saved}.")

    @router.post("/decks/{deck_id}/remove")
    def remove(deck_id: str) -> RedirectResponse:
        library.remove(deck_id)
        return RedirectResponse("/", 303)

    @router.post("/decks/{deck_id}/rename")
    def rename(deck_id: str, name: Annotated[str, Form()]) -> RedirectResponse:
        library.rename(deck_id, name)
        return RedirectResponse(f"/decks/{deck_id}", 303)

    add_files(router, library)
    return router


def add_files(router: APIRouter, library: Library) -> None:
    """Add pictures and files of decks to the pages or to the JSON API."""

    @router.get("/decks/{deck_id}/versions/{number}/slides/{slide}.webp")
    def picture(deck_id: str, number: int, slide: int) -> FileResponse:
        found = library.picture(library.version(deck_id, number), slide)
        if found is None:
            raise NotThere(f"slide {slide} is not drawn")
        return FileResponse(found, media_type="image/webp", headers={"cache-control": _YEAR})

    @router.get("/decks/{deck_id}/versions/{number}/file")
    def download(deck_id: str, number: int) -> FileResponse:
        deck, version = library.deck(deck_id), library.version(deck_id, number)
        name = PurePath(deck.name).name
        if number > 1:
            name = f"{PurePath(name).stem} v{number}{version.suffix}"
        return FileResponse(
            library.file(version), media_type="application/octet-stream",
            headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"},
        )  # fmt: skip


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
        "redo": max((one.number for one in versions if one.parent == shown.number), default=None),
        "talk": [
            job_json(bench.jobs, one) for one in bench.jobs.of_deck(deck.id, "edit", "take_back")
        ],
        "model": bench.model, "examples": [lines[0] for lines in request_examples().values()],
        **review_context(bench, shown, slide, against, view),
    }  # fmt: skip
