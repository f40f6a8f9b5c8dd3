"""The work on a deck: draw it, look for faults, score, edit, compare."""

import json
from collections.abc import Mapping
from typing import Any, Final

import decklab
from decklab.files import write_whole
from decklab.linting.lint import LintResult
from decklab.metrics.catalogue import metric_labels
from decklab.rendering.job import draw_decks
from decklab.rendering.renderer import Renderer
from decklab.rendering.saving import Pictures
from decklab.reports.leaderboard import COLUMNS
from decklab.results import DeckResult
from decklab.scoring.deck import score_deck
from decklab.web.work import WorkKind, WorkTask, tell

PICTURES = Pictures(size=(1280, 720), format="webp")
"""Of slides: as sharp as a wide screen shows them beside a list."""


def _look(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the slides, then find faults; each is there for people as soon as it is done."""
    with decklab.open(task.file) as deck:
        elements = deck.elements
        titles = [one.title or "" for one in elements.slides]
        words = deck.markdown()
    facts: dict[str, Any] = {"slides": len(elements.slides), "titles": titles}
    tell(task, "draw")
    task.seen.mkdir(parents=True, exist_ok=True)
    (drawn,) = draw_decks({task.file: task.seen}, PICTURES, renderer=renderer)
    facts["not_drawn"] = "; ".join(dict.fromkeys(drawn.errors)) if drawn.errors else ""
    _write_facts(task, facts)
    tell(task, "lint")
    linted = decklab.lint(task.file, renderer=renderer)
    facts |= _findings(linted)
    _write_facts(task, facts)
    return {"words": words[:100_000]}


def _score(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Add the scores to what was found in the deck."""
    tell(task, "score")
    scores = _scores(score_deck(task.file, renderer=renderer).result)
    facts = json.loads((task.seen / "facts.json").read_text(encoding="utf-8"))
    _write_facts(task, facts | {"scores": scores})
    return {}


def _findings(linted: LintResult) -> dict[str, Any]:
    return {
        "findings": [one.model_dump(mode="json") for one in linted.findings],
        "not_run": [f"{rule}: {why}" for rule, why in linted.not_run.items()],
    }


def _scores(result: DeckResult) -> list[dict[str, Any]]:
    labels = metric_labels()
    rows = {row.metric: row for row in result.measurements if row.slide is None}
    return [
        {"metric": name, "label": labels.get(name, name), "value": rows[name].value,
         "reason": rows[name].reason}
        for name in COLUMNS
        if name in rows
    ]  # fmt: skip


def _write_facts(task: WorkTask, facts: Mapping[str, Any]) -> None:
    write_whole(task.seen / "facts.json", json.dumps(facts).encode())


def _edit(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Edit the deck, and draw the edited one."""
    result = decklab.edit(
        task.file,
        task.asked["instruction"],
        out=task.out,
        slides=task.asked.get("slides") or None,
        model=task.asked.get("model"),
        progress=lambda stage: tell(task, stage),
    )
    return {
        "outcome": result.outcome, "done": result.done, "undone": result.undone,
        "readings": result.readings, "sentences": result.sentences, "put_back": result.put_back,
        "warnings": result.warnings, "left_out": result.left_out, "spent": result.spent,
        "slides": sorted(result.changes.changed_slides),
    }  # fmt: skip


def _compare(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Write the page that compares the deck with another one."""
    diff = decklab.write_comparison(
        task.out, task.asked["before"], task.file, renderer=renderer,
        generated_by=f"decklab {decklab.__version__}",
    )  # fmt: skip
    return {"changes": len(diff.changes)}


DECK_WORK: Final[Mapping[str, WorkKind]] = {
    "look": _look,
    "score": _score,
    "edit": _edit,
    "compare": _compare,
}
