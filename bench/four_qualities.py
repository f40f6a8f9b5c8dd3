"""Whether metrics without a model put four decks of known quality in order.

For each task of UniPPTBench's starter set four decks are made, thorough, fair, poor and bad, whose
order a person would agree with (``decklab.evals.unippt``). ``python -m bench.four_qualities
[TASK ...]`` prints for every metric Spearman's rho with that order, task by task, how often the
worst deck is alone last, the mean of each quality, and whether the metric sees what a deck says or
only how it looks. Half of the poor decks look good: what sees looks only cannot rank these. Ends
with 1 where a metric that sees content gives a rho of 0 or less.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import decklab
from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.bank import QuizError
from decklab.evals.judges.quiz.quiz import cloze_bank, take_quiz
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.task import SCENARIO_METRICS
from decklab.evals.unippt.tasks import (
    QUALITIES,
    SOURCES,
    TASK_FILE,
    starter_names,
    write_starter,
    write_starter_decks,
)
from decklab.metrics.statistics import spearman_rho
from decklab.rendering.renderer import Cache, Renderer

QUIZ: Final = "quiz, cloze"
BANKS: Final = 5
"""How many banks of ten questions a deck answers; one alone is too coarse for four decks. Ours."""
CONTENT: Final = (*SCENARIO_METRICS, QUIZ)
"""Metrics that see what a deck says or shows of its sources."""
LOOKS: Final = (
    "visual_integrity", "lint, errors and warnings", "quality.score", "quality.layout",
    "quality.style", "quality.words", "quality.deck", "aesthetics.total", "harmony.score",
    "engagement.score", "usability.score", "rhythm.score",
)  # fmt: skip
"""Metrics that see how it looks, in whatever it says."""

Scores = Mapping[str, Sequence[float | NotScored]]
"""For each metric the scores of the four decks, the best first."""


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a metric of content fails a task."""
    tasks = tuple(arguments) or starter_names()
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        write_starter(room / "tasks", tasks)
        write_starter_decks(room / "tasks", room / "decks", tasks)
        with Renderer(cache=Cache(room / "cache")).started() as renderer:
            found = {task: task_scores(task, room, renderer) for task in tasks}
    for line in table(found):
        print(line)
    failing = list(_failing(found))
    for line in failing:
        print(line)
    return int(bool(failing))


def task_scores(task: str, room: Path, renderer: Renderer) -> Scores:
    """All scores of the four decks of a task, higher better."""
    decks = [room / "decks" / quality / f"{task}.pptx" for quality in QUALITIES]
    files = sorted((room / "tasks" / task / SOURCES).glob("*"))
    rows: dict[str, list[float | NotScored]] = {}
    judged = judge_decks(
        decks, sources=files, task=room / "tasks" / task / TASK_FILE, renderer=renderer
    )
    for metric in (*SCENARIO_METRICS, "visual_integrity"):
        scores = [one.scores.get(metric) for one in judged]
        if all(score is not None for score in scores):
            rows[metric] = [score for score in scores if score is not None]
    if files:
        rows[QUIZ] = list(_quiz(decks, read_documents(files)))
    lint = [decklab.lint(deck, renderer=renderer).at_least("warning").findings for deck in decks]
    rows[LOOKS[1]] = [-float(len(found)) for found in lint]
    results = list(decklab.score(decks, room / "scores" / task, renderer=renderer).results())
    for metric in LOOKS[2:]:
        rows[metric] = [result.value(metric) for result in results]
    return rows


def _quiz(decks: Sequence[Path], sources: KnowledgeBase) -> Iterator[float | NotScored]:
    """The share of right answers over several banks; NotScored where no bank can be made."""
    try:
        banks = [cloze_bank(sources, seed=seed) for seed in range(BANKS)]
    except QuizError as error:
        yield from [NotScored(str(error))] * len(decks)
        return
    for deck in decks:
        exams = [take_quiz(bank, [deck])[0].accuracy.share for bank in banks]
        known = [share for share in exams if not isinstance(share, NotScored)]
        yield fmean(known) if known else NotScored("no question was scored")


@dataclass(frozen=True)
class QualityOrder:
    """How a metric ranks the decks of one task."""

    rho: float | NotScored
    worst_last: bool | None
    """Whether the worst deck is alone last; None where it has no score."""


def quality_order(scores: Sequence[float | NotScored]) -> QualityOrder:
    """Spearman's rho with the stated order over the decks that have a score, ties at their mean."""
    known = [
        (-place, score) for place, score in enumerate(scores) if not isinstance(score, NotScored)
    ]
    rho = spearman_rho([place for place, _ in known], [score for _, score in known])
    last = scores[-1]
    others = [score for score in scores[:-1] if not isinstance(score, NotScored)]
    worst = None if isinstance(last, NotScored) or not others else last < min(others)
    return QualityOrder(rho, worst)


def table(found: Mapping[str, Scores]) -> Iterator[str]:
    """The table, a line a metric."""
    heads = "".join(f"{task[:12]:>13}" for task in found)
    yield f"{'':28}{heads}{'mean':>8}{'bad last':>10}   mean score of each quality"
    for title, metrics in (("sees what is said", CONTENT), ("sees looks only", LOOKS)):
        yield title
        for metric in metrics:
            rows = {task: scores[metric] for task, scores in found.items() if metric in scores}
            if rows:
                yield _line(metric, list(found), rows)


def _line(metric: str, tasks: Sequence[str], rows: Scores) -> str:
    orders = {task: quality_order(scores) for task, scores in rows.items()}
    cells = "".join(f"{_number(orders[task].rho) if task in rows else '':>13}" for task in tasks)
    judged = [one.worst_last for one in orders.values() if one.worst_last is not None]
    last = f"{sum(judged)} of {len(judged)}"
    means = "".join(f"{_number(_mean(column)):>7}" for column in zip(*rows.values(), strict=True))
    rho = _number(_mean([one.rho for one in orders.values()]))
    return f"  {metric:26}{cells}{rho:>8}{last:>10}   {means}"


def _mean(values: Sequence[float | NotScored]) -> float | NotScored:
    known = [value for value in values if not isinstance(value, NotScored)]
    return fmean(known) if known else NotScored("nothing has a score")


def _number(value: float | NotScored) -> str:
    return "none" if isinstance(value, NotScored) else f"{value:.2f}"


def _failing(found: Mapping[str, Scores]) -> Iterator[str]:
    for task, rows in found.items():
        for metric in CONTENT:
            rho = quality_order(rows[metric]).rho if metric in rows else NotScored("not asked")
            if not isinstance(rho, NotScored) and rho <= 0:
                yield f"FAILS: {metric} does not rank the decks of {task}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
