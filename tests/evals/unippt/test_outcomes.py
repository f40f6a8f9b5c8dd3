"""Means of outcomes by hand; what has no score counts nowhere."""

import json
from dataclasses import replace

import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import SHARED_METRICS, ScenarioTask
from decklab.evals.unippt.report import (
    AVERAGE,
    DECK,
    JUDGED,
    SHARED,
    DeckOutcome,
    UnipptRun,
    setting_tables,
    shown_columns,
    write_unippt_report,
)
from decklab.evals.unippt.tasks import DeckCost, DeckTask

MODEL = NotScored(ONLY_A_MODEL)


def judged(system, task, *, shared=None, **scores):
    """An outcome of a long document; without ``shared`` only a program judged."""
    given = dict.fromkeys(SHARED_METRICS, shared if shared is not None else MODEL)
    given["visual_integrity"] = 10.0 if shared is None else shared
    return DeckOutcome(system, task, "long-doc", scores={**given, **scores}, cost=DeckCost(2.0, 10))


FULL = judged("a", "one", shared=8.0, key_coverage=6.0, faithfulness=4.0)
PROXY = judged("a", "one", key_coverage=6.0, faithfulness=5.0)


def test_the_means_of_a_deck():
    assert FULL.value(SHARED) == pytest.approx(8.0)
    # Five times 8, 6 and 4: 50 / 7, as table III of the paper weighs them.
    assert FULL.value(AVERAGE) == pytest.approx(50 / 7)
    assert PROXY.value(SHARED) == PROXY.value(AVERAGE) == MODEL
    assert PROXY.value(JUDGED) == pytest.approx(7.0)
    assert PROXY.value("visual_use") == NotScored("the task does not ask for it")


def test_a_deck_that_is_not_there_has_no_score_anywhere():
    none = DeckOutcome(
        "b", "one", "long-doc", reason="the system handed in no deck", deck=False,
        cost=DeckCost(0.1),
    )  # fmt: skip
    for column in (SHARED, AVERAGE, JUDGED, "key_coverage"):
        assert none.value(column) == NotScored("the system handed in no deck")
    rows = setting_tables([FULL, none], ["a", "b"])["long-doc"].rows
    assert [row.cells[DECK].mean for row in rows] == [1.0, 0.0]
    assert rows[0].cells["seconds"].mean == 2.0
    assert rows[1].cells["seconds"].of == 0
    assert rows[1].cells["key_coverage"].mean == NotScored("the system handed in no deck")
    assert [row.place for row in rows] == ["", ""]


def test_a_cell_says_of_how_many_decks_it_is_the_mean():
    other = judged("a", "two", shared=9.0, key_coverage=NotScored("no reply"), faithfulness=10.0)
    lost = DeckOutcome("a", "three", "long-doc", reason="no deck", deck=False)
    (row,) = setting_tables([FULL, other, lost], ["a"])["long-doc"].rows
    cell = row.cells["faithfulness"]
    assert (cell.mean, cell.scored, cell.of) == (7.0, 2, 3)
    assert (row.cells["key_coverage"].mean, row.cells["key_coverage"].scored) == (6.0, 1)
    assert row.cells[AVERAGE].scored == 1
    assert row.cells[DECK].mean == pytest.approx(2 / 3)
    assert row.cells[DECK].of == 3


def test_costs_are_means_of_what_is_known():
    given = [DeckCost(2.0, 10), DeckCost(4.0), DeckCost()]
    rows = [replace(FULL, task=str(n), cost=cost) for n, cost in enumerate(given)]
    (row,) = setting_tables(rows, ["a"])["long-doc"].rows
    assert (row.cells["seconds"].mean, row.cells["tokens"].mean) == (3.0, 10.0)
    assert "dollars" not in row.cells


@pytest.mark.parametrize("outcome", [FULL, PROXY, DeckOutcome("b", "t", "vague", reason="gone")])
def test_outcomes_survive_as_json(outcome):
    assert DeckOutcome.from_json(json.loads(json.dumps(outcome.to_json()))) == outcome


def test_columns_that_say_nothing_are_left_out():
    assert shown_columns("long-doc", [PROXY]) == [
        "visual_integrity", "key_coverage", "faithfulness", JUDGED,
    ]  # fmt: skip
    assert shown_columns("long-doc", [FULL])[-1] == AVERAGE
    assert SHARED in shown_columns("long-doc", [FULL])
    shared = {name: PROXY.scores[name] for name in SHARED_METRICS}
    vague = replace(PROXY, setting="vague", scores=shared)
    assert shown_columns("vague", [vague]) == ["visual_integrity"]


def test_the_page_escapes_names_and_tells_causes(tmp_path):
    hostile = "<script>alert(1)</script>"
    lost = DeckOutcome(hostile, "one", "long-doc", reason="it broke & fell", deck=False)
    better = judged("b", "one", shared=9.0, key_coverage=7.0, faithfulness=4.0)
    run = UnipptRun([FULL, better, lost], ["a", "b", hostile], spent="Models: 5 tokens.")
    task = DeckTask("one", ScenarioTask(title="A & B", setting="vague"), ())
    page = write_unippt_report(tmp_path, "A run", [task], run, facts={"Judge": "x"}).read_text()
    assert "<script>alert" not in page and "&lt;script&gt;" in page
    assert "it broke &amp; fell" in page and "no deck" in page
    assert ">9.00<" in page
    assert 'class="leading"' not in page  # one task says nothing of an order
    assert run.causes == [("1 deck", "it broke & fell")]
    lines = list(run.lines())
    assert lines[0] == "Long document, 1 task" and lines[-1] == "Models: 5 tokens."
    assert lines[1].split()[:2] == ["System", "Place"]
    assert lines[-4].split()[2:5] == ["–"] * 3
    assert lines[-3] == "It takes 7 tasks to tell 3 systems apart; no pairs share so many."
    assert list(run.warnings()) == [f"{hostile}, one: not scored: it broke & fell"]
