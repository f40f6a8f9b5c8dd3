"""The JSON API of decks and jobs."""

from typing import Annotated, Any

from fastapi import APIRouter, File, UploadFile

from decklab.workbench.web.deck_pages import add_files
from decklab.workbench.web.showing import deck_json, job_json, version_json
from decklab.workbench.web.workbench import Workbench


def deck_api(bench: Workbench) -> APIRouter:
    """Decks, their versions and jobs, for programs."""
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

    @router.patch("/decks/{deck_id}")
    def rename(deck_id: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Give a deck another ``name``; its suffix stays."""
        row = library.rename(deck_id, str(asked.get("name", "")))
        return deck_json(library, row, library.versions([deck_id])[deck_id])

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

    add_files(router, library)
    return router
