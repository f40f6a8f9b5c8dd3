"""A page with all designs side by side, drawn with slides of a document or with sample slides."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.board.blueprint import DeckPlan
from decklab.board.pages.layout import lay_out_deck
from decklab.board.themes import THEMES, DesignTheme
from decklab.core.errors import PlanError
from decklab.core.files import package_data, scratch_folder
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.pictures import SlidePicture, encode_jpeg
from decklab.rendering.html import HtmlDeck
from decklab.writer.design_choice import design_for
from decklab.writer.request import WriteOptions
from decklab.writer.write import plan_of_source

DESIGN_PAGE: Final = "designs.html"
_SAMPLE: Final = "designs.md"
_WIDTH, _QUALITY = 480, 82
"""Ours: of a picture, so that a page of twelve designs stays below 3 MB."""


@dataclass(frozen=True)
class ShownDesign:
    """A design as the page shows it; ``problem`` says why there are no pictures."""

    theme: DesignTheme
    pictures: tuple[SlidePicture, ...]
    problem: str = ""


def write_design_page(
    path: str | Path, source: str | Path | None = None, *, slides: int = 6, force: bool = False
) -> str:
    """Write a page that shows the first ``slides`` slides in every design; returns the name of the
    one that suits topic and audience.

    ``source`` is slides in Markdown or a document, of which a deck is planned by rules; None takes
    sample slides. Raises NameTaken if ``path`` is a file and ``force`` is false, PlanError or
    OSError if the source gives no deck, RendererMissing without Chromium.
    """
    check_page(path, DESIGN_PAGE, inputs=[] if source is None else [source], force=force)
    with scratch_folder("designs") as folder:
        plan = plan_of_source(_sample(folder) if source is None else Path(source), folder)
        chosen = design_for(plan, WriteOptions())
        first = plan.model_copy(update={"slides": plan.slides[:slides]})
        shown = [_shown(first, THEMES[name], folder) for name in THEMES]
    with output_page(path, DESIGN_PAGE) as page:
        write_page(
            page, DESIGN_PAGE, "open-for-print.js", package="decklab.writer",
            title=plan.title, designs=shown, chosen="" if source is None else chosen,
        )  # fmt: skip
    return chosen


def _sample(folder: Path) -> Path:
    sample = folder / _SAMPLE
    sample.write_bytes(package_data("decklab.writer", f"templates/{_SAMPLE}"))
    return sample


def _shown(plan: DeckPlan, theme: DesignTheme, folder: Path) -> ShownDesign:
    try:
        deck = lay_out_deck(plan, theme)
    except PlanError as error:
        return ShownDesign(theme, (), str(error))
    page = folder / f"{theme.name}.html"
    page.write_text(deck.html, encoding="utf-8")
    with HtmlDeck(page) as drawn:
        pictures = [drawn.slide(number).image for number in range(1, len(plan.slides) + 1)]
    return ShownDesign(
        theme, tuple(encode_jpeg(image, width=_WIDTH, quality=_QUALITY) for image in pictures)
    )
