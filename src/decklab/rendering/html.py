"""Facts about an HTML deck for the web protocol of the editability levels (paper 002, I.4.2).

The protocol edits text to see whether it reflows, and zooms in to see whether graphics stay sharp.
The edits are made on the page in the browser and undone; the file is only read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import RenderFailed
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.rendering.browser import DEADLINE_SECONDS, Browser, count_slides
from decklab.rendering.model import RenderedDeck, RenderedSlide, TextSpan
from decklab.rendering.pictures import scaled, tight_box

PAST_PX = 2.0  # ours: rounding of line boxes, as in decklab.rendering.html
_WORDS = 60


@dataclass(frozen=True)
class HtmlOverflow:
    """An element whose words run past its edges or those of the slide, by ``past`` CSS pixels."""

    slide: int
    """1-based."""
    element: str
    """Tag, id and classes, such as ``div.text``."""
    text: str
    """Its first words."""
    past: float


def html_overflows(path: str | Path, *, deadline: float = DEADLINE_SECONDS) -> list[HtmlOverflow]:
    """The elements of a deck with heights of their own whose words do not fit into them.

    Tables that grew past their height are among them. Slides, safety, deadline and errors are those
    of ``decklab.rendering.html.HtmlDeck``. Raises RendererMissing without Playwright or Chromium.
    """
    with _opened(Path(path), deadline) as browser:
        return [
            HtmlOverflow(number, item["element"], item["words"][:_WORDS], item["past"])
            for number in range(1, count_slides(browser) + 1)
            for item in browser.call("overflows", number - 1, browser.call("show", number - 1))
            if item["past"] > PAST_PX
        ]


@contextmanager
def _opened(path: Path, deadline: float) -> Iterator[Browser]:
    browser = Browser(path, deadline=deadline)
    try:
        yield browser
    finally:
        browser.close()


GraphicKind = Literal["img", "background", "canvas", "video", "svg"]

INSIDE_PX = 2.0  # ours: rounding of line boxes, in pixels of the 960x540 frame


@dataclass(frozen=True)
class TextState:
    """The place of a block of text on the slide; boxes in the 960x540 frame."""

    lines: int
    frame: Box
    """The element's own rectangle."""
    text: Box
    """Bounds of its line boxes."""

    @property
    def inside(self) -> bool:
        """Whether the text stays within its element."""
        return (
            self.text.left >= self.frame.left - INSIDE_PX
            and self.text.top >= self.frame.top - INSIDE_PX
            and self.text.right <= self.frame.right + INSIDE_PX
            and self.text.bottom <= self.frame.bottom + INSIDE_PX
        )


@dataclass(frozen=True)
class TextBlockFacts:
    """One block of text: an element that lays out a run of lines, with its inline children."""

    element: str
    """Tag, id and classes, such as ``p#intro.lead``."""
    text: str
    selectable: bool
    """False if the style forbids to select or click it."""
    svg: bool
    """True for text drawn in SVG, which never wraps."""
    absolute: bool
    """True if it or an element around it, up to the slide, is placed absolutely."""
    nowrap: bool
    """True if the style forbids line breaks."""
    clips: bool
    """True if the element hides what does not fit."""
    before: TextState
    doubled: TextState
    """With every word twice."""
    halved: TextState
    """With the second half of the words deleted."""
    filled: TextState
    """With the words repeated until they must take more lines, however wide the slide."""

    @property
    def reflows(self) -> bool:
        """Whether text that grows wraps: more lines, inside the element's sides and the slide's.

        Doubling alone does not show it: a short line doubled may still fit.

        >>> box, wide = Box(0, 0, 100, 20), Box(0, 0, 2000, 20)
        >>> one = TextState(1, box, box)
        >>> block = dict(element="p", text="a b", selectable=True, svg=False, absolute=False,
        ...              nowrap=False, clips=False, before=one, doubled=one, halved=one)
        >>> TextBlockFacts(**block, filled=TextState(9, box, Box(0, 0, 100, 180))).reflows
        True
        >>> TextBlockFacts(**block, filled=TextState(1, wide, wide)).reflows
        False
        """
        text, frame = self.filled.text, self.filled.frame
        return (
            self.filled.lines > self.before.lines
            and text.left >= frame.left - INSIDE_PX
            and text.right <= min(frame.right, max(FRAME_WIDTH, self.before.text.right)) + INSIDE_PX
        )

    @property
    def fragment(self) -> bool:
        """Whether it is one absolutely placed line that does not wrap: a piece of a paragraph
        pinned to its place, where an editor expects the paragraph."""
        return self.absolute and self.before.lines == 1 and not self.reflows


@dataclass(frozen=True)
class GraphicFacts:
    """One picture, drawing or background image."""

    kind: GraphicKind
    element: str
    vector: bool
    """True for SVG: sharp at every zoom."""
    natural: tuple[int, int] | None
    """Width and height in pixels of a raster; None for vectors and files that did not load."""
    box: Box
    """Where it shows, in the 960x540 frame; the whole slide for backgrounds of the page."""
    source: str
    """Address of the file as the page gives it, long ones cut; empty if drawn in place."""


@dataclass(frozen=True)
class HtmlSlideFacts:
    """Facts of one slide."""

    number: int
    """1-based."""
    size_px: tuple[float, float]
    """Width and height in CSS pixels."""
    blocks: tuple[TextBlockFacts, ...]
    graphics: tuple[GraphicFacts, ...]


@dataclass(frozen=True)
class HtmlFacts:
    """Facts of a whole HTML deck."""

    path: Path
    slides: tuple[HtmlSlideFacts, ...]


def read_facts(browser: Browser, slides: int) -> HtmlFacts:
    """The facts of the deck that ``browser`` shows, whose ``slides`` are counted already."""
    facts = tuple(_slide(browser, number) for number in range(1, slides + 1))
    return HtmlFacts(browser.path, facts)


def _slide(browser: Browser, number: int) -> HtmlSlideFacts:
    clip = browser.call("show", number - 1)
    scale = FRAME_WIDTH / clip["width"], FRAME_HEIGHT / clip["height"]
    blocks = browser.call("blocks", number - 1, clip)
    graphics = browser.call("graphics", number - 1, clip)
    return HtmlSlideFacts(
        number,
        (clip["width"], clip["height"]),
        tuple(_block(item, scale) for item in blocks),
        tuple(_graphic(item, scale) for item in graphics),
    )


def _block(item: dict[str, Any], scale: tuple[float, float]) -> TextBlockFacts:
    facts = {**item, "text": item["words"]}
    del facts["words"]
    states = ("before", "doubled", "halved", "filled")
    facts.update({name: _state(item[name], scale) for name in states})
    return TextBlockFacts(**facts)


def _state(item: dict[str, Any], scale: tuple[float, float]) -> TextState:
    frame, text = Box(**item["frame"]), Box(**item["text"])
    return TextState(item["lines"], frame.scaled(*scale), text.scaled(*scale))


def _graphic(item: dict[str, Any], scale: tuple[float, float]) -> GraphicFacts:
    natural = item["natural"]
    size = None if natural is None or item["vector"] else (int(natural[0]), int(natural[1]))
    box = Box(**item["box"]).scaled(*scale)
    return GraphicFacts(item["kind"], item["element"], item["vector"], size, box, item["source"])


PT_PER_PX = 0.75


class HtmlDeck(RenderedDeck):
    """The slides of an HTML file, shown one at a time in a 1280x720 window.

    Slides are, by the first that fits: the sections of reveal.js (nested ones flattened), the
    outermost elements with class ``slide`` or attribute ``data-slide``, sections directly in the
    body (and Marp's), else pages of the window's height. A slide takes its element's rectangle;
    all fragments of it are shown. A CSS pixel counts as 0.75 points.

    Spans come from the document: their boxes are shrunk from the line box to the ink seen in the
    picture, the font is the first family asked for that the machine has, and the colour is empty
    if text is not painted in a plain one. ``deadline`` bounds the seconds of each slide. Raises
    RendererMissing, RenderTimeout, RenderFailed and DeckError. Needs ``decklab[html]``; cannot be
    used inside a running asyncio loop.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        size: tuple[int, int] = (1280, 720),
        deadline: float = DEADLINE_SECONDS,
    ) -> None:
        self.path = Path(path)
        self.kind = "html"
        self._size = size
        self._browser = Browser(self.path, deadline=deadline)
        self.isolated = self._browser.isolated
        self.engine = self._browser.version
        try:
            self._count = count_slides(self._browser)
            first = self._browser.call("show", 0)
        except BaseException:
            self.close()
            raise
        self.slide_size_pt = (first["width"] * PT_PER_PX, first["height"] * PT_PER_PX)

    def __len__(self) -> int:
        return self._count

    def slide(self, number: int) -> RenderedSlide:
        """Show and picture one slide."""
        self._check(number)
        clip = self._browser.call("show", number - 1)
        shot = _decoded(self._browser.screenshot(clip), self.path)
        runs = self._browser.call("spans", number - 1, clip)
        spans = tuple(_span(item, shot, clip) for item in runs)
        return RenderedSlide(number, scaled(shot, self._size), spans, "dom")

    def facts(self) -> HtmlFacts:
        """Text blocks and graphics of each slide, and the blocks with doubled and halved text."""
        return read_facts(self._browser, self._count)

    def close(self) -> None:
        """End the browser."""
        self._browser.close()


def _decoded(png: bytes, path: Path) -> NDArray[np.uint8]:
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise RenderFailed(path, "Chromium gave no picture")
    return np.ascontiguousarray(image[:, :, ::-1])


def _span(item: dict[str, Any], shot: NDArray[np.uint8], clip: dict[str, float]) -> TextSpan:
    """One run of the page as a span; ``item`` is in CSS pixels of the clip."""
    loose = Box(item["left"], item["top"], item["right"], item["bottom"])
    scale = FRAME_WIDTH / clip["width"], FRAME_HEIGHT / clip["height"]
    return TextSpan(
        text=item["text"],
        box=tight_box(shot, loose).scaled(*scale),
        font=item["font"],
        size_pt=round(item["size"] * PT_PER_PX, 2),
        color=item["color"],
        line=item["line"],
    )
