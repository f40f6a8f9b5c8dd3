"""The result for a deck, and how it is printed: every metric with its items, runs and spread, and
their averages; how steady a judge is from run to run, and how far two judges agree.

Paper 004, sections IV-C and VI-D with table V: the standard deviation of the average over repeated
runs, Spearman's rho of two judges' orders, and the mean and deviation of their differences.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.errors import DecklabError, json_of
from decklab.core.results import (
    NotScored,
    Tabular,
    by_key,
    reason_of,
    score_json,
    scored,
    scored_by_name,
    scored_mean,
    value_or_none,
)
from decklab.evals.agreement.annotators import intraclass_correlations
from decklab.evals.judges.scenario.task import (
    SHARED_METRICS,
    ScenarioItem,
    ScenarioTask,
    mean_of_runs,
    setting_average,
    shared_score,
    spread_of_runs,
)
from decklab.metrics.statistics import spearman_rho
from decklab.models.asking import Usage
from decklab.pages.page import plain_table, print_parts
from decklab.pages.wording import clean, shown

ONLY_A_MODEL: Final = "only a model judges this"
PROXY_NOTE: Final = (
    "scores by program are proxies: they see words, numbers and pictures, and little of the meaning"
)
"""Stands in every output that has one."""
_APART: Final = 3.0
_NAMED: Final = 4
"""Points of 10 from which model and program disagree; items that are named then. Ours."""


@dataclass(frozen=True)
class MetricResult:
    """A metric of a deck, 0 to 10, higher is better."""

    name: str
    title: str
    runs: tuple[float | NotScored, ...]
    """The score of each run: one by program, several by a model."""
    items: tuple[tuple[ScenarioItem, ...], ...] = ()
    """The judged items of each run."""
    proxy: bool = False
    """Whether a program stands in for a model."""
    beside: "MetricResult | None" = None
    """A program's result beside a model's; None if it has none."""

    @property
    def score(self) -> float | NotScored:
        """The mean of the runs that gave one."""
        return mean_of_runs(self.runs)

    @property
    def spread(self) -> float | NotScored:
        """The standard deviation of the runs; lower is steadier."""
        return spread_of_runs(self.runs)

    @property
    def by_program(self) -> float | None:
        """The score of a program beside a model's; None if it has none."""
        return None if self.beside is None else value_or_none(self.beside.score)

    @property
    def disagreement(self) -> str:
        """How model and program differ, in a line; empty where they are near or one is missing."""
        score, other = self.score, self.by_program
        if other is None or isinstance(score, NotScored) or abs(score - other) < _APART:
            return ""
        ids = ", ".join(self.items_apart[:_NAMED])
        named = f"; look at {ids}" if ids else ""
        return f"the model says {score:.1f}, a program {other:.1f}{named}"

    @property
    def items_apart(self) -> tuple[str, ...]:
        """The items of the first run that model and program judge in opposite ways."""
        if self.beside is None or not self.items or not self.beside.items:
            return ()
        other = {item.text: item.state for item in self.beside.items[0]}
        states = ((item.id, {item.state, other.get(item.text)}) for item in self.items[0])
        return tuple(id for id, pair in states if pair == {0.0, 1.0})


@dataclass(frozen=True)
class ScenarioJudgement(Tabular):
    """The judgement of one deck for one task."""

    deck: str
    task: ScenarioTask
    metrics: tuple[MetricResult, ...]
    """The shared ones, then those of the setting."""
    judge: str
    """The model, or the program that stands in for one."""
    remarks: tuple[str, ...] = ()
    """Facts for a reader of the scores, a line each."""
    usage: Usage = field(default_factory=Usage)
    spent: str = ""

    @property
    def scores(self) -> Mapping[str, float | NotScored]:
        """The score of each metric by its name."""
        return {metric.name: metric.score for metric in self.metrics}

    @property
    def shared(self) -> float | NotScored:
        """The shared metrics together, 0 to 10 (paper 004, appendix A-B)."""
        return shared_score(row.score for row in self.metrics if row.name in SHARED_METRICS)

    @property
    def average(self) -> float | NotScored:
        """All metrics together, 0 to 10 (paper 004, section VI-A)."""
        return setting_average(self.scores.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts for a reader: that a program stands in for a model, and other remarks."""
        stands_in = any(row.proxy and not isinstance(row.score, NotScored) for row in self.metrics)
        apart = tuple(
            f"{row.title}: {row.disagreement}" for row in self.metrics if row.disagreement
        )
        return (*((PROXY_NOTE,) if stands_in else ()), *self.remarks, *apart)

    @property
    def not_scored(self) -> tuple[str, ...]:
        """Missing scores, a line each."""
        causes = ((name, reason_of(score)) for name, score in self.scores.items())
        return tuple(f"{name}: {cause}" for name, cause in causes if cause)

    @property
    def missed(self) -> tuple[str, ...]:
        """Of these, what was asked for: by program, what only a model judges was not."""
        return tuple(line for line in self.not_scored if not line.endswith(ONLY_A_MODEL))

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a metric, and of each run and item one."""
        for metric in self.metrics:
            yield self._row(metric, None, None, metric.score)
            for number, items in enumerate(metric.items, start=1):
                yield from (self._row(metric, number, item, item.state) for item in items)

    def _row(
        self,
        metric: MetricResult,
        run: int | None,
        item: ScenarioItem | None,
        value: float | NotScored | None,
    ) -> Mapping[str, Any]:
        of_item = {name: getattr(item, name, None) for name in ("weight", "slide", "evidence")}
        return {
            "deck": self.deck,
            "metric": f"scenario.{metric.name}",
            "run": run,
            "item": item.id if item else None,
            "text": item.text if item else None,
            "value": value_or_none(value),
            **of_item,
            "proxy": metric.proxy,
            "beside": metric.by_program if item is None else None,
            "reason": reason_of(value) or None,
        }

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; a score that could not be had is null with its reason."""
        return {
            "deck": self.deck,
            "task": self.task.title,
            "setting": self.task.setting,
            "annotated_by": self.task.made_by,
            "judge": self.judge,
            "told": list(self.notes),
            "shared": score_json(self.shared),
            "average": score_json(self.average),
            "metrics": [_metric_json(metric) for metric in self.metrics],
            "usage": asdict(self.usage),
        }


def _metric_json(metric: MetricResult) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        **score_json(metric.score),
        "spread": value_or_none(metric.spread),
        "proxy": metric.proxy,
        "by_program": metric.by_program,
        "disagreement": metric.disagreement,
        "runs": [score_json(run) for run in metric.runs],
        "items": [[_item_json(item) for item in items] for items in metric.items],
    }


def _item_json(item: ScenarioItem) -> dict[str, Any]:
    state = item.state
    facts = {"state": value_or_none(state), "applies": state is not None}
    return {**asdict(item), **facts, "reason": reason_of(state) or None}


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


def run_averages(result: ScenarioJudgement) -> tuple[float | NotScored, ...]:
    """The average of all metrics in each run; NotScored where a metric has no score in it."""
    counts = [len(metric.runs) for metric in result.metrics]
    runs = zip(*(row.runs for row in result.metrics), strict=True) if len(set(counts)) == 1 else ()
    return tuple(setting_average(scores) for scores in runs)


def reliability(judgements: Sequence[ScenarioJudgement]) -> tuple[MetricReliability, ...]:
    """How steady each metric of some decks is, and all together, over the runs of their judge.

    Only metrics that were judged twice for some deck are told; programs judge once.
    """
    metrics = (metric for judgement in judgements for metric in judgement.metrics)
    rows = []
    for name, own in by_key(metrics, lambda metric: metric.name).items():
        alike = scored_mean((same for metric in own for same in _alike(metric.items)), _NOT_TWICE)
        rows.append(_of_runs(name, [metric.runs for metric in own], alike))
    averages = [run_averages(judgement) for judgement in judgements]
    rows.append(_of_runs(AVERAGE, averages, NotScored("it has no items of its own")))
    return tuple(row for row in rows if row.decks)


_NOT_TWICE: Final = "no item was judged in every run"


def _of_runs(
    name: str, decks: Sequence[Sequence[float | NotScored]], same_items: float | NotScored
) -> MetricReliability:
    known = scored(spread_of_runs(runs) for runs in decks)
    mean = scored_mean(known, "no deck was judged twice")
    return MetricReliability(name, len(known), mean, _icc(decks), same_items)


def _icc(decks: Sequence[Sequence[float | NotScored]]) -> float | NotScored:
    """Over the decks whose runs all gave a score, those with most runs."""
    whole = [known for runs in decks if len(known := scored(runs)) == len(runs)]
    most = max(map(len, whole), default=0)
    icc = intraclass_correlations([runs for runs in whole if len(runs) == most] or [[0.0]])
    return icc if isinstance(icc, NotScored) else icc.two_way_random.value


def _alike(runs: Sequence[Sequence[ScenarioItem]]) -> list[bool]:
    """Whether all runs gave each item that they share, in the same words, one state."""
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


def score_table(judgements: Sequence[ScenarioJudgement]) -> ScoreTable:
    """The scores of some judgements; decks are named by their paths as they were given."""
    table = {}
    for judgement in judgements:
        scores = {**judgement.scores, AVERAGE: judgement.average}
        table[judgement.deck] = scored_by_name(scores)
    return table


def read_score_table(path: str | Path) -> ScoreTable:
    """The scores of a file that ``decklab judge --json`` printed.

    Raises NoJudgement where it holds none.
    """
    try:
        given = json_of(Path(path).read_bytes())
        return {
            str(entry["deck"]): {
                str(metric["name"]): float(metric["score"])
                for metric in (*entry["metrics"], {**entry["average"], "name": AVERAGE})
                if metric["score"] is not None
            }
            for entry in given
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
    agreements = []
    for name in names:
        decks = [d for d in first if name in first[d] and name in second.get(d, {})]
        own, other = [first[d][name] for d in decks], [second[d][name] for d in decks]
        gaps = [theirs - ours for ours, theirs in zip(own, other, strict=True)]
        if decks:
            spread = stdev(gaps) if len(gaps) > 1 else NotScored("one deck has no deviation")
            rho = spearman_rho(own, other)
            agreements.append(TwoJudges(name, len(decks), rho, fmean(gaps), spread))
    return tuple(agreements)


_LONGEST = 100
_STATES = {1.0: "yes ", 0.5: "part", 0.0: "no  ", None: "–   "}


def print_judgement(
    judgement: ScenarioJudgement, console: Console, *, every_item: bool = False
) -> None:
    """Print the scores of a deck, and under each metric the items that lower it, with evidence.

    ``every_item`` prints the others too.
    """
    print_parts(_printed(judgement, every_item=every_item), console)


def _printed(result: ScenarioJudgement, *, every_item: bool) -> Iterator[Table | Text]:
    yield Text(f"{clean(result.deck)} for {clean(result.task.title)} ({result.task.setting})")
    yield _table(result)
    unasked = [metric.title for metric in result.metrics if metric.score == NotScored(ONLY_A_MODEL)]
    if unasked:
        yield Text(f"Only a model judges: {', '.join(unasked)}")
    for metric in result.metrics:
        if lines := list(_item_lines(metric, every_item=every_item)):
            yield Text(metric.title, style="bold")
            yield from map(Text, lines)
    yield from (Text(f"note: {clean(line)}") for line in result.notes)


def _table(judgement: ScenarioJudgement) -> Table:
    beside = any(metric.beside for metric in judgement.metrics)
    table = plain_table("metric", "score", *(["program"] if beside else []), "spread", "items")
    table.add_column("by")
    for metric in judgement.metrics:
        count = len(metric.items[0]) if metric.items else 0
        by = "program (proxy)" if metric.proxy and metric.items else judgement.judge
        by = "" if metric.score == NotScored(ONLY_A_MODEL) else by
        spread = _spread(metric.spread)
        other = "" if metric.beside is None else shown(metric.beside.score)
        more = [other] if beside else []
        table.add_row(metric.title, shown(metric.score), *more, spread, str(count or ""), clean(by))
    gap = [""] if beside else []
    table.add_row("Shared metrics together", shown(judgement.shared), *gap, "", "", "")
    together = spread_of_runs(run_averages(judgement))
    table.add_row("All metrics together", shown(judgement.average), *gap, _spread(together), "", "")
    return table


def _spread(value: float | NotScored) -> str:
    return "" if isinstance(value, NotScored) else f"{value:.2f}"


def print_reliability(
    judgements: Sequence[ScenarioJudgement], console: Console, *, beside: ScoreTable | None = None
) -> None:
    """Print how steady each metric is over the runs of the judge, and ``beside`` the scores of
    another judge how far both agree; what was judged once has no steadiness."""
    if rows := reliability(judgements):
        note = " (spread: less is steadier; ICC and items alike: more)"
        console.print(Text.assemble(("Steady from run to run", "bold"), note))
        table = plain_table("metric", "decks", "spread", "ICC", "items alike")
        for row in rows:
            numbers = shown(row.spread), shown(row.icc), shown(row.same_items, ".0%")
            table.add_row(row.name.replace("_", " "), str(row.decks), *numbers)
        console.print(table)
    if beside is not None:
        console.print(Text("Beside the other judge", style="bold"))
        console.print(_agreement_table(compare_judges(beside, score_table(judgements))))


def _agreement_table(rows: Sequence[TwoJudges]) -> Table | Text:
    if not rows:
        return Text("  both have scored no deck")
    table = plain_table("metric", "decks", "rho", "difference", "deviation")
    for row in rows:
        numbers = shown(row.rho), f"{row.difference:+.2f}", shown(row.deviation)
        table.add_row(row.name.replace("_", " "), str(row.decks), *numbers)
    return table


def _item_lines(metric: MetricResult, *, every_item: bool) -> Iterator[str]:
    """The items of the first run, and why the metric has no score."""
    if isinstance(metric.score, NotScored) and metric.score.reason != ONLY_A_MODEL:
        yield f"  not scored: {clean(metric.score.reason)}"
    for item in metric.items[0] if metric.items else ():
        if every_item or item.state != 1.0:
            yield _item_line(item)


def _item_line(item: ScenarioItem) -> str:
    cause = reason_of(item.state)
    state = "?   " if cause else _STATES.get(value_or_none(item.state), f"{item.state}")
    slide = "" if item.slide is None else f" (slide {item.slide})"
    text = clean(item.text)
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    reason = clean(cause or item.evidence)
    return f"  {state} {clean(item.id)}{slide}: {short}\n         {reason}"
