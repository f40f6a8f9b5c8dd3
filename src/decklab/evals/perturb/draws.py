"""Random draws that come out the same on every machine, and the elements they may change."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from statistics import NormalDist
from typing import TypeVar

from pydantic import BaseModel

from decklab.deck.model.plain import PlainSlide, PlainText
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
