"""The check of tasks about documents: the empty deck must fail, a deck of the quotes must pass.

Programs judge, as proxies: what only a model can judge is not checked.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from decklab.core.results import NotScored
from decklab.documents.quotes import plain_words
from decklab.evals.judges.quiz.bank import QUESTIONS, QuizBank
from decklab.evals.judges.quiz.quiz import take_quiz
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import ScenarioTask, metrics_of

_OF_CONTENT: Final = frozenset(
    {"key_coverage", "visual_use", "chart_fidelity", "source_coverage", "integration"}
)
"""Metrics of whether a deck has what a task lists. Others ask how well it says it."""
LEAST_TRUTH: Final = 8.0
MOST_EMPTY: Final = 2.0
"""Of 10: what a metric has to give a deck of the quotes, and may give an empty one. Ours."""
MOST_GUESSED: Final = 2
"""Right answers of ten that an empty deck may have. Ours."""


def task_faults(task: ScenarioTask, sources: Sequence[Path], truth: Path, empty: Path) -> list[str]:
    """What is wrong with a task, a line each, by the scores of the two decks.

    Raises DeckError where a file cannot be read.
    """
    judged = judge_decks([truth, empty], sources=sources, task=task)
    best, worst = (one.scores for one in judged)
    faults = list(_repeated(task))
    checked = 0
    for name in (one for one in metrics_of(task) if one in _OF_CONTENT):
        high, low = best.get(name), worst.get(name)
        if high is None or low is None or _only_a_model(high) or _only_a_model(low):
            continue
        if isinstance(high, NotScored):
            faults.append(f"{name}: a deck of the quotes has no score: {high.reason}")
            continue
        checked += 1
        if high < LEAST_TRUTH:
            faults.append(f"{name}: a deck of the quotes has {high:.1f} of 10 only")
        if not isinstance(low, NotScored) and low > MOST_EMPTY:
            faults.append(f"{name}: an empty deck has {low:.1f} of 10")
    if not checked:
        faults.append("no metric of its setting can be judged by program")
    return faults


def _only_a_model(score: float | NotScored) -> bool:
    return isinstance(score, NotScored) and score.reason == ONLY_A_MODEL


def _repeated(task: ScenarioTask) -> Iterator[str]:
    """Statements of one list that say the same letters."""
    for name, lists in (("key_points", task.key_points), ("contributions", task.contributions)):
        told: set[str] = set()
        for item in lists:
            words = plain_words(item.statement).casefold()
            if words in told:
                yield f"{name} {item.id}: an earlier one says the same"
            told.add(words)


def exam_faults(bank: QuizBank, truth: Path, empty: Path) -> list[str]:
    """What is wrong with a bank, a line each, by the exams of the two decks, without a model.

    Questions have to be answered from their quotes, and not without. One of a model in other words
    than its source may be a good one that a program cannot answer: of those, half have to be.
    """
    faults = []
    best, worst = take_quiz(bank, [truth, empty])
    least = QUESTIONS if bank.proxy else QUESTIONS // 2
    if best.accuracy.correct < least:
        missed = [one for one, said in best.pairs if said.selected != one.answer]
        wrong = ", ".join(str(one.number) for one in missed)
        faults.append(
            f"a deck of the quotes answers {best.accuracy.correct} questions of {QUESTIONS}, not "
            f"{least} at least; wrong: {wrong}"
        )
    if worst.accuracy.correct > MOST_GUESSED:
        faults.append(f"an empty deck answers {worst.accuracy.correct} questions")
    return faults
