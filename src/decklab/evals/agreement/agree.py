"""How far scores of decks agree with people: the work of ``decklab agree``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import ResultsError, UnknownName
from decklab.core.results import NotScored, Tabular, reason_of
from decklab.evals.agreement.annotators import AnnotatorAgreement, Coefficient, annotator_agreement
from decklab.evals.agreement.rankings import (
    RankAgreement,
    best_first,
    leave_one_out,
    rank_agreement,
)
from decklab.evals.agreement.tables import RankTable, ScoreTable, read_rankings, read_scores
from decklab.evals.agreement.tuning import (
    MOST_DIMENSIONS,
    MetricSelection,
    Tuning,
    ablation,
    select_metrics,
    tune,
)
from decklab.metrics.catalogue import metric_labels
from decklab.metrics.statistics import RESAMPLES
from decklab.pages.page import check_page

AGREEMENT_PAGE: Final = "agreement.html"
"""The template of the page."""

AESTHETICS_PARTS: Final = ("harmony.score", "engagement.score", "usability.score", "rhythm.score")
"""The dimensions of table 3; an ablation takes them if the table has all four."""


@dataclass(frozen=True)
class PeopleAgreement(Tabular):
    """How far scores agree with people, and people with each other."""

    metrics: tuple[RankAgreement, ...]
    """The best mean rho first; those without one last."""
    people: RankAgreement | NotScored
    """Each annotator beside the others: what people reach."""
    annotators: AnnotatorAgreement | NotScored
    topics: int
    rankings: int
    products: int
    """Products that were ranked, each topic's own."""
    missing: tuple[str, ...]
    """Ranked products without any score."""
    faults: tuple[str, ...]
    """Rows and decks that were left out, each with its place and cause."""
    not_scored: tuple[str, ...]
    """Values that the scores do not have, with their reasons."""
    neutral: tuple[str, ...]
    """Metrics of which neither more nor less is better; they count as if more were."""
    ablation: tuple[RankAgreement, ...] = ()
    """Sums of all subsets of dimensions."""
    selection: MetricSelection | None = None
    tuning: Tuning | NotScored | None = None
    labels: Mapping[str, str] = field(default_factory=metric_labels)
    """Names of metrics for people."""

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a metric, then people."""
        people = () if isinstance(self.people, NotScored) else (self.people,)
        for row in (*self.metrics, *people):
            yield _row_json(row)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; undefined values are null, with their reason beside them."""
        people = self.people
        return {
            "topics": self.topics,
            "rankings": self.rankings,
            "products": self.products,
            "metrics": [_row_json(row, topics=True) for row in self.metrics],
            "people": _cause(people) if isinstance(people, NotScored) else _row_json(people),
            "annotators": _annotators_json(self.annotators),
            "ablation": [_row_json(row) for row in self.ablation],
            "selection": None if self.selection is None else _plain(asdict(self.selection)),
            "tuning": _tuning_json(self.tuning),
            "neutral": list(self.neutral),
            "missing": list(self.missing),
            "faults": list(self.faults),
            "not_scored": list(self.not_scored),
        }


def agree(
    scores: str | Path,
    ranks: str | Path | Sequence[str | Path],
    *,
    metrics: Sequence[str] = (),
    ablate: bool = False,
    select: bool = False,
    tuned: bool = False,
    outputs: Sequence[str | Path] = (),
    force: bool = False,
) -> PeopleAgreement:
    """How far the scores of decks agree with rankings of people (paper 002, tables 2 and 3).

    ``scores`` is a table as ``read_scores`` takes it, such as the folder of ``decklab score``;
    ``ranks`` one or several CSV files with the columns topic, annotator, product and rank.
    ``metrics`` are those to compare; else all in the table. With ``ablate`` the sums of all subsets
    are compared: of the four parts of the aesthetics score, or of ``metrics``. With ``select``
    metrics are chosen that predict people's judgements together; with ``tuned`` the parameters of
    the aesthetics score are fitted. ``outputs`` are files that will be written: they may be no
    input, and without ``force`` no other file that exists but such a page.

    ::

        found = decklab.evals.agree("results", "ranks.csv", ablate=True)
        print(found.metrics[0].metric, found.metrics[0].rho)

    Raises ResultsError if a table cannot be used or has too many metrics for all subsets,
    UnknownName for a metric that it does not hold, OSError if an output cannot be written,
    NameTaken if one exists.
    """
    files = [ranks] if isinstance(ranks, str | Path) else list(ranks)
    for path in outputs:
        check_page(path, AGREEMENT_PAGE, inputs=[scores, *files], force=force)
    ranked = read_rankings(files)
    try:
        table = read_scores(scores, ranked.rankings)
    except ResultsError as error:
        if not ranked.faults:
            raise
        raise ResultsError(error.path, f"{error.detail}; {ranked.faults[0]}") from error
    unknown = [name for name in metrics if name not in table.scores]
    if unknown:
        known = ", ".join(sorted(table.scores))
        raise UnknownName(f"the scores hold no metric named {unknown[0]!r}; they hold {known}")
    names = list(dict.fromkeys(metrics)) or list(table.scores)
    chosen = {name: table.scores[name] for name in names}
    dimensions = _dimensions(scores, table, metrics) if ablate else []
    return replace(
        agreement_of(table, ranked, names),
        ablation=tuple(ablation(table.scores, dimensions, ranked.rankings)),
        selection=select_metrics(chosen, ranked.rankings) if select else None,
        tuning=tune(table.slides, ranked.rankings) if tuned else None,
    )


def agreement_of(
    table: ScoreTable, ranked: RankTable, metrics: Sequence[str], *, resamples: int = RESAMPLES
) -> PeopleAgreement:
    """How far some ``metrics`` of a table agree with rankings, and people with each other.

    Intervals come from ``resamples`` resamples of the topics.
    """
    rows = (
        rank_agreement(name, table.scores[name], ranked.rankings, resamples=resamples)
        for name in metrics
    )
    return PeopleAgreement(
        metrics=tuple(best_first(rows)),
        people=leave_one_out(ranked.rankings, resamples=resamples),
        annotators=annotator_agreement(ranked.rankings, resamples=resamples),
        neutral=tuple(name for name in metrics if table.directions[name] == "neutral"),
        **_counts(ranked, table),
    )


def _dimensions(path: str | Path, table: ScoreTable, metrics: Sequence[str]) -> list[str]:
    """The dimensions whose subsets are summed."""
    if not metrics and all(name in table.scores for name in AESTHETICS_PARTS):
        return list(AESTHETICS_PARTS)
    chosen = list(dict.fromkeys(metrics or table.scores))
    if len(chosen) > MOST_DIMENSIONS:
        detail = (
            f"{len(chosen)} metrics have too many subsets to sum; name {MOST_DIMENSIONS} at most"
        )
        raise ResultsError(path, detail)
    return chosen


def _counts(ranked: RankTable, table: ScoreTable) -> dict[str, Any]:
    places = dict.fromkeys((r.topic, p) for r in ranked.rankings for p in r.ranks)
    scored = {
        (topic, product)
        for topics in table.scores.values()
        for topic, products in topics.items()
        for product in products
    }
    return {
        "topics": len({topic for topic, _ in places}),
        "rankings": len(ranked.rankings),
        "products": len(places),
        "missing": tuple(f"{t}, {p}" for t, p in places if (t, p) not in scored),
        "faults": (*ranked.faults, *table.faults),
        "not_scored": table.not_scored,
    }


def _row_json(row: RankAgreement, *, topics: bool = False) -> dict[str, Any]:
    row_json: dict[str, Any] = {
        "metric": row.metric,
        "topics": len(row.topics) - len(row.undefined),
        "rho": _plain(row.rho),
        "rho_deviation": _plain(row.deviation),
        "rho_interval": _plain(row.interval),
        "identical": _plain(row.identical),
        "identical_chance": _plain(row.chance),
        "pairwise": _plain(row.pairwise),
        "pairwise_interval": _plain(row.pairwise_interval),
        "reason": reason_of(row.rho) or None,
    }
    if topics:
        row_json["by_topic"] = [
            {"topic": topic.topic, "products": topic.products, "rho": _plain(topic.rho),
             "identical": _plain(topic.identical), "right": topic.right, "judged": topic.judged}
            for topic in row.topics
        ]  # fmt: skip
    return row_json


def _annotators_json(agreed: AnnotatorAgreement | NotScored) -> dict[str, Any]:
    if isinstance(agreed, NotScored):
        return _cause(agreed)
    icc = agreed.icc
    return {
        "annotators": list(agreed.annotators),
        "topics": agreed.topics,
        "icc_products": agreed.products,
        "icc": _cause(icc)
        if isinstance(icc, NotScored)
        else {name: _estimate(coefficient) for name, coefficient in vars(icc).items()},
        **{name: _estimate(getattr(agreed, name)) for name in ("w", "alpha", "rho", "pairwise")},
    }


def _tuning_json(tuning: Tuning | NotScored | None) -> dict[str, Any] | None:
    if isinstance(tuning, NotScored):
        return _cause(tuning)
    return None if tuning is None else _plain(asdict(tuning))


def _estimate(coefficient: Coefficient) -> dict[str, Any]:
    plain = {"value": _plain(coefficient.value), "interval": _plain(coefficient.interval)}
    return plain | _cause(coefficient.value) if isinstance(coefficient.value, NotScored) else plain


def _cause(missing: NotScored) -> dict[str, Any]:
    return {"reason": missing.reason}


def _plain(value: Any) -> Any:
    """Plain JSON of a value; null if it is not there."""
    if isinstance(value, NotScored):
        return None
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value
