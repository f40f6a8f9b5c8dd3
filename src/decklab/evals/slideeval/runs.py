"""Runs of the tasks: with models and baselines, and their replies read from Inspect's logs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from inspect_ai import Task
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from decklab.core.options import Spending
from decklab.deck.model.base import PlainSlide
from decklab.evals.inspect_run import Display, run_task
from decklab.evals.slideeval.items import deck_names
from decklab.evals.slideeval.questions import ANSWERS, BASELINE, Rating5, Rating100, read_answer
from decklab.evals.slideeval.tasks import order_score
from decklab.metrics.ordering import OrderScore
from decklab.metrics.ratings import Rating
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run, file_digest

TASKS: Final = ("slideeval_extract", "slideeval_perturb", "slideeval_order")

NO_PAGE_NUMBERS: Final = f"{BASELINE}, page numbers unseen"
"""The name of the ordering baseline that ignores page numbers on slides."""

TEXT_ONLY: Final = "text only"
"""Ends the names of models that were shown no pictures, which is not the paper's protocol; so they
are a judge of their own in every table."""

_CAUSE: Final = 240
"""Ours: most characters of the reason why there was no reply."""


def begin_judges(
    spending: Spending,
    task: Callable[..., Task],
    options: Mapping[str, Any],
    *,
    models: Sequence[str],
    runs: int,
) -> ModelRun:
    """The account and the record of what ``run_judges`` will ask; raises as ``begin_run`` does."""
    decks = {name: file_digest(path) for name, path in deck_names(options["decks"]).items()}
    facts = {
        "command": f"bench {task.__name__.replace('_', '-')}",
        **options,
        "decks": decks,
        "models": list(models),
        "runs": runs,
    }
    return begin_run(spending, facts)


def check_models(names: Iterable[str]) -> None:
    """Raise ModelUnavailable if there is no model of one of these names."""
    for name in names:
        open_model(name)


def run_judges(
    task: Callable[..., Task],
    options: Mapping[str, Any],
    *,
    models: Sequence[str],
    baseline: bool,
    runs: int,
    logs: Path,
    model_run: ModelRun | None = None,
    display: Display = "none",
) -> list[str]:
    """Run a task with each model and, with ``baseline``, the baseline; returns what was left out.

    A baseline always gives the same answer and is asked once. ``model_run`` bounds and keeps the
    questions to models. Raises as ``run_task`` does; models are opened before anything is drawn.
    """
    check_models(models)
    left_out: dict[str, None] = {}
    for model in [*models, *([None] if baseline else [])]:
        run = task(
            **options, runs=runs if model else 1, baseline=model is None, model_run=model_run
        )
        run_task(run, logs=logs, model=model, display=display)
        left_out |= dict.fromkeys((run.metadata or {})["left_out"])
    return list(left_out)


@dataclass(frozen=True)
class JudgeAnswer:
    """One question to one judge, and its reply."""

    judge: str
    asked: Mapping[str, Any]
    """The sample's metadata."""
    text: str
    failed: str | None
    """Why there is no reply; such a question counts in ``failed`` and in no score."""


@dataclass(frozen=True)
class ExtractRun:
    """One reply for one slide."""

    judge: str
    deck: str
    slide: int
    truth: PlainSlide
    prediction: PlainSlide | None
    """None if the reply does not fit the schema."""


@dataclass(frozen=True)
class RateRun:
    """One reply for one damaged slide."""

    judge: str
    rating: Rating | None
    """None if the reply does not fit the schema."""
    damage: float | None = None
    """Damage of the slide, 0 to 1; None in logs without it."""
    ladder_draws: str = "independent"
    """How the slide was damaged at its severities. Logs that do not say so are older than
    ``coupled`` draws."""
    seed: int = 0


@dataclass(frozen=True)
class OrderRun:
    """One reply for one deck."""

    judge: str
    deck: str
    score: OrderScore
    unreadable: bool
    """Whether the reply does not fit the schema."""


def task_of(log: EvalLog) -> str:
    """The name of a log's task, usually one of ``TASKS``."""
    return log.eval.task.rpartition("/")[2]


def newest_logs(folder: str | Path) -> list[EvalLog]:
    """The newest finished log of each task and judge in a folder, samples included."""
    newest: dict[tuple[str, str], Any] = {}
    for info in list_eval_logs(str(folder), descending=False):
        header = read_eval_log(info, header_only=True)
        if task_of(header) in TASKS and header.status != "started":
            newest[task_of(header), _judge(header)] = info
    return [read_eval_log(info) for _, info in sorted(newest.items(), key=lambda item: item[0])]


def judge_answers(log: EvalLog) -> Iterator[JudgeAnswer]:
    """Every question of a log."""
    for sample in log.samples or []:
        yield JudgeAnswer(_judge(log), sample.metadata, sample.output.completion, _failure(sample))


def read_extraction(replies: Iterable[JudgeAnswer]) -> list[ExtractRun]:
    """The replies of ``slideeval_extract``; questions without a reply are left out."""
    return [
        ExtractRun(
            reply.judge, reply.asked["deck"], reply.asked["slide"],
            PlainSlide.model_validate(reply.asked["truth"]), read_answer(reply.text, PlainSlide)[0],
        )
        for reply in replies
        if reply.failed is None
    ]  # fmt: skip


def read_rating(replies: Iterable[JudgeAnswer]) -> list[RateRun]:
    """The replies of ``slideeval_perturb``; questions without a reply are left out."""
    return [
        RateRun(
            reply.judge, _rating(reply), reply.asked.get("damage"),
            reply.asked.get("ladder_draws", "independent"), reply.asked.get("seed", 0),
        )
        for reply in replies
        if reply.failed is None
    ]  # fmt: skip


def read_ordering(replies: Iterable[JudgeAnswer]) -> list[OrderRun]:
    """The replies of ``slideeval_order``; questions without a reply are left out."""
    scored = [
        (row, *order_score(row.text, row.asked["shown"])) for row in replies if row.failed is None
    ]
    return [
        OrderRun(row.judge, row.asked["deck"], score, problem is not None)
        for row, score, problem in scored
    ]


def _rating(item: JudgeAnswer) -> Rating | None:
    answer, _problem = read_answer(item.text, ANSWERS[item.asked["answer"]])
    if not isinstance(answer, Rating5 | Rating100):
        return None
    axis, scale, deck, slide, severity = (
        item.asked[key] for key in ("axis", "scale", "deck", "slide", "severity")
    )
    return Rating(item.judge, axis, scale, deck, slide, severity, answer.score)


def _judge(log: EvalLog) -> str:
    facts = log.eval.metadata or {}
    if not facts.get("baseline"):
        return f"{log.eval.model}, {TEXT_ONLY}" if facts.get("text_only") else log.eval.model
    return BASELINE if facts.get("page_numbers", True) else NO_PAGE_NUMBERS


def _cause(message: str) -> str:
    """The end of a message: providers put the request first and the error last."""
    line = " ".join(message.split())
    return line if len(line) <= _CAUSE else f"…{line[-_CAUSE:]}"


def _failure(sample: EvalSample) -> str | None:
    if sample.error is not None:
        return _cause(sample.error.message)
    return None if sample.output.choices else "no reply was recorded"
