"""A summary as the records that the report draws."""

from collections.abc import Iterator

from decklab.benchmarks.slideeval.summary import Summary
from decklab.metrics.extraction import Estimate
from decklab.metrics.intervals import Interval
from decklab.reports.slideeval_views import (
    AgreementView,
    BinView,
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

__all__ = ["view_of_summary"]


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
            BinView(each.judge, found.label, found.n, _spread(found.rate, found.interval))
            for each in summary.extraction
            for found in each.bins
        ),
        points=tuple(
            PointView(
                p.model, p.axis, p.scale, _spread(p.consistency, p.consistency_interval),
                _spread(p.fidelity, p.fidelity_interval), _spread(p.mace), p.n, p.curve,
                p.on_frontier,
            )
            for p in sensitivity.points
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
        weights=tuple(
            WeightView(each.judge, w.changed, w.factor, _spread(w.f1), _spread(w.shift))
            for each in summary.extraction
            for w in each.weights
        ),
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
