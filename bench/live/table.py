"""The table of a live run: a row for each model and stage."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

_SLIDEEVAL: Final = {
    "slideeval slide": "slideeval extract", "slideeval rating-5": "slideeval perturb",
    "slideeval rating-100": "slideeval perturb", "slideeval order": "slideeval order",
}  # fmt: skip
_MISFITS: Final = {
    "the reply is cut off": "cut off", "the reply is no JSON": "no JSON",
    "the reply is empty": "empty", "the reply holds two answers": "two answers",
    "Error parsing": "no JSON",
}  # fmt: skip
"""Names of misfits by how decklab's words begin; all others are about a field."""
HEAD: Final = (
    "| model | stage | questions | requests | valid as written | valid when corrected | form | "
    "failures | tokens in / out | seconds |"
)
"""Failures are replies that do not fit, by what is wrong, and `kinds` of no reply."""


@dataclass(frozen=True)
class Row:
    """The questions of one stage to one model."""

    model: str
    stage: str
    questions: int
    requests: int
    as_written: int | None
    """Replies that fit the form; None where none was asked for."""
    when_mended: int | None
    """Further replies that fit it when they are read tolerantly."""
    misfits: Mapping[str, int]
    """Replies that do not fit, by what is wrong."""
    forms: Mapping[str, int]
    """The forms in which answers were asked for."""
    failures: Mapping[str, int]
    """Questions without a reply, by kind."""
    input_tokens: int
    output_tokens: int
    seconds: float
    median_seconds: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def rows_of(model: str, lines: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The rows of a model from the lines of its records, in the order of their stages."""
    by_stage: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        stage = _SLIDEEVAL.get(line["stage"], line["stage"])
        by_stage.setdefault(stage, []).append(line)
    return [_row(model, stage, some) for stage, some in by_stage.items()]


def _row(model: str, stage: str, lines: Sequence[Mapping[str, Any]]) -> Row:
    replied = [line for line in lines if line["failed"] is None]
    formed = [line for line in replied if line["schema"] is not None]
    fits = [line for line in formed if line["problem"] is None]
    wanted = any(line["schema"] is not None for line in lines)
    return Row(
        model, stage, len(lines), sum(line["requests"] for line in lines),
        sum(not line["mended"] for line in fits) if wanted else None,
        sum(bool(line["mended"]) for line in fits) if wanted else None,
        dict(Counter(_kind(line["problem"]) for line in replied if line["problem"]).most_common()),
        dict(Counter(line["form"] for line in formed)),
        dict(Counter(line["failure"] or "failed" for line in lines if line["failed"])),
        sum(line["input_tokens"] for line in lines),
        sum(line["output_tokens"] for line in lines),
        round(sum(line["seconds"] for line in lines), 1),
        round(median(line["seconds"] for line in lines), 1),
    )  # fmt: skip


def _kind(problem: str) -> str:
    """What is wrong with a reply, without its words."""
    return next((name for words, name in _MISFITS.items() if problem.startswith(words)), "a field")


def markdown(rows: Iterable[Row]) -> str:
    """The table in Markdown."""
    lines = [HEAD, "|" + " --- |" * (HEAD.count("|") - 1)]
    for row in rows:
        forms = ", ".join(f"{name}" for name in row.forms) or "–"
        failed = [f"{count} {kind}" for kind, count in row.misfits.items()]
        failed += [f"{count} `{kind}`" for kind, count in row.failures.items()]
        cells = [
            row.model, row.stage, row.questions, row.requests, _count(row.as_written),
            _count(row.when_mended), forms, ", ".join(failed) or "–",
            f"{row.input_tokens:,} / {row.output_tokens:,}", f"{row.seconds:,.0f}",
        ]  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def endings_markdown(endings: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """How the runs of each model ended, a line a run."""
    runs = dict.fromkeys(run for found in endings.values() for run in found)
    lines = ["| run | " + " | ".join(endings) + " |", "|" + " --- |" * (1 + len(endings))]
    for run in runs:
        cells = (_told(found.get(run, {})) for found in endings.values())
        lines.append(f"| {run} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _told(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    return (
        ", ".join(how if total == 1 else f"{count} {how}" for how, count in counts.items()) or "–"
    )


def _count(count: int | None) -> str:
    return "–" if count is None else str(count)
