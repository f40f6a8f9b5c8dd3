"""The work on a deck: draw it, look for faults, score, edit, compare."""

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from decklab.core.files import write_whole
from decklab.core.results import DeckResult
from decklab.deck.deck import open_deck
from decklab.deck.model.plain import Boxed
from decklab.deck.model.shapes import Element, Line
from decklab.deck.model.slide import SlideElements
from decklab.diffing.changes import Change
from decklab.editing.taking_back import keyed_changes, take_back
from decklab.editor.edit import edit as edit_deck
from decklab.linting.lint import LintResult
from decklab.linting.lint import lint as lint_deck
from decklab.metrics.catalogue import metric_labels
from decklab.rendering.job import DrawnDeck, Pictures, draw_decks
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import score_deck
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.workbench.web.work import WorkKind, WorkTask, tell

PICTURES = Pictures(size=(1280, 720), format="webp")
"""Of slides: as sharp as a wide screen shows them beside a list."""


def _look(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the slides, then find faults; each is there for people as soon as it is done.

    Where the deck comes from another one, the slides that changed are drawn first.
    """
    task.seen.mkdir(parents=True, exist_ok=True)
    with open_deck(task.file) as deck:
        elements = deck.elements
        titles = [one.title or "" for one in elements.slides]
        words = deck.markdown()
    facts: dict[str, Any] = {"slides": len(elements.slides), "titles": titles}
    _write_json(task.seen / "shapes.json", [slide_shapes(one) for one in elements.slides])
    tell(task, "draw")
    first = (
        _write_changes(task, task.seen / task.asked["changes"]) if "before" in task.asked else ()
    )
    for slides in ([first] if first else []) + [None]:
        (drawn,) = draw_decks({task.file: task.seen}, _pictures(slides), renderer=renderer)
        facts |= _drawn(drawn)
        _write_facts(task, facts)
        tell(task, "lint" if slides is None else "rest")
    linted = lint_deck(task.file, renderer=renderer)
    facts |= _findings(linted)
    _write_facts(task, facts)
    return {"words": words[:100_000]}


def _pictures(slides: Collection[int] | None) -> Pictures:
    return replace(PICTURES, slides=slides)


def _drawn(drawn: DrawnDeck) -> dict[str, Any]:
    """Result of drawing: why there are no pictures, or their size."""
    sizes = (
        [(one.width, one.height) for one in drawn.saved.slides if one.picture]
        if drawn.saved
        else []
    )
    known: dict[str, Any] = {"picture_size": sizes[0]} if sizes else {}
    return known | {"not_drawn": "; ".join(dict.fromkeys(drawn.errors))}


def slide_shapes(slide: SlideElements) -> list[dict[str, Any]]:
    """The shapes of a slide in drawing order: id, name, and box in the 960x540 frame.

    Several elements of one shape are one; shapes that are hidden or have no place are left out.
    """
    shapes: dict[int, dict[str, Any]] = {}
    for one in slide.elements():
        box = _box(one)
        if one.id and one.id not in shapes and box and one.placed and not one.hidden:
            shapes[one.id] = {"id": one.id, "name": one.name, "box": box, "turn": one.rotation}
    return list(shapes.values())


def _box(element: Element) -> list[float] | None:
    """Left, top, width and height; None without a box."""
    if isinstance(element, Line):
        left, right = sorted((element.x1, element.x2))
        top, bottom = sorted((element.y1, element.y2))
        return [left, top, right - left, bottom - top]
    if isinstance(element, Boxed):
        return [element.x, element.y, element.w, element.h]
    return None


def _write_changes(task: WorkTask, target: Path) -> list[int]:
    """Write what changed, change by change in words; returns the slides that look different."""
    changes = keyed_changes(task.asked["before"], task.file)
    rows = [
        {
            "key": one.key, "words": one.words, "older": one.older, "kind": one.change.kind,
            "slide": None if _is_removed(one.change) else one.change.slide,
            "property": one.change.property,
            "shape": one.change.element.id if one.change.element else 0,
        }
        for one in changes
    ]  # fmt: skip
    _write_json(target, rows)
    shown = (one.change.slide for one in changes if not _is_removed(one.change))
    return sorted({slide for slide in shown if slide is not None})


def _is_removed(change: Change) -> bool:
    return (change.kind, change.property) == ("slide", "removed")


def _score(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Add the scores to the facts of the deck."""
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
    _write_json(task.seen / "facts.json", facts)


def _write_json(path: Path, found: object) -> None:
    write_whole(path, json.dumps(found).encode())


def _edit(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Edit the deck, and draw the edited one."""
    result = edit_deck(
        task.file,
        task.asked["instruction"],
        out=task.out,
        slides=task.asked.get("slides") or None,
        model=task.asked.get("model"),
        progress=lambda stage: tell(task, stage),
        renderer=renderer,
    )
    return {
        "outcome": result.outcome, "done": result.done, "undone": result.undone,
        "readings": result.readings, "sentences": result.sentences, "put_back": result.put_back,
        "warnings": result.warnings, "left_out": result.left_out, "spent": result.spent,
        "slides": sorted(result.changes.changed_slides),
    }  # fmt: skip


def _take_back(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Take changes of a version back from the deck, which is that version or comes from it."""
    tell(task, "edit")
    before, made = task.asked["before"], task.asked["made"]
    keys = task.asked["keys"] or [one.key for one in keyed_changes(before, made)]
    later = None if Path(made) == task.file else task.file
    taken = take_back(before, made, keys, task.out, onto=later)
    return {
        "outcome": "partly" if taken.left else "done", "done": taken.gone, "undone": taken.left,
        "readings": [], "sentences": [f"Taken back: {line}" for line in taken.gone],
        "put_back": [], "warnings": [], "left_out": [], "slides": taken.slides,
    }  # fmt: skip


def _compare(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Find what changed between two versions."""
    tell(task, "compare")
    return {"slides": _write_changes(task, task.out)}


DECK_WORK: Final[Mapping[str, WorkKind]] = {
    "look": _look,
    "score": _score,
    "edit": _edit,
    "take_back": _take_back,
    "compare": _compare,
}
