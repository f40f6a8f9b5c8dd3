"""Results of a study's rankings: order of the products, agreement of people, and of metrics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from decklab.core.errors import Unavailable
from decklab.core.results import NotScored
from decklab.evals.agreement.agree import PeopleAgreement, agreement_of
from decklab.evals.agreement.rankings import consensus
from decklab.evals.agreement.strengths import Strength, bouts_of, strengths
from decklab.evals.agreement.tables import RankTable, ScoreTable
from decklab.metrics.catalogue import METRICS, metric_labels
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.workbench.web.pages import score_of
from decklab.workbench.web.rank_studies import Studies

RESAMPLES: Final = 400
"""Of topics, for intervals of the live page (ours): enough for two digits, and quick."""


@dataclass(frozen=True)
class StudyResult:
    """Result of a study so far."""

    rankings: int
    products: tuple[tuple[str, float], ...]
    """Products with the mean share of the others that people put behind them, best first."""
    strengths: tuple[Strength, ...] | NotScored
    agreement: PeopleAgreement | NotScored

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; undefined values are null with their reason."""
        return {
            "rankings": self.rankings,
            "products": [{"product": name, "ahead_of": share} for name, share in self.products],
            "strengths": _or_reason(self.strengths, lambda found: [
                {"product": one.name, "rating": one.rating, "won": one.won, "lost": one.lost,
                 "tied": one.tied} for one in found
            ]),
            "agreement": _or_reason(self.agreement, PeopleAgreement.as_json),
        }  # fmt: skip


def _or_reason(found: Any, as_json: Any) -> Any:
    return {"reason": found.reason} if isinstance(found, NotScored) else as_json(found)


def study_result(studies: Studies, study: str, *, resamples: int = RESAMPLES) -> StudyResult:
    """The result of a study as it stands now."""
    ranked = studies.rankings(study)
    if not ranked.rankings:
        none = NotScored("nobody has ranked two decks of a topic yet")
        return StudyResult(0, (), none, none)
    table = study_scores(studies, study)
    metrics = sorted(table.scores)
    return StudyResult(
        rankings=len(ranked.rankings),
        products=_products(ranked),
        strengths=_strengths(ranked, resamples),
        agreement=agreement_of(table, ranked, metrics, resamples=resamples),
    )


def study_scores(studies: Studies, study: str) -> ScoreTable:
    """The scores of a study's decks; higher is better, as ``ScoreTable`` has them."""
    scores: dict[str, dict[str, dict[str, float]]] = {}
    missing = []
    for entry in studies.entries(study):
        facts = studies.library.facts(studies.library.version(entry.deck, entry.number))
        for metric in COLUMNS:
            value = score_of(facts, metric)
            if value is None:
                missing.append(f"{entry.topic}, {entry.product}: no {metric_labels()[metric]}")
                continue
            sign = -1.0 if METRICS[metric].direction == "lower" else 1.0
            scores.setdefault(metric, {}).setdefault(entry.topic, {})[entry.product] = sign * value
    directions = {metric: METRICS[metric].direction for metric in scores}
    return ScoreTable(scores, directions, not_scored=tuple(missing))


def scores_csv(studies: Studies, study: str) -> str:
    """The scores of a study's decks as ``decklab agree`` reads them."""
    lines = ["topic,product,metric,value"]
    table = study_scores(studies, study)
    for metric, topics in table.scores.items():
        sign = -1.0 if table.directions[metric] == "lower" else 1.0
        lines += [
            ",".join([_quoted(topic), _quoted(product), metric, repr(sign * value)])
            for topic, products in topics.items()
            for product, value in products.items()
        ]
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _products(ranked: RankTable) -> tuple[tuple[str, float], ...]:
    """Products by the mean over topics of the consensus there."""
    shares: dict[str, list[float]] = {}
    topics: dict[str, list[Any]] = {}
    for ranking in ranked.rankings:
        topics.setdefault(ranking.topic, []).append(ranking)
    for rankings in topics.values():
        found: Mapping[str, float] = consensus(rankings)
        for product, share in found.items():
            shares.setdefault(product, []).append(share)
    means = {product: sum(some) / len(some) for product, some in shares.items()}
    return tuple(sorted(means.items(), key=lambda item: (-item[1], item[0])))


def _strengths(ranked: RankTable, resamples: int) -> tuple[Strength, ...] | NotScored:
    try:
        return strengths(bouts_of(ranked.rankings), resamples=resamples)
    except Unavailable as error:
        return NotScored(str(error))
