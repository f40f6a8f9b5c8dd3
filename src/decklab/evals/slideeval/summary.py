"""The results of all runs by judge: the data of the page, the tables and the headlines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from inspect_ai.log import EvalLog

from decklab.evals.slideeval.dataset import DatasetTables, dataset_of_runs
from decklab.evals.slideeval.runs import (
    TEXT_ONLY,
    ExtractRun,
    JudgeAnswer,
    OrderRun,
    RateRun,
    judge_answers,
    read_extraction,
    read_ordering,
    read_rating,
    task_of,
)
from decklab.metrics.extraction.estimates import (
    Estimate,
    ParseBin,
    Pool,
    complexity,
    estimates,
    parse_rates,
    score_slide,
)
from decklab.metrics.extraction.matching import WeightSensitivity, headline_by_weights
from decklab.metrics.ordering import OrderEstimate, OrderScore, order_estimates
from decklab.metrics.ratings import Degraded, ScaleLink, averaged, scale_links
from decklab.metrics.sensitivity import (
    FrontierPoint,
    ManipulationCheck,
    ModelAgreement,
    consistency_fidelity,
    damage_ceilings,
    manipulation_check,
    model_agreement,
)


@dataclass(frozen=True)
class QuestionCounts:
    """Numbers of questions to one judge in one task, and of replies."""

    task: str
    judge: str
    decks: int
    questions: int
    unreadable: int
    """Replies that do not fit the schema."""
    failed: tuple[tuple[str, int], ...] = ()
    """Why questions have no reply, with the number for each reason; these are in no score."""

    @property
    def failures(self) -> int:
        """Questions without a reply."""
        return sum(count for _, count in self.failed)


@dataclass(frozen=True)
class ScopedMeasure:
    """One measure of a judge's extraction, over all replies and over those that fit the schema."""

    judge: str
    whole: Estimate
    """End to end."""
    parsed: Estimate
    """Parsed only."""

    @property
    def name(self) -> str:
        """Name of the measure, without ``extraction.``."""
        return self.whole.measure.removeprefix("extraction.")


@dataclass(frozen=True)
class ExtractionSummary:
    """The extraction of one judge."""

    judge: str
    slides: int
    estimates: tuple[Estimate, ...]
    bins: tuple[ParseBin, ...] = ()
    weights: tuple[WeightSensitivity, ...] = ()

    def measures(self) -> Iterator[ScopedMeasure]:
        """The estimates, each end to end beside parsed only."""
        pairs: dict[tuple[str, str], dict[str, Estimate]] = {}
        for row in self.estimates:
            pairs.setdefault((row.measure, row.where), {})[row.scope] = row
        for scopes in pairs.values():
            yield ScopedMeasure(self.judge, scopes["end_to_end"], scopes["parsed_only"])


@dataclass(frozen=True)
class OrderingSummary:
    """The ordering of one judge."""

    judge: str
    estimates: tuple[OrderEstimate, ...]


@dataclass(frozen=True)
class SensitivitySummary:
    """How judges rated damaged slides."""

    points: tuple[FrontierPoint, ...] = ()
    ceilings: tuple[FrontierPoint, ...] = ()
    """Points of the damage itself on the slides that each judge rated; none if the log has no
    damage."""
    ladder_draws: Mapping[str, str] = field(default_factory=dict)
    """How slides were damaged at their severities, by judge."""
    checks: tuple[ManipulationCheck, ...] = ()
    links: tuple[ScaleLink, ...] = ()
    agreements: tuple[ModelAgreement, ...] = ()

    def raters(self) -> dict[str, list[str]]:
        """The judges who rated slides, by how these were damaged; "" if logs do not say how."""
        raters: dict[str, list[str]] = {}
        for model in dict.fromkeys(point.model for point in self.points):
            raters.setdefault(self.ladder_draws.get(model, ""), []).append(model)
        return raters

    def ceiling(self, point: FrontierPoint) -> FrontierPoint | None:
        """The point of the damage itself on the slides of ``point``; None if the log has none."""
        key = (point.model, point.axis, point.scale)
        same = (each for each in self.ceilings if (each.model, each.axis, each.scale) == key)
        return next(same, None)


@dataclass(frozen=True)
class SlideEvalSummary:
    """The summary of all tasks."""

    questions: tuple[QuestionCounts, ...] = ()
    extraction: tuple[ExtractionSummary, ...] = ()
    sensitivity: SensitivitySummary = field(default_factory=SensitivitySummary)
    ordering: tuple[OrderingSummary, ...] = ()
    datasets: tuple[DatasetTables, ...] = ()
    """Tables of the slides in questions of extraction."""

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of all judges in order of their questions; the index gives letter and colour."""
        return tuple(dict.fromkeys(each.judge for each in self.questions))

    @property
    def text_only(self) -> bool:
        """Whether some judge was shown no pictures."""
        return any(judge.endswith(f", {TEXT_ONLY}") for judge in self.judges)

    @property
    def without_reply(self) -> int:
        """Questions without a reply, in all tasks."""
        return sum(each.failures for each in self.questions)

    @property
    def measures(self) -> list[ScopedMeasure]:
        """Every measure of extraction, of one judge after the other."""
        return [row for each in self.extraction for row in each.measures()]


def summary_of(logs: Iterable[EvalLog]) -> SlideEvalSummary:
    """The summary of logs, one for each task and judge."""
    questions: list[QuestionCounts] = []
    extracted: list[list[ExtractRun]] = []
    ordered: list[list[OrderRun]] = []
    rated: list[RateRun] = []
    for log in logs:
        replies, task = list(judge_answers(log)), task_of(log)
        if task == "slideeval_extract":
            extracted.append(read_extraction(replies))
            unreadable = sum(run.prediction is None for run in extracted[-1])
        elif task == "slideeval_order":
            ordered.append(read_ordering(replies))
            unreadable = sum(run.unreadable for run in ordered[-1])
        else:
            ratings = read_rating(replies)
            unreadable = sum(run.rating is None for run in ratings)
            rated += ratings
        questions.append(_question_counts(task, replies, unreadable))
    seen = [run for runs in extracted for run in runs]
    return SlideEvalSummary(
        tuple(questions),
        tuple(extraction_of(runs) for runs in extracted if runs),
        sensitivity_of(rated),
        tuple(ordering_of(runs) for runs in ordered if runs),
        (dataset_of_runs(seen),) if seen else (),
    )


def extraction_of(runs: Sequence[ExtractRun]) -> ExtractionSummary:
    """The replies of one judge, matched and measured."""
    pool = Pool()
    for run in runs:
        pool.add(run.deck, score_slide(run.truth, run.prediction))
    return ExtractionSummary(
        runs[0].judge,
        len({(run.deck, run.slide) for run in runs}),
        estimates(pool),
        parse_rates(
            ((complexity(run.truth), run.prediction is not None) for run in runs),
            decks=[run.deck for run in runs],
        ),
        headline_by_weights((run.truth, run.prediction) for run in runs),
    )


def sensitivity_of(runs: Sequence[RateRun]) -> SensitivitySummary:
    """The ratings of all judges together."""
    rated = averaged(run.rating for run in runs if run.rating is not None)
    damage = _damage(runs)
    return SensitivitySummary(
        points=consistency_fidelity(rated),
        ceilings=damage_ceilings(damage),
        ladder_draws={run.judge: run.ladder_draws for run in runs},
        checks=manipulation_check(rated, damage),
        links=scale_links(rated),
        agreements=model_agreement(rated),
    )


def _damage(runs: Iterable[RateRun]) -> list[Degraded]:
    """The damage of every slide that has a rating, once for each judge and scale.

    A slide whose damage was drawn in another way, or from another seed, counts as another slide.
    """
    problems = set()
    for run in runs:
        each = run.rating
        if each is not None and run.damage is not None:
            slide = f"{each.slide} {run.ladder_draws} {run.seed}"
            severity = round(each.severity, 9)
            problems.add(
                Degraded(each.model, each.axis, each.scale, each.deck, slide, severity, run.damage)
            )
    return sorted(problems)


def ordering_of(runs: Sequence[OrderRun]) -> OrderingSummary:
    """The orders of one judge."""
    by_deck: dict[str, list[OrderScore]] = {}
    for run in runs:
        by_deck.setdefault(run.deck, []).append(run.score)
    return OrderingSummary(runs[0].judge, order_estimates(by_deck))


def _question_counts(task: str, replies: Sequence[JudgeAnswer], unreadable: int) -> QuestionCounts:
    failures = Counter(reply.failed for reply in replies if reply.failed is not None)
    return QuestionCounts(
        task,
        replies[0].judge if replies else "",
        len({row.asked["deck"] for row in replies}),
        len(replies),
        unreadable,
        tuple(failures.most_common()),
    )
