"""The pictures of a deck, as placed, and what their pixels show."""

from decklab.deck.model.outline import DeckOutline, Picture, Slide
from decklab.errors import DeckError
from decklab.geometry import Box
from decklab.metrics.editability.content import FRAME, content_shapes, judged_slides, on_frame
from decklab.metrics.editability.facts import PictureFacts
from decklab.ooxml.package import Package
from decklab.scoring.probes.raster import RasterLook, look_at_raster

MIN_SIDE = 4
"""Pictures that show less than 4 pixels of the frame in a direction are rules and spacers."""

CHART_AREA = 0.05
"""Share of the slide below which bars in a picture are an icon of a chart, not a chart."""


def picture_facts(package: Package, outline: DeckOutline) -> tuple[PictureFacts, ...]:
    """One entry for each picture, picture fill and own background of the slides shown."""
    looks: dict[str, RasterLook] = {}
    found: list[PictureFacts] = []
    for slide in judged_slides(outline):
        for shape, label, picture, box in _placed(slide):
            seen = on_frame(box)
            if min(seen.width, seen.height) >= MIN_SIDE:
                look = _look(package, picture, looks)
                bars = look.bars if seen.area >= CHART_AREA * FRAME.area else 0
                found.append(PictureFacts(
                    slide.number, shape, label, picture.part, seen,
                    _density(picture, box), look.kind, bars,
                ))  # fmt: skip
    return tuple(found)


def _placed(slide: Slide) -> list[tuple[int | None, str, Picture, Box]]:
    """Pictures of a slide: shape id, label, picture and place. Poster frames are left out."""
    found: list[tuple[int | None, str, Picture, Box]] = []
    if slide.background is not None and slide.background.picture is not None:
        found.append((None, "slide background", slide.background.picture, FRAME))
    for shape in content_shapes(slide):
        if shape.picture is not None and shape.box is not None and shape.media is None:
            found.append((shape.id, shape.label, shape.picture, shape.box))
    return found


def _density(picture: Picture, box: Box) -> float | None:
    if picture.vector or picture.pixels is None:
        return None
    return min(picture.pixels[0] / max(box.width, 1), picture.pixels[1] / max(box.height, 1))


def _look(package: Package, picture: Picture, looks: dict[str, RasterLook]) -> RasterLook:
    if picture.vector:
        return RasterLook("vector")
    if picture.part is None:
        return RasterLook("unreadable")
    if picture.part not in looks:
        try:
            looks[picture.part] = look_at_raster(package.read(picture.part))
        except DeckError:
            looks[picture.part] = RasterLook("unreadable")
    return looks[picture.part]
