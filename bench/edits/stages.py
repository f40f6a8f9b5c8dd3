"""The time of one edit by stage, on decks of 10, 40 and 80 slides, without a model's share.

The three decks are of one kind: the first slides of a real deck (or of the rich sample), doubled
where it has fewer. The edited slides are the same in all, so that what is drawn is the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

from pydantic import BaseModel

from decklab.deck.deck import write_samples
from decklab.editing.slide_operations import clone_slide, delete_slide
from decklab.editor.edit import edit_with_commands
from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditResult
from decklab.models.asking import ModelReply
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, Renderer

__all__ = ["STAGES", "Timed", "decks", "measured", "whole_deck"]

STAGES = ("read", "edit", "save", "make", "validate", "compare", "draw", "lint", "write")
MODEL = frozenset({"plan", "ask", "review"})
SIZES = (10, 40, 80)
ROUNDS = 5
Form = TypeVar("Form", bound=BaseModel)
_FIRST = 5
"""The first slide that is edited."""


@dataclass(frozen=True)
class Timed:
    """Edits of one kind: medians of the seconds by stage."""

    editor: str
    slides: int
    edited: int
    drawn: int
    seconds: Mapping[str, float]


def decks(source: Path | None, room: Path) -> dict[int, Path]:
    """A deck for each of ``SIZES``; ``source`` is cut or doubled, without one the rich sample."""
    source = source or next(one for one in write_samples(room) if one.stem == "rich")
    found = {}
    for size in SIZES:
        found[size] = room / f"{size}.pptx"
        with Package.open(source) as package:
            draft = Draft(package)
            count = len(slide_entries(package))
            for number in range(count, size, -1):
                delete_slide(draft, number)
            for extra in range(size - count):
                clone_slide(draft, 1 + extra % count, count + extra + 1)
            draft.save(found[size])
    return found


def measured(found: Mapping[int, Path], room: Path, office: Office) -> list[Timed]:
    """One slide on each deck, then more slides on the deck of 40; by command and by a stand-in for
    a model, which answers at once.

    All are timed in turns, so that what else the machine does falls on all alike.
    """
    cases = [(way, size, edited) for way in _WAYS
             for size, edited in (*((size, 1) for size in SIZES), (40, 5), (40, 10))]  # fmt: skip
    _by_command_once(found[SIZES[0]], room, office)
    rounds = [
        [_once(way, found[size], edited, room / str(number), office) for way, size, edited in cases]
        for number in range(ROUNDS)
    ]
    return [
        Timed(way, size, edited, results[0][0], _medians([seconds for _drawn, seconds in results]))
        for (way, size, edited), results in zip(cases, zip(*rounds, strict=True), strict=True)
    ]


def _by_command_once(deck: Path, room: Path, office: Office) -> None:
    """Have everything loaded, LibreOffice too."""
    (room / "out.pptx").unlink(missing_ok=True)
    edit_with_commands(
        deck, _request(1), out=room / "out.pptx", renderer=Renderer(office, Cache(room / "warm"))
    )


def _once(
    way: str, deck: Path, edited: int, room: Path, office: Office
) -> tuple[int, Mapping[str, float]]:
    """Slides drawn, and seconds by stage, of an edit of a deck of which nothing is known."""
    cache = Cache(room / f"{way}-{deck.stem}-{edited}")
    result = _WAYS[way](
        deck, _request(edited), out=room / "out.pptx", renderer=Renderer(office, cache)
    )
    if result.outcome != "done" or result.best is None or not result.best.verification:
        raise SystemExit(f"{way} on {deck.name}: {result.outcome}: {result.undone}")
    return len(result.best.verification.drawn), result.seconds


def _medians(rounds: list[Mapping[str, float]]) -> Mapping[str, float]:
    return {stage: median(one.get(stage, 0.0) for one in rounds) for stage in STAGES}


def _request(edited: int) -> str:
    return f"make all text italic on slides {_FIRST}-{_FIRST + edited - 1}"


def _by_agent(deck: Path, request: str, **how: Any) -> EditResult:
    first, last = (int(one) for one in request.rsplit(" ", 1)[1].split("-"))
    slides = list(range(first, last + 1))
    change = {
        "what": "text is italic", "kinds": ["style"], "slides": slides, "design": False,
        "shapes": [], "required": True, "count": 1, "new_texts": [],
    }  # fmt: skip
    in_tables = {**change, "what": "so are tables", "kinds": ["table"], "required": False}
    said = {
        "EditPlan": {
            "operations": [],
            "steps": [{"path": "edit", "task": request, "slides": slides}],
            "content": [],
            "changes": [change, in_tables],
            "remarks": [],
            "cannot": "",
        },
        "EditAnswer": {
            "state": 0,
            "operations": [f"format_text(slides={slides}, italic=True)"],
            "program": "",
            "patches": [],
            "remarks": [],
            "cannot": "",
        },
        "PlanCheck": {"missing": [], "loose": [], "wrong_slides": [], "fits": True},
        "Review": {"satisfied": True, "problems": []},
    }

    def ask(prompt: str, *, answer: type[Form] | None = None, **_more: Any) -> ModelReply[Form]:
        assert answer is not None
        return ModelReply("", answer.model_validate(said[answer.__name__]), model="stand-in")

    return edit_with_model(deck, request, ask, **how)


_WAYS: Mapping[str, Callable[..., EditResult]] = {
    "command": edit_with_commands, "agent": _by_agent,
}  # fmt: skip


def whole_deck(deck: Path, room: Path, office: Office) -> float:
    """Seconds to draw every slide of a deck once."""
    started = perf_counter()
    with open_rendered(deck, renderer=Renderer(office, Cache(room / "whole")), ocr=False) as drawn:
        for _slide in drawn:
            pass
    return perf_counter() - started
