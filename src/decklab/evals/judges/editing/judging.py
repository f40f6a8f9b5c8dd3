"""The judges of edits: IF from differences, VQ from pictures, and the other rows of table 4.

Paper 003, section 3.3 and appendix E. All raise ModelUnavailable, and ValueError for no repeats;
where the model failed or its reply does not fit, an edit is not scored.
``judge_agreement`` says how far two judge models agree (table A and E.2).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import ClassVar, Final

from pydantic import ConfigDict, Field

from decklab.core.colors import Image
from decklab.core.options import JudgeOptions
from decklab.core.results import NotScored, first_cause, scored, scored_mean
from decklab.evals.judges.asking import (
    FENCE_RULE,
    KnownStatements,
    KnownTally,
    Questions,
    WithKnown,
    batches,
    fenced,
    known_statements,
    scrambled,
)
from decklab.evals.judges.editing.verdict import (
    IF_SCALE,
    SYSTEMS,
    VQ_SCALE,
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
from decklab.pages.pictures import decoded, encode_png

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
    pairs = zip(first, second, strict=True)
    both = [pair for pair in map(scored, pairs) if len(pair) == 2]
    left, right = [a for a, _ in both], [b for _, b in both]
    apart = [b - a for a, b in both]
    none = "no attempt was scored by both"
    return JudgeAgreement(
        pairs=len(both),
        not_scored=len(first) - len(both),
        exact=scored_mean((abs(gap) <= _SAME for gap in apart), none),
        near=scored_mean((abs(gap) <= 1 + _SAME for gap in apart), none),
        difference=scored_mean(apart, none),
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
    """Evidence on an edit for judges; pictures in the order of the show, or why there are none."""

    evidence: EditEvidence
    truth: Sequence[Image] | NotScored
    prediction: Sequence[Image] | NotScored


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


_Mark = Callable[[Sequence[PicturePair]], EditVerdict]
"""The verdict on some pairs of pictures."""


class EditJudge:
    """Judges one edit by one model.

    Of ``how`` the temperature counts, how often each question is put, and for ``judge`` the
    configuration. Differences stand between marks that are made from ``secret``, a new one by
    default. A judge that fails on known statements about the differences, or does not put a damaged
    slide below the slide, gives no score.
    """

    def __init__(
        self, ask: Ask, question: Question, how: JudgeOptions | None = None, *, secret: str = ""
    ) -> None:
        self._ask, self._question = ask, question
        self._how, self._secret = how or JudgeOptions(), secret or token_hex()

    def judge(self, shown: EditMaterial) -> tuple[EditVerdict, EditVerdict]:
        """IF and VQ, asked as a row of table 4 says.

        Where slides cannot be drawn, what needs pictures is not scored and says why; IF of the dual
        configuration needs none. The single configuration puts its question once.
        """
        evidence, truth, prediction = shown.evidence, shown.truth, shown.prediction
        dual = self._how.configuration == "dual"
        if isinstance(truth, NotScored) or isinstance(prediction, NotScored):
            undrawn = EditVerdict.none(first_cause((truth, prediction)) or NotScored(""))
            return self.instruction(evidence) if dual else undrawn, undrawn
        if self._how.configuration == "single":
            return self.together(evidence, truth, prediction)
        followed = self.instruction(evidence) if dual else self.from_pictures(truth, prediction)
        return followed, self.visual(truth, prediction)

    def instruction(self, evidence: EditEvidence) -> EditVerdict:
        """Whether an edit did what was asked, 0 to 5 (paper 003, section 3.3 and listing 4).

        It sees structured differences and never a picture. The model is asked even where prediction
        and truth do not differ.
        """
        prompt, known = self._with_statements(IF_SCALE, evidence)

        def sample() -> EditVerdict:
            judge = self._asked("instruction")
            answer = judge.put(prompt, MarkedChanges, stage="judge differences", known=known)
            return _verdict(judge, answer, f"differences as {evidence.form.upper()}")

        return pooled(sample, self._how.repeats).believed

    def visual(self, truth: Sequence[Image], prediction: Sequence[Image]) -> EditVerdict:
        """How an edited deck looks beside the truth, 0 to 5 (paper 003, section 3.3 and listing 5).

        Pictures are RGB (height, width, 3) uint8, paired in the order of the show; differences are
        not shown. Slides with a ``color_ssim`` of ``ALIKE`` and more count as right; the others are
        shown ``BATCH`` at a time, and the lowest batch counts. Where all are alike the score is 5
        and nobody is asked. NotScored where any batch is: what was not seen may be the lowest.
        """
        pairs = pairs_to_judge(truth, prediction, ALIKE)
        total = max(len(truth), len(prediction))
        shown = f"{len(pairs)} of {total} slides; the others look like the truth"
        if total and not pairs:
            every = "every slide looks like the truth"
            return EditVerdict(5.0, every, samples=(5.0,), shown=shown)

        def mark(some: Sequence[PicturePair]) -> EditVerdict:
            marked = self._looks(some)
            if not isinstance(marked.score, NotScored):
                return marked
            numbers = ", ".join(str(pair.number) for pair in some)
            return marked.without(f"slides {numbers}: {marked.reason}")

        return self._by_batches(pairs, mark, shown, stop=True)

    def from_pictures(self, truth: Sequence[Image], prediction: Sequence[Image]) -> EditVerdict:
        """IF from pictures alone: the first half of "dual judge (no diff)", whose second is VQ.

        Table 4 names two judges, section 5.2 one call with pictures only; this follows the table.
        All slides are shown in batches, the lowest counts.
        """
        pairs = pairs_to_judge(truth, prediction, _ALL)
        mark = partial(self._marked, IF_SCALE, "pictures")
        shown = f"all {len(pairs)} slides" if pairs else ""
        return self._by_batches(pairs, mark, shown, stop=False)

    def together(
        self, evidence: EditEvidence, truth: Sequence[Image], prediction: Sequence[Image]
    ) -> tuple[EditVerdict, EditVerdict]:
        """IF and VQ by one judge in one call that sees everything: "single VLM judge (all
        signals)".

        All slides are shown, none passed over and none batched.
        """
        pairs = pairs_to_judge(truth, prediction, _ALL)
        prompt, known = self._with_statements(f"{IF_SCALE}\n\n{VQ_SCALE}", evidence, _listed(pairs))
        judge = self._asked("together")
        answer = judge.put(
            prompt, BothMarked, stage="judge together", images=_images(pairs), known=known
        )
        shown = f"differences as {evidence.form.upper()} and all {len(pairs)} slides"
        if isinstance(answer, NotScored):
            none = replace(_verdict(judge, answer, shown), samples=(answer,))
            return none, none
        score, looks = float(answer.instruction_following), float(answer.visual_quality)
        base = EditVerdict(score, answer.instruction_reason, (score,), judge.usage, judge.model)
        followed = replace(base, shown=shown, known=judge.known)
        visual = replace(followed, score=looks, reason=answer.visual_reason, samples=(looks,))
        visual = replace(visual, usage=Usage())
        return followed.believed, _beside_damaged(visual, pairs, self._looks)

    def _asked(self, judge: str) -> Questions:
        return Questions(self._ask, system=SYSTEMS[judge], temperature=self._how.temperature)

    def _with_statements(
        self, scale: str, evidence: EditEvidence, pictures: str = ""
    ) -> tuple[str, KnownStatements]:
        """A question with differences between marks, and what it says of them that is known."""
        some = (*evidence.sentences[:_SENTENCES], _SOME_CHANGE)
        said = some if evidence.sentences else (_NO_CHANGE,)
        known = known_statements({_CHANGE: said}, f"{scale}\n{evidence.material}", self._secret)
        parts = (fenced(evidence.material, scale, self._secret), pictures, known.text)
        material = "\n\n".join(filter(None, parts))
        asked = questions(self._question, scale=f"{scale}\n\n{FENCE_RULE}", material=material)
        return asked, known

    def _marked(self, scale: str, name: str, some: Sequence[PicturePair]) -> EditVerdict:
        """The verdict of one question about pictures."""
        judge = self._asked(name)
        prompt = questions(self._question, scale=scale, material=_listed(some))
        answer = judge.put(prompt, Marked, stage="judge pictures", images=_images(some))
        return _verdict(judge, answer)

    def _looks(self, some: Sequence[PicturePair]) -> EditVerdict:
        """The verdict on VQ of some pairs."""
        return self._marked(VQ_SCALE, "visual", some)

    def _by_batches(
        self, pairs: Sequence[PicturePair], mark: _Mark, shown: str, *, stop: bool
    ) -> EditVerdict:
        """The lowest verdict of all batches, for a judge that knows a damaged slide."""
        if not pairs:
            return EditVerdict.none(NotScored("there are no slides"), shown)
        lowest = partial(_lowest, pairs, mark, shown, stop=stop)
        return _beside_damaged(pooled(lowest, self._how.repeats), pairs, mark)


def _verdict(judge: Questions, answer: Marked | NotScored, shown: str = "") -> EditVerdict:
    """The verdict of a reply with one score."""
    score = answer if isinstance(answer, NotScored) else float(answer.score)
    return EditVerdict(score, answer.reason, (), judge.usage, judge.model, shown, judge.known)


def _beside_damaged(verdict: EditVerdict, pairs: Sequence[PicturePair], mark: _Mark) -> EditVerdict:
    """A verdict, unless the judge prefers a plainly damaged copy of a slide of the truth."""
    if isinstance(verdict.score, NotScored):
        return verdict
    truths = ((pair.number, pair.truth) for pair in pairs if pair.truth is not None)
    for number, truth in truths:
        if (copy := scrambled(decoded(truth))) is None:
            continue
        same = mark([PicturePair(number, truth, truth)])
        damaged = mark([PicturePair(number, truth, encode_png(copy))])
        spent = replace(verdict, usage=verdict.usage + same.usage + damaged.usage)
        if cause := first_cause((same.score, damaged.score)):
            return spent.without(f"beside a damaged copy: {cause.reason}")
        known = verdict.known + KnownTally()
        known.compare(right=_score(damaged) < _score(same))
        return replace(spent, known=known).believed
    return verdict.believed


def _lowest(pairs: Sequence[PicturePair], mark: _Mark, shown: str, *, stop: bool) -> EditVerdict:
    """The lowest verdict of all batches, or the first without a score; ``stop`` ends there."""
    verdicts = []
    for some in batches(pairs, BATCH):
        verdicts.append(mark(some))
        if stop and isinstance(verdicts[-1].score, NotScored):
            break
    failed = [verdict for verdict in verdicts if isinstance(verdict.score, NotScored)]
    lowest = failed[0] if failed else min(verdicts, key=_score)
    usage = sum((verdict.usage for verdict in verdicts), Usage())
    return replace(lowest, usage=usage, shown=shown)


def _score(verdict: EditVerdict) -> float:
    return 0.0 if isinstance(verdict.score, NotScored) else verdict.score


def _images(pairs: Sequence[PicturePair]) -> list[bytes]:
    return [image for pair in pairs for image in pair.images]


def _listed(pairs: Sequence[PicturePair]) -> str:
    lines = [label for pair in pairs for label in pair.labels]
    return "\n".join(["Pictures, in this order:", *lines])
