"""A file that is no JSON is told in our words, whatever reads it."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from decklab.core.errors import DecklabError, json_of
from decklab.evals.agreement.tables import read_scores
from decklab.evals.desktop.model_agent import ScriptedAgent
from decklab.evals.judges.quiz.bank import load_bank
from decklab.evals.judges.scenario.result import read_score_table
from decklab.evals.judges.scenario.task import load_task
from decklab.evals.pptarena.cases import load_cases
from decklab.evals.rubrics.rubric import load_rubric
from decklab.evals.slidesgen.instructions import load_instructions
from decklab.linting.project import read_baseline
from decklab.scoring.against import earlier_scores, load_reference

WRONG = {
    "empty": (b"", "is empty"),
    "cut off": (b'{"title": "Costs",\n "cases": [', "is no JSON from line 2, column 12 on"),
    "words": (b"Costs rose", "is no JSON from line 1, column 1 on"),
    "another encoding": (b'{"title": "Caf\xe9"}', "is not in UTF-8"),
    "deep": (b"[" * 100_000, "is nested too deep"),
}
LIBRARY = re.compile(r"Expecting|char \d|codec|recursion|Unterminated|EOF|Input should|Value error")
READERS: dict[str, Callable[[Path], Any]] = {
    "agree": partial(read_scores, rankings=()), "judge": load_task, "judge again": read_score_table,
    "quiz": load_bank, "rubric": load_rubric, "cases": load_cases, "topics": load_instructions,
    "script": ScriptedAgent.load, "baseline": read_baseline, "against": earlier_scores,
    "reference": load_reference,
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_json_is_told_with_its_place(case: str) -> None:
    data, said = WRONG[case]
    with pytest.raises(ValueError, match=f"^{said}$"):
        json_of(data)


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("name", READERS)
def test_every_reader_says_so_without_the_words_of_a_library(
    name: str, case: str, tmp_path: Path
) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(WRONG[case][0])
    with pytest.raises(DecklabError) as caught:
        READERS[name](file)
    assert str(file) in str(caught.value)
    assert not LIBRARY.search(str(caught.value)), caught.value
