"""The task ``slideeval_order``: in which order were shuffled slides presented."""

from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.benchmarks.slideeval.items import MOST_SLIDES, OrderItem, order_items
from decklab.benchmarks.slideeval.prompts import order_prompt, order_system
from decklab.benchmarks.slideeval.questions import (
    RUNS,
    TEMPERATURE,
    VERSION,
    OrderAnswer,
    answer_with,
    ask,
    every_run,
    named_slides,
    question,
    read_answer,
    runs_of,
)
from decklab.benchmarks.slideeval.slide_order import order_slides
from decklab.metrics.ordering import OrderScore, order_estimates, score_order
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.results import NotScored

ORDER_SAMPLE = 100
"""Section 3: as many decks as the paper's."""


def order_score(text: str, shown: list[int]) -> tuple[OrderScore, str | None]:
    """A reply's score, and what is wrong with it where it does not fit the schema.

    ``shown`` are the slides' numbers in the order of the pictures.

    >>> order_score('{"order": [2, 1, 3]}', [2, 1, 3])[0].kendall_tau
    1.0
    """
    read = read_answer(text, OrderAnswer)
    order = None if read.answer is None else named_slides(read.answer.order, shown)
    return score_order(sorted(shown), order), read.problem


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
    items = order_items(
        decks, sample=sample or None, seed=seed, most=most, renderer=Renderer(cache=Cache())
    )
    return order_task(
        items.found, runs=runs, temperature=temperature, baseline=baseline,
        page_numbers=page_numbers, left_out=items.left_out,
    )  # fmt: skip


def order_task(
    items: tuple[OrderItem, ...],
    *,
    runs: int = RUNS,
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    page_numbers: bool = True,
    left_out: tuple[str, ...] = (),
) -> Task:
    """The task over decks that are at hand."""
    by_id = {item.id: item for item in items}

    def put_in_order(id: str) -> str:
        order = order_slides(by_id[id].views, use_page_numbers=page_numbers)
        return OrderAnswer(order=[place + 1 for place in order]).model_dump_json()

    return Task(
        dataset=[_sample(item) for item in items],
        solver=answer_with(put_in_order) if baseline else ask(temperature),
        scorer=ordering(),
        epochs=Epochs(runs, every_run()),
        fail_on_error=False,
        version=VERSION,
        name="slideeval_order",
        metadata={"left_out": list(left_out), "baseline": baseline, "page_numbers": page_numbers},
    )


def _sample(item: OrderItem) -> Any:
    metadata = {"deck": item.deck, "shown": list(item.shown)}
    return question(
        item.id, order_system(), order_prompt(len(item.shown)),
        pictures=item.pictures, answer="order", metadata=metadata,
    )  # fmt: skip
