"""A piece of work for a process, and the one that comes first: to look at a deck, so that its pages
show its slides, the shapes that people can touch, its findings and scores.
"""

import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from decklab.core.files import write_whole
from decklab.core.geometry import FRAME_HEIGHT
from decklab.core.results import DeckResult, Measurement
from decklab.deck.deck import open_deck
from decklab.deck.model.base import Boxed
from decklab.deck.model.shapes import Chart, Element, Image, Line, Rect, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_part_of_deck
from decklab.diffing.changes import Change
from decklab.editing.taking_back import keyed_changes
from decklab.linting.lint import LintResult
from decklab.linting.lint import lint as lint_deck
from decklab.metrics.catalogue import metric_labels
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.pages.wording import FULL_SCALES, LEVEL_MEANINGS
from decklab.rendering.job import DrawnDeck, Pictures, draw_decks
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import score_deck
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.scoring.reports.standing import LEVEL_VERDICTS, standing_of


@dataclass(frozen=True)
class WorkTask:
    """One piece of work on one file."""

    kind: str
    """Names the function that does it."""
    file: Path
    """File that it works on."""
    seen: Path
    """Folder for pictures and findings."""
    out: Path
    """Path of the output."""
    stage: Path
    """File with the present stage."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variables that the process has for this work alone, such as the key of a model."""


@dataclass(frozen=True)
class WorkDone:
    """Result of a piece of work; ``failure`` is a line if it could not be done."""

    result: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""


WorkKind = Callable[[WorkTask, Renderer], Mapping[str, Any]]
"""Does one kind of work; returns the result, or raises DecklabError, OSError or ValueError."""


def tell(task: WorkTask, stage: str) -> None:
    """Say which stage the work has reached."""
    write_whole(task.stage, stage.encode())


PICTURES = Pictures(size=(1280, 720), format="webp")
"""Of slides: as sharp as a wide screen shows them beside a list."""


def look(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the slides, then find faults; each is there for people as soon as it is done.

    Where the deck comes from another one, the slides that changed are drawn first.
    """
    facts = first_look(task, renderer)
    facts |= _drawn(next(iter(draw_decks({task.file: task.seen}, PICTURES, renderer=renderer))))
    _write_facts(task, facts)
    tell(task, "lint")
    facts |= _findings(lint_deck(task.file, renderer=renderer))
    _write_facts(task, facts)
    with open_deck(task.file) as deck:
        return {"words": deck.markdown()[:100_000]}


def first_look(
    task: WorkTask, renderer: Renderer, office: Executor | None = None
) -> dict[str, Any]:
    """The facts of a deck without findings; the slides that changed are drawn, by ``office`` after
    what that draws already.

    Who touched a slide has looked so already.
    """
    with suppress(FileNotFoundError):
        facts: dict[str, Any] = json.loads((task.seen / "facts.json").read_text(encoding="utf-8"))
        tell(task, "rest")
        return facts
    task.seen.mkdir(parents=True, exist_ok=True)
    changed, kept = None, dict[int, int]()
    if "before" in task.asked:
        before = Path(task.asked["before"])
        changed = write_changes(task, task.seen / task.asked["changes"])
        kept = _kept_slides(before, task.file, changed)
    facts = _slide_facts(task, kept)
    tell(task, "draw")
    if changed:
        pictures = replace(PICTURES, slides=changed)
        drawing = partial(draw_decks, {task.file: task.seen}, pictures, renderer=renderer)
        (drawn,) = office.submit(lambda: list(drawing())).result() if office else drawing()
        facts |= _drawn(drawn)
    if changed is not None:
        _write_facts(task, facts)
        tell(task, "rest")
    return facts


def _kept_slides(before: Path, after: Path, changed: Collection[int]) -> dict[int, int]:
    """The numbers of slides that did not change, by their numbers in an older deck."""
    with Package.open(before) as older, Package.open(after) as newer:
        known = {slide.id: slide.number for slide in slide_entries(older)}
        return {known[slide.id]: slide.number for slide in slide_entries(newer)
                if slide.id in known and slide.number not in changed}  # fmt: skip


def _slide_facts(task: WorkTask, kept: Mapping[int, int]) -> dict[str, Any]:
    """Titles and notes of slides, and their shapes, which are written; those of slides that were
    ``kept`` are known from the older deck, as are pictures of slides that have their number."""
    older = task.seen.parent / Path(task.asked.get("before", "")).stem
    known: dict[int, tuple[str, str, bool, Any]] = {}
    if kept and (older / "facts.json").is_file():
        facts = json.loads((older / "facts.json").read_text(encoding="utf-8"))
        rows = json.loads((older / "shapes.json").read_text(encoding="utf-8"))
        for number, now in kept.items() if "notes" in facts else ():
            title, notes = facts["titles"][number - 1], facts["notes"][number - 1]
            known[now] = (title, notes, number in facts["hidden"], rows[number - 1])
            if number == now:
                name = f"slide-{number:03}.webp"
                with suppress(FileNotFoundError, FileExistsError):
                    (task.seen / name).hardlink_to(older / name)
    with Package.open(task.file) as package:
        numbers = [entry.number for entry in slide_entries(package)]
        read = read_part_of_deck(package, [number for number in numbers if number not in known])
    scale = FRAME_HEIGHT / read.size_pt[1]
    for slide in read.slides:
        shapes = slide_shapes(slide, scale)
        known[slide.number] = (slide.title or "", slide.notes or "", slide.hidden, shapes)
    slides = [known[number] for number in numbers]
    _write_json(task.seen / "shapes.json", [shapes for *_, shapes in slides])
    return {
        "slides": len(slides),
        "titles": [title for title, *_ in slides],
        "notes": [notes for _, notes, *_ in slides],
        "hidden": [number for number in numbers if known[number][2]],
    }


def _drawn(drawn: DrawnDeck) -> dict[str, Any]:
    """Result of drawing: why there are no pictures, or their size."""
    sizes = (
        [(slide.width, slide.height) for slide in drawn.saved.slides if slide.picture]
        if drawn.saved
        else []
    )
    known: dict[str, Any] = {"picture_size": sizes[0]} if sizes else {}
    return known | {"not_drawn": "; ".join(dict.fromkeys(drawn.errors))}


def write_changes(task: WorkTask, target: Path) -> list[int]:
    """Write what changed, change by change in words; returns the slides that look different."""
    changes = keyed_changes(task.asked["before"], task.file)
    rows = [
        {
            "key": item.key, "words": item.words, "older": item.older, "kind": item.change.kind,
            "slide": None if _is_removed(item.change) else item.change.slide,
            "property": item.change.property,
            "shape": item.change.element.id if item.change.element else 0,
        }
        for item in changes
    ]  # fmt: skip
    _write_json(target, rows)
    shown = (change.change.slide for change in changes if not _is_removed(change.change))
    return sorted({slide for slide in shown if slide is not None})


def _is_removed(change: Change) -> bool:
    return (change.kind, change.property) == ("slide", "removed")


def score(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Add the scores to the facts of the deck."""
    tell(task, "score")
    scores = score_rows(score_deck(task.file, renderer=renderer).result)
    facts = json.loads((task.seen / "facts.json").read_text(encoding="utf-8"))
    _write_facts(task, facts | {"scores": scores})
    return {}


def _findings(linted: LintResult) -> dict[str, Any]:
    return {
        "findings": [finding.model_dump(mode="json") for finding in linted.findings],
        "not_run": [f"{rule}: {why}" for rule, why in linted.not_run.items()],
    }


def _write_facts(task: WorkTask, facts: Mapping[str, Any]) -> None:
    _write_json(task.seen / "facts.json", facts)


def _write_json(path: Path, data: object) -> None:
    write_whole(path, json.dumps(data).encode())


def score_rows(result: DeckResult) -> list[dict[str, Any]]:
    """Metric, label, value or its reason, most, and standing of each main score of a deck."""
    labels = metric_labels()
    rows = {row.metric: row for row in result.measurements if row.slide is None}
    return [
        {"metric": name, "label": labels.get(name, name), "value": rows[name].value,
         "reason": rows[name].reason, "most": FULL_SCALES.get(name), **_standing(rows[name])}
        for name in COLUMNS
        if name in rows
    ]  # fmt: skip


def _standing(row: Measurement) -> dict[str, str]:
    """A score in a word, and what the word rests on; nothing if neither is known."""
    if (standing := standing_of(row)) is not None:
        return {"word": standing.word, "rank": standing.rank}
    if row.metric == "editability.level" and row.value is not None:
        level = int(row.value)
        return {"word": LEVEL_VERDICTS[level], "rank": LEVEL_MEANINGS[level]}
    return {}


def slide_shapes(slide: SlideElements, scale: float = 1.0) -> list[dict[str, Any]]:
    """The shapes of a slide in drawing order: id, name, box in the 960x540 frame, and what people
    may change of it.

    ``scale`` is pixels of that frame down for a point. Several elements of one shape are one;
    shapes that are hidden or have no place are left out.
    """
    shapes: dict[int, dict[str, Any]] = {}
    for item in slide.elements():
        box = _box(item)
        if item.id and box and item.placed and not item.hidden:
            known = shapes.setdefault(
                item.id, {"id": item.id, "name": item.name, "box": box, "turn": item.rotation}
            )
            known.update(_contents(item, scale))
    return list(shapes.values())


def _contents(element: Element, scale: float) -> dict[str, Any]:
    """The properties of an element that people may change beside its place."""
    match element:
        case Text():
            look = element.font
            return {
                "text": element.text, "align": element.align, "size": look.size * scale,
                "bold": "bold" in look.style,
                "indent": max((line.margin_left for line in element.paragraphs[:1]), default=0.0)
                * scale,
                "color": look.color, "font": look.name, "anchor": element.body.anchor,
            }  # fmt: skip
        case Rect():
            return {"text": ""}
        case Image():
            return {"picture": True}
        case Table():
            return {
                "columns": element.columns, "heights": element.heights,
                "cells": [[None if cell.covered else cell.text for cell in row]
                          for row in element.rows],
            }  # fmt: skip
        case Chart():
            return {"chart": _grid(element)}
    return {}


def _grid(chart: Chart) -> list[list[str | float | None]]:
    """The numbers of a chart under the names of its series, a row for each category; no rows if
    its series have other categories each."""
    series = chart.series
    names = [item.name for item in series]
    if len({item.categories for item in series}) != 1 or len({*names}) < len(names):
        return []
    rows = [list(row) for row in zip(series[0].categories, *(item.values for item in series),
                                     strict=False)]  # fmt: skip
    return [["", *(name or "" for name in names)], *rows]


def _box(element: Element) -> list[float] | None:
    """Left, top, width and height; None without a box."""
    if isinstance(element, Line):
        left, right = sorted((element.x1, element.x2))
        top, bottom = sorted((element.y1, element.y2))
        return [left, top, right - left, bottom - top]
    if isinstance(element, Boxed):
        return [element.x, element.y, element.w, element.h]
    return None
