"""Random draws that come out the same on every machine."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")

_NORMAL = NormalDist()
_LEAST = 2.0**-54  # half a step of Random.random, for the draw of 0 that has no quantile


class Draws:
    """A stream of draws, told apart by ``names`` and nothing else.

    The names are hashed with SHA-256, which seeds Python's Mersenne Twister; all draws are made
    from ``random()``, whose sequence Python promises to keep. Every method takes one number of
    the stream, whatever it is called with, so that the same calls at another severity draw the
    same numbers.

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
        """A stream of its own below this one, the same however much was drawn from this one."""
        return Draws(*self._names, *names)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def uniform(self, low: float, high: float) -> float:
        """A number between both."""
        return low + (high - low) * self._random()

    def normal(self, sigma: float) -> float:
        """A number from the normal distribution about 0."""
        return sigma * _NORMAL.inv_cdf(max(self._random(), _LEAST))

    def index(self, count: int) -> int:
        """A number from 0 to ``count`` - 1."""
        return int(self._random() * count)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.index(len(items))]

    def weighted(self, items: Sequence[tuple[T, float]]) -> T:
        """One of the items by their weights."""
        left = self.uniform(0, sum(weight for _item, weight in items))
        for item, weight in items:
            left -= weight
            if left < 0:
                return item
        return items[-1][0]
