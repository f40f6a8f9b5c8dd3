"""Logs of Inspect AI as plain data: the task that was run, and the scores of its samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)

from decklab.core.errors import DeckError
from decklab.core.results import NotScored

_LETTERS: Final[Mapping[str, float]] = {"C": 1.0, "I": 0.0, "P": 0.5}
"""Inspect's letters for right, wrong and partly right."""


@dataclass(frozen=True)
class LoggedSample:
    """A sample with its scores by name; those without a number say why."""

    id: str | int
    epoch: int
    scores: Mapping[str, float | NotScored]


@dataclass(frozen=True)
class LoggedRun:
    """A log without the conversations of its samples."""

    task: str
    model: str
    status: str
    """How it ended, in Inspect's word."""
    samples: tuple[LoggedSample, ...]


def logged_run(path: str | Path) -> LoggedRun:
    """Summary of a log. Raises DeckError if it cannot be read."""
    try:
        head: EvalLog = read_eval_log(str(path), header_only=True)
        summaries = read_eval_log_sample_summaries(str(path))
    except Exception as error:
        raise DeckError(path, f"is no log that can be read ({type(error).__name__})") from error
    samples = tuple(LoggedSample(one.id, one.epoch, _scores(one)) for one in summaries)
    return LoggedRun(head.eval.task, str(head.eval.model), head.status, samples)


def _scores(sample: EvalSampleSummary) -> dict[str, float | NotScored]:
    found: dict[str, float | NotScored] = {}
    for name, score in (sample.scores or {}).items():
        values = score.value if isinstance(score.value, dict) else {name: score.value}
        why = NotScored(score.explanation or sample.error or "it has no number")
        for one, value in values.items():
            known = _LETTERS.get(value) if isinstance(value, str) else value
            # A score that Inspect could not give is not a number (NaN), which equals nothing.
            real = isinstance(known, int | float) and known == known  # noqa: PLR0124
            found[one] = float(known) if real and isinstance(known, int | float) else why
    return found or {"score": NotScored(sample.error or "it was not scored")}


def logged_sample(path: str | Path, sample: str | int, epoch: int = 1) -> dict[str, Any]:
    """A sample of a log in full: ``instruction``, ``answer``, ``metadata``, and ``scores`` with
    ``value``, ``explanation`` and their own metadata. Raises DeckError if the log cannot be read
    or has no such sample."""
    try:
        one: EvalSample = read_eval_log_sample(str(path), id=sample, epoch=epoch)
    except Exception as error:
        raise DeckError(path, f"has no sample {sample} that can be read") from error
    asked = one.input
    if not isinstance(asked, str):
        asked = "\n\n".join(message.text for message in asked)
    scores = {
        name: {**(score.metadata or {}), "value": score.value,
               "explanation": score.explanation or ""}
        for name, score in (one.scores or {}).items()
    }  # fmt: skip
    return {
        "instruction": asked, "answer": one.output.completion, "metadata": one.metadata,
        "scores": scores,
    }  # fmt: skip
