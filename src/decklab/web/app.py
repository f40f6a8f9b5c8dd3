"""The pages and the JSON API of the workbench, over a library and its queue of work."""

import shutil
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, File, Form, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from decklab import __version__
from decklab.agents.editor.edit import slide_numbers
from decklab.agents.requests.examples import edit_examples
from decklab.errors import DecklabError
from decklab.reports.wording import SEVERITY_LABELS, clean, clean_line, counted
from decklab.web.database import DeckRow, JobRow, VersionRow
from decklab.web.jobs import OPEN, Jobs, QueueFull
from decklab.web.library import DECK_SUFFIXES, Library, NotThere, UploadRefused
from decklab.web.showing import (
    STAGES,
    deck_json,
    fix_request,
    job_json,
    score_of,
    version_json,
    worst_findings,
)

PAGE_DECKS = 24
_LONGEST_REQUEST = 2000
_TRY_AGAIN_SECONDS = 60.0
"""How long a comparison that failed is told as failed before it is tried again (ours)."""
_YEAR = "private, max-age=31536000, immutable"
_REPORT_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
"""Of a page that decklab wrote, shown in a frame: without an origin it can ask for nothing."""

_STATUS = {NotThere: 404, UploadRefused: 415, QueueFull: 503}


class Workbench:
    """What pages and the API do, in one place."""

    def __init__(self, library: Library, jobs: Jobs, model: str | None = None) -> None:
        self.library, self.jobs, self.model = library, jobs, model

    def upload(self, upload: UploadFile) -> DeckRow:
        """Take an upload into the library, and look at it."""
        place = self.library.unfinished()
        try:
            with place.open("wb") as file:
                shutil.copyfileobj(upload.file, file, 2**20)
            deck = self.library.add(upload.filename or "", place)
        finally:
            place.unlink(missing_ok=True)
        try:
            self.jobs.ask("look", deck.id, 1)
        except QueueFull:
            self.library.remove(deck.id)
            raise
        return deck

    def edit(self, deck: str, number: int, instruction: str, slides: str, by_model: bool) -> str:
        """Queue a request to edit a version; gives the job's id. Raises ValueError."""
        words = clean_line(instruction)
        if not words or len(words) > _LONGEST_REQUEST:
            raise ValueError(f"a request has 1 to {_LONGEST_REQUEST} characters")
        asked: dict[str, Any] = {"instruction": words}
        if slides.strip():
            asked["slides"] = list(slide_numbers(slides))
        if by_model:
            if self.model is None:
                raise ValueError("the workbench was started without a model")
            asked["model"] = self.model
        self.library.version(deck, number)
        return self.jobs.ask("edit", deck, number, **asked)

    def compare(self, deck: str, number: int, older: int) -> Path | str:
        """The page that compares two versions, or the id of the job that makes it."""
        version = self.library.version(deck, number)
        self.library.version(deck, older)
        page = self.library.seen(version) / f"against-{older}.html"
        if page.is_file():
            return page
        for job in self.jobs.of_deck(deck, "compare"):
            fresh = job.state in OPEN or time.time() - (job.ended or 0) < _TRY_AGAIN_SECONDS
            if job.number == number and job.asked.get("with") == older and fresh:
                return job.id
        return self.jobs.ask("compare", deck, number, **{"with": older})


def make_app(bench: Workbench) -> FastAPI:
    """The application; it closes its queue when the server ends."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        bench.jobs.close()

    app = FastAPI(
        title="decklab", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.mount("/static", StaticFiles(packages=[("decklab.web", "static")]), name="static")
    for kind in (DecklabError, ValueError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _refused)
    app.include_router(_pages(bench), include_in_schema=False)
    app.include_router(_api(bench), prefix="/api")
    return app


async def _refused(request: Request, error: Exception) -> HTMLResponse | JSONResponse:
    """What cannot be done, in one line: as JSON for programs, as a page or notice for people."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 400)
    said = str(error)
    if isinstance(error, HTTPException):
        status, said = error.status_code, str(error.detail)
    elif isinstance(error, RequestValidationError):
        status, said = 422, "; ".join(map(_fault, error.errors()))
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": clean(said)}, status)
    if "hx-request" in request.headers:
        return HTMLResponse(_render("notice.html", text=said), status)
    return HTMLResponse(_render("refused.html", text=said), status)


def _fault(one: Mapping[str, Any]) -> str:
    """What is wrong with a field of an address or a form, in a line."""
    return f"{one['loc'][-1]}: {one['msg']}"


def _render(template: str, **context: Any) -> str:
    return _environment().get_template(template).render(version=__version__, **context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("decklab.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        counted=counted, severity=SEVERITY_LABELS.__getitem__, fix_request=fix_request
    )
    environment.tests["fixable"] = lambda finding: bool(fix_request(finding))
    return environment


def _shown(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _pages(bench: Workbench) -> APIRouter:
    router = APIRouter(default_response_class=HTMLResponse)
    library, jobs = bench.library, bench.jobs

    @router.get("/")
    def library_page(q: str = "", page: int = 1) -> str:
        first = (max(page, 1) - 1) * PAGE_DECKS
        found = list(library.decks(q, first=first, most=PAGE_DECKS + 1))
        return _render(
            "library.html", q=q, page=max(page, 1), more=len(found) > PAGE_DECKS,
            cards=_cards(bench, found[:PAGE_DECKS]),
            suffixes=",".join(DECK_SUFFIXES), total=library.count(),
        )  # fmt: skip

    @router.get("/decks/{deck_id}/card")
    def card(deck_id: str) -> str:
        cards = _cards(bench, [library.deck(deck_id)])
        if not cards:
            raise NotThere(f"no deck {deck_id}")
        return _render("card.html", card=cards[0])

    @router.post("/decks")
    def upload(files: Annotated[list[UploadFile], File()]) -> RedirectResponse:
        added = [bench.upload(one) for one in files]
        place = f"/decks/{added[0].id}" if len(added) == 1 else "/"
        return RedirectResponse(place, 303)

    @router.get("/decks/{deck_id}")
    def deck_page(deck_id: str, version: int | None = None, slide: int = 1) -> str:
        deck = library.deck(deck_id)
        shown = library.version(deck_id, version or deck.current)
        return _render("deck.html", **_deck_context(bench, deck, shown, slide))

    @router.get("/decks/{deck_id}/versions/{number}/looked")
    def looked(deck_id: str, number: int, slide: int = 1) -> str:
        deck, shown = library.deck(deck_id), library.version(deck_id, number)
        return _render("looked.html", **_deck_context(bench, deck, shown, slide))

    @router.post("/decks/{deck_id}/versions/{number}/edit")
    def edit(
        deck_id: str,
        number: int,
        instruction: Annotated[str, Form()],
        slides: Annotated[str, Form()] = "",
        editor: Annotated[str, Form()] = "commands",
    ) -> str:
        job = bench.edit(deck_id, number, instruction, slides, editor == "model")
        return _render("job.html", job=job_json(jobs, jobs.job(job)))

    @router.get("/jobs/{job_id}")
    def job_page(job_id: str) -> str:
        return _render("job.html", job=job_json(jobs, jobs.job(job_id)))

    @router.post("/jobs/{job_id}/stop")
    def stop(job_id: str) -> str:
        jobs.stop(job_id)
        return _render("job.html", job=job_json(jobs, jobs.job(job_id)))

    @router.post("/decks/{deck_id}/versions/{number}/choose")
    def choose(deck_id: str, number: int) -> RedirectResponse:
        library.choose(deck_id, number)
        return RedirectResponse(f"/decks/{deck_id}", 303)

    @router.post("/decks/{deck_id}/remove")
    def remove(deck_id: str) -> RedirectResponse:
        library.remove(deck_id)
        return RedirectResponse("/", 303)

    @router.get("/decks/{deck_id}/versions/{number}/against/{older}")
    def against(deck_id: str, number: int, older: int) -> str:
        made = bench.compare(deck_id, number, older)
        job = job_json(jobs, jobs.job(made)) if isinstance(made, str) else None
        return _render(
            "against.html", deck=library.deck(deck_id), number=number, older=older, job=job
        )

    @router.get("/decks/{deck_id}/versions/{number}/against/{older}/page")
    def against_page(deck_id: str, number: int, older: int) -> FileResponse:
        made = bench.compare(deck_id, number, older)
        if isinstance(made, str):
            raise NotThere("the comparison is being made")
        return FileResponse(
            made, media_type="text/html", headers={"content-security-policy": _REPORT_POLICY}
        )

    _add_files(router, library)
    return router


def _add_files(router: APIRouter, library: Library) -> None:
    @router.get("/decks/{deck_id}/versions/{number}/slides/{slide}.webp")
    def picture(deck_id: str, number: int, slide: int) -> FileResponse:
        found = library.picture(library.version(deck_id, number), slide)
        if found is None:
            raise NotThere(f"slide {slide} is not drawn")
        return FileResponse(found, media_type="image/webp", headers={"cache-control": _YEAR})

    @router.get("/decks/{deck_id}/versions/{number}/file")
    def download(deck_id: str, number: int) -> FileResponse:
        deck, version = library.deck(deck_id), library.version(deck_id, number)
        name = deck.name if number == 1 else f"{Path(deck.name).stem} v{number}{version.suffix}"
        return FileResponse(
            library.file(version), media_type="application/octet-stream",
            headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"},
        )  # fmt: skip


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
    """A deck in the library; ``waiting`` while it is looked at."""
    facts = bench.library.facts(shown)
    return {
        "id": deck.id, "name": deck.name, "version": shown.number, "versions": count,
        "slides": facts.slides if facts else None, "findings": worst_findings(facts),
        "quality": score_of(facts, "quality.score"),
        "picture": bench.library.picture(shown, 1) is not None,
        "waiting": last is not None and last.state in OPEN,
        "failed": last.message if last and last.state == "failed" else "",
    }  # fmt: skip


def _deck_context(bench: Workbench, deck: DeckRow, shown: VersionRow, slide: int) -> dict[str, Any]:
    """All that the page of a version shows."""
    facts = bench.library.facts(shown)
    look = bench.jobs.last_looks([deck.id]).get((deck.id, shown.number))
    waiting = look is not None and look.state in OPEN
    count = facts.slides if facts else 0
    return {
        "deck": deck, "shown": shown, "facts": facts, "waiting": waiting,
        "stage": STAGES.get(bench.jobs.stage(look), "") if look and waiting else "",
        "failed": look.message if look and look.state == "failed" else "",
        "slide": min(max(slide, 1), max(count, 1)),
        "drawn": [n for n in range(1, count + 1) if bench.library.picture(shown, n)],
        "versions": bench.library.versions([deck.id])[deck.id],
        "talk": [job_json(bench.jobs, one) for one in bench.jobs.of_deck(deck.id, "edit")],
        "model": bench.model, "examples": [lines[0] for lines in edit_examples().values()],
    }  # fmt: skip


def _api(bench: Workbench) -> APIRouter:
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    @router.get("/decks")
    def decks(q: str = "", first: int = 0, most: int = 100) -> dict[str, Any]:
        """The decks of the library, newest first; ``q`` are words of their name or text."""
        found = library.decks(q, first=max(first, 0), most=min(max(most, 1), 500))
        versions = library.versions(one.id for one in found)
        return {
            "total": library.count(),
            "decks": [deck_json(library, one, versions[one.id]) for one in found],
        }

    @router.post("/decks", status_code=201)
    def add(file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Upload a deck; it is looked at soon."""
        deck = bench.upload(file)
        return deck_json(library, deck, library.versions([deck.id])[deck.id])

    @router.get("/decks/{deck_id}")
    def deck(deck_id: str) -> dict[str, Any]:
        """A deck, its versions in short, and its jobs."""
        row = library.deck(deck_id)
        return deck_json(library, row, library.versions([deck_id])[deck_id]) | {
            "jobs": [job_json(jobs, one) for one in jobs.of_deck(deck_id)]
        }

    @router.delete("/decks/{deck_id}", status_code=204)
    def forget(deck_id: str) -> None:
        """Remove a deck with its versions."""
        library.remove(deck_id)

    @router.get("/decks/{deck_id}/versions/{number}")
    def version(deck_id: str, number: int) -> dict[str, Any]:
        """A version: findings and scores, where it was looked at."""
        row = library.version(deck_id, number)
        return version_json(library, row, library.facts(row))

    @router.post("/decks/{deck_id}/versions/{number}/edit", status_code=202)
    def edit(deck_id: str, number: int, request: dict[str, Any]) -> dict[str, Any]:
        """Ask for an edit: ``instruction``, and optionally ``slides`` ("2,4-6") and ``model``."""
        job = bench.edit(
            deck_id, number, str(request.get("instruction", "")),
            str(request.get("slides") or ""), bool(request.get("model")),
        )  # fmt: skip
        return job_json(jobs, jobs.job(job))

    @router.post("/decks/{deck_id}/versions/{number}/choose")
    def choose(deck_id: str, number: int) -> dict[str, Any]:
        """Make a version the current one; undo is choosing the parent of the current one."""
        library.choose(deck_id, number)
        return deck_json(library, library.deck(deck_id), library.versions([deck_id])[deck_id])

    @router.get("/jobs/{job_id}")
    def job(job_id: str) -> dict[str, Any]:
        """A job: its state, stage and result."""
        return job_json(jobs, jobs.job(job_id))

    @router.post("/jobs/{job_id}/stop")
    def stop(job_id: str) -> dict[str, Any]:
        """Stop a job that waits or runs."""
        jobs.stop(job_id)
        return job_json(jobs, jobs.job(job_id))

    _add_files(router, library)
    return router
