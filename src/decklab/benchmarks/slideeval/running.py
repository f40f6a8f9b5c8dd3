"""Running the tasks from Python, for those who do not type ``inspect eval``."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from decklab.errors import ModelFailed
from decklab.models.inspect import open_model

Display = Literal["rich", "none"]

LOGS: Final = "logs"
"""Folder of logs below the one that a run writes to."""

NO_MODEL: Final = "none"
"""Inspect's name for doing without; baselines answer by themselves."""


def run_judges(
    task: Callable[..., Task],
    options: Mapping[str, Any],
    *,
    models: Sequence[str],
    baseline: bool,
    runs: int,
    logs: Path,
    display: Display = "none",
) -> list[str]:
    """Run a task with each model and, if so wished, the baseline; gives what was left out.

    A baseline says the same each time and is asked once. Raises as ``run_task`` does; models are
    looked for before anything is drawn.
    """
    for name in models:
        open_model(name)
    left_out: dict[str, None] = {}
    for model in [*models, *([None] if baseline else [])]:
        made = task(**options, runs=runs if model else 1, baseline=model is None)
        run_task(made, logs=logs, model=model, display=display)
        left_out |= dict.fromkeys((made.metadata or {}).get("left_out", []))
    return list(left_out)


def run_task(
    task: Task, *, logs: Path, model: str | Model | None = None, display: Display = "none"
) -> EvalLog:
    """Run a task with one model, or with none where a baseline answers, and keep its log.

    ``display`` is one of Inspect's ways to show progress. Raises ModelUnavailable where there is
    no such model, and ModelFailed where the run as a whole came to nothing; a single question
    without a reply is in the log.
    """
    [log] = inspect_eval(
        task,
        model=open_model(model) if isinstance(model, str) else model or NO_MODEL,
        log_dir=str(logs),
        display=display,
    )
    if log.status != "success" or not log.samples:
        cause = log.error.message if log.error else "no question was put"
        raise ModelFailed(str(model or NO_MODEL), cause)
    return log
