"""The judge of visual quality (VQ): pictures of prediction and truth, and no differences."""

from collections.abc import Sequence
from typing import Final

from decklab.judges.editing.pictures import SlidePair, batches, pairs_to_judge
from decklab.judges.editing.prompts import VQ_SCALE, VQ_SYSTEM, questions
from decklab.judges.editing.verdict import TEMPERATURE, EditVerdict, Marked, Question, asked, pooled
from decklab.metrics.colors import Image
from decklab.models.asking import Ask, Usage
from decklab.results import NotScored

ALIKE: Final = 0.999
"""``color_ssim`` from which a slide counts as right without asking. The paper gives no number.
Ours: on the starter set the slightest change that is asked for, two letters in a table, gives
0.998, and two drawings of the same thing 0.9991."""
BATCH: Final = 5
"""Slides that are shown at once (paper 003, E.2)."""


def judge_visual(
    ask: Ask,
    question: Question,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    alike: float = ALIKE,
    batch: int = BATCH,
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
) -> EditVerdict:
    """How an edited deck looks beside the truth, 0 to 5 (paper 003, section 3.3 and listing 5).

    Pictures are RGB (height, width, 3) uint8, paired in the order of the show. Slides with a
    ``color_ssim`` of ``alike`` and more count as right; the others are shown ``batch`` at a time,
    and the lowest batch counts. Where all are alike the score is 5 and nobody is asked. NotScored
    where any batch is: what was not seen may be the lowest. Raises as ``judge_instruction``.
    """
    pairs = pairs_to_judge(truth, prediction, alike)
    total = max(len(truth), len(prediction))
    shown = f"{len(pairs)} of {total} slides; the others look like the truth"
    if not total:
        return EditVerdict(NotScored("there are no slides"), "there are no slides", shown=shown)
    if not pairs:
        every = "every slide looks like the truth"
        return EditVerdict(5.0, every, samples=(5.0,), shown=shown)

    def sample() -> EditVerdict:
        lowest = EditVerdict(6.0, "")
        usage = Usage()
        for some in batches(pairs, batch):
            verdict = _batch(ask, question, some, temperature)
            usage += verdict.usage
            if isinstance(verdict.score, NotScored):
                lowest = verdict
                break
            if isinstance(lowest.score, float) and verdict.score < lowest.score:
                lowest = verdict
        return EditVerdict(
            lowest.score, lowest.reason, usage=usage, model=lowest.model, shown=shown
        )

    return pooled(sample, repeats)


def _batch(
    ask: Ask, question: Question, pairs: Sequence[SlidePair], temperature: float | None
) -> EditVerdict:
    material = "Pictures, in this order:\n" + "\n".join(
        label for pair in pairs for label in pair.labels
    )
    answer, reply = asked(
        ask, questions(question, scale=VQ_SCALE, material=material), form=Marked,
        images=[image for pair in pairs for image in pair.images],
        system=VQ_SYSTEM, temperature=temperature,
    )  # fmt: skip
    usage, model = (reply.usage, reply.model) if reply else (Usage(), "")
    if isinstance(answer, NotScored):
        numbers = ", ".join(str(pair.number) for pair in pairs)
        cause = NotScored(f"slides {numbers}: {answer.reason}")
        return EditVerdict(cause, cause.reason, usage=usage, model=model)
    return EditVerdict(float(answer.score), answer.reason, usage=usage, model=model)
