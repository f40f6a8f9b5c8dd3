"""A slide touched on its page: operations of the library on a version of a deck, one after the
other a step of its stack of changes.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, File, Form, UploadFile

from decklab.editing.calling import MOST_CALLS
from decklab.editing.operations import named_operations
from decklab.editing.phrasing import phrases_of
from decklab.pages.wording import clean_line
from decklab.workbench.web.pages import job_json
from decklab.workbench.web.workbench import Workbench

_SAID: Final[Mapping[str, str]] = {
    "set_text": "Type in {shape} on slide {slide}",
    "set_geometry": "Move or size {shape} on slide {slide}",
    "set_notes": "Write the notes of slide {slide}",
    "set_cell": "Fill cells of {shape} on slide {slide}",
    "set_chart_value": "Change numbers of {shape} on slide {slide}",
    "replace_picture": "Replace {shape} on slide {slide}",
    "add_picture": "Add a picture to slide {slide}",
    "duplicate_shape": "Copy {shape} on slide {slide}",
    "delete_shape": "Delete {shape} on slide {slide}",
    "order_shape": "Bring {shape} on slide {slide} to the {to}",
    "clone_slide": "Copy slide {slide}", "add_slide": "Add a slide",
    "move_slide": "Move slide {slide} to {position}", "hide_slide": "Hide or show slide {slide}",
    "delete_slide": "Delete slide {slide}",
}  # fmt: skip
"""Steps in words; others are called as their operation is."""


def touch_api(bench: Workbench) -> APIRouter:
    """Operations on a version, as pages and programs ask for them."""
    router = APIRouter()
    jobs = bench.jobs

    @router.post("/decks/{deck_id}/versions/{number}/touch", status_code=202)
    def touch(
        deck_id: str,
        number: int,
        calls: Annotated[list[dict[str, Any]], Body(max_length=MOST_CALLS)],
        *,
        follow: Annotated[bool, Body()] = False,
    ) -> dict[str, Any]:
        """Call operations of the library on a version, together one new version; returns the job.

        Each of ``calls`` has an ``operation`` and its ``arguments``, where slides have the numbers
        of this version. With ``follow`` they are made on the version that is current then. The job
        fails if anything else would change than the operations declare.
        """
        return job_json(jobs, jobs.job(_ask(bench, deck_id, number, calls, follow=follow)))

    @router.post("/decks/{deck_id}/versions/{number}/picture", status_code=202)
    def picture(
        deck_id: str,
        number: int,
        file: Annotated[UploadFile, File()],
        slide: Annotated[int, Form()],
        *,
        shape: Annotated[int | None, Form()] = None,
        box: Annotated[list[float] | None, Form(max_length=4)] = None,
        follow: Annotated[bool, Form()] = False,
    ) -> dict[str, Any]:
        """Show another picture in the frame of ``shape``, or add one in a ``box`` of four numbers,
        left, top, width and height on a slide of 960 by 540; returns the job."""
        call: dict[str, Any] = {"operation": "replace_picture", "arguments": {"slide": slide}}
        if shape is None:
            call = {"operation": "add_picture", "arguments": {"slide": slide, "box": box or []}}
        else:
            call["arguments"]["shape"] = shape
        bench.library.version(deck_id, number)
        kept = bench.library.kept_picture(file.file)
        return job_json(
            jobs, jobs.job(_ask(bench, deck_id, number, [call], follow=follow, picture=str(kept)))
        )

    return router


def _ask(
    bench: Workbench,
    deck_id: str,
    number: int,
    calls: Sequence[Mapping[str, Any]],
    *,
    follow: bool,
    picture: str = "",
) -> str:
    """Queue calls on a version; returns the job's id. Raises ValueError for what is no call."""
    if not (asked := [_checked(call) for call in calls]):
        raise ValueError("no operation is asked for")
    shown = bench.library.version(deck_id, number)
    more = {"picture": picture} if picture else {}
    return bench.jobs.ask_change(
        "touch", deck_id, None if follow else number, calls=asked, shown=number,
        instruction=_words(bench, shown.deck, number, asked), **more,
    )  # fmt: skip


def _checked(call: Mapping[str, Any]) -> dict[str, Any]:
    name, arguments = call.get("operation"), call.get("arguments")
    operation = named_operations().get(name) if isinstance(name, str) else None
    if operation is None or not phrases_of(operation) or not isinstance(arguments, dict):
        raise ValueError("a call has the name of an operation, and arguments by their names")
    return {"operation": name, "arguments": arguments}


def _words(bench: Workbench, deck: str, number: int, calls: Sequence[Mapping[str, Any]]) -> str:
    """A step in a line, such as ``Type in Title 1 on slide 2``."""
    name, arguments = calls[0]["operation"], calls[0]["arguments"]
    slide, shape = arguments.get("slide"), arguments.get("shape")
    version = bench.library.version(deck, number)
    known = bench.library.shapes(version, slide) if isinstance(slide, int) else []
    called = next((str(item["name"]) for item in known if item["id"] == shape), "a shape")
    said = _SAID.get(name, f"{name.replace('_', ' ').capitalize()} on slide {{slide}}")
    words = said.format_map(
        {"to": "", "position": "", "slide": "", **arguments} | {"shape": called}
    )
    return clean_line(words)[:200]
