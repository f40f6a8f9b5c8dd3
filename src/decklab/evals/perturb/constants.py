"""The axes, and every probability and scale of paper 000, appendix D, by its printed name; random
draws that come out the same on every machine.

Scales that grow do so in a straight line with the severity ``s``: ``Ramp`` holds both ends. Values
that the appendix leaves open are at the end, marked as ours.
"""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple, TypeVar, get_args

from pydantic import BaseModel

from decklab.core.options import Axis, LadderDraws
from decklab.deck.model.base import PlainSlide, PlainText
from decklab.deck.model.shapes import Element
from decklab.deck.model.slide import SlideElements

T = TypeVar("T")
AnySlide = TypeVar("AnySlide", PlainSlide, SlideElements)
"""A slide in the schema of paper 000, or with all that decklab reads."""

_NORMAL = NormalDist()
_LEAST = 2.0**-54  # half a step of Random.random, for the draw of 0 that has no quantile


class Draws:
    """A stream of random numbers, which depend on ``names`` and nothing else.

    The SHA-256 hash of the names seeds Python's Mersenne Twister; all draws are made from
    ``random()``, whose sequence Python promises to keep. Every method takes one number of the
    stream, whatever its arguments, so that the same calls at another severity draw the same
    numbers.

    >>> Draws(7, "slide 3", "text", 0.4).uniform(0, 1) == Draws(7, "slide 3", "text", 0.4).uniform(
    ...     0, 1
    ... )
    True
    """

    def __init__(self, *names: str | int | float) -> None:
        self._names = names
        words = "\x1f".join(f"{n:.6f}" if isinstance(n, float) else str(n) for n in names)
        self._random = Random(int.from_bytes(sha256(words.encode()).digest(), "big")).random

    def of(self, *names: str | int) -> "Draws":
        """A stream of its own, which does not depend on earlier draws from this one."""
        return Draws(*self._names, *names)

    def chance(self, probability: float) -> bool:
        """True with a probability from 0 to 1."""
        return self._random() < probability

    def uniform(self, low: float, high: float) -> float:
        """A number from ``low`` to ``high``."""
        return low + (high - low) * self._random()

    def normal(self, sigma: float) -> float:
        """A number from the normal distribution with mean 0 and deviation ``sigma``."""
        return sigma * _NORMAL.inv_cdf(max(self._random(), _LEAST))

    def index(self, count: int) -> int:
        """A number from 0 to ``count`` - 1."""
        return int(self._random() * count)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.index(len(items))]

    def weighted(self, items: Sequence[tuple[T, float]]) -> T:
        """One of the items, each with a probability in proportion to its weight."""
        rest = self.uniform(0, sum(weight for _item, weight in items))
        for item, weight in items:
            rest -= weight
            if rest < 0:
                return item
        return items[-1][0]


def is_shown(item: BaseModel) -> bool:
    """Whether an element can be seen: it has a place, is not hidden and, if text, not empty."""
    if isinstance(item, Element) and (item.hidden or not item.placed):
        return False
    return not isinstance(item, PlainText) or bool(item.text.strip())


AXES: Final[tuple[Axis, ...]] = get_args(Axis)
"""The three ways in which a slide is degraded."""

LADDER_DRAWS: Final[tuple[LadderDraws, ...]] = get_args(LadderDraws)
"""How the severities of one slide depend on each other: one stream of draws for all, so that each
step adds to the damage of the step before; or a stream for each, as the paper prints."""


class Ramp(NamedTuple):
    """A number that grows with severity from ``low``, just above 0, to ``high`` at 1.

    >>> Ramp(0.5, 1.0)(0.5)
    0.75
    """

    low: float
    high: float

    def __call__(self, severity: float) -> float:
        return self.low + (self.high - self.low) * severity


class Spread(NamedTuple):
    """The ends of a uniform distribution."""

    low: float
    high: float


NO_OP: Final = 1e-12
"""Severity up to which nothing changes (appendix H)."""

# --- Geometry (appendix D, first paragraph) ---------------------------------------------------

TRANSLATION: Final = Ramp(0.04, 0.20)
"""sigma_x and sigma_y as a share of the slide's width and height: 0.04 + 0.16 s."""
LOG_SCALE: Final = Ramp(0.12, 0.67)
"""sigma_log of the factors of width and height: 0.12 + 0.55 s."""
EXTREME: Final = Ramp(0.0, 0.20)
"""p_ext."""
EXTREME_SMALL: Final = Spread(0.15, 0.50)
EXTREME_LARGE: Final = Spread(1.5, 10.0)
"""r, one of the two."""
REPOSITION: Final = Ramp(0.0, 0.10)
"""p_rep."""
COLLAPSE: Final = Ramp(0.0, 0.08)
"""p_col."""
COLLAPSED_PX: Final = Spread(1.0, 3.0)
LEAST_PX: Final = 1.0
"""No width or height is less (appendix H)."""

# --- Text (appendix D, second paragraph) ------------------------------------------------------

CHARACTER: Final = Ramp(0.02, 0.25)
"""p_char: from p_min to p_max."""
EDITS: Final = (("substitute", 0.50), ("delete", 0.20), ("insert", 0.15), ("swap", 0.15))
"""Edits of an affected character, with their weights."""
DROP: Final = Ramp(0.0, 0.18)
"""p_drop."""
INSERT: Final = Ramp(0.0, 0.35)
"""p_ins."""
INSERTS_PER_SEVERITY: Final = 3
"""Up to 1 + floor(3 s) boxes are inserted."""
INSERTED_WIDTH: Final = (0.15, Ramp(0.35, 0.70))
INSERTED_HEIGHT: Final = (0.08, Ramp(0.22, 0.50))
"""w/W and h/H of an inserted box: uniform from the first number to the second at ``s``."""

# --- Style (appendix D, third paragraph) ------------------------------------------------------

FAMILY: Final = Ramp(0.20, 0.80)
"""p_fam."""
LOG_SIZE: Final = Ramp(0.0, 0.45)
"""sigma_sz."""
SIZE_PT: Final = Spread(6.0, 120.0)
"""The range that sizes are clipped to."""
OUTLIER: Final = Ramp(0.0, 0.25)
"""p_szext."""
OUTLIER_FACTOR: Final = Spread(0.12, 3.8)
TOGGLE: Final = Ramp(0.0, 0.20)
"""p_togg, for bold, italic and underline each."""
INJECT: Final = Ramp(0.0, 0.30)
"""p_inj."""
HUE_DEG: Final = 30.0
LIGHTNESS: Final = 0.25
SATURATION: Final = 0.20
"""Half widths of the jitter in HLS at severity 1; they shrink with it."""
LOW_CONTRAST: Final = Ramp(0.0, 0.25)
"""p_lowc."""
ALPHA: Final = Ramp(0.25, 0.90)
"""How far a colour moves towards the background: alpha."""
BACKGROUND: Final = Ramp(0.0, 0.20)
"""p_bg."""

# --- What the appendix leaves open: ours ------------------------------------------------------

INSERTS_AT_MOST: Final = 4
"""max_inserts: as many as the formula can give at severity 1, so that it never binds."""
INSERTED_TEXTS: Final = (
    "lorem ipsum", "revise this", "text goes here", "see the other file", "asdf asdf",
    "check with Jo before Friday",
)  # fmt: skip
INSERTED_FAMILY: Final = "Arial"
INSERTED_COLOR: Final = "#000000"
INSERTED_SIZE_PT: Final = Ramp(12.0, 36.0)
"""From a caption to a title."""
INSERTED_EMPHASIS: Final = Ramp(0.0, 0.20)
"""As likely as a toggle of an existing style."""
FAMILIES: Final = (
    "Arial", "Times New Roman", "Courier New", "Georgia", "Verdana", "Comic Sans MS", "Impact",
    "Calibri", "Cambria",
)  # fmt: skip
"""Fonts of four groups that most machines have, or have a substitute for."""
INJECTED_COLORS: Final = ("#FF0000", "#FFFF00", "#00FFFF", "#FF00FF", "#00FF00", "#0000FF")
"""The paper prints the first three and goes on; these are the pure primaries and secondaries."""
