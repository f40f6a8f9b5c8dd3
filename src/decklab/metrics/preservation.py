"""The share of content that an edit left alone, of the content that it should leave alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change
from decklab.diffing.snapshots import DeckEdit
from decklab.metrics.edits import AtomicChange, atomic_changes
from decklab.results import NotScored

Unit = tuple[Any, ...]

FACETS: Final = ("content", "look", "place", "extras")
"""The sides of a shape that count separately: its words or pictures; paint and type; box and
drawing order; links, alt text and name. Ours."""
_FACET_OF: Final = {
    "text": "content", "table": "content", "chart": "content", "diagram": "content",
    "picture": "content", "media": "content", "style": "look", "geometry": "place",
    "z-order": "place",
}  # fmt: skip
"""The side of a shape by kind of change; all other kinds are extras."""
_SLIDE_UNITS: Final = (
    "shapes", "place", "shown", "layout", "look", "notes", "comment", "transition", "animation",
)  # fmt: skip
"""The sides of a slide besides its shapes; ``shapes`` is the list of its shapes."""
_SHEETS: Final = {"theme": "theme", "master": "master", "layout": "layout"}
"""Kinds of changes to what slides inherit from, and the key under which a slide names it."""


@dataclass(frozen=True)
class Preservation:
    """Content that was not to be touched, and how much of it was."""

    share: float | NotScored
    """Share of the untouched content left untouched, 0 to 1, higher is better."""
    units: int
    """Units of content that the truth leaves alone."""
    touched: tuple[Unit, ...]
    """Those of them that the prediction changes."""


def preservation(asked: DeckEdit, made: DeckEdit) -> Preservation:
    """The share of content that the truth leaves alone and the prediction leaves alone too.

    Content is counted in units: of each shape its content, look, place and extras; of each slide
    which shapes it has, its place, whether it is shown, layout, background, notes, comments,
    transition and animations; every theme, master and layout in use; sections, size and
    properties of the deck. A change of a theme, master or layout touches the look of the slides
    that follow it. Companion of VQ, paper 003 section 3.3; the paper has no such number.
    """
    everything = tuple(dict.fromkeys(_units(asked.before)))
    touched_by_truth = set(_touched(asked))
    alone = [unit for unit in everything if unit not in touched_by_truth]
    if not alone:
        return Preservation(NotScored("the truth leaves nothing as it was"), 0, ())
    touched_by_prediction = set(_touched(made))
    touched = tuple(unit for unit in alone if unit in touched_by_prediction)
    return Preservation(1 - len(touched) / len(alone), len(alone), touched)


def _units(deck: Snapshot) -> Iterator[Unit]:
    for name in ("slides", "section", "show", "properties", "other"):
        yield ("deck", name)
    for kind in ("theme", "master", "layout"):
        for sheet in deck.get(f"{kind}s", []):
            yield (kind, sheet.get("name", ""))
    for slide in deck["slides"]:
        yield from _slide_units(slide)


def _slide_units(slide: Snapshot) -> Iterator[Unit]:
    number = slide["number"]
    for name in _SLIDE_UNITS:
        yield ("slide", number, name)
    for shape in slide.get("shapes", []):
        for facet in FACETS:
            yield ("shape", number, shape.get("id", 0), facet)


def _touched(edit: DeckEdit) -> Iterator[Unit]:
    for atom in atomic_changes(edit):
        yield from _units_of(edit.before, atom)


def _units_of(deck: Snapshot, atom: AtomicChange) -> Iterator[Unit]:
    change, slide = atom.change, atom.place[0]
    if change.slide is None:
        yield from _deck_units(deck, change)
    elif not isinstance(slide, int):
        yield ("deck", "slides")
    elif (change.kind, change.property) == ("slide", "removed"):
        yield from _slide_units(deck["slides"][slide - 1])
    elif change.kind == "added":
        yield ("slide", slide, "shapes")
    elif change.kind == "removed":
        yield from (("shape", slide, atom.place[2], facet) for facet in FACETS)
    elif change.kind == "animation":
        yield ("slide", slide, "animation")
    elif change.element is not None and atom.place[2]:
        yield ("shape", slide, atom.place[2], _FACET_OF.get(change.kind, "extras"))
    else:
        yield ("slide", slide, _of_slide(change))


def _of_slide(change: Change) -> str:
    if change.kind == "slide":
        return "place" if change.property == "moved" else "shown"
    return change.kind if change.kind in _SLIDE_UNITS else "look"


def _deck_units(deck: Snapshot, change: Change) -> Iterator[Unit]:
    if change.kind not in _SHEETS or change.element is None:
        named = change.kind in ("section", "show", "properties")
        yield ("deck", change.kind if named else "other")
        return
    sheet = change.element.sheet
    yield (change.kind, sheet)
    for slide in deck["slides"]:
        if slide.get(_SHEETS[change.kind]) == sheet:
            yield ("slide", slide["number"], "look")
