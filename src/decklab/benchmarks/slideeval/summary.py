"""Everything that runs say, by judge: what reports and the command line print."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inspect_ai.log import EvalLog

from decklab.benchmarks.slideeval.dataset import Dataset, dataset_of_runs
from decklab.benchmarks.slideeval.runs import (
    ExtractRun,
    JudgeAnswer,
    OrderRun,
    RateRun,
    judge_answers,
    read_extraction,
    read_ordering,
    read_rating,
)
from decklab.metrics.extraction.estimates import Estimate, Pool, estimates, score_slide
from decklab.metrics.extraction.matching import WeightSensitivity, headline_by_weights
from decklab.metrics.extraction.parseability import ParseBin, parse_rates
from decklab.metrics.ordering import OrderEstimate, OrderScore, order_estimates
from decklab.metrics.sensitivity.frontier import (
    FrontierPoint,
    ManipulationCheck,
    ModelAgreement,
    consistency_fidelity,
    damage_ceilings,
    manipulation_check,
    model_agreement,
)
from decklab.metrics.sensitivity.ratings import Degraded, averaged
from decklab.metrics.sensitivity.scale_link import ScaleLink, scale_links


@dataclass(frozen=True)
class Asked:
    """What one judge was asked in one task."""

    task: str
    judge: str
    decks: int
    questions: int
    unreadable: int
    """Replies that do not fit the schema."""
    failed: tuple[tuple[str, int], ...]
    """Why questions have no reply, and how many each; these are in no score."""


@dataclass(frozen=True)
class Extraction:
    """What one judge read off slides."""

    judge: str
    slides: int
    estimates: tuple[Estimate, ...]
    bins: tuple[ParseBin, ...]
    weights: tuple[WeightSensitivity, ...]


@dataclass(frozen=True)
class OrderingSummary:
    """How one judge put decks in order."""

    judge: str
    estimates: tuple[OrderEstimate, ...]


@dataclass(frozen=True)
class Sensitivity:
    """How judges rated damaged slides."""

    points: tuple[FrontierPoint, ...] = ()
    ceilings: tuple[FrontierPoint, ...] = ()
    """What the damage itself reaches on the slides that each judge rated; none where the log does
    not tell the damage."""
    ladder_draws: Mapping[str, str] = field(default_factory=dict)
    """How the severities of a slide hang together, by judge."""
    checks: tuple[ManipulationCheck, ...] = ()
    links: tuple[ScaleLink, ...] = ()
    agreements: tuple[ModelAgreement, ...] = ()


@dataclass(frozen=True)
class Summary:
    """All of it."""

    asked: tuple[Asked, ...]
    extraction: tuple[Extraction, ...]
    sensitivity: Sensitivity
    ordering: tuple[OrderingSummary, ...]
    dataset: Dataset | None = None
    """What is on the slides that were asked about in extraction."""


def summary_of(logs: Iterable[EvalLog]) -> Summary:
    """What a set of logs says together, one per task and judge."""
    asked: list[Asked] = []
    extracted: list[Extraction] = []
    ordered: list[OrderingSummary] = []
    rated: list[RateRun] = []
    seen: list[ExtractRun] = []
    for log in logs:
        replies = list(judge_answers(log))
        task = log.eval.task.rpartition("/")[2]
        unreadable = 0
        if task == "slideeval_extract":
            read = read_extraction(replies)
            unreadable = sum(run.prediction is None for run in read)
            extracted += [extraction_of(read)] if read else []
            seen += read
        elif task == "slideeval_order":
            orders = read_ordering(replies)
            unreadable = sum(run.unreadable for run in orders)
            ordered += [ordering_of(orders)] if orders else []
        else:
            ratings = read_rating(replies)
            unreadable = sum(run.rating is None for run in ratings)
            rated += ratings
        asked.append(_asked(task, replies, unreadable))
    return Summary(
        tuple(asked), tuple(extracted), sensitivity_of(rated), tuple(ordered),
        dataset_of_runs(seen) if seen else None,
    )  # fmt: skip


def extraction_of(runs: Sequence[ExtractRun]) -> Extraction:
    """The replies of one judge, matched and measured."""
    pool = Pool()
    for run in runs:
        pool.add(run.deck, score_slide(run.truth, run.prediction))
    return Extraction(
        runs[0].judge,
        len({(run.deck, run.slide) for run in runs}),
        estimates(pool),
        parse_rates(
            ((run.complexity, run.prediction is not None) for run in runs),
            decks=[run.deck for run in runs],
        ),
        headline_by_weights((run.truth, run.prediction) for run in runs),
    )


def sensitivity_of(runs: Iterable[RateRun]) -> Sensitivity:
    """The ratings of all judges together."""
    runs = list(runs)
    rated = averaged(run.rating for run in runs if run.rating is not None)
    damage = _damage(runs)
    return Sensitivity(
        points=consistency_fidelity(rated),
        ceilings=damage_ceilings(damage),
        ladder_draws={run.judge: run.ladder_draws for run in runs},
        checks=manipulation_check(rated, damage),
        links=scale_links(rated),
        agreements=model_agreement(rated),
    )


def _damage(runs: Iterable[RateRun]) -> list[Degraded]:
    """The damage of every slide that has a rating, for each judge and scale once.

    Ladders of another kind or seed are those of another slide.
    """
    found = set()
    for run in runs:
        each = run.rating
        if each is not None and run.damage is not None:
            slide = f"{each.slide} {run.ladder_draws} {run.seed}"
            severity = round(each.severity, 9)
            found.add(
                Degraded(each.model, each.axis, each.scale, each.deck, slide, severity, run.damage)
            )
    return sorted(found)


def ordering_of(runs: Sequence[OrderRun]) -> OrderingSummary:
    """The orders of one judge."""
    by_deck: dict[str, list[OrderScore]] = {}
    for run in runs:
        by_deck.setdefault(run.deck, []).append(run.score)
    return OrderingSummary(runs[0].judge, order_estimates(by_deck))


def _asked(task: str, replies: Sequence[JudgeAnswer], unreadable: int) -> Asked:
    failures = Counter(one.failed for one in replies if one.failed is not None)
    return Asked(
        task,
        replies[0].judge if replies else "",
        len({one.asked["deck"] for one in replies}),
        len(replies),
        unreadable,
        tuple(failures.most_common()),
    )
