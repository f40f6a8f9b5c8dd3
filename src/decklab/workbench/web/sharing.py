"""Decks that leave their page: files in other formats, links by which others look at a deck and can
do nothing else, and one job on many decks.
"""

import re
import secrets
import shutil
import time
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Body, Request
from fastapi.responses import FileResponse, HTMLResponse
from sqlalchemy import ForeignKey, delete, select
from sqlalchemy.orm import Mapped, mapped_column
from starlette.background import BackgroundTask

from decklab.workbench.web.database import Base, JobRow, VersionRow
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import Library, NotThere
from decklab.workbench.web.pages import attached, job_json, render, score_of, worst_findings
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import EXPORTS, SUFFIXES

_TOKEN: Final = re.compile(r"[\w-]{32}\Z", re.ASCII)
ACTS: Final = {"check": "Lint and score", "fix": "Fix all that is safe", "compare": "Compare"}
"""Work on many decks besides exports, in words."""
MOST_DECKS: Final = 100
"""Decks of one job (ours); half of what the queue takes."""
_SHOW_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
)
"""Of a show, whose own policy names the one script that runs."""


class ShareRow(Base):
    """A link by which others look at a deck, as it is then, until the links of it are ended."""

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(primary_key=True)
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    created: Mapped[float]


def share(library: Library, deck: str) -> str:
    """A new link's token for a deck."""
    token = secrets.token_urlsafe(24)
    library.deck(deck)
    with library.writing() as session:
        session.add(ShareRow(token=token, deck=deck, created=time.time()))
    return token


def end_links(library: Library, deck: str) -> None:
    """End all links to a deck."""
    with library.writing() as session:
        session.execute(delete(ShareRow).where(ShareRow.deck == library.deck(deck).id))


def shared_version(library: Library, token: str) -> VersionRow:
    """The current version of the deck that a link shows; raises NotThere."""
    row = None
    if _TOKEN.match(token):  # databases take no other characters
        with library.sessions() as session:
            row = session.scalar(select(ShareRow).where(ShareRow.token == token))
    if row is None:
        raise NotThere("this link shows no deck, or it was ended")
    return library.version(row.deck, library.deck(row.deck).current)


def sharing_pages(bench: Workbench) -> APIRouter:
    """Routes of exports, of links, and of the pages of jobs on many decks."""
    router = APIRouter(default_response_class=HTMLResponse)
    library = bench.library

    @router.get("/shared/{token}")
    def shared(token: str) -> HTMLResponse:
        version = shared_version(library, token)
        path = _export_file(library, version, "html")
        if not path.is_file():
            made = [job for job in bench.jobs.of_deck(version.deck, "export")
                    if (job.number, job.asked["format"]) == (version.number, "html")]  # fmt: skip
            if not made:
                bench.export(version.deck, version.number, "html")
            elif made[-1].state not in OPEN:
                raise NotThere("the slides cannot be shown")
            return HTMLResponse(render("being-made.html"), headers={"refresh": "2"})
        page = path.read_text(encoding="utf-8")
        return HTMLResponse(page, headers={"content-security-policy": _SHOW_POLICY})

    @router.get("/batches/{batch_id}")
    def batch_page(batch_id: str) -> str:
        return render("batch.html", here="/", **_batch(bench, batch_id))

    @router.get("/batches/{batch_id}/rows")
    def batch_rows(batch_id: str) -> str:
        return render("batch-rows.html", **_batch(bench, batch_id))

    _add_files(router, bench)
    return router


def _add_files(router: APIRouter, bench: Workbench) -> None:
    """Add files that were made, to the pages or to the JSON API."""

    @router.get("/decks/{deck_id}/versions/{number}/export/{format}")
    def exported(deck_id: str, number: int, format: str) -> FileResponse:
        """The file of a version in another format, once it is made."""
        version = bench.library.version(deck_id, number)
        path = _export_file(bench.library, version, format)
        if not path.is_file():
            raise NotThere("the file is not made yet")
        return attached(path, _export_name(bench, version, format))

    @router.get("/batches/{batch_id}/file")
    def files(batch_id: str) -> FileResponse:
        """All files that a job on many decks made, in an archive."""
        room = bench.library.unfinished()
        room.mkdir()
        for number, job in enumerate(_jobs(bench, batch_id), start=1):
            version = bench.library.version(job.deck or "", job.number or 0)
            format = str(job.asked.get("format") or "")
            if job.kind == "export" and job.state == "done":
                shown = _export_name(bench, version, format)
                shutil.copyfile(_export_file(bench.library, version, format),
                                room / f"{number:02} {shown}")  # fmt: skip
        path = Path(shutil.make_archive(str(bench.library.unfinished()), "zip", room))
        shutil.rmtree(room)
        answer = attached(path, "decks.zip")
        answer.background = BackgroundTask(path.unlink)
        return answer


def sharing_api(bench: Workbench) -> APIRouter:
    """Exports, links, and jobs on many decks, for programs."""
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    @router.post("/decks/{deck_id}/versions/{number}/export", status_code=202)
    def export(
        deck_id: str, number: int, format: Annotated[str, Body(embed=True)]
    ) -> dict[str, Any]:
        """Make a file of a version, as ``pdf``, ``png`` (an archive), ``html`` or ``md``; returns
        the job."""
        return job_json(jobs, jobs.job(bench.export(deck_id, number, format)))

    @router.post("/decks/{deck_id}/share", status_code=201)
    def new_link(deck_id: str, request: Request) -> dict[str, str]:
        """A new ``link`` by which others look at a deck, and can do nothing else."""
        return {"link": f"{request.base_url}shared/{share(library, deck_id)}"}

    @router.delete("/decks/{deck_id}/share", status_code=204)
    def unshare(deck_id: str) -> None:
        """End all links to a deck."""
        end_links(library, deck_id)

    @router.post("/batches", status_code=202)
    def batch(
        decks: Annotated[list[str], Body(max_length=MOST_DECKS)], act: Annotated[str, Body()]
    ) -> dict[str, Any]:
        """One job on many decks: ``check``, ``fix``, ``compare`` (the first with each other), or a
        format to export them to."""
        return state(ask_many(bench, decks, act))

    @router.get("/batches/{batch_id}")
    def state(batch_id: str) -> dict[str, Any]:
        """A job on many decks: the job of each."""
        return {"id": batch_id, "jobs": [job_json(jobs, job) for job in _jobs(bench, batch_id)]}

    @router.post("/batches/{batch_id}/stop")
    def stop(batch_id: str) -> dict[str, Any]:
        """Stop what of it has not ended."""
        for job in _jobs(bench, batch_id):
            jobs.stop(job.id)
        return state(batch_id)

    _add_files(router, bench)
    return router


def ask_many(bench: Workbench, decks: Sequence[str], act: str) -> str:
    """Queue the same work on the current versions of decks; returns the id of all of it.

    Raises ValueError for no such work, or too few decks, and what reading a deck raises.
    """
    chosen = list(dict.fromkeys(decks))
    if act not in (*ACTS, *EXPORTS) or len(chosen) < (2 if act == "compare" else 1):
        raise ValueError("choose what to do, and with which decks; comparing takes two or more")
    for deck in chosen:
        bench.look_at(deck)
    current = {deck: bench.library.deck(deck).current for deck in chosen}
    batch, first = uuid4().hex, chosen[0]
    for deck in chosen[1:] if act == "compare" else chosen:
        if act == "fix":
            bench.fix(deck, None, about=batch)
        elif act in EXPORTS:
            bench.export(deck, current[deck], act, batch)
        else:
            kind = "compare-decks" if act == "compare" else "check"
            asked: dict[str, Any] = {"other": [first, current[first]]} if act == "compare" else {}
            bench.jobs.ask(kind, deck, current[deck], about=batch, **asked)
    return batch


def _jobs(bench: Workbench, batch: str) -> list[JobRow]:
    if not (jobs := bench.jobs.of(batch)):
        raise NotThere("no such job on many decks, or its decks were removed")
    return jobs


def _batch(bench: Workbench, batch: str) -> dict[str, Any]:
    """Content of the page of a job on many decks."""
    jobs = _jobs(bench, batch)
    rows, first = list[dict[str, Any]](), jobs[0]
    for job in jobs:
        number = int((job.result or {}).get("version") or job.number or 0)
        facts = bench.library.facts(bench.library.version(job.deck or "", number))
        rows.append({
            "job": job_json(bench.jobs, job),
            "deck": bench.library.deck(job.deck or ""),
            "number": number, "findings": worst_findings(facts),
            "quality": score_of(facts, "quality.score"),
        })  # fmt: skip
    other = first.asked.get("other")
    act = EXPORTS.get(str(first.asked.get("format"))) or ACTS[first.kind.partition("-")[0]]
    return {
        "id": batch, "rows": rows, "act": act, "ended": sum(not row["job"]["open"] for row in rows),
        "other": bench.library.deck(other[0]).name if other else "",
        "files": first.kind == "export" and any(row["job"]["state"] == "done" for row in rows),
    }  # fmt: skip


def _export_file(library: Library, version: VersionRow, format: str) -> Path:
    if format not in EXPORTS:
        raise NotThere("no such format")
    return library.seen(version) / f"export-{version.deck}.{format}"  # it has the deck's name


def _export_name(bench: Workbench, version: VersionRow, format: str) -> str:
    stem = PurePath(bench.library.deck(version.deck).name).stem
    return f"{stem}{SUFFIXES.get(format, f'.{format}')}"
