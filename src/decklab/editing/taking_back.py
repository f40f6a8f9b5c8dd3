"""Changes of an edited deck taken back; all others stay, which is looked up afterwards.

``take_back`` takes single changes back, from the deck that they made or from a later one that was
made from it: then what changed since stays too, and a change that something touched again since is
left and named. ``put_back`` takes back what an edit changed though nobody asked for it. Its result
is verified like every edited deck, drawn if slides can be drawn: a change whose return would bring
a fault stays, and says so.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import count
from operator import attrgetter, eq
from pathlib import Path

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.core.naming import labelled_id
from decklab.core.results import Finding
from decklab.deck.views.snapshot import snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import clause, sentence
from decklab.editing.plan import Plan
from decklab.editing.undoing import Located, Place, Undoing, is_of_list
from decklab.editing.verify import (
    Complaint,
    OriginalDeck,
    Verification,
    beyond,
    new_problems,
    settle,
    verify,
)
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.rendering.renderer import Renderer

Check = Callable[[Path, Mapping[str, Located]], Iterable[Complaint[str]]]
"""Faults of a deck from which changes, by their keys, were taken back."""
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
    check: Check | None = None,
) -> TakeBackResult:
    """Write to ``out`` the deck ``after`` without some of its changes from ``before``.

    ``keys`` are those of ``keyed_changes``. A slide that was added or removed goes or comes back
    with all that is on it. With ``onto``, a later deck, that one is written without these changes,
    and with all that changed since ``after``. The result is compared: every other change is still
    there, and none came; then ``check`` says what else is wrong with it, and the changes to blame
    stay. Raises CannotTakeBack, with nothing written, if that cannot be had for any of the changes
    or, unless the result is but a step and need not be ``sound``, has new errors of validity;
    DeckError if a deck cannot be read, OSError if ``out`` cannot be written.
    """
    with scratch_folder("take-back") as folder, ExitStack() as stack:
        old, middle, new = (
            stack.enter_context(Package.open(deck)) for deck in (before, after, onto or after)
        )
        target = folder / f"made{Path(after).suffix}"
        work = _TakingBack(old, middle, new, target, check, later=onto is not None)
        taken, made = work.without(keys)
        with Package.open(made) as package:
            problems = sound and new_problems(validate(new), validate(package))
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
        at = (was, added, change.kind, change.property, *named, change.path)
        said = repr((at, change.old, change.new))
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
        located = []
        for change in diff.edits:
            slides = (self if _is(change, "removed") else newer).slides
            slide = None if change.slide is None else slides[change.slide - 1]
            located.append(Located(change, slide))
        return located


class _TakingBack:
    """Takes changes that led from ``old`` to ``middle`` back from ``new``."""

    def __init__(
        self, old: Package, middle: Package, new: Package, target: Path, check: Check | None,
        *, later: bool,
    ) -> None:  # fmt: skip
        diff = _diff(old, middle)
        self.old = _Deck.first(old)
        self.middle = self.old.next(middle, diff)
        self.new, self.since = self.middle, list[Located]()
        if later:
            further = _diff(middle, new)
            self.new = self.middle.next(new, further)
            self.since = self.middle.located(further, self.new)
        self.later, self.target, self.check = later, target, check
        located = self.old.located(diff, self.middle)
        keys = (item.key for item in _keyed(old, middle, diff))
        self.known = dict(zip(keys, located, strict=True))
        self._numbers = count()
        self._made: Path | None = None
        self._did: list[Located] = []
        """Changes that the last trial made in ``new``."""
        self._still: Counter[Place] = Counter()
        """Changes besides those that have to stay, counted by place."""
        self._stay: Sequence[Located] = ()

    def without(self, keys: Collection[str]) -> tuple[TakeBackResult, Path]:
        """The deck without the changes of some keys, and the result in words."""
        known = (self.known[key] for key in keys if key in self.known)
        added = {located.slide for located in known if _is(located.change, "added")}
        chosen = {key: 1 for key, at in self.known.items() if key in keys or at.slide in added}
        if not chosen:
            raise CannotTakeBack("these changes are not there")
        settled = settle(chosen, self._tried, rounds=_ROUNDS)
        gone = []
        left = [f"{_words(self.known[key])}: {why}" for key, why in settled.undone.items()]
        for key in settled.kept:
            if reason := self._why_left(self.known[key]):
                left.append(f"{_words(self.known[key])}: {reason}")
            else:
                gone.append(sentence(self.known[key].change))
                left += self._copies(self.known[key])
        if not gone or self._made is None:
            raise CannotTakeBack("; ".join(dict.fromkeys(left)))
        slides = {change.change.slide for change in self._did if not _is(change.change, "removed")}
        shown = tuple(sorted(slide for slide in slides if slide is not None))
        return TakeBackResult(tuple(gone), tuple(dict.fromkeys(left)), shown), self._made

    def _tried(self, keys: Mapping[str, int]) -> Iterator[Complaint[str]]:
        """Take the changes of some keys back; what is wrong then."""
        chosen = {key: self.known[key] for key in keys}
        others = [change for key, change in self.known.items() if key not in keys]
        wrong = False
        for complaint in self._taken_back(chosen, others):
            wrong = True
            yield complaint
        if self.check and self._made and not wrong:
            yield from self.check(self._made, chosen)

    def _taken_back(
        self, keyed: Mapping[str, Located], others: Sequence[Located]
    ) -> Iterator[Complaint[str]]:
        """Undo some changes in the newest deck, and compare."""
        chosen = list(keyed.values())
        if not self.later:
            yield from self._compared(keyed, self.old, None, chosen, others)
        elif not others:
            yield from self._compared(keyed, self.old, self.middle, chosen, self.since)
        elif (path := self._undone(self.old, self.middle, None, chosen, others)) is None:
            yield Complaint(_MIXED)
        else:
            with Package.open(path) as package:  # differs from the middle in what was chosen alone
                diff = _diff(package, self.middle.package)
                slides = self.old.next(package, _diff(self.old.package, package)).slides
                pairs = diff.slides.pairs(len(slides), len(self.middle.slides))
                names = {was: self.middle.slides[now - 1] for was, now in pairs}
                named = tuple(names.get(number, name) for number, name in enumerate(slides, 1))
                old = _Deck(package, named)
                located = old.located(diff, self.middle)
                yield from self._compared(keyed, old, self.middle, located, self.since)

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
                target = self.target.with_stem(f"{next(self._numbers)}")
                parts, later = (old.parts, new.parts), (base.package, base.parts) if base else ()
                undoing = Undoing(old.package, Draft(package), *parts, chosen, stay, *later)
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
        keyed: Mapping[str, Located],
        old: _Deck,
        base: _Deck | None,
        chosen: Sequence[Located],
        stay: Sequence[Located],
    ) -> Iterator[Complaint[str]]:
        """Undo what was chosen, and compare."""
        self._made = self._undone(old, self.new, base, chosen, stay)
        with ExitStack() as stack:
            package = self.new.package
            if self._made is not None:
                package = stack.enter_context(Package.open(self._made))
            now, _made = self._now(old, self.new, package)
        asked, kept = (Counter(change.place for change in side) for side in (chosen, stay))
        here = Counter(change.place for change in now)
        self._still, self._stay = here - kept, stay
        more, lost = self._still - asked, kept - here
        for change in now:
            if more[change.place]:
                yield _about(keyed, change, "more would change")
        also = "it was changed again since" if self.later else "another change would go, too"
        for change in stay:
            if lost[change.place] or self._altered(change, asked):
                yield _about(keyed, change, also)
        done = {change.place for change in self._did}
        for key, change in keyed.items():
            if self.later and self._still[change.place] and change.place in done:  # half is gone
                yield Complaint(self._why_left(change), [partial(eq, key)])

    def _altered(self, stays: Located, asked: Counter[Place]) -> bool:
        """Whether a change that stays has another value now; texts are merged line by line."""
        text = stays.change.kind == "text" and asked[stays.place] > 0
        return self.later and not text and any(change.place == stays.place for change in self._did)

    def _why_left(self, change: Located) -> str:
        """Why a change is still there; empty if it is gone."""
        ends = change.slide, change.shape
        touched = [other for other in self._stay if (other.slide, other.shape) == ends]
        again = [other for other in touched if other.place == change.place]
        if not self._still[change.place] and self._undid(change, again=bool(again)):
            return ""
        if self.later and touched:
            return f"it was changed again since: {clause((again or touched)[0].change)}"
        if is_of_list(change.change):
            return "slides were added, removed or moved besides; take those back, too"
        if change.slide is not None and change.slide not in self.new.parts:
            return "its slide is gone"
        if touched and change.shape:
            return f"it goes only together with: {clause(touched[0].change)}"
        if change.change.slide is None:
            return "it is of the deck as a whole, in a part with other changes"
        return "the slide before has nothing to put in its place"

    def _copies(self, back: Located) -> list[str]:
        """A line if text that was added since has copied a style which went back, and keeps it."""
        texts = (later for later in self.since if later.change.kind in ("text", "table"))
        grew = (back.slide, back.shape) in ((later.slide, later.shape) for later in texts)
        if not grew or back.change.kind != "style" or self._made is None:
            return []
        with Package.open(self._made) as package:
            copied = _uses(package, back) > _uses(self.old.package, back)
        return [f"{_words(back)}: what was added since keeps it"] if copied else []

    def _undid(self, change: Located, *, again: bool) -> bool:
        """Whether something was done about a change: if it was made ``again``, at its place."""
        return any(
            done.place == change.place
            or (not again and (done.slide, done.shape) == (change.slide, change.shape))
            or (is_of_list(change.change) and is_of_list(done.change))
            for done in self._did
        )


def _about(keyed: Mapping[str, Located], about: Located, what: str) -> Complaint[str]:
    """A complaint about a change, for which those of its shape are to blame, or of its slide."""
    blamed = (
        lambda key: (keyed[key].slide, keyed[key].shape) == (about.slide, about.shape),
        lambda key: keyed[key].slide == about.slide,
    )
    return Complaint(f"{what}: {sentence(about.change)}", blamed)


def _uses(package: Package, change: Located) -> int:
    """How often the shape of a change of style has its new value; 0 for no such shape."""
    keys = tuple(change.change.property.split("."))
    numbers = [entry.number for entry in slide_entries(package) if entry.part == change.slide]
    slides = snapshot(package, slides=numbers)["slides"] if numbers else []
    shapes = (it for slide in slides for it in slide["shapes"] if it["id"] == change.shape)
    return sum(_count(shape, keys, change.change.new) for shape in shapes)


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


def _words(change: Located) -> str:
    return sentence(change.change).removesuffix(".")


def _split(now: Iterable[Located], expected: Counter[Place]) -> tuple[list[Located], list[Located]]:
    """The changes that are expected, and all others."""
    changes = list(now)
    others = beyond(changes, expected, attrgetter("place"))
    more = set(map(id, others))
    return [change for change in changes if id(change) not in more], others


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
        work = _PuttingBack(original, edited, seen, plan, renderer)
        work.put_back(folder / f"slides{edited.suffix}", is_of_list, sound=False)
        # The plan names slides by their numbers in its deck, which all have now.
        work.put_back(folder / f"all{edited.suffix}", lambda _change: True, sound=True)
        now = work.now
        if work.made == edited or now.rank <= seen.rank or not now.planned:
            return None
        write_whole(out, work.made.read_bytes())
    left = Counter(map(clause, now.diff.edits)) - Counter(map(clause, seen.planned))
    # Slides may have other numbers now: changes are known by the rest of their words.
    gone = map(sentence, beyond(seen.unplanned, left, clause))
    return PutBack(now, tuple(dict.fromkeys(gone)), work.left)


@dataclass
class _PuttingBack:
    """Puts unplanned changes of an edited deck back, and looks for faults which that brings."""

    original: OriginalDeck
    edited: Path
    seen: Verification
    plan: Plan
    renderer: Renderer | None

    def __post_init__(self) -> None:
        self.made, self.now, self.left = self.edited, self.seen, tuple[str, ...]()

    def put_back(self, target: Path, chosen: Callable[[Change], bool], *, sound: bool) -> None:
        """Take the unplanned changes that are ``chosen`` back, in ``target``."""
        edited, back = self.made, [change for change in self.now.unplanned if chosen(change)]
        known = keyed_changes(self.original.path, edited) if back else ()
        keys = [item.key for item in known if item.change in back]
        reasons = set[str]()
        verified = [self.now]

        def check(deck: Path, changes: Mapping[str, Located]) -> Iterator[Complaint[str]]:
            verified.append(self._verified(deck))
            for complaint in self._brought(verified[-1], changes):
                reasons.add(complaint.reason)
                yield complaint

        try:
            taken = take_back(self.original.path, edited, keys, target, sound=sound, check=check)
        except CannotTakeBack:
            return
        self.made, self.now = target, verified[-1]
        self.left += tuple(line for line in taken.left if line.endswith(tuple(reasons)))

    def _verified(self, deck: Path) -> Verification:
        drawn = self.renderer is not None
        return verify(self.original, deck, self.plan, renderer=self.renderer, draw=drawn)

    def _brought(
        self, now: Verification, changes: Mapping[str, Located]
    ) -> Iterator[Complaint[str]]:
        """Complaints about the faults that the edited deck did not have."""
        known = Counter(self._key(self.seen, fault) for fault in self.seen.faults)
        for fault in beyond(now.faults, known, partial(self._key, now)):
            slide = self._older(now, fault.slide)
            numbers = {key: self._older(self.now, at.change.slide) for key, at in changes.items()}
            here = {key for key, number in numbers.items() if number == slide}
            id = labelled_id(fault.shape or "")
            of_shape = {key for key in here if changes[key].shape and changes[key].shape == id}
            reason = f"putting it back would bring a fault: {fault.message}"
            yield Complaint(reason, (of_shape.__contains__, here.__contains__))

    def _key(self, seen: Verification, fault: Finding) -> tuple[object, ...]:
        return fault.rule, self._older(seen, fault.slide), fault.shape

    def _older(self, seen: Verification, slide: int | None) -> int | str | None:
        """Key of a slide of an edited deck, whatever its number there."""
        before, moves = len(self.original.elements.slides), seen.diff.slides
        after = before + len(moves.added) - len(moves.removed)
        known = {new: old for old, new in moves.pairs(before, after)}
        return None if slide is None else known.get(slide, f"new {slide}")
