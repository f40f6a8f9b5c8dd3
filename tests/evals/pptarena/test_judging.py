import json
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from tests.evals.judges.honest import honest
from tests.evals.pptarena.one_editor import run_cases
from tests.openai_server import OpenAIServer, images_of, prompt_of, serving

from decklab.core.options import JudgeConfiguration, JudgeOptions
from decklab.core.results import NotScored
from decklab.evals.pptarena.cases import CaseSet, Decks, Image
from decklab.evals.pptarena.running import BASELINES, CaseResult, judging
from decklab.evals.pptarena.session import agreement_facts
from decklab.models.inspect import asking

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SLIDES = 7


class Drawn(Decks):
    """Decks whose slides look like their path: no office is needed, and equal decks are alike."""

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        seed = sum(path.read_bytes()) % 10_000
        grown = np.random.default_rng(seed).integers(0, 255, (SLIDES, 27, 48, 3), dtype=np.uint8)
        return tuple(grown)


def reply(request: dict[str, Any]) -> str:
    """One score for instruction following, another for looks, and both where both are asked."""
    prompt = prompt_of(request)
    if "instruction_following" in json.dumps(request.get("response_format")):
        return json.dumps(
            {"instruction_following": 1, "instruction_reason": "Little of it.",
             "visual_quality": 2, "visual_reason": "Askew."}
        )  # fmt: skip
    looks = "Visual quality, over all pairs" in prompt
    return json.dumps({"score": 4 if looks else 3, "reason": "Askew." if looks else "Half of it."})


def judged(
    starter: CaseSet,
    folder: Path,
    decks: Decks,
    configuration: JudgeConfiguration,
    editor: str = "noop",
) -> tuple[CaseResult, OpenAIServer]:
    with serving(honest(reply)) as server, asking(server.model()) as ask, decks:
        judge = judging(ask, JudgeOptions(configuration=configuration))
        [found] = run_cases(
            starter.cases[:1], BASELINES[editor], folder, decks=decks, judge=judge
        )  # fmt: skip
        return found, server


@pytest.mark.long
@pytest.mark.parametrize(
    ("configuration", "scores", "pictures"),
    [
        ("dual", (3, 4), [0, 10, 4, 2, 2]),
        ("single", (1, 2), [14, 2, 2]),
        ("no-diff", (3, 4), [10, 4, 2, 2, 10, 4, 2, 2]),
    ],
)
def test_the_rows_of_table_4_differ_in_what_is_shown(
    starter: CaseSet,
    tmp_path: Path,
    configuration: JudgeConfiguration,
    scores: tuple[float, float],
    pictures: list[int],
) -> None:
    found, server = judged(starter, tmp_path, Drawn(), configuration)
    assert (found.value("IF"), found.value("VQ")) == scores
    assert [len(images_of(request)) for request in server.requests] == pictures
    told = ["In what the prediction differs" in prompt_of(one) for one in server.requests]
    assert any(told) is (configuration != "no-diff")
    assert all("Crew leaders" not in prompt_of(one) for one in server.requests)


@pytest.mark.long
def test_without_pictures_only_what_needs_none_is_scored(starter: CaseSet, tmp_path: Path) -> None:
    wanted = {"dual": (3, None), "single": (None, None), "no-diff": (None, None)}
    for configuration in get_args(JudgeConfiguration):
        found, _ = judged(starter, tmp_path, Decks(pictures=False), configuration)
        for name, score in zip(("IF", "VQ"), wanted[configuration], strict=True):
            expected = NotScored("pictures were not asked for") if score is None else score
            assert found.value(name) == expected


@pytest.mark.long
def test_nobody_is_asked_how_the_truth_looks(starter: CaseSet, tmp_path: Path) -> None:
    found, server = judged(starter, tmp_path, Drawn(), "dual", "truth")
    assert len(server.requests) == 1
    assert (found.value("IF"), found.value("VQ")) == (3, 5)
    assert "no differences" in prompt_of(server.requests[0])


@pytest.mark.long
def test_a_second_judge_is_compared_with_the_first(starter: CaseSet, tmp_path: Path) -> None:
    harsher = '{"score": 2, "reason": "No."}'
    with (
        serving(honest(reply)) as one, serving(honest([harsher])) as other,
        asking(one.model()) as ask, asking(other.model()) as ask_other,
        Drawn() as decks,
    ):  # fmt: skip
        found = run_cases(
            starter, BASELINES["noop"], tmp_path, decks=decks, judge=judging(ask),
            second=judging(ask_other),
        )  # fmt: skip
    assert [[verdict.score for _, verdict in result.second] for result in found] == [[2, 2]] * 2
    assert [result.value("IF") for result in found] == [3, 3]
    instruction, looks = agreement_facts({"noop": found})
    assert instruction.startswith("IF: the two judges give the same score in 0% and scores at")
    assert "most one apart in 100% of 2 cases" in instruction
    assert "most one apart in 0% of 2 cases" in looks


class Undrawable(Drawn):
    """Decks of which some cannot be drawn."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names, self.tried = names, 0

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        if not any(name in str(path) for name in self.names):
            return super().pictures(path)
        self.tried += again
        return NotScored(f"{path.name}: LibreOffice gave no picture")


@pytest.mark.long
def test_a_prediction_that_alone_cannot_be_drawn_is_worth_nothing_to_the_eye(
    starter: CaseSet, tmp_path: Path
) -> None:
    folder = tmp_path / "handed-in"
    decks = Undrawable("handed-in")
    found, _ = judged(starter, folder, decks, "dual", "truth")
    assert (found.value("visual"), found.value("VQ")) == (0, 0)
    assert "gave no picture" in found.undrawn and decks.tried == 1
    assert (found.value("IF"), found.value("recall"), found.value("edit")) == (3, 0, 0)
    found, _ = judged(starter, folder, Undrawable("handed-in"), "no-diff", "truth")
    assert (found.value("IF"), found.value("VQ")) == (0, 0)


def test_where_nothing_can_be_drawn_that_is_nobodys_fault(starter: CaseSet, tmp_path: Path) -> None:
    found, _ = judged(starter, tmp_path, Undrawable("/"), "dual", "truth")
    assert isinstance(found.value("visual"), NotScored) and isinstance(found.value("VQ"), NotScored)
    assert (found.undrawn, found.value("IF")) == ("", 3)
