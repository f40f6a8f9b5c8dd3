"""Plans: what is wrong is said in one line that names the slide; nothing is dropped."""

import json
from pathlib import Path

import pytest
from generate.composing.library import library_plan
from generate.composing.showcase import showcase_plan

from decklab.board.blueprint import DeckPlan, read_plan
from decklab.board.library import LAYOUTS
from decklab.core.errors import PlanError

CHART = {
    "kind": "column",
    "categories": ["a", "b"],
    "series": [{"name": "n", "values": [1, 2]}],
    "unit": "u",
    "source": "s",
}


def plan(**slide: object) -> dict[str, object]:
    return {"title": "T", "slides": [{"layout": "body", "title": "T", **slide}]}


def test_a_plan_goes_through_json_unchanged(tmp_path: Path) -> None:
    shown = showcase_plan(tmp_path)
    file = tmp_path / "plan.json"
    file.write_text(shown.model_dump_json(), encoding="utf-8")
    assert read_plan(file) == shown
    slides = (*shown.slides, *library_plan(tmp_path).slides)
    assert {slide.layout for slide in slides} == set(LAYOUTS)


@pytest.mark.parametrize(
    ("slide", "said"),
    [
        ({}, "slide 1: layout 'body' needs body"),
        ({"layout": "chart"}, "needs chart"),
        ({"layout": "table", "table": {"header": ["a"], "rows": [["1"]]},
          "body": [{"text": "a"}] * 4}, "at most 3 points, not 4"),
        ({"layout": "big_numbers", "change": "-1",
          "numbers": [{"value": "1", "label": "a"}]}, "a change is between 2 numbers, not 1"),
        ({"layout": "body", "body": [{"text": "a"}], "change": "-1"}, "between 2 numbers, not 0"),
        ({"layout": "poster"}, "slide 1: layout"),
        ({"body": [{"text": "a"}], "colour": "red"}, "slide 1: colour"),
        ({"body": [{"text": "a"}], "chart": CHART}, "does not show chart"),
        ({"body": [{"text": "a\nb"}]}, "slide 1: body.0.text: it has a line break"),
        ({"body": [{"text": " "}]}, "body.0.text: it is empty"),
        ({"body": [{"text": "a", "level": 3}]}, "body.0.level"),
        ({"title": "", "body": [{"text": "a"}]}, "slide 1: title"),
        ({"layout": "cards", "cards": [{"label": "a"}]}, "2 to 24 cards, not 1"),
        ({"layout": "two_columns", "columns": [{"points": [{"text": "a"}]}]}, "2 columns, not 1"),
        (
            {"layout": "comparison", "columns": [{"points": [{"text": "a"}]}] * 2},
            "needs a heading for each column",
        ),
        ({"layout": "chart", "chart": {**CHART, "source": None}}, "chart.source"),
        ({"layout": "chart", "chart": {**CHART, "categories": ["a"]}}, "2 values for 1 categories"),
        ({"layout": "chart", "chart": {**CHART, "accent": 1}}, "no series 1"),
        ({"layout": "chart", "chart": {**CHART, "kind": "pie", "series": [
            {"name": "n", "values": [1, -2]}]}}, "parts of a pie"),
        ({"layout": "table", "table": {"header": ["a"], "rows": [["1", "2"]]}}, "2 cells under 1"),
        ({"body": [{"text": "a"}], "section": "S"}, "section 'S': there is none"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(slide: dict[str, object], said: str) -> None:
    with pytest.raises(PlanError) as caught:
        read_plan(plan(**slide))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_sections_are_in_the_order_of_slides() -> None:
    slides = [
        {"layout": "section", "title": "T", "section": name} for name in ("One", "Two", "One")
    ]
    with pytest.raises(PlanError, match="slide 3: its section 'One' is over"):
        read_plan({"title": "T", "sections": ["One", "Two"], "slides": slides})


def test_a_file_that_is_no_plan_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"missing\.json"):
        read_plan(tmp_path / "missing.json")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"title": "T", "language": "??", "slides": []}))
    with pytest.raises(PlanError, match=r"bad\.json: .*\(and 1 more\)"):
        read_plan(bad)


def test_languages_written_from_right_to_left_are_known() -> None:
    for tag, mirrored in (("ar-EG", True), ("he", True), ("en", False), ("zh-CN", False)):
        data = plan(body=[{"text": "a"}]) | {"language": tag}
        assert DeckPlan.model_validate(data, strict=False).right_to_left is mirrored


@pytest.mark.parametrize(
    "slide",
    [
        {"layout": "body", "body": [{"text": "A"}, {"text": "B"}], "key": 2},
        {"layout": "quote", "quote": {"text": "A"}, "key": 0},
        {"layout": "two_columns", "columns": [{"points": [{"text": "A"}]}] * 2, "key": 2},
    ],
    ids=["none of that number", "a layout without items", "past the last column"],
)
def test_an_item_that_is_not_there_cannot_stand_out(slide: dict[str, object]) -> None:
    with pytest.raises(PlanError, match=r"slide 1: there is no item \d that can stand out"):
        read_plan({"title": "T", "slides": [{"title": "T", **slide}]})


def test_items_are_counted_over_columns_and_a_point_stands_apart_without_points_below() -> None:
    columns = [{"points": [{"text": "A"}, {"text": "B"}]}, {"points": [{"text": "C"}]}]
    slides: list[dict[str, object]] = [
        {"layout": "two_columns", "columns": columns, "key": 2},
        {"layout": "body", "body": [{"text": "A"}, {"text": "B"}], "key": 1},
        {"layout": "body", "body": [{"text": "A"}, {"text": "B", "level": 1}], "key": 0},
        {"layout": "body", "body": [{"text": "A"}], "key": 0},
    ]
    plan = read_plan({"title": "T", "slides": [{"title": "T", **slide} for slide in slides]})
    assert plan.slides[0].top == plan.slides[0].columns[1].points[0]
    assert [slide.stands_apart for slide in plan.slides[1:]] == [True, False, False]
