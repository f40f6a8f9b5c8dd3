"""How much scores move when the same attempts are judged again: paper 001, table 8."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev, pvariance

from decklab.results import NotScored


@dataclass(frozen=True)
class Stability:
    """Spread of repeated scores over tasks; lower is steadier.

    ``mean_variance`` and ``median_variance`` are over the variances of the tasks, ``mean_cv``
    over their coefficients of variation (standard deviation over mean), which a task whose
    scores are all 0 does not have: ``without_cv`` counts those.
    """

    tasks: int
    mean_variance: float
    median_variance: float
    mean_cv: float | NotScored
    without_cv: int
    left_out: tuple[str, ...]
    """Tasks with fewer than two scores."""


def stability(runs: Mapping[str, Sequence[float | NotScored]]) -> Stability | NotScored:
    """The spread of the scores (0 to 1) that each task got in repeated judging.

    The paper does not say which variance it takes; this is that of the runs themselves (divided
    by their number). Runs that were not scored are left out, and tasks with fewer than two scores
    named. NotScored where no task has two.

    >>> found = stability({"a": [0.4, 0.6], "b": [1.0, 1.0]})
    >>> round(found.mean_variance, 4), round(found.mean_cv, 4)
    (0.005, 0.1)
    """
    scored = {
        task: [score for score in scores if not isinstance(score, NotScored)]
        for task, scores in runs.items()
    }
    repeated = {task: scores for task, scores in scored.items() if len(scores) >= 2}
    if not repeated:
        return NotScored("no task was scored twice")
    variances = [pvariance(scores) for scores in repeated.values()]
    cvs = [pstdev(scores) / fmean(scores) for scores in repeated.values() if fmean(scores) > 0]
    return Stability(
        tasks=len(repeated),
        mean_variance=fmean(variances),
        median_variance=median(variances),
        mean_cv=fmean(cvs) if cvs else NotScored("all scores are 0"),
        without_cv=len(repeated) - len(cvs),
        left_out=tuple(task for task in runs if task not in repeated),
    )
