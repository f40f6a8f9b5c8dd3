import pytest

from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page, StandIn

LONG = "one two three four five six seven eight"


def test_text_past_its_painted_shape_is_measured_in_px_and_lines(build):
    text = build.text(LONG, 100, 100, 300, 60)
    slide = build.slide(build.behind(text), text)
    (found,) = build.lint(slide, build.lines(text, top=110, count=4))
    assert found.rule == "text.overflow" and found.severity == "error"
    # the fourth line ends at 110 + 3 * 24 + 16 = 198, the shape at 160
    assert found.measured == 38 and "38 px (1.6 lines) below its shape" in found.message
    assert found.shape == "Shape 1 (id 1)"
    assert found.box == (107, 110, 380, 198)


def test_text_that_fits_or_all_but_fits_is_left_alone(build):
    text = build.text(LONG, 100, 100, 300, 60)
    slide = build.slide(build.behind(text), text)
    assert build.lint(slide, build.lines(text, top=110, count=2)) == []
    # 172 - 160 = 12 px is half a line of 24
    assert build.lint(slide, build.lines(text, top=100, count=3)[:3]) == []


def test_a_shape_that_grows_with_its_text_is_left_alone(build):
    text = build.text(LONG, 100, 100, 300, 60, autofit="grow")
    slide = build.slide(build.behind(text), text)
    assert build.lint(slide, build.lines(text, top=110, count=4)) == []


def test_a_box_that_is_not_painted_is_worth_knowing_only(build):
    text = build.text(LONG, 100, 100, 300, 60)
    (found,) = build.lint(build.slide(text), build.lines(text, top=110, count=4))
    assert found.severity == "info" and "no fill or line" in found.message
    assert build.lint(build.slide(text), build.lines(text, top=110, count=3)) == []


def test_text_leaves_the_card_it_stands_on(build):
    card = build.rect(90, 90, 320, 90, name="Card")
    text = build.text(LONG, 100, 100, 300, 70, autofit="grow")
    (found,) = build.lint(build.slide(card, text), build.lines(text, top=110, count=5))
    assert found.rule == "text.overflow" and "below Card, on which it stands" in found.message


def test_a_ground_as_large_as_the_slide_is_no_card(build):
    ground = build.rect(0, 0, 960, 175)
    wide = build.rect(0, 0, 960, 400)
    text = build.text(LONG, 100, 100, 300, 70, autofit="grow")
    spans = build.lines(text, top=110, count=5)
    assert build.rules(build.slide(ground, text), spans) == ["text.overflow"]
    assert build.rules(build.slide(wide, text), spans) == []


def test_long_words_run_out_at_the_side_of_a_painted_shape(build):
    text = build.text("Internationalization", 100, 100, 120, 40)
    slide = build.slide(build.behind(text), text)
    (found,) = build.lint(slide, [build.span("Internationalization", 107, 110, 300, 126)])
    assert "80 px to the right of its shape" in found.message and found.severity == "warning"


def test_a_font_that_stands_in_may_be_the_cause(build):
    text = build.text(LONG, 100, 100, 300, 60, font="Aptos")
    slide = build.slide(build.behind(text), text)
    spans = build.lines(text, top=120, count=4)
    aptos = {"aptos": StandIn("Aptos", "Noto Sans")}
    (found,) = build.lint(slide, spans, replaced_fonts=aptos)
    # four lines may be three in a narrower font, with 13 % less between them: 58 px for 88
    assert found.measured == 48 and found.severity == "error"
    (found,) = build.lint(slide, build.lines(text, top=98, count=4), replaced_fonts=aptos)
    assert found.measured == 26 and found.severity == "info"
    assert found.message.endswith(
        "It is drawn with Noto Sans in place of Aptos: it may fit where Aptos is installed."
    )


def test_known_widths_of_a_font_decide_whether_the_text_would_fit_in_it(build):
    text = build.text(LONG, 100, 100, 300, 60, font="Own")
    slide = build.slide(build.behind(text), text)
    spans = build.lines(text, top=98, count=4)  # 26 px past the bottom

    def severity(wider, taller):
        own = {"own": StandIn("Own", "Drawn", wider, taller)}
        (found,) = build.lint(slide, spans, replaced_fonts=own)
        return found.severity, "may fit" in found.message

    assert severity(1.0, 1.0) == ("error", False)  # as wide as its own: it is the text
    assert severity(0.9, 0.9) == ("error", False)  # in its own font it would run over still more
    assert severity(1.4, 1.0) == ("info", True)  # 4 / 1.4 lines are 3, and 22 of 88 px less


@pytest.mark.parametrize("field", [{"hidden": True}, {"rotation": 30.0}])
def test_hidden_and_turned_texts_are_not_judged(build, field):
    text = build.text(LONG, 100, 100, 300, 60, **field)
    assert build.lint(build.slide(text), build.lines(text, top=110, count=4)) == []


def test_text_past_the_bottom_of_the_slide_is_told_once(build):
    text = build.text(LONG, 100, 460, 300, 60)
    slide = build.slide(build.behind(text), text)
    (found,) = build.lint(slide, build.lines(text, top=480, count=4))
    assert found.rule == "text.off-slide" and found.severity == "error"
    # ink ends at 480 + 3 * 24 + 16 = 568; lines 3 and 4 have their middle below 540
    assert found.measured == 28 and "28 px past the bottom of the slide (1 line lost)" in (
        found.message
    )


def test_a_table_whose_rows_grow_off_the_slide_is_found_by_its_text(build):
    table = build.table(100, 400, 300, 80, [["alpha", "beta"], ["gamma", "delta"]])
    spans = [
        build.span("alpha", 110, 420, 150, 436),
        build.span("beta", 260, 420, 300, 436, line=1),
        build.span("gamma", 110, 548, 150, 564, line=2),
        build.span("delta", 260, 548, 300, 564, line=3),
    ]
    (found,) = build.lint(build.slide(table), spans)
    assert found.rule == "text.off-slide" and found.message.startswith("The table Shape 1 runs 24")


def test_what_animations_move_may_leave_the_slide(build):
    text = build.text(LONG, 100, 460, 300, 60)
    spans = build.lines(text, top=500, count=4)
    slide = build.slide(text, animations=(build.animation(text.id, "motion"),))
    assert "text.off-slide" not in build.rules(slide, spans)


def test_the_same_place_on_three_slides_is_one_finding(build):
    slides, pages = [], []
    for number in (1, 2, 3):
        text = build.text(f"{LONG} {number}", 100, 100, 300, 60)
        slides.append(build.slide(build.behind(text), text, number=number))
        pages.append(Page(number, build.lines(text, top=110, count=4)))
    (found,) = integrity_findings(build.deck(*slides), pages)
    assert found.slide == 1 and found.message.endswith("The same on 3 slides: 1-3.")
    assert len(integrity_findings(build.deck(*slides[:2]), pages[:2])) == 2


def test_words_beside_the_fill_of_a_round_shape(build):
    text = build.text("Wide words here", 100, 100, 120, 60)
    circle = build.behind(text, geometry="ellipse")
    span = build.span("Wide words here", 80, 110, 240, 126, color="#000000")
    image = build.white()
    image[100:160, 100:220] = (0x33, 0x66, 0x99)
    image[110:126, 80:240:8] = 0
    image[110:126, 81:240:8] = 0
    (found,) = build.lint(build.slide(circle, text), [span], image)
    assert found.rule == "text.overflow" and found.severity == "warning"
    assert (
        found.message == "The shape “Wide words here” stands partly beside the fill of its shape."
    )
    image[100:160, 60:260] = (0x33, 0x66, 0x99)
    image[110:126, 80:240:8] = 0
    again = build.lint(build.slide(circle, text), [span], image)
    assert "beside the fill" not in " ".join(item.message for item in again)


def test_text_that_the_edge_just_cuts_is_a_warning(build):
    text = build.text("Source: our own figures", 100, 520, 300, 20)
    cut = build.span("Source: our own figures", 107, 528, 300, 543)
    (found,) = build.lint(build.slide(text), [cut])
    assert (found.rule, found.severity, found.measured) == ("text.off-slide", "warning", 3.0)
    near = build.span("Source: our own figures", 107, 523, 300, 538)
    (found,) = build.lint(build.slide(text), [near])
    assert (found.rule, found.severity, found.measured) == ("text.margin", "warning", 2.0)
    clear = build.span("Source: our own figures", 107, 520, 300, 535)
    assert build.lint(build.slide(text), [clear]) == []


def test_only_the_worst_of_what_one_text_runs_over_is_told(build):
    text = build.text(LONG, 100, 100, 300, 60, placeholder="title")
    slide = build.slide(build.behind(text), text, build.image(100, 150, 300, 100))
    spans = build.lines(text, top=110, count=4)
    image = build.inked(spans)
    for row in range(150, 250):
        block = image[row, 100:400]
        color = ((220, 30, 30), (30, 160, 30), (30, 30, 220))[row // 3 % 3]
        block[block.min(axis=1) > 100] = color
    rules = {item.rule for item in build.lint(slide, spans, image)}
    assert "text.on-object" in rules and "text.overflow" not in rules


def test_a_label_put_on_a_chevron_reaches_past_its_fill(build):
    chevron = build.rect(100, 100, 160, 60, geometry="chevron")
    text = build.text("Preparation of", 80, 110, 200, 40)
    span = build.span("Preparation of", 98, 122, 262, 138, color="#000000")
    image = build.white()
    image[100:160, 130:240] = (0x33, 0x66, 0x99)
    image[122:138, 98:262:8] = 0
    (found,) = build.lint(build.slide(chevron, text), [span], image)
    assert found.message == (
        "The shape “Preparation of” stands partly beside the fill of Shape 1, on which it stands."
    )
    aside = build.text("Preparation of", 180, 110, 200, 40)
    apart = build.span("Preparation of", 150, 122, 270, 138, color="#000000")
    assert build.lint(build.slide(chevron, aside), [apart], image) == []  # not its label


def test_words_that_are_not_drawn_beyond_the_edge_are_lost(build):
    first = build.text("The first line stands", 100, 100, 300, 30)
    shown = build.span("The first line stands", 107, 105, 300, 120)
    low = build.text("Nobody reads the end", 100, 500, 300, 80)
    slide = build.slide(first, low)
    (found,) = build.lint(slide, [shown])
    assert (found.rule, found.severity) == ("text.off-slide", "error")
    assert "all of its words are lost" in found.message
    # The same box wholly on the slide, or wholly off it, is another matter.
    inside = build.slide(first, build.text("Nobody reads the end", 100, 400, 300, 80))
    assert "text.off-slide" not in build.rules(inside, [shown])
    outside = build.slide(first, build.text("Nobody reads the end", 100, 560, 300, 80))
    assert "text.off-slide" not in build.rules(outside, [shown])


def test_ink_wholly_below_a_box_that_is_partly_on_the_slide(build):
    text = build.text("Just below the edge", 100, 500, 300, 80)
    (found,) = build.lint(
        build.slide(text), [build.span("Just below the edge", 107, 545, 300, 561)]
    )
    assert found.rule == "text.off-slide" and found.measured == 21


@pytest.mark.parametrize(
    ("bottom", "severity"),
    # a line of 20 pt is 24 px high with its leading: half of it is 12 px
    [(551.9, "warning"), (552.0, "warning"), (552.1, "error")],
)
def test_text_cut_by_half_a_line_and_more_is_an_error(build, bottom, severity):
    text = build.text("Source: our own figures", 100, 520, 300, 20)
    span = build.span("Source: our own figures", 107, bottom - 15, 300, bottom)
    (found,) = build.lint(build.slide(text), [span])
    assert (found.rule, found.severity) == ("text.off-slide", severity)


def test_footers_that_the_edge_just_cuts_are_worth_knowing_only(build):
    footer = build.text("Source: our own figures", 100, 520, 300, 20, placeholder="ftr")
    span = build.span("Source: our own figures", 107, 528, 300, 543)
    (found,) = build.lint(build.slide(footer), [span])
    assert (found.rule, found.severity) == ("text.off-slide", "info")
    far = build.span("Source: our own figures", 107, 545, 300, 560)
    (found,) = build.lint(build.slide(footer), [far])
    assert found.severity == "error"


def round_label(build, filled, *, text=None, **fields):
    """Words on a circle of which the picture shows the columns ``filled`` in its colour."""
    text = build.text("Wide words here", 100, 100, 120, 60) if text is None else text
    circle = build.behind(text, geometry="ellipse")
    span = build.span("Wide words here", 80, 110, 240, 126, color="#000000")
    image = build.white()
    image[100:160, filled[0] : filled[1]] = (0x33, 0x66, 0x99)
    image[110:126, 80:240:8] = 0
    image[110:126, 81:240:8] = 0
    found = build.lint(build.slide(circle, text, **fields), [span], image)
    return [item.message for item in found if "beside the fill" in item.message]


def test_words_wholly_beside_a_fill_are_no_label_of_it(build):
    assert len(round_label(build, (100, 220))) == 1
    assert round_label(build, (600, 700)) == []


def test_animated_and_highlighted_labels_are_not_judged_by_their_fill(build):
    text = build.text("Wide words here", 100, 100, 120, 60)
    moving = {"animations": (build.animation(text.id),)}
    assert round_label(build, (100, 220), text=text, **moving) == []
    (paragraph,) = text.paragraphs
    (run,) = paragraph.runs
    marked = run.model_copy(update={"font": run.font.model_copy(update={"highlight": "#FFFF00"})})
    lines = (paragraph.model_copy(update={"runs": (marked,)}),)
    assert round_label(build, (100, 220), text=text.model_copy(update={"paragraphs": lines})) == []


def test_of_several_lines_beside_a_fill_the_one_farthest_out_is_told(build):
    text = build.text("Wide words here", 100, 100, 120, 90)
    circle = build.behind(text, geometry="ellipse")
    spans = [
        build.span("Wide", 110, 110, 230, 126, line=0),
        build.span("words", 80, 134, 240, 150, line=1),
        build.span("here", 110, 158, 230, 174, line=2),
    ]
    image = build.white()
    image[100:190, 100:220] = (0x33, 0x66, 0x99)
    for span in spans:
        left, top, right, bottom = map(int, span.box)
        for column in (0, 1):
            image[top:bottom, left + column : right : 8] = 0
    found = build.lint(build.slide(circle, text), spans, image)
    (told,) = [item for item in found if "beside the fill" in item.message]
    assert told.message.startswith('"words" of ') and told.box == (80, 134, 240, 150)


def test_a_text_without_a_place_in_the_drawing_order_has_no_card(build):
    card = build.rect(90, 90, 320, 90, name="Card")
    text = build.text(LONG, 100, 100, 300, 70, autofit="grow", z=None)
    assert build.lint(build.slide(card, text), build.lines(text, top=110, count=5)) == []
