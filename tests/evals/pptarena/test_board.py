"""The board against the published rule, restated here from its description."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.editing.verdict import EditVerdict
from decklab.evals.pptarena.cases import Case
from decklab.evals.pptarena.report import ArenaEditor, ArenaRun
from decklab.evals.pptarena.running import NOT_RUN, CaseResult, Edited
from decklab.evals.pptarena.tables import NO_JUDGE, board_table, scores_csv
from decklab.evals.results.means import MeanOf
from decklab.evals.results.tables import ResultTable
from decklab.evals.results.text import table_csv
from decklab.models.asking import Prices, Usage

NONE = NotScored("no reply")
Score = float | NotScored | None


def result(
    name: str, following: Score, looks: Score, *, seconds: float | None = 2.0,
    usage: Usage | None = None, cost: float | None = None,
) -> CaseResult:  # fmt: skip
    case = Case(name, "x", "y", Path("a"), Path("b"), ("Content",), ())
    spent = Usage(70, 30, 1.0, 1)
    first, second = [
        None if score is None else EditVerdict(score, f"={name}", usage=spent, model="some/judge")
        for score in (following, looks)
    ]
    return CaseResult(
        case, Path("p"), Edited("done"), seconds, NotScored("not compared"), first, second,
        usage=usage or Usage(), cost=cost,
    )  # fmt: skip


def published(rows: Sequence[tuple[object, object]], expected: int) -> float:
    """A case's score is the mean of both marks over 5; it counts only where both are numbers; the
    sum is divided by all the cases that were expected."""
    total = 0.0
    for following, looks in rows:
        if isinstance(following, int | float) and isinstance(looks, int | float):
            total += (following / 5 + looks / 5) / 2
    return total / expected


MARKS: dict[str, list[tuple[Score, Score]]] = {
    "all": [(5.0, 4.0), (3.0, 2.0), (0.0, 1.0)],
    "one half": [(5.0, NONE), (5.0, 5.0), (NONE, 5.0)],
    "none": [(NONE, NONE), (NONE, 4.0), (NONE, NONE)],
}


def rows(name: str) -> list[CaseResult]:
    return [result(f"c{n}", *marks) for n, marks in enumerate(MARKS[name])]


def cells(table: ResultTable, name: str) -> dict[str, MeanOf]:
    return dict(next(row.cells for row in table.rows if row.name == name))


@pytest.mark.parametrize("left_out", [(), ("gone", "lost")])
def test_the_rank_is_the_published_one(left_out: Sequence[str]) -> None:
    table = board_table({name: rows(name) for name in MARKS}, left_out=left_out)
    assert [row.name for row in table.rows] == ["all", "none", "one half"]
    assert {row.place for row in table.rows} == {"1–3"}  # three cases say nothing of an order
    for name, marks in MARKS.items():
        wanted = published(marks, 3 + len(left_out))
        found = cells(table, name)
        assert found["rank"].mean == pytest.approx(wanted)
        following, looks = found["if_all"].mean, found["vq_all"].mean
        assert isinstance(following, float)
        assert isinstance(looks, float)
        assert (following + looks) / 10 == pytest.approx(wanted)
        assert found["scored"].of == 3 + len(left_out)


def test_systems_far_apart_on_many_cases_have_places() -> None:
    good = [result(f"c{n}", 5.0, 4.0) for n in range(8)]
    poor = [result(f"c{n}", 1.0, 2.0) for n in range(8)]
    table = board_table({"poor": poor, "good": good})
    assert [(row.name, row.place) for row in table.rows] == [("good", "1"), ("poor", "2")]
    assert ("good", "rank") in table.leading


def test_what_is_not_scored_counts_0_there_and_stays_open_beside_it() -> None:
    half = cells(board_table({"one half": rows("one half")}, left_out=["gone"]), "one half")
    assert (half["scored"].mean, half["if_scored"].mean, half["vq_scored"].mean) == (0.25, 5.0, 5.0)
    assert [half[key].mean for key in ("if_all", "vq_all", "rank")] == [1.25, 1.25, 0.25]
    none = cells(board_table({"none": rows("none")}), "none")
    assert (none["rank"].mean, none["scored"].mean) == (0, 0)
    assert none["if_scored"].mean == NotScored("no case has both scores")


def test_without_a_judge_there_is_no_rank() -> None:
    found = cells(board_table({"noop": [result("a", None, None)]}, left_out=["gone"]), "noop")
    for key in ("rank", "if_all", "vq_all", "scored"):
        assert found[key].mean == NO_JUDGE
    assert not ArenaRun("", "", (ArenaEditor("noop", [result("a", None, None)]),)).costly
    assert board_table({}).rows == ()


def test_an_editor_that_could_not_be_run_counts_0() -> None:
    good = result("a", 5.0, 5.0)
    bad = CaseResult(good.case, Path("p"), Edited(NOT_RUN, "no reply"), 1.0, NONE)
    other = replace(bad, case=replace(good.case, name="b"))
    found = cells(board_table({"one": [good, other]}), "one")
    assert (found["rank"].mean, found["scored"].mean, found["if_scored"].mean) == (0.5, 0.5, 5.0)


def test_costs_are_a_case_and_unknown_ones_count_nowhere() -> None:
    priced = [result("a", 1.0, 1.0, usage=Usage(10, 5, 1.0, 1), cost=0.5), result("b", 1.0, 1.0)]
    found = cells(board_table({"x": priced}, prices=Prices(1.0, 10.0)), "x")
    assert [found[key].mean for key in ("tokens_in", "tokens_out", "cost", "seconds")] == [
        5.0, 2.5, 0.25, 2.0,
    ]  # fmt: skip
    assert found["judge_tokens"].mean == 2 * 100
    assert found["judge_cost"].mean == pytest.approx(2 * (70 + 300) / 1e6)
    unpriced = [*priced, result("c", 1.0, 1.0, usage=Usage(10, 5, 1.0, 1))]
    assert not cells(board_table({"x": unpriced}), "x")["cost"].whole
    untold = [*priced, result("c", 1.0, 1.0, usage=Usage(requests=1, untold=1))]
    partly = cells(board_table({"x": untold}, prices={"another/judge": Prices(1.0, 1.0)}), "x")
    assert (partly["tokens_in"].scored, partly["tokens_in"].of) == (2, 3)
    assert partly["judge_cost"].reason == "prices or tokens are not known"


def test_tables_are_csv_with_empty_cells_for_what_is_not_known() -> None:
    text = table_csv(board_table({"=x": rows("one half")}))
    [line] = csv.DictReader(io.StringIO(text))
    assert line["system"] == "'=x"
    assert float(line["rank"]) == pytest.approx(1 / 3)
    assert (line["cost"], line["judge_cost"], line["seconds"]) == ("0.0", "", "2.0")
    assert line["reasons"] == "prices or tokens are not known"
    lines = list(csv.DictReader(io.StringIO(scores_csv(rows("one half"), ["gone"]))))
    marks = [(row["instruction_following_score"], row["visual_quality_score"]) for row in lines]
    assert marks == [("5.0", ""), ("5.0", "5.0"), ("", "5.0"), ("", "")]
    assert [row["name"] for row in lines] == ["c0", "c1", "c2", "gone"]
    assert lines[0]["instruction_following_reason"] == "'=c0"  # no formula
