"""Logs of Inspect AI, read with Inspect's own functions, which are loaded at the first log."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from decklab.results import NotScored
from decklab.web.evaluate_model import Column, ReadRun, RunCase
from decklab.web.evaluate_readers import NoResults, number_or_reason

_LETTERS: Final[Mapping[str, float]] = {"C": 1.0, "I": 0.0, "P": 0.5}
"""Inspect's letters for right, wrong and partly right."""


def read_log(path: Path) -> ReadRun:
    """The samples of a log with their scores. Raises NoResults."""
    try:
        head = _inspect().read_eval_log(str(path), header_only=True)
        samples = _inspect().read_eval_log_sample_summaries(str(path))
    except Exception as error:
        raise NoResults(f"it is no log that can be read: {type(error).__name__}") from error
    cases = tuple(
        RunCase(
            _sample_name(one), str(head.eval.model), _scores(one), (), "",
            {"sample": one.id, "epoch": one.epoch},
        )
        for one in samples
    )  # fmt: skip
    if not cases:
        raise NoResults("the log has no sample")
    names = list(dict.fromkeys(name for case in cases for name in case.values)) or ["score"]
    notes = (f"A log of {head.eval.task}, which ended with: {head.status}.",)
    columns = tuple(map(Column, names))
    return ReadRun("log", columns, names[0], cases, str(head.eval.model), notes)


def _sample_name(sample: Any) -> str:
    return str(sample.id) if sample.epoch == 1 else f"{sample.id}, again {sample.epoch}"


def _scores(sample: Any) -> dict[str, float | NotScored]:
    found: dict[str, float | NotScored] = {}
    for name, score in (sample.scores or {}).items():
        values = score.value if isinstance(score.value, dict) else {name: score.value}
        for one, value in values.items():
            number = _LETTERS.get(value, value) if isinstance(value, str) else value
            found[one] = number_or_reason(number, score.explanation or sample.error)
    return found or {"score": NotScored(sample.error or "it was not scored")}


@lru_cache(maxsize=64)
def _sample(path: Path, _stamp: int, sample: str | int, epoch: int) -> Mapping[str, Any]:
    one = _inspect().read_eval_log_sample(str(path), id=sample, epoch=epoch)
    asked = one.input if isinstance(one.input, str) else "\n\n".join(
        message.text for message in one.input
    )  # fmt: skip
    scores = {
        name: {"value": score.value, "explanation": score.explanation or "",
               **(score.metadata or {})}
        for name, score in (one.scores or {}).items()
    }  # fmt: skip
    answer = one.output.completion if one.output and one.output.choices else ""
    return {"instruction": asked, "scores": scores, "metadata": one.metadata, "answer": answer}


def sample_of(path: Path, sample: str | int, epoch: int = 1) -> Mapping[str, Any]:
    """What a log says of a sample: instruction, answer, scores with their facts, metadata; empty
    where the log cannot be read or does not have it."""
    try:
        return _sample(path, path.stat().st_mtime_ns, sample, epoch)
    except Exception:  # noqa: BLE001 - a broken log says nothing; the page shows the rest
        return {}


def newest_log_with(folder: Path, sample: str) -> Mapping[str, Any]:
    """What the newest log in a folder that has a sample says of it; empty where none has."""
    for path in sorted(folder.glob("*.eval"), reverse=True):
        found = sample_of(path, sample)
        if found:
            return found
    return {}


@cache
def _inspect() -> Any:
    return import_module("inspect_ai.log")
