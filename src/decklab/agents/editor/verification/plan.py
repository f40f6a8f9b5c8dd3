"""What an edit is meant to change, to be held against what it changed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from decklab.diffing.changes import Change, Kind


@dataclass(frozen=True)
class Planned:
    """A change that is meant, at one place or several.

    An empty tuple, or an empty text, does not restrict. It allows every change that fits it; with
    ``required`` there has to be at least one, on each slide it names.
    """

    what: str
    """In words, for messages: ``the titles become 32 pt``."""
    kinds: tuple[Kind, ...]
    slides: tuple[int | None, ...] = ()
    """Numbers in the edited deck, of removed slides in the original; None is the deck as a whole
    with its layouts, masters and themes. Empty: anywhere."""
    properties: tuple[str, ...] = ()
    """As changes name them, such as ``font.size``; also ``font`` for all that begin with it."""
    shapes: tuple[int | str, ...] = ()
    """Ids or names of the elements."""
    new: tuple[Any, ...] = ()
    """The values it may come to."""
    required: bool = True

    def allows(self, change: Change) -> bool:
        """Whether a change is one of those that are meant."""
        return (
            (not self.kinds or change.kind in self.kinds)
            and (not self.slides or change.slide in self.slides)
            and (not self.properties or any(_under(change.property, p) for p in self.properties))
            and (not self.shapes or _is_one(change, self.shapes))
            and (not self.new or change.new in self.new)
        )

    def missing(self, changes: Iterable[Change]) -> tuple[int | None, ...]:
        """The slides on which nothing came of it; ``(None,)`` where it names none and nothing came
        of it anywhere."""
        if not self.required:
            return ()
        found = {change.slide for change in changes if self.allows(change)}
        if not self.slides:
            return () if found else (None,)
        return tuple(slide for slide in self.slides if slide not in found)


@dataclass(frozen=True)
class Plan:
    """All that an edit is meant to change."""

    changes: tuple[Planned, ...] = field(default=())

    def allows(self, change: Change) -> bool:
        """Whether anything in the plan means this change."""
        return any(one.allows(change) for one in self.changes)

    def missing(self, changes: Iterable[Change]) -> Iterator[str]:
        """What was planned and did not come, in words."""
        found = tuple(changes)
        added = {c.slide for c in found if (c.kind, c.property) == ("slide", "added")}
        for one in self.changes:
            # What is changed on a slide that is new comes with it, and is no change of its own.
            own = "slide" not in one.kinds
            gone = [slide for slide in one.missing(found) if not (own and slide in added)]
            numbers = ", ".join(str(slide) for slide in gone if slide is not None)
            if gone:
                yield f"{one.what} (slide {numbers})" if numbers else one.what


def _under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def _is_one(change: Change, shapes: tuple[int | str, ...]) -> bool:
    element = change.element
    return element is not None and (element.id in shapes or element.name in shapes)
