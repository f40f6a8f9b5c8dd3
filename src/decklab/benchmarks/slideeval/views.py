"""A summary as the records that the report draws."""

from collections import Counter
from collections.abc import Iterator, Sequence

from decklab.benchmarks.slideeval.dataset import Dataset
from decklab.benchmarks.slideeval.summary import Sensitivity, Summary
from decklab.metrics.extraction.dataset import Distribution
from decklab.metrics.extraction.estimates import Estimate
from decklab.metrics.sensitivity.ratings import PRINTED_MACE, PRINTED_POA
from decklab.metrics.statistics import Interval
from decklab.reports.slideeval_views import (
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
    Spread,
    WeightView,
)
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


def _spread(value: float | NotScored, interval: Interval | NotScored | None = None) -> Spread:
    if isinstance(value, NotScored):
        return Spread(reason=value.reason)
    if interval is None or isinstance(interval, NotScored):
        return Spread(value)
    return Spread(value, *interval)
