"""Fixes applied to a copy of a deck, each checked: its finding is gone, and nothing else changed.

A fix that does not hold is taken back: lint still finds what it should remove, it brings a finding
that was not there, or the decks differ in something that no fix is meant to change.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from decklab.core.files import check_file, scratch_folder, write_output
from decklab.core.naming import labelled_id
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import sentence
from decklab.editing.finding import EditError
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.verify import CannotMake, Complaint, settle
from decklab.linting.fixes.fix import Fix
from decklab.linting.fixes.survey import FIXABLE, WHOLE_DECK, Checks, Survey, survey
from decklab.linting.project import LintOptions
from decklab.linting.rules.accessibility import LANGUAGE
from decklab.linting.rules.alt_text import MISSING_ALT_TEXT
from decklab.linting.rules.titles import DUPLICATE_SLIDE_TITLE, MISSING_SLIDE_TITLE
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer

ROUNDS = 8
"""Ours: how often fixes are applied and checked, at most; the last way of a fix is the fifth."""

Suspicion = Callable[[Fix], bool]
"""Whether a fix may be at fault."""
_OF_WORDS = frozenset({"accessibility", "title", "placeholder"})
"""Groups of rules that look at what is written, and not at how it is drawn."""
_TITLES = frozenset({MISSING_SLIDE_TITLE.id, DUPLICATE_SLIDE_TITLE.id})
_UNSEEN = frozenset({MISSING_ALT_TEXT.id, LANGUAGE.id})
"""Rules whose fixes nobody sees on the slide."""


@dataclass(frozen=True)
class TakenBack:
    """A fix that did not hold, and why."""

    fix: Fix
    reason: str


@dataclass(frozen=True)
class MendedDeck:
    """What became of the fixes of one deck."""

    deck: str
    fixed: tuple[Fix, ...]
    taken_back: tuple[TakenBack, ...]
    found: Mapping[str, int]
    """How many findings, or things that they count, there were slide by slide, by rule; of rules
    that have a fix."""
    left: Mapping[str, int]
    """How many of them there are still."""
    changes: DeckDiff = field(default_factory=DeckDiff)
    """All that differs between the deck and its fixed copy."""
    content: bytes | None = field(default=None, repr=False)
    """The fixed deck; None where nothing was fixed."""
    drawn: bool = True
    """Whether the slides were drawn; without that, what is seen cannot be fixed."""


def fix_deck(
    deck: str | Path, options: LintOptions, renderer: Renderer | None = None
) -> MendedDeck:
    """Fix what lint finds in a deck and can be fixed safely; its file is only read.

    Rules, thresholds and languages are those of the project and the options; a baseline is not
    heeded. Raises DeckError where the deck cannot be read or opened for editing.
    """
    path = Path(deck)
    checks = Checks(
        options.rules_for(path), options.settings_for(path).limits, options.heed_deck
    )  # fmt: skip
    with (renderer or Renderer()).started(own_cache=True) as started, scratch_folder("fix") as room:
        before = survey(path, checks, started, planned=True)
        return _Mending(path, room, checks, started, before).run()


def write_fixed(
    mended: MendedDeck, out: str | Path, *, in_place: bool = False, force: bool = False
) -> None:
    """Write a fixed deck, whole or not at all; nothing is written where nothing was fixed.

    Raises OSError where it cannot be written or ``out`` is the deck itself, which ``in_place``
    allows, and NameTaken where it is another file, which ``force`` allows. What is replaced is
    copied first to a file beside it.
    """
    check_file(out, inputs=() if in_place else [mended.deck], force=force or in_place)
    if mended.content is not None:
        write_output(out, mended.content, force=force or in_place)


class _Mending:
    """Applies the fixes of one deck, and takes back what does not hold, until all that is left
    does."""

    def __init__(
        self, path: Path, room: Path, checks: Checks, renderer: Renderer, before: Survey
    ) -> None:
        self._path, self._room, self._checks, self._renderer = path, room, checks, renderer
        self._before, self._number = before, count()
        self._way: Mapping[int, int] = {}
        """The way that each fix is tried by, by its place; fixes that were taken back are gone."""
        self._made: tuple[Survey, DeckDiff, Path] | None = None

    def run(self) -> MendedDeck:
        fixes = self._before.fixes
        ways = {place: len(fix.ways) for place, fix in enumerate(fixes)}
        settled = settle(ways, self._tried, rounds=ROUNDS)
        after, changes, copy = self._made if settled.kept and self._made else (
            self._before, DeckDiff(), None
        )  # fmt: skip
        found, left = (_by_rule(one.amounts) for one in (self._before, after))
        return MendedDeck(
            deck=str(self._path),
            fixed=tuple(fixes[place] for place in settled.kept),
            taken_back=tuple(TakenBack(fixes[one], why) for one, why in settled.undone.items()),
            found=found,
            left=left,
            changes=changes,
            content=None if copy is None else copy.read_bytes(),
            drawn=self._before.drawn,
        )

    def _tried(self, way: Mapping[int, int]) -> Iterator[Complaint[int]]:
        """Make the fixes that are left; gives what is wrong then."""
        prs, place, self._way = opened(self._path), 0, way
        try:
            for place, number in way.items():
                self._before.fixes[place].ways[number](prs)
        except (EditError, *PPTX_ERRORS) as error:  # EditError is a ValueError with a reason
            reason = str(error) if isinstance(error, EditError) else type(error).__name__
            raise CannotMake(place, f"it cannot be made: {reason}") from error
        copy = saved(prs, self._room / f"{next(self._number)}{self._path.suffix}")
        changes = _diff(self._path, copy)
        after = survey(copy, self._checks, self._renderer, planned=False)
        self._made = after, changes, copy
        return self._wrong(changes, after)

    def _wrong(self, changes: DeckDiff, after: Survey) -> Iterator[Complaint[int]]:
        """What is wrong with the fixed copy, and which fixes are to blame."""
        for change in changes.edits:
            if not any(self._before.fixes[place].explains(change) for place in self._way):
                yield self._about(_makers(change), f"it changed more: {sentence(change)}")
        promised: defaultdict[tuple[str, int], float] = defaultdict(float)
        for place in self._way:
            fix = self._before.fixes[place]
            promised[_key(fix)] += fix.removes
        for place_of_text in self._still_pale(after):
            paints = partial(_paints, place_of_text)
            yield self._about([paints], "some of its text stands out too little")
        for key in {*self._before.amounts, *after.amounts}:
            was, now = self._before.amounts.get(key, 0), after.amounts.get(key, 0)
            if key in promised and (now > was - promised[key] or now >= was):
                yield self._about(_still_found(key, after), "lint still finds it")
            elif now > was:
                yield self._about(_bringers(*key), f"it brings {key[0]}")

    def _still_pale(self, after: Survey) -> list[tuple[int, int]]:
        """The shapes, by slide and id, of which fewer lines were mended than their fixes say."""
        promised: Counter[tuple[int, int]] = Counter()
        for place in self._way:
            fix = self._before.fixes[place]
            if fix.pale and fix.shape is not None:
                promised[fix.slide, fix.shape] += fix.pale
        return [
            key
            for key, lines in promised.items()
            if self._before.pale.get(key, 0) - after.pale.get(key, 0) < lines
        ]

    def _about(self, suspicions: Iterable[Suspicion], reason: str) -> Complaint[int]:
        fixes = self._before.fixes
        return Complaint(reason, [partial(_is_suspect, fixes, fits) for fits in suspicions])


def _is_suspect(fixes: Sequence[Fix], suspicion: Suspicion, place: int) -> bool:
    return suspicion(fixes[place])


def _paints(key: tuple[int, int], fix: Fix) -> bool:
    return fix.pale > 0 and (fix.slide, fix.shape) == key


def _still_found(key: tuple[str, int], after: Survey) -> Iterator[Suspicion]:
    """Which fixes did not remove their finding: those of shapes that it names, then all of its rule
    on its slide."""
    ids = {labelled_id(name) for rule, slide, name in after.shapes if (rule, slide) == key}
    yield lambda fix: _key(fix) == key and fix.shape in ids
    yield lambda fix: _key(fix) == key


def _makers(change: Change) -> Iterator[Suspicion]:
    """Which fixes may have made a change: those of its shape, then those of its slide."""
    shape = change.element.id if change.element else None
    yield lambda fix: change.slide in fix.slides and fix.shape == shape
    yield lambda fix: change.slide in fix.slides


def _bringers(rule: str, slide: int) -> Iterator[Suspicion]:
    """Which fixes may have brought a finding: those of its kind on its slide, then those that are
    seen there, then all of the slide."""
    words = rule.split(".", maxsplit=1)[0] in _OF_WORDS

    def here(fix: Fix) -> bool:
        return slide in (WHOLE_DECK, *fix.slides)

    yield lambda fix: here(fix) and (fix.rule in _TITLES) == words and fix.rule not in _UNSEEN
    yield lambda fix: here(fix) and fix.rule not in _UNSEEN
    yield here


def _key(fix: Fix) -> tuple[str, int]:
    return fix.rule, WHOLE_DECK if fix.of_deck else fix.slide


def _by_rule(amounts: Mapping[tuple[str, int], float]) -> dict[str, int]:
    return {
        rule: int(sum(amount for (one, _slide), amount in amounts.items() if one == rule))
        for rule in FIXABLE
    }


def _diff(before: Path, after: Path) -> DeckDiff:
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new)


def unexplained(mended: MendedDeck) -> Sequence[Change]:
    """The changes of a fixed deck that none of its fixes is meant to make: there are none."""
    return [
        change
        for change in mended.changes.edits
        if not any(fix.explains(change) for fix in mended.fixed)
    ]
