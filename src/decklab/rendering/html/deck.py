"""An HTML deck as slides: pictures by Chromium, text from the laid-out document."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.errors import RenderFailed
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.rendering.html.browser import DEADLINE_SECONDS, Browser, count_slides
from decklab.rendering.html.probe import HtmlFacts, read_facts
from decklab.rendering.images import scaled
from decklab.rendering.ink import tight_box
from decklab.rendering.model import RenderedDeck, RenderedSlide, TextSpan

__all__ = ["HtmlDeck"]

PT_PER_PX = 0.75


class HtmlDeck(RenderedDeck):
    """The slides of an HTML file, shown one at a time in a 1280x720 window.

    Slides are, by the first that fits: the sections of reveal.js (nested ones flattened), the
    outermost elements with class ``slide`` or attribute ``data-slide``, sections directly in the
    body (and Marp's), else pages of the window's height. A slide takes its element's rectangle;
    all fragments of it are shown. A CSS pixel counts as 0.75 points.

    Spans come from the document: their boxes are shrunk from the line box to the ink seen in the
    picture, the font is the first family asked for that the machine has, and the colour is empty
    where text is not painted in a plain one. ``deadline`` in seconds holds for each slide. Raises
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
        found = self._browser.call("spans", number - 1, clip)
        spans = tuple(_span(item, shot, clip) for item in found)
        return RenderedSlide(number, scaled(shot, self._size), spans, "dom")

    def facts(self) -> HtmlFacts:
        """What ``probe_html`` tells of the deck, seen in the browser that shows it."""
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
