"""How far two judge models agree: the second judge of paper 003, table A and E.2."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from decklab.metrics.statistics import kendall_tau_b, spearman_rho
from decklab.results import NotScored

_SAME = 1e-9


@dataclass(frozen=True)
class JudgeAgreement:
    """Two judges on the same attempts."""

    pairs: int
    """Attempts that both scored."""
    not_scored: int
    """Attempts that one of them, or both, did not."""
    exact: float | NotScored
    """Share of equal scores, 0 to 1."""
    near: float | NotScored
    """Share of scores at most one apart."""
    difference: float | NotScored
    """Mean of the second's scores minus the first's, -5 to 5; 0 is no bias."""
    tau_b: float | NotScored
    rho: float | NotScored


def judge_agreement(
    first: Sequence[float | NotScored], second: Sequence[float | NotScored]
) -> JudgeAgreement:
    """Compare the scores (0 to 5) of two judges, attempt by attempt.

    Raises ValueError where the rows differ in length.

    >>> found = judge_agreement([5.0, 3.0, 1.0], [5.0, 2.0, NotScored("no reply")])
    >>> found.pairs, found.exact, found.near, found.difference
    (2, 0.5, 1.0, -0.5)
    """
    both = [
        (a, b)
        for a, b in zip(first, second, strict=True)
        if not isinstance(a, NotScored) and not isinstance(b, NotScored)
    ]
    left, right = [a for a, _ in both], [b for _, b in both]
    none = NotScored("no attempt was scored by both")
    apart = [b - a for a, b in both]
    return JudgeAgreement(
        pairs=len(both),
        not_scored=len(first) - len(both),
        exact=fmean(abs(d) <= _SAME for d in apart) if both else none,
        near=fmean(abs(d) <= 1 + _SAME for d in apart) if both else none,
        difference=fmean(apart) if both else none,
        tau_b=kendall_tau_b(left, right),
        rho=spearman_rho(left, right),
    )
