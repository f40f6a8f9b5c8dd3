"""What a judge says of an edit, and how it is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from decklab.errors import ModelFailed
from decklab.models.asking import Ask, ModelReply, Usage
from decklab.results import NotScored

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Question:
    """What was asked of the editor, and what the outcome has to fulfil, which it did not see."""

    instruction: str
    style_target: str


class Marked(BaseModel):
    """The form of a judge's reply."""

    model_config = ConfigDict(extra="forbid", strict=True)

    score: int = Field(ge=0, le=5)
    reason: str = Field(min_length=1)


@dataclass(frozen=True)
class EditVerdict:
    """A score of 0 to 5, higher is better, or why there is none."""

    score: float | NotScored
    """Mean over the repeats that gave one."""
    reason: str
    """The model's, of the first repeat; or how the score came about without it."""
    samples: tuple[float | NotScored, ...] = ()
    """One for each repeat."""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    shown: str = ""
    """What the judge was shown, in a few words."""


def asked(
    ask: Ask,
    prompt: str,
    *,
    form: type[A],
    images: Sequence[bytes] = (),
    system: str,
    temperature: float | None,
) -> tuple[A | NotScored, ModelReply[A] | None]:
    """A reply that fits the form, or why there is none: a model that failed, or a reply amiss."""
    try:
        reply: ModelReply[A] = ask(
            prompt, images=images, answer=form, system=system, temperature=temperature
        )
    except ModelFailed as error:
        return NotScored(str(error)), None
    if reply.answer is None:
        return NotScored(f"the judge's reply does not fit: {reply.problem}"), reply
    return reply.answer, reply


def pooled(sample: Callable[[], EditVerdict], repeats: int) -> EditVerdict:
    """The mean of ``repeats`` verdicts; those not scored are left out of it and kept in
    ``samples``. Raises ValueError for less than one."""
    if repeats < 1:
        raise ValueError(f"a judge is asked once at least, not {repeats} times")
    verdicts = [sample() for _ in range(repeats)]
    scored = [one for one in verdicts if not isinstance(one.score, NotScored)]
    first = (scored or verdicts)[0]
    values = [one.score for one in scored if not isinstance(one.score, NotScored)]
    return EditVerdict(
        score=fmean(values) if values else first.score,
        reason=first.reason,
        samples=tuple(one.score for one in verdicts),
        usage=sum((one.usage for one in verdicts), Usage()),
        model=first.model,
        shown=first.shown,
    )
