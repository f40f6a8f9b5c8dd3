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
from decklab.writer.patches import (
    PatchAction,
    PatchRefused,
    SlidePatch,
    patched,
    patches_by_rule,
    slide_texts,
)

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


def patch(action: PatchAction, *, number: int = 0, text: str = "", layout: str = "") -> SlidePatch:
    return SlidePatch(action=action, text_number=number, text=text, layout=layout, reason="r")


def test_a_text_is_shortened_by_leaving_words_out() -> None:
    (slide,) = patched(BODY, patch("shorten", number=2, text="Ships from 31 countries")).slides
    assert slide_texts(slide) == ["Traffic grew", "Ships from 31 countries",
                                  *(point.text for point in POINTS[1:])]  # fmt: skip
    assert slide.notes == BODY.notes
    (slide,) = patched(COLUMNS, patch("shorten", number=5, text="Ships called")).slides
    assert slide.columns[1].points[0].text == "Ships called"


def test_a_denial_stays() -> None:
    slide = BODY.model_copy(update={"body": (Point(text="Accidents did not rise in 2025"),)})
    with pytest.raises(PatchRefused, match="without 'not' it says something else"):
        patched(slide, patch("shorten", number=2, text="Accidents did rise"))
    assert patched(slide, patch("shorten", number=2, text="Accidents did not rise")).slides


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (2, "Ships from 35 countries", "does not stand in the longer text"),
        (2, "Planes from 31 countries", "'Planes' does not stand"),
        (2, "Ships from 3 countries", "'3' does not stand"),
        (2, POINTS[0].text + " often", "it has to be shorter"),
        (2, "  ", "it has to be shorter"),
        (9, "Ships", "there is no text 9"),
    ],
)
def test_a_shorter_text_adds_no_word_and_no_number(number: int, text: str, said: str) -> None:
    with pytest.raises(PatchRefused, match=said):
        patched(BODY, patch("shorten", number=number, text=text))


def test_a_picture_goes_to_a_slide_of_its_own_after_the_words() -> None:
    words, alone = patched(PICTURE, patch("picture_alone")).slides
    assert (words.layout, words.body, words.notes) == ("body", POINTS, "N")
    assert (alone.layout, alone.picture, alone.notes) == ("picture_full", PICTURE.picture, "")
    assert alone.source == "Source: a.md" and alone.title == "The crane"
    words, alone = patched(CHART, patch("picture_alone")).slides
    assert (words.body, alone.layout, alone.chart) == (POINTS, "chart", CHART.chart)


def test_a_picture_that_shows_something_else_is_left_out_and_told() -> None:
    made = patched(PICTURE, patch("without_picture"))
    assert made.slides[0].layout == "body" and made.slides[0].picture is None
    assert made.words == "the picture was left out: A crane"


def test_contents_go_on_over_two_slides() -> None:
    first, second = patched(BODY, patch("split")).slides
    assert (*first.body, *second.body) == POINTS
    assert first.title == "Traffic grew (1/2)"


@pytest.mark.parametrize(
    ("slide", "layout", "field"),
    [
        (BODY, "cards", "cards"), (STEPS, "process", "steps"), (STEPS, "cards", "cards"),
        (STEPS, "body", "body"), (PICTURE, "picture_left", "body"),
        (COLUMNS, "two_columns", "columns"),
    ],
)  # fmt: skip
def test_another_layout_shows_the_same_contents(slide: SlidePlan, layout: str, field: str) -> None:
    (made,) = patched(slide, patch("layout", layout=layout)).slides
    assert made.layout == layout and getattr(made, field)
    for text in slide_texts(slide):
        assert text in made.model_dump_json()


@pytest.mark.parametrize(
    ("slide", "change", "said"),
    [
        (BODY, patch("layout", layout="chart"), "'chart' cannot show this slide: "),
        (BODY, patch("layout", layout="process"), "'process' cannot show this slide: "),
        (BODY, patch("layout", layout="spiral"), "'spiral' cannot show this slide: "),
        (BODY, patch("layout", layout="body"), "has the layout 'body' already"),
        (BODY, patch("picture_alone"), "no picture or chart"),
        (CHART, patch("without_picture"), "no picture beside words"),
        (PICTURE, patch("split"), "cannot be split"),
        (BODY.model_copy(update={"text_size": "small"}), patch("smaller"), "already"),
        (BODY.model_copy(update={"body": (Point(text="a", level=1),)}),
         patch("layout", layout="cards"), "cannot be cards"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_with_the_cause(
    slide: SlidePlan, change: SlidePatch, said: str
) -> None:
    with pytest.raises(PatchRefused, match=said):
        patched(slide, change)


def test_rules_begin_with_what_changes_least() -> None:
    words = [one.words for one in patches_by_rule(PICTURE)]
    assert words == [
        "what it shows went to a slide of its own",
        "its text was set at the scale's small size",
        "the layout picture_right gave way to picture_left",
    ]
    assert list(patches_by_rule(SlidePlan(layout="title", title="T", text_size="small"))) == []
