"""Pictures whose image is not there."""

from collections.abc import Iterator

from decklab.deck.model.paint import PictureFill
from decklab.deck.model.shapes import Element, Image, Rect, box_of
from decklab.metrics.findings import Occurrence
from decklab.metrics.ink import is_flat
from decklab.metrics.integrity.page import PageView, shown
from decklab.metrics.integrity.places import label
from decklab.results import Finding, Severity

_RASTERS = frozenset(
    f"image/{name}" for name in ("png", "jpeg", "jpg", "gif", "bmp", "tiff", "webp", "x-png")
)


def missing_pictures(view: PageView) -> Iterator[Occurrence]:
    """Pictures and picture fills without an image, with a damaged one, or linked to one.

    Where the slide's picture is known and shows something in its place, an image that cannot be
    found or read is not said to be missing.
    """
    slide = view.slide
    items: list[Element] = [*slide.images, *slide.rects]
    for item in shown(items):
        wrong, place = _wrong(item), box_of(item)
        if wrong is None or place is None:
            continue
        drawn = view.image is not None and not is_flat(view.image, place)
        if drawn and wrong[0] == "error":
            continue
        severity, says, fix = wrong
        yield Occurrence(
            Finding(
                rule="picture.missing", severity=severity, message=f"{item.name} {says}.",
                slide=slide.number, shape=label(item), box=place, fix=fix,
            ),
            (says, item.name),
        )  # fmt: skip


def _wrong(item: object) -> tuple[Severity, str, str] | None:
    picture: Image | PictureFill
    if isinstance(item, Image):
        picture = item
    elif isinstance(item, Rect) and isinstance(item.paint, PictureFill):
        picture = item.paint
    else:
        return None
    if picture.sha256 is None and picture.link is None:
        return "error", "has no image: the deck does not hold the file", "Insert the image again."
    if picture.sha256 is None:
        return "warning", f"is linked to {picture.link}, not in the deck", "Embed the image."
    damaged = isinstance(picture, Image) and not picture.pixels
    if damaged and isinstance(picture, Image) and picture.content_type in _RASTERS:
        return "error", "has an image that cannot be read", "Insert the image again."
    return None
