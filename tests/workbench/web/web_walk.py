"""A person at the page of a deck, in a browser."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from pptx import Presentation

from decklab.workbench.web.workbench import Workbench

SECONDS = 120_000


class Walk:
    """A person at the page of a deck."""

    def __init__(self, page: Page, served: tuple[str, Workbench], deck: Path) -> None:
        self._at(page, served[1])
        page.goto(served[0])
        page.set_input_files("#files", str(deck))
        self._seen()

    @classmethod
    def opened(cls, page: Page, bench: Workbench, place: str, name: str) -> "Walk":
        """A person who opens a deck of the folder."""
        self = cls.__new__(cls)
        self._at(page, bench)
        page.goto(place)
        page.click(f".card a:has(strong:text-is('{name}'))")
        self._seen()
        return self

    def _at(self, page: Page, bench: Workbench) -> None:
        self.page, self.bench, self.said = page, bench, list[str]()
        page.set_default_timeout(SECONDS)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))

    def _seen(self) -> None:
        page = self.page
        page.wait_for_url(re.compile("/decks/"))
        page.wait_for_selector(".film li:last-child img")
        page.locator("#stage img").evaluate("(picture) => picture.decode()")
        self.deck = str(page.get_attribute(".desk", "data-deck"))
        self.slide(1)  # it may open on a slide with an error

    def slide(self, number: int) -> None:
        """Go to a slide by its picture in the filmstrip."""
        self.page.click(f".film li:nth-child({number}) a")
        self.page.wait_for_selector(f".desk[data-slide='{number}'] #stage img")
        self.page.locator("#stage img").evaluate("(picture) => picture.decode()")

    def version(self, number: int) -> Any:
        """Wait until the page shows a version as it was drawn; the deck of it."""
        self.page.wait_for_selector(f".desk[data-version='{number}'] #stage:not([aria-busy]) img")
        assert self.page.inner_text("#told") == ""
        row = self.bench.library.version(self.deck, number)
        return Presentation(str(self.bench.library.file(row)))

    def middle(self, name: str) -> tuple[float, float]:
        """The middle of a shape on the screen."""
        left, top, width, height = self.box(f"[data-content][aria-label='{name}'] rect")
        return left + width / 2, top + height / 2

    def box(self, selector: str) -> list[float]:
        """Left, top, width and height of something on the screen."""
        self.page.wait_for_selector(selector, state="attached")
        return list(self.page.evaluate(
            "(one) => { const box = document.querySelector(one).getBoundingClientRect();"
            " return [box.left, box.top, box.width, box.height]; }", selector,
        ))  # fmt: skip


def titles(prs: Any) -> list[str]:
    return [slide.shapes.title.text for slide in prs.slides]
