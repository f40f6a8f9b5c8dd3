"""Logs of Inspect AI as runs, and what they say of a sample."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError
from decklab.evals.eval_logs import logged_run, logged_sample
from decklab.workbench.web.evaluate_model import Column, ReadRun, RunCase
from decklab.workbench.web.evaluate_readers import NoResults


def read_log(path: Path) -> ReadRun:
    """The samples of a log with their scores. Raises NoResults."""
    try:
        log = logged_run(path)
    except DecklabError as error:
        raise NoResults("it is no log that can be read") from error
    cases = tuple(
        RunCase(
            str(one.id) if one.epoch == 1 else f"{one.id}, again {one.epoch}", log.model,
            one.scores, (), "", {"sample": one.id, "epoch": one.epoch},
        )
        for one in log.samples
    )  # fmt: skip
    if not cases:
        raise NoResults("the log has no sample")
    names = list(dict.fromkeys(name for case in cases for name in case.values))
    notes = (f"A log of {log.task}, which ended with: {log.status}.",)
    return ReadRun("log", tuple(map(Column, names)), names[0], cases, log.model, notes)


@lru_cache(maxsize=64)
def _sample(path: Path, _stamp: int, sample: str | int, epoch: int) -> Mapping[str, Any]:
    return logged_sample(path, sample, epoch)


def sample_of(path: Path, sample: str | int, epoch: int = 1) -> Mapping[str, Any]:
    """What a log says of a sample: instruction, answer, scores with their facts, metadata; empty
    where the log cannot be read or does not have it."""
    try:
        return _sample(path, path.stat().st_mtime_ns, sample, epoch)
    except (DecklabError, OSError):
        return {}


def newest_log_with(folder: Path, sample: str) -> Mapping[str, Any]:
    """What the newest log in a folder that has a sample says of it; empty where none has."""
    for path in sorted(folder.glob("*.eval"), reverse=True):
        found = sample_of(path, sample)
        if found:
            return found
    return {}
