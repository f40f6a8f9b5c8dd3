import pytest

from decklab.linting.rules.page import StandIn


def two_texts(build, **fields):
    one = build.text("Quarterly results", 100, 100, 300, 40)
    other = build.text("by region and product", 100, 110, 300, 40, **fields)
    spans = [
        build.span("Quarterly results", 107, 105, 280, 121, line=0),
        build.span("by region and product", 107, 110, 300, 126, line=1),
    ]
    return one, other, spans


def test_texts_drawn_over_each_other(build):
    one, other, spans = two_texts(build)
    (found,) = build.lint(build.slide(one, other), spans, build.inked(spans))
    assert found.rule == "text.overlap" and found.severity == "error"
    assert found.measured == 0.69  # 11 of 16 px
    assert found.box == (107, 105, 300, 126) and found.shape == "Shape 2 (id 2)"


def test_lines_that_only_touch_do_not_overlap(build):
    one, other, spans = two_texts(build)
    apart = [spans[0], build.span("by region and product", 107, 118, 300, 134, line=1)]
    assert build.lint(build.slide(one, other), apart, build.inked(apart)) == []


def test_the_same_words_twice_are_a_shadow(build):
    one = build.text("Sale", 100, 100, 300, 40)
    other = build.text("Sale", 102, 102, 300, 40)
    spans = [build.span("Sale", 107, 105, 180, 121), build.span("Sale", 109, 107, 182, 123, line=1)]
    assert build.lint(build.slide(one, other), spans, build.inked(spans)) == []


def test_texts_that_come_in_one_after_the_other_stay_and_those_that_go_do_not(build):
    one, other, spans = two_texts(build)
    arrives = build.slide(one, other, animations=(build.animation(other.id),))
    (found,) = build.lint(arrives, spans, build.inked(spans))
    assert found.severity == "info" and "once both have come in" in found.message
    leaves = build.slide(one, other, animations=(build.animation(one.id, "exit"),))
    assert build.lint(leaves, spans, build.inked(spans)) == []


def test_a_turned_axis_label_is_no_overlap(build):
    one, other, spans = two_texts(build)
    tall = [spans[0], build.span("by region and product", 107, 60, 180, 170, line=1)]
    assert "text.overlap" not in build.rules(build.slide(one, other), tall, build.inked(tall))


def covered(build, **fields):
    text = build.text("Terms and conditions", 100, 100, 300, 40)
    spans = [build.span("Terms and conditions", 107, 105, 280, 121)]
    return text, build.rect(90, 90, 320, 60, name="Band", **fields), spans


def test_an_opaque_area_in_front_hides_text_where_the_picture_shows_none(build):
    text, band, spans = covered(build)
    (found,) = build.lint(build.slide(text, band), spans, build.white())
    assert found.rule == "text.hidden" and found.severity == "error"
    assert found.message == 'Band hides "Terms and conditions".' and found.measured == 1


def test_text_that_the_picture_shows_is_not_hidden(build):
    text, band, spans = covered(build)
    assert build.lint(build.slide(text, band), spans, build.inked(spans)) == []


def test_without_a_picture_nothing_is_said_to_be_hidden(build):
    text, band, spans = covered(build)
    assert build.lint(build.slide(text, band), spans) == []


def test_areas_behind_and_clear_ones_hide_nothing(build):
    text, _band, spans = covered(build)
    behind = build.rect(90, 90, 320, 60, z=0)
    clear = build.rect(90, 90, 320, 60, alpha=0.5)
    assert build.lint(build.slide(behind, text, clear), spans, build.white()) == []


def test_text_that_only_comes_in_behind_a_cover_that_stays_is_hidden(build):
    text, band, spans = covered(build)
    slide = build.slide(text, band, animations=(build.animation(text.id),))
    assert "text.hidden" in build.rules(slide, spans, build.white())
    slide = build.slide(text, band, animations=(build.animation(text.id, "exit"),))
    assert build.lint(slide, spans, build.white()) == []


def test_what_is_animated_may_cover_text(build):
    text, band, spans = covered(build)
    slide = build.slide(text, band, animations=(build.animation(band.id),))
    assert build.lint(slide, spans, build.white()) == []


def test_a_picture_over_half_a_line_hides_part_of_it(build):
    text, _band, spans = covered(build)
    picture = build.image(190, 90, 200, 60, name="Photo")
    ink = build.inked(spans)
    ink[90:150, 190:390] = 128
    (found,) = build.lint(build.slide(text, picture), spans, ink)
    assert found.message == 'Photo hides part of "Terms and conditions".'


def test_of_several_places_where_two_texts_meet_the_largest_is_told(build):
    one = build.text("Quarterly results and costs", 100, 100, 300, 60)
    other = build.text("by region of the product", 100, 110, 300, 60)
    spans = [
        build.span("Quarterly results", 107, 105, 280, 121, line=0),
        build.span("and costs", 107, 145, 180, 161, line=1),
        build.span("by region of", 107, 111, 160, 127, line=2),
        build.span("the product", 107, 147, 300, 163, line=3),
    ]
    (found,) = build.lint(build.slide(one, other), spans, build.inked(spans))
    # 53 x 10 px are shared by the upper lines, 73 x 14 by the lower ones
    assert found.message.startswith(
        '"and costs" of the shape “Quarterly results and costs” and "the product" of the shape'
    )
    assert found.measured == 0.88 and found.box == (107, 145, 300, 163)


def side_by_side(build, font):
    one = build.text("Quarterly results", 100, 100, 180, 40, font=font)
    other = build.text("by region", 290, 100, 200, 40)
    spans = [
        build.span("Quarterly results", 107, 105, 320, 121, line=0),
        build.span("by region", 290, 105, 380, 121, line=1),
    ]
    return build.slide(one, other), spans


@pytest.mark.parametrize(
    ("font", "wider", "severity"),
    [
        # 213 px are 142 in a font that is a third narrower, which ends at 249, before 290
        ("Own", 1.5, "info"),
        # 213 px are 209 in its own font, which ends at 316: the two would overlap, too
        ("Own", 1.02, "error"),
        ("Arial", 1.5, "error"),
    ],
)
def test_texts_that_overlap_only_in_a_wider_font_are_worth_knowing(build, font, wider, severity):
    slide, spans = side_by_side(build, font)
    own = {"own": StandIn("Own", "Wide", wider, 1.0)}
    found = build.lint(slide, spans, build.inked(spans), replaced_fonts=own)
    (overlap,) = [item for item in found if item.rule == "text.overlap"]
    assert overlap.severity == severity
    assert ("It is drawn with Wide in place of Own" in overlap.message) is (severity == "info")


@pytest.mark.parametrize(("width", "hidden"), [(24, False), (30, True)])
def test_what_hides_a_letter_is_as_wide_as_one_in_the_frame(build, width, hidden):
    # 20 pt of a slide 405 pt high are 20 * 540 / 405 = 26.7 px of the frame
    text = build.text("Terms and conditions", 100, 100, 300, 40)
    spans = [build.span("Terms and conditions", 107, 105, 280, 121)]
    band = build.rect(180, 90, width, 60, name="Band")
    image = build.inked(spans)
    image[90:150, 180 : 180 + width] = 255
    slide = build.slide(text, band, size_pt=(720.0, 405.0))
    assert ("text.hidden" in build.rules(slide, spans, image)) is hidden


def test_an_overlap_is_measured_by_the_lower_of_both_lines(build):
    one = build.text("Quarterly results", 100, 100, 300, 60)
    other = build.text("by region", 100, 110, 300, 40)
    spans = [
        build.span("Quarterly results", 107, 100, 280, 132, size_pt=40.0, line=0),
        build.span("by region", 107, 120, 200, 136, line=1),
    ]
    (found,) = build.lint(build.slide(one, other), spans, build.inked(spans))
    assert found.measured == 0.75  # 12 of 16 px, not of 32


@pytest.mark.parametrize(("left", "severity"), [(290, "info"), (200, "error")])
def test_what_hides_only_the_end_of_a_text_in_a_wider_font_is_worth_knowing(build, left, severity):
    # 233 px are 155 in a font that is a third narrower, which ends at 262
    text = build.text("Terms and conditions", 100, 100, 300, 40, font="Own")
    spans = [build.span("Terms and conditions", 107, 105, 340, 121)]
    band = build.rect(left, 90, 200, 60, name="Band")
    image = build.inked(spans)
    image[90:150, left : left + 200] = 255
    own = {"own": StandIn("Own", "Wide", 1.5, 1.0)}
    found = build.lint(build.slide(text, band), spans, image, replaced_fonts=own)
    (hidden,) = [item for item in found if item.rule == "text.hidden"]
    assert hidden.severity == severity


def test_lint_warns_of_texts_that_overlap_at_the_end_of_a_slide_on_which_nothing_leaves(build):
    one, other, spans = two_texts(build)
    picture = build.inked(spans)
    arrives = build.slide(one, other, animations=(build.animation(other.id),))
    (found,) = build.told("text.overlap", arrives, spans, picture)
    assert found.severity == "warning" and "once both have come in" in found.message
    third = build.text("", 600, 400)
    both = build.animation(other.id), build.animation(third.id, "exit")
    (found,) = build.told("text.overlap", build.slide(one, other, third, animations=both), spans,
                          picture)  # fmt: skip
    assert found.severity == "info"


def test_lint_warns_of_a_picture_that_comes_in_over_the_end_of_a_text(build):
    text = build.text("Terms and conditions of the sale", 100, 100, 300, 70)
    band = build.rect(90, 130, 320, 60, name="Band")
    spans = [
        build.span("Terms and conditions", 107, 105, 280, 121, line=0),
        build.span("of the sale", 107, 135, 200, 151, line=1),
    ]
    picture = build.inked(spans[:1])
    slide = build.slide(text, band, animations=(build.animation(band.id),))
    (found,) = build.told("text.hidden", slide, spans, picture)
    assert found.severity == "error" and '"of the sale"' in found.message
    assert build.lint(slide, spans, picture) == []
    whole = build.slide(text, build.rect(90, 90, 320, 100), animations=())
    whole = whole.model_copy(update={"animations": (build.animation(whole.rects[0].id),)})
    assert build.told("text.hidden", whole, spans, build.white()) == []
