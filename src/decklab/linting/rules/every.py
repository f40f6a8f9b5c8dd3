"""Every rule of lint, and all of them applied to a deck.

A new rule stands in its module, beside its check; here a line in ``LINT_RULES`` and one for its
check make it known.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from decklab.deck.model.slide import DeckElements, SlideElements, TemplateElements
from decklab.linting.rules.accessibility import (
    CAPTIONS,
    LANGUAGE,
    LINK_TEXT,
    MERGED_TABLE_CELLS,
    MISSING_TABLE_HEADERS,
    captions,
    links,
    tables,
    unmarked_language,
    wrong_language,
)
from decklab.linting.rules.alt_text import MISSING_ALT_TEXT, POOR_ALT_TEXT, deck_alt_text
from decklab.linting.rules.contrast import (
    CONTRAST_LOW,
    CONTRAST_STRONG_COLOR,
    LowContrastText,
    low_contrast,
    low_contrast_texts,
)
from decklab.linting.rules.crossings import (
    TEXT_ON_OBJECT,
    TEXT_STRUCK,
    struck_text,
    text_on_objects,
)
from decklab.linting.rules.missing import (
    PICTURE_MISSING,
    PLACEHOLDER_EMPTY,
    PLACEHOLDER_PROMPT,
    empty_placeholders,
    missing_pictures,
    prompt_text,
)
from decklab.linting.rules.overflow import (
    TEXT_OFF_SLIDE,
    TEXT_OVERFLOW,
    text_off_slide,
    text_overflow,
)
from decklab.linting.rules.overlaps import TEXT_HIDDEN, TEXT_OVERLAP, hidden_text, text_on_text
from decklab.linting.rules.page import DrawnSlide, DrawnText, Page, StandIn, match_page
from decklab.linting.rules.placement import (
    SHAPE_DRIFT,
    SHAPE_OFF_SLIDE,
    TEXT_MARGIN,
    EdgeText,
    drift,
    narrow_margins,
    nearest_text,
    off_slide,
)
from decklab.linting.rules.reading_order import READING_ORDER, wrong_order
from decklab.linting.rules.rule import Rule
from decklab.linting.rules.sizes import TEXT_SMALL, small_text
from decklab.linting.rules.titles import (
    DUPLICATE_SLIDE_TITLE,
    MISSING_SLIDE_TITLE,
    TITLE_FONT,
    TITLE_POSITION,
    TITLE_SIZE,
    duplicate_titles,
    inconsistent_titles,
    missing_titles,
    title_of,
)
from decklab.metrics.findings import Occurrence, merge_by_cause
from decklab.registry import Registry
from decklab.results import Finding

DAMAGED_PART = Rule(
    "package.damaged-part",
    "DamagedPart",
    "A part of the file cannot be read.",
    source="decklab",
    severity="error",
    threshold="any part that a slide needs",
    fix="Open the deck in its application, let it repair the file, and save it again.",
)

LINT_RULES: Final[Registry[Rule]] = Registry("lint rule")
"""Every rule of lint by its id, in the order of the documentation.

>>> LINT_RULES["contrast.low"].severity
'error'
"""

for _rule in (
    TEXT_OVERFLOW,
    TEXT_OFF_SLIDE,
    TEXT_OVERLAP,
    TEXT_HIDDEN,
    TEXT_STRUCK,
    TEXT_ON_OBJECT,
    CONTRAST_LOW,
    CONTRAST_STRONG_COLOR,
    TEXT_SMALL,
    TEXT_MARGIN,
    SHAPE_OFF_SLIDE,
    SHAPE_DRIFT,
    PICTURE_MISSING,
    PLACEHOLDER_EMPTY,
    PLACEHOLDER_PROMPT,
    TITLE_POSITION,
    TITLE_SIZE,
    TITLE_FONT,
    MISSING_ALT_TEXT,
    POOR_ALT_TEXT,
    MISSING_SLIDE_TITLE,
    DUPLICATE_SLIDE_TITLE,
    READING_ORDER,
    MISSING_TABLE_HEADERS,
    MERGED_TABLE_CELLS,
    LINK_TEXT,
    LANGUAGE,
    CAPTIONS,
    DAMAGED_PART,
):
    LINT_RULES.register(_rule.id, _rule)

# Findings on one slide stand in the order of these checks.
_DRAWN_CHECKS: tuple[Callable[[DrawnSlide], Iterator[Occurrence]], ...] = (
    missing_pictures,
    text_off_slide,
    text_overflow,
    hidden_text,
    text_on_text,
    text_on_objects,
    struck_text,
    small_text,
    off_slide,
    drift,
)
_ELEMENT_CHECKS = (missing_pictures, off_slide, drift)  # those that need no drawn text
_ACCESSIBILITY_CHECKS: tuple[Callable[[SlideElements], Iterator[Occurrence]], ...] = (
    wrong_order,
    tables,
    links,
    wrong_language,
    captions,
)


def rule_findings(
    deck: DeckElements,
    pages: Iterable[Page] = (),
    *,
    replaced_fonts: Mapping[str, StandIn] | None = None,
) -> list[Finding]:
    """What all rules say of a deck: of its layout and content, then of its accessibility.

    ``pages`` and ``replaced_fonts`` are those of ``integrity_findings``.
    """
    found = integrity_findings(deck, pages, replaced_fonts=replaced_fonts)
    return [*found, *accessibility_findings(deck)]


def problem_findings(problems: Iterable[str]) -> list[Finding]:
    """A finding for each part that could not be read."""
    return [DAMAGED_PART.finding(problem) for problem in problems]


def integrity_findings(
    deck: DeckElements,
    pages: Iterable[Page] = (),
    *,
    replaced_fonts: Mapping[str, StandIn] | None = None,
) -> list[Finding]:
    """What is wrong with the layout and content of a deck, by slide.

    ``pages`` are its slides as drawn, gone through once, so that they may be made as they are
    asked for; rules that need the drawn text are silent on slides without a page, and those that
    need the picture without one. ``replaced_fonts`` has the families, in lower case, that were
    drawn in a font of other widths: what that may have caused is
    given with less weight.
    """
    slides = {slide.number: slide for slide in deck.slides}
    sheets = {sheet.part: sheet for sheet in (*deck.layouts, *deck.masters)}
    occurrences: list[Occurrence] = []
    titles: dict[int, DrawnText] = {}
    nearest: list[EdgeText] = []
    pale: list[LowContrastText] = []
    seen: set[int] = set()
    for page in pages:
        slide = slides.get(page.number)
        if slide is None:
            continue
        seen.add(page.number)
        shows = match_page(slide, page, _behind(slide, sheets), replaced_fonts)
        occurrences += _of_view(shows)
        pale += low_contrast_texts(shows)
        titles |= _title(shows)
        near = nearest_text(shows)
        nearest += [] if near is None else [near]
    for slide in deck.slides:
        if slide.number not in seen:
            bare = match_page(slide, Page(slide.number, ()), (), replaced_fonts)
            occurrences += [one for check in _ELEMENT_CHECKS for one in check(bare)]
        occurrences += _of_slide(slide, sheets)
    occurrences += [*inconsistent_titles(deck, titles), *narrow_margins(nearest)]
    found = [*merge_by_cause(occurrences), *low_contrast(pale)]
    return sorted(found, key=lambda finding: finding.slide or 0)


def _of_view(shows: DrawnSlide) -> list[Occurrence]:
    """What is seen on a slide; of a text that runs over something only the worst."""
    found = [one for check in _DRAWN_CHECKS for one in check(shows)]
    told_by = {rule: _shapes(found, rule) for rule in ("text.overlap", "text.hidden")}
    clashing = told_by["text.overlap"] | told_by["text.hidden"]
    onto = clashing | _shapes(found, "text.on-object")
    left = {"text.overflow": onto, "text.on-object": clashing}
    return [
        item for item in found if item.finding.shape not in left.get(item.finding.rule, frozenset())
    ]


def _shapes(found: Sequence[Occurrence], rule: str) -> frozenset[str | None]:
    about = [item for item in found if item.finding.rule == rule]
    return frozenset(name for item in about for name in (item.finding.shape, item.also) if name)


def _of_slide(slide: SlideElements, sheets: dict[str, TemplateElements]) -> list[Occurrence]:
    return [*empty_placeholders(slide), *prompt_text(slide, sheets.get(slide.layout_part))]


def _behind(slide: SlideElements, sheets: dict[str, TemplateElements]) -> list[TemplateElements]:
    """The layout and master whose shapes show behind a slide's own."""
    layout = sheets.get(slide.layout_part)
    if layout is None or not slide.shows_master:
        return []
    master = sheets.get(layout.parent or "")
    return [layout] if master is None or not layout.shows_master else [layout, master]


def _title(shows: DrawnSlide) -> dict[int, DrawnText]:
    title = title_of(shows.slide)
    for drawn in shows.texts:
        if title is not None and drawn.element.id == title.id and drawn.is_whole:
            return {shows.slide.number: drawn}
    return {}


def accessibility_findings(deck: DeckElements) -> list[Finding]:
    """What readers who do not see or hear a deck would miss, by slide.

    Low contrast is not among them: it is measured in the picture.
    """
    occurrences = [*deck_alt_text(deck)]
    occurrences += [
        one for slide in deck.slides for check in _ACCESSIBILITY_CHECKS for one in check(slide)
    ]
    found = [*missing_titles(deck), *duplicate_titles(deck), *unmarked_language(deck)]
    return sorted([*found, *merge_by_cause(occurrences)], key=lambda finding: finding.slide or 0)
