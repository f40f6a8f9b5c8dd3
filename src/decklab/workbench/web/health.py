"""``/health``: whether the workbench can work, for what starts and watches servers.

It needs no token and no host name, since it says only which part does not work.
"""

import asyncio
import os
import time

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from decklab.workbench.web.jobs import Jobs

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
        found = await self._look()
        well = set(found.values()) == {"ok"}
        answer = JSONResponse(found, 200 if well else 503, {"cache-control": "no-store"})
        await answer(scope, receive, send)

    async def _look(self) -> dict[str, str]:
        async with self._looking:
            if time.monotonic() >= self._until:
                self._found = await run_in_threadpool(health, self._jobs)
                self._until = time.monotonic() + FRESH_SECONDS
            return self._found
