import pytest

from decklab.deck.model.shapes import Chart, Group, Media


def test_what_lies_off_the_slide_is_told_together(build):
    one, other = build.rect(-300, 100, 200, 50), build.image(1000, 100, 50, 50)
    (found,) = build.lint(build.slide(one, other, build.rect()))
    assert found.rule == "shape.off-slide" and found.severity == "warning"
    assert found.message.startswith("Shape 1 (id 1), Shape 2 (id 2) lie off the slide")
    assert found.measured == 100  # -300 + 200 is 100 px left of the edge


def test_a_bleed_is_left_alone(build):
    assert (
        build.lint(build.slide(build.image(-20, -20, 1000, 580), build.rect(900, 0, 200, 90))) == []
    )


@pytest.mark.parametrize(
    "fields", [{"hidden": True}, {"placed": False}, {"paint": {"kind": "none"}, "fill": None}]
)
def test_what_shows_nothing_anyway_is_left_alone(build, fields):
    assert build.lint(build.slide(build.rect(-300, 100, 200, 50, **fields))) == []


def test_titles_media_and_animated_shapes_may_wait_outside(build):
    title = build.text("For screen readers", 100, -90, 300, 60, placeholder="title")
    sound = Media(medium="audio", id=90, z=90, x=-80.0, y=0.0, w=40.0, h=40.0)
    flying = build.rect(-300, 100, 200, 50)
    slide = build.slide(title, flying, animations=(build.animation(flying.id),))
    assert build.lint(slide.model_copy(update={"media": (sound,)})) == []


def test_of_a_group_that_is_out_one_member_is_named(build):
    group = Group(id=50, z=0, x=-400.0, y=0.0, w=300.0, h=90.0)
    members = [
        build.rect(-400, 0, 100, 90, groups=(50,)),
        build.rect(-250, 0, 100, 90, groups=(50,)),
    ]
    slide = build.slide(*members).model_copy(update={"groups": (group,)})
    (found,) = build.lint(slide)
    assert found.message.startswith("Shape 1 (id 1) lies off the slide")
    half = build.slide(members[0], build.rect(50, 0, 100, 90, groups=(50,)))
    assert build.lint(half.model_copy(update={"groups": (group,)})) == []


def test_a_text_whose_ink_is_on_the_slide_is_not_off_it(build):
    text = build.text("Grown upwards", 100, 545, 300, 20)
    assert build.lint(build.slide(text), [build.span("Grown upwards", 107, 520, 300, 536)]) == []


def test_a_chart_that_the_edge_cuts(build):
    chart = Chart(type="column", id=9, name="Sales", z=9, x=700.0, y=100.0, w=400.0, h=200.0)
    slide = build.slide().model_copy(update={"charts": (chart,)})
    (found,) = build.lint(slide)
    assert found.measured == 140 and "cuts 140 px off Sales" in found.message
    inside = chart.model_copy(update={"x": 565.0})
    assert build.lint(build.slide().model_copy(update={"charts": (inside,)})) == []
