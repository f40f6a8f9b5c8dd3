"""Puts back, as the original deck has it, what an edit changed though nobody asked for it.

The result is verified like every edited deck, drawn where slides can be drawn: a change whose
return would bring a fault stays as the edit made it, and says so.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from decklab.core.files import scratch_folder, write_whole
from decklab.core.results import Finding
from decklab.diffing.changes import Change
from decklab.diffing.wording import clause, sentence
from decklab.editing.settling import blamed, settle
from decklab.editing.taking_back import CannotTakeBack, keyed_changes, take_back
from decklab.editing.undoing import is_of_list, shape_id
from decklab.editing.verification import Plan, Verification
from decklab.editing.verify import OriginalDeck, verify
from decklab.rendering.renderer import Renderer

_ROUNDS = 4
"""Ours: how often faults of restored changes are looked for."""


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

    ``seen`` is what verification found in ``edited``. None, with nothing written, if there is
    nothing to put back, no planned change would be left, or the deck would be no better. Changes
    that cannot be put back stay. With a ``renderer`` the slides are drawn, in ``edited`` as well as
    afterwards. Raises DeckError if a deck cannot be read, OSError if ``out`` cannot be written.
    """
    if seen.unreadable or not seen.unplanned:
        return None
    with scratch_folder("put-back") as folder:
        work = _PuttingBack(original, edited, seen, plan, folder, renderer)
        settled = settle(dict.fromkeys(range(len(seen.unplanned)), 1), work.tried, rounds=_ROUNDS)
        made, now = work.best
        if not settled.kept or made == edited or now.rank <= seen.rank or not now.planned:
            return None
        write_whole(out, made.read_bytes())
    left = (f"{sentence(seen.unplanned[one]).removesuffix('.')}: {why}"
            for one, why in settled.undone.items())  # fmt: skip
    return PutBack(now, _gone(seen, now), tuple(left))


def _gone(seen: Verification, now: Verification) -> tuple[str, ...]:
    """The unplanned changes that are no longer there; as slides may have other numbers now, changes
    are known by the rest of their words."""
    left = Counter(map(clause, now.diff.edits)) - Counter(map(clause, seen.planned))
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
        """Put some of the unplanned changes back; returns those that bring a fault, with it."""
        self._trials += 1
        stay = {self._named(self.seen, one) for at, one in enumerate(self.seen.unplanned)
                if at not in items}  # fmt: skip
        made, now = self.edited, self.seen
        for stage in ("slides", "all"):  # the plan names slides by their numbers in its deck
            back = [one for one in now.unplanned if self._named(now, one) not in stay]
            if stage == "slides":
                back = [one for one in back if is_of_list(one)]
            target = self.folder / f"{self._trials}-{stage}{self.edited.suffix}"
            if back and self._taken_back(made, back, target, sound=stage == "all"):
                made, now = target, verify(self.original, target, self.plan, draw=False)
        if made != self.edited and self.renderer is not None:
            now = verify(self.original, made, self.plan, renderer=self.renderer)
        self.best = made, now
        failed: dict[int, str] = {}
        for fault in self._brought(now) if made != self.edited else ():
            for at in blamed(items, self._suspicions(now, fault)):
                failed.setdefault(at, f"putting it back would bring a fault: {fault.message}")
        return failed

    def _taken_back(
        self, edited: Path, back: Collection[Change], target: Path, *, sound: bool
    ) -> bool:
        """Whether any of the changes could be taken back, in ``target``."""
        known = keyed_changes(self.original.path, edited)
        keys = [one.key for one in known if one.change in back]
        try:
            take_back(self.original.path, edited, keys, target, sound=sound)
        except CannotTakeBack:
            return False
        return True

    def _older(self, seen: Verification, slide: int | None) -> int | str | None:
        """Key of a slide of an edited deck, whatever its number there."""
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
        """Tests of which change put back may have caused a fault: by shape, then by slide."""
        slide, changes = self._older(now, fault.slide), self.seen.unplanned

        def of_slide(at: int) -> bool:
            return self._older(self.seen, changes[at].slide) == slide

        def of_shape(at: int) -> bool:
            id = shape_id(changes[at])
            return of_slide(at) and id > 0 and (fault.shape or "").endswith(f"(id {id})")

        return of_shape, of_slide
