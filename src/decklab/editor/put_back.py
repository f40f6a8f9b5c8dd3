"""What an edit changed though nobody asked for it is put back, as the original deck has it.

Slides with unplanned changes only are taken from the original whole. On slides that the plan
touches, too, shapes, notes, comments, transitions and the like go back one by one; where planned
and unplanned changes of one shape mix, nothing is done. Slides that nobody wanted go, those that
nobody wanted gone come back, and so do layouts, masters, themes and properties.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder, write_whole
from decklab.deck.part import shape_tree
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.wording import clause, sentence
from decklab.editing.slide_operations import delete_slide, sweep
from decklab.editing.verification import Plan, Verification
from decklab.editor.restoring import Restoring, Unrestorable, within
from decklab.editor.verify import OriginalDeck, verify
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.parts import reachable
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import qn

_PASSES = 3
"""One for the list of slides, one for all else, and one for what that brought to light."""
_LISTED = frozenset({"added", "removed", "moved"})
"""Properties of changes of the list of slides."""
_SHEETS = {"layout": ("slideLayout+xml",), "master": ("slideMaster+xml",), "theme": ("theme+xml",)}
_PROPERTIES = ("core-properties+xml", "extended-properties+xml", "custom-properties+xml")


def put_back(
    original: OriginalDeck, edited: Path, seen: Verification, plan: Plan, out: Path
) -> Verification | None:
    """Write to ``out`` the edited deck with its unplanned changes put back, and verify it.

    ``seen`` is what verification found in ``edited``. None, with nothing written, where there is
    nothing to put back, where no planned change would be left, or where the deck is no better
    without. What cannot be put back stays as it is. The slides are not drawn. Raises DeckError
    where a deck cannot be read, OSError where ``out`` cannot be written.
    """
    kept: Verification | None = None
    now, taken = replace(seen, findings=()), edited
    highest = now.rank
    with scratch_folder("put-back") as folder:
        for number in range(_PASSES):
            target = folder / f"{number}{edited.suffix}"
            if now.unreadable or not now.unplanned:
                break
            if not _put_back_once(original.path, taken, now, target):
                break
            now, taken = verify(original, target, plan, draw=False), target
            if now.rank > highest and now.planned:
                kept, highest = now, now.rank
                write_whole(out, target.read_bytes())
    return kept


def changes_gone(seen: Verification, mended: Verification) -> tuple[str, ...]:
    """The unplanned changes of an edited deck that are no longer there, one sentence each.

    Slides may have other numbers now, so that changes are known by the rest of their words.
    """
    left = Counter(map(clause, mended.diff.edits)) - Counter(map(clause, seen.planned))
    gone = []
    for change in seen.unplanned:
        if left[clause(change)]:
            left[clause(change)] -= 1
        else:
            gone.append(sentence(change))
    return tuple(dict.fromkeys(gone))


def _put_back_once(original: Path, edited: Path, seen: Verification, out: Path) -> bool:
    """Whether anything was put back in ``out``: first the list of slides alone, by whose numbers
    the plan names them."""
    with Package.open(original) as before, Package.open(edited) as after:
        draft = Draft(after)
        start = reachable(draft)
        work = PuttingBack(before, after, draft, seen.diff, seen.planned, seen.unplanned)
        if not work.done():
            return False
        sweep(draft, start)
        draft.save(out)
    return True


@dataclass
class PuttingBack:
    """Puts the ``unplanned`` changes of ``diff`` back in ``draft``, a draft of the deck ``after``
    that was made from ``before``; the ``planned`` ones stay."""

    before: Package
    after: Package
    draft: Draft
    diff: DeckDiff
    planned: Collection[Change]
    unplanned: Collection[Change]

    def __post_init__(self) -> None:
        older, newer = slide_entries(self.before), slide_entries(self.after)
        self.older = {entry.number: entry.part for entry in older}
        self.newer = {entry.number: entry.part for entry in newer}
        pairs = self.diff.slides.pairs(len(older), len(newer))
        self.was = {new: self.older[old] for old, new in pairs}
        """Part in the original by number in the edited deck."""
        self.restoring = Restoring(
            self.before, self.draft, {self.was[new]: self.newer[new] for _old, new in pairs}
        )
        self.count = 0

    def done(self) -> bool:
        """Whether anything was put back."""
        self._slide_list()
        if self.count:
            return True
        for number, was in self.was.items():
            unplanned, planned = (
                [one for one in side if one.slide == number and not is_of_list(one)]
                for side in (self.unplanned, self.planned)
            )
            if unplanned and not planned:
                self.attempt(partial(self.restoring.slide, was))
            elif unplanned:
                self.on_slide(number, was, unplanned, planned)
        self._design()
        return self.count > 0

    def attempt(self, *actions: Callable[[], object]) -> None:
        """Carry out all of the actions or none."""
        try:
            with self.restoring.whole():
                for action in actions:
                    action()
        except (Unrestorable, DeckError):
            return
        self.count += 1

    def _slide_list(self) -> None:
        listed = [change for change in self.unplanned if is_of_list(change)]
        for change in listed:
            if change.property == "added" and change.slide is not None:
                self.attempt(partial(delete_slide, self.draft, self.newer[change.slide]))
        gone = [one.slide for one in listed if one.property == "removed" and one.slide is not None]
        if any(is_of_list(one) or _of_deck(one) for one in self.planned):
            return
        if gone or any(one.property == "moved" for one in listed):
            parts = [self.older[number] for number in gone]
            self.attempt(
                *(partial(self.restoring.bring_slide, part) for part in parts),
                *(partial(self.restoring.slide, part) for part in parts),
                partial(self.restoring.part, self.before.main_part),
            )

    def on_slide(
        self, number: int, was: str, unplanned: Iterable[Change], planned: Collection[Change]
    ) -> None:
        """Put back what was not planned on a slide that the plan touches, too."""
        tree = shape_tree(self.after.xml(self.newer[number]))
        asked = {shape_id(one) for one in planned} - {0}
        wanted = set().union(*(within(tree, id) for id in asked)) if tree is not None else asked
        kinds = {one.kind for one in planned}
        by_shape: dict[tuple[int, str], set[str]] = {}
        for one in unplanned:
            id = shape_id(one)
            name = one.element.name if id and one.element else ""
            by_shape.setdefault((id, name), set()).add(one.kind)
        for (id, name), own in by_shape.items():
            if not id or own == {"z-order"} or id in wanted:
                continue
            back = self.restoring.remove_shape if "added" in own else self.restoring.shape
            self.attempt(partial(back, was, id, name))
        if any("z-order" in own for own in by_shape.values()) and "z-order" not in kinds:
            self.attempt(partial(self.restoring.order, was))
        own = by_shape.get((0, ""), set())
        for kind, action in self._regions(was).items():
            if kind in own and kind not in kinds:
                self.attempt(action)
        self.count += self.restoring.tidy(was)

    def _regions(self, was: str) -> dict[str, Callable[[], object]]:
        """How what is on a slide beside its shapes goes back, by kind of change."""
        restoring = self.restoring

        def looks() -> None:
            restoring.attributes(was)
            restoring.background(was)
            restoring.children(was, "p:clrMapOvr")

        return {
            "slide": looks,
            "notes": partial(restoring.related, was, "notesSlide"),
            "comment": partial(restoring.related, was, "comments"),
            "layout": partial(restoring.related, was, "slideLayout"),
            "transition": partial(restoring.children, was, "p:transition"),
            "animation": partial(restoring.children, was, "p:timing"),
        }

    def _design(self) -> None:
        """Put back parts of the deck as a whole in which nothing was planned."""
        main = {self.before.main_part} if any(map(is_of_list, self.planned)) else set()
        changed = [self._parts(one) for one in self.unplanned if one.slide is None]
        wanted = [self._parts(one) for one in self.planned if one.slide is None]
        for name in sorted(set().union(*changed) - main.union(*wanted)):
            if name in self.before and name in self.draft:
                self.attempt(partial(self.restoring.part, name))

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
            return set(self.after.related(self.after.main_part, "tableStyles"))
        return {self.before.main_part}

    def _typed(self, ends: tuple[str, ...]) -> list[str]:
        return [
            name
            for name in self.after.names
            if (self.after.content_type(name) or "").endswith(ends)
        ]

    def _name(self, part: str) -> str:
        """The name of a layout, master or theme; a master without one has that of its theme."""
        root = self.after.xml(part)
        content = root.find(qn("p:cSld"))
        own = root.get("name") if content is None else content.get("name")
        themes = () if own else self.after.related(part, "theme")
        return own or "".join(self._name(theme) for theme in themes[:1])


def is_of_list(change: Change) -> bool:
    """Whether a slide was added, removed or moved."""
    return change.kind == "slide" and change.property in _LISTED


def _of_deck(change: Change) -> bool:
    """Whether a change is of the deck as a whole, and of no layout, master or theme."""
    return change.slide is None and not (change.element and change.element.sheet)


def shape_id(change: Change) -> int:
    """The id of the shape that changed; 0 for what is beside shapes, or on a timeline."""
    return 0 if change.element is None or change.kind == "animation" else change.element.id
