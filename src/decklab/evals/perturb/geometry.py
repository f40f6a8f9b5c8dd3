"""Degraded layout: elements moved, resized, repositioned and collapsed."""

from dataclasses import dataclass
from math import exp
from typing import Any

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.shapes import Table
from decklab.evals.perturb.constants import (
    COLLAPSE,
    COLLAPSED_PX,
    EXTREME,
    EXTREME_LARGE,
    EXTREME_SMALL,
    LEAST_PX,
    LOG_SCALE,
    REPOSITION,
    TRANSLATION,
    AnySlide,
    Draws,
    is_shown,
)

_BOXES = ("texts", "images", "tables", "rects", "charts")
_DIGITS = 2  # of places in the frame, as they are read

_Place = tuple[float, float, float, float]
"""x, y, w, h."""


@dataclass(frozen=True)
class GeometryOptions:
    """Options of ``perturb_geometry``; the operators are those that the paper calls optional."""

    share: float = 1.0
    """The probability that an element is changed."""
    extreme: bool = True
    """Whether elements may become extremely large or small."""
    reposition: bool = True
    """Whether elements may move to a random place."""
    collapse: bool = True
    """Whether one side of an element may shrink to a few pixels."""
    allow_clipping: bool = False
    """Whether elements may leave the frame and be larger than it."""


_ALL = GeometryOptions()


def perturb_geometry(
    slide: AnySlide, severity: float, draws: Draws, options: GeometryOptions = _ALL
) -> AnySlide:
    """Move and resize texts, images, tables, rects and charts (paper 000, appendix D, geometry).

    ``severity`` goes from 0 to 1. No side becomes less than a pixel.
    """
    update: dict[str, Any] = {}
    for kind in _BOXES:
        moved = []
        for index, item in enumerate(getattr(slide, kind, ())):
            stream = draws.of(kind, index)
            if is_shown(item) and stream.chance(options.share):
                place = (item.x, item.y, item.w, item.h)
                change = _moved(place, severity, _GeometryDraws.drawn(stream), options)
                moved.append(_put(item, change))
            else:
                moved.append(item)
        if moved:
            update[kind] = tuple(moved)
    return slide.model_copy(update=update)


@dataclass(frozen=True)
class _GeometryDraws:
    """All random numbers for one element; they do not depend on the severity."""

    shift: tuple[float, float]
    """Across and down, in standard deviations."""
    growth: tuple[float, float]
    """Of width and height, in standard deviations."""
    thresholds: tuple[float, float, float]
    """Probabilities above which the size is extreme, the place random, a side collapsed."""
    extreme: float
    """The factor of an extreme size."""
    place: tuple[float, float]
    """A random place, as a share of the space that there is."""
    collapsed: tuple[float, bool]
    """The length of the collapsed side in pixels, and whether it is the width."""

    @classmethod
    def drawn(cls, draws: Draws) -> "_GeometryDraws":
        return cls(
            shift=(draws.normal(1), draws.normal(1)),
            growth=(draws.normal(1), draws.normal(1)),
            thresholds=(draws.uniform(0, 1), draws.uniform(0, 1), draws.uniform(0, 1)),
            extreme=draws.uniform(*draws.choice((EXTREME_SMALL, EXTREME_LARGE))),
            place=(draws.uniform(0, 1), draws.uniform(0, 1)),
            collapsed=(draws.uniform(*COLLAPSED_PX), draws.chance(0.5)),
        )


def _moved(
    place: _Place, severity: float, drawn: _GeometryDraws, options: GeometryOptions
) -> _Place:
    sigma = TRANSLATION(severity)
    x = place[0] + drawn.shift[0] * sigma * FRAME_WIDTH
    y = place[1] + drawn.shift[1] * sigma * FRAME_HEIGHT
    w = place[2] * exp(drawn.growth[0] * LOG_SCALE(severity))
    h = place[3] * exp(drawn.growth[1] * LOG_SCALE(severity))
    if options.extreme and drawn.thresholds[0] < EXTREME(severity):
        w, h = w * drawn.extreme, h * drawn.extreme
    if options.reposition and drawn.thresholds[1] < REPOSITION(severity):
        x = drawn.place[0] * max(0.0, FRAME_WIDTH - w)
        y = drawn.place[1] * max(0.0, FRAME_HEIGHT - h)
    if options.collapse and drawn.thresholds[2] < COLLAPSE(severity):
        thin, across = drawn.collapsed
        w, h = (thin, h) if across else (w, thin)
    w, h = max(LEAST_PX, w), max(LEAST_PX, h)
    if not options.allow_clipping:
        w, h = min(w, float(FRAME_WIDTH)), min(h, float(FRAME_HEIGHT))
        x = min(max(0.0, x), FRAME_WIDTH - w)
        y = min(max(0.0, y), FRAME_HEIGHT - h)
    return x, y, w, h


def _put(item: Any, place: _Place) -> Any:
    """The element in another place. Where its text is drawn there is not known."""
    x, y, w, h = (round(value, _DIGITS) for value in place)
    update: dict[str, Any] = {"x": x, "y": y, "w": w, "h": h}
    if isinstance(item, Table):
        across, down = (new / old if old else 1.0 for new, old in ((w, item.w), (h, item.h)))
        update["columns"] = tuple(round(width * across, _DIGITS) for width in item.columns)
        update["heights"] = tuple(round(height * down, _DIGITS) for height in item.heights)
    if hasattr(item, "drawn"):
        update["drawn"] = None
    return item.model_copy(update=update)
