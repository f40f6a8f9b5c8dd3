"""Running the tasks from Python, for those who do not type ``inspect eval``."""

from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig

from decklab.errors import ModelFailed
from decklab.models.inspect import open_model

__all__ = ["run_task"]

NO_MODEL = "none"
"""Inspect's name for doing without; baselines answer by themselves."""


def run_task(
    task: Task, *, logs: Path, model: str | None = None, display: str = "none"
) -> EvalLog:
    """Run a task with one model, or with none where a baseline answers, and keep its log.

    ``display`` is one of Inspect's ways to show progress. Raises ModelUnavailable where there is
    no such model, and ModelFailed where the run as a whole came to nothing; a single question
    without a reply is in the log.
    """
    [log] = inspect_eval(
        task,
        model=open_model(model) if model else NO_MODEL,
        log_dir=str(logs),
        display=display,
        fail_on_error=False,
    )
    if log.status != "success" or not log.samples:
        cause = log.error.message if log.error else "no question was put"
        raise ModelFailed(model or NO_MODEL, cause)
    return log
