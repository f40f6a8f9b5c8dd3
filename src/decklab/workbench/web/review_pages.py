"""The changes of a version on its page: accepted one by one or all, and taken back."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse

from decklab.workbench.web.database import VersionRow
from decklab.workbench.web.jobs import OPEN, QueueFull
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.pages import STAGES, job_json, render
from decklab.workbench.web.reviewing import accept, older_slide, picture_size, reopen, review
from decklab.workbench.web.workbench import Workbench

VIEWS = {"after": "Slide", "beside": "Side by side", "slider": "Slider"}
"""How a changed slide is shown, and what the page calls it."""


@dataclass(frozen=True)
class Place:
    """Address of a page of a deck: a slide of a version, against another version."""

    deck: str
    version: int
    against: int | None
    slide: int
    view: str

    def at(self, slide: int | None = None, view: str | None = None) -> str:
        """The address of the page with another slide or view."""
        asked: dict[str, Any] = {"version": self.version, "slide": slide or self.slide}
        if self.against is not None:
            asked["against"] = self.against
        view = view or self.view
        return (
            f"/decks/{self.deck}?{urlencode(asked | ({'view': view} if view != 'after' else {}))}"
        )


def review_context(
    bench: Workbench, shown: VersionRow, slide: int, against: int | None, view: str
) -> dict[str, Any]:
    """Content of a page on the changes of a version; all is empty if it is not compared."""
    base = _base(bench, shown, against)
    reviewed = review(bench.library, shown, base) if base else []
    job = None
    if reviewed is None and base is not None:
        with suppress(QueueFull):
            job = bench.compare(shown.deck, shown.number, base.number)
    older = older_slide(reviewed or (), slide)
    pictured = base is not None and older and bench.library.picture(base, older) is not None
    size = picture_size(bench.library.facts(shown))
    return {
        "base": base, "reviewed": reviewed or [], "older": older if pictured else None,
        "comparing": job.id if job and job.state in OPEN else "",
        "compare_failed": job.message if job and job.state == "failed" else "",
        "place": Place(shown.deck, shown.number, base.number if base else None, slide, view),
        "view": view if view in VIEWS and pictured else "after", "views": VIEWS,
        "changed": {one.slide for one in reviewed or () if one.slide},
        "unaccepted": [key for one in reviewed or () for key in one.open],
        "shapes": bench.library.shapes(shown, slide), "picture_size": size, "stages": STAGES,
    }  # fmt: skip


def _base(bench: Workbench, shown: VersionRow, against: int | None) -> VersionRow | None:
    number = against if against is not None else bench.base_of(shown)
    if number is None or number == shown.number:
        return None
    return bench.library.version(shown.deck, number)


def review_pages(bench: Workbench) -> APIRouter:
    """Routes of the buttons beside changes."""
    router = APIRouter(default_response_class=HTMLResponse)
    library, jobs = bench.library, bench.jobs

    def changes(deck_id: str, number: int, against: int, slide: int, view: str) -> str:
        shown = library.version(deck_id, number)
        context = review_context(bench, shown, slide, against, view)
        return render(
            "changes.html", deck=library.deck(deck_id), shown=shown, slide=slide, **context
        )

    @router.post("/decks/{deck_id}/versions/{number}/accept")
    def accept_changes(
        deck_id: str,
        number: int,
        against: Annotated[int, Form()],
        key: Annotated[list[str], Form(max_length=5000)],
        *,
        slide: Annotated[int, Form()] = 1,
        view: Annotated[str, Form()] = "after",
        state: Annotated[str, Form()] = "accepted",
    ) -> str:
        set_accepted(bench, deck_id, number, against, key, accepted=state == "accepted")
        return changes(deck_id, number, against, slide, view)

    @router.post("/decks/{deck_id}/versions/{number}/take-back")
    def take_back(
        deck_id: str,
        number: int,
        against: Annotated[int | None, Form()] = None,
        key: Annotated[list[str] | None, Form(max_length=5000)] = None,
    ) -> str:
        job = bench.take_back(deck_id, number, against, key)
        return render("job.html", job=job_json(jobs, jobs.job(job)))

    return router


def set_accepted(
    bench: Workbench, deck: str, number: int, against: int, keys: Sequence[str], *, accepted: bool
) -> None:
    """Accept changes of a version, or make them open again; raises NotThere for another key."""
    shown, base = bench.library.version(deck, number), bench.library.version(deck, against)
    known = {row["key"] for row in bench.library.changes(shown, base) or ()}
    if not known.issuperset(keys):
        raise NotThere("these changes are not there")
    (accept if accepted else reopen)(bench.library, base, keys)


def review_api(bench: Workbench) -> APIRouter:
    """The changes of a version, for programs."""
    router = APIRouter()
    library, jobs = bench.library, bench.jobs

    @router.get("/decks/{deck_id}/versions/{number}/changes")
    def changes(deck_id: str, number: int, against: int | None = None) -> dict[str, Any]:
        """The changes since ``against``, by default since the version before the request.

        While they are looked for, ``job`` is the work that does it, and ``changes`` is null.
        """
        shown = library.version(deck_id, number)
        base = _base(bench, shown, against)
        if base is None:
            return {"against": None, "changes": [], "job": None}
        reviewed = review(library, shown, base)
        job = bench.compare(deck_id, number, base.number) if reviewed is None else None
        return {
            "against": base.number, "job": job.id if job else None,
            "changes": None if reviewed is None else [
                dict(change) for one in reviewed for change in one.changes
            ],
        }  # fmt: skip

    @router.post("/decks/{deck_id}/versions/{number}/accept")
    def accept_changes(deck_id: str, number: int, asked: dict[str, Any]) -> dict[str, Any]:
        """Accept the changes ``keys`` since ``against``; ``accepted`` false makes them open."""
        against, keys = _asked(asked)
        set_accepted(
            bench, deck_id, number, against, keys, accepted=bool(asked.get("accepted", True))
        )
        return changes(deck_id, number, against)

    @router.post("/decks/{deck_id}/versions/{number}/take-back", status_code=202)
    def take_back(deck_id: str, number: int, asked: dict[str, Any]) -> dict[str, Any]:
        """Take the changes ``keys`` since ``against`` back, as a new version; returns the job.

        Without both, all changes since the version before go. They go from the current version if
        it comes from this one: later changes stay, and ``undone`` lists conflicts.
        """
        against, keys = _asked(asked) if asked else (None, None)
        return job_json(jobs, jobs.job(bench.take_back(deck_id, number, against, keys)))

    return router


def _asked(asked: dict[str, Any]) -> tuple[int, list[str]]:
    against, keys = asked.get("against"), asked.get("keys")
    if not isinstance(against, int) or not isinstance(keys, list):
        raise ValueError("needed are against, the number of a version, and keys, a list")
    return against, [str(key) for key in keys]
