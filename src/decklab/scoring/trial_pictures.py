"""The kind of each picture in decks and web decks: a photograph, a colour wash, or a drawing."""

import json
import struct
import warnings
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from io import BytesIO

import cv2
import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import Image

from decklab.core.errors import DeckError
from decklab.core.geometry import FRAME, Box
from decklab.core.result_store import ResultStore, code_stamp
from decklab.deck.model.outline import DeckOutline, OutlinePicture, OutlineSlide
from decklab.metrics.editability.graphics import SHARP_AT_400, bars_on_one_baseline
from decklab.metrics.editability.text import ONLY_PICTURE, SPARSE_TEXT
from decklab.metrics.editability.verdict import (
    FULL_SLIDE,
    PictureFacts,
    PictureKind,
    WebFacts,
    content_shapes,
    coverage,
    judged_slides,
    on_frame,
)
from decklab.ooxml.package import Package
from decklab.rendering.html import GraphicFacts, HtmlDeck, HtmlFacts, HtmlSlideFacts
from decklab.rendering.pictures import RenderedDeck, RenderedSlide

PHOTO_SOFT_SHARE = 0.25
"""Share of soft steps between neighbouring pixels (more than 3, at most 48 of 255) from which a
raster is a photograph. Of 202 pictures of real decks, icons, illustrations and screenshots stay
below 0.25 and photographs of people, places and things start at 0.29."""

SMOOTH_EDGE_SHARE = 0.004
"""Share of hard steps (above 48) below which a raster has no edges that zooming could blur."""

SMOOTH_TOP_COLOURS = 0.7
"""A raster without hard edges is a colour wash only if its eight commonest colours cover less
than this; a large plain shape has no edges either, but few colours."""

MAX_PIXELS = 100_000_000
"""Larger rasters are not decoded: 100 megapixels are 20 times a slide at 400 % zoom, and 300 MB."""

WORKING_SIDE = 512
"""Longest side at which pixels are counted. Shrinking picks pixels and never mixes them, so flat
areas and hard edges stay as they are."""

SOFT_STEP, HARD_STEP = 3, 48
"""Steps between neighbours (of 255): up to 3 is compression noise on a flat area, above 48 an
edge; what lies between is shading, which drawings have little of."""

OPAQUE = 200
BAR_SOLIDITY = 0.9
BAR_MIN_WIDTH, BAR_MIN_HEIGHT = 0.01, 0.1
"""Smallest width of a bar and smallest height of the tallest, as shares of the picture: letters
and rules are thinner or lower."""

UNREADABLE = (
    OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError,
)  # fmt: skip
"""Errors that Pillow raises for damaged pictures."""


@dataclass(frozen=True)
class RasterLook:
    """Kind and bars that the pixels of a raster show."""

    kind: PictureKind
    bars: int = 0
    """Solid bars of unequal length on one baseline; 0 if there are none."""


def look_at_raster(data: bytes) -> RasterLook:
    """Judge a raster by its pixels; ``unreadable`` if it cannot be decoded."""
    try:
        colours, opaque = _pixels(data)
    except UNREADABLE:
        return RasterLook("unreadable")
    kind = _kind(colours, opaque)
    return RasterLook(kind, _bars(colours, opaque) if kind == "graphic" else 0)


def look_at_pixels(image: NDArray[np.uint8]) -> RasterLook:
    """Judge a raster by its array: height x width x 3, red green blue."""
    if not image.size:
        return RasterLook("unreadable")
    return RasterLook(_kind(image, np.ones(image.shape[:2], bool)))


def _open(data: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        image = Image.open(BytesIO(data))
    if image.width * image.height > MAX_PIXELS:
        raise ValueError(f"{image.width} x {image.height} pixels are too many")
    return image


def _pixels(data: bytes) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Colours (height x width x 3) at the working size, and which of them are opaque."""
    image = _open(data)
    if image.mode not in ("RGB", "RGBA", "L"):
        image = image.convert("RGBA")
    scale = min(1.0, WORKING_SIDE / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    small = image.resize(size, Image.Resampling.NEAREST).convert("RGBA")
    pixels = np.asarray(small)
    return np.ascontiguousarray(pixels[..., :3]), pixels[..., 3] > OPAQUE


def _kind(colours: NDArray[np.uint8], opaque: NDArray[np.bool_]) -> PictureKind:
    if not (inside := opaque[:-1, :-1]).any():
        return "graphic"
    here = colours[:-1, :-1]
    ways = cv2.max(cv2.absdiff(colours[:-1, 1:], here), cv2.absdiff(colours[1:, :-1], here))
    steps = np.asarray(reduce(cv2.max, cv2.split(ways)))[inside]
    soft = float(((steps > SOFT_STEP) & (steps <= HARD_STEP)).mean())
    hard = float((steps > HARD_STEP).mean())
    if soft >= PHOTO_SOFT_SHARE:
        return "photo"
    if hard < SMOOTH_EDGE_SHARE and _top_colours(colours[opaque]) < SMOOTH_TOP_COLOURS:
        return "wash"
    return "graphic"


def _codes(colours: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Each colour as one number, 16 steps per channel."""
    steps = colours.astype(np.int16) >> 4
    codes: NDArray[np.int16] = (steps[..., 0] << 8) | (steps[..., 1] << 4) | steps[..., 2]
    return codes


def _top_colours(colours: NDArray[np.uint8]) -> float:
    counts = np.sort(np.bincount(_codes(colours).ravel()))[::-1]
    return float(counts[:8].sum() / counts.sum())


def _bars(colours: NDArray[np.uint8], opaque: NDArray[np.bool_]) -> int:
    height, width = opaque.shape
    codes = np.where(opaque, _codes(colours), -1)
    counts = np.bincount(codes[opaque])
    values = np.flatnonzero(counts)
    order = np.argsort(counts[values])[::-1]
    boxes: list[Box] = []
    for value in values[order][1:9]:  # the commonest colour is the ground
        mask = (codes == value).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        for left, top, wide, high, area in stats[1:].tolist():
            if wide >= max(3, BAR_MIN_WIDTH * width) and area >= BAR_SOLIDITY * wide * high:
                boxes.append(Box(left, top, left + wide, top + high))
    chosen = bars_on_one_baseline(boxes)
    tall = any(boxes[index].height >= BAR_MIN_HEIGHT * height for index in chosen)
    return len(chosen) if tall else 0


_THUMBNAIL = (32, 32)


def thumbnail(data: bytes) -> bytes | None:
    """The raster at a few pixels, as PNG with its transparency; None if it is unreadable."""
    try:
        image = _open(data)
        image.draft("RGB", _THUMBNAIL)
        clear = image.mode in ("RGBA", "LA", "PA", "P")
        small = image.convert("RGBA" if clear else "RGB").resize(_THUMBNAIL)
    except UNREADABLE:
        return None
    return _png(small)


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


ONE_PIXEL = _png(Image.new("RGB", (1, 1), (128, 128, 128)))
"""A grey pixel, as PNG."""

MIN_SIDE = 4
"""Pictures with less than 4 pixels of the frame in a direction are rules and spacers."""

CHART_AREA = 0.05
"""Share of the slide below which bars in a picture are an icon of a chart, not a chart."""


def picture_facts(
    package: Package, outline: DeckOutline, results: ResultStore | None = None
) -> tuple[PictureFacts, ...]:
    """One entry for each picture, picture fill and own background of the visible slides;
    ``results`` keep the looks of rasters."""
    looks: dict[str, RasterLook] = {}
    facts: list[PictureFacts] = []
    for slide in judged_slides(outline):
        for shape, label, picture, box in _placed(slide):
            seen = on_frame(box)
            if min(seen.width, seen.height) >= MIN_SIDE:
                look = _look(package, picture, looks, results)
                bars = look.bars if seen.area >= CHART_AREA * FRAME.area else 0
                facts.append(PictureFacts(
                    slide.number, shape, label, picture.part, seen,
                    _density(picture, box), look.kind, bars,
                ))  # fmt: skip
    return tuple(facts)


def _placed(slide: OutlineSlide) -> list[tuple[int | None, str, OutlinePicture, Box]]:
    """Pictures of a slide: shape id, label, picture and place. Poster frames are left out."""
    places: list[tuple[int | None, str, OutlinePicture, Box]] = []
    if slide.background is not None and slide.background.picture is not None:
        places.append((None, "slide background", slide.background.picture, FRAME))
    for shape in content_shapes(slide):
        if shape.picture is not None and shape.box is not None and shape.media is None:
            places.append((shape.id, shape.label, shape.picture, shape.box))
    return places


def _density(picture: OutlinePicture, box: Box) -> float | None:
    if picture.vector or picture.pixels is None:
        return None
    return min(picture.pixels[0] / max(box.width, 1), picture.pixels[1] / max(box.height, 1))


def _look(
    package: Package,
    picture: OutlinePicture,
    looks: dict[str, RasterLook],
    results: ResultStore | None,
) -> RasterLook:
    if picture.vector:
        return RasterLook("vector")
    if picture.part is None:
        return RasterLook("unreadable")
    if picture.part not in looks:
        try:
            looks[picture.part] = _kept_look(package.read(picture.part), results)
        except DeckError:
            looks[picture.part] = RasterLook("unreadable")
    return looks[picture.part]


def _kept_look(data: bytes, results: ResultStore | None) -> RasterLook:
    if results is None:
        return look_at_raster(data)
    facts = [code_stamp(), cv2.__version__, PIL.__version__, sha256(data).hexdigest()]
    key = sha256(repr(facts).encode()).hexdigest()
    if (kept := results.get([key]).get(key)) is not None:
        return RasterLook(*json.loads(kept))
    look = look_at_raster(data)
    results.put({key: json.dumps([look.kind, look.bars]).encode()})
    return look


RASTERS = frozenset({"img", "background", "canvas"})


def web_facts(deck: HtmlDeck) -> WebFacts:
    """Look at a web deck in the browser that shows it."""
    return count_facts(deck.facts(), deck)


def count_facts(facts: HtmlFacts, drawn: RenderedDeck) -> WebFacts:
    """Count text blocks and graphics. ``drawn`` is the same deck, whose pictures of the slides
    distinguish photographs from drawings."""
    blocks = [block for slide in facts.slides for block in slide.blocks]
    selectable = [block for block in blocks if block.selectable]
    sharp = blurred = 0
    for slide in facts.slides:
        picture = drawn.slide(slide.number)
        for graphic in slide.graphics:
            if graphic.kind == "video":
                continue
            if graphic.vector or _is_sharp(graphic):
                sharp += 1
            elif _is_drawing(graphic, picture):
                blurred += 1
    return WebFacts(
        slides=len(facts.slides),
        text_blocks=len(selectable),
        reflowing=sum(block.reflows for block in selectable),
        fragments=sum(block.fragment for block in selectable),
        vectors=sharp,
        rasters=blurred,
        raster_slides=sum(_is_one_picture(slide) for slide in facts.slides),
        unselectable=len(blocks) - len(selectable),
    )


def _is_sharp(graphic: GraphicFacts) -> bool:
    if graphic.natural is None or graphic.box.area == 0:
        return False
    density = min(graphic.natural[0] / graphic.box.width, graphic.natural[1] / graphic.box.height)
    return density >= SHARP_AT_400


def _is_drawing(graphic: GraphicFacts, picture: RenderedSlide) -> bool:
    seen = on_frame(graphic.box).on_picture(picture.image.shape)
    crop = picture.image[round(seen.top) : round(seen.bottom), round(seen.left) : round(seen.right)]
    return seen.area > 0 and look_at_pixels(crop).kind == "graphic"


def _is_one_picture(slide: HtmlSlideFacts) -> bool:
    letters = sum(len("".join(block.text.split())) for block in slide.blocks if block.selectable)
    rasters = [item.box for item in slide.graphics if item.kind in RASTERS and not item.vector]
    alone = len(slide.graphics) == 1
    covered = coverage(rasters)
    return letters <= SPARSE_TEXT and covered >= (ONLY_PICTURE if alone else FULL_SLIDE)
