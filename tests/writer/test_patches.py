import pytest

from decklab.board.blueprint import (
    ChartPlan,
    Column,
    PicturePlan,
    Point,
    SeriesPlan,
    SlidePlan,
    Step,
)
from decklab.writer.patches import patches_by_rule

POINTS = tuple(Point(text=f"Ships from {n} countries called at the harbour") for n in (31, 32, 33))
BODY = SlidePlan(layout="body", title="Traffic grew", body=POINTS, notes="“31” (a.md)")
PICTURE = SlidePlan(
    layout="picture_right", title="The crane", body=POINTS, notes="N", source="Source: a.md",
    picture=PicturePlan(path="crane.png", alt="A crane"),
)  # fmt: skip
CHART = SlidePlan(
    layout="chart_takeaways", title="Ships", body=POINTS,
    chart=ChartPlan(kind="bar", categories=("Q1",), source="a.md",
                    series=(SeriesPlan(name="s", values=(1.0,)),)),
)  # fmt: skip
STEPS = SlidePlan(
    layout="timeline", title="Years", steps=(Step(label="2020", text="Built"), Step(label="2021"))
)
COLUMNS = SlidePlan(
    layout="comparison", title="Both",
    columns=(Column(heading="A", points=POINTS), Column(heading="B", points=POINTS[:1])),
)  # fmt: skip


def parts(slide: SlidePlan, words: str) -> tuple[SlidePlan, ...]:
    """The slides that the rule gives which says so."""
    return next(change.slides for change in patches_by_rule(slide) if words in change.words)


def test_a_picture_goes_to_a_slide_of_its_own_after_the_words() -> None:
    words, alone = parts(PICTURE, "a slide of its own")
    assert (words.layout, words.body, words.notes) == ("body", POINTS, "N")
    assert (alone.layout, alone.picture, alone.notes) == ("picture_full", PICTURE.picture, "")
    assert alone.source == "Source: a.md" and alone.title == "The crane"
    words, alone = parts(CHART, "a slide of its own")
    assert (words.body, alone.layout, alone.chart) == (POINTS, "chart", CHART.chart)


def test_contents_go_on_over_two_slides() -> None:
    first, second = parts(BODY, "split")
    assert (*first.body, *second.body) == POINTS
    assert first.title == "Traffic grew (1/2)"


@pytest.mark.parametrize(
    ("slide", "layout", "field"),
    [
        (BODY, "cards", "cards"), (STEPS, "process", "steps"), (STEPS, "body", "body"),
        (PICTURE, "picture_left", "body"), (COLUMNS, "two_columns", "columns"),
    ],
)  # fmt: skip
def test_another_layout_shows_the_same_contents(slide: SlidePlan, layout: str, field: str) -> None:
    (made,) = parts(slide.model_copy(update={"subtitle": "Below"}), f"way to {layout}")
    assert made.layout == layout and getattr(made, field)
    for text in slide.title, "Below", *(point.text for point in slide.body):
        assert text in made.model_dump_json()


def test_a_layout_that_cannot_show_the_contents_is_not_tried() -> None:
    one = BODY.model_copy(update={"body": POINTS[:1]})
    assert not any("cards" in change.words for change in patches_by_rule(one))


def test_rules_begin_with_what_changes_least() -> None:
    words = [one.words for one in patches_by_rule(PICTURE)]
    assert words == [
        "what it shows went to a slide of its own",
        "its text was set at the scale's small size",
        "the layout picture_right gave way to picture_left",
    ]
    assert list(patches_by_rule(SlidePlan(layout="title", title="T", text_size="small"))) == []
