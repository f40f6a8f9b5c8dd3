"""All integrity rules over a deck."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from decklab.deck.model.slide import DeckElements, SlideElements, TemplateElements
from decklab.linting.rules.accessibility import (
    captions,
    links,
    tables,
    unmarked_language,
    wrong_language,
)
from decklab.linting.rules.alt_text import deck_alt_text
from decklab.linting.rules.contrast import PaleText, low_contrast, pale_texts
from decklab.linting.rules.crossings import struck_text, text_on_objects
from decklab.linting.rules.missing import empty_placeholders, missing_pictures, prompt_text
from decklab.linting.rules.overflow import text_off_slide, text_overflow
from decklab.linting.rules.overlaps import hidden_text, text_on_text
from decklab.linting.rules.page import DrawnText, Page, PageView, StandIn, view
from decklab.linting.rules.placement import EdgeText, drift, narrow_margins, nearest_text, off_slide
from decklab.linting.rules.reading_order import ReadingOrder, reading_order, wrong_order
from decklab.linting.rules.sizes import small_text
from decklab.linting.rules.titles import (
    duplicate_titles,
    inconsistent_titles,
    missing_titles,
    title_of,
)
from decklab.metrics.findings import Occurrence, merge_by_cause
from decklab.results import Finding, NotScored

_VIEW_RULES: tuple[Callable[[PageView], Iterator[Occurrence]], ...] = (
    missing_pictures, text_off_slide, text_overflow, hidden_text, text_on_text, text_on_objects,
    struck_text, small_text, off_slide, drift,
)  # fmt: skip


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
    drawn in a font of other widths: what that may have caused is told with less weight.
    """
    slides = {slide.number: slide for slide in deck.slides}
    sheets = {sheet.part: sheet for sheet in (*deck.layouts, *deck.masters)}
    sightings: list[Occurrence] = []
    titles: dict[int, DrawnText] = {}
    nearest: list[EdgeText] = []
    pale: list[PaleText] = []
    seen: set[int] = set()
    for page in pages:
        slide = slides.get(page.number)
        if slide is None:
            continue
        seen.add(page.number)
        shows = view(slide, page, _behind(slide, sheets), replaced_fonts)
        sightings += _of_view(shows)
        pale += pale_texts(shows)
        titles |= _title(shows)
        near = nearest_text(shows)
        nearest += [] if near is None else [near]
    for slide in deck.slides:
        if slide.number not in seen:
            bare = view(slide, Page(slide.number, ()), (), replaced_fonts)
            sightings += [*missing_pictures(bare), *off_slide(bare), *drift(bare)]
        sightings += _of_slide(slide, sheets)
    sightings += [*inconsistent_titles(deck, titles), *narrow_margins(nearest)]
    found = [*merge_by_cause(sightings), *low_contrast(pale)]
    return sorted(found, key=lambda finding: finding.slide or 0)


def _of_view(shows: PageView) -> list[Occurrence]:
    """What is seen on a slide; of a text that runs over something the worst is told alone."""
    found = [sighting for rule in _VIEW_RULES for sighting in rule(shows)]
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


def _title(shows: PageView) -> dict[int, DrawnText]:
    title = title_of(shows.slide)
    for drawn in shows.texts:
        if title is not None and drawn.element.id == title.id and drawn.is_whole:
            return {shows.slide.number: drawn}
    return {}


def sound_slides(findings: Sequence[Finding], slides: int) -> float | NotScored:
    """Share of a deck's slides without an error or warning, 0 to 1, higher is better.

    >>> sound_slides([Finding(rule="text.overflow", severity="error", message="", slide=2)], 4)
    0.75
    """
    if not slides:
        return NotScored("the deck has no slides")
    hit = {item.slide for item in findings if item.severity != "info" and item.slide}
    return fmean(number not in hit for number in range(1, slides + 1))


_RULES: tuple[Callable[[SlideElements], Iterator[Occurrence]], ...] = (
    wrong_order, tables, links, wrong_language, captions,
)  # fmt: skip


def accessibility_findings(deck: DeckElements) -> list[Finding]:
    """What readers who do not see or hear a deck would miss, by slide.

    Low contrast is not among them: the aesthetics metrics measure it in the picture.
    """
    sightings = [*deck_alt_text(deck)]
    sightings += [item for slide in deck.slides for rule in _RULES for item in rule(slide)]
    found = [*missing_titles(deck), *duplicate_titles(deck), *unmarked_language(deck)]
    return sorted([*found, *merge_by_cause(sightings)], key=lambda finding: finding.slide or 0)


def reading_order_score(deck: DeckElements) -> float | NotScored:
    """Mean share of texts read aloud in the order they are seen, 0 to 1, higher is better.

    Slides on which nothing is clearly before anything else are left out; NotScored where all are.
    """
    orders = [reading_order(slide) for slide in deck.slides]
    scores = [order.score for order in orders if isinstance(order, ReadingOrder)]
    return fmean(scores) if scores else NotScored("no slide has texts in a clear order")
