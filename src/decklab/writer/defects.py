"""Faults of the slides of a laid-out deck as they are drawn: paper 004, section V-C.

A browser lays the HTML out and says which words leave their boxes; LibreOffice draws the .pptx, and
lint looks at that. The weights of defects make two states of a deck comparable.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from decklab.board.pages.layout import LaidOutDeck
from decklab.board.pages.writing import write_pages
from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.linting.lint import lint
from decklab.pages.pictures import encode_png
from decklab.rendering.html import Browser, count_slides
from decklab.rendering.kept_browser import KEPT_BROWSER
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

DefectKind = Literal["text_overflow", "lint_error", "lint_warning"]
"""``text_overflow`` is found by the browser, the others by lint."""
WEIGHTS: Final[Mapping[DefectKind, int]] = {"text_overflow": 4, "lint_error": 3, "lint_warning": 1}
"""What a defect counts. Ours: what cannot be read counts most."""
_SIZE = (960, 540)


@dataclass(frozen=True)
class SlideDefect:
    """Something wrong with a slide, as it is drawn. ``slide`` is 1-based; None for the deck."""

    slide: int | None
    kind: DefectKind
    detail: str

    @property
    def weight(self) -> int:
        """What it counts."""
        return WEIGHTS[self.kind]

    def __str__(self) -> str:
        place = "the deck" if self.slide is None else f"slide {self.slide}"
        return f"{place}: {self.kind}: {self.detail}"


@dataclass(frozen=True)
class DrawnDefects:
    """The defects of a deck, and what could not be looked for and why.

    ``pictures`` are PNG files of the slides by their numbers; empty if they were not wanted.
    """

    defects: tuple[SlideDefect, ...] = ()
    not_run: tuple[str, ...] = ()
    pictures: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """What all of them count."""
        return sum(defect.weight for defect in self.defects)


class DefectFinder:
    """Draws decks and looks for defects, with ``pictures`` for a model to look at.

    ``renderer`` is a started one with a cache.
    """

    def __init__(self, renderer: Renderer, *, pictures: bool = False) -> None:
        self._renderer, self._pictures = renderer, pictures

    def look(self, pages: LaidOutDeck) -> DrawnDefects:
        """The defects of a deck. Raises OSError and DeckError."""
        with scratch_folder("refine") as folder:
            deck = write_pages(pages, folder / "deck.pptx")
            overflows, not_run = _in_browser(pages.html)
            linted, also = linted_defects(deck, self._renderer)
            pictures, unseen = self._drawn(deck) if self._pictures else ({}, [])
        ordered = sorted(
            (*overflows, *linted), key=lambda item: (item.slide or 0, item.kind, item.detail)
        )
        return DrawnDefects(
            tuple(dict.fromkeys(ordered)), (*not_run, *also, *unseen), pictures
        )  # fmt: skip

    def _drawn(self, deck: Path) -> tuple[dict[int, bytes], list[str]]:
        """The slides as LibreOffice draws them, or why there are none."""
        try:
            with open_rendered(deck, renderer=self._renderer, size=_SIZE, ocr=False) as drawn:
                return {slide.number: encode_png(slide.image) for slide in drawn}, []
        except RenderError as error:
            return {}, [f"slides were not shown to the model: {error}"]


def linted_defects(deck: Path, renderer: Renderer) -> tuple[list[SlideDefect], list[str]]:
    """What lint finds on the slides of a deck, errors and warnings, and why it could not look."""
    result = lint(deck, renderer=renderer).at_least("warning")
    linted = [
        SlideDefect(
            number,
            "lint_error" if item.severity == "error" else "lint_warning",
            f"{item.rule}: {item.message}",
        )
        for item in result.findings
        for number in (item.slides or (item.slide,))
    ]
    reasons = dict.fromkeys(result.not_run.values())
    return linted, [f"lint of drawn slides: {reason}" for reason in reasons]


def _in_browser(html: str) -> tuple[list[SlideDefect], list[str]]:
    try:
        overflows = html_overflows(html)
    except (RenderError, DeckError) as error:
        return [], [f"the browser: {error}"]
    return [
        SlideDefect(
            item.slide, "text_overflow", f"{item.text!r} runs {item.past:.0f} pixels over its box"
        )
        for item in overflows
    ], []


def slide_weights(pages: LaidOutDeck, defects: Sequence[SlideDefect]) -> dict[int, int]:
    """What the defects of each slide of the plan count, by its place from 0; those of its parts
    together, without those of the deck as a whole."""
    weights: dict[int, int] = {}
    for defect in defects:
        if defect.slide is not None:
            at = pages.places[defect.slide - 1]
            weights[at] = weights.get(at, 0) + defect.weight
    return weights


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
