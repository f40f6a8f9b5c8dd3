"""Words of HTML pages that run out of their elements, as a browser lays them out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.rendering.html import Browser, count_slides
from decklab.rendering.kept_browser import KEPT_BROWSER

PAST_PX: Final = 2.0  # ours: rounding of line boxes, as in decklab.rendering.html
_WORDS: Final = 60


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


def html_overflows(html: str) -> list[HtmlOverflow]:
    """The elements of a deck, one HTML text, with heights of their own whose words do not fit.

    Tables that grew past their height are among them. Slides are those of
    ``decklab.rendering.html.HtmlDeck``. Raises RenderError and LimitExceeded.
    """

    def overflows(browser: Browser, file: Path) -> list[HtmlOverflow]:
        file.write_text(html, encoding="utf-8")
        browser.visit(file)
        return [
            HtmlOverflow(number, item["element"], item["words"][:_WORDS], item["past"])
            for number in range(1, count_slides(browser) + 1)
            for item in browser.call("overflows", number - 1, browser.call("show", number - 1))
            if item["past"] > PAST_PX
        ]

    return KEPT_BROWSER.run(overflows)
