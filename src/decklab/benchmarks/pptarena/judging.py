"""Judge models put to predictions: the configurations of table 4."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.decks import Decks, Image
from decklab.benchmarks.pptarena.running import Judge
from decklab.judges.editing.evidence import Evidence, structured_evidence
from decklab.judges.editing.instruction import judge_instruction
from decklab.judges.editing.variants import judge_from_pictures, judge_together
from decklab.judges.editing.verdict import TEMPERATURE, EditVerdict, Question
from decklab.judges.editing.visual import judge_visual
from decklab.models.asking import Ask
from decklab.ooxml.package import Package
from decklab.results import NotScored

Configuration = Literal["dual", "single", "no-diff"]
CONFIGURATIONS: tuple[Configuration, ...] = ("dual", "single", "no-diff")
"""Of table 4: two judges with differences, one judge with all signals, two judges with pictures."""


@dataclass(frozen=True)
class _Asked:
    """One case and one prediction before a model."""

    ask: Ask
    question: Question
    evidence: Evidence
    truth: tuple[Image, ...] | NotScored
    made: tuple[Image, ...] | NotScored
    temperature: float | None
    repeats: int

    def dual(self) -> tuple[EditVerdict, EditVerdict]:
        found = judge_instruction(
            self.ask, self.question, self.evidence,
            temperature=self.temperature, repeats=self.repeats,
        )  # fmt: skip
        return found, self._visual()

    def single(self) -> tuple[EditVerdict, EditVerdict]:
        if isinstance(self.truth, NotScored) or isinstance(self.made, NotScored):
            return self._undrawn(), self._undrawn()
        return judge_together(
            self.ask, self.question, self.evidence, self.truth, self.made,
            temperature=self.temperature,
        )  # fmt: skip

    def without_differences(self) -> tuple[EditVerdict, EditVerdict]:
        if isinstance(self.truth, NotScored) or isinstance(self.made, NotScored):
            return self._undrawn(), self._undrawn()
        found = judge_from_pictures(
            self.ask, self.question, self.truth, self.made,
            temperature=self.temperature, repeats=self.repeats,
        )  # fmt: skip
        return found, self._visual()

    def _visual(self) -> EditVerdict:
        if isinstance(self.truth, NotScored) or isinstance(self.made, NotScored):
            return self._undrawn()
        return judge_visual(
            self.ask, self.question, self.truth, self.made,
            temperature=self.temperature, repeats=self.repeats,
        )  # fmt: skip

    def _undrawn(self) -> EditVerdict:
        causes = [one for one in (self.truth, self.made) if isinstance(one, NotScored)]
        return EditVerdict(causes[0], causes[0].reason)


def judging(
    ask: Ask,
    *,
    configuration: Configuration = "dual",
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
) -> Judge:
    """A judge for ``run_cases`` that asks one model for IF and VQ.

    Where slides cannot be drawn, what needs pictures is not scored and says why; IF of the dual
    configuration needs none. ``repeats`` is how often each question is put; the single
    configuration puts it once.
    """

    def judge(case: Case, prediction: Path, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
        put = _Asked(
            ask,
            Question(case.prompt, case.style_target),
            evidence_of(case, prediction, decks),
            decks.pictures(case.ground_truth),
            decks.pictures(prediction),
            temperature,
            repeats,
        )
        if configuration == "dual":
            return put.dual()
        return put.single() if configuration == "single" else put.without_differences()

    return judge


def evidence_of(case: Case, prediction: Path, decks: Decks) -> Evidence:
    """What the judge of instruction following sees of a prediction."""
    asked = decks.edit(case.original, case.ground_truth)
    made = decks.edit(case.original, prediction)
    with (
        Package.open(case.original) as first,
        Package.open(case.ground_truth) as truth,
        Package.open(prediction) as made_deck,
    ):
        return structured_evidence(first, truth, made_deck, asked, made)
