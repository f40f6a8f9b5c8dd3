"""The four levels of completion that attempts are labelled with: paper 001, table 1."""

from dataclasses import dataclass
from typing import Final

from decklab.registry import Registry

SAME: Final = 1e-9
"""Scores nearer than this to 0 or 1 are 0 or 1: they are sums of a few floats."""


@dataclass(frozen=True)
class Level:
    """A level of completion; ``rank`` grows with progress, from 0 to 3."""

    name: str
    title: str
    rank: int
    expected: str
    """The scores expected of such attempts, as an interval."""


LEVELS: Registry[Level] = Registry("level of completion")
"""The levels by name, least progress first.

>>> [level.title for level in map(LEVELS.__getitem__, LEVELS)]
['No progress', 'Some progress', 'Significant progress', 'Perfect completion']
"""

for _level in (
    Level("none", "No progress", 0, "0"),
    Level("some", "Some progress", 1, "(0, 0.5)"),
    Level("significant", "Significant progress", 2, "[0.5, 1)"),
    Level("perfect", "Perfect completion", 3, "1"),
):
    LEVELS.register(_level.name, _level)


def level_of(score: float) -> Level:
    """The level whose expected scores hold ``score`` (0 to 1); ValueError outside that range.

    >>> [level_of(score).name for score in (0, 0.2, 0.5, 1)]
    ['none', 'some', 'significant', 'perfect']
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    if score <= SAME:
        return LEVELS["none"]
    if score >= 1 - SAME:
        return LEVELS["perfect"]
    return LEVELS["some" if score < 0.5 - SAME else "significant"]
