"""The changes that a task asks for, property by property, as a rubric states them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from decklab.diffing.changes import Change
from decklab.evals.rubrics.rubric import Rubric, RubricError

MAY_CHANGE: Final = "may_change"
"""The key in a rubric's metadata: a list of objects, each of which allows some changes.

``may`` names them as ``decklab diff --json`` does, ``kind:property`` with * for any letters, such
as ``style:font.bold``. ``slide`` is the number in the original of the slide that they are on;
without it they are changes of the whole deck. ``shapes`` (names, with * for any letters) and
``words`` (texts of which the shape holds one) say on which shapes, without them it is the slide
itself; ``parts`` in which parts of these, such as ``row 6, column 2``. ``new`` says how many shapes
may be added to the slide. ``added`` is the place of a new slide in the edited deck; its ``new``
says how many shapes it has, footers and empty placeholders aside. ``removed`` is the number of a
slide that goes; ``moved`` is true where slides may change their order.

What is added may state what such a thing has anyway (``decklab.evals.rubrics.inside``), and what
``may`` of its slide names. ``words_now`` is for programs that spoil edits: words which a shape that
may change holds after the edit."""

_KEYS = frozenset(
    ("slide", "shapes", "words", "words_now", "parts", "may", "new", "added", "removed", "moved")
)
_UNSEEN_KINDS = frozenset(("animation", "alt text", "notes", "transition", "name"))
"""Kinds of changes after which a slide is drawn as before."""
_WHOLE_LOOK = ("slide:background", "layout:layout")


@dataclass(frozen=True)
class AllowedChanges:
    """The allowed changes; everything else must stay as it is."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rubric: Rubric) -> "AllowedChanges | None":
        """The allowed changes that a rubric states; None where it states none.

        Raises RubricError for a list that ``MAY_CHANGE`` does not describe.
        """
        stated = rubric.metadata.get(MAY_CHANGE)
        if stated is None:
            return None
        if not isinstance(stated, list):
            raise RubricError(rubric.path or "rubric", "is not a list", f"metadata.{MAY_CHANGE}")
        for number, entry in enumerate(stated):
            at = f"metadata.{MAY_CHANGE}[{number}]"
            if not isinstance(entry, dict):
                raise RubricError(rubric.path or "rubric", "is not an object", at)
            unknown = sorted(entry.keys() - _KEYS)
            if unknown:
                known = ", ".join(sorted(_KEYS))
                detail = f"has the unknown key {unknown[0]!r}; known are {known}"
                raise RubricError(rubric.path or "rubric", detail, at)
        return cls(tuple(stated))

    def names(self, slide: int | None, change: Change, shape: tuple[str, str] | None) -> bool:
        """Whether a change is allowed. ``slide`` is the number in the original, None for the deck;
        ``shape`` name and text of the shape in the original, None where it is none's."""
        pieces = _pieces(change)
        return any(
            _is_about(entry, shape)
            and _matches(f"{change.kind}:{change.property}", entry.get("may", ()))
            and ("parts" not in entry or all(_matches(piece, entry["parts"]) for piece in pieces))
            for entry in self._of(slide)
        )

    def names_property(self, slide: int, property: str) -> bool:
        """Whether a property of anything on a slide is allowed to change, whatever its kind."""
        return any(
            fnmatchcase(property, item.partition(":")[2])
            for entry in self._of(slide)
            for item in entry.get("may", ())
        )

    def names_new(self, place: int, property: str) -> bool:
        """Whether the slide that is added at a place may state a property."""
        return any(
            fnmatchcase(property, item.partition(":")[2])
            for entry in self.entries
            if entry.get("added") == place
            for item in entry.get("may", ())
        )

    def look(self, slide: int, name: str, text: str) -> bool:
        """Whether a shape of a slide of the original may look other than before."""
        return any(
            item.partition(":")[0] not in _UNSEEN_KINDS
            for entry in self._of(slide)
            if _is_about(entry, (name, text))
            for item in entry.get("may", ())
        )

    def whole_look(self, slide: int) -> bool:
        """Whether the whole look of a slide may change: its background, its layout."""
        stated = {item for entry in self._of(slide) for item in entry.get("may", ())}
        return not stated.isdisjoint(_WHOLE_LOOK)

    def new_on_added(self, place: int) -> int | None:
        """How many shapes the slide that is added at a place may hold; None for any number."""
        counts = [entry.get("new") for entry in self.entries if entry.get("added") == place]
        return next((count for count in counts if count is not None), None)

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
    def resized(self) -> bool:
        """Whether slides may have another size."""
        return any("properties:slide size" in entry.get("may", ()) for entry in self._of(None))

    def _of(self, slide: int | None) -> list[Mapping[str, Any]]:
        return [entry for entry in self.entries if entry.get("slide") == slide]


def _is_about(entry: Mapping[str, Any], shape: tuple[str, str] | None) -> bool:
    if "shapes" not in entry and "words" not in entry:
        return shape is None
    if shape is None:
        return False
    name, text = shape
    words = (word.casefold() in text.casefold() for word in entry.get("words", ()))
    return _matches(name, entry.get("shapes", ())) or any(words)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _pieces(change: Change) -> list[str]:
    """The parts of a shape that a change is in; one of ``""`` for all of it."""
    return (change.element.part if change.element is not None else "").split("; ")
