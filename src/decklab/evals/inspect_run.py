"""Tasks of Inspect AI and their samples run with one model, or with none; logs as plain data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import anyio.to_thread
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import ChatMessageAssistant, Model, ModelName, ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import concurrency

from decklab.core.errors import DeckError, DecklabError, ModelFailed, one_line
from decklab.core.results import NotScored
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun

_T = TypeVar("_T")
_LETTERS: Final[Mapping[str, float]] = {"C": 1.0, "I": 0.0, "P": 0.5}
"""Inspect's letters for right, wrong and partly right."""


@dataclass(frozen=True)
class LoggedSample:
    """A sample with its scores by name; those without a number say why."""

    id: str | int
    epoch: int
    scores: Mapping[str, float | NotScored]
    facts: Mapping[str, Any]
    """Metadata of the sample."""


@dataclass(frozen=True)
class LoggedRun:
    """A log without the conversations of its samples."""

    task: str
    model: str
    status: str
    """How it ended, in Inspect's word; ``started`` if it runs."""
    samples: tuple[LoggedSample, ...]
    total: int
    """Samples that there will be."""


def logged_run(path: str | Path) -> LoggedRun:
    """Summary of a log. Raises DeckError if it cannot be read."""
    try:
        head: EvalLog = read_eval_log(str(path), header_only=True)
        summaries = read_eval_log_sample_summaries(str(path))
    except Exception as error:
        raise DeckError(path, f"is no log that can be read ({type(error).__name__})") from error
    samples = tuple(
        LoggedSample(sample.id, sample.epoch, _scores(sample), sample.metadata)
        for sample in summaries
    )
    total = (head.eval.dataset.samples or 0) * (head.eval.config.epochs or 1)
    return LoggedRun(head.eval.task, str(head.eval.model), head.status, samples, total)


def _scores(sample: EvalSampleSummary) -> dict[str, float | NotScored]:
    scores: dict[str, float | NotScored] = {}
    for name, score in (sample.scores or {}).items():
        values = score.value if isinstance(score.value, dict) else {name: score.value}
        why = NotScored(score.explanation or sample.error or "it has no number")
        for key, value in values.items():
            known = _LETTERS.get(value) if isinstance(value, str) else value
            # A score that Inspect could not give is not a number (NaN), which equals nothing.
            real = isinstance(known, int | float) and known == known  # noqa: PLR0124
            scores[key] = float(known) if real and isinstance(known, int | float) else why
    return scores or {"score": NotScored(sample.error or "it was not scored")}


def logged_sample(path: str | Path, sample: str | int, epoch: int = 1) -> dict[str, Any]:
    """A sample of a log in full: ``instruction``, ``answer``, ``metadata``, ``turns`` of the
    conversation as pairs of role and text, ``tokens``, and ``scores`` with ``value``,
    ``explanation`` and their own metadata. Raises DeckError if the log cannot be read or has no
    such sample."""
    try:
        read: EvalSample = read_eval_log_sample(str(path), id=sample, epoch=epoch)
    except Exception as error:
        raise DeckError(path, f"has no sample {sample} that can be read") from error
    asked = read.input
    if not isinstance(asked, str):
        asked = "\n\n".join(message.text for message in asked)
    scores = {
        name: {**(score.metadata or {}), "value": score.value,
               "explanation": score.explanation or ""}
        for name, score in (read.scores or {}).items()
    }  # fmt: skip
    return {
        "instruction": asked, "answer": read.output.completion, "metadata": read.metadata,
        "scores": scores, "turns": [(turn.role, turn.text) for turn in read.messages],
        "tokens": sum(usage.total_tokens for usage in read.model_usage.values()),
    }  # fmt: skip


def say(state: TaskState, model: Model | ModelName, text: str) -> None:
    """Have ``model`` answer a sample with a text, which a solver made in another way."""
    state.output = ModelOutput.from_content(str(model), text)
    state.messages.append(ChatMessageAssistant(content=text, source="generate"))


async def one_at_a_time(lane: str, work: Callable[..., _T], *given: Any) -> _T:
    """Work in a thread, while no other of this lane is done: such as what fills a core."""
    async with concurrency(lane, 1):
        return await anyio.to_thread.run_sync(partial(work, *given))


def logged_outcomes(log: EvalLog) -> Iterator[tuple[EvalSample, dict[str, Any] | None]]:
    """Each sample of a log, with the ``outcome`` in the metadata of its first score; None for one
    that broke off."""
    for sample in log.samples or []:
        scores = list((sample.scores or {}).values())
        yield sample, (scores[0].metadata or {}).get("outcome") if scores else None


def sample_score(value: float | NotScored, run: ModelRun | None = None, **facts: Any) -> Score:
    """The score of a sample; unscored for the reason that the value gives, if it is none.

    Raises what ``run.check`` raises if there is none.
    """
    if isinstance(value, NotScored):
        (run or ModelRun()).check(value.reason)
        return Score.unscored(**{**facts, "explanation": value.reason})
    return Score(value=value, **facts)


def why_broken_off(sample: EvalSample, otherwise: str) -> str:
    """The first line of the error that ended a sample, ``otherwise`` if none did."""
    return sample.error.message.splitlines()[0] if sample.error else otherwise


Display = Literal["rich", "none"]

_NO_MODEL: Final = "none"
"""Inspect's name for doing without a model; baselines answer by themselves."""

EVERY_SAMPLE: Final = 1 - 1e-9
"""``fail_on_error`` of tasks: a few samples may fail, but if all do, that is no success."""


class NothingToAsk(DecklabError):
    """A task without a sample, which Inspect does not take."""


def task_samples(samples: Iterable[Sample], *, left_out: Sequence[str] = ()) -> list[Sample]:
    """The samples of a task; ``left_out`` are the inputs without one, and why.

    Raises NothingToAsk if there is no sample.
    """
    if not (listed := list(samples)):
        reasons = "; ".join(map(one_line, left_out))
        raise NothingToAsk(f"nothing to ask about{f': {reasons}' if reasons else ''}")
    return listed


def run_task(
    task: Task, *, logs: Path, model: str | Model | None = None, display: Display = "none"
) -> EvalLog:
    """Run a task with one model, or with none if a baseline answers, and write its log.

    ``display`` is one of Inspect's ways to show progress. Raises ModelUnavailable if there is no
    such model, and ModelFailed if the run as a whole failed; samples that failed are in the log,
    and even if all did.
    """
    [log] = inspect_eval(
        task,
        model=open_model(model) if isinstance(model, str) else model or _NO_MODEL,
        log_dir=str(logs),
        display=display,
        log_buffer=1,  # whoever watches sees each sample
        # the caller says that nothing is scored
        fail_on_error=False if task.fail_on_error == EVERY_SAMPLE else None,
    )
    if log.status != "success" or not log.samples:
        cause = log.error.message if log.error else "no question was put"
        raise ModelFailed(str(model or _NO_MODEL), cause)
    return log
