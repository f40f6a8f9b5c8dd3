"""One deck, scored: opened, drawn once, measured slide by slide, probed, judged."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from decklab.deck.outline import DeckOutline
from decklab.deck.reading import read_outline
from decklab.deck.source import DAMAGE
from decklab.errors import DecklabError
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.metrics.aesthetics.findings import findings as aesthetics_findings
from decklab.metrics.aesthetics.regions import TextRegion
from decklab.metrics.aesthetics.rows import deck_rows, slide_rows, unread_slide_rows
from decklab.metrics.editability import (
    Editability,
    editability_findings,
    editability_row,
    judge_pptx,
    judge_static,
    judge_web,
    not_covered,
)
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.render import Cache, RenderedDeck, RenderedSlide, open_rendered
from decklab.render.html import HtmlDeck
from decklab.render.office import Converter
from decklab.reports import SlidePicture
from decklab.results import DeckResult, Finding, Measurement
from decklab.scoring.fonts import font_findings
from decklab.scoring.probes import DeckProbes, web_facts
from decklab.scoring.thumbnails import COVER_WIDTH, encode_jpeg, fit_jpeg

__all__ = ["ScoredDeck", "failed", "score_deck", "unread_slides"]


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
    also: Sequence[Literal["aim"]] = (),
    no_data: Literal["failed", "not_applicable"] = "failed",
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
        package = outline = None
        if kind is FileKind.PPTX:
            package = stack.enter_context(Package.open(deck))
            outline = read_outline(package)
        drawn = stack.enter_context(
            open_rendered(
                deck,
                office=office,
                cache=cache,
                deadline=deadline,
                expected_slides=None if outline is None else len(outline.slides),
            )
        )
        unread = {} if package is None or outline is None else unread_slides(package, outline)
        rows, pictures, cover = _measure(drawn, also, unread)
        findings = aesthetics_findings(rows)
        if package is not None and outline is not None:
            probes = DeckProbes(package, outline, office=office, cache=cache, drawn=drawn)
            verdict = judge_pptx(outline, probes, no_data=no_data)
            findings += font_findings(package, office, cache) + _problems(outline)
        else:
            verdict = _verdict_without_package(deck, kind, drawn)
        rows.append(editability_row(verdict))
        findings += editability_findings(verdict)
        result = DeckResult(
            deck=str(deck), status="scored", slides=len(drawn),
            measurements=tuple(rows), findings=tuple(findings),
        )  # fmt: skip
    return ScoredDeck(result, pictures, cover)


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


def _measure(
    drawn: RenderedDeck, also: Sequence[str], unread: Mapping[int, str]
) -> tuple[list[Measurement], dict[int, SlidePicture], SlidePicture | None]:
    rows: list[Measurement] = []
    pictures: dict[int, SlidePicture] = {}
    cover = None
    for slide in drawn:
        if slide.number in unread:
            reason = unread[slide.number]
            rows += unread_slide_rows(slide.number, reason, also_aim="aim" in also)
        else:
            rows += slide_rows(
                slide.number, slide.image, _regions(slide), slide.text_source,
                also_aim="aim" in also,
            )  # fmt: skip
        pictures[slide.number] = fit_jpeg(slide.image, slides=len(drawn))
        cover = cover or encode_jpeg(slide.image, width=COVER_WIDTH, quality=70)
    return [*deck_rows(rows), *rows], pictures, cover


def _regions(slide: RenderedSlide) -> list[TextRegion]:
    height, width = slide.image.shape[:2]
    x, y = width / FRAME_WIDTH, height / FRAME_HEIGHT
    return [
        TextRegion(
            box=span.box.scaled(x, y), text=span.text, frame_box=span.box, size_pt=span.size_pt,
            bold="bold" in span.font.lower(), ink=span.color,
        )
        for span in slide.spans
    ]  # fmt: skip


def _verdict_without_package(deck: Path, kind: FileKind | None, drawn: RenderedDeck) -> Editability:
    if isinstance(drawn, HtmlDeck):
        return judge_web(web_facts(drawn))
    if kind in (FileKind.ODP, FileKind.PPT):
        return not_covered(deck)
    return judge_static(deck)


def _problems(outline: DeckOutline) -> list[Finding]:
    return [
        Finding(
            rule="package.damaged-part", severity="error", message=problem,
            fix="Open the deck in its application, let it repair the file, and save it again.",
        )
        for problem in outline.problems
    ]  # fmt: skip
