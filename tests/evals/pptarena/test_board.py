"""The board against the published rule, restated here from its description."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.editing.verdict import EditVerdict
from decklab.evals.pptarena.cases import Case
from decklab.evals.pptarena.running import NOT_RUN, CaseResult, Edited
from decklab.evals.pptarena.tables import board, board_csv, scores_csv
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


@pytest.mark.parametrize("left_out", [0, 2])
def test_the_rank_is_the_published_one(left_out: int) -> None:
    made = board({name: rows(name) for name in MARKS}, left_out=left_out)
    assert [row.system for row in made] == ["all", "one half", "none"]
    for row in made:
        wanted = published(MARKS[row.system], 3 + left_out)
        assert row.rank_score == pytest.approx(wanted)
        assert isinstance(row.if_all, float)
        assert isinstance(row.vq_all, float)
        assert (row.if_all + row.vq_all) / 10 == pytest.approx(wanted)
        assert row.expected == 3 + left_out


def test_what_is_not_scored_counts_0_there_and_stays_open_beside_it() -> None:
    [half] = board({"one half": rows("one half")}, left_out=1)
    assert (half.scored, half.if_mean, half.vq_mean) == (1, 5.0, 5.0)
    assert (half.if_all, half.vq_all, half.rank_score) == (1.25, 1.25, 0.25)
    assert half.shown[1:7] == ("0.250", "1.25", "1.25", "1 of 4", "5.00", "5.00")
    [none] = board({"none": rows("none")})
    assert (none.rank_score, none.scored) == (0, 0)
    assert none.if_mean == NotScored("no case has both scores")


def test_without_a_judge_there_is_no_rank() -> None:
    [row] = board({"noop": [result("a", None, None)]})
    assert isinstance(row.rank_score, NotScored)
    assert not row.shows
    assert row.shown[1:4] == ("–", "–", "–")
    assert board({}) == []
    [empty] = board({"noop": []}, left_out=3)
    assert (isinstance(empty.rank_score, NotScored), empty.seconds) == (True, None)


def test_an_editor_that_could_not_be_run_counts_0() -> None:
    good = result("a", 5.0, 5.0)
    bad = CaseResult(good.case, Path("p"), Edited(NOT_RUN, "no reply"), 1.0, NONE)
    [row] = board({"one": [good, bad]})
    assert (row.rank_score, row.scored, row.if_mean) == (0.5, 1, 5.0)


def test_ties_go_to_the_faster_then_by_name() -> None:
    runs = {
        "c": [result("a", 4.0, 4.0, seconds=3.0)], "b": [result("a", 4.0, 4.0, seconds=None)],
        "d": [result("a", 5.0, 3.0, seconds=1.0)], "a": [result("a", 4.0, 4.0, seconds=3.0)],
    }  # fmt: skip
    assert [row.system for row in board(runs)] == ["d", "a", "c", "b"]


def test_costs_are_sums_and_unknown_where_one_is() -> None:
    priced = [result("a", 1.0, 1.0, usage=Usage(10, 5, 1.0, 1), cost=0.5), result("b", 1.0, 1.0)]
    [row] = board({"x": priced}, prices=Prices(1.0, 10.0))
    assert (row.tokens_in, row.tokens_out, row.cost, row.seconds) == (10, 5, 0.5, 2.0)
    assert row.judge_tokens == 2 * 2 * 100
    assert row.judge_cost == pytest.approx(4 * (70 + 300) / 1e6)
    unpriced = [*priced, result("c", 1.0, 1.0, usage=Usage(10, 5, 1.0, 1))]
    assert board({"x": unpriced})[0].cost is None
    untold = [*priced, result("c", 1.0, 1.0, usage=Usage(requests=1, untold=1))]
    [row] = board({"x": untold}, prices={"another/judge": Prices(1.0, 1.0)})
    assert (row.tokens_in, row.tokens_out, row.cost, row.judge_cost) == (None,) * 4
    assert row.shown[8:11] == ("–", "–", "–")


def test_tables_are_csv_with_empty_cells_for_what_is_not_known() -> None:
    [line] = csv.DictReader(io.StringIO(board_csv(board({"=x": rows("one half")}))))
    assert (line["system"], line["rank_score"], line["scored"]) == ("'=x", "0.333333", "1")
    assert (line["cost"], line["judge_cost"], line["seconds"]) == ("0.0", "", "2.0")
    lines = list(csv.DictReader(io.StringIO(scores_csv(rows("one half"), ["gone"]))))
    marks = [(one["instruction_following_score"], one["visual_quality_score"]) for one in lines]
    assert marks == [("5.0", ""), ("5.0", "5.0"), ("", "5.0"), ("", "")]
    assert [one["name"] for one in lines] == ["c0", "c1", "c2", "gone"]
    assert lines[0]["instruction_following_reason"] == "'=c0"  # no formula
