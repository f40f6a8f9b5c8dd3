"""A judgement printed: scores, what they rest on, and what could not be had."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.metrics import ScenarioItem, spread_of_runs
from decklab.evals.judges.scenario.result import (
    ONLY_A_MODEL,
    MetricResult,
    ScenarioJudgement,
    ScoreTable,
    TwoJudges,
    compare_judges,
    reliability,
    run_averages,
    score_table,
)
from decklab.pages.wording import clean

_LONGEST = 100
_STATES = {1.0: "yes ", 0.5: "part", 0.0: "no  ", None: "–   "}


def print_judgement(
    found: ScenarioJudgement, console: Console, *, every_item: bool = False
) -> None:
    """Print the scores of a deck, and under each metric the items that lower it, with evidence.

    ``every_item`` prints the others too.
    """
    for part in _printed(found, every_item=every_item):
        console.print(part, soft_wrap=isinstance(part, Text))


def _printed(found: ScenarioJudgement, *, every_item: bool) -> Iterator[Table | Text]:
    yield Text(f"{clean(found.deck)} for {clean(found.task.title)} ({found.task.setting})")
    yield _table(found)
    unasked = [metric.title for metric in found.metrics if metric.score == NotScored(ONLY_A_MODEL)]
    if unasked:
        yield Text(f"Only a model judges: {', '.join(unasked)}")
    for metric in found.metrics:
        lines = list(_item_lines(metric, every_item=every_item))
        if lines:
            yield Text(metric.title, style="bold")
            yield from map(Text, lines)
    for line in found.notes:
        yield Text(f"note: {clean(line)}")


def _table(found: ScenarioJudgement) -> Table:
    beside = any(metric.beside for metric in found.metrics)
    table = _plain_table("metric", "score", *(["program"] if beside else []), "spread", "items")
    table.add_column("by")
    for metric in found.metrics:
        count = len(metric.items[0]) if metric.items else 0
        by = "program (proxy)" if metric.proxy and metric.items else found.judge
        by = "" if metric.score == NotScored(ONLY_A_MODEL) else by
        spread = _spread(metric.spread)
        other = "" if metric.beside is None else _cell(metric.beside.score)
        more = [other] if beside else []
        table.add_row(metric.title, _cell(metric.score), *more, spread, str(count or ""), clean(by))
    gap = [""] if beside else []
    table.add_row("Shared metrics together", _cell(found.shared), *gap, "", "", "")
    together = spread_of_runs(run_averages(found))
    table.add_row("All metrics together", _cell(found.average), *gap, _spread(together), "", "")
    return table


def _spread(value: float | NotScored) -> str:
    return "" if isinstance(value, NotScored) else f"{value:.2f}"


def print_reliability(
    found: Sequence[ScenarioJudgement], console: Console, *, beside: ScoreTable | None = None
) -> None:
    """Print how steady each metric is over the runs of the judge, and ``beside`` the scores of
    another judge how far both agree; what was judged once has no steadiness."""
    rows = reliability(found)
    if rows:
        told = " (spread: less is steadier; ICC and items alike: more)"
        console.print(Text.assemble(("Steady from run to run", "bold"), told))
        table = _plain_table("metric", "decks", "spread", "ICC", "items alike")
        for one in rows:
            alike = "–" if isinstance(one.same_items, NotScored) else f"{one.same_items:.0%}"
            name = one.name.replace("_", " ")
            table.add_row(name, str(one.decks), _cell(one.spread), _cell(one.icc), alike)
        console.print(table)
    if beside is not None:
        console.print(Text("Beside the other judge", style="bold"))
        console.print(_agreement_table(compare_judges(beside, score_table(found))))


def _agreement_table(rows: Sequence[TwoJudges]) -> Table | Text:
    if not rows:
        return Text("  both have scored no deck")
    table = _plain_table("metric", "decks", "rho", "difference", "deviation")
    for one in rows:
        table.add_row(
            one.name.replace("_", " "), str(one.decks), _cell(one.rho), f"{one.difference:+.2f}",
            _cell(one.deviation),
        )  # fmt: skip
    return table


def _plain_table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _cell(score: float | NotScored) -> str:
    return "–" if isinstance(score, NotScored) else f"{score:.2f}"


def _item_lines(metric: MetricResult, *, every_item: bool) -> Iterator[str]:
    """The items of the first run, and why the metric has no score."""
    if isinstance(metric.score, NotScored) and metric.score.reason != ONLY_A_MODEL:
        yield f"  not scored: {clean(metric.score.reason)}"
    for item in metric.items[0] if metric.items else ():
        if every_item or item.state != 1.0:
            yield _item_line(item)


def _item_line(item: ScenarioItem) -> str:
    if isinstance(item.state, NotScored):
        state = "?   "
    else:
        state = _STATES.get(item.state, f"{item.state}")
    slide = "" if item.slide is None else f" (slide {item.slide})"
    text = clean(item.text)
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    reason = item.state.reason if isinstance(item.state, NotScored) else item.evidence
    return f"  {state} {clean(item.id)}{slide}: {short}\n         {clean(reason)}"
