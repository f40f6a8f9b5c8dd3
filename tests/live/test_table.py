"""The table of a live run and its checks, on lines that are written by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.live.checks import asked_again, invented, miscounted, untyped
from bench.live.runs import Ending, RunResult
from bench.live.table import Row, endings_markdown, markdown, rows_of
from bench.live.witness import Exchange


def line(**facts: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "key": "a", "stage": "route", "schema": "Route", "form": "tool", "problem": None,
        "mended": [], "failed": None, "failure": None, "reply": "{}", "requests": 1,
        "input_tokens": 100, "output_tokens": 10, "seconds": 2.0,
    }  # fmt: skip
    return {**usual, **facts}


LINES = [
    line(requests=2),
    line(mended=["left out the words around it"], seconds=4.0),
    line(problem="score: Input should be less than or equal to 1", seconds=9.0),
    line(problem="the reply is no JSON: Sure, I", form="text"),
    line(failed="m: refused", failure="refused", input_tokens=0, output_tokens=0, form=None),
    line(stage="slideeval rating-5", input_tokens=50),
    line(stage="slideeval rating-100", problem="the reply is cut off by its length limit"),
    line(stage="tasks", schema=None, form=None, reply="Sure"),
]


def test_a_row_counts_the_questions_of_a_stage() -> None:
    route, rate, tasks = rows_of("m", LINES)
    assert (route.questions, route.requests, route.as_written, route.when_mended) == (5, 6, 1, 1)
    assert route.misfits == {"a field": 1, "no JSON": 1}
    assert route.failures == {"refused": 1}
    assert (route.input_tokens, route.seconds, route.median_seconds) == (400, 19.0, 2.0)
    assert (rate.stage, rate.questions, rate.as_written, rate.input_tokens) == (
        "slideeval perturb", 2, 1, 150,
    )  # fmt: skip
    assert rate.misfits == {"cut off": 1}
    assert tasks.as_written is None


def test_the_table_has_a_line_for_each_row() -> None:
    told = markdown(rows_of("m", LINES)).splitlines()
    assert len(told) == 2 + 3
    assert told[0].count("|") == told[1].count("|") == told[2].count("|")
    assert told[2].split(" | ")[2:6] == ["5", "6", "1", "1"]
    assert told[2].split(" | ")[6:8] == ["tool, text", "1 a field, 1 no JSON, 1 `refused`"]
    assert told[4].split(" | ")[4:8] == ["–", "–", "–", "–"]


def test_a_line_says_how_a_run_ended_with_each_model() -> None:
    found: dict[str, dict[str, dict[str, int]]] = {
        "a": {"grade": {"scored": 2, "not scored": 1}, "draft": {"made": 1}},
        "b": {"grade": {}},
    }
    assert endings_markdown(found).splitlines() == [
        "| run | a | b |", "| --- | --- | --- |",
        "| grade | 2 scored, 1 not scored | – |", "| draft | made | – |",
    ]  # fmt: skip


def test_of_no_lines_there_are_no_rows() -> None:
    assert rows_of("m", []) == []


def result(*endings: Ending) -> RunResult:
    return RunResult("run", 1.0, endings)


@pytest.mark.parametrize(
    ("ending", "reply", "faults"),
    [
        (Ending("IF", "scored", "", 4.0, "score"), '{"score": 4, "reason": "neat"}', 0),
        (Ending("IF", "scored", "", 4.0, "score"), '{"score": 3, "reason": "4"}', 1),
        (Ending("IF", "scored", "", 4.0, "score"), "", 1),
        (Ending("VQ", "scored", "every slide looks like the truth", 5.0), "", 0),
        (Ending("leaf", "scored", "", 1.0, "yes"), "Yes, it was.", 0),
        (Ending("leaf", "scored", "", 0.0, "yes"), "**No**", 0),
        (Ending("leaf", "scored", "", 1.0, "yes"), "I think yes", 1),
        (Ending("leaf", "scored", "", 0.5, "half yes"), "no", 0),
        (Ending("deck", "scored", "shown [3, 1, 2]", 1.0, "order"), '{"order": [2, 3, 1]}', 0),
        (Ending("deck", "scored", "shown [3, 1, 2]", 1.0, "order"), '{"order": [1, 2, 3]}', 1),
        (Ending("deck", "scored", "shown [3, 1, 2]", -1 / 3, "order"), '{"order": [1, 2, 3]}', 0),
        (Ending("deck", "scored", "shown [3, 1, 2]", 1.0, "order"), '{"order": [2, 3]}', 1),
    ],
)
def test_a_score_has_to_follow_from_a_reply(ending: Ending, reply: str, faults: int) -> None:
    # 3, 1, 2 are shown: in the order that they are shown 1 of 3 pairs is right, 2 are not.
    assert len(list(invented(result(ending), [line(reply=reply)]))) == faults


def test_nothing_is_made_without_a_reply() -> None:
    failed = [line(failed="m: refused", failure="refused")]
    assert list(invented(result(Ending("tasks", "made", "three")), failed))
    assert not list(invented(result(Ending("edit", "refused", "why")), failed))


def test_an_ending_says_why() -> None:
    assert not list(untyped(result(Ending("IF", "not scored", "the reply is empty"))))
    assert list(untyped(result(Ending("IF", "not scored"))))
    assert list(untyped(result()))


def test_the_record_has_to_be_what_passed() -> None:
    seen = [Exchange("d", 500, 0, 0, 0.1, True), Exchange("e", 200, 100, 10, 1.5, True)]
    assert not list(miscounted("run", [line(requests=2)], seen))
    assert len(list(miscounted("run", [line(requests=1)], seen))) == 1
    assert len(list(miscounted("run", [line(requests=2, input_tokens=99)], seen))) == 1
    assert len(list(miscounted("run", [line(requests=2, seconds=1.0)], seen))) == 1
    assert not list(miscounted("run", [], []))


def test_a_resumed_run_asks_only_what_failed() -> None:
    before = [line(key="a"), line(key="b", failed="busy", failure="busy")]
    assert not list(asked_again("run", before, [*before, line(key="b")], 1))
    assert len(list(asked_again("run", before, [*before, line(key="a")], 1))) == 1
    assert len(list(asked_again("run", before, before, 1))) == 1


def test_the_page_has_the_table_that_was_measured() -> None:
    docs = Path(__file__).parents[2] / "docs"
    kept = json.loads((docs / "measured" / "live.json").read_text())
    page = (docs / "models.md").read_text()
    assert markdown(Row(**row) for row in kept["rows"]) in page
    assert endings_markdown(kept["endings"]) in page
    assert kept["when"] in page
