"""Changes of a deck undone in a draft of it: the former contents come back in their place.

Slides on which nothing is to stay are taken from the older deck whole. On others shapes, notes,
comments, transitions and the like go back one by one, and of a shape on which something stays, its
text, place, look, names and cells. Slides that came go, those that went come back, and so do
layouts, masters, themes and properties.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError
from decklab.deck.part import shape_tree
from decklab.diffing.changes import Change
from decklab.editing.formatting import RUN_LOOKS
from decklab.editing.restoring import Restoring, ShapePiece, Unrestorable, within
from decklab.editing.slide_operations import delete_slide, sweep
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import reachable
from decklab.ooxml.xml import qn

_LISTED = frozenset({"added", "removed", "moved"})
"""Properties of changes of the list of slides."""
_CAME = frozenset({"added", "removed"})
_SHEETS = {"layout": ("slideLayout+xml",), "master": ("slideMaster+xml",), "theme": ("theme+xml",)}
_PROPERTIES = ("core-properties+xml", "extended-properties+xml", "custom-properties+xml")
_CELL = re.compile(r"row (\d+), column (\d+)\Z")
_IN_TEXT = ("font", "paragraph", "body")
_PIECES: Final[Mapping[str, ShapePiece]] = {
    "text": "text", "geometry": "place", "style": "look", "alt text": "names", "name": "names",
}  # fmt: skip
"""The piece of a shape by the kind of change."""


Place = tuple[object, ...]
"""Key of the thing that a change is of."""


@dataclass(frozen=True)
class Located:
    """A change with the name of its slide, which is the same in every deck of a line of decks."""

    change: Change
    slide: str | None
    """None for the deck as a whole."""

    @property
    def shape(self) -> int:
        """Id of its shape; 0 for a change beside shapes."""
        return shape_id(self.change)

    @property
    def place(self) -> Place:
        """Key of the thing that it changes; the same for a change and for its undoing."""
        change, element = self.change, self.change.element
        came = not _CAME.isdisjoint((change.kind, change.property))
        kind = ("there",) if came else (change.kind, change.property)
        part = (element.part, element.sheet) if element else ()
        return (self.slide, *kind, self.shape, *part, change.path)


@dataclass
class Undoing:
    """Undoes the ``chosen`` changes in ``draft``; the ``kept`` ones stay.

    ``older`` and ``newer`` give the parts of slides by their names, in the deck ``before`` and in
    the draft. ``base`` is the deck that the chosen changes made, if the kept ones came after it.
    """

    before: Package
    draft: Draft
    older: Mapping[str, str]
    newer: Mapping[str, str]
    chosen: Collection[Located]
    kept: Collection[Located]
    base: Package | None = None
    base_parts: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        slides = {was: self.newer[name] for name, was in self.older.items() if name in self.newer}
        self.restoring = Restoring(self.before, self.draft, slides)
        self.count = 0

    def saved(self, out: Path) -> bool:
        """Whether anything was undone and saved."""
        start = reachable(self.draft)
        self._slide_list()
        for name, was in self.older.items():
            if name in self.newer:
                self._slide(name, was)
        self._design()
        if self.count:
            sweep(self.draft, start)
            self.draft.save(out)
        return self.count > 0

    def _attempt(self, *actions: Callable[[], object]) -> bool:
        """Carry out all of the actions or none."""
        try:
            with self.restoring.whole():
                for action in actions:
                    action()
        except (Unrestorable, DeckError):
            return False
        self.count += 1
        return True

    def _slide_list(self) -> None:
        listed = [at for at in self.chosen if is_of_list(at.change)]
        fates = [(at.slide or "", at.change.property) for at in listed]
        names = {fate: [name for name, own in fates if own == fate] for fate in _LISTED}
        for name in names["added"]:
            if name in self.newer:
                self._attempt(partial(delete_slide, self.draft, self.newer[name]))
        gone = [self.older[name] for name in self.older if name in names["removed"]]
        gone = [part for part in gone if part not in self.restoring.slides]
        both = [name for name in self.older if name in self.newer]
        moved = [self.older[name] for name in both if name in names["moved"]]
        bring, restore = self.restoring.bring_slide, self.restoring.slide
        back = [(partial(bring, part), partial(restore, part)) for part in gone]
        others = any(is_of_list(at.change) or _of_deck(at.change) for at in self.kept)
        if (gone or moved) and not others:
            whole = partial(self.restoring.part, self.before.main_part)
            if self._attempt(*(action for two in back for action in two), whole):
                return
        for part, actions in zip(gone, back, strict=True):
            self._attempt(*actions, partial(self.restoring.list_slide, part))
        for part in moved:
            self._attempt(partial(self.restoring.move_slide, part))

    def _slide(self, name: str, was: str) -> None:
        chosen, kept = (
            [at.change for at in side if at.slide == name and not is_of_list(at.change)]
            for side in (self.chosen, self.kept)
        )
        if chosen and not kept:
            self._attempt(partial(self.restoring.slide, was))
        elif chosen:
            self._on_slide(name, was, chosen, kept)

    def _on_slide(
        self, name: str, was: str, chosen: Iterable[Change], kept: Collection[Change]
    ) -> None:
        """Undo the chosen changes on a slide on which others stay."""
        tree = shape_tree(self.draft.root(self.newer[name]))
        asked = {shape_id(change) for change in kept} - {0}
        wanted = set().union(*(within(tree, id) for id in asked)) if tree is not None else asked
        regions = {_region(change) for change in kept}
        by_shape: dict[tuple[int, str], list[Change]] = {}
        for edit in chosen:
            id = shape_id(edit)
            by_shape.setdefault((id, edit.element.name if id and edit.element else ""), []).append(
                edit
            )
        for (id, shape), own in by_shape.items():
            of = {change.kind for change in own}
            if not id or of == {"z-order"}:
                continue
            if id in wanted:
                stay = [change for change in kept if shape_id(change) == id]
                self._mixed(name, was, (id, shape), own, stay)
            elif "added" in of:
                self._attempt(partial(self.restoring.remove_shape, was, id, shape))
            else:
                self._attempt(partial(self.restoring.shape, was, id, shape))
        if any(change.kind == "z-order" for change in chosen) and "z-order" not in regions:
            self._attempt(partial(self.restoring.order, was))
        own_regions = {_region(edit) for edit in by_shape.get((0, ""), ())}
        for region, action in self._regions(was).items():
            if region in own_regions and region not in regions:
                self._attempt(action)
        self.count += self.restoring.tidy(was)

    def _mixed(
        self,
        name: str,
        was: str,
        shape: tuple[int, str],
        own: Iterable[Change],
        stay: Collection[Change],
    ) -> None:
        """Undo the changes of a shape on which, or in or around which, others stay."""
        if self.base is not None and self.base_parts and name in self.base_parts:
            base = self.base.xml(self.base_parts[name])
            self._attempt(partial(self.restoring.merge, was, *shape, base))
            return
        if not stay:
            return
        pieces = {_piece_of(change) for change in stay}
        for piece in {_piece_of(change): None for change in own}:
            if isinstance(piece, tuple) and piece not in pieces:
                self._attempt(partial(self.restoring.cell, was, *shape, *piece))
            elif isinstance(piece, str) and piece not in pieces:
                self._attempt(partial(self.restoring.piece, was, *shape, piece))
        if "text" in pieces:
            looks = {change.property for change in own} - {change.property for change in stay}
            for look in sorted(looks & RUN_LOOKS):
                self._attempt(partial(self.restoring.run_look, was, *shape, look))

    def _regions(self, was: str) -> dict[str, Callable[[], object]]:
        """Functions that restore parts of a slide beside its shapes, by region."""
        restoring = self.restoring

        def own() -> None:
            restoring.attributes(was)
            restoring.children(was, "p:clrMapOvr")

        return {
            "slide": own,
            "background": partial(restoring.background, was),
            "notes": partial(restoring.related, was, "notesSlide"),
            "comment": partial(restoring.related, was, "comments"),
            "layout": partial(restoring.related, was, "slideLayout"),
            "transition": partial(restoring.children, was, "p:transition"),
            "animation": partial(restoring.children, was, "p:timing"),
        }

    def _design(self) -> None:
        """Undo what was chosen in parts of the deck as a whole in which nothing stays."""
        main = {self.before.main_part} if any(is_of_list(at.change) for at in self.kept) else set()
        changed, mixed = (
            set().union(*(self._parts(at.change) for at in side if at.change.slide is None))
            for side in (self.chosen, self.kept)
        )
        for name in sorted(changed - main):
            if name not in self.before or name not in self.draft:
                continue
            if name not in mixed:
                self._attempt(partial(self.restoring.part, name))
            elif self.base is not None and name in self.base and name != self.draft.main_part:
                self._attempt(partial(self.restoring.merge_part, name, self.base.xml(name)))

    def _parts(self, change: Change) -> set[str]:
        """The parts of the deck as a whole that a change is in."""
        sheet = change.element.sheet if change.element else ""
        if change.part:
            return {change.part}
        if sheet:
            ends = _SHEETS.get(change.kind, (*_SHEETS["layout"], *_SHEETS["master"]))
            return {name for name in self._typed(ends) if self._name(name) == sheet}
        if change.kind == "properties" and change.property != "slide size":
            return set(self._typed(_PROPERTIES))
        if change.kind == "table":
            return set(self.draft.related(self.draft.main_part, "tableStyles"))
        return {self.before.main_part}

    def _typed(self, ends: tuple[str, ...]) -> list[str]:
        kinds = ((name, self.draft.content_type(name) or "") for name in self.draft.names)
        return [name for name, kind in kinds if kind.endswith(ends)]

    def _name(self, part: str) -> str:
        """The name of a layout, master or theme; a master without one has that of its theme."""
        root = self.draft.root(part)
        content = root.find(qn("p:cSld"))
        own = root.get("name") if content is None else content.get("name")
        themes = () if own else self.draft.related(part, "theme")
        return own or "".join(self._name(theme) for theme in themes[:1])


def _region(change: Change) -> str:
    """Part of a slide, beside its shapes, that a change is of."""
    return "background" if change.property.startswith("background") else change.kind


def _piece_of(change: Change) -> ShapePiece | tuple[int, int] | None:
    """The piece of its shape that a change is in, a cell by row and column; None for all else."""
    part = change.element.part if change.element else ""
    if change.kind == "table":
        cell = _CELL.fullmatch(part) if change.property == "cell text" else None
        return (int(cell[1]), int(cell[2])) if cell else None
    if part and not part.startswith("paragraph"):
        return None
    if change.kind == "style" and change.property.partition(".")[0] in _IN_TEXT:
        return "text"
    return _PIECES.get(change.kind)


def is_of_list(change: Change) -> bool:
    """Whether a slide was added, removed or moved."""
    return change.kind == "slide" and change.property in _LISTED


def _of_deck(change: Change) -> bool:
    """Whether a change is of the deck as a whole, and of no layout, master or theme."""
    return change.slide is None and not (change.element and change.element.sheet)


def shape_id(change: Change) -> int:
    """The id of the shape that changed; 0 for a change beside shapes, or on a timeline."""
    return 0 if change.element is None or change.kind == "animation" else change.element.id
