"""Pictures, media, and what of an image is shown."""

from typing import Any

from decklab.deck.elements.extraction.canvas import Desk
from decklab.deck.elements.model.paint import Crop
from decklab.deck.measures import share
from decklab.deck.outline import Picture
from decklab.deck.pictures import blip_fill, cut_off
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element

__all__ = ["blip_fill", "crop_of", "opacity_of", "picture_fields"]


def crop_of(fill: Element | None) -> Crop:
    """What is cut off an image at each edge."""
    left, top, right, bottom = cut_off(fill)
    return Crop(left=left, top=top, right=right, bottom=bottom)


def opacity_of(fill: Element | None) -> float:
    """1 for an opaque image, less for a faded one."""
    fade = None if fill is None else fill.find(f"{qn('a:blip')}/{qn('a:alphaModFix')}")
    alpha = None if fade is None else share(fade.get("amt"))
    return 1.0 if alpha is None else min(max(alpha, 0.0), 1.0)


def picture_fields(picture: Picture | None, desk: Desk) -> dict[str, Any]:
    """The fields of an image by the names of the model's."""
    if picture is None:
        return {}
    return {
        "sha256": desk.sha256(picture.part),
        "content_type": picture.content_type,
        "pixels": picture.pixels or (),
        "link": picture.link,
    }
