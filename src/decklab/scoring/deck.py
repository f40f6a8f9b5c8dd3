"""One deck scored: read as an audience sees it, drawn once, measured slide by slide, tried for
editability, and judged."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2

from decklab.core.colors import Image as Pixels
from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.core.geometry import Box
from decklab.core.options import MetricVariant
from decklab.core.results import DeckResult, Finding, Measurement, NotScored
from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.shapes import Chart, Diagram, Image, Media, Rect, Table, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.part import DAMAGE
from decklab.deck.reading import ReadDeck, read_deck
from decklab.linting.drawn import page_of
from decklab.linting.lint import lint_findings, without_repeats
from decklab.linting.rules.every import problem_findings, undrawn_findings
from decklab.linting.rules.page import Page
from decklab.metrics.aesthetics.engagement import colorfulness
from decklab.metrics.aesthetics.rows import deck_rows, unread_slide_rows, with_hidden_version
from decklab.metrics.aesthetics.rows import findings as aesthetics_findings
from decklab.metrics.aesthetics.usability import TextRegion, text_contrast
from decklab.metrics.editability.judge import judge_pptx, judge_static, judge_web, not_covered
from decklab.metrics.editability.text import needs_reflow
from decklab.metrics.editability.verdict import Editability, editability_findings, editability_rows
from decklab.metrics.quality import MeasuredSlide, quality_rows, unknown_quality_rows
from decklab.metrics.spelling import is_english
from decklab.ooxml.package import Package, sniff
from decklab.ooxml.signatures import FileKind
from decklab.pages.pictures import COVER_WIDTH, SlidePicture, encode_jpeg, jpeg_within_budget
from decklab.rendering.font_report import FontReport, Replacement, font_report
from decklab.rendering.html import HtmlDeck
from decklab.rendering.opening import IncrementalDeck, as_powerpoint, open_rendered
from decklab.rendering.pictures import RenderedDeck, RenderedSlide, TextSpan
from decklab.rendering.renderer import DrawnAhead, Renderer
from decklab.scoring.against import packaged_reference
from decklab.scoring.relayout import RelayoutCopy, open_copy, write_relayout
from decklab.scoring.scored import (
    KeptSlides,
    ScoredDeck,
    ScoreOptions,
    SlideScores,
    keep_deck,
    kept_deck,
    score_key,
)
from decklab.scoring.trial_edits import DeckProbes
from decklab.scoring.trial_pictures import web_facts
from decklab.seen.audience import (
    audience_outline,
    audience_slides,
    needs_shown_copy,
    readable_spans,
    write_shown_copy,
)
from decklab.seen.reader import SeenDeck, seen_of
from decklab.seen.seen_slide import SeenSlide


@dataclass(frozen=True)
class DeckSource:
    """A deck as it was read, as an audience sees it, and its first format if LibreOffice converted
    it."""

    package: Package
    """Of the file that is drawn."""
    read: ReadDeck
    """The deck itself."""
    seen: SeenDeck
    with_hidden: bool
    """Whether all counts, seen or not."""
    shown: Path
    """The file to draw: the deck, or a copy without what only LibreOffice shows of it."""
    relaid: RelayoutCopy | NotScored | None = None
    converted: str = ""

    @cached_property
    def outline(self) -> DeckOutline:
        """Its outline as an audience sees it."""
        return audience_outline(self.read.outline, self.read.elements.slides, self.seen.slides)

    @cached_property
    def slides(self) -> tuple[SlideElements, ...]:
        """The slides of the show, with what counts of them."""
        slides = self.read.elements.slides
        if self.with_hidden:
            return tuple(slide for slide in slides if not slide.hidden)
        return audience_slides(slides, self.seen.slides)

    @cached_property
    def left_out(self) -> Mapping[int, str]:
        """Why slides are not measured, by number: those that could not be read, of which the
        drawing is a blank page, and those that the show does not reach."""
        unread = unread_slides(self.package, self.read.outline)
        if self.with_hidden:
            return unread
        return {
            slide.number: slide.left_out for slide in self.seen.slides if slide.left_out
        } | unread

    @property
    def unseen(self) -> str:
        """How much does not count because nobody sees it, in a sentence; empty for nothing."""
        return self.seen.sentence if self.seen.words_unseen and not self.with_hidden else ""

    def spans(self, slide: RenderedSlide, *, faint: bool = True) -> Sequence[TextSpan]:
        """The drawn text of a slide that counts; ``faint`` text too, for who measures contrast."""
        if self.with_hidden or slide.number not in self._seen:
            return slide.spans
        return readable_spans(slide.spans, self._seen[slide.number], faint=faint)

    def begin_relaid(self, office: DrawnAhead, started: Renderer) -> Future[RenderedDeck] | None:
        """The relaid copy, if there is one, which ``office`` begins to draw."""
        if not isinstance(self.relaid, RelayoutCopy):
            return None
        return office.begin(partial(open_copy, renderer=started), self.relaid.path)

    @cached_property
    def _seen(self) -> Mapping[int, SeenSlide]:
        return {slide.number: slide for slide in self.seen.slides}


def read_own(
    deck: Path,
    begin: Callable[[Path], Future[RenderedDeck]],
    stack: ExitStack,
    *,
    with_hidden: bool,
) -> tuple[DeckSource, Future[RenderedDeck]]:
    """A .pptx, open until the end of ``stack``, and its slides, which ``begin`` draws meanwhile."""
    package = stack.enter_context(Package.open(deck))
    drawn = begin(deck)
    read = read_deck(package)
    seen, shown = seen_of(package, read.elements), deck
    if needs_shown_copy(seen.slides) and not with_hidden:
        drawn.cancel()
        folder = stack.enter_context(scratch_folder("shown"))
        shown = write_shown_copy(package, seen.slides, folder / deck.name)
        package = stack.enter_context(Package.open(shown))
        drawn = begin(shown)
    source = DeckSource(package, read, seen, with_hidden, shown)
    if needs_reflow(source.outline):
        folder = stack.enter_context(scratch_folder("probe"))
        source = replace(source, relaid=write_relayout(package, source.outline, folder))
    return source, drawn


def read_copy(
    deck: Path, slides: int, renderer: Renderer, stack: ExitStack, *, with_hidden: bool
) -> DeckSource | NotScored:
    """The copy as .pptx of a deck with so many slides, open until the end of ``stack``; the reason
    if there is none, or it has other slides."""
    try:
        file = stack.enter_context(as_powerpoint(deck, renderer))
        package = stack.enter_context(Package.open(file.path))
        read = read_deck(package)
        seen = seen_of(package, read.elements)
    except (DeckError, RenderError) as error:
        return NotScored(f"its copy as .pptx cannot be read: {error.detail}")
    if (count := len(read.outline.slides)) != slides:
        return NotScored(f"its copy as .pptx has {count} slides, not {slides}")
    return DeckSource(package, read, seen, with_hidden, deck, converted=file.converted)


def unread_slides(package: Package, outline: DeckOutline) -> dict[int, str]:
    """The reason for each slide that could not be read, by number; it is drawn as a blank page."""
    reasons: dict[int, str] = {}
    for slide in outline.slides if outline.problems else ():
        if not slide.shapes:
            try:
                package.xml(slide.part)
            except DAMAGE as error:
                reasons[slide.number] = f"{error.part or slide.part}: {error.detail}"
    return reasons


def text_regions(spans: Sequence[TextSpan], shape: tuple[int, ...]) -> list[TextRegion]:
    """The spans of a drawn slide as regions of its picture, which has this shape."""
    return [
        TextRegion(
            box=span.box.on_picture(shape), text=span.text, frame_box=span.box,
            size_pt=span.size_pt, bold="bold" in span.font.lower(), ink=span.color,
            line=span.line,
        )
        for span in spans
    ]  # fmt: skip


def font_findings(report: FontReport) -> list[Finding]:
    """One finding for each font that the deck asks for and the machine does not have.

    A replacement of the same widths breaks lines at the same places, so the finding is mild; any
    other may move text and make it overflow.
    """
    return [_finding(item) for item in report.replaced]


def _finding(item: Replacement) -> Finding:
    family, drawn = item.use.family, item.drawn or "another font"
    if item.same_widths:
        return Finding(
            rule="fonts.replaced",
            severity="info",
            message=f"{family} is not installed; drawn with {drawn}, which has the same widths.",
            fix=f"Install {family} on this machine to see its own letter shapes.",
        )
    return Finding(
        rule="fonts.replaced",
        severity="warning",
        message=f"{family} is not installed; drawn with {drawn}: lines may break elsewhere.",
        fix=f"Install {family} on this machine before trusting pictures and overflow.",
    )


_PAINTED = (Image, Media, Rect, Chart, Diagram, Table)
_INSIDE = 0.5
"""Ours: share of a text's box in an animated area from which on the picture shows it in a state
that viewers may never see."""


def still_rows(rows: Sequence[Measurement], elements: DeckElements) -> list[Measurement]:
    """Contrast rows without texts inside painted areas that are animated.

    A picture of a slide shows all its states at once; a shape over a text may appear only after the
    text has gone. Other rows and all values stay as they are.
    """
    moving = {slide.number: tuple(_moving(slide)) for slide in elements.slides if slide.animations}
    return [
        _still(row, moving[row.slide])
        if row.metric == "usability.contrast" and row.slide in moving
        else row
        for row in rows
    ]


def _moving(slide: SlideElements) -> Iterator[Box]:
    ids = {item.shape for item in slide.animations}
    for item in slide.elements():
        box = box_of(item)
        plain = isinstance(item, Rect) and item.paint.kind == "none"
        plays = item.id in ids or not ids.isdisjoint(item.groups)
        if plays and box is not None and isinstance(item, _PAINTED) and not plain:
            yield box


def _still(row: Measurement, moving: Sequence[Box]) -> Measurement:
    still = {
        key: [region for region in row.evidence[key] if not _lies_in(region, moving)]
        for key in ("worst", "covered")
    }
    return row.model_copy(update={"evidence": row.evidence | still})


def _lies_in(region: dict[str, Any], moving: Sequence[Box]) -> bool:
    box = Box(*region["box"])
    return any(box.intersection(area).area > _INSIDE * box.area for area in moving)


def score_deck(
    deck: Path,
    *,
    options: ScoreOptions | None = None,
    renderer: Renderer | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> ScoredDeck:
    """Score one deck; its file is only read.

    ``progress`` is called with the number of each slide, and of slides, before it is measured.

    Slides and text that an audience cannot see do not count (``decklab.see``), unless the options
    say so; ``unseen`` says how much was left out.

    Of ``.odp`` and ``.ppt`` the deck itself is drawn, and a copy that LibreOffice converts is read
    for quality and findings; ``converted`` says so.

    Slides of a .pptx that LibreOffice dies on, or does not finish, have rows that say so and a
    finding; the deck's rows are over the others.

    With a cache, scores are kept there by all that they depend on, of the deck and of each slide;
    those of a deck on which drawing failed somewhere are not.

    Raises DeckError if the deck cannot be read and RenderError if it cannot be drawn.
    """
    options = options or ScoreOptions()
    with (renderer or Renderer()).started() as started:
        key = score_key(deck, options, started) if started.cache else ""
        if (kept := kept_deck(deck, key, started)) is not None:
            return kept
        scored, settled = _scored(deck, options, started, progress or (lambda slide, slides: None))
        if settled:
            keep_deck(scored, deck, key, started)
        return scored


def _scored(
    deck: Path, options: ScoreOptions, started: Renderer, progress: Callable[[int, int], object]
) -> tuple[ScoredDeck, bool]:
    """The scores of a deck, and whether scoring it again must give the same: nothing that may
    succeed another time has failed."""
    with ExitStack() as stack:
        kind = None if deck.is_dir() else sniff(deck)
        source, unknown = None, unknown_quality_rows()
        # A cache is asked before the office is, not behind it.
        office = stack.enter_context(DrawnAhead(replace(started, cache=None)))
        behind = replace(started, office=office)
        if kind is FileKind.PPTX:
            open_slides = partial(open_rendered, renderer=started, deadly="left out")
            source, begun = read_own(
                deck, partial(office.begin, open_slides), stack, with_hidden=options.with_hidden
            )
            drawn = stack.enter_context(begun.result())
        else:
            drawn = stack.enter_context(open_rendered(deck, renderer=behind, deadly="left out"))
        if kind in _CONVERTED:
            copy = read_copy(deck, len(drawn), behind, stack, with_hidden=options.with_hidden)
            if isinstance(copy, NotScored):
                unknown = unknown_quality_rows(copy.reason)
            else:
                source = copy
        fonts = None if source is None else font_report(source.package, behind)
        relaid = None if source is None or drawn.faults else source.begin_relaid(office, started)
        measured = _Measured(KeptSlides(started, options.also), audience=source)
        pages = _measure(drawn, options.also, measured, progress)
        undrawn = measured.add_undrawn(drawn.faults, options.also)
        if source is not None and fonts is not None:
            findings = _findings(source.read, pages, fonts, measured, drawn.faults)
            slides = measured_slides(
                source.slides,
                measured.regions,
                measured.rows,
                source.read.elements.slides,
                measured.drawn,
                vivid=measured.vivid,
            )
            quality = quality_rows(slides, undrawn)
        else:
            quality = unknown
            deque(pages, maxlen=0)  # the iteration draws and measures them
            measured.add_undrawn(drawn.faults, options.also)
            findings = undrawn_findings(drawn.faults)
        verdict, judged = (
            (_verdict_without_package(deck, kind, drawn), True)
            if source is None or source.converted
            else _verdict(source, drawn, relaid, behind, options)
        )
        measured.rows.sort(key=lambda row: row.slide or 0)
        aesthetics = [*deck_rows(measured.rows, also=options.also), *measured.rows]
        if options.with_hidden:
            aesthetics = with_hidden_version(aesthetics)
        rows = [*aesthetics, *editability_rows(verdict), *quality]
        rows = (options.reference or packaged_reference()).placed(rows)
        still = measured.still or measured.rows
        looks = aesthetics_findings([*deck_rows(measured.rows), *still])
        if source is not None:  # lint knows the text's shape and reports it better
            looks = [item for item in looks if item.rule != "contrast.low"]
        findings = without_repeats([*looks, *findings])
        findings += editability_findings(verdict)
        result = DeckResult(
            deck=str(deck), status="scored", slides=len(drawn),
            measurements=tuple(rows), findings=tuple(findings),
            converted="" if source is None else source.converted,
            unseen="" if source is None else source.unseen,
        )  # fmt: skip
        measured.kept.keep()
        unread = kind in _CONVERTED and source is None
        settled = judged and not unread and not _passes(drawn)
    return ScoredDeck(result, measured.pictures, measured.cover), settled


def _passes(drawn: RenderedDeck) -> bool:
    """Whether a deck may look different another time: without the faults, or on another day."""
    return bool(drawn.faults) or (isinstance(drawn, IncrementalDeck) and drawn.dated)


_CONVERTED = (FileKind.ODP, FileKind.PPT)


def _findings(
    read: ReadDeck,
    pages: Iterator[Page],
    fonts: FontReport,
    measured: "_Measured",
    faults: Mapping[int, str],
) -> list[Finding]:
    """Findings of lint while the pages are drawn and measured, problems of the file, and slides
    that could not be drawn."""
    findings = lint_findings(read.elements, pages, fonts, results=measured.kept.results)
    measured.still = still_rows(measured.rows, read.elements)
    findings += problem_findings(_unlisted(read.outline.problems, read.elements.problems))
    return [*findings, *undrawn_findings(faults), *font_findings(fonts)]


def measured_slides(
    slides: Sequence[SlideElements],
    regions: Mapping[int, Sequence[TextRegion]],
    rows: Sequence[Measurement],
    stated: Sequence[SlideElements] = (),
    drawn: Mapping[int, Sequence[TextRegion]] = MappingProxyType({}),
    *,
    vivid: Mapping[int, float] = MappingProxyType({}),
) -> dict[int, MeasuredSlide]:
    """Slides as quality measures them, by number; those not drawn are left out.

    ``slides`` are as an audience sees them, ``regions`` their drawn texts, ``rows`` their
    aesthetics rows, ``stated`` all slides with all that the deck states, ``drawn`` all their drawn
    texts if an audience does not see some of them, ``vivid`` the colourfulness of such slides
    without the texts that are not seen.
    """
    shown = [slide for slide in slides if slide.number in regions]
    words = Counter(word for each in shown for word in set(_text_of(each).split()))
    repeated = frozenset(word for word, count in words.items() if count > 1)
    english = is_english(" ".join(map(_text_of, shown)))
    scored = [row for row in rows if row.value is not None]
    faint = {
        row.slide: row.evidence["below_least"]
        for row in scored
        if row.metric == "usability.contrast"
    }
    colors = {
        row.slide: row.value or 0.0
        for row in scored
        if row.metric == "engagement.colorfulness" and row.slide is not None
    } | dict(vivid)
    seen = {
        each.number: MeasuredSlide(
            each, regions[each.number], faint.get(each.number, 0.0), english, repeated,
            colorfulness=colors[each.number],
        )
        for each in shown
    }  # fmt: skip
    for each in stated:
        if each.number in seen and each != seen[each.number].slide:
            own = seen[each.number]
            whole = replace(own, slide=each, regions=drawn.get(each.number, own.regions))
            seen[each.number] = replace(own, stated=whole)
    return seen


def measured_slide(
    slide: SlideElements, picture: Pixels, spans: Sequence[TextSpan]
) -> MeasuredSlide:
    """A slide as quality measures it, without its deck: spelling is not judged."""
    regions = text_regions(spans, picture.shape)
    contrast = text_contrast(picture, regions)
    faint = 0.0 if isinstance(contrast, NotScored) else contrast.below_least
    return MeasuredSlide(slide, regions, faint, colorfulness=colorfulness(picture))


def _text_of(slide: SlideElements) -> str:
    return " ".join(item.text for item in slide.texts)


@dataclass
class _Measured:
    """The measurements of the slides so far."""

    kept: KeptSlides
    audience: DeckSource | None
    """The slides as an audience sees them; None if the deck is only drawn, not read."""
    rows: list[Measurement] = field(default_factory=list)
    pictures: dict[int, SlidePicture] = field(default_factory=dict)
    cover: SlidePicture | None = None
    regions: dict[int, list[TextRegion]] = field(default_factory=dict)
    """The text that was drawn on each slide that could be read, as far as it is seen."""
    drawn: dict[int, list[TextRegion]] = field(default_factory=dict)
    """All text that was drawn on slides of which some is not seen."""
    vivid: dict[int, float] = field(default_factory=dict)
    """The colourfulness of such slides without the text that is not seen."""
    still: list[Measurement] = field(default_factory=list)
    """The rows, without what cannot be judged on animated slides, if the elements are known."""

    def add_undrawn(
        self, faults: Mapping[int, str], also: Sequence[MetricVariant]
    ) -> dict[int, str]:
        """Add the rows of slides that cannot be drawn; returns the reason for each, by number."""
        undrawn = {number: f"not drawn: {fault}" for number, fault in faults.items()}
        for number, reason in undrawn.items():
            self.rows += unread_slide_rows(number, reason, also=also)
        return undrawn

    def work(
        self, slide: RenderedSlide, slides: int, also: Sequence[MetricVariant]
    ) -> Callable[[], SlideScores]:
        """The function that measures a slide of so many."""
        left_out = {} if self.audience is None else self.audience.left_out
        if slide.number in left_out:
            rows = unread_slide_rows(slide.number, left_out[slide.number], also=also)
            _ = slide.image
            return lambda: SlideScores(rows, jpeg_within_budget(slide.image, slides=slides))
        drawn, shape, audience = slide.spans, slide.shape, self.audience
        regions = text_regions(drawn if audience is None else audience.spans(slide), shape)
        read = drawn if audience is None else audience.spans(slide, faint=False)
        self.regions[slide.number] = (
            text_regions(read, shape) if len(read) < len(drawn) else regions
        )
        if len(read) < len(drawn):
            kept = set(map(id, read))
            hidden = text_regions([span for span in drawn if id(span) not in kept], shape)
            self.drawn[slide.number] = text_regions(drawn, shape)
            self.vivid[slide.number] = colorfulness(_whitened(slide.image, hidden))
        return self.kept.work(slide, regions, slides=slides)


def _whitened(picture: Pixels, regions: Iterable[TextRegion]) -> Pixels:
    """A copy of a picture with regions in white: colours of letters that nobody can read do not
    make a white slide less plain."""
    copied = picture.copy()
    for region in regions:
        left, top, right, bottom = (round(edge) for edge in region.box.grown(1))
        cv2.rectangle(copied, (left, top), (right, bottom), (255, 255, 255), cv2.FILLED)
    return copied


def _measure(
    drawn: RenderedDeck,
    also: Sequence[MetricVariant],
    into: _Measured,
    progress: Callable[[int, int], object],
) -> Iterator[Page]:
    """Measure the slides one by one as their pages are asked for: each is drawn only once.

    A slide is measured in a second thread while the next is drawn and linted.
    """
    measured: dict[int, Future[SlideScores]] = {}
    waiting: deque[Future[SlideScores]] = deque()
    with ThreadPoolExecutor(1, thread_name_prefix="decklab-measuring") as thread:
        for slide in drawn:
            progress(slide.number, len(drawn))
            measured[slide.number] = thread.submit(into.work(slide, len(drawn), also))
            into.cover = into.cover or encode_jpeg(slide.image, width=COVER_WIDTH, quality=70)
            yield page_of(slide)
            waiting.append(measured[slide.number])
            if len(waiting) > _AHEAD:
                waiting.popleft().result()  # no more pictures are kept than these
    for number, future in measured.items():
        into.rows += future.result().rows
        into.pictures[number] = future.result().picture


_AHEAD = 2
"""So many slides may wait to be measured. Ours."""


def _verdict(
    source: DeckSource,
    drawn: RenderedDeck,
    relaid: Future[RenderedDeck] | None,
    renderer: Renderer,
    options: ScoreOptions,
) -> tuple[Editability, bool]:
    """The verdict, and whether all probes that it needed gave facts: one may another time."""
    probes = DeckProbes(
        source.package, source.outline, renderer=renderer, drawn=drawn, relaid=source.relaid,
        relaid_drawn=None if relaid is None else relaid.result,
    )  # fmt: skip
    verdict = judge_pptx(
        source.outline, probes, no_data=options.no_data, text_gate=options.text_gate
    )
    return verdict, not probes.failures


def _verdict_without_package(deck: Path, kind: FileKind | None, drawn: RenderedDeck) -> Editability:
    if isinstance(drawn, HtmlDeck):
        return judge_web(web_facts(drawn))
    if kind in _CONVERTED:
        return not_covered(deck)
    return judge_static(deck)


def _unlisted(problems: Sequence[str], listed: Sequence[str]) -> list[str]:
    """The problems of parts that ``listed`` does not name."""
    parts = {problem.split(": ", 1)[0] for problem in listed}
    return [problem for problem in problems if problem.split(": ", 1)[0] not in parts]
