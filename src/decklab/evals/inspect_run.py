"""A task of Inspect AI and its samples, run with one model, or with none."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from decklab.core.errors import DecklabError, ModelFailed, one_line
from decklab.models.inspect import open_model

Display = Literal["rich", "none"]

_NO_MODEL: Final = "none"
"""Inspect's name for doing without a model; baselines answer by themselves."""


class NothingToAsk(DecklabError):
    """A task without a sample, which Inspect does not take."""


def task_samples(samples: Iterable[Sample], *, left_out: Sequence[str] = ()) -> list[Sample]:
    """The samples of a task; ``left_out`` are the inputs without one, and why.

    Raises NothingToAsk if there is no sample.
    """
    listed = list(samples)
    if not listed:
        reasons = "; ".join(map(one_line, left_out))
        raise NothingToAsk(f"nothing to ask about{f': {reasons}' if reasons else ''}")
    return listed


def run_task(
    task: Task, *, logs: Path, model: str | Model | None = None, display: Display = "none"
) -> EvalLog:
    """Run a task with one model, or with none if a baseline answers, and write its log.

    ``display`` is one of Inspect's ways to show progress. Raises ModelUnavailable if there is no
    such model, and ModelFailed if the run as a whole failed; a single sample that failed is in
    the log.
    """
    [log] = inspect_eval(
        task,
        model=open_model(model) if isinstance(model, str) else model or _NO_MODEL,
        log_dir=str(logs),
        display=display,
    )
    if log.status != "success" or not log.samples:
        cause = log.error.message if log.error else "no question was put"
        raise ModelFailed(str(model or _NO_MODEL), cause)
    return log
