"""Whether scores put the truth above attempts that are known to be flawed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from decklab.results import NotScored


@dataclass(frozen=True)
class Ordering:
    """Pairs of a truth and a flawed attempt at the same case."""

    pairs: int
    """Both of which were scored."""
    right: int
    """With the truth strictly above."""
    wrong: tuple[tuple[str, str], ...]
    """Case and kind of attempt of the others."""
    not_scored: int

    @property
    def share(self) -> float | NotScored:
        """Share of the pairs in the right order, 0 to 1."""
        return self.right / self.pairs if self.pairs else NotScored("no pair was scored")


def ordering(
    truths: Mapping[str, float | NotScored], attempts: Iterable[tuple[str, str, float | NotScored]]
) -> Ordering:
    """Compare the score of each attempt (case, kind, score) with that of the case's truth.

    >>> ordering({"a": 1.0}, [("a", "partial", 0.5), ("a", "collateral", 1.0)]).share
    0.5
    """
    pairs = right = not_scored = 0
    wrong = []
    for case, kind, score in attempts:
        best = truths[case]
        if isinstance(best, NotScored) or isinstance(score, NotScored):
            not_scored += 1
            continue
        pairs += 1
        if best > score:
            right += 1
        else:
            wrong.append((case, kind))
    return Ordering(pairs, right, tuple(wrong), not_scored)
