"""What an edit changed though nobody asked for it is put back, as the original deck has it.

The result is verified like every edited deck, drawn where slides can be drawn: what would bring a
fault by being put back stays as the edit made it, and says so.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from decklab.core.files import scratch_folder, write_whole
from decklab.core.results import Finding
from decklab.diffing.changes import Change
from decklab.diffing.wording import clause, sentence
from decklab.editing.settling import blamed, settle
from decklab.editing.undoing import Located, Undoing, shape_id
from decklab.editing.verification import Plan, Verification
from decklab.editing.verify import OriginalDeck, verify
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.renderer import Renderer

_PASSES = 3
"""One for the list of slides, one for all else, and one for what that brought to light."""
_ROUNDS = 4
"""Ours: how often faults of what was put back are looked for."""


@dataclass(frozen=True)
class PutBack:
    """A deck whose unplanned changes were put back."""

    verification: Verification
    gone: tuple[str, ...]
    """The changes that are no longer there, one sentence each."""
    left: tuple[str, ...]
    """Those that stay since putting them back would bring a fault, with this reason."""


def put_back(
    original: OriginalDeck,
    edited: Path,
    seen: Verification,
    plan: Plan,
    out: Path,
    *,
    renderer: Renderer | None = None,
) -> PutBack | None:
    """Write to ``out`` the edited deck with its unplanned changes put back, verified.

    ``seen`` is what verification found in ``edited``. None, with nothing written, where there is
    nothing to put back, where no planned change would be left, or where the deck is no better
    without. What cannot be put back stays as it is. With a ``renderer`` the slides are drawn, in
    ``edited`` as well as afterwards. Raises DeckError where a deck cannot be read, OSError where
    ``out`` cannot be written.
    """
    if seen.unreadable or not seen.unplanned:
        return None
    with scratch_folder("put-back") as folder:
        work = _PuttingBack(original, edited, seen, plan, folder, renderer)
        settled = settle(dict.fromkeys(range(len(seen.unplanned)), 1), work.tried, rounds=_ROUNDS)
        made, now = work.best
        planned = any(map(plan.allows, now.diff.edits))
        if not settled.kept or made == edited or now.rank <= seen.rank or not planned:
            return None
        write_whole(out, made.read_bytes())
    left = (f"{sentence(seen.unplanned[one]).removesuffix('.')}: {why}"
            for one, why in settled.undone.items())  # fmt: skip
    return PutBack(now, _gone(seen, now), tuple(left))


def _gone(seen: Verification, now: Verification) -> tuple[str, ...]:
    """The unplanned changes that are no longer there; as slides may have other numbers now, changes
    are known by the rest of their words."""
    planned = [change for change in seen.diff.edits if change not in seen.unplanned]
    left = Counter(map(clause, now.diff.edits)) - Counter(map(clause, planned))
    gone = []
    for change in seen.unplanned:
        if left[clause(change)]:
            left[clause(change)] -= 1
        else:
            gone.append(sentence(change))
    return tuple(dict.fromkeys(gone))


@dataclass
class _PuttingBack:
    """Puts unplanned changes of an edited deck back, and looks what that brings."""

    original: OriginalDeck
    edited: Path
    seen: Verification
    plan: Plan
    folder: Path
    renderer: Renderer | None

    def __post_init__(self) -> None:
        self.best = self.edited, self.seen
        self._trials = 0

    def tried(self, items: Mapping[int, int]) -> dict[int, str]:
        """Put some of the unplanned changes back; gives those that bring a fault, with it."""
        self._trials += 1
        stay = {self._named(self.seen, one) for at, one in enumerate(self.seen.unplanned)
                if at not in items}  # fmt: skip
        made, now = self.edited, replace(self.seen, findings=())
        best = made, now
        for number in range(_PASSES):
            back = [one for one in now.unplanned if self._named(now, one) not in stay]
            target = self.folder / f"{self._trials}-{number}{self.edited.suffix}"
            if now.unreadable or not back or not self._once(made, now, back, target):
                break
            made, now = target, verify(self.original, target, self.plan, draw=False)
            best = max((made, now), best, key=lambda one: one[1].rank)
        made, now = best
        if made != self.edited and self.renderer is not None:
            now = verify(self.original, made, self.plan, renderer=self.renderer)
        self.best = made, now
        failed: dict[int, str] = {}
        for fault in self._brought(now) if made != self.edited else ():
            for at in blamed(items, self._suspicions(now, fault)):
                failed.setdefault(at, f"putting it back would bring a fault: {fault.message}")
        return failed

    def _once(self, edited: Path, seen: Verification, back: list[Change], out: Path) -> bool:
        """Whether anything was put back in ``out``: first the list of slides alone, by whose
        numbers the plan names them."""
        with Package.open(self.original.path) as before, Package.open(edited) as after:
            older, newer = (
                {entry.number: entry.part for entry in slide_entries(one)}
                for one in (before, after)
            )
            pairs = seen.diff.slides.pairs(len(older), len(newer))
            names = {new: older[old] for old, new in pairs}
            names = {number: names.get(number, f"+{part}") for number, part in newer.items()}
            chosen, kept = list[Located](), list[Located]()
            for change in seen.diff.edits:
                gone = (change.kind, change.property) == ("slide", "removed")
                slide = (older if gone else names).get(change.slide or 0)
                (chosen if change in back else kept).append(Located(change, slide))
            return Undoing(
                before, Draft(after), {part: part for part in older.values()},
                {names[number]: part for number, part in newer.items()}, chosen, kept,
            ).saved(out, list_alone=True)  # fmt: skip

    def _older(self, seen: Verification, slide: int | None) -> int | str | None:
        """What a slide of an edited deck is known by, whatever its number there."""
        before, moves = len(self.original.elements.slides), seen.diff.slides
        after = before + len(moves.added) - len(moves.removed)
        known = {new: old for old, new in moves.pairs(before, after)}
        return None if slide is None else known.get(slide, f"new {slide}")

    def _named(self, seen: Verification, change: Change) -> tuple[object, str]:
        return self._older(seen, change.slide), clause(change)

    def _brought(self, now: Verification) -> Iterator[Finding]:
        """The faults that the edited deck did not have."""
        known = Counter(
            (one.rule, self._older(self.seen, one.slide), one.shape) for one in self.seen.faults
        )
        for one in now.faults:
            key = one.rule, self._older(now, one.slide), one.shape
            known[key] -= 1
            if known[key] < 0:
                yield one

    def _suspicions(self, now: Verification, fault: Finding) -> tuple[Callable[[int], bool], ...]:
        """Whose fault a fault may be: what was put back of its shape, then of its slide."""
        slide, changes = self._older(now, fault.slide), self.seen.unplanned

        def of_slide(at: int) -> bool:
            return self._older(self.seen, changes[at].slide) == slide

        def of_shape(at: int) -> bool:
            id = shape_id(changes[at])
            return of_slide(at) and id > 0 and (fault.shape or "").endswith(f"(id {id})")

        return of_shape, of_slide
