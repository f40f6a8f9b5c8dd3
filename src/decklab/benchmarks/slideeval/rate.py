"""The task ``slideeval_perturb``: does a judge notice damage, and in proportion."""

from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.benchmarks.slideeval.critic import Critic, SeenSlide
from decklab.benchmarks.slideeval.drawing import pixels_of
from decklab.benchmarks.slideeval.items import SEVERITIES, RateItem, rate_items
from decklab.benchmarks.slideeval.prompts import RATE_PROMPT, Scale, rate_system
from decklab.benchmarks.slideeval.questions import (
    ANSWERS,
    RUNS,
    TEMPERATURE,
    VERSION,
    Rating5,
    Rating100,
    answer_with,
    ask,
    every_run,
    question,
    read_answer,
    runs_of,
)
from decklab.metrics.sensitivity.frontier import consistency_fidelity
from decklab.metrics.sensitivity.ratings import Rating, averaged
from decklab.options import LadderDraws
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.results import NotScored

RATE_SAMPLE = 50
"""Section 3: up to 50 slides per severity and axis."""

SCALES: tuple[Scale, ...] = (5, 100)
"""E.3."""


@metric
def pooled_sensitivity() -> Metric:
    """Adjacent POA, Spearman and MACE of each axis and scale, runs averaged (sections 3, 4)."""

    def pooled(scores: list[SampleScore]) -> Value:
        ratings = [
            Rating(**run["rating"])
            for each in scores
            for run in runs_of(each.score.metadata)
            if run.get("rating")
        ]
        found: dict[str, float] = {}
        for point in consistency_fidelity(averaged(ratings), resamples=0):
            named = {"poa": point.consistency, "spearman": point.fidelity, "mace": point.mace}
            found |= {
                f"{point.axis}_{point.scale}_{name}": value
                for name, value in named.items()
                if not isinstance(value, NotScored)
            }
        return found

    return pooled


@scorer(metrics=[pooled_sensitivity()])
def rating() -> Scorer:
    """The score as given; a reply that does not fit the schema has no score."""

    async def score(state: TaskState, target: Target) -> Score:
        text, asked = state.output.completion, state.metadata
        read = read_answer(text, ANSWERS[asked["answer"]])
        if not isinstance(read.answer, Rating5 | Rating100):
            return Score.unscored(answer=text, explanation=read.problem, metadata={"rating": None})
        keys = ("axis", "scale", "deck", "slide", "severity")
        given = {key: asked[key] for key in keys} | {"model": "", "score": read.answer.score}
        return Score(value=read.answer.score, answer=text, metadata={"rating": given})

    return score


@task
def slideeval_perturb(
    decks: str,
    *,
    sample: int | None = RATE_SAMPLE,
    runs: int = RUNS,
    seed: int = 0,
    steps: int = len(SEVERITIES) - 1,
    ladder_draws: LadderDraws = "coupled",
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
) -> Task:
    """Ask for ratings of slides damaged by known amounts (paper 000, section 3 and E.3).

    ``decks`` is a folder, ``sample`` the number of seed slides (0 for all), ``runs`` how often
    each picture is asked about on each scale, ``steps`` that of equal steps in severity from 0
    to 1. ``ladder_draws`` is ``coupled``, where each step adds to the damage of the one before, or
    ``independent``, where each is drawn anew as in the paper. With ``baseline`` decklab's own
    critic answers: use ``--model none``.
    """
    items = rate_items(
        decks,
        sample=sample or None,
        seed=seed,
        severities=tuple(round(step / steps, 6) for step in range(steps + 1)),
        ladder_draws=ladder_draws,
        renderer=Renderer(cache=Cache()),
    )
    return rate_task(
        items.found, runs=runs, temperature=temperature, baseline=baseline,
        left_out=items.left_out,
    )  # fmt: skip


def rate_task(
    items: tuple[RateItem, ...],
    *,
    runs: int = RUNS,
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    left_out: tuple[str, ...] = (),
) -> Task:
    """The task over damaged slides that are at hand, each asked about on both scales."""
    asked = {f"{item.id}/{scale}": (item, scale) for item in items for scale in SCALES}
    critic = Critic()

    def criticise(id: str) -> str:
        item, scale = asked[id]
        seen = SeenSlide(item.elements, pixels_of(item.picture), item.spans)
        form = Rating5 if scale == 5 else Rating100
        return form(score=critic.score(seen, item.axis, scale)).model_dump_json()

    return Task(
        dataset=[_sample(id, item, scale) for id, (item, scale) in asked.items()],
        solver=answer_with(criticise) if baseline else ask(temperature),
        scorer=rating(),
        epochs=Epochs(runs, every_run()),
        fail_on_error=False,
        version=VERSION,
        name="slideeval_perturb",
        metadata={"left_out": list(left_out), "baseline": baseline},
    )


def _sample(id: str, item: RateItem, scale: Scale) -> Any:
    metadata = {
        "deck": item.deck, "slide": str(item.slide), "axis": item.axis,
        "severity": item.severity, "scale": scale, "damage": item.damage,
        "ladder_draws": item.ladder_draws, "seed": item.seed,
    }  # fmt: skip
    return question(
        id, rate_system(item.axis, scale), RATE_PROMPT,
        pictures=[item.picture], answer=f"rating-{scale}", metadata=metadata,
    )  # fmt: skip
