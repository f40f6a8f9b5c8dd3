"""Words of an HTML deck that do not stay in their boxes, as a browser lays them out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decklab.rendering.browser import DEADLINE_SECONDS, Browser, count_slides

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
