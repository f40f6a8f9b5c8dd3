"""Questions to judges, which are models or baselines: the task, the answers, reading replies."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypedDict, TypeVar

import anyio.to_thread
from inspect_ai import Epochs, Task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, ScoreReducer, score_reducer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BaseModel, ConfigDict, Field

from decklab.deck.model.base import PlainSlide
from decklab.evals.inspect_run import EVERY_SAMPLE, one_at_a_time, task_samples
from decklab.models.asking import Ask
from decklab.models.inspect import asking_from_thread, image_url
from decklab.models.model_run import ModelRun, recorded
from decklab.models.reading import parse_answer

A = TypeVar("A", bound=BaseModel)

_COLOR = re.compile(r'"#[0-9a-fA-F]{6}"')


class _Answer(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class Rating5(_Answer):
    """A rating on the 5-point scale."""

    score: int = Field(ge=1, le=5)
    """A whole number from 1 to 5."""


class Rating100(_Answer):
    """A rating on the 100-point scale."""

    score: int = Field(ge=1, le=100)
    """A whole number from 1 to 100."""


class OrderAnswer(_Answer):
    """The order of a deck's slides."""

    order: list[int]
    """Numbers of the pictures, each once, the first slide's first."""


ANSWERS: Final[dict[str, type[BaseModel]]] = {
    "slide": PlainSlide,
    "rating-5": Rating5,
    "rating-100": Rating100,
    "order": OrderAnswer,
}
"""The forms of answers, by the names they have in logs."""


def read_answer(text: str, schema: type[A]) -> tuple[A | None, str | None]:
    """The answer in a reply, or None and the fault in a line. The schema is strict.

    Only one thing is repaired: colours may be in small letters, though the schema has capitals.

    >>> read_answer('{"score": 6}', Rating5)
    (None, 'score: Input should be less than or equal to 5')
    """
    capitals = _COLOR.sub(lambda match: match.group().upper(), text)
    return parse_answer(capitals, schema)


def named_slides(order: Sequence[int], shown: Sequence[int]) -> list[int]:
    """Slide numbers from numbers of pictures; ``shown`` are the slides in the order of pictures.

    A picture that was not shown becomes a negative number, which no slide has.

    >>> named_slides([2, 1, 7], [30, 10])
    [10, 30, -7]
    """
    return [
        shown[picture - 1] if 1 <= picture <= len(shown) else -abs(picture) - (picture == 0)
        for picture in order
    ]


RUNS: Final = 3
"""Section 3: each slide is asked about three times."""

TEMPERATURE: Final = 0.2
"""Ours: section 3 says low."""

VERSION: Final = 1
"""Version of the tasks; it grows with each change after which results cannot be compared."""

BASELINE: Final = "decklab baseline"
"""The name of baselines in logs and reports."""


class TaskOptions(TypedDict, total=False):
    """Options of all three tasks; see ``judge_task``."""

    runs: int
    temperature: float | None
    baseline: bool
    text_only: bool
    model_run: ModelRun | None
    left_out: tuple[str, ...]


def judge_task(
    name: str,
    samples: Sequence[Sample],
    scorer: Scorer,
    answer: Callable[[str], str],
    *,
    runs: int = RUNS,
    temperature: float | None = TEMPERATURE,
    baseline: bool = False,
    text_only: bool = False,
    model_run: ModelRun | None = None,
    **facts: Any,
) -> Task:
    """A task that puts each sample's question to a model, ``runs`` times, within ``model_run``.

    With ``baseline``, ``answer`` replies instead: it takes a sample's id and gives the JSON of the
    answer. ``text_only`` says that the questions have no pictures. ``facts`` go into the log, such
    as ``left_out``: the decks without questions, and why. Raises ValueError for a baseline without
    pictures, and NothingToAsk if there is no sample.
    """
    if baseline and text_only:
        raise ValueError("the baseline needs pictures: text only is for models")
    return Task(
        dataset=task_samples(samples, left_out=facts.get("left_out", ())),
        solver=answer_with(answer) if baseline else ask(temperature, model_run),
        scorer=scorer,
        epochs=Epochs(runs, every_run()),
        fail_on_error=EVERY_SAMPLE,
        version=VERSION,
        name=name,
        metadata={"left_out": [], "baseline": baseline, "text_only": text_only} | facts,
    )


def question(
    id: str,
    system: str,
    prompt: str,
    *,
    pictures: Sequence[bytes],
    answer: str,
    metadata: Mapping[str, Any],
) -> Sample:
    """A sample that asks for an answer of the form ``ANSWERS[answer]``, with pictures or none."""
    content: list[Content] = [ContentText(text=prompt)]
    content += [ContentImage(image=image_url(picture)) for picture in pictures]
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=system),
        ChatMessageUser(content=content),
    ]
    return Sample(id=id, input=messages, metadata={"answer": answer, **metadata})


def pictures_of(state: TaskState) -> list[bytes]:
    """The pictures of a sample's question."""
    urls = [
        part.image
        for message in state.input
        if not isinstance(message, str) and not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, ContentImage)
    ]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


@solver
def ask(temperature: float | None = TEMPERATURE, model_run: ModelRun | None = None) -> Solver:
    """Put the sample's question to the model; raises ModelError if no reply comes.

    Inspect logs such a sample as failed, with the cause, and asks again in ``inspect eval-retry``.
    A reply that does not fit the schema is a reply.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        system, user = state.messages[0], state.messages[1]
        form = state.metadata["answer"]
        put = partial(
            _asking(get_model(), model_run or ModelRun()),
            user.text,
            images=pictures_of(state),
            answer=ANSWERS[form],
            system=system.text,
            temperature=temperature,
            stage=f"slideeval {form}",
        )
        reply = await anyio.to_thread.run_sync(put)
        return _replied(state, str(state.model), reply.text)

    return solve


def _asking(model: Model, run: ModelRun) -> Ask:
    """The model as a function for threads, within the account and the record of the run."""
    name = str(model)
    asked = asking_from_thread(model, name=name, account=run.costs, first_reply=True)
    return asked if run.record is None else recorded(asked, run.record, name)


@solver
def answer_with(answer: Callable[[str], str]) -> Solver:
    """Have ``answer`` reply in a model's place: from a sample's id to the JSON of its answer."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        text = await one_at_a_time("decklab-baseline", answer, str(state.sample_id))
        return _replied(state, BASELINE, text)

    return solve


def _replied(state: TaskState, model: str, text: str) -> TaskState:
    state.output = ModelOutput.from_content(model, text)
    state.messages.append(ChatMessageAssistant(content=text, source="generate"))
    return state


@score_reducer(name="decklab_every_run")
def every_run() -> ScoreReducer:
    """Collects the metadata of all runs of a sample, so that metrics can pool single runs."""

    def reduce(scores: list[Score]) -> Score:
        first = scores[0]
        return first.model_copy(
            update={"metadata": {"runs": [each.metadata or {} for each in scores]}}
        )

    return reduce


def runs_of(metadata: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The metadata of every run of a score, reduced or not."""
    runs = metadata or {}
    return list(runs.get("runs", [runs]))
