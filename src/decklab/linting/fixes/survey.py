"""What lint finds on each slide by itself, and the fixes that this calls for."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.errors import RenderError
from decklab.core.results import Finding
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.linting.fixes.drawn import near_misses, overflowing, pale_lines, pale_texts
from decklab.linting.fixes.fix import Fix
from decklab.linting.fixes.texts import (
    Repeated,
    languages_by_use,
    missing_alt_texts,
    missing_title,
    repeated_pictures,
    repeated_titles,
    title_words,
    unmarked_languages,
    wrong_languages,
)
from decklab.linting.lint import lint_findings, page_of, without_repeats
from decklab.linting.rules.accessibility import LANGUAGE, MISSING_ALT_TEXT
from decklab.linting.rules.contrast import CONTRAST_LOW
from decklab.linting.rules.overflow import TEXT_OVERFLOW
from decklab.linting.rules.page import DrawnSlide, Page, match_page, stand_ins
from decklab.linting.rules.placement import SHAPE_DRIFT
from decklab.linting.rules.rule import Limits
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

FIXABLE: Final = (
    MISSING_SLIDE_TITLE.id, MISSING_ALT_TEXT.id, LANGUAGE.id, SHAPE_DRIFT.id, CONTRAST_LOW.id,
    TEXT_OVERFLOW.id, DUPLICATE_SLIDE_TITLE.id,
)  # fmt: skip
"""Ids of the rules that have a fix, in the order in which fixes are made: words
are added last, as other fixes find runs by their words."""

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
    limits: Limits
    heed_deck: bool


@dataclass(frozen=True)
class Survey:
    """What lint finds on each slide by itself."""

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
                open_rendered(
                    path, renderer=renderer, ocr=False, expected_slides=len(deck.slides),
                    deadly="left out",
                )
            )  # fmt: skip
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
            slide = slides.pop(page.number, None)
            if slide is not None:
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
        return match_page(
            slide,
            page or Page(slide.number, ()),
            sheets if slide.shows_master else (),
            stand_ins(fonts.replaced) if fonts else {},
            self._checks.limits,
        )

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
    theme = next((item for item in deck.themes if item.name == slide.theme), None)
    if theme is None:
        return {}
    mapped: dict[str, str] = {}
    for sheet in filter(None, (master, layout, slide)):
        mapped |= sheet.color_map
    colors = {}
    for name in _THEME_NAMES:
        scheme = _SCHEME[name[:-1]] + name[-1]
        color = theme.colors.get(mapped.get(scheme, scheme))
        if color:
            colors[name] = color
    return colors
