"""The changes that an edit may make, and its damage elsewhere, which a rubric may overlook.

Slides that an edit does not touch must look as before; on the others, everything that the task does
not ask for must be as before and still be visible. ``AllowedChanges`` are the changes that a task
may make; where a rubric states none, only things that are no longer visible count as damage, for no
task asks for that.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from statistics import fmean
from typing import Any, Final

import numpy as np

from decklab.core.colors import differing_pixels
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Chart, Diagram, Element, Group, Image, Media, Table, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.drawn import claim
from decklab.diffing.changes import Change
from decklab.diffing.snapshots import diff
from decklab.diffing.wording import clause
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import Damage, Harm
from decklab.evals.rubrics.rubric import Rubric
from decklab.ooxml.package import Package
from decklab.rendering.incremental.keys import SlideKeys
from decklab.seen.drawn import AudienceView, PixelMask

MAY_CHANGE: Final = "may_change"
"""The key in a rubric's metadata: a list of objects, each about one ``slide`` of the original by
its number, or of the deck. Of a slide: ``shapes`` (names, with * for any letters), ``words``
(shapes that hold one of them), ``new`` (how many shapes may be added), ``also`` (kinds of changes
of the slide itself: notes, transition, animation, layout, background), ``look`` (false where its
shapes may not look different), ``gone`` (true where they are to be removed: then nothing of
the work is to be seen). Of the deck: ``added`` (the place of a new slide in the edited
deck), ``removed`` (the number of a slide), ``moved`` (true where slides may change their order),
``deck`` (kinds of changes of the whole deck: theme, master, layout, section, size)."""


@dataclass(frozen=True)
class AllowedChanges:
    """The allowed changes; everything else must stay as it is."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rubric: Rubric) -> "AllowedChanges | None":
        """The allowed changes that a rubric states; None where it states none."""
        stated = rubric.metadata.get(MAY_CHANGE)
        if not isinstance(stated, list):
            return None
        return cls(tuple(entry for entry in stated if isinstance(entry, dict)))

    def shape(self, slide: int, name: str, text: str) -> bool:
        """Whether a shape of a slide of the original may change."""
        return any(
            any(fnmatchcase(name, pattern) for pattern in entry.get("shapes", ()))
            or any(word.casefold() in text.casefold() for word in entry.get("words", ()))
            for entry in self._of(slide)
            if entry.get("look", True)
        )

    def slide(self, slide: int, change: Change) -> bool:
        """Whether a change of a slide itself is allowed."""
        also = {kind for entry in self._of(slide) for kind in entry.get("also", ())}
        return change.kind in also or ("background" in also and "background" in change.property)

    def whole_look(self, slide: int) -> bool:
        """Whether the whole look of a slide may change: its background, its layout."""
        return any(
            {"background", "layout"} & set(entry.get("also", ())) for entry in self._of(slide)
        )

    def new_shapes(self, slide: int) -> int:
        """How many shapes may be added to a slide."""
        return sum(entry.get("new", 0) for entry in self._of(slide))

    @property
    def added(self) -> int:
        """How many slides may be added."""
        return sum("added" in entry for entry in self.entries)

    @property
    def removed(self) -> Collection[int]:
        """Numbers of slides of the original that may be removed."""
        return {entry["removed"] for entry in self.entries if "removed" in entry}

    @property
    def moved(self) -> bool:
        """Whether slides may change their order."""
        return any(entry.get("moved") for entry in self.entries)

    @property
    def deck(self) -> Collection[str]:
        """Kinds of changes of the whole deck that are allowed."""
        return {kind for entry in self.entries for kind in entry.get("deck", ())}

    def _of(self, slide: int) -> list[Mapping[str, Any]]:
        return [entry for entry in self.entries if entry.get("slide") == slide]


CHANGED: Final = 0.25
"""Damage of a shape that was changed without request but is still visible; it is 1 for a shape that
is missing or no longer visible. Ours."""
OF_THE_DECK: Final = 0.5
"""Damage of the deck as a whole by one harm; the deck counts as one more slide. Ours."""
LOOKS_OTHER: Final = 0.002
"""Share of changed pixels from which a slide looks different: a word of small print. Ours."""
_MARGIN = 8.0
"""Px around a shape that may change, for its outline, shadow and long words. Ours."""
_MOST_DRAWN = 12
"""Most changed shapes without text that are drawn alone to find whether they are visible. Ours."""
_DECK_KINDS = frozenset(("theme", "master", "layout", "section", "show"))
_SLIDES_AS_SUCH = frozenset(("added", "removed", "moved"))
_SEEN_KINDS = frozenset(
    ("text", "style", "geometry", "table", "chart", "diagram", "picture", "media", "added")
)
_BLOCKS = (Image, Chart, Diagram, Media, Group)


def damage_of(decks: ComparedDecks, scope: AllowedChanges | None) -> Damage:
    """The harm that the modified deck does to the original, and the visible share of its work.

    Raises RenderError where a deck cannot be drawn, DeckError where a slide cannot be read.
    """
    return _Inspection(decks, scope).damage()


class _Inspection:
    """The comparison of one pair of decks."""

    def __init__(self, decks: ComparedDecks, scope: AllowedChanges | None) -> None:
        self._decks, self._scope = decks, scope
        self._before, self._after = decks.seen("original"), decks.seen("modified")
        sides = decks.snapshots["original"], decks.snapshots["modified"]
        self._old = {slide["number"]: slide for slide in sides[0]["slides"]}
        self._new = {slide["number"]: slide for slide in sides[1]["slides"]}
        changes = diff(*sides)
        self._edits, self._moves = changes.edits, changes.slides
        self._resized = not np.allclose(sides[0]["size_pt"], sides[1]["size_pt"], rtol=0.01)
        self._same = _same_content(decks)

    def damage(self) -> Damage:
        harms = [*self._slide_harms(), *self._deck_harms()]
        shares: dict[int | None, float] = dict.fromkeys(self._old, 0.0)
        shares[None] = 0.0
        for harm in harms:
            shares[harm.slide] = min(1.0, shares.get(harm.slide, 0.0) + harm.share)
        return Damage(tuple(harms), fmean(shares.values()), self._work())

    def _deck_harms(self) -> Iterator[Harm]:
        scope, count = self._scope, OF_THE_DECK if self._scope else 0.0
        if self._resized and not (scope and "size" in scope.deck):
            yield Harm(None, "the slides have another size", count)
        by_kind: dict[str, list[Change]] = {}
        for change in self._edits:
            if change.slide is None and change.kind in _DECK_KINDS:
                by_kind.setdefault(change.kind, []).append(change)
        for kind, changes in by_kind.items():
            if scope is None or kind not in scope.deck:
                more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
                yield Harm(None, f"{clause(changes[0])}{more}", count)
        if scope is not None:
            if len(self._moves.added) > scope.added:
                more_slides = len(self._moves.added) - scope.added
                yield Harm(None, f"{more_slides} slides were added that nobody asked for", count)
            if self._moves.moved and not scope.moved:
                yield Harm(None, "slides changed their order", count)
        worse = self._after.errors - self._before.errors
        if worse > 0:
            yield Harm(None, f"{worse} faults more that PowerPoint may want to repair", count)

    def _slide_harms(self) -> Iterator[Harm]:
        later = {old: new for new, old in self._decks.earlier.items()}
        for number in self._old:
            if number in later:
                yield from self._harms_of_slide(number, later[number])
            elif self._scope is not None and number not in self._scope.removed:
                yield Harm(number, "the slide is gone", 1.0)

    def _harms_of_slide(self, old: int, new: int) -> Iterator[Harm]:
        why = self._after.why_slide_hidden(new)
        if why and not self._before.why_slide_hidden(old):
            yield Harm(old, why, 1.0)
            return
        if self._resized and self._scope is not None and "size" not in self._scope.deck:
            yield Harm(old, "the slide has another size, and nothing its place", 1.0)
            return
        changed = self._unrequested_changes(old, new) if self._scope is not None else {}
        differs = (old, new) not in self._same
        total = max(1, len(_content(self._before.slide(old))))
        lost = self._no_longer_visible(old, new) if differs else {}
        for name, cause in lost.items():
            yield Harm(old, f"{name}: {cause}", min(1.0, 1 / total))
        for name, clauses in changed.items():
            if name not in lost:
                yield Harm(old, f"{name}: {clauses[0]}", min(1.0, CHANGED / total))
        if differs and self._scope is not None:
            share = float(self._changed_pixels(old, new).mean())
            if share > LOOKS_OTHER:
                yield Harm(old, f"{share:.1%} of the slide looks different", share)

    def _unrequested_changes(self, old: int, new: int) -> dict[str, list[str]]:
        """The changes on a slide that were not requested, in words, by shape."""
        assert self._scope is not None
        changes: dict[str, list[str]] = {}
        added: set[int] = set()
        earlier = {later: id for id, later in self._decks.later_ids(old, new).items()}

        def free(id: int, change: Change) -> bool:
            return self._may_change(old, earlier.get(id, id), change)

        for change in self._edits:
            if change.slide != new or (
                change.kind == "slide" and change.property in _SLIDES_AS_SUCH
            ):
                continue
            id = change.element.id if change.element is not None else 0
            if change.kind == "added":
                added.add(id)
            elif id in added or self._scope.slide(old, change) or free(id, change):
                continue
            else:
                name = change.element.name if change.element is not None else "the slide"
                changes.setdefault(name or "a shape", []).append(clause(change))
        more = len(added) - self._scope.new_shapes(old)
        if more > 0:
            changes["new shapes"] = [f"{more} more than asked for"]
        return changes

    def _may_change(self, old: int, id: int, change: Change) -> bool:
        """Whether the shape with an id may change, by its name or words in the original."""
        assert self._scope is not None
        shape = next((item for item in self._old[old]["shapes"] if item.get("id") == id), None)
        if shape is None:
            return change.element is not None and self._scope.new_shapes(old) > 0
        return self._scope.shape(old, shape.get("name", ""), _text(shape))

    def _no_longer_visible(self, old: int, new: int) -> dict[str, str]:
        """The cause, by shape name, for each text on a slide that is no longer visible.

        A missing text counts only where the rubric states allowed changes.
        """
        causes: dict[str, str] = {}
        later = self._decks.later_ids(old, new)
        for element, _ in self._before.texts(old):
            if self._allowed(old, element) or self._before.fault(old, element.id)[0]:
                continue
            fault, why = self._after.fault(new, later.get(element.id, element.id))
            if fault is not None and (self._scope is not None or fault not in ("gone", "empty")):
                causes[element.name or f"shape {element.id}"] = why
        return causes

    def _allowed(self, old: int, element: Element) -> bool:
        if self._scope is None:
            return False
        text = str(getattr(element, "text", ""))
        return self._scope.shape(old, element.name, text)

    def _changed_pixels(self, old: int, new: int) -> PixelMask:
        """Which pixels differ outside the places of shapes that may change."""
        assert self._scope is not None
        before, after = self._before.drawn.slide(old).image, self._after.drawn.slide(new).image
        if before.shape != after.shape:
            return np.ones(before.shape[:2], np.bool_)
        apart = differing_pixels(before, after)
        if self._scope.whole_look(old):
            apart[:] = False
        for box in self._free_places(old, new):
            place = box.on_picture(apart.shape)
            left, top, right, bottom = (max(0, int(edge)) for edge in place)
            apart[top:bottom, left:right] = False
        return apart

    def _free_places(self, old: int, new: int) -> Iterator[Box]:
        assert self._scope is not None
        shapes, later = list(self._before.slide(old).elements()), self._decks.later_ids(old, new)
        known = {later.get(shape.id, shape.id) for shape in shapes}
        free = {shape.id for shape in shapes if self._allowed(old, shape)}
        fresh = {shape.id for shape in self._after.slide(new).elements()} - known
        after = {later.get(id, id) for id in free}
        if len(fresh) <= self._scope.new_shapes(old):
            after |= fresh
        for deck, number, ids in ((self._before, old, free), (self._after, new, after)):
            for element in deck.slide(number).elements():
                if element.id in ids:
                    yield from _places(deck, number, element)

    def _work(self) -> float:
        """Share of the changed and added content that is visible, 0 to 1; 0 where no slide is
        visible."""
        if self._new and all(self._after.why_slide_hidden(number) for number in self._new):
            return 0.0
        wanted: dict[tuple[int, int], bool] = {}
        for item in self._edits:
            if item.slide is None or item.element is None or item.kind not in _SEEN_KINDS:
                continue
            if item.slide in self._new:
                wanted[item.slide, item.element.id] = True
        for number in self._moves.added:
            for element in _content(self._after.slide(number)):
                wanted[number, element.id] = True
        visible = []
        drawn = 0
        for number, id in wanted:
            shapes = [item for item in self._after.slide(number).elements() if item.id == id]
            has_text = any(
                (claimed := claim(item)) is not None and claimed.words for item in shapes
            )
            if not shapes or (not has_text and drawn >= _MOST_DRAWN):
                continue
            drawn += not has_text
            if not has_text and not any(isinstance(item, _BLOCKS) for item in shapes):
                continue
            visible.append(not self._decks.why_unseen(number, id, {}))
        return sum(visible) / len(visible) if visible else 1.0


def _content(slide: SlideElements) -> list[Element]:
    """The elements of a slide that count: those with text, pictures, charts, media and groups."""
    things = {}
    for element in slide.elements():
        claimed = claim(element)
        if (claimed is not None and claimed.words) or isinstance(element, _BLOCKS):
            things[element.id] = element
    return list(things.values())


def _text(shape: dict[str, Any]) -> str:
    return str(shape.get("text", {}).get("text", ""))


def _places(deck: AudienceView, number: int, element: Element) -> Iterator[Box]:
    """The box of an element and that of its drawn text, with a margin; a table's box is a row's
    height longer, since it grows with its text."""
    boxes: Sequence[Box | None] = (box_of(element), deck.text(number, element.id).place)
    for box in boxes:
        if box is not None:
            rows = len(element.cells) if isinstance(element, Table) else 0
            below = _MARGIN + (box.height / rows if rows else 0.0)
            yield Box(
                box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + below
            )


def _same_content(decks: ComparedDecks) -> set[tuple[int, int]]:
    """Pairs of slides, older and newer number, with equal content in every part."""
    with (
        Package.open(decks.paths["original"]) as before,
        Package.open(decks.paths["modified"]) as after,
    ):
        keys = SlideKeys(before, {}), SlideKeys(after, {})
        return {
            (old, new)
            for new, old in decks.earlier.items()
            if keys[0].content(old) == keys[1].content(new)
        }
