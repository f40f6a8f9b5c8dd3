"""The work on a case of a run: draw its decks, and put the changes in words."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError, one_line
from decklab.core.files import write_whole
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words_by_slide
from decklab.rendering.job import draw_decks
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.deck_work import PICTURES
from decklab.workbench.web.work import WorkKind, WorkTask, tell

SEE_CASE: Final = "see case"
DRAWN: Final = "drawn.json"
"""In the folder of a deck's pictures: how many slides it has, and which were not drawn."""
CHANGES: Final = "changes-{}.json"
"""There too: what changed from this deck to the one with the checksum."""


def _see_case(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the decks not drawn yet, then compare the first deck with each of the others."""
    decks = [(Path(path), Path(folder), digest) for path, folder, digest in task.asked["decks"]]
    tell(task, "draw")
    for path, folder, _ in decks:
        if not (folder / DRAWN).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / DRAWN, json.dumps(_draw(path, folder, renderer)).encode())
    tell(task, "compare")
    before, place, own = decks[0]
    for after, _, digest in decks[1:]:
        made = place / CHANGES.format(digest)
        if not made.is_file():
            told = (
                {"changes": [], "error": ""} if digest == own else _changes(before, after, renderer)
            )
            write_whole(made, json.dumps(told).encode())
    return {}


def _draw(path: Path, folder: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        (drawn,) = draw_decks({path: folder}, PICTURES, renderer=renderer)
    except DecklabError as error:
        return {"slides": 0, "error": _without(str(error), path)}
    slides = drawn.saved.count if drawn.saved else 0
    return {"slides": slides, "error": _without("; ".join(dict.fromkeys(drawn.errors)), path)}


def _changes(before: Path, after: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        diff = diff_decks(before, after, renderer=renderer)
    except DecklabError as error:
        return {"changes": [], "error": _without(_without(str(error), before), after)}
    return {
        "error": "",
        "changes": [
            {
                "place": found.place,
                "slides": sorted({one.slide for one in found.changes if one.slide is not None}),
                "words": list(found.clauses),
            }
            for found in words_by_slide(diff.edits)
        ],
    }


def _without(line: str, path: Path) -> str:
    """A line for people, without the place of the server's files."""
    return one_line(line).replace(f"{path}: ", "").replace(str(path), path.name)


EVALUATE_WORK: Final[Mapping[str, WorkKind]] = {SEE_CASE: _see_case}
