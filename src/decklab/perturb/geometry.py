"""Layout that slips: boxes moved, stretched, blown up, thrown about and squashed."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import Any, TypeVar

from decklab.deck.model.plain import PlainSlide
from decklab.deck.model.shapes import Table
from decklab.deck.model.slide import SlideElements
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.perturb.constants import (
    COLLAPSE,
    COLLAPSED_PX,
    EXTREME,
    EXTREME_LARGE,
    EXTREME_SMALL,
    LEAST_PX,
    LOG_SCALE,
    REPOSITION,
    TRANSLATION,
)
from decklab.perturb.draws import Draws
from decklab.perturb.eligible import is_shown

S = TypeVar("S", PlainSlide, SlideElements)

_BOXES = ("texts", "images", "tables", "rects", "charts")
_DIGITS = 2  # of places in the frame, as they are read

_Place = tuple[float, float, float, float]
"""x, y, w, h."""


def perturb_geometry(
    slide: S,
    severity: float,
    draws: Draws,
    *,
    share: float = 1.0,
    extreme: bool = True,
    reposition: bool = True,
    collapse: bool = True,
    allow_clipping: bool = False,
) -> S:
    """Move and resize texts, images, tables, rects and charts (paper 000, appendix D, geometry).

    ``share`` is the probability that an element is touched. The operators that the paper calls
    optional can be switched off. Everything stays inside the frame, which bounds sizes too,
    unless ``allow_clipping``; no side is less than a pixel.
    """
    optional = {"extreme": extreme, "reposition": reposition, "collapse": collapse}
    update: dict[str, Any] = {}
    for kind in _BOXES:
        moved = []
        for index, item in enumerate(getattr(slide, kind, ())):
            stream = draws.of(kind, index)
            if is_shown(item) and stream.chance(share):
                place = (item.x, item.y, item.w, item.h)
                drawn = _Slip.drawn(stream)
                moved.append(_put(item, _moved(place, severity, drawn, optional, allow_clipping)))
            else:
                moved.append(item)
        if moved:
            update[kind] = tuple(moved)
    return slide.model_copy(update=update)


@dataclass(frozen=True)
class _Slip:
    """All that is drawn for one element, whatever the severity, which says what comes of it."""

    shift: tuple[float, float]
    """Across and down, in standard deviations, as the next."""
    growth: tuple[float, float]
    thresholds: tuple[float, float, float]
    """The probabilities from which on the size is extreme, the place fresh, a side collapsed."""
    extreme: float
    """The factor of an extreme size."""
    place: tuple[float, float]
    """A fresh place, as a share of the room there is."""
    collapsed: tuple[float, bool]
    """How thin, and whether across."""

    @classmethod
    def drawn(cls, draws: Draws) -> "_Slip":
        return cls(
            shift=(draws.normal(1), draws.normal(1)),
            growth=(draws.normal(1), draws.normal(1)),
            thresholds=(draws.uniform(0, 1), draws.uniform(0, 1), draws.uniform(0, 1)),
            extreme=draws.uniform(*draws.choice((EXTREME_SMALL, EXTREME_LARGE))),
            place=(draws.uniform(0, 1), draws.uniform(0, 1)),
            collapsed=(draws.uniform(*COLLAPSED_PX), draws.chance(0.5)),
        )


def _moved(
    place: _Place, severity: float, drawn: _Slip, optional: Mapping[str, bool], clipping: bool
) -> _Place:
    sigma = TRANSLATION(severity)
    x = place[0] + drawn.shift[0] * sigma * FRAME_WIDTH
    y = place[1] + drawn.shift[1] * sigma * FRAME_HEIGHT
    w = place[2] * exp(drawn.growth[0] * LOG_SCALE(severity))
    h = place[3] * exp(drawn.growth[1] * LOG_SCALE(severity))
    if optional["extreme"] and drawn.thresholds[0] < EXTREME(severity):
        w, h = w * drawn.extreme, h * drawn.extreme
    if optional["reposition"] and drawn.thresholds[1] < REPOSITION(severity):
        x = drawn.place[0] * max(0.0, FRAME_WIDTH - w)
        y = drawn.place[1] * max(0.0, FRAME_HEIGHT - h)
    if optional["collapse"] and drawn.thresholds[2] < COLLAPSE(severity):
        thin, across = drawn.collapsed
        w, h = (thin, h) if across else (w, thin)
    w, h = max(LEAST_PX, w), max(LEAST_PX, h)
    if not clipping:
        w, h = min(w, float(FRAME_WIDTH)), min(h, float(FRAME_HEIGHT))
        x = min(max(0.0, x), FRAME_WIDTH - w)
        y = min(max(0.0, y), FRAME_HEIGHT - h)
    return x, y, w, h


def _put(item: Any, place: _Place) -> Any:
    """An element in another place. Where its text was drawn is not known any more."""
    x, y, w, h = (round(value, _DIGITS) for value in place)
    update: dict[str, Any] = {"x": x, "y": y, "w": w, "h": h}
    if isinstance(item, Table):
        across, down = (new / old if old else 1.0 for new, old in ((w, item.w), (h, item.h)))
        update["columns"] = tuple(round(width * across, _DIGITS) for width in item.columns)
        update["heights"] = tuple(round(height * down, _DIGITS) for height in item.heights)
    if hasattr(item, "drawn"):
        update["drawn"] = None
    return item.model_copy(update=update)
