"""The three tasks, each with its prompts and its scorer: reading slides, rating damage, and
ordering slides; and a baseline that rates slides by weighted flaws of layout, style and text.

Prompts come from the text files of ``data/``. The wording is ours; the rules in it are the paper's
(appendix B, E.3, F.3). Flaws are shares from 0 (none) to 1.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Final, Literal, Unpack

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.core.files import package_values
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import EXTRACT_SAMPLE, ORDER_SAMPLE, RATE_SAMPLE, Axis, LadderDraws
from decklab.core.results import NotScored, scored_by_name
from decklab.deck.model.base import PlainSlide
from decklab.evals.inspect_run import sample_score
from decklab.evals.perturb.constants import AXES
from decklab.evals.slideeval.items import (
    FRAME_PIXELS,
    MOST_SLIDES,
    SEVERITIES,
    ExtractItem,
    OrderItem,
    RateItem,
    extract_items,
    order_items,
    rate_items,
    words_of,
)
from decklab.evals.slideeval.questions import (
    ANSWERS,
    RUNS,
    TEMPERATURE,
    OrderAnswer,
    Rating5,
    Rating100,
    TaskOptions,
    judge_task,
    named_slides,
    pictures_of,
    question,
    read_answer,
    runs_of,
)
from decklab.evals.slideeval.slide_order import order_slides
from decklab.evals.vision.elements import LEGEND, extract_from_picture, overlay
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.element_estimates import Pool, SlideScore, estimates, score_slide, slide_values
from decklab.metrics.element_matching import match_slide
from decklab.metrics.ordering import OrderScore, order_estimates, score_order
from decklab.metrics.quality import MeasuredSlide, layout_flaws, style_flaws, word_flaws
from decklab.metrics.ratings import Rating, averaged
from decklab.metrics.sensitivity import consistency_fidelity
from decklab.metrics.spelling import odd_share
from decklab.models.asking import fill_prompt
from decklab.models.inspect import image_url
from decklab.models.model_run import ModelRun
from decklab.pages.pictures import decoded
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.deck import measured_slide

Scale = Literal[5, 100]

_PACKAGE: Final = "decklab.evals.slideeval"

SLIDE_PROMPT: Final = "This is the slide."
"""The text beside the picture of a slide."""


def text_prompt(markdown: str) -> str:
    """Text that replaces a slide's picture in a question that has words only.

    Ours; the paper shows pictures.
    """
    return f"There is no picture. This is what the slide holds, as Markdown:\n\n{markdown}"


def extract_system() -> str:
    """The system prompt for writing down the elements of a slide (appendix B)."""
    return _filled("extract", width=str(FRAME_WIDTH), height=str(FRAME_HEIGHT))


@cache
def criteria(axis: Axis) -> tuple[str, tuple[str, ...]]:
    """The name of an axis and the questions by which it is judged (table 3)."""
    text = resources.files(_PACKAGE).joinpath("data/criteria.toml").read_text(encoding="utf-8")
    texts = tomllib.loads(text)[axis]
    return texts["name"], tuple(texts["questions"])


def rate_system(axis: Axis, scale: Scale) -> str:
    """The system prompt for rating on one axis (figure 5): scale, anchors and questions.

    >>> "50.5 means acceptable" in rate_system("style", 100)
    True
    """
    name, questions = criteria(axis)
    return _filled(
        "rate", name=name, questions="\n".join(f"- {line}" for line in questions),
        scale=str(scale), middle=f"{(1 + scale) / 2:g}",
    )  # fmt: skip


def order_prompt(slides: int) -> str:
    """The text beside the pictures of a deck's slides."""
    return f"There are {slides} pictures, numbered from 1 to {slides} in the order they are shown."


def order_text_prompt(slides: Sequence[str]) -> str:
    """Text that replaces the pictures of a deck's slides, given as Markdown."""
    shown = [f"Number {number}:\n\n{text}" for number, text in enumerate(slides, start=1)]
    head = (
        f"There are no pictures. Below is what {len(slides)} slides hold, as Markdown, numbered "
        f"from 1 to {len(slides)} in the order they are shown."
    )
    return "\n".join([head, "", *shown])


def _filled(file: str, **values: str) -> str:
    return fill_prompt(_PACKAGE, f"data/{file}.txt", **values).removesuffix("\n")


def text_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """The flaws of words, odd spelling by letters alone, and texts drawn over each other."""
    odd = odd_share("\n".join(item.text for item in seen.texts))
    spelled = 0.0 if odd is None else odd
    return word_flaws(seen) | {"odd": spelled, "clash": _clashing(seen.regions)}


def _clashing(spans: Sequence[TextRegion]) -> float:
    """Share of drawn lines of text that overlap another line."""
    hit = set()
    for (a, span), (b, other) in combinations(enumerate(spans), 2):
        common = span.frame_box.intersection(other.frame_box)
        low = min(span.frame_box.height, other.frame_box.height)
        if span.line != other.line and common.height > low / 3 and common.width > low / 2:
            hit |= {a, b}
    return len(hit) / len(spans) if spans else 0.0


@dataclass(frozen=True)
class FlawWeights:
    """Degradation as a weighted sum of flaws, plus ``base``."""

    base: float
    weights: Mapping[str, float]

    def degradation(self, flaws: Mapping[str, float]) -> float:
        """0 (sound) to 1 (ruined)."""
        flawed = self.base + sum(weight * flaws[name] for name, weight in self.weights.items())
        return min(1.0, max(0.0, flawed))


_FITTED: Final = package_values("decklab.evals.slideeval", "data/critic_weights.toml")
WEIGHTS: Final[Mapping[Axis, FlawWeights]] = {axis: FlawWeights(**_FITTED[axis]) for axis in AXES}
"""By axis. Ours: fitted to slides of decklab's three samples, see ``data/critic_weights.toml``."""

_FLAWS: Final[Mapping[Axis, Callable[[MeasuredSlide], dict[str, float]]]] = {
    "text": text_flaws,
    "geometry": layout_flaws,
    "style": style_flaws,
}


def degradation(seen: MeasuredSlide, axis: Axis) -> float:
    """How far a slide is degraded along an axis, 0 to 1, lower is better.

    Judged from its elements and picture, without the original and without the severity.
    """
    return WEIGHTS[axis].degradation(_FLAWS[axis](seen))


def rate_slide(seen: MeasuredSlide, axis: Axis, scale: Scale) -> int:
    """A whole number on 1 to 5 or 1 to 100, higher is better, as paper 000 asks models for."""
    return round(1 + (scale - 1) * (1 - degradation(seen, axis)))


SCALES: tuple[Scale, ...] = (5, 100)
"""Highest score of each scale; the lowest is 1 (E.3)."""

_SHOWN = ("matching_f1", "text_f1", "iou_error")


@metric
def pooled_extraction() -> Metric:
    """Micro averages over all slides and runs (E.2)."""

    def pooled(scores: list[SampleScore]) -> Value:
        pool = Pool()
        for each in scores:
            for run in runs_of(each.score.metadata):
                pool.add(run["deck"], SlideScore.from_json(run["score"]))
        means = {
            row.measure.removeprefix("extraction."): row.value
            for row in estimates(pool, resamples=0)
            if row.where == "all" and row.scope == "end_to_end"
        }
        values = _scored(means)
        return {**values, "parsed": pool.parsed / pool.slides} if pool.slides else {}

    return pooled


@scorer(metrics=[pooled_extraction()])
def extraction() -> Scorer:
    """Match the reply with the truth; a reply that does not fit the schema has no elements."""

    async def score(state: TaskState, target: Target) -> Score:
        truth = PlainSlide.model_validate(state.metadata["truth"])
        text = state.output.completion
        prediction, problem = read_answer(text, PlainSlide)
        scores = score_slide(truth, prediction)
        _add_overlay(state, truth, prediction)
        values = {
            name.removeprefix("extraction."): value for name, value in slide_values(scores).items()
        }
        return Score(
            value={"parsed": float(scores.parsed), **_scored(values)},
            answer=text,
            explanation=problem,
            metadata={"deck": state.metadata["deck"], "score": scores.as_json()},
        )

    return score


def _scored(values: Mapping[str, float | NotScored]) -> dict[str, float]:
    """The headline measures among ``values`` that have a score."""
    return scored_by_name({key: values[key] for key in _SHOWN})


def _add_overlay(state: TaskState, truth: PlainSlide, prediction: PlainSlide | None) -> None:
    """Add a picture of the matches to the log, below the reply, if the question has one."""
    matchings = {} if prediction is None else match_slide(truth, prediction)
    slide, *_ = [*pictures_of(state), b""]
    if not slide:
        return
    picture = overlay(decoded(slide), truth, prediction, matchings)
    content: list[Content] = [ContentText(text=LEGEND), ContentImage(image=image_url(picture))]
    state.messages.append(ChatMessageUser(content=content))


@task
def slideeval_extract(
    decks: str,
    *,
    sample: int | None = EXTRACT_SAMPLE,
    runs: int = RUNS,
    seed: int = 0,
    width: int = FRAME_PIXELS[0],
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    text_only: bool = False,
    model_run: ModelRun | None = None,
) -> Task:
    """Ask for the elements of slides from their pictures (paper 000, appendix B).

    ``decks`` is a folder, ``sample`` the number of slides (0 for all), ``runs`` how often each is
    asked about, ``width`` that of the pictures in pixels. With ``baseline`` decklab's own reading
    of the picture answers: use ``--model none``.
    ``text_only`` and ``model_run`` as in ``judge_task``.
    """
    items = extract_items(
        decks, sample=sample or None, seed=seed, width=width, renderer=Renderer(cache=Cache())
    )
    return extract_task(
        items.chosen,
        runs=runs,
        temperature=temperature,
        baseline=baseline,
        text_only=text_only,
        model_run=model_run,
        left_out=items.left_out,
    )


def extract_task(items: Sequence[ExtractItem], **options: Unpack[TaskOptions]) -> Task:
    """The task for given slides."""
    by_id = {item.id: item for item in items}

    def read_picture(id: str) -> str:
        return extract_from_picture(decoded(by_id[id].picture)).model_dump_json()

    samples = [_slide_sample(item, options.get("text_only", False)) for item in items]
    return judge_task("slideeval_extract", samples, extraction(), read_picture, **options)


def _slide_sample(item: ExtractItem, text_only: bool) -> Sample:
    metadata = {"deck": item.deck, "slide": item.slide, "truth": item.truth.model_dump()}
    prompt = text_prompt(item.words) if text_only else SLIDE_PROMPT
    return question(
        item.id, extract_system(), prompt,
        pictures=[] if text_only else [item.picture], answer="slide", metadata=metadata,
    )  # fmt: skip


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
        values: dict[str, float] = {}
        for point in consistency_fidelity(averaged(ratings), resamples=0):
            named = {"poa": point.consistency, "spearman": point.fidelity, "mace": point.mace}
            values |= {
                f"{point.axis}_{point.scale}_{name}": value
                for name, value in named.items()
                if not isinstance(value, NotScored)
            }
        return values

    return pooled


@scorer(metrics=[pooled_sensitivity()])
def rating() -> Scorer:
    """The score as given; a reply that does not fit the schema has no score."""

    async def score(state: TaskState, target: Target) -> Score:
        text, facts = state.output.completion, state.metadata
        answer, problem = read_answer(text, ANSWERS[facts["answer"]])
        if not isinstance(answer, Rating5 | Rating100):
            return Score.unscored(answer=text, explanation=problem, metadata={"rating": None})
        keys = ("axis", "scale", "deck", "slide", "severity")
        given = {key: facts[key] for key in keys} | {"model": "", "score": answer.score}
        return Score(value=answer.score, answer=text, metadata={"rating": given})

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
    text_only: bool = False,
    model_run: ModelRun | None = None,
) -> Task:
    """Ask for ratings of slides damaged by known amounts (paper 000, section 3 and E.3).

    ``decks`` is a folder, ``sample`` the number of seed slides (0 for all), ``runs`` how often each
    picture is rated on each scale, ``steps`` the number of equal steps in severity from 0 to 1.
    ``ladder_draws`` is ``coupled``, where each step adds to the damage of the one before, or
    ``independent``, where each is drawn anew as in the paper. With ``baseline`` decklab's own
    critic answers: use ``--model none``. ``text_only`` and ``model_run`` as in ``judge_task``.
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
        items.chosen,
        runs=runs,
        temperature=temperature,
        baseline=baseline,
        text_only=text_only,
        model_run=model_run,
        left_out=items.left_out,
    )


def rate_task(items: Sequence[RateItem], **options: Unpack[TaskOptions]) -> Task:
    """The task for given damaged slides, each rated on both scales."""
    asked = {f"{item.id}/{scale}": (item, scale) for item in items for scale in SCALES}

    def criticise(id: str) -> str:
        item, scale = asked[id]
        seen = measured_slide(item.elements, decoded(item.picture), item.spans)
        form = Rating5 if scale == 5 else Rating100
        return form(score=rate_slide(seen, item.axis, scale)).model_dump_json()

    text_only = options.get("text_only", False)
    samples = [_rate_sample(id, item, scale, text_only) for id, (item, scale) in asked.items()]
    return judge_task("slideeval_perturb", samples, rating(), criticise, **options)


def _rate_sample(id: str, item: RateItem, scale: Scale, text_only: bool) -> Sample:
    metadata = {
        "deck": item.deck, "slide": str(item.slide), "axis": item.axis,
        "severity": item.severity, "scale": scale, "damage": item.damage,
        "ladder_draws": item.ladder_draws, "seed": item.seed,
    }  # fmt: skip
    prompt = text_prompt(words_of(item.elements)) if text_only else SLIDE_PROMPT
    return question(
        id, rate_system(item.axis, scale), prompt,
        pictures=[] if text_only else [item.picture], answer=f"rating-{scale}", metadata=metadata,
    )  # fmt: skip


def order_score(text: str, shown: list[int]) -> tuple[OrderScore, str | None]:
    """A reply's score, and its fault if it does not fit the schema.

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
                score = order_score(run["text"], run["shown"])[0]
                by_deck.setdefault(run["deck"], []).append(score)
        return {
            row.measure.removeprefix("ordering."): row.value
            for row in order_estimates(by_deck, resamples=0)
            if not isinstance(row.value, NotScored)
        }

    return pooled


@scorer(metrics=[pooled_ordering()])
def ordering() -> Scorer:
    """Compare the order with the true one; a reply without an order has a reason and no score."""

    async def score(state: TaskState, target: Target) -> Score:
        text, facts = state.output.completion, state.metadata
        score, problem = order_score(text, facts["shown"])
        metadata = {"deck": facts["deck"], "shown": facts["shown"], "text": text}
        tau = score.kendall_tau
        value = NotScored(problem) if problem and isinstance(tau, NotScored) else tau
        return sample_score(value, answer=text, metadata=metadata)

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
    text_only: bool = False,
    model_run: ModelRun | None = None,
    page_numbers: bool = True,
) -> Task:
    """Ask for the order of shuffled slides (paper 000, F.3).

    ``decks`` is a folder, ``sample`` the number of decks (0 for all), ``runs`` how often each is
    asked about, ``most`` the slides of the longest deck that is taken. With ``baseline`` decklab
    puts them in order itself: use ``--model none``; without ``page_numbers`` it ignores page
    numbers on slides. ``text_only`` and ``model_run`` as in ``judge_task``.
    """
    items = order_items(
        decks, sample=sample or None, seed=seed, most=most, renderer=Renderer(cache=Cache())
    )
    return order_task(
        items.chosen, page_numbers=page_numbers, runs=runs, temperature=temperature,
        baseline=baseline, text_only=text_only, model_run=model_run, left_out=items.left_out,
    )  # fmt: skip


def order_task(
    items: Sequence[OrderItem], *, page_numbers: bool = True, **options: Unpack[TaskOptions]
) -> Task:
    """The task for given decks."""
    by_id = {item.id: item for item in items}

    def put_in_order(id: str) -> str:
        order = order_slides(by_id[id].views, use_page_numbers=page_numbers)
        return OrderAnswer(order=[index + 1 for index in order]).model_dump_json()

    samples = [_deck_sample(item, options.get("text_only", False)) for item in items]
    return judge_task(
        "slideeval_order", samples, ordering(), put_in_order, page_numbers=page_numbers, **options
    )


def _deck_sample(item: OrderItem, text_only: bool) -> Sample:
    metadata = {"deck": item.deck, "shown": list(item.shown)}
    prompt = order_text_prompt(item.words) if text_only else order_prompt(len(item.shown))
    return question(
        item.id, _filled("order"), prompt,
        pictures=[] if text_only else item.pictures, answer="order", metadata=metadata,
    )  # fmt: skip
