"""How steady judges are and how far two agree, by hand."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from tests.evals.judges.scenario.scripts import task

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.result import (
    PROXY_NOTE,
    MetricResult,
    NoJudgement,
    ScenarioJudgement,
    compare_judges,
    print_judgement,
    print_reliability,
    read_score_table,
    reliability,
    run_averages,
    score_table,
)
from decklab.evals.judges.scenario.task import ScenarioItem

GONE = NotScored("no reply")


def items(*states: float | NotScored | None, text: str = "") -> tuple[ScenarioItem, ...]:
    return tuple(ScenarioItem(f"item {n}", text, state) for n, state in enumerate(states, start=1))


def metric(name: str, *runs: float | NotScored, **more: object) -> MetricResult:
    return MetricResult(name, name.title(), runs, **more)  # type: ignore[arg-type]


def judged(deck: str, *metrics: MetricResult) -> ScenarioJudgement:
    return ScenarioJudgement(deck, task(), metrics, "script")


THREE = [
    judged("a", metric("x", 8.0, 9.0, 10.0), metric("y", 2.0, 2.0, 2.0)),
    judged("b", metric("x", 5.0, 5.0, 5.0), metric("y", 4.0, 6.0, 8.0)),
    judged("c", metric("x", 1.0, GONE, 2.0), metric("y", GONE, GONE, 3.0)),
]


def test_spread_is_the_mean_deviation_of_runs_over_decks() -> None:
    rows = {one.name: one for one in reliability(THREE)}
    # x: 1, 0 and the deviation of 1 and 2, 0.7071; y: 0 and 2, of c only one run is known.
    assert rows["x"].spread == pytest.approx((1 + 0 + 0.5**0.5) / 3)
    assert (rows["x"].decks, rows["y"].decks) == (3, 2)
    assert rows["y"].spread == pytest.approx(1.0)
    # Averages of the runs: a 5, 5.5, 6; b 4.5, 5.5, 6.5; c has only its last.
    assert run_averages(THREE[0]) == (5.0, 5.5, 6.0)
    assert run_averages(THREE[2]) == (GONE, GONE, 2.5)
    assert rows["average"].spread == pytest.approx((0.5 + 1.0) / 2)
    assert isinstance(rows["average"].same_items, NotScored)


def test_icc_of_runs_is_that_of_raters() -> None:
    # Shrout and Fleiss: two decks, three runs, 8 9 10 and 5 5 5. Between 24, columns 1, rest 0.5.
    (row,) = [one for one in reliability(THREE) if one.name == "x"]
    between, columns, error = 24.0, 0.5, 0.5
    assert row.icc == pytest.approx(
        (between - error) / (between + 2 * error + 3 * (columns - error) / 2)
    )
    same = [judged("a", metric("x", 1.0, 1.0)), judged("b", metric("x", 3.0, 3.0))]
    assert reliability(same)[0].icc == 1.0
    assert isinstance(reliability(same[:1])[0].icc, NotScored)


def test_items_are_alike_where_every_run_says_the_same() -> None:
    first = metric("x", 5.0, 5.0, items=(items(1.0, 0.5, None, GONE), items(1.0, 0.0, None, 1.0)))
    # Two of three that both runs judged; a claim in other words is another item.
    (row, _) = reliability([judged("a", first)])
    assert row.same_items == pytest.approx(2 / 3)
    anew = metric("x", 5.0, 5.0, items=(items(1.0, text="one"), items(1.0, text="two")))
    assert isinstance(reliability([judged("a", anew)])[0].same_items, NotScored)


def test_what_was_judged_once_or_not_at_all_has_no_steadiness() -> None:
    assert reliability([]) == ()
    assert reliability([judged("a", metric("x", 5.0), metric("y", GONE))]) == ()
    assert run_averages(judged("a", metric("x", 5.0, 6.0), metric("y", 5.0))) == ()


def test_two_judges_agree_by_order_and_by_difference() -> None:
    other = [
        judged("a", metric("x", 8.0), metric("y", 3.0)),
        judged("b", metric("x", 6.0), metric("y", 5.0)),
        judged("c", metric("x", 2.5), metric("y", 4.0)),
        judged("d", metric("x", 1.0), metric("y", 4.0)),
    ]
    rows = {one.name: one for one in compare_judges(score_table(THREE), score_table(other))}
    # x: 9, 5, 1.5 beside 8, 6, 2.5: differences -1, 1, 1, mean 1/3, deviation sqrt(4/3).
    assert rows["x"].rho == 1.0 and rows["x"].decks == 3
    assert rows["x"].difference == pytest.approx(1 / 3)
    assert rows["x"].deviation == pytest.approx((4 / 3) ** 0.5)
    # y: 2, 6, 3 beside 3, 5, 4: the same order.
    assert rows["y"].rho == 1.0 and rows["y"].difference == pytest.approx(1 / 3)
    (alone,) = compare_judges({"a": {"x": 1.0}}, {"a": {"x": 2.0}})
    assert isinstance(alone.rho, NotScored) and isinstance(alone.deviation, NotScored)
    assert compare_judges({"a": {"x": 1.0}}, {"b": {"x": 1.0}}) == ()


def test_scores_come_back_from_what_json_printed(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps([one.as_json() for one in THREE]))
    assert read_score_table(file) == score_table(THREE)
    assert read_score_table(file)["a"] == {"x": 9.0, "y": 2.0, "average": 5.5}


@pytest.mark.parametrize("text", ["", "{}x", "[1]", '{"deck": "a"}', '[{"deck": "a"}]'])
def test_what_holds_no_judgements_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(NoJudgement, match="no output of decklab judge"):
        read_score_table(tmp_path / "other.json")
    with pytest.raises(NoJudgement, match="cannot be read"):
        read_score_table(tmp_path / "none.json")


def printed(found: list[ScenarioJudgement], **more: object) -> str:
    stream = io.StringIO()
    print_reliability(found, Console(file=stream, width=100), **more)  # type: ignore[arg-type]
    return stream.getvalue()


def test_tables_are_printed() -> None:
    said = printed(THREE, beside={"a": {"x": 8.0}, "b": {"x": 4.0}, "z": {"x": 1.0}})
    assert "Steady from run to run" in said and "0.57" in said
    assert said.split("Beside the other judge")[1].split("x")[1].split()[:2] == ["2", "1.00"]
    assert "both have scored no deck" in printed(THREE, beside={})
    assert printed([]) == ""


def test_proxies_are_named_in_a_sentence_wherever_there_are_some() -> None:
    by_program = judged("a", metric("x", 5.0, proxy=True, items=(items(0.5),)))
    assert by_program.notes == (PROXY_NOTE,)
    assert by_program.as_json()["told"] == [PROXY_NOTE]
    stream = io.StringIO()
    print_judgement(by_program, Console(file=stream, width=120))
    assert PROXY_NOTE in stream.getvalue()
    assert judged("a", metric("x", 5.0)).notes == ()
    assert judged("a", metric("x", GONE, proxy=True)).notes == ()
