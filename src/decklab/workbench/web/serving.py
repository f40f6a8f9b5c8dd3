"""The application of the workbench: its pages, its JSON API, its jobs and ``/health``, protected
from the network by hosts, origins, tokens, sizes and headers; started, and ended in order.

``/health`` says whether the workbench can work, for programs that start and watch servers. It needs
no token and no host name, since it says only which part does not work.

A page of another site must not be able to use a workbench that is open in the same browser, nor may
a name that was turned to the loopback ("DNS rebinding").
"""

import asyncio
import hmac
import json
import os
import re
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import uvicorn
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from decklab.core.errors import DecklabError, Unavailable, fault_words
from decklab.core.files import check_folder
from decklab.core.options import HttpAddress
from decklab.core.output_folder import one_run
from decklab.core.version import VERSION
from decklab.pages.wording import clean
from decklab.workbench.listening import (
    check_address,
    host_names,
    is_loopback,
    listening_socket,
    names_told,
)
from decklab.workbench.web.database import DATABASE, belong, engine_of, is_away, open_database
from decklab.workbench.web.decks import DECK_JOBS, deck_api, deck_pages, review_api
from decklab.workbench.web.evaluate_details import evaluate_jobs
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.evaluate_pages import evaluate_api, evaluate_pages
from decklab.workbench.web.jobs import MEGABYTES, OPEN, JobKind, Jobs, QueueFull
from decklab.workbench.web.library import Library, NotThere, UploadRefused
from decklab.workbench.web.library_pages import (
    DOCUMENT_JOBS,
    document_api,
    document_pages,
    library_pages,
)
from decklab.workbench.web.model_choice import model_pages
from decklab.workbench.web.pages import render
from decklab.workbench.web.rank_pages import rank_api, rank_own_pages, rank_pages
from decklab.workbench.web.served_folder import ServedFolder, state_folder
from decklab.workbench.web.sharing import sharing_api, sharing_pages
from decklab.workbench.web.touching import touch_api
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker
from decklab.workbench.web.writing import WRITE_JOBS, write_api, write_pages

COOKIE: Final = "decklab_token"
OWN_HEADER: Final = b"x-decklab"
"""A header that a page of another site cannot send without being asked for permission."""
UPLOADS: Final = re.compile(
    r"(/api)?/decks|/api/documents|/api/drafts|/api/studies/[0-9a-f]{32}/decks"
    r"|/api/decks/[0-9a-f]{32}/versions/\d+/picture"
)
SMALL_BODY: Final = 2**20
"""Bytes of a request that is no upload (ours)."""
SLOWEST: Final = 16 * 2**10
"""Bytes a second of the slowest upload, so that nobody holds a connection for ever (ours)."""
OPEN_PATHS: Final = ("/static/", "/rank/link/", "/rank/own", "/shared/")
"""Beginnings of paths that need no token: their pages show nothing without a link to a study or a
deck.

A page below ``/rank/own`` looks at the annotator's own cookie, and gives that study alone."""
_NOT_OURS: Final = (
    "This is not a name of this workbench. The line at its start lists its names; whoever runs it "
    "adds one with --host-name NAME.\n"
)
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; frame-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # "no-referrer" would hide the origin of our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Access:
    """Who may use the workbench, and how much a request may send."""

    hosts: frozenset[str]
    """Names with ports that requests may call it, lower case."""
    token: str = ""
    """Token that people have to know; empty for none, which only the loopback may have."""
    upload_bytes: int = 300 * 2**20
    """The largest upload (ours: decks with videos are larger, and are refused with a line)."""
    patience: float = 30.0
    """Seconds that a body may take besides its bytes at the slowest pace (ours)."""
    uploads: re.Pattern[str] = UPLOADS
    """Paths that take uploads."""


class Protected:
    """An application behind the checks."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse requests that may not come in, bound others, and add headers to responses."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        if (answer := self._answer(scope)) is not None:
            await answer(scope, receive, _with_headers(send))
            return
        most = (
            self.access.upload_bytes if self.access.uploads.fullmatch(scope["path"]) else SMALL_BODY
        )
        await self._bounded(scope, receive, _with_headers(send), most)

    def _answer(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        """The answer to a request that does not reach the application."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        if headers.get(b"host", b"").decode("latin-1").lower() not in self.access.hosts:
            return PlainTextResponse(_NOT_OURS, 421)
        if scope["method"] not in _SAFE and not _own(headers):
            return PlainTextResponse("The request came from another site.\n", 403)
        if not self.access.token:
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and _same(given, self.access.token):
            return _entered(scope["path"], given)
        if scope["path"].startswith(OPEN_PATHS):
            return None
        if not _same(_token_of(headers), self.access.token):
            return PlainTextResponse(
                "Open the address that the server printed, with ?token=.\n", 401
            )
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        """Run the application on a body of ``most`` bytes; a larger one is 413, a slow one 408."""
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > most:
            await _too_large(most)(scope, receive, send)
            return
        body = _Body(receive, most, self.access.patience)
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            if body.refusal and not begun:  # what the application says of its broken body
                return
            begun = True
            await send(message)

        with suppress(_BodyRefused):
            await self.app(scope, body.next, noted)
        if body.refusal and not begun:
            await body.refusal(scope, receive, send)


class _BodyRefused(Exception):
    pass


class _Body:
    """A body as it comes in: of ``most`` bytes, and not slower than ``SLOWEST`` in the long run."""

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self._receive, self._most = receive, most
        self._until = time.monotonic() + patience
        self._taken = 0
        self._more = True
        self.refusal: PlainTextResponse | None = None

    async def next(self) -> Message:
        """The next piece; messages after the body may take their time."""
        if not self._more:
            return await self._receive()
        left = self._until + self._taken / SLOWEST - time.monotonic()
        try:
            async with asyncio.timeout(max(left, 0)):
                message = await self._receive()
        except TimeoutError:
            self.refusal = PlainTextResponse(
                "The request came too slowly.\n", 408, {"connection": "close"}
            )
            raise _BodyRefused from None
        self._taken += len(message.get("body", b""))
        self._more = bool(message.get("more_body"))
        if self._taken > self._most:
            self.refusal = _too_large(self._most)
            raise _BodyRefused
        return message


def _too_large(most: int) -> PlainTextResponse:
    return PlainTextResponse(f"More than {most // 2**20} MB are not taken.\n", 413)


def _own(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a request that changes something comes from our own page, or from a program."""
    if origin := headers.get(b"origin", b"").decode("latin-1"):
        return urlsplit(origin).netloc.lower() == headers[b"host"].decode("latin-1").lower()
    site = headers.get(b"sec-fetch-site", b"")
    return site == b"same-origin" or (not site and OWN_HEADER in headers)


def _token_of(headers: Mapping[bytes, bytes]) -> str:
    bearer = headers.get(b"authorization", b"").decode("latin-1")
    if bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ").strip()
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _entered(path: str, token: str) -> RedirectResponse:
    """To the same page without the token in its address, which histories keep."""
    answer = RedirectResponse("/" + path.lstrip("/\\"), 303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return answer


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((name.encode(), value.encode()) for name, value in HEADERS.items()
                  if name.encode() not in there),
            ]  # fmt: skip
        await send(message)

    return sent


PATH = "/health"
FRESH_SECONDS = 1.0
"""How long one look counts (ours), so that many questions cost no more than a few."""


def health(jobs: Jobs) -> dict[str, str]:
    """``database``, ``folder`` and ``jobs``, each ``ok`` or the fault in two or three words."""
    try:
        with jobs.library.sessions() as session:
            session.execute(select(1))
        database = "ok"
    except SQLAlchemyError:
        database = "does not answer"
    writable = os.access(jobs.library.folder / "unfinished", os.W_OK | os.X_OK)
    return {
        "database": database,
        "folder": "ok" if writable else "cannot be written",
        "jobs": "ok" if jobs.at_work() else "stopped",
    }


class Watched:
    """An application that also answers ``/health``: 200 if all is well, else 503."""

    def __init__(self, app: ASGIApp, jobs: Jobs) -> None:
        self._app, self._jobs = app, jobs
        self._looking = asyncio.Lock()
        self._found: dict[str, str] = {}
        self._until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the one path, and leave all others to the application."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            await JSONResponse({}, 405, {"allow": "GET, HEAD"})(scope, receive, send)
            return
        reply = await self._look()
        well = set(reply.values()) == {"ok"}
        answer = JSONResponse(reply, 200 if well else 503, {"cache-control": "no-store"})
        await answer(scope, receive, send)

    async def _look(self) -> dict[str, str]:
        async with self._looking:
            if time.monotonic() >= self._until:
                self._found = await run_in_threadpool(health, self._jobs)
                self._until = time.monotonic() + FRESH_SECONDS
            return self._found


LOOK_SECONDS = 0.2
"""Between two looks at the jobs that a page watches (ours)."""
SILENCE_SECONDS = 15.0
"""After which a comment keeps the connection open (ours)."""
MOST_WATCHED = 50
"""Jobs that one page may watch (ours)."""


def event_routes(bench: Workbench) -> APIRouter:
    """``/events?job=ID&job=ID``: an event for each job and each change of one."""
    router = APIRouter()

    @router.get("/events")
    async def events(
        request: Request, job: Annotated[list[str], Query(max_length=MOST_WATCHED)]
    ) -> StreamingResponse:
        news = job_news(bench.jobs, job)
        return StreamingResponse(
            _sent(request, news),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    return router


async def job_news(jobs: Jobs, watched: list[str]) -> AsyncIterator[str]:
    """Ids of the watched jobs whenever their state or stage changes; empty after a long silence.

    Each job is named once at first; the news end when all jobs have ended.
    """
    known: dict[str, str] = {}
    silent = 0.0
    while len(known) < len(set(watched)) or any(seen != "ended" for seen in known.values()):
        for job in dict.fromkeys(watched):
            if (seen := known.get(job)) == "ended":
                continue
            now = await run_in_threadpool(_state, jobs, job)
            if now != seen:
                known[job], silent = now, 0.0
                yield job
        await asyncio.sleep(LOOK_SECONDS)
        silent += LOOK_SECONDS
        if silent >= SILENCE_SECONDS:
            silent = 0.0
            yield ""


def _state(jobs: Jobs, job: str) -> str:
    """State of a job as a page shows it: "ended" if nothing more will come."""
    try:
        row = jobs.job(job)
    except NotThere:
        return "ended"
    return f"{row.state} {jobs.stage(row)}" if row.state in OPEN else "ended"


async def _sent(request: Request, news: AsyncIterator[str]) -> AsyncIterator[str]:
    async for job in news:
        if await request.is_disconnected():
            return
        yield f"event: job\ndata: {json.dumps(job)}\n\n" if job else ": still here\n\n"
    yield "event: end\ndata: \n\n"


KINDS: Final[Mapping[str, JobKind]] = {**DECK_JOBS, **DOCUMENT_JOBS, **WRITE_JOBS}
"""By name; ``worker.WORK`` has what a process does for each."""


PAGES = (
    library_pages, document_pages, deck_pages, write_pages, evaluate_pages,
    event_routes, rank_own_pages, rank_pages, sharing_pages,
    model_pages,
)  # fmt: skip
"""Each gives the routes of some pages, which are no part of the JSON API."""

API = (
    deck_api, touch_api, document_api, review_api, write_api, evaluate_api, rank_api, sharing_api,
)  # fmt: skip
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
    """The error, in one line: as JSON for programs, as a page or notice for people."""
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
    """Error response while the database does not answer."""
    if not (isinstance(error, SQLAlchemyError) and is_away(error)):
        raise error
    return await _refused(
        request, HTTPException(503, "the database does not answer; try again in a minute")
    )


def _fault(error: Mapping[str, Any]) -> str:
    """Fault of a field of an address or a form, in a line."""
    return f"{error['loc'][-1]}: {fault_words(error)}"


_TOKEN = "--token-file FILE or DECKLAB_TOKEN"


def serve_workbench(
    folder: str | Path = ".",
    *,
    state: str | Path | None = None,
    runs: Sequence[str | Path] = (),
    address: HttpAddress | None = None,
    database: str | None = None,
    database_password: str = "",
    model: str | None = None,
    processes: int = 2,
    seconds: float = 600.0,
    megabytes: int = MEGABYTES,
    upload_megabytes: int = 300,
    browser: bool = False,
) -> None:
    """Serve the workbench over the decks below ``folder`` until it is interrupted.

    The files of ``folder`` are never changed. Versions, pictures and findings lie in ``state``,
    which is made if it is missing; by default that is ``state_folder``. ``runs`` are folders below
    which results of decklab's commands lie, to be looked at; they are only read. ``database`` is
    the URL of another database than the one in ``state``, ``database_password`` its password if
    the URL has none. ``model`` is who edits where people choose the model; without one they have
    commands. ``processes`` work at once, each piece of work for ``seconds`` and with ``megabytes``
    of memory at most. ``browser`` opens the page.

    Raises Unavailable for a host beside the loopback without a token, an address that is taken, or
    a database that does not answer, is of another decklab, or belongs to another folder, and a
    state that another workbench uses; OSError if ``folder`` is missing or ``state`` cannot be
    written.
    """
    address = address or HttpAddress(port=0)
    check_address(address, _TOKEN)
    shown = checked_folder(folder)
    kept_in = Path(state) if state is not None else state_folder(shown)
    check_folder(kept_in)
    index = RunIndex([checked_folder(run) for run in runs])
    with _one_workbench(kept_in), listening_socket(address, _TOKEN) as listener:
        port = listener.getsockname()[1]
        sessions = open_database(
            database or f"sqlite:///{kept_in.resolve() / DATABASE}", database_password
        )
        belong(sessions, kept_in)
        jobs = Jobs(
            Library(kept_in, sessions),
            {**KINDS, **evaluate_jobs(index)},
            work=worker,
            processes=processes,
            seconds=seconds,
            megabytes=megabytes,
        )
        hosts = {*host_names(address, port), *address.names}  # browsers leave out ports 80 and 443
        access = Access(
            frozenset(name.lower() for name in hosts), address.token, upload_megabytes * 2**20
        )
        served = ServedFolder(shown, jobs.library)
        bench = Workbench(jobs.library, jobs, model, runs=index, folder=served)
        watched = Watched(Protected(make_app(bench), access), jobs)
        opened = _address(address, port)
        print(f"decklab: the workbench is at {_told(opened, address)}", file=sys.stderr, flush=True)  # noqa: T201
        if not is_loopback(address.host):
            print(f"decklab: {names_told(address, port)}", file=sys.stderr, flush=True)  # noqa: T201
        print(f"decklab: versions and pictures are kept in {kept_in}", file=sys.stderr, flush=True)  # noqa: T201
        threading.Thread(target=index.runs, daemon=True).start()  # the first page need not wait
        threading.Thread(target=served.refresh, daemon=True).start()
        if browser:
            threading.Timer(0.5, webbrowser.open, [opened]).start()
        config = uvicorn.Config(
            watched, log_level="warning", access_log=False, timeout_graceful_shutdown=2
        )
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            jobs.close()
            engine_of(sessions).dispose()


@contextmanager
def _one_workbench(state: Path) -> Iterator[None]:
    """Hold a state folder; raises Unavailable if another workbench has it."""
    with ExitStack() as held:
        try:
            held.enter_context(one_run(state))
        except BlockingIOError as error:
            raise Unavailable(
                f"{state}: another workbench is at work there; open that one, or name another "
                "folder with --state"
            ) from error
        yield


def checked_folder(folder: str | Path) -> Path:
    """A folder that is there; raises FileNotFoundError or NotADirectoryError for another."""
    path = Path(folder)
    with os.scandir(path):
        return path


def _told(opened: str, address: HttpAddress) -> str:
    """The address as it is printed: logs of servers for other machines do not hold the token."""
    if is_loopback(address.host) or not address.token:
        return opened
    return f"{opened.partition('?')[0]} (add ?token= and the token)"


def _address(address: HttpAddress, port: int) -> str:
    """Address to open in a browser, with the token if there is one."""
    near = is_loopback(address.host) or address.host == "0.0.0.0"
    host = "127.0.0.1" if near else address.host
    shown = f"[{host}]" if ":" in host else host
    query = f"?{urlencode({'token': address.token})}" if address.token else ""
    return f"http://{shown}:{port}/{query}"
