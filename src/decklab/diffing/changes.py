"""The result of a comparison of two decks: typed changes, each with its place."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.results import Tabular

Kind = Literal[
    "text",
    "style",
    "geometry",
    "z-order",
    "added",
    "removed",
    "table",
    "chart",
    "diagram",
    "picture",
    "media",
    "notes",
    "comment",
    "link",
    "transition",
    "animation",
    "slide",
    "layout",
    "master",
    "theme",
    "alt text",
    "section",
    "show",
    "properties",
    "name",
    "other",
    "detail",
]
"""Subject of a change. ``added`` and ``removed`` are elements; a slide that was added, removed or
moved is of kind ``slide``. ``detail`` is a part, relationship, element or attribute without a name
of its own: ``part`` and ``path`` of the change say which."""


_TEMPLATE_KINDS = frozenset({"theme", "master", "layout"})


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ElementRef(_Record):
    """The element that changed, by the id and name it has in the newer deck that holds it."""

    id: int
    """Id of the shape; 0 if it has none, or if a layout, master or theme itself is meant."""
    name: str
    part: str = ""
    """Which part of the element, such as ``paragraph 2`` or ``row 1, column 3``."""
    sheet: str = ""
    """The layout, master or theme it is on; empty for slides."""
    words: str = ""
    """A shape with an automatic name by what it shows, such as ``text box “Costs rose”``."""
    members: tuple[str, ...] = ()
    """Of a group that was made or dissolved: the shapes that are in both decks, in words."""


class Change(_Record):
    """One difference.

    ``old`` and ``new`` are plain JSON; None if there is nothing, as before an addition. Geometry
    is in px of the 960x540 frame, sizes in points, colours ``#RRGGBB``.
    """

    slide: int | None
    """1-based number in the newer deck, for a removed slide the one it had in the older; None
    if the deck as a whole, a layout, a master or a theme changed."""
    element: ElementRef | None
    kind: Kind
    property: str
    """The property that changed, such as ``position``, ``font.size`` or ``cell text``."""
    old: Any
    new: Any
    noise: bool = False
    """Whether a program makes such a change by only saving a deck."""
    part: str = ""
    """Where it was found by comparing XML, the part, such as ``ppt/slides/slide3.xml``: in the
    newer deck, of what was removed in the older."""
    path: str = ""
    """The element, attribute or text in that part; empty if the part as such is meant."""
    shown: tuple[str, str] = ("", "")
    """Old and new in words, where they only name what the XML holds; empty for all else."""
    rule: str = ""
    """By which rule of ``decklab.diffing.xml.claims`` it is noise; empty for all else."""


class SlideMove(_Record):
    """A slide that moved: its place changed by more than insertions and removals explain."""

    before: int
    after: int


class SlideMoves(_Record):
    """Slides that were added, removed or moved."""

    added: tuple[int, ...] = ()
    """Numbers in the newer deck."""
    removed: tuple[int, ...] = ()
    """Numbers in the older deck."""
    moved: tuple[SlideMove, ...] = ()

    def pairs(self, before: int, after: int) -> tuple[tuple[int, int], ...]:
        """Older and newer number of each slide that both decks hold, in the newer order.

        ``before`` and ``after`` are the numbers of slides of the decks.

        >>> SlideMoves(added=(1,), moved=(SlideMove(before=3, after=2),)).pairs(3, 4)
        ((3, 2), (1, 3), (2, 4))
        """
        not_old = {*self.removed, *(move.before for move in self.moved)}
        not_new = {*self.added, *(move.after for move in self.moved)}
        stayed = zip(
            (number for number in range(1, before + 1) if number not in not_old),
            (number for number in range(1, after + 1) if number not in not_new),
            strict=True,
        )
        moved = ((move.before, move.after) for move in self.moved)
        return tuple(sorted((*stayed, *moved), key=lambda pair: pair[1]))

    def numbers(self, before: int, after: int) -> tuple[tuple[int | None, int | None], ...]:
        """Older and newer number of every slide of either deck: the newer ones in order, None for
        the older number of an added slide, then the removed ones. Arguments as in ``pairs``.

        >>> SlideMoves(added=(1,), removed=(2,)).numbers(2, 2)
        ((None, 1), (1, 2), (2, None))
        """
        older = {new: old for old, new in self.pairs(before, after)}
        newer = ((older.get(number), number) for number in range(1, after + 1))
        return (*newer, *((number, None) for number in self.removed))


class DeckDiff(_Record, Tabular):
    """All differences between two decks: those of the deck as a whole first, then by slide."""

    changes: tuple[Change, ...] = ()
    slides: SlideMoves = SlideMoves()
    converted: Mapping[str, str] = Field(default={})
    """Kind of file that LibreOffice converted to compare it, such as "an OpenDocument
    presentation", by deck; PowerPoint files have no entry."""

    @property
    def edits(self) -> tuple[Change, ...]:
        """The changes that are no noise."""
        return tuple(change for change in self.changes if not change.noise)

    @property
    def changed_slides(self) -> frozenset[int]:
        """Numbers in the newer deck of the slides that were added or edited themselves."""
        return frozenset(
            change.slide
            for change in self.edits
            if change.slide is not None and (change.kind, change.property) != ("slide", "removed")
        )

    @property
    def changes_templates(self) -> bool:
        """Whether a theme, master or layout was edited, or anything on one: then slides may look
        different though nothing on them changed."""
        return any(
            change.slide is None
            and (change.kind in _TEMPLATE_KINDS or bool(change.element and change.element.sheet))
            for change in self.edits
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a change, save noise too, with the shape's id and name."""
        for change in self.changes:
            shape = change.element
            yield {
                "slide": change.slide, "shape": shape.id if shape else None,
                "name": shape.name if shape else None, "kind": change.kind,
                "property": change.property, "old": change.old, "new": change.new,
                "noise": change.noise,
            }  # fmt: skip

    def summary(self) -> Iterator[dict[str, Any]]:
        """The rows of what somebody changed; what programs change by saving is left out."""
        return (row for row in self.records() if not row["noise"])

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: ``changes`` and ``slides``; every change has the first seven keys, those
        found by comparing XML also ``part``, ``path`` and ``rule``. ``converted`` is there if a
        deck was converted.

        >>> DeckDiff().as_json()
        {'changes': [], 'slides': {'added': [], 'removed': [], 'moved': []}}
        """
        data = self.model_dump(mode="json", exclude=None if self.converted else {"converted"})
        for change in data["changes"]:
            for key in ("part", "path", "rule"):
                if not change[key]:
                    del change[key]
            if not any(change["shown"]):
                del change["shown"]
            if change["element"] is not None:
                change["element"] = {
                    key: value
                    for key, value in change["element"].items()
                    if value or key in ("id", "name")
                }
        return data
