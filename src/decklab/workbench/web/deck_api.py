"""The JSON API of decks and jobs."""

from typing import Annotated, Any

from fastapi import APIRouter, File, UploadFile

from decklab.workbench.web.database import DeckRow
from decklab.workbench.web.deck_pages import add_files
from decklab.workbench.web.showing import decks_json, job_json, version_json
from decklab.workbench.web.workbench import Workbench


def deck_api(bench: Workbench) -> APIRouter:
    """Decks, their versions and jobs, for programs."""
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    def shown(deck: DeckRow) -> dict[str, Any]:
        return decks_json(library, [deck])[0]

    @router.get("/decks")
    def decks(q: str = "", first: int = 0, most: int = 100) -> dict[str, Any]:
        """The decks of the library, newest first; ``q`` are words of their name or text."""
        found = bench.decks(q, first=max(first, 0), most=min(max(most, 1), 500))
        return {"total": library.count(), "decks": decks_json(library, found)}

    @router.post("/decks", status_code=201)
    def add(file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Upload a deck; it is looked at soon."""
        return shown(bench.upload(file))

    @router.get("/decks/{deck_id}")
    def deck(deck_id: str) -> dict[str, Any]:
        """A deck, its versions in short, and its jobs.

        If its file in the folder has changed, or was never read, it is read; ``problem`` is why it
        cannot be.
        """
        problem = bench.look_at(deck_id)
        return shown(library.deck(deck_id)) | {
            "problem": problem, "jobs": [job_json(jobs, one) for one in jobs.of_deck(deck_id)],
        }  # fmt: skip

    @router.patch("/decks/{deck_id}")
    def rename(deck_id: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Give a deck another ``name``; its suffix stays."""
        return shown(library.rename(deck_id, str(asked.get("name", ""))))

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
        """Ask for an edit: ``instruction``, and optionally ``slides`` ("2,4-6") and ``model``.

        With ``follow`` it is made on the version that is current then. Without, an edit of an older
        version is a branch, which becomes current; ``result.fork`` of the job says so.
        """
        job = bench.edit(
            deck_id, None if request.get("follow") else number, str(request.get("instruction", "")),
            str(request.get("slides") or ""), bool(request.get("model")),
        )  # fmt: skip
        return job_json(jobs, jobs.job(job))

    @router.post("/decks/{deck_id}/versions/{number}/choose")
    def choose(deck_id: str, number: int) -> dict[str, Any]:
        """Make a version the current one; undo is choosing the parent of the current one."""
        bench.choose(deck_id, number)
        return shown(library.deck(deck_id))

    @router.post("/decks/{deck_id}/versions/{number}/save", status_code=201)
    def save(deck_id: str, number: int) -> dict[str, Any]:
        """Save a version to the folder that is served, under a free name; ``saved`` is its path."""
        return {"saved": bench.save(deck_id, number)}

    @router.get("/jobs/{job_id}")
    def job(job_id: str) -> dict[str, Any]:
        """A job: its state, stage and result."""
        return job_json(jobs, jobs.job(job_id))

    @router.post("/jobs/{job_id}/stop")
    def stop(job_id: str) -> dict[str, Any]:
        """Stop a job that waits or runs."""
        jobs.stop(job_id)
        return job_json(jobs, jobs.job(job_id))

    add_files(router, library)
    return router
