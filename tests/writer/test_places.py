from typing import Any

import pytest
from tests.writer.scripted import Script

from decklab.board.blueprint import ChartPlan, DeckPlan, PicturePlan, Point, SeriesPlan, SlidePlan
from decklab.board.compose import compose
from decklab.board.themes import THEMES
from decklab.writer.places import PlacedPlan, ask_places

CHART = ChartPlan(
    kind="column", categories=("Q1", "Q2"), source="Report", unit="Ships",
    series=(SeriesPlan(name="Ships", values=(210.0, 262.0)),),
)  # fmt: skip
POINTS = (Point(text="Ships called more often"), Point(text="They stayed shorter"))
DECK = DeckPlan(
    title="T",
    slides=(
        SlidePlan(layout="title", title="T"),
        SlidePlan(layout="chart_takeaways", title="Traffic grew", chart=CHART, body=POINTS),
        SlidePlan(layout="body", title="Words alone", body=POINTS),
    ),
)


def place(content: str, column: int, columns: int, row: int, rows: int) -> dict[str, Any]:
    return {"content": content, "column": column, "columns": columns, "row": row, "rows": rows}


GOOD = {"places": [place("chart", 5, 8, 16, 40), place("text", 1, 4, 16, 40)]}


def asked(*replies: Any) -> tuple[PlacedPlan, Script]:
    script = Script(layout=list(replies))
    return ask_places(DECK, THEMES["light"], script, parallel=1), script


def test_only_slides_with_two_contents_are_asked_about() -> None:
    got, script = asked(GOOD)
    assert script.asked["layout"] == 1 and got.told == ()
    assert [bool(slide.boxes) for slide in got.plan.slides] == [False, True, False]
    assert "rows from 14 up to, but not including, 57" in script.prompts[0]
    assert compose(got.plan, "light").told == ()
    again = ask_places(got.plan, THEMES["light"], Script(), parallel=1)
    assert again.plan == got.plan


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("the chart on the left", "layout"),
        ({"places": []}, "text: it has no place"),
        ({"places": [place("chart", 0, 8, 16, 40), GOOD["places"][1]]}, "counted from 1"),
        ({"places": [place("chart", 4, 8, 16, 40), GOOD["places"][1]]}, "cover each other"),
        ({"places": [place("chart", 8, 5, 16, 40), place("text", 1, 3, 16, 4)]}, "3 columns"),
    ],
)  # fmt: skip
def test_places_that_do_not_hold_are_asked_again_then_the_layout_stays(bad: Any, said: str) -> None:
    got, script = asked(bad, GOOD)
    assert script.asked["layout"] == 2 and got.plan.slides[1].boxes
    assert said in script.prompts[1] or said == "layout"
    got, script = asked(bad)
    assert script.asked["layout"] == 3
    assert got.plan == DECK
    assert got.told[0].startswith("slide 2: the layout of the library stays: ")


def test_no_name_of_a_file_is_told_to_the_model() -> None:
    picture = PicturePlan(path="/tmp/run-1/secret.png", alt="A crane")
    slide = SlidePlan(layout="picture_right", title="T", picture=picture, body=POINTS)
    deck = DeckPlan(title="T", slides=(slide,))
    script = Script(layout=["no"])
    ask_places(deck, THEMES["light"], script, parallel=1)
    assert "A crane" in script.prompts[0]
    assert not any("secret" in text or "/tmp" in text for text in script.prompts)
