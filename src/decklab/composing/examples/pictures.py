"""Which pictures of an example deck belong to its design, wherever they stand."""

from io import BytesIO
from typing import Final

from PIL import Image, UnidentifiedImageError

from decklab.deck.model.slide import DeckElements
from decklab.ooxml.package import Package

_CLEAR: Final = 0.1
"""Share of a picture that is clear (fully transparent) from which on it is cut out, no photograph
or figure. Ours."""
_VECTORS: Final = ("image/svg+xml", "image/x-emf", "image/x-wmf", "image/emf", "image/wmf")


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
