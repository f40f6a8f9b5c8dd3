"""Perfect attempts spoilt by program: does anything that is not done, or not seen, get the score?

A companion of the meta-evaluation. Attempts of known level say whether a rubric tells more from
less; these say whether it can be fooled.
"""

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from decklab.benchmarks.ppteval.starter import StarterTask, program_text
from decklab.deck.samples import write_samples
from decklab.grading.decks import ComparedDecks
from decklab.grading.grade import grade_compared
from decklab.options import Isolation
from decklab.rendering.renderer import Renderer
from decklab.results import SAME, NotScored
from decklab.rubrics.rubric import parse_rubric
from decklab.rubrics.running import LeafRoom
from decklab.sandbox.sandbox import Sandbox

_SABOTAGE = """
from pptx import Presentation

deck = Presentation(path)
_known = [(slide, {{shape.shape_id for shape in slide.shapes}}) for slide in deck.slides]
{edits}
fits = {name}(Work(deck, _known, may_change)) is not False
if fits:
    deck.save("edited.pptx")
"""


@dataclass(frozen=True)
class SabotageResult:
    """One sabotage of one task's perfect attempt."""

    task: str
    name: str
    kind: Literal["unseen", "harmful"]
    score: float | NotScored | None
    """What it still scores; None where the sabotage does not fit the task."""
    hides: bool
    """Whether it keeps all that the task asks for from being seen, so that nothing is due."""


def grade_sabotages(
    tasks: Iterable[StarterTask],
    names: Sequence[str] = (),
    *,
    renderer: Renderer,
    isolation: Isolation = "bubblewrap",
    done: Callable[[SabotageResult], object] = lambda spoilt: None,
) -> list[SabotageResult]:
    """Make and grade each sabotage (``names``, else all) of each task's perfect attempt.

    ``done`` is told of each. Raises RunFailed where a program fails.
    """
    kinds = sabotages()
    found: list[SabotageResult] = []
    known: dict[Path, ComparedDecks] = {}
    with TemporaryDirectory(prefix="decklab-spoilt-") as scratch, LeafRoom(isolation) as room:
        folder = Path(scratch)
        decks = {path.name: path for path in write_samples(folder / "decks")}
        with Sandbox(files=decks, isolation=isolation) as sandbox:
            for task in tasks:
                original = decks[f"{task.deck}.pptx"]
                rubric = parse_rubric(dict(task.rubric))
                for name in names or kinds:
                    deck = _sabotaged(sandbox, task, name)
                    score: float | NotScored | None = None
                    if deck is not None:
                        path = folder / "spoilt.pptx"
                        path.write_bytes(deck)
                        with ComparedDecks(
                            original, path, like=known.get(original), renderer=renderer
                        ) as pair:
                            known[original] = pair
                            score = grade_compared(pair, rubric, room=room).score
                    hides = kinds[name] == "unseen" and _hides(name, task)
                    one = SabotageResult(task.name, name, kinds[name], score, hides)
                    done(one)
                    found.append(one)
    return found


def _sabotaged(sandbox: Sandbox, task: StarterTask, name: str) -> bytes | None:
    """The perfect attempt at a task, spoilt by the sabotage ``name``; None where that does not fit.

    ``sandbox`` has been handed the task's deck. Raises RunFailed where the program fails.
    """
    source = sabotage_source(task.attempts["perfect"], name)
    handed = {
        "path": sandbox.path(f"{task.deck}.pptx"),
        "may_change": task.rubric["metadata"]["may_change"],
    }
    outcome = sandbox.run(source, globals=handed, result="fits")
    return sandbox.collect("edited.pptx")["edited.pptx"] if outcome.value else None


def sabotage_source(edits: str, name: str) -> str:
    """An attempt that is spoilt by the sabotage ``name`` afterwards.

    It wants ``path`` and ``may_change``, and leaves ``edited.pptx`` where ``fits`` is true: some
    sabotages do not fit some tasks.
    """
    shared = program_text("attempt_edits") + program_text("sabotage_edits")
    return shared + _SABOTAGE.format(edits=edits.strip(), name=name)


@cache
def sabotages() -> dict[str, Literal["unseen", "harmful"]]:
    """The names of all sabotages: what they do to a perfect attempt."""
    found: dict[str, Literal["unseen", "harmful"]] = {}
    for node in ast.parse(program_text("sabotage_edits")).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        assert isinstance(node.targets[0], ast.Name)
        kind: Literal["unseen", "harmful"] = (
            "unseen" if node.targets[0].id == "UNSEEN" else "harmful"
        )
        found |= {one.id: kind for one in node.value.elts if isinstance(one, ast.Name)}
    return found


_WHOLE = frozenset(("all_slides_hidden", "slides_fly_by", "left_out_of_the_show"))
"""Sabotages that hide whole slides, and so whatever was to be done on them."""


_OF_CHARTS = frozenset(("white_and_tiny", "transparent_text", "unpainted_series"))
"""Sabotages that leave some of a chart to be seen: its lines, or its words."""


def _hides(name: str, task: StarterTask) -> bool:
    """Whether a sabotage of kind ``unseen`` hides all that a task asks for: shapes, new slides."""
    if name in _WHOLE:
        return True
    if name in _OF_CHARTS and "charts" in task.categories:
        return False
    entries = task.rubric["metadata"]["may_change"]
    kinds = ("added", "shapes", "words", "new")
    shapes = any(kind in one for one in entries for kind in kinds)
    return shapes and not any({"background", "notes"} & set(one.get("also", ())) for one in entries)


def sabotage_faults(found: Iterable[SabotageResult]) -> list[SabotageResult]:
    """Those that score what they should not: as much as the perfect attempt, or anything at all
    where nothing that was asked for can be seen; and those without a score."""
    return [
        one for one in found
        if one.score is not None
        and (isinstance(one.score, NotScored) or one.score > (SAME if one.hides else 1 - SAME))
    ]  # fmt: skip


def sabotage_json(found: Iterable[SabotageResult]) -> list[dict[str, Any]]:
    """As plain JSON; the score is null where it is open or the sabotage does not fit."""
    return [
        {
            "task": one.task, "sabotage": one.name, "kind": one.kind, "hides": one.hides,
            "fits": one.score is not None,
            "score": one.score if isinstance(one.score, float) else None,
        }
        for one in found
    ]  # fmt: skip
