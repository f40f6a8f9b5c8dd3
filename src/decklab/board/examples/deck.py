"""An example deck as a template: its layouts, and its slides as pages to fill before them."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, UnidentifiedImageError

from decklab.board.examples.colors import accents_of
from decklab.board.examples.reading import page_of, read_examples, representatives
from decklab.board.templates.emptying import opened_design
from decklab.board.templates.places import DeckTemplate
from decklab.board.templates.reading import read_template
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.ooxml.package import Package

_CLEAR: Final = 0.1
"""Share of a picture that is clear (fully transparent) from which on it is cut out, no photograph
or figure. Ours."""
_VECTORS: Final = ("image/svg+xml", "image/x-emf", "image/x-wmf", "image/emf", "image/wmf")


def read_example_deck(path: str | Path) -> DeckTemplate:
    """Read a deck to write like it.

    Raises DeckError where it cannot be read or has no layout, OSError where it is not there.
    """
    template = read_template(path)
    file = BytesIO()
    opened_design(template.path).save(file)
    with Package.from_bytes(file.getvalue(), str(path)) as package:
        deck = read_elements(package)
        drawn = illustrations(package, deck)
    accents = accents_of(deck)
    layouts = [replace(layout, accents=accents) for layout in template.layouts]
    bases = {layout.part: layout for layout in layouts}
    pages = [
        page_of(example, bases[example.slide.layout_part], number)
        for number, example in enumerate(
            representatives(read_examples(deck, drawn)), start=len(layouts) + 1
        )
        if example.title is not None and example.slide.layout_part in bases
    ]
    return replace(template, layouts=(*layouts, *pages), is_example=True)


def illustrations(package: Package, deck: DeckElements) -> set[str]:
    """The SHA-256 of pictures of a deck that are drawings: vectors, and those cut out.

    What cannot be read counts as one, since it cannot be told what it shows.
    """
    found = set()
    for medium in deck.media:
        if not medium.content_type.startswith("image/"):
            continue
        if medium.content_type in _VECTORS or _is_cut_out(package.read(medium.parts[0])):
            found.add(medium.sha256)
    return found


def _is_cut_out(data: bytes) -> bool:
    try:
        with Image.open(BytesIO(data)) as picture:
            if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
                return False
            small = picture.convert("RGBA").resize((64, 64))
            clear = sum(small.getchannel("A").histogram()[:16])
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, ValueError):
        return True
    return clear > _CLEAR * 64 * 64
