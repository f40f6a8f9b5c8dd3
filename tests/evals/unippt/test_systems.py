"""Systems: folders of decks with their costs, and decklab's writer."""

import json

import pytest
from tests.evals.judges.scenario.scripts import write_slides

from decklab.core.errors import DeckError, UnknownName
from decklab.core.results import NotScored
from decklab.evals.judges.scenario.task import ScenarioTask, ScenarioTaskError
from decklab.evals.unippt.tasks import (
    CostsError,
    DeckCost,
    DeckTask,
    folder_systems,
    load_deck_tasks,
    writer_system,
)

VAGUE = DeckTask("pumps", ScenarioTask(title="Pumps", setting="vague", request="On pumps"), ())


@pytest.fixture
def decks(tmp_path):
    folder = tmp_path / "decks"
    (folder / "b").mkdir(parents=True)
    (folder / "a").mkdir()
    write_slides(folder / "b" / "pumps.pptx", [("Pumps", ["Four wells ran dry"])])
    write_slides(folder / "a" / "other.pptx", [("Other", ["Nothing"])])
    return folder


def test_each_folder_with_decks_is_a_system(decks):
    (decks / "empty").mkdir()
    (decks / "notes.txt").write_text("no deck")
    systems = folder_systems(decks)
    assert [system.name for system in systems] == ["a", "b"]
    missing, there = (one.make(VAGUE, None) for one in systems)
    assert missing.deck == NotScored("the system handed in no deck")
    assert there.deck == decks / "b" / "pumps.pptx" and there.cost == DeckCost()


def test_costs_stand_beside_the_decks(decks):
    costs = {"pumps": {"seconds": 41, "tokens": 9000, "dollars": 0.02}}
    (decks / "b" / "costs.json").write_text(json.dumps(costs))
    made = folder_systems(decks)[1].make(VAGUE, None)
    assert made.cost == DeckCost(41, 9000, 0.02)


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ("[]", "names no tasks"),
        ("{", "is no JSON from line 1"),
        ('{"pumps": {"hours": 1}}', "pumps: costs are seconds, tokens, dollars"),
        ('{"pumps": {"seconds": -1}}', "seconds is no number of 0 or more: -1"),
        ('{"pumps": {"tokens": true}}', "tokens is no number"),
    ],
)
def test_costs_that_are_none_are_told(decks, costs, told):
    (decks / "b" / "costs.json").write_text(costs)
    with pytest.raises(CostsError, match=told):
        folder_systems(decks)


def test_a_folder_without_systems_is_told(tmp_path):
    with pytest.raises(DeckError, match="SYSTEM/TASK"):
        folder_systems(tmp_path)


def test_without_a_model_the_writer_hands_in_no_deck_for_a_request_alone(tmp_path):
    made = writer_system(tmp_path).make(VAGUE, None)
    assert isinstance(made.deck, NotScored) and "from documents" in made.deck.reason
    assert made.cost.seconds is not None and made.cost.tokens is None


def test_tasks_are_folders_with_their_documents(tmp_path):
    (tmp_path / "late" / "sources").mkdir(parents=True)
    vague = {"title": "Pumps", "setting": "vague"}
    for name in ("late", "early"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "task.json").write_text(json.dumps(vague))
    (tmp_path / "late" / "sources" / "report.md").write_text("# Report")
    early, late = load_deck_tasks(tmp_path)
    assert (early.name, early.sources) == ("early", ())
    assert [path.name for path in late.sources] == ["report.md"]
    assert [one.name for one in load_deck_tasks(tmp_path, ["late"])] == ["late"]
    with pytest.raises(UnknownName, match="no task named none: there are early, late"):
        load_deck_tasks(tmp_path, ["none"])
    (tmp_path / "early" / "task.json").write_text(json.dumps({**vague, "sources": ["gone.pdf"]}))
    with pytest.raises(ScenarioTaskError, match=r"has no gone\.pdf"):
        load_deck_tasks(tmp_path)
    with pytest.raises(ScenarioTaskError, match=r"no folder in it has a task\.json"):
        load_deck_tasks(tmp_path / "late")
