"""Changes of an edited deck taken back; all others stay, which is looked up afterwards.

``settle`` tries changes together until all that are left hold. ``take_back`` takes single changes
back, from the deck that they made or from a later one that was made from it: then what changed
since stays too, and a change that something touched again since is left and named. ``put_back``
takes back what an edit changed though nobody asked for it. Its result is verified like every edited
deck, drawn if slides can be drawn: a change whose return would bring a fault stays, and says so.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Generic, TypeVar

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.core.results import Finding
from decklab.deck.views.snapshot import snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import clause, sentence
from decklab.editing.undoing import Located, Place, Undoing, is_of_list, shape_id
from decklab.editing.verification import Plan, Verification
from decklab.editing.verify import OriginalDeck, new_problems, verify
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.rendering.renderer import Renderer

Item = TypeVar("Item", bound=Hashable)


class CannotMake(DecklabError):
    """A change that cannot be made; ``item`` says which, the text why."""

    def __init__(self, item: Hashable, reason: str) -> None:
        super().__init__(reason)
        self.item = item


@dataclass(frozen=True)
class Settled(Generic[Item]):
    """The changes that hold, and those that were undone."""

    kept: Mapping[Item, int]
    """By change, the number of the way in which it was made, from 0."""
    undone: Mapping[Item, str]
    """By change, the reason."""


def settle(
    ways: Mapping[Item, int],
    trial: Callable[[Mapping[Item, int]], Mapping[Item, str]],
    *,
    rounds: int,
) -> Settled[Item]:
    """Try changes until all that are left hold.

    ``ways`` says by change in how many ways it can be made, the best first. ``trial`` makes the
    changes that are left, each in the way whose number it is given, and gives those that do not
    hold with the reasons; it raises CannotMake for one that cannot be made, which costs no round.
    After ``rounds`` rounds nothing is kept; in the last but one no other way is tried any more.
    """
    way, reasons, number = dict.fromkeys(ways, 0), dict[Item, str](), 0
    while way and number < rounds:
        try:
            failed = trial(way)
            number += 1
        except CannotMake as error:
            failed = {item: str(error) for item in way if item == error.item}
        if not failed:
            break
        for item, reason in failed.items():
            reasons[item] = reason
            if number < rounds - 1 and way[item] + 1 < ways[item]:
                way[item] += 1
            else:
                del way[item]
    else:
        way = {}
    undone = {item: reason for item, reason in reasons.items() if item not in way}
    return Settled(way, undone)


def blamed(items: Iterable[Item], suspicions: Iterable[Callable[[Item], bool]]) -> list[Item]:
    """The changes at fault: those that the first suspicion with any is about; all if none is."""
    known = list(items)
    return next(filter(None, ([one for one in known if is_at(one)] for is_at in suspicions)), known)


_PASSES = 3
"""The first undoes the chosen changes, the others those that this brought to light."""
_MIXED = "it goes only together with other changes of the same version"
_ROUNDS = 6
"""Ours: after so many conflicts with other changes nothing is taken back."""


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
class TakeBackResult:
    """Result of taking changes back, in words."""

    gone: tuple[str, ...]
    """The changes that are no longer there, one sentence each."""
    left: tuple[str, ...]
    """Those that had to stay, with the reason."""
    slides: tuple[int, ...] = ()
    """Numbers of the slides that this changed, in the deck that was written."""


def keyed_changes(before: str | Path, after: str | Path) -> tuple[KeyedChange, ...]:
    """The changes between two decks that somebody made, with their keys, in the order of a diff.

    Raises DeckError if a deck cannot be read.
    """
    with Package.open(before) as old, Package.open(after) as new:
        return _keyed(old, new, _diff(old, new))


def take_back(
    before: str | Path,
    after: str | Path,
    keys: Collection[str],
    out: str | Path,
    *,
    onto: str | Path | None = None,
    sound: bool = True,
) -> TakeBackResult:
    """Write to ``out`` the deck ``after`` without some of its changes from ``before``.

    ``keys`` are those of ``keyed_changes``. A slide that was added or removed goes or comes back
    with all that is on it. With ``onto``, a later deck, that one is written without these changes,
    and with all that changed since ``after``. The result is compared: every other change is still
    there, and none came. Raises CannotTakeBack, with nothing written, if that cannot be had for
    any of the changes or, unless the result is but a step and need not be ``sound``, has new errors
    of validity; DeckError if a deck cannot be read, OSError if ``out`` cannot be written.
    """
    with scratch_folder("take-back") as folder, ExitStack() as stack:
        old, middle, new = (
            stack.enter_context(Package.open(one)) for one in (before, after, onto or after)
        )
        work = _TakingBack(old, middle, new, folder, Path(after).suffix, later=onto is not None)
        taken, made = work.without(keys)
        with Package.open(made) as package:
            problems = sound and new_problems(tuple(validate(new)), tuple(validate(package)))
        if problems:
            raise CannotTakeBack(f"the deck would not be valid: {problems[0].detail}")
        write_whole(Path(out), made.read_bytes())
    return taken


def _diff(before: Package, after: Package) -> DeckDiff:
    """The changes as verification finds them: theirs are to be the same."""
    return diff_packages(before, after, edited=True)


def _keyed(old: Package, new: Package, diff: DeckDiff) -> tuple[KeyedChange, ...]:
    counts = len(slide_entries(old)), len(slide_entries(new))
    older = {now: was for was, now in diff.slides.pairs(*counts)}
    seen: Counter[str] = Counter()
    keyed = []
    for change in diff.edits:
        was = change.slide if _is(change, "removed") else older.get(change.slide or 0)
        shape = change.element
        named = (shape.id, shape.name, shape.part, shape.sheet) if shape else ()
        added = change.slide if was is None else None
        place = (was, added, change.kind, change.property, *named, change.path)
        said = repr((place, change.old, change.new))
        seen[said] += 1
        key = sha256(f"{said} {seen[said]}".encode()).hexdigest()[:16]
        keyed.append(KeyedChange(key, change, was))
    return tuple(keyed)


def _is(change: Change, fate: str) -> bool:
    return change.kind == "slide" and change.property == fate


@dataclass(frozen=True)
class _Deck:
    """A deck of a line of decks; ``slides`` names each slide the same in all of them, by number."""

    package: Package
    slides: tuple[str, ...]
    step: int = 0
    """How many decks were before it in the line."""

    @classmethod
    def first(cls, package: Package) -> "_Deck":
        return cls(package, tuple(entry.part for entry in slide_entries(package)))

    def next(self, package: Package, diff: DeckDiff, *others: Mapping[int, str]) -> "_Deck":
        """The deck that ``diff`` leads to; ``others`` name slides that this deck does not have."""
        entries = slide_entries(package)
        known = {
            now: self.slides[was - 1]
            for was, now in diff.slides.pairs(len(self.slides), len(entries))
        }
        for names in others:
            known = {**names, **known}
        own = tuple(known.get(entry.number, f"{self.step}+{entry.part}") for entry in entries)
        return _Deck(package, own, self.step + 1)

    @cached_property
    def parts(self) -> dict[str, str]:
        """The part of each slide by its name."""
        entries = slide_entries(self.package)
        return dict(zip(self.slides, (entry.part for entry in entries), strict=True))

    def located(self, diff: DeckDiff, newer: "_Deck") -> list[Located]:
        """The changes that lead from this deck to a newer one."""
        return [
            Located(change, None if change.slide is None else
                    (self if _is(change, "removed") else newer).slides[change.slide - 1])
            for change in diff.edits
        ]  # fmt: skip


class _TakingBack:
    """Takes changes that led from ``old`` to ``middle`` back from ``new``."""

    def __init__(
        self, old: Package, middle: Package, new: Package, folder: Path, suffix: str, *, later: bool
    ) -> None:
        diff = _diff(old, middle)
        self.old = _Deck.first(old)
        self.middle = self.old.next(middle, diff)
        self.new, self.since = self.middle, list[Located]()
        if later:
            further = _diff(middle, new)
            self.new = self.middle.next(new, further)
            self.since = self.middle.located(further, self.new)
        self.later, self.folder, self.suffix = later, folder, suffix
        located = self.old.located(diff, self.middle)
        self.known = dict(zip((one.key for one in _keyed(old, middle, diff)), located, strict=True))
        self._numbers = count()
        self._made: Path | None = None
        self._did: list[Located] = []
        """Changes that the last trial made in ``new``."""
        self._still: Counter[Place] = Counter()
        """Changes besides those that have to stay, counted by place."""
        self._stay: Sequence[Located] = ()

    def without(self, keys: Collection[str]) -> tuple[TakeBackResult, Path]:
        """The deck without the changes of some keys, and the result in words."""
        added = {one.slide for key, one in self.known.items()
                 if key in keys and _is(one.change, "added")}  # fmt: skip
        chosen = {key: 1 for key, one in self.known.items() if key in keys or one.slide in added}
        if not chosen:
            raise CannotTakeBack("these changes are not there")
        settled = settle(chosen, self._tried, rounds=_ROUNDS)
        gone, left = [], [*settled.undone.values()]
        for key in settled.kept:
            reason = self._why_left(self.known[key])
            if reason:
                left.append(f"{_words(self.known[key])}: {reason}")
            else:
                gone.append(sentence(self.known[key].change))
                left += self._copies(self.known[key])
        if not gone or self._made is None:
            raise CannotTakeBack("; ".join(dict.fromkeys(left)))
        slides = {change.change.slide for change in self._did if not _is(change.change, "removed")}
        shown = tuple(sorted(slide for slide in slides if slide is not None))
        return TakeBackResult(tuple(gone), tuple(dict.fromkeys(left)), shown), self._made

    def _tried(self, keys: Mapping[str, int]) -> dict[str, str]:
        """Take the changes of some keys back; returns those that do not hold, with the reason."""
        chosen = [self.known[key] for key in keys]
        others = [one for key, one in self.known.items() if key not in keys]
        if not self.later:
            return self._compared(keys, self.old, None, chosen, others)
        if not others:
            return self._compared(keys, self.old, self.middle, chosen, self.since)
        path = self._undone(self.old, self.middle, None, chosen, others)
        if path is None:
            return {key: f"{_words(self.known[key])}: {_MIXED}" for key in keys}
        with Package.open(path) as package:  # differs from the middle in what was chosen alone
            diff = _diff(package, self.middle.package)
            slides = self.old.next(package, _diff(self.old.package, package)).slides
            pairs = diff.slides.pairs(len(slides), len(self.middle.slides))
            names = {was: self.middle.slides[now - 1] for was, now in pairs}
            old = _Deck(package, tuple(names.get(n, one) for n, one in enumerate(slides, 1)))
            return self._compared(
                keys, old, self.middle, old.located(diff, self.middle), self.since
            )

    def _undone(
        self,
        old: _Deck,
        new: _Deck,
        base: _Deck | None,
        chosen: Sequence[Located],
        stay: Sequence[Located],
    ) -> Path | None:
        """``new`` without the chosen changes, in a file; None if nothing could be undone."""
        expected = Counter(change.place for change in stay)
        path, package = None, new.package
        with ExitStack() as stack:
            for number in range(_PASSES):
                if number:
                    now, new = self._now(old, new, package)
                    (stay, chosen), base = _split(now, expected), None
                target = self.folder / f"{next(self._numbers)}{self.suffix}"
                undoing = Undoing(
                    old.package, Draft(package), old.parts, new.parts, chosen, stay,
                    base.package if base else None, base.parts if base else {},
                )  # fmt: skip
                if not chosen or not undoing.saved(target):
                    break
                path, package = target, stack.enter_context(Package.open(target))
        return path

    def _now(self, old: _Deck, new: _Deck, package: Package) -> tuple[list[Located], _Deck]:
        """The changes that lead from ``old`` to a deck made from ``new``, and this deck."""
        diff, step = _diff(old.package, package), _diff(new.package, package)
        counts = len(old.slides), len(slide_entries(package))
        back = {now: old.slides[was - 1] for was, now in diff.slides.pairs(*counts)}
        made = new.next(package, step, back)
        self._did = new.located(step, made)
        return old.located(diff, made), made

    def _compared(
        self,
        keys: Mapping[str, int],
        old: _Deck,
        base: _Deck | None,
        chosen: Sequence[Located],
        stay: Sequence[Located],
    ) -> dict[str, str]:
        """Undo what was chosen and compare; gives the changes that do not hold, with the reason."""
        self._made = self._undone(old, self.new, base, chosen, stay)
        with ExitStack() as stack:
            package = self.new.package
            if self._made is not None:
                package = stack.enter_context(Package.open(self._made))
            now, _made = self._now(old, self.new, package)
        asked, kept = Counter(change.place for change in chosen), Counter(one.place for one in stay)
        here = Counter(change.place for change in now)
        self._still, self._stay = here - kept, stay
        more, lost = self._still - asked, kept - here
        failed: dict[str, str] = {}
        for one in now:
            if more[one.place]:
                self._blame(failed, keys, one, f"more would change: {sentence(one.change)}")
        for one in stay:
            if lost[one.place] or self._altered(one, asked):
                also = (
                    "it was changed again since" if self.later else "another change would go, too"
                )
                self._blame(failed, keys, one, f"{also}: {sentence(one.change)}")
        done = {change.place for change in self._did}
        for key in keys:
            one = self.known[key]
            if self.later and self._still[one.place] and one.place in done:  # half of it is gone
                failed.setdefault(key, f"{_words(one)}: {self._why_left(one)}")
        return failed

    def _altered(self, stays: Located, asked: Counter[Place]) -> bool:
        """Whether a change that stays has another value now; texts are merged line by line."""
        text = stays.change.kind == "text" and asked[stays.place] > 0
        return self.later and not text and any(change.place == stays.place for change in self._did)

    def _blame(
        self, failed: dict[str, str], keys: Mapping[str, int], about: Located, reason: str
    ) -> None:
        suspicions: tuple[Callable[[str], bool], ...] = (
            lambda key: self.known[key].shape == about.shape and self._same_slide(key, about),
            lambda key: self._same_slide(key, about),
        )
        for key in blamed(keys, suspicions):
            failed.setdefault(key, f"{_words(self.known[key])}: {reason}")

    def _same_slide(self, key: str, about: Located) -> bool:
        return self.known[key].slide == about.slide

    def _why_left(self, one: Located) -> str:
        """Why a change is still there; empty if it is gone."""
        touched = [other for other in self._stay
                   if other.slide == one.slide and other.shape == one.shape]  # fmt: skip
        again = [other for other in touched if other.place == one.place]
        if not self._still[one.place] and self._undid(one, again=bool(again)):
            return ""
        if self.later and touched:
            return f"it was changed again since: {clause((again or touched)[0].change)}"
        if one.slide is not None and not is_of_list(one.change) and one.slide not in self.new.parts:
            return "its slide is gone"
        if is_of_list(one.change):
            return "slides were added, removed or moved besides; take those back, too"
        if touched and one.shape:
            return f"it goes only together with: {clause(touched[0].change)}"
        if one.change.slide is None:
            return "it is of the deck as a whole, in a part with other changes"
        return "the slide before has nothing to put in its place"

    def _copies(self, back: Located) -> list[str]:
        """A line if text that was added since has copied a style which went back, and keeps it."""
        grew = any(
            later.change.kind in ("text", "table")
            and (later.slide, later.shape) == (back.slide, back.shape)
            for later in self.since
        )
        if not grew or back.change.kind != "style" or self._made is None:
            return []
        with Package.open(self._made) as package:
            copied = _uses(package, back) > _uses(self.old.package, back)
        return [f"{_words(back)}: what was added since keeps it"] if copied else []

    def _undid(self, one: Located, *, again: bool) -> bool:
        """Whether something was done about a change: if it was made ``again``, at its place."""
        return any(
            done.place == one.place or (
                not again and (done.slide, done.shape) == (one.slide, one.shape)
            ) or (is_of_list(one.change) and is_of_list(done.change))
            for done in self._did
        )  # fmt: skip


def _uses(package: Package, change: Located) -> int:
    """How often the shape of a change of style has its new value; 0 for no such shape."""
    keys = tuple(change.change.property.split("."))
    numbers = [entry.number for entry in slide_entries(package) if entry.part == change.slide]
    slides = snapshot(package, slides=numbers)["slides"] if numbers else []
    return sum(
        _count(shape, keys, change.change.new)
        for slide in slides
        for shape in slide["shapes"]
        if shape["id"] == change.shape
    )


def _count(value: object, keys: tuple[str, ...], wanted: object) -> int:
    """How often ``wanted`` lies below nested ``keys`` anywhere in plain JSON.

    >>> _count([{"font": {"size": 9}}, {"runs": [{"font": {"size": 9}}]}], ("font", "size"), 9)
    2
    """
    if isinstance(value, list):
        return sum(_count(item, keys, wanted) for item in value)
    if not isinstance(value, dict):
        return 0
    held: object = value
    for key in keys:
        held = held.get(key) if isinstance(held, dict) else None
    return (held == wanted) + sum(_count(item, keys, wanted) for item in value.values())


def _words(one: Located) -> str:
    return sentence(one.change).removesuffix(".")


def _split(now: Iterable[Located], expected: Counter[Place]) -> tuple[list[Located], list[Located]]:
    """The changes that are expected, and all others."""
    left, stay, others = Counter(expected), list[Located](), list[Located]()
    for change in now:
        (stay if left[change.place] > 0 else others).append(change)
        left[change.place] -= 1
    return stay, others


_FAULT_ROUNDS = 4
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
        settled = settle(
            dict.fromkeys(range(len(seen.unplanned)), 1), work.tried, rounds=_FAULT_ROUNDS
        )
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
            back = [change for change in now.unplanned if self._named(now, change) not in stay]
            if stage == "slides":
                back = [change for change in back if is_of_list(change)]
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
        keys = [keyed.key for keyed in known if keyed.change in back]
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
        for finding in now.faults:
            key = finding.rule, self._older(now, finding.slide), finding.shape
            known[key] -= 1
            if known[key] < 0:
                yield finding

    def _suspicions(self, now: Verification, fault: Finding) -> tuple[Callable[[int], bool], ...]:
        """Tests of which change put back may have caused a fault: by shape, then by slide."""
        slide, changes = self._older(now, fault.slide), self.seen.unplanned

        def of_slide(at: int) -> bool:
            return self._older(self.seen, changes[at].slide) == slide

        def of_shape(at: int) -> bool:
            id = shape_id(changes[at])
            return of_slide(at) and id > 0 and (fault.shape or "").endswith(f"(id {id})")

        return of_shape, of_slide
