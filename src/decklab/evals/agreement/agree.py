"""How far scores of decks agree with people: the work of ``decklab agree``, its page and tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import ResultsError, UnknownName
from decklab.core.results import NotScored, Tabular, plain_json, reason_of, value_or_none
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
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import MeanOf, Observation
from decklab.evals.results.page import (
    CaseCell,
    CaseRow,
    CaseTable,
    PageSection,
    ResultPage,
    write_result_page,
)
from decklab.evals.results.tables import (
    ResultColumn,
    ResultRow,
    ResultTable,
    share_column,
    system_table,
)
from decklab.evals.results.text import table_lines
from decklab.metrics.catalogue import metric_labels
from decklab.metrics.statistics import RESAMPLES, Interval
from decklab.pages.page import check_page, output_page
from decklab.pages.wording import clean, counted, number, shown

AGREEMENT_PAGE: Final = "agreement.html"
"""The title of the page."""

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
        yield from (_row_json(row) for row in (*self.metrics, *people))

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
            "selection": None if self.selection is None else plain_json(asdict(self.selection)),
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
    if unknown := [name for name in metrics if name not in table.scores]:
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
        "rho": plain_json(row.rho),
        "rho_deviation": plain_json(row.deviation),
        "rho_interval": plain_json(row.interval),
        "identical": plain_json(row.identical),
        "identical_chance": plain_json(row.chance),
        "pairwise": plain_json(row.pairwise),
        "pairwise_interval": plain_json(row.pairwise_interval),
        "reason": reason_of(row.rho) or None,
    }
    if topics:
        row_json["by_topic"] = [
            {"topic": topic.topic, "products": topic.products, "rho": plain_json(topic.rho),
             "identical": plain_json(topic.identical), "right": topic.right, "judged": topic.judged}
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
    return None if tuning is None else plain_json(asdict(tuning))


def _estimate(coefficient: Coefficient) -> dict[str, Any]:
    plain = {"value": plain_json(coefficient.value), "interval": plain_json(coefficient.interval)}
    return plain | _cause(coefficient.value) if isinstance(coefficient.value, NotScored) else plain


def _cause(missing: NotScored) -> dict[str, Any]:
    return {"reason": missing.reason}


_MOST_TOLD: Final = 20
"""Faults that a page or a terminal lists; ours."""
_MOST_COMPARED: Final = 12
"""Metrics that are compared pair by pair at most; ours: more have too many pairs to tell any."""
_RHO: Final = ResultColumn("rho", "Spearman", "Rank correlation in a topic", scale=(-1.0, 1.0))
_COLUMNS: Final = (
    _RHO,
    ResultColumn("deviation", "Deviation", "Standard deviation of the topics' correlations"),
    share_column("identical", "Same place, %", "Products at the place where people put them"),
    share_column("pairwise", "Pairs, %", "Judgements of pairs that it gives too; 50 at random"),
    ResultColumn("topics", "Topics", "Topics in which it has an order", digits=0),
)

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


def agreement_tables(agreement: PeopleAgreement) -> Iterator[ResultTable]:
    """Metrics beside the people's order, annotators beside each other, and sums of dimensions."""
    labels = agreement.labels
    rows = {labels.get(row.metric, row.metric): row for row in agreement.metrics}
    people = value_or_none(agreement.people)
    beside = {"One person beside the others": people} if people else {}
    yield _rank_table("scores", "Every score beside the people's order", rows, beside)
    annotators = agreement.annotators
    if not isinstance(annotators, NotScored):
        yield _annotator_table(annotators)
    if agreement.ablation:
        sums = {
            " + ".join(labels.get(name, name) for name in row.metric.split(" + ")): row
            for row in agreement.ablation
        }
        yield _rank_table("sums", "Sums of dimensions", sums, {})


def _rank_table(
    name: str, title: str, rows: Mapping[str, RankAgreement], beside: Mapping[str, RankAgreement]
) -> ResultTable:
    """Metrics by what they share with people; if there are few enough, with places."""
    topics = [
        Observation(label, topic.topic, "rho", topic.rho)
        for label, row in rows.items()
        for topic in row.topics
    ]
    few = len(rows) <= _MOST_COMPARED
    placed = system_table(name, title, topics, [_RHO], main="rho") if few else None
    place = {row.name: row.place for row in placed.rows} if placed else {}
    order = list(place) or list(rows)
    lines = [ResultRow(label, _rank_cells(rows[label]), place=place.get(label, ""))
             for label in order if label in rows]  # fmt: skip
    lines += [ResultRow(label, _rank_cells(row), place="–" if placed and placed.placed else "")
              for label, row in beside.items()]  # fmt: skip
    differences = placed.differences if placed else ()
    leading = placed.leading if placed else frozenset()
    return ResultTable(name, title, _COLUMNS, tuple(lines), "Score", "topics", "", leading,
                       differences)  # fmt: skip


def _rank_cells(row: RankAgreement) -> dict[str, MeanOf]:
    known, every = len(row.topics) - len(row.undefined), len(row.topics)
    return {
        "rho": MeanOf(row.rho, known, every, row.interval),
        "deviation": MeanOf(row.deviation, known, known or 1, _ALONE),
        "identical": MeanOf(row.identical, every, every, _ALONE),
        "pairwise": MeanOf(row.pairwise, every, every, row.pairwise_interval),
        "topics": MeanOf(float(known), 1, 1, _ALONE),
    }


_ALONE: Final = NotScored("it has no interval")


def _annotator_table(rated: AnnotatorAgreement) -> ResultTable:
    """The coefficients between annotators, each with its interval."""
    rows = tuple(
        ResultRow(name, {"value": MeanOf(coefficient.value, 1, 1, coefficient.interval)})
        for name, coefficient, _ in _coefficients(rated)
    )
    lead = (
        f"{counted(len(rated.annotators), 'annotator')}; {counted(rated.topics, 'topic')} ranked "
        "by at least two of them. 1 is full agreement; intervals of ICC are from the F "
        "distribution."
    )
    column = ResultColumn("value", "Value")
    return ResultTable("annotators", "Annotators with each other", (column,), rows, "Coefficient",
                       "topics", lead)  # fmt: skip


def _coefficients(rated: AnnotatorAgreement) -> Iterator[tuple[str, Coefficient, str]]:
    """Name and meaning of each coefficient between annotators."""
    yield from ((name, getattr(rated, field), meaning) for name, field, meaning in _COEFFICIENTS)
    icc = rated.icc
    if isinstance(icc, NotScored):
        yield "ICC", Coefficient.none(icc.reason), ""
    else:
        yield from ((name, getattr(icc, field), meaning) for name, field, meaning in _ICCS)


def write_agreement_page(path: str | Path, agreement: PeopleAgreement) -> None:
    """Write one page with how far each metric agrees with people, and people with each other.

    It is written whole or not at all, loads nothing and works without JavaScript.
    """
    tables = list(agreement_tables(agreement))
    chart = interval_chart(tables[0], _RHO)
    sections = [
        PageSection("Scores and people", _LEGEND, tables, [chart] if chart else [],
                    notes=list(_unscored(agreement))),
    ]  # fmt: skip
    if len(agreement.metrics) <= _MOST_COMPARED:
        sections.append(PageSection("By topic", cases=_topics(agreement)))
    sections += [PageSection(title, notes=lines) for title, lines in _choices(agreement) if lines]
    sections += [PageSection(title, notes=lines) for title, lines in _told(agreement) if lines]
    notices = [("In short:", _lead(agreement, tables[0]))]
    if (rated := value_or_none(agreement.annotators)) is not None:
        meanings = [f"{name}: {meaning}" for name, _, meaning in _coefficients(rated) if meaning]
        sections.append(PageSection("What the coefficients say", notes=meanings))
    title = "How far scores agree with people"
    page = ResultPage(
        _counted(agreement), title, sections, notices=notices, units="topics", method=_METHOD,
        kind="agreement",
    )  # fmt: skip
    with output_page(path, AGREEMENT_PAGE) as unfinished:
        write_result_page(unfinished, page)


def _topics(agreement: PeopleAgreement) -> CaseTable:
    """The rank correlation of each metric in each topic."""
    columns = [agreement.labels.get(row.metric, row.metric) for row in agreement.metrics]
    topics = agreement.metrics[0].topics if agreement.metrics else ()
    rows = [
        CaseRow(topic.topic, [_topic_cell(row.topics[place].rho) for row in agreement.metrics],
                counted(topic.products, "product"))
        for place, topic in enumerate(topics)
    ]  # fmt: skip
    return CaseTable("Topic", columns, rows)


def _topic_cell(rho: float | NotScored) -> CaseCell:
    return CaseCell(_RHO.single(rho), value_or_none(rho), why=reason_of(rho))


_LEGEND: Final = (
    "Spearman: rank correlation within a topic, mean over topics; 1 is the people's order, 0 no "
    "relation, −1 the reverse."
)
_METHOD: Final = "95% intervals are from resampled topics, widened for few of them by Student’s t."


def _counted(agreement: PeopleAgreement) -> str:
    return (
        f"{counted(agreement.topics, 'topic')}, {counted(agreement.products, 'ranked product')}, "
        f"{counted(agreement.rankings, 'ranking')}"
    )


def _lead(agreement: PeopleAgreement, table: ResultTable) -> str:
    best = agreement.metrics[0]
    if isinstance(best.rho, NotScored):
        return f"No metric can be compared: {best.rho.reason}."
    title = agreement.labels.get(best.metric, best.metric)
    words = f"The highest mean rank correlation with people has {title}, with {best.rho:.2f}"
    if next((row.place for row in table.rows if row.name == title), "") not in ("", "1"):
        words += "; these topics do not tell it from others"
    people = agreement.people
    if isinstance(people, NotScored) or isinstance(people.rho, NotScored):
        return f"{words}."
    return f"{words}; one person beside the others has {people.rho:.2f}."


def _unscored(agreement: PeopleAgreement) -> Iterator[str]:
    """Metrics without a value or without a direction, and why people are not compared."""
    for row in agreement.metrics:
        note = reason_of(row.rho)
        if row.metric in agreement.neutral:
            note = note or "neither more nor less of it is better by itself"
        if note:
            yield f"{agreement.labels.get(row.metric, row.metric)}: {note}."
    if isinstance(agreement.people, NotScored):
        yield f"People beside people: not scored: {agreement.people.reason}."
    if isinstance(agreement.annotators, NotScored):
        yield f"Annotators: not scored: {agreement.annotators.reason}."


def _choices(agreement: PeopleAgreement) -> Iterator[tuple[str, list[str]]]:
    """Results of selection and tuning, a line each."""
    chosen, tuned = agreement.selection, agreement.tuning
    if chosen is not None:
        held, single = _share(chosen.held_out), _share(chosen.single)
        yield (
            "Scores that predict people's judgements together",
            [
                *(f"{step.pairwise:.1%} with {step.metric}" for step in chosen.steps),
                *(f"not {left.metric}: {left.why}" for left in chosen.left_out),
                f"on topics held out {held}; the best single metric {single}",
            ],
        )
    title = "Aesthetics, tuned on these rankings"
    if isinstance(tuned, NotScored):
        yield title, [f"not scored: {tuned.reason}"]
    elif tuned is not None:
        lacking = f"; {tuned.left_out} ranked decks lack a part" if tuned.left_out else ""
        yield (
            title,
            [
                f"{counted(tuned.decks, 'deck')} of {counted(tuned.topics, 'topic')}{lacking}",
                f"rho {tuned.before:.2f} before, {tuned.held_out:.2f} on topics held out (gain "
                f"{_interval(tuned.gain)}), {tuned.trained:.2f} on the topics of the fit",
                *(f"{change.name}: {change.before} -> {change.after}" for change in tuned.changes),
            ],
        )


def _told(agreement: PeopleAgreement) -> Iterator[tuple[str, list[str]]]:
    """Gaps in the numbers, the first of each kind."""
    for title, lines in (
        ("Left out", agreement.faults),
        ("Ranked and without a score", agreement.missing),
        ("Not scored", agreement.not_scored),
    ):
        more = len(lines) - _MOST_TOLD
        yield title, [*lines[:_MOST_TOLD], *([f"and {more} more"] if more > 0 else [])]


def _share(value: float | NotScored) -> str:
    return shown(value, ".1%")


def _interval(value: Interval | NotScored) -> str:
    return "–" if isinstance(value, NotScored) else f"{number(value[0])} to {number(value[1])}"


def agreement_lines(agreement: PeopleAgreement) -> Iterator[str]:
    """How each metric agrees with people, what else was asked for, and what was left out."""
    yield _counted(agreement)
    for table in agreement_tables(agreement):
        yield f"\n{table.title}"
        yield from table_lines(table)
    yield from map(clean, _unscored(agreement))
    for title, lines in (*_choices(agreement), *_told(agreement)):
        if lines:
            yield f"\n{title}:"
            yield from (f"  {clean(line)}" for line in lines)
