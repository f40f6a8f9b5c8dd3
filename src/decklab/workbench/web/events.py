"""News of jobs as server-sent events, so that a page shows a stage as soon as it is reached."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from decklab.workbench.web.jobs import OPEN, Jobs
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.workbench import Workbench

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
            _sent(request, news), media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )  # fmt: skip

    return router


async def job_news(jobs: Jobs, watched: list[str]) -> AsyncIterator[str]:
    """Ids of the watched jobs whenever their state or stage changes; empty after a long silence.

    Each job is named once at first; the news end when all jobs have ended.
    """
    known: dict[str, str] = {}
    silent = 0.0
    while len(known) < len(set(watched)) or any(seen != "ended" for seen in known.values()):
        for one in dict.fromkeys(watched):
            seen = known.get(one)
            if seen == "ended":
                continue
            now = await run_in_threadpool(_state, jobs, one)
            if now != seen:
                known[one], silent = now, 0.0
                yield one
        await asyncio.sleep(LOOK_SECONDS)
        silent += LOOK_SECONDS
        if silent >= SILENCE_SECONDS:
            silent = 0.0
            yield ""


def _state(jobs: Jobs, job: str) -> str:
    """What a page would show of a job: "ended" where nothing more will come."""
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
