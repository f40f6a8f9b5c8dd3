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
