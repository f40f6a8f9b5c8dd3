"""What a task lets an edit change, as a rubric's file states it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from decklab.diffing.changes import Change
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
class Scope:
    """What may change; everything else is to stay as it is."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rubric: Rubric) -> "Scope | None":
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
        """Whether a change of a slide itself may be."""
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
        """Kinds of changes of the whole deck that may be."""
        return {kind for one in self.entries for kind in one.get("deck", ())}

    def _of(self, slide: int) -> list[Mapping[str, Any]]:
        return [one for one in self.entries if one.get("slide") == slide]
