"""A folder of logs as a report: a page with charts, CSV files, and headlines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from decklab.benchmarks.slideeval.dataset import Dataset, saved_dataset
from decklab.benchmarks.slideeval.figures import (
    AXES,
    agreement_charts,
    frontier_charts,
    headline_charts,
    letter,
    ordering_charts,
    parseability_chart,
    severity_charts,
    style_charts,
)
from decklab.benchmarks.slideeval.runs import newest_logs
from decklab.benchmarks.slideeval.summary import Sensitivity, Summary, summary_of
from decklab.benchmarks.slideeval.summary_views import (
    AgreementView,
    BinView,
    CeilingView,
    CheckView,
    CountsView,
    DatasetRowView,
    DatasetView,
    FontView,
    LinkView,
    MeasureView,
    OrderView,
    PointView,
    QuestionsView,
    SlideEvalView,
    WeightView,
)
from decklab.benchmarks.slideeval.tables import (
    CATEGORIES,
    COUNTS,
    MEASURES,
    TABLE_4,
    TASKS,
    write_slideeval_csv,
)
from decklab.errors import DeckError
from decklab.metrics.extraction.dataset import Distribution
from decklab.metrics.extraction.estimates import Estimate
from decklab.metrics.sensitivity.ratings import PRINTED_MACE, PRINTED_POA
from decklab.metrics.statistics import Interval
from decklab.reports.page import write_page
from decklab.reports.svg_charts import ValueSpread
from decklab.results import NotScored

_Ranked = Sequence[tuple[str, int]]


def view_of_summary(summary: Summary) -> SlideEvalView:
    """Everything of a summary, in its order."""
    sensitivity = summary.sensitivity
    return SlideEvalView(
        questions=tuple(
            QuestionsView(a.task, a.judge, a.decks, a.questions, a.unreadable, a.failed)
            for a in summary.asked
        ),
        measures=tuple(_measures(summary)),
        bins=tuple(
            BinView(
                each.judge, found.label, found.n, _spread(found.rate, found.interval),
                _spread(found.rate, found.bootstrap),
            )
            for each in summary.extraction
            for found in each.bins
        ),
        points=tuple(_points(sensitivity)),
        checks=tuple(
            CheckView(
                c.of, c.axis, c.scale, _spread(c.poa, c.interval), _spread(c.mace), c.n,
                PRINTED_POA.get(c.scale or 0) if c.axis == "all" else None,
                PRINTED_MACE if (c.of, c.axis, c.scale) == ("judges", "all", None) else None,
            )
            for c in sensitivity.checks
        ),
        links=tuple(
            LinkView(each.model, _spread(each.r2), _spread(each.rmse), _spread(each.p), each.n)
            for each in sensitivity.links
        ),
        agreements=tuple(
            AgreementView(*a.models, a.axis, a.scale, a.low, a.high, a.n, _spread(a.rho))
            for a in sensitivity.agreements
        ),
        orders=tuple(
            OrderView(
                each.judge, row.measure.removeprefix("ordering."), _spread(row.value, row.interval),
                _number(row.std), row.decks, row.unscored,
            )
            for each in summary.ordering
            for row in each.estimates
        ),
        datasets=() if summary.dataset is None else (view_of_dataset(summary.dataset),),
        weights=tuple(
            WeightView(each.judge, w.changed, w.factor, _spread(w.f1), _spread(w.shift))
            for each in summary.extraction
            for w in each.weights
        ),
    )  # fmt: skip


def view_of_dataset(dataset: Dataset) -> DatasetView:
    """A dataset's tables."""
    judges = tuple(dataset.predicted)
    named = [dataset.predicted[judge] for judge in judges]
    return DatasetView(
        dataset.name,
        dataset.decks,
        tuple(
            DatasetRowView(row.category, _counts(row.per_deck), _counts(row.per_slide), row.total)
            for row in dataset.rows
        ),
        _fonts(dataset.fonts.families, [each.families for each in named]),
        _fonts(dataset.fonts.groups, [each.groups for each in named]),
        judges,
    )


def _counts(found: Distribution | NotScored) -> CountsView | None:
    if isinstance(found, NotScored):
        return None
    return CountsView(found.mean, _number(found.sd), found.low, found.median, found.high)


def _fonts(true: _Ranked, predicted: Sequence[_Ranked]) -> tuple[FontView, ...]:
    """Names that only a judge gave come last, the most frequent of them first."""
    truth, theirs = dict(true), [dict(each) for each in predicted]
    extra = Counter[str]()
    for each in theirs:
        extra.update({name: count for name, count in each.items() if name not in truth})
    return tuple(
        FontView(name, truth.get(name, 0), tuple(each.get(name, 0) for each in theirs))
        for name in [*truth, *(name for name, _ in extra.most_common())]
    )


def _points(found: Sensitivity) -> Iterator[PointView]:
    ceilings = {(each.model, each.axis, each.scale): each for each in found.ceilings}
    for p in found.points:
        ceiling = ceilings.get((p.model, p.axis, p.scale))
        yield PointView(
            p.model, p.axis, p.scale, _spread(p.consistency, p.consistency_interval),
            _spread(p.fidelity, p.fidelity_interval), _spread(p.mace), p.n, p.curve,
            p.on_frontier,
            None if ceiling is None else CeilingView(
                _spread(ceiling.consistency), _spread(ceiling.fidelity), _spread(ceiling.mace),
                ceiling.curve,
            ),
            found.ladder_draws.get(p.model, ""),
        )  # fmt: skip


def _measures(summary: Summary) -> Iterator[MeasureView]:
    for each in summary.extraction:
        rows: dict[tuple[str, str], dict[str, Estimate]] = {}
        for row in each.estimates:
            rows.setdefault((row.measure, row.where), {})[row.scope] = row
        for (measure, where), scopes in rows.items():
            whole, parsed = scopes["end_to_end"], scopes["parsed_only"]
            yield MeasureView(
                each.judge, measure.removeprefix("extraction."), where,
                _spread(whole.value, whole.interval), _spread(parsed.value, parsed.interval),
                _number(whole.coverage), _number(whole.std), whole.n,
            )  # fmt: skip


def _number(outcome: float | NotScored) -> float | None:
    return None if isinstance(outcome, NotScored) else outcome


def _spread(value: float | NotScored, interval: Interval | NotScored | None = None) -> ValueSpread:
    if isinstance(value, NotScored):
        return ValueSpread(reason=value.reason)
    if interval is None or isinstance(interval, NotScored):
        return ValueSpread(value)
    return ValueSpread(value, *interval)


PAGE: Final = "slideeval.html"
TABLES: Final = "csv"

_EXTRACTION: Final = {"matching_f1": "matching F1", "text_f1": "text F1"}
_ORDERING: Final = {"kendall_tau": "tau", "spearman_rho": "rho"}


@dataclass(frozen=True)
class Headline:
    """One number of one judge."""

    task: str
    judge: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    """Slides, slides at all severities, or decks behind it."""
    reason: str
    ceiling: float | None = None
    """What the damage itself reaches on the same slides; of sensitivity only."""

    def __str__(self) -> str:
        """One line, such as ``extract: matching F1 0.41 (0.35 to 0.47), ...``."""
        where = f"{self.task}: {self.judge}: {self.measure}"
        if self.value is None:
            return f"{where} not scored: {self.reason}"
        told = f"{where} {self.value:.3f}"
        if self.low is not None and self.high is not None:
            told += f" ({self.low:.3f} to {self.high:.3f})"
        if self.ceiling is not None:
            told += f", the damage itself {self.ceiling:.3f}"
        return f"{told}, n = {self.n}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def report_folder(logs: str | Path, out: str | Path) -> Summary:
    """Write page and tables on the newest log of each task and judge; gives what they say.

    Tables of a dataset that are kept in ``out`` come first. Raises DeckError where the folder
    holds no log of the three tasks and there are no such tables.
    """
    found = newest_logs(logs) if Path(logs).is_dir() else []
    kept = saved_dataset(Path(out))
    if not found and kept is None:
        raise DeckError(logs, "holds no log of slideeval_extract, _perturb or _order")
    summary = summary_of(found)
    view = view_of_summary(summary)
    if kept is not None:
        view = replace(view, datasets=(kept, *view.datasets))
    write_slideeval_csv(Path(out, TABLES), view)
    write_slideeval_page(Path(out, PAGE), view)
    return summary


def headlines(summary: Summary) -> list[Headline]:
    """Matching and text F1; POA, rho and MACE by axis and scale; tau and rho of orders."""
    return [*_extraction(summary), *_sensitivity(summary), *_ordering(summary)]


def _extraction(summary: Summary) -> Iterator[Headline]:
    for each in summary.extraction:
        for row in each.estimates:
            name = row.measure.removeprefix("extraction.")
            if name in _EXTRACTION and row.where == "all" and row.scope == "end_to_end":
                yield _headline(
                    "extract",
                    each.judge,
                    _EXTRACTION[name],
                    value=row.value,
                    interval=row.interval,
                    n=each.slides,
                )


def _sensitivity(summary: Summary) -> Iterator[Headline]:
    ceilings = {(each.model, each.axis, each.scale): each for each in summary.sensitivity.ceilings}
    for point in summary.sensitivity.points:
        where = f"{point.axis}, {point.scale} points,"
        top = ceilings.get((point.model, point.axis, point.scale))
        for name, value, interval, ceiling in (
            ("POA", point.consistency, point.consistency_interval, top and top.consistency),
            ("Spearman", point.fidelity, point.fidelity_interval, top and top.fidelity),
            ("MACE", point.mace, None, top and top.mace),
        ):
            found = _headline(
                "perturb", point.model, f"{where} {name}", value=value, interval=interval, n=point.n
            )
            yield replace(found, ceiling=ceiling if isinstance(ceiling, float) else None)


def _ordering(summary: Summary) -> Iterator[Headline]:
    for each in summary.ordering:
        for row in each.estimates:
            name = row.measure.removeprefix("ordering.")
            if name in _ORDERING:
                yield _headline(
                    "order",
                    each.judge,
                    _ORDERING[name],
                    value=row.value,
                    interval=row.interval,
                    n=row.decks,
                )


def _headline(
    task: str,
    judge: str,
    measure: str,
    *,
    value: float | NotScored,
    interval: Interval | NotScored | None,
    n: int,
) -> Headline:
    if isinstance(value, NotScored):
        return Headline(task, judge, measure, None, None, None, n, value.reason)
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return Headline(task, judge, measure, value, low, high, n, "")


@dataclass(frozen=True)
class _Cell:
    item: MeasureView | None
    best: bool


@dataclass(frozen=True)
class _Judge:
    name: str
    letter: str
    series: int


def write_slideeval_page(
    path: str | Path, view: SlideEvalView, *, generated_by: str = "decklab"
) -> None:
    """Write the page to ``path``, whole or not at all. It loads nothing and needs no script."""
    judges = [_Judge(name, letter(view, name), i % 6) for i, name in enumerate(view.judges)]
    write_page(
        path,
        "slideeval.html",
        "open-for-print.js",
        package="decklab.benchmarks.slideeval",
        view=view,
        judges=judges,
        tasks=TASKS,
        letters={judge.name: judge.letter for judge in judges},
        extractors=list(dict.fromkeys(item.judge for item in view.measures)),
        table=_table(view),
        labels=MEASURES,
        categories=CATEGORIES,
        counts=COUNTS,
        headline=headline_charts(view),
        parseability=parseability_chart(view),
        styles=style_charts(view),
        severity=severity_charts(view),
        frontier=frontier_charts(view),
        agreement=agreement_charts(view),
        ordering=ordering_charts(view),
        axes=AXES,
        generated_by=generated_by,
    )


def _table(view: SlideEvalView) -> list[tuple[str, list[tuple[str, list[_Cell]]]]]:
    """Table 4: groups of rows, a cell for each judge that read slides."""
    judges = list(dict.fromkeys(item.judge for item in view.measures))
    found = {(i.name, i.judge): i for i in view.measures if i.where == "all"}
    groups = []
    for title, names in TABLE_4:
        rows = []
        for name in names:
            items = [found.get((name, judge)) for judge in judges]
            best = _best(items, higher=MEASURES[name].higher)
            rows.append((name, [_Cell(item, item is not None and item is best) for item in items]))
        groups.append((title, rows))
    return groups


def _best(items: list[MeasureView | None], *, higher: bool) -> MeasureView | None:
    """The best of several end to end; None where there is nothing to compare."""
    scored = [(i.whole.value, i) for i in items if i is not None and i.whole.value is not None]
    if len(scored) < 2:
        return None
    return (max if higher else min)(scored, key=lambda pair: pair[0])[1]
