"""Charts, transitions, animations and the theme, as python-pptx and the diff see them."""

from typing import Any

import pytest
from pptx.enum.chart import XL_CHART_TYPE

from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import CHART_TYPES, chart_data, set_chart_data, set_chart_title
from decklab.editing.finding import EditError
from decklab.editing.formatting import format_master_text, set_theme_color, set_theme_fonts
from decklab.editing.motion import (
    EFFECTS,
    STARTS,
    TRANSITIONS,
    add_animation,
    remove_animations,
    set_transition,
)


def chart(prs: Any) -> Any:
    return next(shape.chart for shape in prs.slides[5].shapes if shape.has_chart)


def test_a_chart_takes_other_data(edited: Any) -> None:
    done = edited(lambda prs: set_chart_data(prs, 6, ["N", "S", "E"], {"2026": [1, 2, None]}))
    assert chart_data(done.prs, 6) == {
        "categories": ["N", "S", "E"], "series": {"2026": [1.0, 2.0, None]},
    }  # fmt: skip
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(6, "chart")}


@pytest.mark.parametrize("kind", sorted(set(CHART_TYPES) - {"column"}))
def test_a_chart_is_drawn_another_way_with_the_same_data(edited: Any, kind: str) -> None:
    done = edited(lambda prs: set_chart_type(prs, 6, kind))
    assert chart(done.prs).chart_type == CHART_TYPES[kind]
    assert chart_data(done.prs, 6)["series"] == {"2025": [3.0, 4.0]}
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(6, "chart")}


def test_the_colour_of_a_series_outlives_another_kind(deck: Any) -> None:
    chart(deck).plots[0].series[0].format.fill.solid()
    chart(deck).plots[0].series[0].format.fill.fore_color.rgb = _red()
    set_chart_type(deck, 6, "bar")
    assert chart(deck).plots[0].series[0].format.fill.fore_color.rgb == _red()
    set_chart_type(deck, 6, "line")
    assert chart(deck).plots[0].series[0].format.line.color.rgb == _red()


def _red() -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor(200, 0, 0)


def test_a_pie_has_one_series(deck: Any) -> None:
    set_chart_data(deck, 6, ["N"], {"a": [1], "b": [2]})
    with pytest.raises(EditError, match="one series"):
        set_chart_type(deck, 6, "pie")
    assert chart(deck).chart_type == XL_CHART_TYPE.COLUMN_CLUSTERED


def test_series_and_categories_have_to_fit(deck: Any) -> None:
    with pytest.raises(EditError, match="1 values for 2 categories"):
        set_chart_data(deck, 6, ["N", "S"], {"a": [1]})


def test_a_chart_gets_a_title(edited: Any) -> None:
    done = edited(lambda prs: set_chart_title(prs, 6, "Shares"))
    assert chart(done.prs).chart_title.text_frame.text == "Shares"
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(6, "chart")}


@pytest.mark.parametrize("kind", sorted(TRANSITIONS))
def test_every_transition_is_valid_and_one_change(edited: Any, kind: str) -> None:
    done = edited(lambda prs: set_transition(prs, kind, slides=[2], seconds=0.7))
    assert done.seen == {(2, "transition", "added")}
    (change,) = done.changes
    assert change.new["duration_ms"] == 700


def test_a_transition_is_replaced_and_taken_away(edited: Any) -> None:
    def edit(prs: Any) -> None:
        set_transition(prs, "fade", seconds=1)
        set_transition(prs, "push", slides=[1], advance_after=3)
        set_transition(prs, None, slides=[2, 3, 4, 5, 6])

    done = edited(edit)
    assert done.seen == {(1, "transition", "added")}
    assert done.changes[0].new["name"] == "push"
    assert done.changes[0].new["advance_after_ms"] == 3000


@pytest.mark.parametrize("effect", sorted(EFFECTS))
@pytest.mark.parametrize("start", sorted(STARTS))
def test_every_effect_is_valid_and_one_change(edited: Any, effect: str, start: str) -> None:
    done = edited(
        lambda prs: add_animation(prs, 4, "Picture 3", effect, start=start, seconds=1, delay=0.5)
    )
    assert done.seen == {(4, "animation", "added")}
    new = done.changes[0].new
    assert (new["effect"], new["kind"]) == (effect.replace(" ", "_"), "entrance")
    assert new["trigger"] == start.replace(" ", "_")
    assert new["delay_ms"] == 500


def test_effects_follow_one_another_and_go(edited: Any) -> None:
    def edit(prs: Any) -> None:
        add_animation(prs, 4, "Title 1", "fade")
        add_animation(prs, 4, "Picture 3", "wipe", start="after previous")
        add_animation(prs, 4, "Content Placeholder 2", "appear", start="with previous")
        assert remove_animations(prs, 4, "Picture 3") == 1

    done = edited(edit)
    told = [(change.element.name, change.new["trigger"]) for change in done.changes]
    assert told == [("Title 1", "on_click"), ("Content Placeholder 2", "with_previous")]

    def all_gone(prs: Any) -> None:
        edit(prs)
        assert remove_animations(prs, 4) == 2

    assert edited(all_gone).seen == set()


def test_the_theme_takes_other_fonts_and_colours(edited: Any) -> None:
    done = edited(lambda prs: set_theme_fonts(prs, headings="Georgia"))
    assert {(slide, kind, name) for slide, kind, name in done.seen} == {
        (None, "theme", "font major")
    }
    done = edited(lambda prs: set_theme_color(prs, "accent1", "#0B6E4F"))
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(None, "theme")}


def test_master_titles_change_and_slides_follow(edited: Any) -> None:
    done = edited(lambda prs: format_master_text(prs, "title", size=30, bold=True, color="#102030"))
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(None, "master")}


@pytest.mark.parametrize(
    "edit",
    [
        lambda prs: set_transition(prs, "morphing"),
        lambda prs: add_animation(prs, 4, "Picture 3", "explode"),
        lambda prs: add_animation(prs, 4, "Picture 3", start="later"),
        lambda prs: set_chart_type(prs, 6, "cone"),
        lambda prs: set_chart_type(prs, 1, "bar"),
        lambda prs: set_theme_color(prs, "accent9", "#000000"),
        lambda prs: set_theme_color(prs, "accent1", "nice"),
        lambda prs: format_master_text(prs, "caption", size=3),
    ],
)
def test_what_there_is_not_is_told(deck: Any, edit: Any) -> None:
    with pytest.raises(EditError):
        edit(deck)
