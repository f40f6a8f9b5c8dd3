"""Pictures, media, and what of an image is shown."""

from typing import Any

from decklab.deck.measures import share
from decklab.deck.model.outline import Picture
from decklab.deck.model.paint import Crop
from decklab.deck.pictures import cut_off
from decklab.deck.sheets import Reading
from decklab.ooxml.xml import Element, qn


def crop_of(fill: Element | None) -> Crop:
    """What is cut off an image at each edge."""
    left, top, right, bottom = cut_off(fill)
    return Crop(left=left, top=top, right=right, bottom=bottom)


def opacity_of(fill: Element | None) -> float:
    """1 for an opaque image, less for a faded one."""
    fade = None if fill is None else fill.find(f"{qn('a:blip')}/{qn('a:alphaModFix')}")
    alpha = None if fade is None else share(fade.get("amt"))
    return 1.0 if alpha is None else min(max(alpha, 0.0), 1.0)


def picture_fields(picture: Picture | None, reading: Reading) -> dict[str, Any]:
    """The fields of an image by the names of the model's."""
    if picture is None:
        return {}
    return {
        "sha256": reading.sha256(picture.part),
        "content_type": picture.content_type,
        "pixels": picture.pixels or (),
        "link": picture.link,
    }
