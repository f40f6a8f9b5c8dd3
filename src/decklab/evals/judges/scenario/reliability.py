"""How steady a judge is from run to run, and how far two judges agree.

Paper 004, sections IV-C and VI-D with table V: the standard deviation of the average over repeated
runs, Spearman's rho of two judges' orders, and the mean and deviation of their differences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from decklab.core.errors import DecklabError
from decklab.core.faults import json_of
from decklab.core.results import NotScored
from decklab.evals.agreement.annotators import intraclass_correlations
from decklab.evals.judges.scenario.metrics import ScenarioItem, setting_average, spread_of_runs
from decklab.evals.judges.scenario.result import MetricResult, ScenarioJudgement
from decklab.metrics.statistics import spearman_rho

AVERAGE: Final = "average"
"""The name under which all metrics together are told."""

ScoreTable = Mapping[str, Mapping[str, float]]
"""Scores by deck and metric, ``average`` among these; what was not scored is not in it."""


class NoJudgement(DecklabError):
    """A file that holds no judgements of decks; the text says why."""


@dataclass(frozen=True)
class MetricReliability:
    """How steady a metric is over the runs of one judge."""

    name: str
    decks: int
    """With two scored runs at least."""
    spread: float | NotScored
    """Mean over the decks of the standard deviation of their runs; lower is steadier."""
    icc: float | NotScored
    """ICC(2,1) of the runs as raters of the decks, at most 1; higher is steadier."""
    same_items: float | NotScored
    """Share of the items of all runs that every run judged alike, 0 to 1."""


def run_averages(found: ScenarioJudgement) -> tuple[float | NotScored, ...]:
    """The average of all metrics in each run; NotScored where a metric has no score in it."""
    counts = [len(one.runs) for one in found.metrics]
    runs = zip(*(one.runs for one in found.metrics), strict=True) if len(set(counts)) == 1 else ()
    return tuple(setting_average(scores) for scores in runs)


def reliability(found: Sequence[ScenarioJudgement]) -> tuple[MetricReliability, ...]:
    """How steady each metric of some decks is, and all together, over the runs of their judge.

    Only metrics that were judged twice for some deck are told; programs judge once.
    """
    names = dict.fromkeys(metric.name for one in found for metric in one.metrics)
    told = [_of_metric(name, _metrics(name, found)) for name in names]
    told.append(_of_runs(AVERAGE, [run_averages(one) for one in found], _NO_ITEMS))
    return tuple(one for one in told if one.decks)


_NO_ITEMS: Final = NotScored("it has no items of its own")


def _metrics(name: str, found: Sequence[ScenarioJudgement]) -> list[MetricResult]:
    return [metric for one in found for metric in one.metrics if metric.name == name]


def _of_metric(name: str, decks: Sequence[MetricResult]) -> MetricReliability:
    alike = [same for one in decks for same in _alike(one.items)]
    share = sum(alike) / len(alike) if alike else NotScored("no item was judged in every run")
    return _of_runs(name, [one.runs for one in decks], share)


def _of_runs(
    name: str, decks: Sequence[Sequence[float | NotScored]], same_items: float | NotScored
) -> MetricReliability:
    spreads = [spread_of_runs(runs) for runs in decks]
    known = [spread for spread in spreads if not isinstance(spread, NotScored)]
    mean = fmean(known) if known else NotScored("no deck was judged twice")
    return MetricReliability(name, len(known), mean, _icc(decks), same_items)


def _icc(decks: Sequence[Sequence[float | NotScored]]) -> float | NotScored:
    """Over the decks whose runs all gave a score, those with most runs."""
    known = [[run for run in runs if not isinstance(run, NotScored)] for runs in decks]
    whole = [runs for runs, all_of_them in zip(known, decks, strict=True)
             if len(runs) == len(all_of_them)]  # fmt: skip
    most = max(map(len, whole), default=0)
    found = intraclass_correlations([runs for runs in whole if len(runs) == most] or [[0.0]])
    return found if isinstance(found, NotScored) else found.two_way_random.value


def _alike(runs: Sequence[Sequence[ScenarioItem]]) -> list[bool]:
    """Of each item that every run judged, whether all gave it the same state.

    Claims are listed anew in every run: only those that all runs list in the same words count.
    """
    if len(runs) < 2:
        return []
    states = [
        {(item.id, item.text): item.state for item in run if not isinstance(item.state, NotScored)}
        for run in runs
    ]
    shared = [key for key in states[0] if all(key in other for other in states[1:])]
    return [len({state[key] for state in states}) == 1 for key in shared]


@dataclass(frozen=True)
class TwoJudges:
    """How far two judges agree on a metric over the decks that both scored."""

    name: str
    decks: int
    rho: float | NotScored
    """Spearman's, of the decks' orders, -1 to 1; higher is more agreement."""
    difference: float
    """Mean of the second judge's scores less the first's."""
    deviation: float | NotScored
    """Standard deviation of the differences; lower is more agreement."""


def score_table(found: Sequence[ScenarioJudgement]) -> ScoreTable:
    """The scores of some judgements; decks are named by their paths as they were given."""
    table = {}
    for one in found:
        scores = {**one.scores, AVERAGE: one.average}
        table[one.deck] = {
            name: value for name, value in scores.items() if not isinstance(value, NotScored)
        }
    return table


def read_score_table(path: str | Path) -> ScoreTable:
    """The scores of a file that ``decklab judge --json`` printed.

    Raises NoJudgement where it holds none.
    """
    try:
        given = json_of(Path(path).read_bytes())
        return {
            str(one["deck"]): {
                str(metric["name"]): float(metric["score"])
                for metric in (*one["metrics"], {**one["average"], "name": AVERAGE})
                if metric["score"] is not None
            }
            for one in given
        }
    except OSError as error:
        raise NoJudgement(f"{path}: it cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise NoJudgement(f"{path}: it is no output of decklab judge --json") from error


def compare_judges(first: ScoreTable, second: ScoreTable) -> tuple[TwoJudges, ...]:
    """How far two judges agree, metric by metric, over the decks that both scored.

    >>> one = {"a": {"average": 7.0}, "b": {"average": 5.0}, "c": {"average": 6.0}}
    >>> other = {"a": {"average": 8.0}, "b": {"average": 5.5}, "c": {"average": 6.0}}
    >>> (found,) = compare_judges(one, other)
    >>> found.rho, found.difference, found.deviation
    (1.0, 0.5, 0.5)
    """
    names = dict.fromkeys(name for scores in first.values() for name in scores)
    found = []
    for name in names:
        decks = [d for d in first if name in first[d] and name in second.get(d, {})]
        one, other = [first[d][name] for d in decks], [second[d][name] for d in decks]
        gaps = [theirs - ours for ours, theirs in zip(one, other, strict=True)]
        if decks:
            spread = stdev(gaps) if len(gaps) > 1 else NotScored("one deck has no deviation")
            rho = spearman_rho(one, other)
            found.append(TwoJudges(name, len(decks), rho, fmean(gaps), spread))
    return tuple(found)
