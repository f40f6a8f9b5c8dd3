import pytest

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.editability.text import (
    broken_paragraphs,
    broken_share,
    is_raster_slide,
    judge_text,
    needs_reflow,
)
from decklab.metrics.editability.verdict import ReflowFacts

FULL = (0, 0, 960, 540)
BODY = "A sentence that is long enough to be more than a label."


def doubled(shape, ink, lines=2):
    return ReflowFacts(1, shape.id, shape.box, None if ink is None else Box(*ink), lines)


def judge_one(build, shape, ink):
    deck = build.deck(build.slide(shape))
    return judge_text(deck, lambda: [doubled(shape, ink)])


def test_a_full_slide_picture_with_a_page_number_is_a_raster_slide(build):
    assert is_raster_slide(build.slide(build.picture(FULL), build.text("page 12")))
    assert not is_raster_slide(build.slide(build.picture(FULL), build.text(BODY)))
    assert not is_raster_slide(build.slide(build.picture((0, 0, 480, 540)), build.shape()))
    assert not is_raster_slide(build.slide(build.picture(FULL), build.media()))
    assert not is_raster_slide(build.slide(build.picture(FULL), build.title("Top")))
    assert not is_raster_slide(build.slide(build.picture(FULL), *[build.shape()] * 3))


def test_a_letterboxed_page_alone_on_the_slide_is_a_raster_slide(build):
    assert not is_raster_slide(build.slide(build.picture((300, 0, 650, 540))))
    assert is_raster_slide(build.slide(build.picture((120, 0, 840, 540))))


def test_an_own_background_picture_with_nothing_on_it_is_a_raster_slide(build):
    background = build.picture_background()
    assert is_raster_slide(build.slide(background=background))
    assert not is_raster_slide(build.slide(build.shape(), background=background))


def test_mostly_raster_slides_are_level_0_without_any_drawing(build, never):
    raster, native = build.slide(build.picture(FULL)), build.slide(build.title("Hello there"))
    gate = judge_text(build.deck(raster, raster, native), never)
    assert (gate.outcome, gate.drop_to) == ("failed", 0)
    assert "2 of 3 (67 %)" in gate.summary
    assert [item.slide for item in gate.evidence] == [1, 2]
    assert {item.rule for item in gate.evidence} == {"editability.raster-slide"}


def test_half_raster_slides_are_not_most(build):
    raster, native = build.slide(build.picture(FULL)), build.slide(build.title("Hello there"))
    gate = judge_text(build.deck(raster, native), list)
    assert gate.outcome == "passed"
    assert [(item.slide, item.severity) for item in gate.evidence] == [(1, "warning")]


def test_broken_paragraphs_are_level_1_without_any_drawing(build, never):
    words = ("This line goes on", "and on and then", "ends here")
    lines = [
        build.text(line, (100, 100 + 22 * row, 400, 120 + 22 * row), size=16)
        for row, line in enumerate(words)
    ]
    gate = judge_text(build.deck(build.slide(*lines)), never)
    assert (gate.outcome, gate.drop_to) == ("failed", 1)
    assert gate.evidence[0].rule == "editability.text-fragments"


def test_text_that_wraps_inside_its_box_passes(build):
    gate = judge_one(build, build.text(BODY, (100, 100, 500, 200)), (104, 104, 490, 150))
    assert gate.outcome == "passed"
    assert "stays in 1 of 1 (100 %)" in gate.summary and "checked 1 of 1" in gate.summary


@pytest.mark.parametrize(
    ("ink", "words"),
    [
        ((104, 104, 490, 150), "past the bottom of its box"),
        ((104, 80, 490, 118), "past the top of its box"),
    ],
)
def test_a_box_of_fixed_height_must_hold_doubled_text(build, ink, words):
    gate = judge_one(build, build.text(BODY, (100, 100, 500, 120)), ink)
    assert (gate.outcome, gate.drop_to) == ("failed", 1)
    assert words in gate.evidence[0].message and "Autofit" in gate.mend
    assert "stays in 0 of 1 (0 %) boxes" in gate.summary
    assert "on the slide in 1 of 1 (100 %)" in gate.summary


def test_by_the_looser_criterion_text_may_leave_its_box_but_not_the_slide(build):
    shape = build.text(BODY, (100, 100, 500, 120))
    deck = build.deck(build.slide(shape))
    grown = judge_text(deck, lambda: [doubled(shape, (104, 104, 490, 150))], "slide")
    assert grown.outcome == "passed" and grown.evidence == () and grown.mend == ""
    gone = judge_text(deck, lambda: [doubled(shape, (104, 104, 490, 560))], "slide")
    assert gone.outcome == "failed"


def test_a_box_that_grows_holds_its_text(build):
    shape = build.text(BODY, (100, 100, 500, 120), autofit="grow")
    gate = judge_one(build, shape, (104, 104, 490, 150))
    assert gate.outcome == "passed" and "stays in 1 of 1" in gate.summary


@pytest.mark.parametrize(
    ("wraps", "words", "ink", "complaint"),
    [
        (True, BODY, (104, 104, 700, 120), "leaves its box at the side"),
        (True, BODY, (104, 104, 490, 560), "runs off the slide"),
        (False, BODY, (104, 104, 480, 120), "runs on in one line"),
        (False, "Very wide title", (104, 104, 1200, 120), "runs off the slide: the box does not"),
        (
            False,
            "委员会上周决定所有提案必须在星期五之前提交给我们大家看",
            (104, 104, 900, 120),
            "runs on",
        ),
    ],
)
def test_text_that_does_not_stay_fails_at_level_1(build, wraps, words, ink, complaint):
    gate = judge_one(build, build.text(words, wraps=wraps), ink)
    assert (gate.outcome, gate.drop_to) == ("failed", 1)
    assert complaint in gate.evidence[0].message
    assert gate.evidence[0].severity == "error"


def test_a_label_that_does_not_wrap_passes_on_the_slide(build):
    gate = judge_one(build, build.text("Net sales", wraps=False), (104, 104, 300, 120))
    assert gate.outcome == "passed"


def test_one_bad_box_of_two_is_only_remarked(build):
    good, bad = build.text(BODY, (100, 100, 500, 200)), build.text(BODY, wraps=False)
    deck = build.deck(build.slide(good, bad))
    facts = [doubled(good, (104, 104, 490, 150)), doubled(bad, (104, 104, 900, 120), 1)]
    gate = judge_text(deck, lambda: facts)
    assert gate.outcome == "passed"
    assert [item.severity for item in gate.evidence] == ["info"]


def test_text_that_was_not_found_is_not_held_against_the_deck(build):
    gate = judge_one(build, build.text(BODY), None)
    assert gate.outcome == "passed"
    assert "no box was of a kind that can be tried" in gate.summary


def test_without_text_there_is_nothing_to_double(build, never):
    assert judge_text(build.deck(build.slide(build.shape())), never).outcome == "not_applicable"


def test_without_a_drawing_the_gate_is_not_scored(build):
    deck = build.deck(build.slide(build.text(BODY)))
    gate = judge_text(deck, lambda: NotScored("LibreOffice is missing"))
    assert gate.outcome == "not_scored" and "LibreOffice is missing" in gate.summary


LINES = ("The committee decided last", "week that all proposals must", "be handed in by Friday.")


def stack(build, lines, left=100, step=22, **fields):
    return [
        build.text(words, (left, 100 + step * index, left + 8 * len(words), 120 + step * index),
                   size=16, **fields)
        for index, words in enumerate(lines)
    ]  # fmt: skip


def test_lines_that_read_on_are_one_broken_paragraph(build):
    slide = build.slide(*stack(build, LINES))
    (found,) = broken_paragraphs(slide, 1.0)
    assert found.text == " ".join(LINES)
    assert found.box.top == 100 and found.box.bottom == 164


def test_the_order_of_shapes_in_the_file_does_not_matter(build):
    slide = build.slide(*reversed(stack(build, LINES)))
    assert len(broken_paragraphs(slide, 1.0)[0].lines) == 3


@pytest.mark.parametrize(
    "lines",
    [
        ("Strategy", "Policy", "Programs"),
        ("We stop here.", "and begin anew"),
        ("2019 was good", "2020 was not"),
    ],
)
def test_lists_and_finished_sentences_are_no_paragraph(build, lines):
    assert broken_paragraphs(build.slide(*stack(build, lines)), 1.0) == []


def test_columns_distances_sizes_and_placeholders_keep_lines_apart(build):
    first, second = stack(build, LINES[:2])
    (aside,) = stack(build, LINES[1:2], left=400)
    far = stack(build, LINES[:2], step=60)
    large = build.text(LINES[1], (100, 122, 400, 160), size=24)
    placeholders = stack(build, LINES, placeholder="body")
    for shapes in ((first, aside), far, (first, large), placeholders):
        assert broken_paragraphs(build.slide(*shapes), 1.0) == []
    assert len(broken_paragraphs(build.slide(first, second), 1.0)) == 1


def test_a_box_of_several_lines_is_whole(build):
    whole = build.text(" ".join(LINES), (100, 100, 300, 190), size=16)
    assert broken_paragraphs(build.slide(whole, *stack(build, ["and so on"])), 1.0) == []


def test_scripts_without_case_read_on_where_the_line_was_full(build):
    full, rest, short = "委员会上周决定所有提案必须", "在星期五之前提交", "目录"
    assert broken_paragraphs(build.slide(*stack(build, (full, rest))), 1.0)
    assert not broken_paragraphs(build.slide(*stack(build, (short, full))), 1.0)


def test_the_share_counts_characters_of_all_text(build):
    whole = build.text("x" * 67, (100, 300, 900, 400))
    share, broken = broken_share(build.deck(build.slide(*stack(build, LINES), whole)))
    inside = sum(len(line.replace(" ", "")) for line in LINES)
    assert share == pytest.approx(inside / (inside + 67))
    assert len(broken) == 1


def test_a_deck_without_text_has_no_broken_share(build):
    assert broken_share(build.deck(build.slide(build.shape()))) == (0.0, [])


def test_lines_around_one_centre_are_one_paragraph(build):
    lines = [
        build.text("We measured every quay and", (300, 100, 660, 126)),
        build.text("found the same", (400, 128, 560, 154)),
    ]
    assert len(broken_paragraphs(build.slide(*lines), 1.0)) == 1
    aside = build.text("found the same", (600, 128, 760, 154))
    assert broken_paragraphs(build.slide(lines[0], aside), 1.0) == []


def test_a_picture_with_up_to_fifteen_letters_is_a_raster_slide(build):
    assert is_raster_slide(build.slide(build.picture(FULL), build.text("page 12 of 3456789")))
    assert not is_raster_slide(build.slide(build.picture(FULL), build.text("x" * 16)))
    behind = build.picture_background()
    assert is_raster_slide(build.slide(build.text("x" * 15), background=behind))
    assert not is_raster_slide(build.slide(build.text("x" * 16), background=behind))


def test_only_decks_of_whole_texts_need_a_drawing(build):
    raster = build.slide(build.picture(FULL))
    broken = build.slide(*stack(build, LINES))
    whole = build.slide(build.text(BODY))
    assert needs_reflow(build.deck(whole))
    assert needs_reflow(build.deck(whole, raster))
    assert not needs_reflow(build.deck(raster))
    assert not needs_reflow(build.deck(broken))
    assert not needs_reflow(build.deck(build.slide(build.shape())))


def test_one_text_that_does_not_wrap_among_others_that_do_not_hold_names_both_ways(build):
    tall, wide = build.text(BODY, (100, 100, 500, 120)), build.text(BODY, wraps=False)
    deck = build.deck(build.slide(tall, wide))
    facts = [doubled(tall, (104, 104, 490, 150)), doubled(wide, (104, 104, 900, 120), 1)]
    gate = judge_text(deck, lambda: facts)
    assert gate.outcome == "failed"
    assert "Wrap text in shape" in gate.mend and "Autofit" in gate.mend
    hold, wrap = (item.fix for item in gate.evidence)
    assert gate.mend == f"{wrap} {hold}"
    only = judge_text(build.deck(build.slide(wide)), lambda: facts[1:])
    assert only.mend == wrap
