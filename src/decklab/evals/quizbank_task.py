"""The exams of many decks as a task of Inspect AI; without a model the proxy answers.

A folder holds a folder for each document: ``bank.json``, which ``decklab quiz build`` wrote, and
the decks that are to answer it.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from decklab.core.options import SlideReading
from decklab.core.results import NotScored
from decklab.evals.editors.inspect_solver import NO_MODEL
from decklab.evals.judges.quiz.bank import QuizError, load_bank
from decklab.evals.judges.quiz.exam import ExamResult
from decklab.evals.judges.quiz.quiz import take_quiz
from decklab.models.inspect import asking_from_thread
from decklab.rendering.inputs import find_decks

BANK: Final = "bank.json"
_KEY: Final = "decklab_exam"


@task
def quizbank(folder: str, reading: SlideReading = "text") -> Task:
    """One sample for each deck of each document below ``folder``; ``reading`` as in ``take_quiz``.

    Raises QuizError if there is no bank, or one breaks a rule.
    """
    samples = [
        Sample(
            id=f"{bank.parent.name}/{deck.name}",
            input=f"Answer the bank of {bank.parent.name} from {deck.name}.",
            metadata={"bank": str(bank), "deck": str(deck)},
        )
        for bank, deck in _exams(Path(folder))
    ]
    if not samples:
        raise QuizError(f"{folder}: no folder in it has a {BANK} and a deck")
    return Task(
        dataset=samples, solver=take_exam(reading), scorer=exam_accuracy(), name="quizbank",
        fail_on_error=False, metadata={"reading": reading},
    )  # fmt: skip


def _exams(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Each bank with each deck beside it; banks are checked first."""
    for bank in sorted(folder.glob(f"*/{BANK}")):
        load_bank(bank)
        for deck in find_decks([bank.parent]):
            yield bank, Path(deck)


@solver
def take_exam(reading: SlideReading = "text") -> Solver:
    """Have the model take the exam, or the proxy if there is no model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        named = str(model) != NO_MODEL
        exam = partial(
            take_quiz, state.metadata["bank"], [state.metadata["deck"]],
            model=asking_from_thread(model) if named else None, reading=reading,
        )  # fmt: skip
        (result,) = await anyio.to_thread.run_sync(exam)
        state.metadata[_KEY] = result.as_json()
        said = _words(result)
        state.output = ModelOutput.from_content(str(model), said)
        state.messages.append(ChatMessageAssistant(content=said, source="generate"))
        return state

    return solve


def _words(result: ExamResult) -> str:
    """The answers, a line each."""
    lines = [
        f"{said.number}. {said.selected} (right: {question.answer}) {said.reason}"
        for question, said in result.pairs
    ]
    return "\n".join((f"{result.examinee or 'the model'}, {result.read}", *lines))


@metric
def pooled_accuracy() -> Metric:
    """Right answers among all questions that were scored, over all decks, and by kind."""

    def pooled(scores: list[SampleScore]) -> Value:
        exams = [(each.score.metadata or {}) for each in scores]
        groups = {"all": [exam["accuracy"] for exam in exams if "accuracy" in exam]}
        for kind in ("concept", "data"):
            groups[kind] = [one["by_kind"][kind] for one in exams if "by_kind" in one]
        return {name: _share(found) for name, found in groups.items() if _count(found)}

    return pooled


def _count(found: list[dict[str, Any]]) -> int:
    return sum(one["questions"] for one in found)


def _share(found: list[dict[str, Any]]) -> float:
    return float(sum(one["correct"] for one in found) / _count(found))


@scorer(metrics=[pooled_accuracy()])
def exam_accuracy() -> Scorer:
    """The share of right answers of one deck; not scored if no question was."""

    async def score(state: TaskState, target: Target) -> Score:
        exam: dict[str, Any] = state.metadata[_KEY]
        share = exam["accuracy"]["share"]
        told = "; ".join(exam["told"])
        if share is None:
            reason = told or str(NotScored("no question was scored"))
            return Score.unscored(explanation=reason, metadata=exam)
        return Score(value=share, explanation=told, metadata=exam)

    return score
