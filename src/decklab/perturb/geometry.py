"""Layout that slips: boxes moved, stretched, blown up, thrown about and squashed."""

from collections.abc import Mapping
from math import exp
from typing import Any, TypeVar

from decklab.deck.elements import PlainSlide, SlideElements
from decklab.deck.elements.model.shapes import Table
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

__all__ = ["perturb_geometry"]

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
        for item in getattr(slide, kind, ()):
            if is_shown(item) and draws.chance(share):
                place = (item.x, item.y, item.w, item.h)
                moved.append(_put(item, _moved(place, severity, draws, optional, allow_clipping)))
            else:
                moved.append(item)
        if moved:
            update[kind] = tuple(moved)
    return slide.model_copy(update=update)


def _moved(
    place: _Place, severity: float, draws: Draws, optional: Mapping[str, bool], clipping: bool
) -> _Place:
    sigma = TRANSLATION(severity)
    x = place[0] + draws.normal(sigma * FRAME_WIDTH)
    y = place[1] + draws.normal(sigma * FRAME_HEIGHT)
    w = place[2] * exp(draws.normal(LOG_SCALE(severity)))
    h = place[3] * exp(draws.normal(LOG_SCALE(severity)))
    if optional["extreme"] and draws.chance(EXTREME(severity)):
        factor = draws.uniform(*draws.choice((EXTREME_SMALL, EXTREME_LARGE)))
        w, h = w * factor, h * factor
    if optional["reposition"] and draws.chance(REPOSITION(severity)):
        x = draws.uniform(0, max(0.0, FRAME_WIDTH - w))
        y = draws.uniform(0, max(0.0, FRAME_HEIGHT - h))
    if optional["collapse"] and draws.chance(COLLAPSE(severity)):
        thin = draws.uniform(*COLLAPSED_PX)
        w, h = draws.choice(((thin, h), (w, thin)))
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
