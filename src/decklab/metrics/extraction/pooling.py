"""Slides pooled one by one.

A pool keeps one row of sums per deck, so that its memory grows with decks, not with slides or
elements, and adding a slide takes the same time whatever came before.
"""

import numpy as np
from numpy.typing import NDArray

from decklab.metrics.extraction.measures import AGREEMENTS, ERRORS, Part
from decklab.metrics.extraction.slide import SlideScore

Floats = NDArray[np.float64]

_PARTS = tuple(
    Part(name, where)
    for quantities in (AGREEMENTS, ERRORS)
    for name, wheres in quantities.items()
    for where in wheres
)
PLACES = {part: index for index, part in enumerate(_PARTS)}
"""Where in a pool's sums a part stands."""

_SUMS = 4
"""Numbers kept of each part: those of Agreement or of Tally."""


class Pool:
    """Sums over slides, per deck.

    >>> pool = Pool()
    >>> pool.add("talk.pptx", SlideScore(False, {}, {}))
    >>> pool.decks, pool.slides, pool.parsed
    (('talk.pptx',), 1, 0)
    """

    def __init__(self) -> None:
        self._decks: dict[str, Floats] = {}
        self._slides: dict[str, list[int]] = {}

    def add(self, deck: str, score: SlideScore) -> None:
        """Count one reply for one slide of a deck; runs of one slide are added one by one."""
        sums = self._sums(deck)[0 if score.parsed else 1]
        for part, found in score.agreements.items():
            sums[PLACES[part]] += (found.hits, found.predicted, found.truth, found.matched)
        for part, tally in score.tallies.items():
            sums[PLACES[part]] += (tally.n, tally.total, tally.squares, tally.truth)
        self._slides[deck][0 if score.parsed else 1] += 1

    def merge(self, other: "Pool") -> None:
        """Add all that another pool holds, such as another run's."""
        for deck, sums in other._decks.items():
            mine = self._sums(deck)
            mine += sums
            for index, count in enumerate(other._slides[deck]):
                self._slides[deck][index] += count

    def only(self, deck: str) -> "Pool":
        """A pool of one of the decks; raises KeyError where it has none of that name."""
        single = Pool()
        single._decks[deck] = self._decks[deck].copy()
        single._slides[deck] = list(self._slides[deck])
        return single

    @property
    def decks(self) -> tuple[str, ...]:
        """Names of the decks, in the order they came."""
        return tuple(self._decks)

    @property
    def slides(self) -> int:
        """Replies pooled, read or not."""
        return sum(map(sum, self._slides.values()))

    @property
    def parsed(self) -> int:
        """Replies that could be read."""
        return sum(counts[0] for counts in self._slides.values())

    def sums(self) -> Floats:
        """Sums by deck, parsed or failed, part and number: shape (decks, 2, parts, 4)."""
        shape = (0, 2, len(_PARTS), _SUMS)
        return np.stack(list(self._decks.values())) if self._decks else np.empty(shape)

    def _sums(self, deck: str) -> Floats:
        if deck not in self._decks:
            self._decks[deck] = np.zeros((2, len(_PARTS), _SUMS))
            self._slides[deck] = [0, 0]
        return self._decks[deck]
