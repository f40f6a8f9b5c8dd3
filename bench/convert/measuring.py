"""Measure one converted deck beside what the browser shows of its pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from bench.convert.agreement import NEAR_PX, BlockAgreement, block_agreements, dice, pair_words
from bench.convert.native import NativeSlide, native_share, native_slides
from bench.convert.words import Word, browser_word, drawn_words
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.diffing.pictures import color_ssim
from decklab.rendering.html import DEADLINE_SECONDS, Browser, count_slides
from decklab.rendering.renderer import Renderer

_SCRIPT: Final = Path(__file__).with_name("words.js").read_text(encoding="utf-8")
_FRAME: Final = (int(FRAME_WIDTH), int(FRAME_HEIGHT))

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class BrowserSlide:
    """A slide in Chromium."""

    size: tuple[float, float]
    """Width and height in CSS pixels."""
    words: tuple[Word, ...]
    heading: str
    pictures: int
    """Raster pictures that the page has here, backgrounds too."""
    image: Image
    """960x540."""


@dataclass(frozen=True)
class Measures:
    """How one PPTX agrees with its deck; shares are 0 to 1, None where nothing can be measured."""

    slides: int
    """In the browser."""
    converted: int
    words: float
    """Share of words in common, python-pptx's of the PPTX with those of the pages."""
    baselines: float | None
    """Share of blocks whose first baseline is within 2 px."""
    baseline_px: float | None
    """The median distance of first baselines that were found."""
    ink: float | None
    """Share of blocks whose ink is within 2 px on all sides."""
    lines: float | None
    """Share of blocks with as many lines."""
    more_lines: int
    """Blocks that take more lines as drawn."""
    picture: float
    """Mean SSIM of the channel that differs most, at 960x540; a slide that lacks counts 0."""
    native: float
    titles: float | None
    """Share of slides with a heading that have it in a title placeholder."""


def browser_slides(pages: Sequence[Path]) -> Iterator[BrowserSlide]:
    """The slides of the HTML files of a deck, in order."""
    for page in pages:
        browser = Browser(page, deadline=DEADLINE_SECONDS)
        try:
            for at in range(count_slides(browser)):
                clip = browser.call("show", at)
                facts = browser.page.evaluate(_SCRIPT, clip)
                yield BrowserSlide(
                    (clip["width"], clip["height"]),
                    tuple(map(browser_word, facts["words"])),
                    facts["heading"], facts["pictures"], _decoded(browser.screenshot(clip)),
                )  # fmt: skip
        finally:
            browser.close()


def _decoded(png: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None, "Chromium gave no picture"
    return _framed(np.ascontiguousarray(image[:, :, ::-1]).astype(np.uint8))


def _framed(image: Image) -> Image:
    return np.asarray(cv2.resize(image, _FRAME, interpolation=cv2.INTER_AREA), np.uint8)


def measure(
    slides: Sequence[BrowserSlide], deck: Path, renderer: Renderer, pictures: Path | None = None
) -> Measures:
    """Measure a PPTX against the slides that it should show.

    With ``pictures`` the browser's picture and LibreOffice's stand there side by side, by slide.
    """
    native = native_slides(deck)
    blocks: list[BlockAgreement] = []
    likeness: list[float] = []
    document = pypdfium2.PdfDocument(renderer.pdf(deck))
    try:
        drawn = list(document)[: len(native)]
        for number, (slide, page) in enumerate(zip_longest(slides, drawn), start=1):
            shown = None if page is None else _raster(page)
            if slide is None or shown is None:
                likeness.append(0.0)
                continue
            blocks += block_agreements(pair_words(slide.words, drawn_words(page, *slide.size)))
            likeness.append(color_ssim(slide.image, shown))
            if pictures is not None:
                _save(pictures / f"{deck.stem}-{number}.png", slide.image, shown)
    finally:
        document.close()
    return _summed(slides, native, blocks, likeness)


def _raster(page: Any) -> Image:
    across, _ = page.get_size()
    return _framed(np.asarray(page.render(scale=2 * _FRAME[0] / across).to_numpy()[:, :, ::-1]))


def _save(path: Path, left: Image, right: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    gap = np.full((left.shape[0], 8, 3), 128, np.uint8)
    cv2.imwrite(str(path), np.hstack([left, gap, right])[:, :, ::-1])


def _summed(
    slides: Sequence[BrowserSlide], native: Sequence[NativeSlide],
    blocks: Sequence[BlockAgreement], likeness: Sequence[float],
) -> Measures:  # fmt: skip
    asked = [word.text for slide in slides for word in slide.words]
    headed = [
        (slide, other) for slide, other in zip_longest(slides, native)
        if slide is not None and slide.heading.strip()
    ]  # fmt: skip
    offsets = [abs(block.baseline) for block in blocks if block.baseline is not None]
    return Measures(
        slides=len(slides), converted=len(native),
        words=dice(asked, [word for slide in native for word in slide.words]),
        baselines=_share(block.baseline is not None and abs(block.baseline) <= NEAR_PX
                         for block in blocks),
        baseline_px=median(offsets) if offsets else None,
        ink=_share(block.ink is not None and block.ink <= NEAR_PX for block in blocks),
        lines=_share(block.lines == block.drawn_lines for block in blocks),
        more_lines=sum(block.drawn_lines > block.lines for block in blocks),
        picture=fmean(likeness) if likeness else 0.0,
        native=native_share((other, slide.pictures) for slide, other in
                            zip(slides, native, strict=False)),
        titles=_share(other is not None and _alike(slide.heading, other.title)
                      for slide, other in headed),
    )  # fmt: skip


def _alike(heading: str, title: str) -> bool:
    return "".join(heading.split()).casefold() == "".join(title.split()).casefold()


def _share(items: Any) -> float | None:
    flags = list(items)
    return sum(flags) / len(flags) if flags else None
