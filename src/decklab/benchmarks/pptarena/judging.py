"""Judge models put to predictions."""

from pathlib import Path

from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.running import Judge
from decklab.judges.editing.evidence import Evidence, structured_evidence
from decklab.judges.editing.judging import Configuration, EditMaterial, judge_edit
from decklab.judges.editing.verdict import TEMPERATURE, EditVerdict, Question
from decklab.models.asking import Ask
from decklab.ooxml.package import Package


def judging(
    ask: Ask,
    *,
    configuration: Configuration = "dual",
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
) -> Judge:
    """A judge for ``run_editors`` that asks one model for IF and VQ, see ``judge_edit``."""

    def judge(case: Case, prediction: Path, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
        shown = EditMaterial(
            evidence_of(case, prediction, decks),
            decks.pictures(case.ground_truth),
            decks.pictures(prediction),
        )
        return judge_edit(
            ask, Question(case.prompt, case.style_target), shown,
            configuration=configuration, temperature=temperature, repeats=repeats,
        )  # fmt: skip

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
