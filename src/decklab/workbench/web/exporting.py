"""Decks in other formats: PDF, pictures, a page that is complete in itself, Markdown."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import RenderFailed
from decklab.core.files import scratch_folder, write_whole
from decklab.deck.deck import open_deck
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture
from decklab.rendering.job import Pictures, SavedDeck, draw_decks
from decklab.rendering.renderer import Renderer

EXPORTS: Final[Mapping[str, str]] = {
    "pdf": "PDF", "png": "Pictures (PNG)", "html": "HTML", "md": "Markdown",
}  # fmt: skip
"""Formats of exports, in words."""
SUFFIXES: Final[Mapping[str, str]] = {"png": ".zip"}
"""Of files, by format, where it is not the name of the format."""
_SHARP = Pictures(size=(1920, 1080), format="png")
_ON_PAGES = Pictures(size=(1280, 720), format="webp")


def export_deck(deck: Path, out: Path, format: str, name: str, renderer: Renderer) -> None:
    """Write a deck in one of ``EXPORTS`` to ``out``; raises DeckError and RenderError."""
    if format == "pdf":
        write_whole(out, renderer.pdf(deck))
    elif format == "md":
        with open_deck(deck) as opened:
            write_whole(out, opened.markdown().encode())
    else:
        with scratch_folder("export") as room:
            saved = _drawn(
                deck, room / "slides", _SHARP if format == "png" else _ON_PAGES, renderer
            )
            if format == "png":
                zipped = shutil.make_archive(str(room / "all"), "zip", room / "slides")
                shutil.move(zipped, out)
            else:
                write_page(out, "show.html", "show.js", package="decklab.workbench.web", name=name,
                           slides=_shown_slides(deck, saved))  # fmt: skip


def _drawn(deck: Path, folder: Path, wanted: Pictures, renderer: Renderer) -> SavedDeck:
    (drawn,) = draw_decks({deck: folder}, wanted, renderer=renderer)
    if drawn.saved is None or drawn.errors:
        raise RenderFailed(str(deck), "; ".join(dict.fromkeys(drawn.errors)))
    return drawn.saved


def _shown_slides(deck: Path, saved: SavedDeck) -> list[dict[str, Any]]:
    """Slides that a show does not skip: number, title, words for those who do not see, picture."""
    with open_deck(deck) as opened:
        read = {slide.number: slide for slide in opened.elements.slides}
    return [
        {"number": drawn.number, "title": read[drawn.number].title or "",
         "words": " ".join(text.text for text in read[drawn.number].texts if not text.hidden),
         "picture": SlidePicture(drawn.picture.read_bytes(), drawn.width, drawn.height)}
        for drawn in saved.slides
        if drawn.picture is not None and not drawn.hidden and drawn.number in read
    ]  # fmt: skip
