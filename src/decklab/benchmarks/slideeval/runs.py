"""Runs read back from Inspect's logs: what each judge said, or why it said nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from decklab.benchmarks.slideeval.order import order_score
from decklab.benchmarks.slideeval.questions import (
    ANSWERS,
    BASELINE,
    Rating5,
    Rating100,
    read_answer,
)
from decklab.deck.model.plain import PlainSlide
from decklab.metrics.extraction.estimates import complexity
from decklab.metrics.ordering import OrderScore
from decklab.metrics.sensitivity.ratings import Rating

_CAUSE: Final = 240
"""Ours: characters that say why there was no reply."""

TASKS: Final = ("slideeval_extract", "slideeval_perturb", "slideeval_order")

NO_PAGE_NUMBERS: Final = f"{BASELINE}, page numbers unseen"
"""The name of the ordering baseline that passes over slides' own numbers."""


@dataclass(frozen=True)
class JudgeAnswer:
    """One question to one judge, and what came of it."""

    judge: str
    asked: Mapping[str, Any]
    """The sample's metadata."""
    text: str
    failed: str | None
    """Why there is no reply; such a question is left out of every score, and counted."""


@dataclass(frozen=True)
class ExtractRun:
    """One reply for one slide."""

    judge: str
    deck: str
    slide: int
    truth: PlainSlide
    prediction: PlainSlide | None
    """None where the reply does not fit the schema."""

    @property
    def complexity(self) -> int:
        """Elements on the slide."""
        return complexity(self.truth)


@dataclass(frozen=True)
class RateRun:
    """One reply for one damaged slide; ``rating`` is None where it does not fit the schema."""

    judge: str
    rating: Rating | None
    damage: float | None = None
    """Of the slide, 0 to 1; None in logs that do not tell it."""
    ladder_draws: str = "independent"
    """How the slide's severities hang together; logs that do not tell it are older than the
    coupled ones."""
    seed: int = 0


@dataclass(frozen=True)
class OrderRun:
    """One reply for one deck."""

    judge: str
    deck: str
    score: OrderScore
    unreadable: bool
    """Whether the reply does not fit the schema."""


def newest_logs(folder: str | Path) -> list[EvalLog]:
    """The newest finished log of each task and judge in a folder, samples included."""
    newest: dict[tuple[str, str], Any] = {}
    for info in list_eval_logs(str(folder), descending=False):
        header = read_eval_log(info, header_only=True)
        task = header.eval.task.rpartition("/")[2]
        if task in TASKS and header.status != "started":
            newest[task, _judge(header)] = info
    return [read_eval_log(info) for _, info in sorted(newest.items(), key=lambda item: item[0])]


def judge_answers(log: EvalLog) -> Iterator[JudgeAnswer]:
    """Every question of a log."""
    for sample in log.samples or []:
        yield JudgeAnswer(_judge(log), sample.metadata, sample.output.completion, _failure(sample))


def read_extraction(replies: Iterable[JudgeAnswer]) -> list[ExtractRun]:
    """The replies of ``slideeval_extract``; questions without a reply are left out."""
    return [
        ExtractRun(
            one.judge,
            one.asked["deck"],
            one.asked["slide"],
            PlainSlide.model_validate(one.asked["truth"]),
            read_answer(one.text, PlainSlide).answer,
        )
        for one in replies
        if one.failed is None
    ]


def read_rating(replies: Iterable[JudgeAnswer]) -> list[RateRun]:
    """The replies of ``slideeval_perturb``; questions without a reply are left out."""
    return [
        RateRun(
            one.judge, _rating(one), one.asked.get("damage"),
            one.asked.get("ladder_draws", "independent"), one.asked.get("seed", 0),
        )
        for one in replies
        if one.failed is None
    ]  # fmt: skip


def read_ordering(replies: Iterable[JudgeAnswer]) -> list[OrderRun]:
    """The replies of ``slideeval_order``; questions without a reply are left out."""
    scored = [
        (one, *order_score(one.text, one.asked["shown"])) for one in replies if one.failed is None
    ]
    return [
        OrderRun(one.judge, one.asked["deck"], score, problem is not None)
        for one, score, problem in scored
    ]


def _rating(one: JudgeAnswer) -> Rating | None:
    answer = read_answer(one.text, ANSWERS[one.asked["answer"]]).answer
    if not isinstance(answer, Rating5 | Rating100):
        return None
    axis, scale, deck, slide, severity = (
        one.asked[key] for key in ("axis", "scale", "deck", "slide", "severity")
    )
    return Rating(one.judge, axis, scale, deck, slide, severity, answer.score)


def _judge(log: EvalLog) -> str:
    made = log.eval.metadata or {}
    if not made.get("baseline"):
        return log.eval.model
    return BASELINE if made.get("page_numbers", True) else NO_PAGE_NUMBERS


def _cause(message: str) -> str:
    """The end of a message: providers put the request before what was wrong with it."""
    line = " ".join(message.split())
    return line if len(line) <= _CAUSE else f"…{line[-_CAUSE:]}"


def _failure(sample: EvalSample) -> str | None:
    if sample.error is not None:
        return _cause(sample.error.message)
    return None if sample.output.choices else "no reply was recorded"
