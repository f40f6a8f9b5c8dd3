"""Cases chosen and sorted, leaderboards, and two runs beside each other, on runs made by hand."""

from pathlib import Path
from typing import Any

import pytest

from decklab.core.results import NotScored
from decklab.workbench.web.evaluate_runs import FoundRun, RunCase, RunColumn
from decklab.workbench.web.evaluate_showing import CaseFilter, leaderboard, paired

NONE = NotScored("no judge")
GOOD, COST = RunColumn("IF", best=5.0), RunColumn("cost", less_is_better=True)


def case(name: str, good: float | None = None, **fields: Any) -> RunCase:
    values: dict[str, float | NotScored] = {"IF": NONE if good is None else good}
    if "cost" in fields:
        values["cost"] = fields.pop("cost")
    return RunCase(name, fields.pop("system", "ours"), values, **fields)


def run(*cases: RunCase, kind: str = "pptarena", title: str = "first", **fields: Any) -> FoundRun:
    return FoundRun(
        kind=kind, columns=(GOOD, COST), main="IF", cases=cases, id=title, title=title,
        file=Path(title, "results.json"), made=0.0, **fields,
    )  # fmt: skip


CASES = (
    case("Two", 2.0, labels=("Text",), difficulty="easy", cost=3.0),
    case("one", 5.0, labels=("Text", "Charts"), record={"instruction": "Make it Bold"}, cost=9.0),
    case("Three", None, difficulty="hard", record={"reason": None, "note": "late"}),
    case("Four", 3.5, system="other", cost=1.0),
)


def names(**asked: Any) -> list[str]:
    return [one.name for one in CaseFilter(**asked).choose(run(*CASES))]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["Two", "one", "Three", "Four"]),
        ({"system": "other"}, ["Four"]),
        ({"label": "Text"}, ["Two", "one"]),
        ({"label": "Charts", "system": "other"}, []),
        ({"difficulty": "hard"}, ["Three"]),
        ({"state": "scored"}, ["Two", "one", "Four"]),
        ({"state": "unscored"}, ["Three"]),
        ({"low": 3.5}, ["one", "Four"]),
        ({"high": 3.5}, ["Two", "Four"]),
        ({"low": 0.0}, ["Two", "one", "Four"]),
        ({"low": 2.5, "high": 3.6}, ["Four"]),
        ({"low": 3.0, "column": "cost"}, ["Two", "one"]),
        ({"state": "unscored", "column": "cost"}, ["Three"]),
        ({"q": "bold"}, ["one"]),
        ({"q": "BOLD make"}, ["one"]),
        ({"q": "bold late"}, []),
        ({"q": "late"}, ["Three"]),
        ({"q": "other"}, ["Four"]),
        ({"q": "charts"}, ["one"]),
        ({"q": "none"}, []),
    ],
)
def test_a_case_is_left_in_where_it_meets_all_that_was_asked(
    asked: dict[str, Any], found: list[str]
) -> None:
    assert names(**asked) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"order": "name"}, ["Four", "one", "Three", "Two"]),
        ({"order": "worst"}, ["Two", "Four", "one", "Three"]),
        ({"order": "best"}, ["one", "Four", "Two", "Three"]),
        ({"order": "worst", "column": "cost"}, ["one", "Two", "Four", "Three"]),
        ({"order": "best", "column": "cost"}, ["Four", "Two", "one", "Three"]),
        ({"order": "best", "column": "unknown"}, ["one", "Four", "Two", "Three"]),
    ],
)
def test_cases_are_sorted_by_what_is_better_and_unscored_ones_come_last(
    asked: dict[str, Any], found: list[str]
) -> None:
    assert names(**asked) == found


def test_a_filter_is_the_end_of_an_address() -> None:
    assert CaseFilter().query == ""
    assert CaseFilter(low=0.0, q="a b").query == "?low=0.0&q=a+b"
    assert not CaseFilter(order="best", column="cost").narrow
    assert CaseFilter(low=0.0).narrow


def test_systems_of_all_runs_of_a_kind_are_ranked_by_one_column() -> None:
    first = run(case("a", 2.0, cost=1.0), case("a", 4.0, system="other", cost=5.0))
    second = run(case("a", 3.0), case("b", None), title="second")
    flawed = run(case("a", 5.0, system="broken"), title="third", apart=frozenset({"broken"}))
    elsewhere = run(case("a", 5.0), kind="ppteval")
    runs = [first, second, flawed, elsewhere]

    def order(**asked: str) -> list[tuple[str, str]]:
        _columns, places = leaderboard(runs, "pptarena", **asked)
        return [(place.run.title, place.system) for place in places]

    assert order() == [("first", "other"), ("second", "ours"), ("first", "ours")]
    assert order(sort="cost")[:2] == [("first", "ours"), ("first", "other")]
    assert order(q="OURS")[:1] == [("second", "ours")]
    assert order(q="first other") == [("first", "other")]
    assert order(q="nobody") == []
    columns, places = leaderboard(runs, "pptarena")
    assert columns == [GOOD, COST]
    assert (places[1].cells["IF"].scored, places[1].cells["IF"].of) == (1, 2)
    assert leaderboard(runs, "unippt") == ([], [])


def test_what_got_worse_stands_first_then_better_then_open_then_the_same() -> None:
    before = [case("down", 4.0), case("far down", 5.0), case("up", 1.0), case("same", 2.0),
              case("lost", 3.0), case("gone", 3.0)]  # fmt: skip
    after = [case("down", 3.0), case("far down", 2.0), case("up", 2.0), case("same", 2.0),
             case("lost"), case("new", 1.0)]  # fmt: skip
    pairs = paired(before, after, GOOD)
    assert [(one.name, one.verdict) for one in pairs] == [
        ("far down", "worse"), ("down", "worse"), ("up", "better"), ("lost", "open"),
        ("gone", "open"), ("new", "open"), ("same", "same"),
    ]  # fmt: skip
    changes = {one.name: one.change for one in pairs}
    assert (changes["far down"], changes["up"], changes["lost"]) == (-3.0, 1.0, NONE)
    assert changes["gone"] == changes["new"] == NotScored("only one of them has the case")
    lost = paired([case("lost")], [case("lost", 3.0)], GOOD)
    assert lost[0].change == NONE


def test_less_of_a_cost_is_better() -> None:
    before, after = [case("a", cost=5.0)], [case("a", cost=3.0)]
    assert [(one.change, one.verdict) for one in paired(before, after, COST)] == [(2.0, "better")]
    assert paired(after, before, COST)[0].verdict == "worse"
    assert paired([], [], COST) == []
