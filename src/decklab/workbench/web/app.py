"""The application of the workbench: pages and the JSON API under one roof."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from decklab.core.errors import DecklabError
from decklab.core.faults import fault_words
from decklab.core.version import VERSION
from decklab.pages.wording import clean
from decklab.workbench.web.database import is_away
from decklab.workbench.web.deck_api import deck_api
from decklab.workbench.web.deck_pages import deck_pages
from decklab.workbench.web.document_pages import document_api, document_pages
from decklab.workbench.web.evaluate_api import evaluate_api
from decklab.workbench.web.evaluate_pages import evaluate_pages
from decklab.workbench.web.events import event_routes
from decklab.workbench.web.jobs import QueueFull
from decklab.workbench.web.library import NotThere, UploadRefused
from decklab.workbench.web.library_pages import library_pages
from decklab.workbench.web.pages import render
from decklab.workbench.web.rank_api import rank_api
from decklab.workbench.web.rank_own_pages import rank_own_pages
from decklab.workbench.web.rank_pages import rank_pages
from decklab.workbench.web.review_pages import review_api, review_pages
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.write_api import write_api
from decklab.workbench.web.write_pages import write_pages

PAGES = (
    library_pages, document_pages, deck_pages, review_pages, write_pages, evaluate_pages,
    event_routes, rank_own_pages, rank_pages,
)  # fmt: skip
"""Each gives the routes of some pages, which are no part of the JSON API."""

API = (deck_api, document_api, review_api, write_api, evaluate_api, rank_api)
"""Each gives routes of the JSON API, below ``/api``."""

_STATUS = {NotThere: 404, UploadRefused: 415, QueueFull: 503}


def make_app(bench: Workbench) -> FastAPI:
    """The application; it closes its queue when the server ends."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        bench.jobs.close()

    app = FastAPI(
        title="decklab", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json",
    )  # fmt: skip
    app.add_exception_handler(SQLAlchemyError, _away)
    app.mount("/static", StaticFiles(packages=[("decklab.workbench.web", "static")]), name="static")
    for kind in (DecklabError, ValueError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _refused)
    for pages in PAGES:
        app.include_router(pages(bench), include_in_schema=False)
    for routes in API:
        app.include_router(routes(bench), prefix="/api")
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
        return HTMLResponse(render("notice.html", text=said), status)
    return HTMLResponse(render("refused.html", text=said), status)


async def _away(request: Request, error: Exception) -> HTMLResponse | JSONResponse:
    """What cannot be done for now because the database does not answer."""
    if not (isinstance(error, SQLAlchemyError) and is_away(error)):
        raise error
    return await _refused(
        request, HTTPException(503, "the database does not answer; try again in a minute")
    )


def _fault(one: Mapping[str, Any]) -> str:
    """What is wrong with a field of an address or a form, in a line."""
    return f"{one['loc'][-1]}: {fault_words(one)}"
