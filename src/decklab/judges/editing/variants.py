"""The judge configurations that table 4 of paper 003 compares the two judges with."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from decklab.judges.editing.evidence import Evidence
from decklab.judges.editing.pictures import SlidePair, batches, pairs_to_judge
from decklab.judges.editing.prompts import (
    BOTH_SCALES,
    IF_SCALE,
    PICTURES_SYSTEM,
    TOGETHER_SYSTEM,
    questions,
)
from decklab.judges.editing.verdict import TEMPERATURE, EditVerdict, Marked, Question, asked, pooled
from decklab.judges.editing.visual import BATCH
from decklab.metrics.colors import Image
from decklab.models.asking import Ask, Usage
from decklab.results import NotScored

_ALL = 2.0
"""More than any SSIM: no slide is passed over."""


class BothMarked(BaseModel):
    """The form of a reply that gives both scores."""

    model_config = ConfigDict(extra="forbid", strict=True)

    instruction_following: int = Field(ge=0, le=5)
    instruction_reason: str = Field(min_length=1)
    visual_quality: int = Field(ge=0, le=5)
    visual_reason: str = Field(min_length=1)


def judge_together(
    ask: Ask,
    question: Question,
    evidence: Evidence,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    temperature: float | None = TEMPERATURE,
) -> tuple[EditVerdict, EditVerdict]:
    """IF and VQ by one judge in one call that sees everything: "single VLM judge (all signals)".

    All slides are shown, none passed over and none batched. Errors as ``judge_instruction``.
    """
    pairs = pairs_to_judge(truth, prediction, _ALL)
    material = f"{evidence.material}\n{_listed(pairs)}"
    answer, reply = asked(
        ask, questions(question, scale=BOTH_SCALES, material=material), form=BothMarked,
        images=[image for pair in pairs for image in pair.images],
        system=TOGETHER_SYSTEM, temperature=temperature,
    )  # fmt: skip
    usage, model = (reply.usage, reply.model) if reply else (Usage(), "")
    shown = f"differences as {evidence.form.upper()} and all {len(pairs)} slides"
    if isinstance(answer, NotScored):
        none = EditVerdict(answer, answer.reason, (answer,), usage, model, shown)
        return none, none
    score, visual = float(answer.instruction_following), float(answer.visual_quality)
    return (
        EditVerdict(score, answer.instruction_reason, (score,), usage, model, shown),
        EditVerdict(visual, answer.visual_reason, (visual,), Usage(), model, shown),
    )


def judge_from_pictures(
    ask: Ask,
    question: Question,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    batch: int = BATCH,
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
) -> EditVerdict:
    """IF from pictures alone: the first half of "dual judge (no diff)", whose second is VQ.

    Table 4 names two judges, section 5.2 one call with pictures only; this follows the table. All
    slides are shown in batches, the lowest counts. Errors as ``judge_visual``.
    """
    pairs = pairs_to_judge(truth, prediction, _ALL)
    if not pairs:
        none = NotScored("there are no slides")
        return EditVerdict(none, none.reason)

    def sample() -> EditVerdict:
        verdicts = [_seen(ask, question, some, temperature) for some in batches(pairs, batch)]
        usage = sum((one.usage for one in verdicts), Usage())
        failed = [one for one in verdicts if isinstance(one.score, NotScored)]
        found = failed[0] if failed else min(verdicts, key=_score)
        shown = f"all {len(pairs)} slides"
        return EditVerdict(found.score, found.reason, usage=usage, model=found.model, shown=shown)

    return pooled(sample, repeats)


def _score(verdict: EditVerdict) -> float:
    return 0.0 if isinstance(verdict.score, NotScored) else verdict.score


def _seen(
    ask: Ask, question: Question, pairs: Sequence[SlidePair], temperature: float | None
) -> EditVerdict:
    answer, reply = asked(
        ask, questions(question, scale=IF_SCALE, material=_listed(pairs)), form=Marked,
        images=[image for pair in pairs for image in pair.images],
        system=PICTURES_SYSTEM, temperature=temperature,
    )  # fmt: skip
    usage, model = (reply.usage, reply.model) if reply else (Usage(), "")
    if isinstance(answer, NotScored):
        return EditVerdict(answer, answer.reason, usage=usage, model=model)
    return EditVerdict(float(answer.score), answer.reason, usage=usage, model=model)


def _listed(pairs: Sequence[SlidePair]) -> str:
    lines = [label for pair in pairs for label in pair.labels]
    return "\n".join(["Pictures, in this order:", *lines])
