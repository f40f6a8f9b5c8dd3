"""How far scores of decks agree with people: the work of ``decklab agree``, its page and tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.errors import ResultsError, UnknownName
from decklab.core.results import NotScored, Tabular, reason_of, value_or_none
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
from decklab.metrics.statistics import RESAMPLES, Interval
from decklab.pages.page import check_page, output_page, plain_table, print_parts, write_page
from decklab.pages.wording import clean, counted, shown

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


_WIDTH: Final = 240
_MARGIN: Final = 8
_MOST_TOLD: Final = 20
"""Faults that a page or a terminal lists; ours."""

_COEFFICIENTS: Final = (
    ("Kendall's W", "w", "Whether annotators put the products of a topic in one order: 0 to 1."),
    ("Krippendorff's alpha", "alpha", "The same beyond chance, also with partial rankings."),
    ("Spearman's rho of pairs", "rho", "Mean over pairs of annotators, within topics."),
    ("Pairs in the same order", "pairwise", "Of the pairs that two annotators both ordered."),
)
_ICCS: Final = (
    ("ICC(1,1)", "one_way", "One annotator; each product may have others."),
    ("ICC(2,1)", "two_way_random", "One annotator, who stands for others."),
    ("ICC(3,1)", "two_way_fixed", "One annotator of these."),
    ("ICC(1,k)", "one_way_mean", "Their mean; each product may have others."),
    ("ICC(2,k)", "two_way_random_mean", "Their mean, standing for others."),
    ("ICC(3,k)", "two_way_fixed_mean", "The mean of these."),
)


def write_agreement_page(path: str | Path, agreement: PeopleAgreement) -> None:
    """Write one page with how far each metric agrees with people, and people with each other.

    It is written whole or not at all, loads nothing and works without JavaScript.
    """
    people = value_or_none(agreement.people)
    tuned = value_or_none(agreement.tuning)
    with output_page(path, AGREEMENT_PAGE) as page:
        write_page(
            page,
            AGREEMENT_PAGE,
            "open-for-print.js",
            package="decklab.evals.agreement",
            found=agreement,
            lead=_lead(agreement),
            people=people,
            title_of=lambda row: agreement.labels.get(row.metric, row.metric),
            note_of=partial(_note, agreement),
            value_of=_value,
            share_of=_share,
            interval_of=_interval,
            at=_at,
            coefficients=list(_coefficients(agreement.annotators)),
            ablation=best_first(agreement.ablation),
            dimensions=[row.metric for row in agreement.ablation if " + " not in row.metric],
            tuning=tuned,
            no_tuning=reason_of(agreement.tuning),
            held_out=_held_out(agreement),
            axis=[(_at(value), f"{value:g}") for value in (-1.0, -0.5, 0.0, 0.5, 1.0)],
            width=_WIDTH,
            most=_MOST_TOLD,
        )


def _held_out(agreement: PeopleAgreement) -> tuple[str, str]:
    """Value of a selection on topics held out, and the best single metric there."""
    chosen = agreement.selection
    return ("", "") if chosen is None else (_share(chosen.held_out), _share(chosen.single))


def _lead(agreement: PeopleAgreement) -> str:
    best = agreement.metrics[0]
    if isinstance(best.rho, NotScored):
        return f"No metric can be compared: {best.rho.reason}."
    title = agreement.labels.get(best.metric, best.metric)
    words = f"Nearest to people is {title}, with a mean rank correlation of {best.rho:.2f}"
    people = agreement.people
    if isinstance(people, NotScored) or isinstance(people.rho, NotScored):
        return f"{words}."
    return f"{words}; one person beside the others has {people.rho:.2f}."


def _note(agreement: PeopleAgreement, row: RankAgreement) -> str:
    neutral = "neither more nor less of it is better by itself"
    return reason_of(row.rho) or (neutral if row.metric in agreement.neutral else "")


def _at(rho: float) -> float:
    return round(_MARGIN + (rho + 1) / 2 * (_WIDTH - 2 * _MARGIN), 1)


def _value(value: float | NotScored) -> str:
    return shown(value).replace("-", "−")


def _share(value: float | NotScored) -> str:
    return shown(value, ".1%")


def _interval(value: Interval | NotScored, *, percent: bool = False) -> str:
    if isinstance(value, NotScored):
        return "–"
    low, high = value
    if percent:
        return f"{low:.0%} to {high:.0%}"
    return f"{_value(low)} to {_value(high)}"


def _coefficients(rated: AnnotatorAgreement | NotScored) -> Iterator[tuple[str, Coefficient, str]]:
    """Name and meaning of each coefficient between annotators."""
    if isinstance(rated, NotScored):
        return
    yield from ((name, getattr(rated, field), meaning) for name, field, meaning in _COEFFICIENTS)
    icc = rated.icc
    if isinstance(icc, NotScored):
        yield "ICC", Coefficient.none(icc.reason), ""
    else:
        yield from ((name, getattr(icc, field), meaning) for name, field, meaning in _ICCS)


def print_agreement(agreement: PeopleAgreement, console: Console) -> None:
    """Print how each metric agrees with people, what else was asked for, and what was left out."""
    print_parts(_printed(agreement), console)


def _printed(agreement: PeopleAgreement) -> Iterator[Table | Text]:
    yield Text(
        f"{counted(agreement.topics, 'topic')}, {counted(agreement.products, 'ranked product')}, "
        f"{counted(agreement.rankings, 'ranking')}"
    )
    people = () if isinstance(agreement.people, NotScored) else (agreement.people,)
    yield _table("metric", {row.metric: row for row in (*agreement.metrics, *people)})
    if isinstance(agreement.people, NotScored):
        yield Text(f"people beside people: not scored: {agreement.people.reason}")
    if isinstance(agreement.annotators, NotScored):
        yield Text(f"annotators: not scored: {agreement.annotators.reason}")
    else:
        yield Text("\nannotators with each other", style="bold")
        for name, coefficient, _ in _coefficients(agreement.annotators):
            known = not isinstance(coefficient.interval, NotScored)
            interval = f"  ({_interval(coefficient.interval)})" if known else ""
            yield Text(f"  {name:<24} {_value(coefficient.value)}{interval}")
    if agreement.ablation:
        yield Text("\nsums of dimensions", style="bold")
        sums = best_first(agreement.ablation)
        yield _table("sum of", {re.sub(r"\.score(?= \+|$)", "", row.metric): row for row in sums})
    yield from _printed_choice(agreement)
    yield from _told("left out", agreement.faults)
    yield from _told("ranked and without a score", agreement.missing)
    yield from _told("not scored", agreement.not_scored)


def _printed_choice(agreement: PeopleAgreement) -> Iterator[Text]:
    chosen, tuned = agreement.selection, agreement.tuning
    if chosen is not None:
        yield Text("\nmetrics that predict people's judgements together", style="bold")
        for step in chosen.steps:
            yield Text(f"  {step.pairwise:.1%} with {clean(step.metric)}")
        for left in chosen.left_out:
            yield Text(f"  not {clean(left.metric)}: {clean(left.why)}", style="dim")
        held, single = _held_out(agreement)
        yield Text(f"  on topics held out {held}; the best single metric {single}")
    if isinstance(tuned, NotScored):
        yield Text(f"\ntuning: not scored: {tuned.reason}")
    elif tuned is not None:
        yield Text("\naesthetics, tuned", style="bold")
        yield Text(
            f"  rho {tuned.before:.2f} before, {tuned.held_out:.2f} on topics held out "
            f"(gain {_interval(tuned.gain)}), {tuned.trained:.2f} on the topics of the fit"
        )
        for change in tuned.changes:
            yield Text(f"  {change.name}: {change.before} -> {change.after}")


def _told(what: str, lines: Sequence[str]) -> Iterator[Text]:
    if lines:
        yield Text(f"\n{what}:", style="bold")
        yield from (Text(f"  {clean(line)}") for line in lines[:_MOST_TOLD])
    if len(lines) > _MOST_TOLD:
        yield Text(f"  and {len(lines) - _MOST_TOLD} more")


def _table(first: str, rows: Mapping[str, RankAgreement]) -> Table:
    headings = ("rho", "sd", "95%", "same place", "pairs", "95% of pairs", "topics")
    table = plain_table(first, *headings, no_wrap=True)
    for name, row in rows.items():
        rho = _value(row.rho), _value(row.deviation), _interval(row.interval)
        shares = _share(row.identical), _share(row.pairwise)
        pairs = _interval(row.pairwise_interval, percent=True)
        topics = str(len(row.topics) - len(row.undefined))
        table.add_row(Text(clean(name)), *rho, *shares, pairs, topics)
    return table
