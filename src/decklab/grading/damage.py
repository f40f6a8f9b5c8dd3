"""What an edit may change, and what it harmed beside that: what a rubric's leaves may overlook.

Slides that an edit does not touch are to look as they did; on those that it does, everything else
is to be as it was and still be seen. What a task may change are its ``AllowedChanges``; where none
are stated, only what can no longer be seen is harm, for no task asks for that.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from statistics import fmean
from typing import Any, Final

import numpy as np

from decklab.deck.model.shapes import Chart, Diagram, Element, Group, Image, Media, Table, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.drawn import claim
from decklab.diffing.changes import Change
from decklab.diffing.snapshots import diff
from decklab.diffing.wording import clause
from decklab.geometry import Box
from decklab.grading.decks import ComparedDecks
from decklab.grading.visibility.slides import AudienceView, PixelMask
from decklab.metrics.pictures import differing_pixels
from decklab.ooxml.package import Package
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rubrics.graded import Damage, Harm
from decklab.rubrics.rubric import Rubric

MAY_CHANGE: Final = "may_change"
"""Where the metadata of a rubric states it: a list of objects, each about one ``slide`` of the
original by its number, or of the deck. Of a slide: ``shapes`` (names, with * for any letters),
``words`` (shapes that hold one of them), ``new`` (how many shapes may be added), ``also`` (kinds of
changes of the slide itself: notes, transition, animation, layout, background), ``look`` (false
where its shapes may not look different). Of the deck: ``added`` (the place of a new slide in the
edited deck), ``removed`` (the number of a slide), ``moved`` (true where slides may change their
order), ``deck`` (kinds of changes of the whole deck: theme, master, layout, section, size)."""


@dataclass(frozen=True)
class AllowedChanges:
    """What may change; everything else is to stay as it is."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rubric: Rubric) -> "AllowedChanges | None":
        """What a rubric states; None where it states nothing."""
        found = rubric.metadata.get(MAY_CHANGE)
        if not isinstance(found, list):
            return None
        return cls(tuple(one for one in found if isinstance(one, dict)))

    def shape(self, slide: int, name: str, text: str) -> bool:
        """Whether a shape of a slide of the original may change."""
        return any(
            any(fnmatchcase(name, pattern) for pattern in one.get("shapes", ()))
            or any(word.casefold() in text.casefold() for word in one.get("words", ()))
            for one in self._of(slide)
            if one.get("look", True)
        )

    def slide(self, slide: int, change: Change) -> bool:
        """Whether a change of a slide itself is allowed."""
        also = {kind for one in self._of(slide) for kind in one.get("also", ())}
        return change.kind in also or ("background" in also and "background" in change.property)

    def whole_look(self, slide: int) -> bool:
        """Whether all of a slide may come to look different: its background, its layout."""
        return any({"background", "layout"} & set(one.get("also", ())) for one in self._of(slide))

    def new_shapes(self, slide: int) -> int:
        """How many shapes may be added to a slide."""
        return sum(one.get("new", 0) for one in self._of(slide))

    @property
    def added(self) -> int:
        """How many slides may be added."""
        return sum("added" in one for one in self.entries)

    @property
    def removed(self) -> Collection[int]:
        """Numbers of slides of the original that may go."""
        return {one["removed"] for one in self.entries if "removed" in one}

    @property
    def moved(self) -> bool:
        """Whether slides may change their order."""
        return any(one.get("moved") for one in self.entries)

    @property
    def deck(self) -> Collection[str]:
        """Kinds of changes of the whole deck that are allowed."""
        return {kind for one in self.entries for kind in one.get("deck", ())}

    def _of(self, slide: int) -> list[Mapping[str, Any]]:
        return [one for one in self.entries if one.get("slide") == slide]


CHANGED: Final = 0.25
"""What a shape counts that was changed without being asked and is seen all the same; one that is
gone or no longer seen counts 1. Ours."""
OF_THE_DECK: Final = 0.5
"""What one harm of the deck as a whole counts of its place among the slides. Ours."""
LOOKS_OTHER: Final = 0.002
"""Share of a slide's pixels that have to differ: a word of small print. Ours."""
_MARGIN = 8.0
"""Px around shapes that may change in which outlines, shadows and long words may show. Ours."""
_MOST_DRAWN = 12
"""Changed shapes without text that are drawn by themselves to see whether they are seen. Ours."""
_DECK_KINDS = frozenset(("theme", "master", "layout", "section", "show"))
_SLIDES_AS_SUCH = frozenset(("added", "removed", "moved"))
_SEEN_KINDS = frozenset(
    ("text", "style", "geometry", "table", "chart", "diagram", "picture", "media", "added")
)
_BLOCKS = (Image, Chart, Diagram, Media, Group)


def damage_of(decks: ComparedDecks, scope: AllowedChanges | None) -> Damage:
    """What the modified deck harms of the original, and how much of its work is seen.

    Raises RenderError where a deck cannot be drawn, DeckError where a slide cannot be read.
    """
    return _Inspection(decks, scope).damage()


class _Inspection:
    """One pair of decks looked at."""

    def __init__(self, decks: ComparedDecks, scope: AllowedChanges | None) -> None:
        self._decks, self._scope = decks, scope
        self._before, self._after = decks.seen("original"), decks.seen("modified")
        sides = decks.snapshots["original"], decks.snapshots["modified"]
        self._old = {slide["number"]: slide for slide in sides[0]["slides"]}
        self._new = {slide["number"]: slide for slide in sides[1]["slides"]}
        found = diff(*sides)
        self._edits, self._moves = found.edits, found.slides
        self._resized = not np.allclose(sides[0]["size_pt"], sides[1]["size_pt"], rtol=0.01)
        self._same = _same_content(decks)

    def damage(self) -> Damage:
        harms = [*self._slide_harms(), *self._deck_harms()]
        shares: dict[int | None, float] = dict.fromkeys(self._old, 0.0)
        shares[None] = 0.0
        for one in harms:
            shares[one.slide] = min(1.0, shares.get(one.slide, 0.0) + one.share)
        return Damage(tuple(harms), fmean(shares.values()), self._work())

    def _deck_harms(self) -> Iterator[Harm]:
        scope, count = self._scope, OF_THE_DECK if self._scope else 0.0
        if self._resized and not (scope and "size" in scope.deck):
            yield Harm(None, "the slides have another size", count)
        told: dict[str, list[Change]] = {}
        for one in self._edits:
            if one.slide is None and one.kind in _DECK_KINDS:
                told.setdefault(one.kind, []).append(one)
        for kind, changes in told.items():
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
        total = max(1, len(_things(self._before.slide(old))))
        lost = self._no_longer_visible(old, new) if differs else {}
        for name, cause in lost.items():
            yield Harm(old, f"{name}: {cause}", min(1.0, 1 / total))
        for name, clauses in changed.items():
            if name not in lost:
                yield Harm(old, f"{name}: {clauses[0]}", min(1.0, CHANGED / total))
        if differs and self._scope is not None:
            share = float(self._looks_other(old, new).mean())
            if share > LOOKS_OTHER:
                yield Harm(old, f"{share:.1%} of the slide looks different", share)

    def _unrequested_changes(self, old: int, new: int) -> dict[str, list[str]]:
        """What was changed on a slide without being asked for, in words, by shape."""
        assert self._scope is not None
        found: dict[str, list[str]] = {}
        added: set[int] = set()
        for one in self._edits:
            if one.slide != new or (one.kind == "slide" and one.property in _SLIDES_AS_SUCH):
                continue
            id = one.element.id if one.element is not None else 0
            if one.kind == "added":
                added.add(id)
            elif id in added or self._scope.slide(old, one) or self._may(old, id, one):
                continue
            else:
                name = one.element.name if one.element is not None else "the slide"
                found.setdefault(name or "a shape", []).append(clause(one))
        more = len(added) - self._scope.new_shapes(old)
        if more > 0:
            found["new shapes"] = [f"{more} more than asked for"]
        return found

    def _may(self, old: int, id: int, change: Change) -> bool:
        """Whether the shape with an id may change, by its name or words before."""
        assert self._scope is not None
        shape = next((one for one in self._old[old]["shapes"] if one.get("id") == id), None)
        if shape is None:
            return change.element is not None and self._scope.new_shapes(old) > 0
        return self._scope.shape(old, shape.get("name", ""), _text(shape))

    def _no_longer_visible(self, old: int, new: int) -> dict[str, str]:
        """What was seen on a slide and is not any more though it is still there, or is gone
        without being asked for; by name, with the cause."""
        found: dict[str, str] = {}
        for element, _ in self._before.texts(old):
            if self._allowed(old, element) or self._before.fault(old, element.id)[0]:
                continue
            fault, why = self._after.fault(new, element.id)
            if fault is not None and (self._scope is not None or fault not in ("gone", "empty")):
                found[element.name or f"shape {element.id}"] = why
        return found

    def _allowed(self, old: int, element: Element) -> bool:
        if self._scope is None:
            return False
        text = str(getattr(element, "text", ""))
        return self._scope.shape(old, element.name, text)

    def _looks_other(self, old: int, new: int) -> PixelMask:
        """Which pixels differ outside the places of what may change."""
        assert self._scope is not None
        one, other = self._before.drawn.slide(old).image, self._after.drawn.slide(new).image
        if one.shape != other.shape:
            return np.ones(one.shape[:2], np.bool_)
        apart = differing_pixels(one, other)
        if self._scope.whole_look(old):
            apart[:] = False
        for box in self._free_places(old, new):
            place = box.on_picture(apart.shape)
            left, top, right, bottom = (max(0, int(edge)) for edge in place)
            apart[top:bottom, left:right] = False
        return apart

    def _free_places(self, old: int, new: int) -> Iterator[Box]:
        assert self._scope is not None
        known = {one.id for one in self._before.slide(old).elements()}
        ids = {one.id for one in self._before.slide(old).elements() if self._allowed(old, one)}
        fresh = {one.id for one in self._after.slide(new).elements()} - known
        if len(fresh) <= self._scope.new_shapes(old):
            ids |= fresh
        for deck, number in ((self._before, old), (self._after, new)):
            for element in deck.slide(number).elements():
                if element.id in ids:
                    yield from _places(deck, number, element)

    def _work(self) -> float:
        """Share of what was changed or added, and is to be seen, that is seen; none of it where
        no slide is shown at all."""
        if self._new and all(self._after.why_slide_hidden(number) for number in self._new):
            return 0.0
        wanted: dict[tuple[int, int], bool] = {}
        for one in self._edits:
            if one.slide is None or one.element is None or one.kind not in _SEEN_KINDS:
                continue
            if one.slide in self._new:
                wanted[one.slide, one.element.id] = True
        for number in self._moves.added:
            for element in _things(self._after.slide(number)):
                wanted[number, element.id] = True
        seen = []
        drawn = 0
        for number, id in wanted:
            shapes = [one for one in self._after.slide(number).elements() if one.id == id]
            has_text = any((held := claim(one)) is not None and held.words for one in shapes)
            if not shapes or (not has_text and drawn >= _MOST_DRAWN):
                continue
            drawn += not has_text
            if not has_text and not any(isinstance(one, _BLOCKS) for one in shapes):
                continue
            seen.append(not self._decks.why_unseen(number, id, {}))
        return sum(seen) / len(seen) if seen else 1.0


def _things(slide: SlideElements) -> list[Element]:
    """What a slide shows that counts by itself: its texts and tables, pictures, charts, groups."""
    found = {}
    for one in slide.elements():
        held = claim(one)
        if (held is not None and held.words) or isinstance(one, _BLOCKS):
            found[one.id] = one
    return list(found.values())


def _text(shape: dict[str, Any]) -> str:
    return str(shape.get("text", {}).get("text", ""))


def _places(deck: AudienceView, number: int, element: Element) -> Iterator[Box]:
    """Where an element stands and where its text is drawn, with a margin; a row's height more
    below a table, which grows with its text."""
    boxes: Sequence[Box | None] = (box_of(element), deck.text(number, element.id).place)
    for box in boxes:
        if box is not None:
            rows = len(element.cells) if isinstance(element, Table) else 0
            below = _MARGIN + (box.height / rows if rows else 0.0)
            yield Box(
                box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + below
            )


def _same_content(decks: ComparedDecks) -> set[tuple[int, int]]:
    """Pairs of slides, older and newer number, that hold the same in every part."""
    with (
        Package.open(decks.paths["original"]) as one,
        Package.open(decks.paths["modified"]) as other,
    ):
        keys = SlideKeys(one, {}), SlideKeys(other, {})
        return {
            (old, new)
            for new, old in decks.earlier.items()
            if keys[0].content(old) == keys[1].content(new)
        }
