"""The atomic changes of an edit, addressed by what they are of in the original deck."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change, DeckDiff, ElementRef
from decklab.diffing.snapshots import diff

Place = tuple[Any, ...]
"""What a change is of, so that changes of two edits of one deck can be told to be of the same."""
_ADDED = "+"


@dataclass(frozen=True)
class Edit:
    """A deck before and after, as snapshots, and the changes between."""

    before: Snapshot
    after: Snapshot
    found: DeckDiff

    @classmethod
    def of(cls, before: Snapshot, after: Snapshot) -> "Edit":
        """The edit that leads from one snapshot to the other."""
        return cls(before, after, diff(before, after))

    @cached_property
    def older(self) -> dict[int, int]:
        """The number that a slide of the newer deck had in the older one."""
        counts = len(self.before["slides"]), len(self.after["slides"])
        return {new: old for old, new in self.found.slides.pairs(*counts)}


@dataclass(frozen=True)
class Atom:
    """One atomic change and its place."""

    place: Place
    change: Change


def atoms(edit: Edit) -> tuple[Atom, ...]:
    """The changes of an edit, noise left out, each as small as it can be told.

    Texts of equally many paragraphs change paragraph by paragraph, a chart's values and a
    diagram's nodes one by one, and a slide that was added is each of its shapes besides.
    """
    return tuple(
        Atom(_place(edit, one), one)
        for change in edit.found.edits
        for one in (*_split(change), *_contents(edit, change))
    )


def _split(change: Change) -> Iterator[Change]:
    parts = _parts(change)
    if parts is None:
        yield change
        return
    for number, (old, new) in enumerate(zip(*parts, strict=True), start=1):
        if old != new:
            yield _of_part(change, number, old, new)


def _of_part(change: Change, number: int, old: Any, new: Any) -> Change:
    """The same change of one paragraph, value or node only."""
    element = change.element or ElementRef(id=0, name="")
    if change.kind == "text":
        part = f"{element.part}, paragraph {number}" if element.part else f"paragraph {number}"
        element, name = element.model_copy(update={"part": part}), change.property
    else:
        name = f"{change.property.removesuffix('s')} {number}"
    return change.model_copy(update={"element": element, "property": name, "old": old, "new": new})


def _parts(change: Change) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """Old and new piece by piece, where there are equally many."""
    old, new = change.old, change.new
    if change.kind == "text" and isinstance(old, str) and isinstance(new, str):
        old, new = old.split("\n"), new.split("\n")
    elif change.kind not in ("chart", "diagram") or not isinstance(old, list):
        return None
    return (old, new) if isinstance(new, list) and len(old) == len(new) else None


def _contents(edit: Edit, change: Change) -> Iterator[Change]:
    if (change.kind, change.property) != ("slide", "added") or change.slide is None:
        return
    for shape in edit.after["slides"][change.slide - 1].get("shapes", []):
        told = {key: shape[key] for key in ("kind", "content", "x", "y", "w", "h") if key in shape}
        element = ElementRef(id=shape.get("id", 0), name=shape.get("name", ""))
        yield Change(
            slide=change.slide, element=element, kind="added", property=shape["kind"],
            old=None, new=told,
        )  # fmt: skip


def _place(edit: Edit, change: Change) -> Place:
    slide = _slide(edit, change)
    if change.kind == "added":
        return (slide, "added", change.property)
    return (slide, *_element(edit, change, slide), change.kind, change.property)


def _slide(edit: Edit, change: Change) -> int | str | None:
    """Number in the original deck; ``+`` for slides it does not have, None for the deck."""
    if change.slide is None or (change.kind, change.property) == ("slide", "removed"):
        return change.slide
    return edit.older.get(change.slide, _ADDED)


def _element(edit: Edit, change: Change, slide: int | str | None) -> Place:
    element = change.element
    if element is None:
        return ("", 0, "")
    if element.sheet or not isinstance(slide, int):
        return (element.sheet, element.id, element.part)
    return ("", _original_id(edit.before["slides"][slide - 1], element), element.part)


def _original_id(slide: Snapshot, element: ElementRef) -> int | str:
    """Names outlive ids where a program saves a deck anew, and ids outlive names elsewhere."""
    shapes = slide.get("shapes", [])
    names = Counter(shape.get("name", "") for shape in shapes)
    if names[element.name] == 1:
        named = next(shape for shape in shapes if shape.get("name", "") == element.name)
        return int(named.get("id", 0))
    if any(shape.get("id") == element.id for shape in shapes):
        return element.id
    return element.name
