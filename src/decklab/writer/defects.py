"""What is wrong with the slides of a laid-out deck as they are drawn: paper 004, section V-C.

A browser lays the HTML out and says which words leave their boxes; LibreOffice draws the .pptx, and
lint looks at that; a model that takes pictures looks at each slide for the four kinds of defects of
appendix C. The weights of defects make two states of a deck comparable.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from PIL import Image

from decklab.board.blueprint import SlidePlan
from decklab.board.pages.layout import LaidOutDeck
from decklab.board.pages.writing import write_pages
from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.linting.lint import lint
from decklab.models.asking import PARALLEL, Ask, StrictForm, Usage, fill_prompt
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Unanswered, answered
from decklab.rendering.opening import open_rendered
from decklab.rendering.overflows import html_overflows
from decklab.rendering.renderer import Renderer
from decklab.writer.patches import slide_for_model

SeenKind = Literal[
    "overflow_cropped", "overlap_unreadable", "garbled_rendering", "image_text_mismatch"
]
"""What a model may find in the picture of a slide: paper 004, appendix C."""
DefectKind = SeenKind | Literal["text_overflow", "lint_error", "lint_warning", "not_inspected"]
"""``text_overflow`` is found by the browser; ``not_inspected`` is a slide of which no usable answer
came: it counts, so that a silent model makes no deck better."""

WEIGHTS: Final[Mapping[DefectKind, int]] = {
    "overflow_cropped": 4, "overlap_unreadable": 4, "garbled_rendering": 4,
    "image_text_mismatch": 4, "text_overflow": 4, "lint_error": 3, "lint_warning": 1,
    "not_inspected": 4,
}  # fmt: skip
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


class SeenDefect(StrictForm):
    """A defect in the picture of a slide: its kind, where it is, and what is wrong."""

    kind: SeenKind
    where: str
    what: str


class SlideInspection(StrictForm):
    """All defects in the picture of a slide; empty where there is none."""

    defects: tuple[SeenDefect, ...]


@dataclass(frozen=True)
class DrawnDefects:
    """The defects of a deck, what could not be looked for and why, and what looking cost.

    ``pictures`` are PNG files of the slides that a model looked at, by their numbers.
    """

    defects: tuple[SlideDefect, ...] = ()
    not_run: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    pictures: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        """What all of them count."""
        return sum(one.weight for one in self.defects)


class DefectFinder:
    """Draws decks and looks for defects; slides that did not change are looked at once.

    ``renderer`` is a started one with a cache. Without a model only programs look.
    """

    def __init__(self, renderer: Renderer, ask: Ask | None = None) -> None:
        self._renderer, self._ask = renderer, ask
        self._seen: dict[str, SlideInspection | str] = {}
        """What was found on a slide, or why nothing could be, by its content."""
        self._blind = ""

    def look(self, pages: LaidOutDeck) -> DrawnDefects:
        """The defects of a deck. Raises what asking the model raises, OSError and DeckError."""
        with scratch_folder("refine") as folder:
            deck = write_pages(pages, pages.theme, folder / "deck.pptx")
            found, not_run = _in_browser(pages.html)
            linted, also = self._linted(deck)
            drawn, usage, unseen = self._inspected(pages, deck)
        ordered = sorted(
            (*found, *linted, *drawn[0]), key=lambda one: (one.slide or 0, one.kind, one.detail)
        )
        return DrawnDefects(
            tuple(dict.fromkeys(ordered)), (*not_run, *also, *unseen), usage, drawn[1]
        )

    def _linted(self, deck: Path) -> tuple[list[SlideDefect], list[str]]:
        result = lint(deck, renderer=self._renderer).at_least("warning")
        found = [
            SlideDefect(
                number,
                "lint_error" if item.severity == "error" else "lint_warning",
                f"{item.rule}: {item.message}",
            )
            for item in result.findings
            for number in (item.slides or (item.slide,))
        ]
        reasons = dict.fromkeys(result.not_run.values())
        return found, [f"lint of drawn slides: {reason}" for reason in reasons]

    def _inspected(
        self, pages: LaidOutDeck, deck: Path
    ) -> tuple[tuple[list[SlideDefect], dict[int, bytes]], Usage, list[str]]:
        """What a model sees on each slide, with the pictures that it was shown."""
        if self._ask is None:
            return ([], {}), Usage(), []
        if blind := self._blind_lines():
            return ([], {}), Usage(), blind
        try:
            with open_rendered(
                deck, renderer=self._renderer, size=_SIZE, ocr=False
            ) as drawn:  # fmt: skip
                pictures = {slide.number: _png(Image.fromarray(slide.image)) for slide in drawn}
        except RenderError as error:
            return ([], {}), Usage(), [f"slides were not shown to the model: {error}"]
        keys = {
            number: f"{size} {slide.model_dump_json()}"
            for number, (slide, size) in enumerate(
                zip(pages.slides, pages.sizes, strict=True), start=1
            )
        }
        usage = self._ask_about(pages, pictures, keys)
        found = [
            defect for number, key in keys.items() for defect in _seen(number, self._seen.get(key))
        ]
        blind = self._blind_lines()
        return (found, {} if blind else pictures), usage, blind

    def _blind_lines(self) -> list[str]:
        """Why the model does not look at slides; empty where it does."""
        return [self._blind] if self._blind else []

    def _ask_about(
        self, pages: LaidOutDeck, pictures: Mapping[int, bytes], keys: Mapping[int, str]
    ) -> Usage:
        """Ask about the slides whose content is new; their answers are kept by content."""
        new: dict[str, int] = {}
        for number, key in keys.items():
            if key not in self._seen:
                new.setdefault(key, number)
        order = sorted(new.values())
        with ThreadPoolExecutor(PARALLEL) as pool:
            made = list(
                pool.map(
                    lambda number: self._inspection(pages.slides[number - 1], pictures[number]),
                    order,
                )
            )
        usage = Usage()
        for number, (inspection, spent) in zip(order, made, strict=True):
            usage += spent
            if inspection is not None:
                self._seen[keys[number]] = inspection
        return usage

    def _inspection(
        self, slide: SlidePlan, picture: bytes
    ) -> tuple[SlideInspection | str | None, Usage]:
        """What a model sees, or why its answers could not be used; None where it sees nothing."""
        assert self._ask is not None, "asked only where there is a model"
        text = fill_prompt("decklab.writer", "prompts/defects.txt", slide=slide_for_model(slide))
        try:
            reply = answered(
                self._ask, text, SlideInspection, stage="defects", images=[picture]
            )  # fmt: skip
        except PicturesUnseen as error:
            self._blind = f"the model did not look at the slides: {error.detail}"
            return None, Usage()
        except Unanswered as error:
            return error.problem, error.usage
        return reply.answer, reply.usage


def _in_browser(html: str) -> tuple[list[SlideDefect], list[str]]:
    try:
        found = html_overflows(html)
    except (RenderError, DeckError) as error:
        return [], [f"the browser: {error}"]
    return [
        SlideDefect(
            one.slide, "text_overflow", f"{one.text!r} runs {one.past:.0f} pixels over its box"
        )
        for one in found
    ], []


def _seen(number: int, said: SlideInspection | str | None) -> Iterator[SlideDefect]:
    if isinstance(said, str):
        yield SlideDefect(number, "not_inspected", said)
    elif said is not None:
        for one in said.defects:
            yield SlideDefect(number, one.kind, f"{one.where}: {one.what}")


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def slide_weights(pages: LaidOutDeck, defects: Sequence[SlideDefect]) -> dict[int, int]:
    """What the defects of each slide of the plan count, by its place from 0; those of its parts
    together, without those of the deck as a whole."""
    weights: dict[int, int] = {}
    for one in defects:
        if one.slide is not None:
            at = pages.places[one.slide - 1]
            weights[at] = weights.get(at, 0) + one.weight
    return weights
