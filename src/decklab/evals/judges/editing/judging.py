"""The judges of edits: IF from differences, VQ from pictures, and the other rows of table 4.

Paper 003, section 3.3 and appendix E. All raise ModelUnavailable, and ValueError for no repeats;
where the model failed or its reply does not fit, an edit is not scored.
``judge_agreement`` says how far two judge models agree (table A and E.2).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from statistics import fmean
from typing import ClassVar, Final

from pydantic import ConfigDict, Field

from decklab.core.colors import Image
from decklab.core.options import JUDGE_TEMPERATURE, JudgeConfiguration
from decklab.core.results import NotScored
from decklab.evals.judges.asking import (
    FENCE_RULE,
    KnownStatements,
    KnownTally,
    Questions,
    WithKnown,
    batches,
    decoded,
    fenced,
    known_statements,
    scrambled,
)
from decklab.evals.judges.editing.verdict import (
    BOTH_SCALES,
    IF_SCALE,
    IF_SYSTEM,
    PICTURES_SYSTEM,
    TOGETHER_SYSTEM,
    VQ_SCALE,
    VQ_SYSTEM,
    EditEvidence,
    EditVerdict,
    Marked,
    MarkedChanges,
    PicturePair,
    Question,
    pairs_to_judge,
    pooled,
    questions,
)
from decklab.metrics.statistics import kendall_tau_b, spearman_rho
from decklab.models.asking import Ask, Usage
from decklab.pages.pictures import encode_png

_SAME = 1e-9


@dataclass(frozen=True)
class JudgeAgreement:
    """Two judges on the same attempts."""

    pairs: int
    """Attempts that both scored."""
    not_scored: int
    """Attempts that one of them, or both, did not."""
    exact: float | NotScored
    """Share of equal scores, 0 to 1."""
    near: float | NotScored
    """Share of scores at most one apart."""
    difference: float | NotScored
    """Mean of the second's scores minus the first's, -5 to 5; 0 is no bias."""
    tau_b: float | NotScored
    rho: float | NotScored


def judge_agreement(
    first: Sequence[float | NotScored], second: Sequence[float | NotScored]
) -> JudgeAgreement:
    """Compare the scores (0 to 5) of two judges, attempt by attempt.

    Raises ValueError where the rows differ in length.

    >>> found = judge_agreement([5.0, 3.0, 1.0], [5.0, 2.0, NotScored("no reply")])
    >>> found.pairs, found.exact, found.near, found.difference
    (2, 0.5, 1.0, -0.5)
    """
    both = [
        (a, b)
        for a, b in zip(first, second, strict=True)
        if not isinstance(a, NotScored) and not isinstance(b, NotScored)
    ]
    left, right = [a for a, _ in both], [b for _, b in both]
    none = NotScored("no attempt was scored by both")
    apart = [b - a for a, b in both]
    return JudgeAgreement(
        pairs=len(both),
        not_scored=len(first) - len(both),
        exact=fmean(abs(d) <= _SAME for d in apart) if both else none,
        near=fmean(abs(d) <= 1 + _SAME for d in apart) if both else none,
        difference=fmean(apart) if both else none,
        tau_b=kendall_tau_b(left, right),
        rho=spearman_rho(left, right),
    )


ALIKE: Final = 0.999
"""``color_ssim`` from which a slide counts as right without asking. The paper gives no number.
Ours: on the starter set the slightest change that is asked for, two letters in a table, gives
0.998, and two drawings of the same thing 0.9991."""
BATCH: Final = 5
"""Slides that are shown at once (paper 003, E.2)."""
_ALL = 2.0
"""More than any SSIM: no slide is passed over."""
_SENTENCES: Final = 40
"""Changes of a prediction that known statements are drawn from. Ours: what is shown has these."""
_CHANGE: Final = "The prediction makes this change of the original:"
_NO_CHANGE: Final = "no change at all"
_SOME_CHANGE: Final = "at least one, whatever it is"


@dataclass(frozen=True)
class EditMaterial:
    """Evidence on an edit for judges; pictures in the order of the show, or why there are
    none."""

    evidence: EditEvidence
    truth: Sequence[Image] | NotScored
    prediction: Sequence[Image] | NotScored


def judge_edit(
    ask: Ask,
    question: Question,
    shown: EditMaterial,
    *,
    configuration: JudgeConfiguration = "dual",
    temperature: float | None = JUDGE_TEMPERATURE,
    repeats: int = 1,
    secret: str = "",
) -> tuple[EditVerdict, EditVerdict]:
    """IF and VQ of an edit by one model, asked as a row of table 4 says.

    Where slides cannot be drawn, what needs pictures is not scored and says why; IF of the dual
    configuration needs none. ``repeats`` is how often each question is put; the single
    configuration puts it once. Differences stand between marks that are made from ``secret``, a new
    one by default. A judge that fails on known statements about the differences, or does not put a
    damaged slide below the slide, gives no score.
    """
    secret = secret or token_hex()
    truth, prediction = shown.truth, shown.prediction
    mark_changes = partial(
        judge_instruction, ask, question, shown.evidence, temperature=temperature, repeats=repeats,
        secret=secret,
    )  # fmt: skip
    if isinstance(truth, NotScored) or isinstance(prediction, NotScored):
        cause = next(side for side in (truth, prediction) if isinstance(side, NotScored))
        undrawn = EditVerdict(cause, cause.reason)
        return mark_changes() if configuration == "dual" else undrawn, undrawn
    if configuration == "single":
        return judge_together(
            ask, question, shown.evidence, truth, prediction, temperature=temperature, secret=secret
        )
    look = partial(
        judge_from_pictures,
        ask,
        question,
        truth,
        prediction,
        temperature=temperature,
        repeats=repeats,
    )
    verdict = mark_changes() if configuration == "dual" else look()
    return verdict, judge_visual(
        ask, question, truth, prediction, temperature=temperature, repeats=repeats
    )


def judge_instruction(
    ask: Ask,
    question: Question,
    evidence: EditEvidence,
    *,
    temperature: float | None = JUDGE_TEMPERATURE,
    repeats: int = 1,
    secret: str = "",
) -> EditVerdict:
    """Whether an edit did what was asked, 0 to 5 (paper 003, section 3.3 and listing 4).

    It sees structured differences and never a picture. The model is asked even where prediction
    and truth do not differ.
    """
    prompt, known = _with_statements(question, IF_SCALE, evidence, "", secret or token_hex())
    shown = f"differences as {evidence.form.upper()}"

    def sample() -> EditVerdict:
        judge = Questions(ask, system=IF_SYSTEM, temperature=temperature)
        answer = judge.put(prompt, MarkedChanges, stage="judge differences", known=known)
        return _verdict(judge, answer, shown)

    return pooled(sample, repeats).believed


def judge_visual(
    ask: Ask,
    question: Question,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    temperature: float | None = JUDGE_TEMPERATURE,
    repeats: int = 1,
) -> EditVerdict:
    """How an edited deck looks beside the truth, 0 to 5 (paper 003, section 3.3 and listing 5).

    Pictures are RGB (height, width, 3) uint8, paired in the order of the show; differences are not
    shown. Slides with a ``color_ssim`` of ``ALIKE`` and more count as right; the others are shown
    ``BATCH`` at a time, and the lowest batch counts. Where all are alike the score is 5 and nobody
    is asked. NotScored where any batch is: what was not seen may be the lowest.
    """
    pairs = pairs_to_judge(truth, prediction, ALIKE)
    total = max(len(truth), len(prediction))
    shown = f"{len(pairs)} of {total} slides; the others look like the truth"
    if not total:
        return EditVerdict(NotScored("there are no slides"), "there are no slides", shown=shown)
    if not pairs:
        every = "every slide looks like the truth"
        return EditVerdict(5.0, every, samples=(5.0,), shown=shown)

    def mark(some: Sequence[PicturePair]) -> EditVerdict:
        marked = _mark_looks(ask, question, temperature, some)
        if not isinstance(marked.score, NotScored):
            return marked
        numbers = ", ".join(str(pair.number) for pair in some)
        cause = NotScored(f"slides {numbers}: {marked.reason}")
        return replace(marked, score=cause, reason=cause.reason)

    verdict = pooled(lambda: replace(_lowest(pairs, mark, stop=True), shown=shown), repeats)
    return _beside_damaged(verdict, pairs, mark)


def judge_from_pictures(
    ask: Ask,
    question: Question,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    temperature: float | None = JUDGE_TEMPERATURE,
    repeats: int = 1,
) -> EditVerdict:
    """IF from pictures alone: the first half of "dual judge (no diff)", whose second is VQ.

    Table 4 names two judges, section 5.2 one call with pictures only; this follows the table. All
    slides are shown in batches, the lowest counts.
    """
    pairs = pairs_to_judge(truth, prediction, _ALL)
    if not pairs:
        none = NotScored("there are no slides")
        return EditVerdict(none, none.reason)

    def mark(some: Sequence[PicturePair]) -> EditVerdict:
        return _mark(
            ask, questions(question, scale=IF_SCALE, material=_listed(some)),
            system=PICTURES_SYSTEM, temperature=temperature, images=_images(some),
        )  # fmt: skip

    shown = f"all {len(pairs)} slides"
    verdict = pooled(lambda: replace(_lowest(pairs, mark, stop=False), shown=shown), repeats)
    return _beside_damaged(verdict, pairs, mark)


class BothMarked(WithKnown):
    """The form of a reply that gives both scores."""

    OTHER_NAMES: ClassVar[Mapping[str, str]] = {
        "instruction_following_score": "instruction_following",
        "instruction_following_reason": "instruction_reason",
        "visual_quality_score": "visual_quality",
        "visual_quality_reason": "visual_reason",
    }
    """Of paper 003, listings 4 and 5."""
    model_config = ConfigDict(extra="forbid", strict=True)

    instruction_following: int = Field(ge=0, le=5)
    instruction_reason: str = Field(min_length=1)
    visual_quality: int = Field(ge=0, le=5)
    visual_reason: str = Field(min_length=1)


def judge_together(
    ask: Ask,
    question: Question,
    evidence: EditEvidence,
    truth: Sequence[Image],
    prediction: Sequence[Image],
    *,
    temperature: float | None = JUDGE_TEMPERATURE,
    secret: str = "",
) -> tuple[EditVerdict, EditVerdict]:
    """IF and VQ by one judge in one call that sees everything: "single VLM judge (all signals)".

    All slides are shown, none passed over and none batched.
    """
    pairs = pairs_to_judge(truth, prediction, _ALL)
    prompt, known = _with_statements(
        question, BOTH_SCALES, evidence, _listed(pairs), secret or token_hex()
    )
    judge = Questions(ask, system=TOGETHER_SYSTEM, temperature=temperature)
    answer = judge.put(
        prompt, BothMarked, stage="judge together", images=_images(pairs), known=known
    )
    shown = f"differences as {evidence.form.upper()} and all {len(pairs)} slides"
    if isinstance(answer, NotScored):
        none = replace(_verdict(judge, answer, shown), samples=(answer,))
        return none, none
    model, tally = judge.model, judge.known
    score, visual = float(answer.instruction_following), float(answer.visual_quality)
    followed = EditVerdict(
        score, answer.instruction_reason, (score,), judge.usage, model, shown, tally
    )
    looks = EditVerdict(visual, answer.visual_reason, (visual,), Usage(), model, shown, tally)
    look = partial(_mark_looks, ask, question, temperature)
    return followed.believed, _beside_damaged(looks, pairs, look)


def _with_statements(
    question: Question, scale: str, evidence: EditEvidence, pictures: str, secret: str
) -> tuple[str, KnownStatements]:
    """A question with differences between marks, and what it says of them that is known."""
    said = (*evidence.sentences[:_SENTENCES], _SOME_CHANGE) if evidence.sentences else (_NO_CHANGE,)
    known = known_statements({_CHANGE: said}, f"{scale}\n{evidence.material}", secret)
    parts = (fenced(evidence.material, scale, secret), pictures, known.text)
    material = "\n\n".join(filter(None, parts))
    return questions(question, scale=f"{scale}\n\n{FENCE_RULE}", material=material), known


def _verdict(judge: Questions, answer: Marked | NotScored, shown: str = "") -> EditVerdict:
    """The verdict of a reply with one score."""
    score = answer if isinstance(answer, NotScored) else float(answer.score)
    return EditVerdict(score, answer.reason, (), judge.usage, judge.model, shown, judge.known)


def _mark(
    ask: Ask, prompt: str, *, system: str, temperature: float | None, images: Sequence[bytes]
) -> EditVerdict:
    """The verdict of one question about pictures."""
    judge = Questions(ask, system=system, temperature=temperature)
    return _verdict(judge, judge.put(prompt, Marked, stage="judge pictures", images=images))


def _mark_looks(
    ask: Ask, question: Question, temperature: float | None, some: Sequence[PicturePair]
) -> EditVerdict:
    """The verdict on VQ of some pairs."""
    return _mark(
        ask, questions(question, scale=VQ_SCALE, material=_listed(some)), system=VQ_SYSTEM,
        temperature=temperature, images=_images(some),
    )  # fmt: skip


def _beside_damaged(
    verdict: EditVerdict,
    pairs: Sequence[PicturePair],
    mark: Callable[[Sequence[PicturePair]], EditVerdict],
) -> EditVerdict:
    """A verdict where the judge marks a slide of the truth beside itself above a plainly damaged
    copy beside it; else it has no score."""
    if isinstance(verdict.score, NotScored):
        return verdict
    truths = ((pair.number, pair.truth) for pair in pairs if pair.truth is not None)
    for number, truth in truths:
        copy = scrambled(decoded(truth))
        if copy is None:
            continue
        same = mark([PicturePair(number, truth, truth)])
        damaged = mark([PicturePair(number, truth, encode_png(copy))])
        usage = verdict.usage + same.usage + damaged.usage
        for score in (same.score, damaged.score):
            if isinstance(score, NotScored):
                cause = NotScored(f"beside a damaged copy: {score.reason}")
                return replace(verdict, score=cause, reason=cause.reason, usage=usage)
        known = verdict.known + KnownTally()
        known.compare(right=_score(damaged) < _score(same))
        return replace(verdict, usage=usage, known=known).believed
    return verdict.believed


def _lowest(
    pairs: Sequence[PicturePair],
    mark: Callable[[Sequence[PicturePair]], EditVerdict],
    *,
    stop: bool,
) -> EditVerdict:
    """The lowest verdict of all batches, or the first without a score; with ``stop`` those after
    it are not asked for."""
    verdicts = []
    for some in batches(pairs, BATCH):
        verdicts.append(mark(some))
        if stop and isinstance(verdicts[-1].score, NotScored):
            break
    failed = [verdict for verdict in verdicts if isinstance(verdict.score, NotScored)]
    lowest = failed[0] if failed else min(verdicts, key=_score)
    return replace(lowest, usage=sum((verdict.usage for verdict in verdicts), Usage()))


def _score(verdict: EditVerdict) -> float:
    return 0.0 if isinstance(verdict.score, NotScored) else verdict.score


def _images(pairs: Sequence[PicturePair]) -> list[bytes]:
    return [image for pair in pairs for image in pair.images]


def _listed(pairs: Sequence[PicturePair]) -> str:
    lines = [label for pair in pairs for label in pair.labels]
    return "\n".join(["Pictures, in this order:", *lines])
