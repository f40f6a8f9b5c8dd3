"""Decks as files: pages that the browser laid out, as a native .pptx and as one HTML file."""

from pathlib import Path
from typing import Final

from decklab.board.blueprint import DeckPlan
from decklab.board.native.decks import write_native
from decklab.board.native.palette import Palette
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import SCHEME, THEMES, DesignTheme
from decklab.core.files import output_file
from decklab.rendering.html import Browser
from decklab.rendering.kept_browser import KEPT_BROWSER

_CLIPS: Final = """() => [...document.querySelectorAll("section.slide")].map((page) => {
  const box = page.getBoundingClientRect();
  return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height };
})"""


def write_deck(
    plan: DeckPlan, theme: DesignTheme | str, out: str | Path, *, html: str | Path | None = None,
    force: bool = True,
) -> LaidOutDeck:  # fmt: skip
    """Lay out a plan in a theme and write it as .pptx; as one HTML file, too, if ``html`` is given.

    Returns the pages. Each file is written whole or not at all. Raises what ``lay_out_deck`` does,
    UnknownName for an unknown theme, NameTaken for a file that exists if not ``force``, OSError if
    a file cannot be written.
    """
    look = THEMES[theme] if isinstance(theme, str) else theme
    deck = lay_out_deck(plan, look)
    write_pages(deck, out, force=force)
    if html is not None:
        with output_file(html, force=force) as unfinished:
            unfinished.write_text(deck.html, encoding="utf-8")
    return deck


def write_pages(deck: LaidOutDeck, out: str | Path, *, force: bool = True) -> Path:
    """Write laid-out pages as .pptx, whole or not at all; equal input gives equal bytes.

    Raises OSError if the file cannot be written.
    """
    with output_file(out, force=force) as unfinished:
        write_native(deck.measured, unfinished, theme_palette(deck.theme))
    return Path(out)


def page_pictures(deck: LaidOutDeck) -> list[bytes]:
    """The pages as the browser draws them, each a PNG of 960 by 540 pixels.

    Raises what the browser raises.
    """

    def drawn(browser: Browser, file: Path) -> list[bytes]:
        file.write_text(deck.html, encoding="utf-8")
        browser.visit(file)
        clips = browser.page.evaluate(_CLIPS)
        return [browser.screenshot(clip) for clip in clips]

    return KEPT_BROWSER.run(drawn)


def theme_palette(theme: DesignTheme) -> Palette:
    """The colours and fonts of a theme as a presentation has them."""
    slots = {slot: theme.colors.value(token) for token, slot in SCHEME.items()}
    return Palette(slots, theme.fonts.heading, theme.fonts.body)
