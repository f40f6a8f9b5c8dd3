"""A task of Inspect AI run with one model, or with none."""

from pathlib import Path
from typing import Final, Literal

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from decklab.core.errors import ModelFailed
from decklab.models.inspect import open_model

Display = Literal["rich", "none"]

_NO_MODEL: Final = "none"
"""Inspect's name for doing without a model; baselines answer by themselves."""


def run_task(
    task: Task,
    *,
    logs: Path,
    model: str | Model | None = None,
    display: Display = "none",
    empty: str = "no question was put",
) -> EvalLog:
    """Run a task with one model, or with none where a baseline answers, and write its log.

    ``display`` is one of Inspect's ways to show progress, ``empty`` the reason that is given where
    the task had no sample. Raises ModelUnavailable where there is no such model, and ModelFailed
    where the run as a whole failed; a single sample that failed is in the log.
    """
    [log] = inspect_eval(
        task,
        model=open_model(model) if isinstance(model, str) else model or _NO_MODEL,
        log_dir=str(logs),
        display=display,
    )
    if log.status != "success" or not log.samples:
        raise ModelFailed(str(model or _NO_MODEL), log.error.message if log.error else empty)
    return log
