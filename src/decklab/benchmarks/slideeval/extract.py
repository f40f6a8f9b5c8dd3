"""The task ``slideeval_extract``: what is on a slide, told from its picture."""

from collections.abc import Mapping
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.benchmarks.slideeval.drawing import FRAME_PIXELS, LEGEND, overlay, pixels_of
from decklab.benchmarks.slideeval.items import ExtractItem, extract_items
from decklab.benchmarks.slideeval.prompts import EXTRACT_PROMPT, EXTRACT_SYSTEM
from decklab.benchmarks.slideeval.questions import (
    RUNS,
    TEMPERATURE,
    VERSION,
    answer_with,
    ask,
    every_run,
    pictures_of,
    question,
    read_answer,
    runs_of,
)
from decklab.deck.model.plain import PlainSlide
from decklab.metrics.extraction.estimates import (
    Pool,
    SlideScore,
    estimates,
    score_slide,
    slide_values,
)
from decklab.metrics.extraction.matching import match_slide
from decklab.models.inspect import image_url
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.results import NotScored
from decklab.vision.elements import extract_from_picture

EXTRACT_SAMPLE = 100
"""Ours: slides that are asked about unless told otherwise."""

_SHOWN = ("matching_f1", "text_f1", "iou_error")


@metric
def pooled_extraction() -> Metric:
    """Micro averages over all slides and runs (E.2); in a log they stand beside each other."""

    def pooled(scores: list[SampleScore]) -> Value:
        pool = Pool()
        for each in scores:
            for run in runs_of(each.score.metadata):
                pool.add(run["deck"], SlideScore.from_json(run["score"]))
        found = {
            row.measure.removeprefix("extraction."): row.value
            for row in estimates(pool, resamples=0)
            if row.where == "all" and row.scope == "end_to_end"
        }
        values = _scored(found)
        return {**values, "parsed": pool.parsed / pool.slides} if pool.slides else {}

    return pooled


@scorer(metrics=[pooled_extraction()])
def extraction() -> Scorer:
    """Match the reply with the truth; a reply that does not fit the schema has found nothing."""

    async def score(state: TaskState, target: Target) -> Score:
        truth = PlainSlide.model_validate(state.metadata["truth"])
        text = state.output.completion
        read = read_answer(text, PlainSlide)
        found = score_slide(truth, read.answer)
        _show(state, truth, read.answer)
        values = {
            name.removeprefix("extraction."): value for name, value in slide_values(found).items()
        }
        return Score(
            value={"parsed": float(found.parsed), **_scored(values)},
            answer=text,
            explanation=read.problem,
            metadata={"deck": state.metadata["deck"], "score": found.as_json()},
        )

    return score


def _scored(values: Mapping[str, float | NotScored]) -> dict[str, float]:
    """The headlines among some values, as far as there are any."""
    found = {key: values[key] for key in _SHOWN}
    return {key: value for key, value in found.items() if not isinstance(value, NotScored)}


def _show(state: TaskState, truth: PlainSlide, prediction: PlainSlide | None) -> None:
    """Put a picture of the matches below the reply, for those who look at the log."""
    matchings = {} if prediction is None else match_slide(truth, prediction)
    [slide] = pictures_of(state)
    picture = overlay(pixels_of(slide), truth, prediction, matchings)
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
) -> Task:
    """Ask for the elements of slides from their pictures (paper 000, appendix B).

    ``decks`` is a folder, ``sample`` the number of slides (0 for all), ``runs`` how often each is
    asked about, ``width`` that of the pictures in pixels. With ``baseline`` decklab's own reading
    of the picture answers: use ``--model none``.
    """
    items = extract_items(
        decks, sample=sample or None, seed=seed, width=width, renderer=Renderer(cache=Cache())
    )
    return extract_task(
        items.found, runs=runs, temperature=temperature, baseline=baseline,
        left_out=items.left_out,
    )  # fmt: skip


def extract_task(
    items: tuple[ExtractItem, ...],
    *,
    runs: int = RUNS,
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    left_out: tuple[str, ...] = (),
) -> Task:
    """The task over slides that are at hand."""
    by_id = {item.id: item for item in items}

    def read_picture(id: str) -> str:
        return extract_from_picture(pixels_of(by_id[id].picture)).model_dump_json()

    return Task(
        dataset=[_sample(item) for item in items],
        solver=answer_with(read_picture) if baseline else ask(temperature),
        scorer=extraction(),
        epochs=Epochs(runs, every_run()),
        fail_on_error=False,
        version=VERSION,
        name="slideeval_extract",
        metadata={"left_out": list(left_out), "baseline": baseline},
    )


def _sample(item: ExtractItem) -> Any:
    metadata = {"deck": item.deck, "slide": item.slide, "truth": item.truth.model_dump()}
    return question(
        item.id, EXTRACT_SYSTEM, EXTRACT_PROMPT,
        pictures=[item.picture], answer="slide", metadata=metadata,
    )  # fmt: skip
