"""Three decks for judges: an original, its truth, and a prediction that did half of it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from decklab.evals.judges.editing.verdict import EditEvidence, Question
from decklab.evals.pptarena.cases import Case, Decks
from decklab.evals.pptarena.running import attempt_path, evidence_of, starter_cases

CASES = ("Crew leaders", "Titles in forest green")


@dataclass(frozen=True)
class Judged:
    case: Case
    partial: Path
    evidence: EditEvidence

    @property
    def question(self) -> Question:
        return Question(self.case.prompt, self.case.style_target)


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Judged]:
    folder = tmp_path_factory.mktemp("judged")
    found = {}
    with Decks(pictures=False) as decks:
        for case in starter_cases(folder, CASES):
            partial = attempt_path(folder, case.name, "partial")
            found[case.name] = Judged(case, partial, evidence_of(case, partial, decks))
    return found


@pytest.fixture
def slides() -> list[np.ndarray]:
    """Twelve pictures, each another one."""
    return [
        np.random.default_rng(seed).integers(0, 255, (45, 80, 3), dtype=np.uint8)
        for seed in range(12)
    ]
