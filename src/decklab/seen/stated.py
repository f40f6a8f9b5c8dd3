"""What a slide's file says of visibility beyond its elements: warps, turns in space, effects before
the first click, the texts of charts, and pictures that let nothing through."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import cos, radians
from typing import Final

import cv2
import numpy as np

from decklab.core.colors import Image
from decklab.core.errors import DeckError
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.slide import MediaPart
from decklab.deck.part import children
from decklab.deck.pictures import picture_size
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, shape_id
from decklab.seen.chart_marks import ChartPart, TextLook, chart_ground, chart_texts, why_no_marks
from decklab.seen.declared import EDGE_ON_FAULT, OFF_SLIDE, SCALED, Fault
from decklab.seen.thresholds import EDGE_ON, LEAST_SIDE, OPAQUE, PART

_MARKS: Final = (b"scene3d", b"prstTxWarp", b"animMotion", b"animScale", b"/chart")
"""Only slides with one of these in their XML are parsed."""
_DEGREE: Final = 60_000  # ST_Angle counts 60,000ths of a degree
_MOST_PIXELS: Final = 20_000_000
_OPAQUE_SHARE: Final = 0.98
"""Ours: of larger pictures it is not known whether they let anything through; a picture lets
nothing through from this share of opaque pixels on."""
_NUMBER: Final = re.compile(r"-?\d*\.?\d+(?:[eE]-?\d+)?")


@dataclass(frozen=True)
class StatedChart:
    """What a chart shows, by its own XML."""

    texts: Mapping[ChartPart, TextLook]
    ground: str | None
    no_marks: str
    """Why none of its bars, lines and points is seen; empty if one may be."""


@dataclass(frozen=True)
class StatedSlide:
    """What the XML of a slide says beyond its elements; ids are of shapes."""

    edge_on: frozenset[int] = frozenset()
    """Turned in space so far that they are seen from their edge."""
    warped: Collection[int] = frozenset()
    """Texts that are warped to fill their shapes, and so have no size of their own."""
    moved: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """How far effects move shapes before the first click, as shares of the slide's width and
    height."""
    scaled: Mapping[int, float] = field(default_factory=dict)
    """How large effects make shapes before the first click; 1 is their own size."""
    charts: Mapping[int, StatedChart] = field(default_factory=dict)
    opaque: Callable[[str], bool] = lambda _sha256: False
    """Whether the picture with this SHA-256 lets nothing through."""
    pixels: Callable[[str], Image | None] = lambda _sha256: None
    """The picture with this SHA-256, small, (H, W, 3) RGB; None where it lets something through or
    cannot be read."""

    def fault(self, ids: Collection[int], box: Box | None) -> Fault | None:
        """The fault of a shape that is turned away, or that effects move or shrink before the first
        click; None without one. ``ids`` are its own and those of the groups around it."""
        if not self.edge_on.isdisjoint(ids):
            return EDGE_ON_FAULT
        if box is None:
            return None
        if (
            min((self.scaled.get(id, 1.0) for id in ids), default=1.0) * max(box.width, box.height)
            < LEAST_SIDE
        ):
            return SCALED
        moves = [self.moved[id] for id in ids if id in self.moved]
        for across, down in moves:
            box = box.moved(across * FRAME_WIDTH, down * FRAME_HEIGHT)
        left = box.intersection(FRAME).area
        return OFF_SLIDE if moves and box.area and left < PART * box.area else None


NO_FACTS: Final = StatedSlide()


def slide_facts(package: Package, part: str, pictures: "DeckPictures") -> StatedSlide:
    """The facts of the slide in a part; without any where it is damaged."""
    plain = StatedSlide(opaque=pictures.opaque, pixels=pictures.pixels)
    try:
        if not any(mark in package.read(part) for mark in _MARKS):
            return plain
        root = package.xml(part)
    except DeckError:
        return plain
    moved, scaled = _first_effects(root)
    shapes = [(id, shape) for shape in _shapes(root) if (id := shape_id(shape))]
    return replace(
        plain,
        edge_on=frozenset(id for id, shape in shapes if _is_edge_on(shape)),
        warped={id for id, shape in shapes if _is_warped(shape)},
        moved=moved,
        scaled=scaled,
        charts=dict(_charts(package, part, root)),
    )


def _shapes(root: Element) -> Iterator[Element]:
    for tag in ("p:sp", "p:pic", "p:graphicFrame"):
        yield from root.iter(qn(tag))


def _is_edge_on(shape: Element) -> bool:
    for turn in shape.iter(qn("a:rot")):
        angles = [(parse_int(turn.get(name)) or 0) / _DEGREE for name in ("lat", "lon")]
        if min(abs(cos(radians(angle))) for angle in angles) < EDGE_ON:
            return True
    return False


def _is_warped(shape: Element) -> bool:
    warp = next(shape.iter(qn("a:prstTxWarp")), None)
    return warp is not None and warp.get("prst") not in (None, "textNoShape")


def _first_effects(root: Element) -> tuple[dict[int, tuple[float, float]], dict[int, float]]:
    moved: dict[int, tuple[float, float]] = {}
    scaled: dict[int, float] = {}
    timing = next((child for child in children(root) if child.tag == qn("p:timing")), None)
    for node in () if timing is None else timing.iter(qn("p:cTn"), qn("p:animMotion"),
                                                      qn("p:animScale")):  # fmt: skip
        if node.get("nodeType") in ("clickEffect", "interactiveSeq"):
            break
        target = next(node.iter(qn("p:spTgt")), None)
        id = None if target is None else parse_int(target.get("spid"))
        if id is None:
            continue
        if node.tag == qn("p:animMotion"):
            numbers = _NUMBER.findall(node.get("path") or "")
            if len(numbers) >= 2:
                across, down = moved.get(id, (0.0, 0.0))
                moved[id] = across + float(numbers[-2]), down + float(numbers[-1])
        elif node.tag == qn("p:animScale"):
            size = node.find(qn("p:to"))
            if size is None:
                size = node.find(qn("p:by"))
            sides = [] if size is None else [parse_int(size.get(side)) for side in ("x", "y")]
            scaled[id] = min((side / 100_000 for side in sides if side is not None), default=1.0)
    return moved, scaled


def _charts(package: Package, part: str, root: Element) -> Iterator[tuple[int, StatedChart]]:
    links = package.relationships(part)
    for frame in root.iter(qn("p:graphicFrame")):
        id, chart = shape_id(frame), next(frame.iter(qn("c:chart")), None)
        link = None if chart is None else links.get(chart.get(qn("r:id")) or "")
        if id is None or link is None or link.external:
            continue
        try:
            space = package.xml(link.target)
        except DeckError:
            continue
        yield id, StatedChart(chart_texts(space), chart_ground(space), why_no_marks(space))


class DeckPictures:
    """The pictures of a deck by their SHA-256; each is looked at once, when it is first asked
    for."""

    def __init__(self, package: Package, media: Collection[MediaPart]) -> None:
        self._package = package
        self._parts = {item.sha256: item.parts[0] for item in media if item.parts}
        self._opaque: dict[str, bool] = {}
        self._pixels: dict[str, Image | None] = {}

    def opaque(self, sha256: str) -> bool:
        """Whether a picture lets nothing through; False where that cannot be told."""
        if sha256 not in self._opaque:
            self._opaque[sha256] = lets_nothing_through(self._read(sha256))
        return self._opaque[sha256]

    def pixels(self, sha256: str) -> Image | None:
        """An opaque picture at an eighth of its size, (H, W, 3) RGB; None for any other."""
        if sha256 not in self._pixels:
            self._pixels[sha256] = _small(self._read(sha256)) if self.opaque(sha256) else None
        return self._pixels[sha256]

    def _read(self, sha256: str) -> bytes:
        try:
            return self._package.read(self._parts[sha256]) if sha256 in self._parts else b""
        except DeckError:
            return b""


def _small(picture: bytes) -> Image | None:
    wide, high = picture_size(picture) or (0, 0)
    if not 0 < wide * high <= _MOST_PIXELS:
        return None
    try:
        pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_REDUCED_COLOR_8)
    except cv2.error:
        return None
    return None if pixels is None else np.asarray(pixels[:, :, ::-1], np.uint8)


def lets_nothing_through(picture: bytes) -> bool:
    """Whether a picture file has no see-through pixels to speak of; False for drawings, and where
    its pixels cannot be read."""
    if picture.startswith((b"\xff\xd8\xff", b"BM")):
        return True
    if not picture.startswith(b"\x89PNG\r\n\x1a\n") or len(picture) < 33:
        return False
    wide, high = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    before_pixels = picture[: max(0, picture.find(b"IDAT"))]
    if picture[25] in (0, 2, 3) and b"tRNS" not in before_pixels:
        return True
    if not 0 < wide * high <= _MOST_PIXELS:
        return False
    try:
        pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        return False
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        return False
    least = OPAQUE * (255 if pixels.dtype == np.uint8 else 65535)
    return float((pixels[:, :, 3] >= least).mean()) >= _OPAQUE_SHARE
