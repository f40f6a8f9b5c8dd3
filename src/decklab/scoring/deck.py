"""One deck, scored: opened, drawn once, measured slide by slide, probed, judged."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from decklab.deck.model.outline import DeckOutline
from decklab.deck.part import DAMAGE
from decklab.deck.reading import read_deck
from decklab.errors import DecklabError
from decklab.metrics.aesthetics.findings import findings as aesthetics_findings
from decklab.metrics.aesthetics.rows import Variant, deck_rows, slide_rows, unread_slide_rows
from decklab.metrics.editability.data import NoData
from decklab.metrics.editability.judge import judge_pptx, judge_static, judge_web, not_covered
from decklab.metrics.editability.rows import editability_findings, editability_rows
from decklab.metrics.editability.text import TextGate
from decklab.metrics.editability.verdict import Editability
from decklab.metrics.integrity.page import Page
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.rendering.cache import Cache
from decklab.rendering.font_report import font_report
from decklab.rendering.html import HtmlDeck
from decklab.rendering.model import RenderedDeck
from decklab.rendering.office.office import Converter
from decklab.rendering.opening import open_rendered
from decklab.reports.pictures import SlidePicture
from decklab.results import DeckResult, Measurement
from decklab.scoring.animated import still_rows
from decklab.scoring.fonts import font_findings
from decklab.scoring.lint import lint_findings, page_of, problem_findings, without_repeats
from decklab.scoring.probes.deck import DeckProbes
from decklab.scoring.probes.web import web_facts
from decklab.scoring.regions import text_regions
from decklab.scoring.thumbnails import COVER_WIDTH, encode_jpeg, fit_jpeg


@dataclass(frozen=True)
class ScoredDeck:
    """A deck's result, and small pictures of its slides by number and of the first as cover."""

    result: DeckResult
    pictures: dict[int, SlidePicture] = field(default_factory=dict)
    cover: SlidePicture | None = None


def failed(deck: Path, error: DecklabError) -> ScoredDeck:
    """The result of a deck that could not be read or drawn: its one line of error."""
    text = str(error) if str(deck) in str(error) else f"{deck}: {error}"
    return ScoredDeck(DeckResult(deck=str(deck), status="failed", error=text))


def score_deck(
    deck: Path,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    also: Sequence[Variant] = (),
    no_data: NoData = "failed",
    text_gate: TextGate = "box",
    deadline: float | None = None,
) -> ScoredDeck:
    """Score one deck; its file is only read.

    ``office`` draws office decks (without one LibreOffice is started for the call), ``cache``
    keeps what was drawn. ``deadline`` bounds, in seconds, each answer of the browser that shows a
    web deck and the drawing of each page; that of ``office`` is its own.

    Raises DeckError where the deck cannot be read and RenderError where it
    cannot be drawn.
    """
    with ExitStack() as stack:
        kind = None if deck.is_dir() else sniff(deck)
        package = read = None
        if kind is FileKind.PPTX:
            package = stack.enter_context(Package.open(deck))
            read = read_deck(package)
        drawn = stack.enter_context(
            open_rendered(
                deck,
                office=office,
                cache=cache,
                deadline=deadline,
                expected_slides=None if read is None else len(read.outline.slides),
            )
        )
        unread = {} if package is None or read is None else unread_slides(package, read.outline)
        seen = _Seen()
        pages = _measure(drawn, also, unread, seen)
        if package is not None and read is not None:
            fonts = font_report(package, office, cache)
            elements, outline = read.elements, read.outline
            findings = lint_findings(elements, pages, fonts)
            seen.still = still_rows(seen.rows, elements)
            findings += problem_findings(_untold(outline.problems, elements.problems))
            findings += font_findings(fonts)
            probes = DeckProbes(package, outline, office=office, cache=cache, drawn=drawn)
            verdict = judge_pptx(outline, probes, no_data=no_data, text_gate=text_gate)
        else:
            findings = []
            deque(pages, maxlen=0)  # drawn and measured as they are gone through
            verdict = _verdict_without_package(deck, kind, drawn)
        rows = [*deck_rows(seen.rows, also=also), *seen.rows, *editability_rows(verdict)]
        still = seen.still or seen.rows
        looks = aesthetics_findings([*deck_rows(seen.rows), *still])
        if package is not None:  # lint knows whose text it is, and says it better
            looks = [item for item in looks if item.rule != "contrast.low"]
        findings = without_repeats([*looks, *findings])
        findings += editability_findings(verdict)
        result = DeckResult(
            deck=str(deck), status="scored", slides=len(drawn),
            measurements=tuple(rows), findings=tuple(findings),
        )  # fmt: skip
    return ScoredDeck(result, seen.pictures, seen.cover)


def unread_slides(package: Package, outline: DeckOutline) -> dict[int, str]:
    """Why slides could not be read, by number: a renderer draws a blank page in their place."""
    found: dict[int, str] = {}
    for slide in outline.slides if outline.problems else ():
        if not slide.part:
            found[slide.number] = "the deck lists this slide, but it is not in the file"
        elif not slide.shapes:
            try:
                package.xml(slide.part)
            except DAMAGE as error:
                found[slide.number] = f"{error.part or slide.part}: {error.detail}"
    return found


@dataclass
class _Seen:
    """What was measured of the slides gone through so far."""

    rows: list[Measurement] = field(default_factory=list)
    pictures: dict[int, SlidePicture] = field(default_factory=dict)
    cover: SlidePicture | None = None
    still: list[Measurement] = field(default_factory=list)
    """The rows with what can be judged of animated slides, where the elements are known."""


def _measure(
    drawn: RenderedDeck, also: Sequence[Variant], unread: Mapping[int, str], seen: _Seen
) -> Iterator[Page]:
    """Measure the slides one by one as their pages are asked for: each is drawn only once."""
    for slide in drawn:
        if slide.number in unread:
            reason = unread[slide.number]
            seen.rows += unread_slide_rows(slide.number, reason, also=also)
        else:
            seen.rows += slide_rows(
                slide.number, slide.image, text_regions(slide), slide.text_source,
                also=also,
            )  # fmt: skip
        seen.pictures[slide.number] = fit_jpeg(slide.image, slides=len(drawn))
        seen.cover = seen.cover or encode_jpeg(slide.image, width=COVER_WIDTH, quality=70)
        yield page_of(slide)


def _verdict_without_package(deck: Path, kind: FileKind | None, drawn: RenderedDeck) -> Editability:
    if isinstance(drawn, HtmlDeck):
        return judge_web(web_facts(drawn))
    if kind in (FileKind.ODP, FileKind.PPT):
        return not_covered(deck)
    return judge_static(deck)


def _untold(problems: Sequence[str], told: Sequence[str]) -> list[str]:
    """Problems of parts that none of those told is about."""
    parts = {problem.split(": ", 1)[0] for problem in told}
    return [problem for problem in problems if problem.split(": ", 1)[0] not in parts]
