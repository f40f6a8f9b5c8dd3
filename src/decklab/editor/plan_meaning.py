"""What the plan of a model means for verification: which changes are allowed, and which must come.

A change that is required has to come on each slide that it names, and with each of its kinds: a
title that becomes red and gets other words is not done with one of both. Of things that a slide
may lack, such as tables and notes, each slide that has them is meant.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Kind
from decklab.editing.verification import ExpectedChange, Plan
from decklab.editor.planning import PlannedChange

_Slides = Mapping[int, Mapping[str, Any]]
"""Slides of a snapshot by number."""

DESIGN_KINDS: Final[frozenset[Kind]] = frozenset(
    {"master", "theme", "section", "show", "properties"}
)
"""Kinds of changes that no slide has."""
_MADE: Final[Mapping[Kind, str]] = {
    "notes": "notes", "comment": "comments", "transition": "transition", "animation": "animations",
}  # fmt: skip
"""What a slide has or gets, with its key in a snapshot."""
_SHAPES: Final[Mapping[Kind, str]] = {
    "table": "table", "chart": "chart", "diagram": "diagram", "picture": "image", "media": "media",
}  # fmt: skip
"""Kinds of changes of shapes that have to be there, with the kind of shape in a snapshot."""
_UNCERTAIN: Final[frozenset[Kind]] = frozenset({"layout", "name", "detail", "other", "properties"})
"""Kinds that nothing tells apart well enough to ask for each."""
_WITH_WORDS: Final[frozenset[Kind]] = frozenset({"master", "section"})
"""What may have no words of its own, so that it need not change with those of the slides."""


def plan_of(changes: Sequence[PlannedChange], snapshot: Snapshot) -> Plan:
    """The planned changes for a verification; ``snapshot`` is that of the deck before."""
    shifts = any("slide" in change.kinds for change in changes)
    slides = {} if shifts else {slide["number"]: slide for slide in snapshot["slides"]}
    return Plan(tuple(one for change in changes for one in _expected(change, slides)))


def _expected(change: PlannedChange, slides: _Slides) -> Iterator[ExpectedChange]:
    where: tuple[int | None, ...] = change.slides
    if change.slides and change.design:
        where = (*change.slides, None)
    yield _one(change, change.what, change.kinds, where)
    if not change.required or len(change.kinds) < 2:
        return
    for kind in change.kinds:
        scope = _scope(kind, change, slides)
        if scope is not None:
            yield _one(change, f"{change.what}: {kind}", (kind,), scope)


def _one(
    change: PlannedChange, what: str, kinds: tuple[Kind, ...], where: tuple[int | None, ...]
) -> ExpectedChange:
    shapes = tuple(int(shape) if shape.isdecimal() else shape for shape in change.shapes)
    whole = kinds == change.kinds
    return ExpectedChange(
        what,
        kinds=kinds,
        slides=where,
        shapes=shapes,
        required=change.required,
        words=change.new_texts if whole else (),
        count=change.count if whole else 1,
        within_new=not {"added", "slide"}.isdisjoint(change.kinds),
        design=change.design,
    )


def _scope(kind: Kind, change: PlannedChange, slides: _Slides) -> tuple[int | None, ...] | None:
    """The slides on which a kind has to come, empty for any; None where it need not come."""
    if kind in _UNCERTAIN or (kind in _WITH_WORDS and "text" in change.kinds):
        return None
    if kind in DESIGN_KINDS:
        return (None,) if change.design else None
    has = _having(kind)
    if has is None:
        return change.slides
    scope = change.slides or tuple(slides)
    bearing = tuple(number for number in scope if number in slides and has(slides[number]))
    if not bearing:
        return change.slides if kind in _MADE and slides else None
    return bearing if change.slides else ()


def _having(kind: Kind) -> Callable[[Mapping[str, Any]], bool] | None:
    """Tells whether a slide has a thing of a kind; None for kinds that any slide can show."""
    if kind in _MADE:
        return lambda slide: bool(slide.get(_MADE[kind]))
    if kind in _SHAPES:
        return lambda slide: _SHAPES[kind] in _shape_kinds(slide)
    if kind == "alt text":
        return lambda slide: any(shape.get("alt_text") for shape in slide.get("shapes", ()))
    return None


def _shape_kinds(slide: Mapping[str, Any]) -> Collection[str]:
    return {shape["kind"] for shape in slide.get("shapes", ())}
