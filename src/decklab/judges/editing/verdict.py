"""What a judge says of an edit, and how it is asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, ClassVar, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from decklab.errors import BudgetSpent, ModelFailed
from decklab.models.answering import Unanswered, answered
from decklab.models.asking import Ask, Usage
from decklab.results import NotScored

TEMPERATURE: Final = 0.2
"""Of the judges (paper 003, E.2). Its top-k of 1 cannot be had of every provider."""

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Question:
    """What was asked of the editor, and what the outcome has to fulfil, which it did not see."""

    instruction: str
    style_target: str


class Marked(BaseModel):
    """The form of a judge's reply."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {
        "instruction_following_score": "score", "instruction_following_reason": "reason",
        "visual_quality_score": "score", "visual_quality_reason": "reason",
    }  # fmt: skip
    """Of paper 003, listings 4 and 5."""
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


@dataclass(frozen=True)
class JudgeReply(Generic[A]):
    """A reply that fits its form, or why there is none, and what it cost with all tries."""

    answer: A | NotScored
    usage: Usage = field(default_factory=Usage)
    model: str = ""


def asked(ask: Ask, prompt: str, form: type[A], *, stage: str, **how: Any) -> JudgeReply[A]:
    """A reply that fits the form, asked for again where one does not; ``how`` as in ``Ask``.

    NotScored where the model failed, the budget is spent or the last reply is still amiss.
    """
    try:
        found = answered(ask, prompt, form, stage=stage, **how)
    except Unanswered as error:
        cause = NotScored(f"the judge's reply does not fit: {error.problem}")
        return JudgeReply(cause, error.usage, error.model)
    except (ModelFailed, BudgetSpent) as error:
        return JudgeReply(NotScored(str(error)))
    return JudgeReply(found.answer, found.usage, found.reply.model)


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
