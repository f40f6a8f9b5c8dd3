"""Scores of which some are not known: the least and the greatest still possible."""

from typing import Literal

SAME = 1e-9
"""Scores nearer than this are the same."""


class Ranged:
    """What has a score, 0 to 1, between ``low`` and ``high``, which are equal where it is known."""

    low: float
    high: float

    @property
    def open(self) -> bool:
        """Whether the score is not known."""
        return self.high - self.low > SAME

    @property
    def state(self) -> Literal["met", "part", "unmet", "open"]:
        """What the score says; also the class of its mark."""
        if self.open:
            return "open"
        if self.low >= 1 - SAME:
            return "met"
        return "unmet" if self.low <= SAME else "part"
