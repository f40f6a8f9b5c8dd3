"""Every rule of lint, and all of them applied to a deck.

A new rule is defined in its module, beside its check; here a line for both, and one among the
checks of a slide, register it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Final

from decklab.core.errors import ExtensionError
from decklab.core.registry import Registry, outside
from decklab.core.results import Finding, Occurrence, merge_by_cause
from decklab.deck.model.slide import DeckElements, SlideElements, TemplateElements
from decklab.linting.rules import (
    accessibility,
    alignment,
    breaks,
    crossings,
    legibility,
    looks,
    missing,
    overflow,
    overlaps,
    placement,
    reading_order,
    titles,
    written,
)
from decklab.linting.rules.page import DrawnSlide, DrawnText, Page, StandIn, match_page
from decklab.linting.rules.rule import USUAL_LIMITS, Rule, RuleLimits, label
from decklab.seen.seen_slide import SeenSlide

DAMAGED_PART = Rule(
    "package.damaged-part",
    "DamagedPart",
    "A part of the file cannot be read.",
    severity="error",
    threshold="any part that a slide needs",
    fix="Open the deck in its application, let it repair the file, and save it again.",
    why="Other programs may refuse the file, or repair it by leaving out what they cannot read.",
)

NOT_DRAWN = Rule(
    "slide.not-drawn",
    "SlideNotDrawn",
    "LibreOffice dies on the slide, or does not finish it.",
    severity="error",
    threshold="twice with the whole deck, and once without the other slides",
    fix="Look at the slide in its application; redo the shape that was made or changed last.",
    why="What stops one program may stop the next: a server that makes previews, a converter, or "
    "a viewer on a phone. Nothing that only the drawn slide shows is found on it.",
    drawn=True,
)


def problem_findings(problems: Iterable[str]) -> list[Finding]:
    """A finding for each part that could not be read."""
    return [DAMAGED_PART.finding(problem) for problem in problems]


def undrawn_findings(faults: Mapping[int, str]) -> list[Finding]:
    """A finding for each slide that has no picture, with the cause; rules that look at pictures
    find nothing on it. Such a slide may stop other programs too."""
    return [NOT_DRAWN.finding(f"Not drawn: {fault}.", number) for number, fault in faults.items()]


LINT_RULES: Final[Registry[Rule]] = Registry("lint rule", group="decklab.lint_rules", accepts=Rule)
"""Every rule of lint by its id, in the order of the documentation; those of other packages last.

>>> LINT_RULES["contrast.low"].severity
'error'
"""

CHECKS: Final[dict[str, Callable[..., Any]]] = {}
"""The check of each of our rules by its id; its docstring says what is found."""

for _rule, _check in (
    (overflow.TEXT_OVERFLOW, overflow.text_overflow),
    (overflow.TEXT_OFF_SLIDE, overflow.text_off_slide),
    (overlaps.TEXT_OVERLAP, overlaps.text_on_text),
    (overlaps.TEXT_HIDDEN, overlaps.hidden_text),
    (crossings.TEXT_STRUCK, crossings.struck_text),
    (crossings.TEXT_ON_OBJECT, crossings.text_on_objects),
    (overlaps.TEXT_TOUCHING, overlaps.touching_text),
    (crossings.TEXT_CROSSES_EDGE, crossings.crossed_edges),
    (crossings.TEXT_BUSY, crossings.busy_text),
    (breaks.TEXT_BROKEN, breaks.broken_words),
    (breaks.TEXT_ORPHAN, breaks.orphan_words),
    (breaks.TEXT_JUSTIFIED, breaks.wide_gaps),
    (looks.TEXT_GLYPHS, looks.missing_glyphs),
    (missing.TEXT_UNSEEN, missing.unseen_texts),
    (legibility.CONTRAST_LOW, legibility.low_contrast_texts),
    (legibility.CONTRAST_WEAK, legibility.low_contrast_texts),
    (legibility.CONTRAST_STRONG_COLOR, legibility.low_contrast_texts),
    (legibility.TEXT_SMALL, legibility.small_text),
    (placement.TEXT_MARGIN, placement.narrow_margins),
    (placement.SHAPE_OFF_SLIDE, placement.off_slide),
    (placement.SHAPE_DRIFT, placement.drift),
    (placement.SHAPE_MARGIN, placement.near_edge),
    (overlaps.SHAPE_OVERLAP, overlaps.overlapping_panels),
    (placement.LAYOUT_MARGINS, placement.narrow_sides),
    (alignment.LAYOUT_GAPS, alignment.uneven_gaps),
    (alignment.LAYOUT_GRID, alignment.uneven_grids),
    (alignment.LAYOUT_ROW, alignment.uneven_rows),
    (alignment.LAYOUT_EDGE, alignment.near_edges),
    (written.LAYOUT_LIST, written.typed_lists),
    (looks.DENSITY_CROWDED, looks.crowded),
    (looks.DENSITY_EMPTY, looks.empty),
    (looks.STYLE_TYPEFACES, looks.many_typefaces),
    (alignment.STYLE_PEERS, alignment.odd_peers),
    (looks.CHART_LABELS, looks.chart_labels),
    (looks.CHART_CROWDED, looks.chart_contents),
    (looks.CHART_LEGEND, looks.chart_contents),
    (looks.PICTURE_STRETCHED, looks.odd_pictures),
    (looks.PICTURE_COARSE, looks.odd_pictures),
    (looks.PICTURE_TWICE, looks.odd_pictures),
    (missing.PICTURE_MISSING, missing.missing_pictures),
    (missing.PLACEHOLDER_EMPTY, missing.empty_placeholders),
    (missing.PLACEHOLDER_PROMPT, missing.prompt_text),
    (written.WRITTEN_TITLE, written.what_is_written),
    (written.WRITTEN_MARKUP, written.what_is_written),
    (written.WRITTEN_UNFINISHED, written.what_is_written),
    (written.WRITTEN_DOUBLED, written.what_is_written),
    (written.WRITTEN_SPACING, written.what_is_written),
    (written.WRITTEN_REPEATED, written.repeated),
    (written.WRITTEN_MISSPELT, written.misspelt),
    (written.WRITTEN_AXIS, written.what_is_written),
    (titles.TITLE_POSITION, titles.inconsistent_titles),
    (titles.TITLE_SIZE, titles.inconsistent_titles),
    (titles.TITLE_FONT, titles.inconsistent_titles),
    (titles.TITLE_SHRUNK, titles.shrunk_titles),
    (accessibility.MISSING_ALT_TEXT, accessibility.alt_text),
    (accessibility.POOR_ALT_TEXT, accessibility.alt_text),
    (titles.MISSING_SLIDE_TITLE, titles.missing_titles),
    (titles.DUPLICATE_SLIDE_TITLE, titles.duplicate_titles),
    (reading_order.READING_ORDER, reading_order.wrong_order),
    (accessibility.MISSING_TABLE_HEADERS, accessibility.tables),
    (accessibility.MERGED_TABLE_CELLS, accessibility.tables),
    (accessibility.LINK_TEXT, accessibility.links),
    (accessibility.LANGUAGE, accessibility.wrong_language),
    (accessibility.CAPTIONS, accessibility.captions),
    (DAMAGED_PART, problem_findings),
    (NOT_DRAWN, undrawn_findings),
):
    LINT_RULES.register(_rule.id, _rule)
    CHECKS[_rule.id] = _check

_Check = Callable[[DrawnSlide], Iterator[Occurrence]]

# Findings on one slide are in the order of these checks.
_DRAWN_CHECKS: tuple[_Check, ...] = (
    missing.missing_pictures,
    overflow.text_off_slide,
    overflow.text_overflow,
    overlaps.hidden_text,
    overlaps.text_on_text,
    crossings.text_on_objects,
    crossings.struck_text,
    legibility.small_text,
    titles.shrunk_titles,
    placement.off_slide,
    placement.drift,
)
# Those of them that need no drawn text.
_ELEMENT_CHECKS = (missing.missing_pictures, placement.off_slide, placement.drift)
# The same for rules that reports of scores leave out.
_UNSCORED_ELEMENT_CHECKS: tuple[_Check, ...] = (
    alignment.uneven_gaps,
    alignment.uneven_grids,
    alignment.uneven_rows,
    placement.near_edge,
    overlaps.overlapping_panels,
    looks.odd_pictures,
    looks.chart_contents,
)
_UNSCORED_DRAWN_CHECKS: tuple[_Check, ...] = (
    overlaps.touching_text,
    crossings.crossed_edges,
    crossings.busy_text,
    breaks.broken_words,
    breaks.orphan_words,
    breaks.wide_gaps,
    looks.missing_glyphs,
    *_UNSCORED_ELEMENT_CHECKS,
    looks.crowded,
    looks.empty,
    placement.narrow_sides,
    alignment.near_edges,
    alignment.odd_peers,
    written.typed_lists,
    looks.chart_labels,
)
_ACCESSIBILITY_CHECKS: tuple[Callable[[SlideElements], Iterator[Occurrence]], ...] = (
    reading_order.wrong_order,
    accessibility.tables,
    accessibility.links,
    accessibility.wrong_language,
    accessibility.captions,
)


def file_findings(deck: DeckElements, limits: RuleLimits = USUAL_LIMITS) -> list[Finding]:
    """The findings that need no drawn slide: accessibility, then the rules of other packages, by
    slide; of a rule that fails its failure."""
    rules = [LINT_RULES[id] for id in LINT_RULES if LINT_RULES[id].check is not None]
    outside_ones = (_outside(rule, slide) for slide in deck.slides for rule in rules)
    return [*accessibility_findings(deck, limits), *chain.from_iterable(outside_ones)]


def _outside(rule: Rule, slide: SlideElements) -> Iterable[Finding]:
    if rule.check is None:
        return ()
    try:
        return outside(list[Finding], outside(rule.check, slide))  # a generator fails late
    except ExtensionError as error:
        return (rule.finding(f"The rule failed: {error}.", slide.number, severity="info"),)


@dataclass(frozen=True)
class PictureFindings:
    """Findings on one slide that take its picture."""

    faint: Sequence[legibility.LowContrastText]
    hits: Sequence[Occurrence]


Judge = Callable[[], PictureFindings]


def _judged_now(shows: DrawnSlide, lost: missing.Unseen, judge: Judge) -> PictureFindings:
    return judge()


def integrity_findings(
    deck: DeckElements,
    pages: Iterable[Page] = (),
    *,
    replaced_fonts: Mapping[str, StandIn] | None = None,
    limits: RuleLimits = USUAL_LIMITS,
    unscored: bool = False,
    seen: Iterable[SeenSlide] = (),
    kept: Callable[[DrawnSlide, missing.Unseen, Judge], PictureFindings] = _judged_now,
) -> list[Finding]:
    """The faults of layout and content of a deck, by slide.

    ``pages`` are its slides as drawn, read once, so that they may be drawn one after the other;
    rules that need the drawn text give nothing for slides without a page, and those that need the
    picture nothing without it. ``replaced_fonts`` has the families, in lower case, that were drawn
    in a font of other widths: findings that this may have caused have less weight. ``limits`` are
    the thresholds of the run. With ``unscored``, the rules apply too that reports of scores leave
    out. ``seen`` is what an audience sees of the slides: what is not seen has no looks to judge.
    ``kept`` may know what the picture of a slide shows from an earlier time.
    """
    drawn_checks = _DRAWN_CHECKS + (_UNSCORED_DRAWN_CHECKS if unscored else ())
    element_checks = _ELEMENT_CHECKS + (_UNSCORED_ELEMENT_CHECKS if unscored else ())
    slides = {slide.number: slide for slide in deck.slides}
    sheets = {sheet.part: sheet for sheet in (*deck.layouts, *deck.masters)}
    sights = {sight.number: sight for sight in seen}
    occurrences: list[Occurrence] = []
    title_texts: dict[int, DrawnText] = {}
    nearest: list[placement.EdgeText] = []
    pale: list[legibility.LowContrastText] = []
    lost_on: dict[int, missing.Unseen] = {}
    shown: list[SlideElements] = []
    for page in pages:
        if (slide := slides.get(page.number)) is None:
            continue
        shows = match_page(
            slide, page, _sheets(slide, sheets), replaced_fonts, limits, strict=unscored
        )
        lost = lost_on[page.number] = missing.Unseen.on(sights.get(page.number), shows)
        judge = partial(_picture_findings, shows, lost, drawn_checks, unscored)
        judged = kept(shows, lost, judge)
        pale += judged.faint
        occurrences += judged.hits
        title_texts |= _title(shows)
        nearest += placement.edge_texts(lost.seen_view(shows))
    for slide in deck.slides:
        if slide.number not in lost_on:
            bare = match_page(slide, Page(slide.number, ()), (), replaced_fonts, limits)
            lost_on[slide.number] = missing.Unseen.on(sights.get(slide.number), bare)
            lost = lost_on[slide.number]
            occurrences += _of_view(bare, lost, element_checks, unscored, ())
        occurrences += missing.empty_placeholders(slide)
        occurrences += missing.prompt_text(slide, sheets.get(slide.layout_part))
        shown.append(lost_on[slide.number].seen_part(slide))
    for slide in shown if unscored else ():
        for check in (looks.many_typefaces, written.what_is_written, written.repeated):
            occurrences += check(slide)
    occurrences += written.misspelt(shown) if unscored else ()
    occurrences += titles.inconsistent_titles(deck, title_texts)
    occurrences += placement.narrow_margins(nearest)
    findings = [*merge_by_cause(occurrences), *legibility.low_contrast(pale)]
    return sorted(findings, key=lambda finding: finding.slide or 0)


def _picture_findings(
    shows: DrawnSlide, lost: missing.Unseen, checks: Sequence[_Check], unscored: bool
) -> PictureFindings:
    faint = list(_pale(shows, lost, unscored))
    return PictureFindings(faint, _of_view(shows, lost, checks, unscored, faint))


def _of_view(
    shows: DrawnSlide,
    lost: missing.Unseen,
    checks: Sequence[_Check],
    unscored: bool,
    faint: Sequence[legibility.LowContrastText],
) -> list[Occurrence]:
    """The findings on a slide: on what is seen of it, and why the rest is not."""
    shown = lost.seen_view(shows)
    hits = _of_page(shown, checks)
    if shown is not shows:
        whole = [hit for hit in _of_page(shows, checks) if _is_about_unseen(hit.finding, lost)]
        hits = [hit for hit in hits if hit.finding.rule != placement.SHAPE_OFF_SLIDE.id] + whole
        shapes = {hit.finding.shape for hit in whole}
        shapes |= {label(item.element) for item in faint if item.element is not None}
        hits += missing.unseen_texts(shows.slide, lost, shapes) if unscored else ()
    return hits


def _is_about_unseen(finding: Finding, lost: missing.Unseen) -> bool:
    return finding.rule == placement.SHAPE_OFF_SLIDE.id or lost.tells(finding.rule, finding.shape)


def _pale(
    shows: DrawnSlide, lost: missing.Unseen, unscored: bool
) -> Iterator[legibility.LowContrastText]:
    """Text of low contrast, if it is seen or hardly seen for that reason."""
    for text in legibility.low_contrast_texts(shows, weak=unscored):
        piece = None if text.element is None else lost.texts.get(text.element.id)
        if piece is None or piece.reason == "faint":
            yield text


def _of_page(shows: DrawnSlide, checks: Sequence[_Check]) -> list[Occurrence]:
    """The findings on a drawn slide; of a text that runs over something only the worst."""
    hits = [hit for check in checks for hit in check(shows)]
    clashing = _shapes(hits, overlaps.TEXT_OVERLAP) | _shapes(hits, overlaps.TEXT_HIDDEN)
    onto = clashing | _shapes(hits, crossings.TEXT_ON_OBJECT)
    over = onto | _shapes(hits, overflow.TEXT_OVERFLOW) | _shapes(hits, crossings.TEXT_STRUCK)
    left_out = {
        overflow.TEXT_OVERFLOW.id: onto,
        crossings.TEXT_ON_OBJECT.id: clashing,
        overlaps.TEXT_TOUCHING.id: over,
        crossings.TEXT_CROSSES_EDGE.id: over | _shapes(hits, overlaps.TEXT_TOUCHING),
    }
    return [hit for hit in hits if hit.finding.shape not in left_out.get(hit.finding.rule, ())]


def _shapes(hits: Sequence[Occurrence], rule: Rule) -> frozenset[str]:
    about = [hit for hit in hits if hit.finding.rule == rule.id]
    return frozenset(name for hit in about for name in (hit.finding.shape, hit.also) if name)


def _sheets(slide: SlideElements, sheets: dict[str, TemplateElements]) -> list[TemplateElements]:
    """The layout and master whose shapes show behind a slide's own."""
    if (layout := sheets.get(slide.layout_part)) is None or not slide.shows_master:
        return []
    master = sheets.get(layout.parent or "")
    return [layout] if master is None or not layout.shows_master else [layout, master]


def _title(shows: DrawnSlide) -> dict[int, DrawnText]:
    title = titles.title_of(shows.slide)
    for drawn in shows.texts:
        if title is not None and drawn.element.id == title.id and drawn.is_whole:
            return {shows.slide.number: drawn}
    return {}


def accessibility_findings(deck: DeckElements, limits: RuleLimits = USUAL_LIMITS) -> list[Finding]:
    """Content that readers who do not see or hear a deck would miss, by slide.

    Low contrast is not among them: it is measured in the picture.
    """
    hits = [*accessibility.deck_alt_text(deck)]
    for slide in deck.slides:
        for check in _ACCESSIBILITY_CHECKS:
            hits += check(slide)
    for slide in deck.slides:
        hits += accessibility.other_language(slide, limits.languages)
    titled = (*titles.missing_titles(deck), *titles.duplicate_titles(deck))
    findings = [*titled, *accessibility.unmarked_language(deck)]
    return sorted([*findings, *merge_by_cause(hits)], key=lambda finding: finding.slide or 0)
