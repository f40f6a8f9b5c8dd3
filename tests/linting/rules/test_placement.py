import pytest

from decklab.deck.model.shapes import Chart, Group, Media
from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page


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


def pages(build, gaps):
    """Slides with one text each, so many px from the left edge."""
    slides, drawn = [], []
    for number, gap in enumerate(gaps, start=1):
        text = build.text("Body of text", gap - 7, 200, 300, 40, autofit="grow")
        slides.append(build.slide(text, number=number))
        drawn.append(Page(number, [build.span("Body of text", gap, 205, gap + 90, 221)]))
    return integrity_findings(build.deck(*slides), drawn)


def test_text_against_the_edge_of_a_deck_with_margins(build):
    (found,) = pages(build, [60, 60, 60, 4])
    assert found.rule == "text.margin" and found.slide == 4
    assert found.measured == 4 and "usually keeps 60 px" in found.message


def test_a_deck_without_margins_has_none_to_keep(build):
    assert pages(build, [4, 3, 60, 4]) == []
    assert pages(build, [60, 60, 4]) == []
    assert pages(build, [60, 60, 60, 20]) == []


def row(build, *tops, lefts=None):
    places = lefts or [100 + 150 * index for index in range(len(tops))]
    return [build.rect(x, y, 120, 80) for x, y in zip(places, tops, strict=True)]


def test_one_card_of_a_row_that_sits_lower(build):
    (found,) = build.lint(build.slide(*row(build, 100, 100, 103.5, 100)))
    assert found.rule == "shape.drift" and found.severity == "info"
    assert found.measured == 3.5 and "Shape 3 stands 3.5 px lower than the 3" in found.message


@pytest.mark.parametrize("off", [0.4, 1.0, 7.0, 40.0])
def test_what_cannot_be_seen_or_may_be_meant_is_left_alone(build, off):
    assert build.lint(build.slide(*row(build, 100, 100, 100 + off, 100))) == []


def test_three_do_not_make_a_row(build):
    assert build.lint(build.slide(*row(build, 100, 100, 103))) == []


def test_two_that_stray_together_are_a_row_of_their_own(build):
    assert build.lint(build.slide(*row(build, 100, 100, 100, 104, 104))) == []


def test_a_pile_is_no_row(build):
    assert (
        build.lint(build.slide(*row(build, 100, 100, 100, 104, lefts=[100, 104, 108, 112]))) == []
    )


def test_a_column_drifts_sideways(build):
    items = [build.rect(x, 60 + 100 * n, 120, 80) for n, x in enumerate((100, 100, 97, 100))]
    (found,) = build.lint(build.slide(*items))
    assert "3.0 px farther left than the 3 objects like it in its column" in found.message


def test_objects_of_other_sizes_kinds_or_groups_are_not_compared(build):
    items = row(build, 100, 100, 100)
    assert build.lint(build.slide(*items, build.rect(550, 103, 140, 80))) == []
    assert build.lint(build.slide(*items, build.image(550, 103, 120, 80))) == []
    assert build.lint(build.slide(*items, build.rect(550, 103, 120, 80, groups=(7,)))) == []


def test_of_several_texts_near_an_edge_the_nearest_is_told(build):
    slides, drawn = [], []
    for number, gap in enumerate([60, 60, 60, 60], start=1):
        near = 4 if number == 4 else gap
        texts = [build.text("Body of text", x - 7, y, 300, 40, autofit="grow")
                 for x, y in ((near, 200), (gap, 300))]  # fmt: skip
        slides.append(build.slide(*texts, number=number))
        spans = [build.span("Body of text", x, y + 5, x + 90, y + 21)
                 for x, y in ((near, 200), (gap, 300))]  # fmt: skip
        drawn.append(Page(number, spans))
    (found,) = integrity_findings(build.deck(*slides), drawn)
    assert (found.rule, found.slide, found.measured) == ("text.margin", 4, 4)


def test_turned_and_animated_cards_are_no_peers(build):
    cards = row(build, 100, 100, 103.5, 100)
    turned = [card.model_copy(update={"rotation": 10.0}) for card in cards]
    assert build.lint(build.slide(*turned)) == []
    assert build.lint(build.slide(*cards, animations=(build.animation(cards[0].id),))) == []
    assert len(build.lint(build.slide(*cards))) == 1


def test_a_row_in_which_two_lie_on_each_other_is_no_row(build):
    items = row(build, 100, 100, 103.5, 100, lefts=[100, 250, 260, 550])
    assert build.lint(build.slide(*items)) == []
    touching = row(build, 100, 100, 103.5, 100, lefts=[100, 220, 340, 460])
    assert len(build.lint(build.slide(*touching))) == 1


@pytest.mark.parametrize(
    ("width", "past", "cut"),
    [
        (300.0, 16.0, True),
        (300.0, 14.0, False),  # less than a twentieth
        (100.0, 12.5, True),
        (100.0, 12.0, False),  # a margin
    ],
)
def test_a_frame_of_which_a_twentieth_and_more_than_a_margin_is_cut(build, width, past, cut):
    chart = Chart(
        type="column", id=9, name="Sales", z=9, x=960.0 + past - width, y=100.0, w=width, h=200.0
    )
    found = build.lint(build.slide().model_copy(update={"charts": (chart,)}))
    assert [item.measured for item in found] == ([past] if cut else [])


def sides(build, left, right, **fields):
    text = build.text("From one edge to the other", 0, 100, 960, 60, **fields)
    spans = [build.span("From one edge to the other", left, 110, right, 140)]
    return build.told("layout.margins", build.slide(text), spans)


def test_a_line_from_edge_to_edge_is_told(build):
    (found,) = sides(build, 12, 949)
    assert found.severity == "warning" and found.box == (12, 110, 949, 140)
    assert found.measured == 12.0 and "12 px at its left" in found.message


def test_a_line_with_a_margin_on_one_side_is_left_alone(build):
    assert sides(build, 12, 900) == []
    assert sides(build, -4, 964) == [], "text.off-slide tells it"
    assert sides(build, 12, 949, rotation=90.0) == []
