"""Pages that the browser laid out, as a native .pptx."""

from pathlib import Path

from decklab.board.native.decks import write_native
from decklab.board.pages.layout import LaidOutDeck
from decklab.core.files import output_file, scratch_folder
from decklab.rendering.measured import measure_deck


def write_pages(deck: LaidOutDeck, out: str | Path, *, force: bool = True) -> Path:
    """Write laid-out pages as .pptx, whole or not at all; equal input gives equal bytes.

    Raises OSError if the file cannot be written, and what the browser raises.
    """
    with scratch_folder("pages") as folder:
        page = folder / "deck.html"
        page.write_text(deck.html, encoding="utf-8")
        measured = measure_deck(page)
    with output_file(out, force=force) as unfinished:
        write_native(measured, unfinished)
    return Path(out)
