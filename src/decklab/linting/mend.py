"""Fixes applied to a copy of a deck, each checked: its finding is gone, and nothing else changed.

A fix that does not hold is taken back: lint still finds what it should remove, it brings a finding
that was not there, or the decks differ in something that no fix is meant to change.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from decklab.core.errors import RenderError
from decklab.core.files import check_file, scratch_folder, write_output
from decklab.core.naming import labelled_id
from decklab.core.results import Finding
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import sentence
from decklab.editing.finding import EditError
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.verify import CannotMake, Complaint, settle
from decklab.linting.drawn import page_of
from decklab.linting.fix_kinds import (
    Fix,
    Repeated,
    languages_by_use,
    missing_alt_texts,
    missing_title,
    near_misses,
    overflowing,
    pale_lines,
    pale_texts,
    repeated_pictures,
    repeated_titles,
    title_words,
    unmarked_languages,
    wrong_languages,
)
from decklab.linting.lint import lint_findings, without_repeats
from decklab.linting.project import LintOptions
from decklab.linting.rules.accessibility import LANGUAGE, MISSING_ALT_TEXT
from decklab.linting.rules.legibility import CONTRAST_LOW
from decklab.linting.rules.overflow import TEXT_OVERFLOW
from decklab.linting.rules.page import DrawnSlide, Page, match_page, stand_ins
from decklab.linting.rules.placement import SHAPE_DRIFT
from decklab.linting.rules.rule import RuleLimits
from decklab.linting.rules.titles import (
    DUPLICATE_SLIDE_TITLE,
    MISSING_SLIDE_TITLE,
    TITLE_FONT,
    TITLE_POSITION,
    TITLE_SIZE,
)
from decklab.linting.settings import ignored_by
from decklab.ooxml.package import Package
from decklab.rendering.font_report import FontReport, font_report
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

FIXES: Final[Mapping[str, Callable[..., Iterable[Fix]]]] = {
    MISSING_SLIDE_TITLE.id: missing_title,
    MISSING_ALT_TEXT.id: missing_alt_texts,
    LANGUAGE.id: wrong_languages,
    SHAPE_DRIFT.id: near_misses,
    CONTRAST_LOW.id: pale_texts,
    TEXT_OVERFLOW.id: overflowing,
    DUPLICATE_SLIDE_TITLE.id: repeated_titles,
}
"""The maker of a rule's fixes by its id, in the order in which fixes are made: words are added
last, as other fixes find runs by their words."""
FIXABLE: Final = tuple(FIXES)
"""Ids of the rules that have a fix, in that order."""

WHOLE_DECK: Final = 0
"""Stands for a slide's number in what is about the deck as a whole."""
_OF_DECK = frozenset(
    (DUPLICATE_SLIDE_TITLE.id, LANGUAGE.id, TITLE_POSITION.id, TITLE_SIZE.id, TITLE_FONT.id)
)
_SCHEME = {"text": "tx", "background": "bg", "accent": "accent"}
_THEME_NAMES = (
    "text1", "text2", "background1", "background2",
    "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
)  # fmt: skip


@dataclass(frozen=True)
class Checks:
    """Which rules are applied, with which thresholds and languages."""

    rules: Collection[str]
    limits: RuleLimits
    heed_deck: bool


@dataclass(frozen=True)
class Survey:
    """The findings of lint on each slide by itself."""

    amounts: Mapping[tuple[str, int], float]
    """How many findings, or things that they count, by rule and slide; see ``WHOLE_DECK``."""
    shapes: frozenset[tuple[str, int, str]]
    """The shapes that findings name, by rule and slide."""
    pale: Mapping[tuple[int, int], int]
    """How many lines stand out too little, by slide and shape."""
    fixes: tuple[Fix, ...]
    drawn: bool
    """Whether the slides were drawn; fixes of what is seen need that."""


def survey(path: Path, checks: Checks, renderer: Renderer, *, planned: bool) -> Survey:
    """Lint each slide of a deck by itself, and plan fixes where ``planned``.

    Causes that slides share are found on each of them. Raises DeckError where it cannot be read.
    """
    with Package.open(path) as package, ExitStack() as stack:
        deck = read_elements(package)
        seen = _Slides(deck, checks)
        try:
            drawn = stack.enter_context(
                open_rendered(path, renderer=renderer, ocr=False, deadly="left out")
            )
            fonts: FontReport | None = font_report(package, renderer)
            pages: Iterator[Page] = map(page_of, drawn)
        except RenderError:
            fonts, pages = None, iter(())
        amounts: Counter[tuple[str, int]] = Counter()
        shapes: set[tuple[str, int, str]] = set()
        pale: dict[tuple[int, int], int] = {}
        fixes: list[Fix] = []
        slides = {slide.number: slide for slide in deck.slides}
        for page in pages:
            if (slide := slides.pop(page.number, None)) is not None:
                findings = seen.findings(slide, page, fonts)
                amounts.update(_amounts(findings, slide.number))
                shapes |= _named(findings, slide.number)
                faint = any(finding.rule == CONTRAST_LOW.id for finding in findings)
                if not (planned or faint):
                    continue
                view = seen.view(slide, page, fonts)
                if faint:
                    lines = pale_lines(view)
                    pale |= {(slide.number, shape): count for shape, count in lines.items()}
                fixes += seen.fixes(slide, view, findings) if planned else []
        for slide in slides.values():  # not drawn
            findings = seen.findings(slide, None, None)
            amounts.update(_amounts(findings, slide.number))
            shapes |= _named(findings, slide.number)
            fixes += seen.fixes(slide, seen.view(slide), findings) if planned else []
        whole = [item for item in seen.deck_findings() if item.rule in _OF_DECK]
        amounts.update(_amounts(whole, WHOLE_DECK))
        fixes += seen.deck_fixes(whole) if planned else []
    ordered = sorted(fixes, key=lambda fix: (FIXABLE.index(fix.rule), fix.slide))
    return Survey(amounts, frozenset(shapes), pale, tuple(ordered), fonts is not None)


def _named(findings: Sequence[Finding], slide: int) -> set[tuple[str, int, str]]:
    return {(item.rule, slide, item.shape) for item in findings if item.shape is not None}


def _amounts(findings: Sequence[Finding], slide: int) -> Counter[tuple[str, int]]:
    amounts: Counter[tuple[str, int]] = Counter()
    for finding in findings:
        counted = finding.threshold == 0 and finding.measured is not None
        amounts[finding.rule, slide] += int(finding.measured or 1) if counted else 1
    return amounts


class _Slides:
    """The slides of one deck, each linted as if it were alone."""

    def __init__(self, deck: DeckElements, checks: Checks) -> None:
        self._deck, self._checks = deck, checks
        self._ignored = ignored_by(deck) if checks.heed_deck else None
        self._repeated: Repeated = repeated_pictures(deck)
        self._used = languages_by_use(text for slide in deck.slides for text in slide.texts)
        self._titles = title_words(deck)

    def findings(
        self, slide: SlideElements, page: Page | None, fonts: FontReport | None
    ) -> list[Finding]:
        alone = self._deck.model_copy(update={"slides": (slide,), "problems": ()})
        pages = [] if page is None else [page]
        all_findings = lint_findings(alone, pages, fonts, self._checks.limits)
        return self._wanted(without_repeats(all_findings))

    def deck_findings(self) -> list[Finding]:
        return self._wanted(lint_findings(self._deck, (), None, self._checks.limits))

    def _wanted(self, findings: Sequence[Finding]) -> list[Finding]:
        wanted = [item for item in findings if item.rule in self._checks.rules]
        return wanted if self._ignored is None else self._ignored.split(wanted)[0]

    def view(
        self, slide: SlideElements, page: Page | None = None, fonts: FontReport | None = None
    ) -> DrawnSlide:
        """A slide with its drawing."""
        sheets = [sheet for sheet in self._deck.layouts if sheet.part == slide.layout_part]
        behind = sheets if slide.shows_master else ()
        replaced = stand_ins(fonts.replaced) if fonts else {}
        page = page or Page(slide.number, ())
        return match_page(slide, page, behind, replaced, self._checks.limits)

    def fixes(
        self, slide: SlideElements, view: DrawnSlide, findings: Sequence[Finding]
    ) -> Iterator[Fix]:
        rules = {finding.rule for finding in findings}
        if MISSING_SLIDE_TITLE.id in rules:
            yield from missing_title(slide, self._titles)
        if MISSING_ALT_TEXT.id in rules:
            yield from missing_alt_texts(slide, self._repeated)
        if LANGUAGE.id in rules:
            yield from wrong_languages(slide, self._checks.limits.languages, self._used)
        if SHAPE_DRIFT.id in rules:
            yield from near_misses(view)
        if CONTRAST_LOW.id in rules:
            yield from pale_texts(view, theme_colors(self._deck, slide))
        if TEXT_OVERFLOW.id in rules:
            yield from overflowing(view, findings)

    def deck_fixes(self, findings: Sequence[Finding]) -> Iterator[Fix]:
        rules = {finding.rule for finding in findings}
        if DUPLICATE_SLIDE_TITLE.id in rules:
            yield from repeated_titles(self._deck)
        if LANGUAGE.id in rules:
            yield from unmarked_languages(self._deck, self._checks.limits.languages)


def theme_colors(deck: DeckElements, slide: SlideElements) -> dict[str, str]:
    """The colours of a slide's theme as ``#RRGGBB``, by the names that operations have for them."""
    layout = next((item for item in deck.layouts if item.part == slide.layout_part), None)
    master = next((item for item in deck.masters if layout and item.part == layout.parent), None)
    if (theme := next((item for item in deck.themes if item.name == slide.theme), None)) is None:
        return {}
    mapped: dict[str, str] = {}
    for sheet in filter(None, (master, layout, slide)):
        mapped |= sheet.color_map
    colors = {}
    for name in _THEME_NAMES:
        scheme = _SCHEME[name[:-1]] + name[-1]
        if color := theme.colors.get(mapped.get(scheme, scheme)):
            colors[name] = color
    return colors


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
    """The fixes of one deck: those that hold, and those that were taken back."""

    deck: str
    fixed: tuple[Fix, ...]
    taken_back: tuple[TakenBack, ...]
    before: Mapping[str, int]
    """How many findings, or things that they count, there were slide by slide, by rule; of rules
    that have a fix."""
    left: Mapping[str, int]
    """How many of them there are still."""
    changes: DeckDiff = field(default_factory=DeckDiff)
    """All that differs between the deck and its fixed copy."""
    content: bytes | None = field(default=None, repr=False)
    """The fixed deck; None if nothing was fixed."""
    drawn: bool = True
    """Whether the slides were drawn; without that, what is seen cannot be fixed."""


def fix_deck(
    deck: str | Path,
    options: LintOptions,
    renderer: Renderer | None = None,
    *,
    chosen: Callable[[Fix], bool] = lambda _fix: True,
) -> MendedDeck:
    """Fix what lint finds in a deck and can be fixed safely; its file is only read.

    Rules, thresholds and languages are those of the project and the options; a baseline is not
    heeded. Of all fixes those that are ``chosen`` are made, and checked by all the rules. Raises
    DeckError where the deck cannot be read or opened for editing.
    """
    path = Path(deck)
    checks = Checks(options.rules_for(path), options.settings_for(path).limits, options.heed_deck)
    with (renderer or Renderer()).started(own_cache=True) as started, scratch_folder("fix") as room:
        before = survey(path, checks, started, planned=True)
        before = replace(before, fixes=tuple(filter(chosen, before.fixes)))
        return _Mending(path, room, checks, started, before).run()


def write_fixed(
    mended: MendedDeck, out: str | Path, *, in_place: bool = False, force: bool = False
) -> None:
    """Write a fixed deck, whole or not at all; nothing is written where nothing was fixed.

    Raises OSError where it cannot be written or ``out`` is the deck itself, which ``in_place``
    allows, and NameTaken where it is another file, which ``force`` allows. A file that is
    replaced is copied first to one beside it.
    """
    check_file(out, inputs=() if in_place else [mended.deck], force=force or in_place)
    if mended.content is not None:
        write_output(out, mended.content, force=force or in_place)


class _Mending:
    """Applies the fixes of one deck, and takes back what does not hold."""

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
        ways = {n: len(fix.ways) for n, fix in enumerate(fixes)}
        settled = settle(ways, self._tried, rounds=ROUNDS)
        after, changes, copy = (
            self._made if settled.kept and self._made else (self._before, DeckDiff(), None)
        )
        return MendedDeck(
            deck=str(self._path),
            fixed=tuple(fixes[n] for n in settled.kept),
            taken_back=tuple(TakenBack(fixes[n], why) for n, why in settled.undone.items()),
            before=_by_rule(self._before.amounts),
            left=_by_rule(after.amounts),
            changes=changes,
            content=None if copy is None else copy.read_bytes(),
            drawn=self._before.drawn,
        )

    def _tried(self, way: Mapping[int, int]) -> Iterator[Complaint[int]]:
        """Make the fixes that are left; gives what is wrong then."""
        prs, index, self._way = opened(self._path), 0, way
        try:
            for index, number in way.items():
                self._before.fixes[index].ways[number](prs)
        except (EditError, *PPTX_ERRORS) as error:  # EditError is a ValueError with a reason
            reason = str(error) if isinstance(error, EditError) else type(error).__name__
            raise CannotMake(index, f"it cannot be made: {reason}") from error
        copy = saved(prs, self._room / f"{next(self._number)}{self._path.suffix}")
        changes = _diff(self._path, copy)
        after = survey(copy, self._checks, self._renderer, planned=False)
        self._made = after, changes, copy
        return self._wrong(changes, after)

    def _wrong(self, changes: DeckDiff, after: Survey) -> Iterator[Complaint[int]]:
        """Faults of the fixed copy, and the fixes that caused them."""
        for change in changes.edits:
            if not any(self._before.fixes[index].explains(change) for index in self._way):
                yield self._about(_makers(change), f"it changed more: {sentence(change)}")
        promised: defaultdict[tuple[str, int], float] = defaultdict(float)
        for index in self._way:
            fix = self._before.fixes[index]
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
        for index in self._way:
            if (fix := self._before.fixes[index]).pale and fix.shape is not None:
                promised[fix.slide, fix.shape] += fix.pale
        was, now = self._before.pale, after.pale
        return [key for key in promised if was.get(key, 0) - now.get(key, 0) < promised[key]]

    def _about(self, suspicions: Iterable[Suspicion], reason: str) -> Complaint[int]:
        fixes = self._before.fixes
        return Complaint(reason, [partial(_is_suspect, fixes, fits) for fits in suspicions])


def _is_suspect(fixes: Sequence[Fix], suspicion: Suspicion, index: int) -> bool:
    return suspicion(fixes[index])


def _paints(key: tuple[int, int], fix: Fix) -> bool:
    return fix.pale > 0 and (fix.slide, fix.shape) == key


def _still_found(key: tuple[str, int], after: Survey) -> Iterator[Suspicion]:
    """Which fixes did not remove their finding: those of its shapes, then of its slide."""
    ids = {labelled_id(name) for rule, slide, name in after.shapes if (rule, slide) == key}
    yield lambda fix: _key(fix) == key and fix.shape in ids
    yield lambda fix: _key(fix) == key


def _makers(change: Change) -> Iterator[Suspicion]:
    """Which fixes may have made a change: those of its shape, then those of its slide."""
    shape = change.element.id if change.element else None
    yield lambda fix: change.slide in fix.slides and fix.shape == shape
    yield lambda fix: change.slide in fix.slides


def _bringers(rule: str, slide: int) -> Iterator[Suspicion]:
    """Which fixes may have brought a finding: of its kind, then seen ones, then all there."""
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
        rule: int(sum(amount for (id, _slide), amount in amounts.items() if id == rule))
        for rule in FIXABLE
    }


def _diff(before: Path, after: Path) -> DeckDiff:
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new)
