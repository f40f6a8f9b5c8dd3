"""Pages that the browser laid out, as a native .pptx."""

from pathlib import Path

from decklab.board.native.decks import write_native
from decklab.board.native.palette import Palette
from decklab.board.pages.layout import LaidOutDeck
from decklab.board.pptx_text import SCHEME
from decklab.board.themes import DesignTheme
from decklab.core.files import output_file


def write_pages(
    deck: LaidOutDeck, theme: DesignTheme, out: str | Path, *, force: bool = True
) -> Path:
    """Write laid-out pages as .pptx, whole or not at all; equal input gives equal bytes.

    Raises OSError if the file cannot be written.
    """
    with output_file(out, force=force) as unfinished:
        write_native(deck.measured, unfinished, theme_palette(theme))
    return Path(out)


def theme_palette(theme: DesignTheme) -> Palette:
    """The colours and fonts of a theme as a presentation has them."""
    slots = {slot: theme.colors.value(token) for token, slot in SCHEME.items()}
    return Palette(slots, theme.fonts.heading, theme.fonts.body)
