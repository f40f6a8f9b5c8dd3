"""Single changes of an edited deck taken back; all others stay, which is looked up afterwards."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.packages import diff_packages
from decklab.diffing.wording import clause, sentence
from decklab.editing.slide_operations import sweep
from decklab.editor.put_back import PuttingBack, is_of_list, shape_id
from decklab.editor.restoring import ShapePiece
from decklab.editor.run_looks import RUN_LOOKS
from decklab.editor.verify import new_problems
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import reachable
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate

_PASSES = 3
"""One for the list of slides, one for all else, and one for what that brought to light."""
_CELL = re.compile(r"row (\d+), column (\d+)\Z")
_IN_TEXT = ("font", "paragraph", "body")


class CannotTakeBack(DecklabError):
    """Changes that cannot be taken back without others; the text says which, and why."""


@dataclass(frozen=True)
class KeyedChange:
    """A change with a key that stays the same while other changes of the deck come and go."""

    key: str
    change: Change
    older: int | None
    """Number of the slide in the older deck; None for an added slide, and the deck as a whole."""

    @property
    def words(self) -> str:
        """The change as a clause, without its slide."""
        return clause(self.change)


@dataclass(frozen=True)
class TakenBack:
    """What came of taking changes back, in words."""

    gone: tuple[str, ...]
    """The changes that are no longer there, one sentence each."""
    left: tuple[str, ...]
    """Those that had to stay, with the reason."""


def keyed_changes(before: str | Path, after: str | Path) -> tuple[KeyedChange, ...]:
    """The changes between two decks that somebody made, with their keys, in the order of a diff.

    Raises DeckError where a deck cannot be read.
    """
    with Package.open(before) as old, Package.open(after) as new:
        return _keyed(old, new)[1]


def take_back(
    before: str | Path, after: str | Path, keys: Collection[str], out: str | Path
) -> TakenBack:
    """Write to ``out`` the deck ``after`` without some of its changes from ``before``.

    ``keys`` are those of ``keyed_changes``. A slide that was added or removed goes or comes back
    with all that is on it. The result is compared with ``before``: every other change is still
    there, and none came. Raises CannotTakeBack, with nothing written, where that cannot be had or
    none of the changes can be taken back; DeckError where a deck cannot be read, OSError where
    ``out`` cannot be written.
    """
    with scratch_folder("take-back") as folder:
        made = Path(after)
        with Package.open(before) as old:
            with Package.open(after) as new:
                seen = _keyed(old, new)[1]
                sound = tuple(validate(new))
            chosen = _with_slides(seen, keys)
            if not chosen:
                raise CannotTakeBack("these changes are not there")
            for number in range(_PASSES):
                target = folder / f"{number}{made.suffix}"
                if not _once(old, made, {one.key for one in chosen}, target):
                    break
                made = target
            with Package.open(made) as new:
                left = _keyed(old, new)[1]
                problems = new_problems(sound, tuple(validate(new)))
        taken = _checked(seen, chosen, left)
        if problems:
            raise CannotTakeBack(f"the deck would not be valid: {problems[0].detail}")
        write_whole(Path(out), made.read_bytes())
    return taken


def _keyed(old: Package, new: Package) -> tuple[DeckDiff, tuple[KeyedChange, ...]]:
    diff = diff_packages(old, new)
    counts = len(slide_entries(old)), len(slide_entries(new))
    older = {now: was for was, now in diff.slides.pairs(*counts)}
    seen: Counter[str] = Counter()
    keyed = []
    for change in diff.edits:
        was = change.slide if _is(change, "removed") else older.get(change.slide or 0)
        said = repr((_place(change, was), change.old, change.new))
        seen[said] += 1
        key = sha256(f"{said} {seen[said]}".encode()).hexdigest()[:16]
        keyed.append(KeyedChange(key, change, was))
    return diff, tuple(keyed)


def _place(change: Change, older: int | None) -> tuple[object, ...]:
    """What a change is of; numbers of slides in the newer deck count for added slides only."""
    shape = change.element
    named = (shape.id, shape.name, shape.part, shape.sheet) if shape else ()
    added = change.slide if older is None else None
    return (older, added, change.kind, change.property, *named, change.path)


def _is(change: Change, fate: str) -> bool:
    return change.kind == "slide" and change.property == fate


def _with_slides(seen: Iterable[KeyedChange], keys: Collection[str]) -> list[KeyedChange]:
    """The changes of some keys, and all others on slides that are added, where those go."""
    added = {one.change.slide for one in seen if one.key in keys and _is(one.change, "added")}
    return [one for one in seen if one.key in keys or one.change.slide in added - {None}]


def _once(old: Package, edited: Path, keys: Collection[str], out: Path) -> bool:
    """Whether anything was taken back in ``out``; slides of the list go first, and alone."""
    with Package.open(edited) as new:
        diff, keyed = _keyed(old, new)
        chosen = [one.change for one in keyed if one.key in keys]
        if not chosen:
            return False
        kept = [one.change for one in keyed if one.key not in keys]
        draft = Draft(new)
        start = reachable(draft)
        if not _TakingBack(old, new, draft, diff, kept, chosen).done():
            return False
        sweep(draft, start)
        draft.save(out)
    return True


class _TakingBack(PuttingBack):
    """Takes back pieces of shapes, too, where other changes of the same shape stay."""

    def on_slide(
        self, number: int, was: str, unplanned: Iterable[Change], planned: Collection[Change]
    ) -> None:
        """Take back what was chosen on a slide on which other changes stay."""
        chosen = list(unplanned)
        super().on_slide(number, was, chosen, planned)
        kept_shapes = {(shape_id(one), _name(one)) for one in planned} - {(0, "")}
        by_shape: dict[tuple[int, str], list[Change]] = {}
        for one in chosen:
            by_shape.setdefault((shape_id(one), _name(one)), []).append(one)
        for (id, name), own in by_shape.items():
            if id and (id, name) in kept_shapes:
                kept = [one for one in planned if shape_id(one) == id]
                self._pieces(was, id, name, own, kept)

    def _pieces(
        self, was: str, id: int, name: str, own: Iterable[Change], kept: Collection[Change]
    ) -> None:
        stay = {_piece_of(one) for one in kept}
        for piece in {_piece_of(one): None for one in own}:
            if piece is None or piece in stay:
                continue
            if isinstance(piece, tuple):
                self.attempt(partial(self.restoring.cell, was, id, name, *piece))
            else:
                self.attempt(partial(self.restoring.piece, was, id, name, piece))
        if "text" in stay:
            looks = {one.property for one in own} - {one.property for one in kept}
            for look in sorted(looks & RUN_LOOKS):
                self.attempt(partial(self.restoring.run_look, was, id, name, look))


def _name(change: Change) -> str:
    return change.element.name if change.element is not None and shape_id(change) else ""


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


_PIECES: Final[Mapping[str, ShapePiece]] = {
    "text": "text", "geometry": "place", "style": "look", "alt text": "names", "name": "names",
}  # fmt: skip
"""By the kind of change."""


def _checked(
    seen: Collection[KeyedChange], chosen: Collection[KeyedChange], left: Collection[KeyedChange]
) -> TakenBack:
    """What is gone and what is left; raises CannotTakeBack where any other change came or went."""
    keys, still = {one.key for one in chosen}, {one.key for one in left}
    gone = [one for one in chosen if one.key not in still]
    stay = [one for one in chosen if one.key in still]
    known = Counter(_place(one.change, one.older) for one in seen)
    known.subtract(_place(one.change, one.older) for one in gone)
    for one in left:
        known[_place(one.change, one.older)] -= 1
    if not gone:
        raise CannotTakeBack("; ".join(dict.fromkeys(_reasons(stay, seen, keys))))
    more = [one for one in left if known[_place(one.change, one.older)] < 0]
    if more:
        raise CannotTakeBack(f"more would change: {sentence(more[0].change)}")
    lost = [one for one in seen if known[_place(one.change, one.older)] > 0]
    if lost:
        raise CannotTakeBack(f"another change would go, too: {sentence(lost[0].change)}")
    return TakenBack(tuple(sentence(one.change) for one in gone), tuple(_reasons(stay, seen, keys)))


def _reasons(
    stay: Iterable[KeyedChange], seen: Collection[KeyedChange], keys: Collection[str]
) -> Iterator[str]:
    """Why each change could not be taken back alone."""
    others = [one for one in seen if one.key not in keys]
    for one in stay:
        same = [
            other for other in others
            if other.older == one.older and shape_id(other.change) == shape_id(one.change) != 0
        ]  # fmt: skip
        words = sentence(one.change).removesuffix(".")
        if is_of_list(one.change):
            reason = "slides were added, removed or moved besides; take those back, too"
        elif same:
            reason = f"it goes only together with: {same[0].words}"
        elif one.change.slide is None:
            reason = "it is of the deck as a whole, in a part with other changes"
        else:
            reason = "the slide before has nothing to put in its place"
        yield f"{words}: {reason}"
