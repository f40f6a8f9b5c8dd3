"""No attack on a score gets more than doing nothing, leaves a task open, or changes anything.

The same table as ``python -m bench.bought_scores`` prints; the heavy ones are fired there only.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evals.pptarena.one_editor import run_cases

from decklab.evals.pptarena.cases import CaseSet, Decks
from decklab.evals.pptarena.running import starter_cases
from decklab.sandbox.host_files import FunctionReference

sys.path.insert(0, str(Path(__file__).parents[3]))
from bench.bought_scores.attacks import KNOWN
from bench.bought_scores.trying import ATTACKS, AttackRange

sys.path.pop(0)

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module")
def attacked(caged: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttackRange]:
    with AttackRange(tmp_path_factory.mktemp("range")) as made:
        yield made


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "attack", [one for one in ATTACKS if not one.heavy], ids=lambda attack: attack.title
)
def test_an_attack_gets_no_more_than_doing_nothing(attacked: AttackRange, attack: Any) -> None:
    assert attacked.fire(attack).problems == ()


@pytest.mark.long
def test_the_range_notices_a_score_that_was_bought(tmp_path: Path, attacked: AttackRange) -> None:
    """Without walls the attack succeeds, as the docs of ``--trust-editor`` say."""
    attack = next(one for one in ATTACKS if one.name == "copies_the_perfect_deck")
    with AttackRange(tmp_path, trust=True) as without_walls:
        problems = without_walls.fire(attack).problems
    assert problems[0] == "it got 1.00 to 1.00, where doing nothing gets 0"


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["takes_the_answers_of_the_starter_set", "takes_the_answers_where_they_are_made"]
)
def test_it_is_the_hiding_that_keeps_the_answers(
    name: str, caged: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack finds the answers where they are, as soon as nothing covers them."""
    monkeypatch.setattr("decklab.evals.editors.isolation.ANSWER_FOLDERS", ())
    attack = next(one for one in ATTACKS if one.name == name)
    with AttackRange(tmp_path) as seen:
        problems = seen.fire(attack).problems
    assert problems[0] == "it got 1.00 to 1.00, where doing nothing gets 0"


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> CaseSet:
    return starter_cases(tmp_path_factory.mktemp("cases"), ["Crew leaders"])


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "ending",
    [
        ("leaves_nothing", 0, "left no deck"),
        ("links_to_the_perfect_deck", 0, "left no deck"),
        ("copies_the_perfect_deck", 1, "FileNotFoundError"),
        ("leaves_an_entity_bomb", 0, ""),
        ("leaves_a_deep_part", 0, ""),
        ("raises_an_error_of_decklab", 1, "the editor failed: ModelFailed"),
        ("exits", 1, "the editor failed"),
        ("leaves_a_daemon_that_writes_the_deck", None, ""),
        ("overwrites_the_reference", 1, ""),
    ],
)
def test_cases_with_truths_are_safe_as_well(
    attacked: AttackRange, cases: CaseSet, tmp_path: Path, ending: tuple[str, float | None, str]
) -> None:
    [case] = cases
    name, preserved, note = ending
    known = {**json.loads(os.environ[KNOWN]), "perfect": str(case.ground_truth),
             "reference": str(case.original)}  # fmt: skip
    before = [path.read_bytes() for path in (case.original, case.ground_truth)]
    attacked.room.editor = FunctionReference("bench.bought_scores.attacks", name)
    with pytest.MonkeyPatch.context() as patch, Decks(pictures=False) as decks:
        patch.setenv(KNOWN, json.dumps(known))
        [found] = run_cases(cases, lambda _: attacked.room, tmp_path, decks=decks)
    assert found.value("edit") == found.value("recall") == 0
    if preserved is not None:
        assert (found.value("preservation"), found.broken) == (preserved, not preserved)
    assert note in found.edited.note
    assert [path.read_bytes() for path in (case.original, case.ground_truth)] == before


def test_the_attacks_are_many_and_all_are_fired() -> None:
    attacks = sys.modules["bench.bought_scores.attacks"]
    defined = {
        name
        for name, held in vars(attacks).items()
        if callable(held) and getattr(held, "__module__", "") == attacks.__name__
    }
    assert {one.name for one in ATTACKS} == {name for name in defined if name[0] != "_"}
    assert len(ATTACKS) >= 50
