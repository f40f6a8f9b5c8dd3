"""The task ``slideeval_order``: in which order were shuffled slides presented."""

from collections.abc import Sequence
from typing import Unpack

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.benchmarks.slideeval.items import MOST_SLIDES, OrderItem, order_items
from decklab.benchmarks.slideeval.prompts import order_prompt, order_system
from decklab.benchmarks.slideeval.questions import (
    RUNS,
    TEMPERATURE,
    OrderAnswer,
    TaskOptions,
    judge_task,
    named_slides,
    question,
    read_answer,
    runs_of,
)
from decklab.benchmarks.slideeval.slide_order import order_slides
from decklab.metrics.ordering import OrderScore, order_estimates, score_order
from decklab.options import ORDER_SAMPLE
from decklab.rendering.cache import Cache
from decklab.results import NotScored


def order_score(text: str, shown: list[int]) -> tuple[OrderScore, str | None]:
    """A reply's score, and what is wrong with it where it does not fit the schema.

    ``shown`` are the slides' numbers in the order of the pictures.

    >>> order_score('{"order": [2, 1, 3]}', [2, 1, 3])[0].kendall_tau
    1.0
    """
    answer, problem = read_answer(text, OrderAnswer)
    order = None if answer is None else named_slides(answer.order, shown)
    return score_order(sorted(shown), order), problem


@metric
def pooled_ordering() -> Metric:
    """Length ratio, tau, rho and exact match, means over decks (F.3)."""

    def pooled(scores: list[SampleScore]) -> Value:
        by_deck: dict[str, list[OrderScore]] = {}
        for each in scores:
            for run in runs_of(each.score.metadata):
                found = order_score(run["text"], run["shown"])[0]
                by_deck.setdefault(run["deck"], []).append(found)
        return {
            row.measure.removeprefix("ordering."): row.value
            for row in order_estimates(by_deck, resamples=0)
            if not isinstance(row.value, NotScored)
        }

    return pooled


@scorer(metrics=[pooled_ordering()])
def ordering() -> Scorer:
    """Compare the order with the true one; a reply that is none has no score, with the reason."""

    async def score(state: TaskState, target: Target) -> Score:
        text, asked = state.output.completion, state.metadata
        found, problem = order_score(text, asked["shown"])
        kept = {"deck": asked["deck"], "shown": asked["shown"], "text": text}
        if isinstance(found.kendall_tau, NotScored):
            reason = problem or found.kendall_tau.reason
            return Score.unscored(answer=text, explanation=reason, metadata=kept)
        return Score(value=found.kendall_tau, answer=text, metadata=kept)

    return score


@task
def slideeval_order(
    decks: str,
    *,
    sample: int | None = ORDER_SAMPLE,
    runs: int = RUNS,
    seed: int = 0,
    most: int = MOST_SLIDES,
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    page_numbers: bool = True,
) -> Task:
    """Ask for the order of shuffled slides (paper 000, F.3).

    ``decks`` is a folder, ``sample`` the number of decks (0 for all), ``runs`` how often each is
    asked about, ``most`` the slides of the longest deck that is taken. With ``baseline`` decklab
    puts them in order itself: use ``--model none``; without ``page_numbers`` it passes over the
    numbers that slides show of themselves.
    """
    items = order_items(decks, sample=sample or None, seed=seed, most=most, cache=Cache())
    return order_task(
        items.found, page_numbers=page_numbers, runs=runs, temperature=temperature,
        baseline=baseline, left_out=items.left_out,
    )  # fmt: skip


def order_task(
    items: Sequence[OrderItem], *, page_numbers: bool = True, **options: Unpack[TaskOptions]
) -> Task:
    """The task over decks that are at hand."""
    by_id = {item.id: item for item in items}

    def put_in_order(id: str) -> str:
        order = order_slides(by_id[id].views, use_page_numbers=page_numbers)
        return OrderAnswer(order=[place + 1 for place in order]).model_dump_json()

    samples = [_sample(item) for item in items]
    return judge_task(
        "slideeval_order", samples, ordering(), put_in_order, page_numbers=page_numbers, **options
    )


def _sample(item: OrderItem) -> Sample:
    metadata = {"deck": item.deck, "shown": list(item.shown)}
    return question(
        item.id, order_system(), order_prompt(len(item.shown)),
        pictures=item.pictures, answer="order", metadata=metadata,
    )  # fmt: skip
