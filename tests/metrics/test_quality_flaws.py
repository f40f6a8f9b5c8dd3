"""Each flaw of a slide and of a deck, its share worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, log

import pytest

from decklab.core.geometry import Box
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Image, Placeholder, Text
from decklab.deck.model.slide import SlideElements
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.quality import MeasuredSlide, deck_flaws, layout_flaws, style_flaws, word_flaws

FONT = Font(name="Arial", size=20.0, style=(), color="#222222")


def text(words="Some words", box=(96, 120, 700, 60), *, title=False, **font):
    x, y, w, h = map(float, box)
    return Text(
        x=x, y=y, w=w, h=h, text=words, font=FONT.model_copy(update=font), align="left",
        placeholder=Placeholder(type="title") if title else None,
    )  # fmt: skip


def picture(w, h, pixels=(100, 100), **fields):
    return Image(x=96.0, y=120.0, w=float(w), h=float(h), pixels=pixels, **fields)


def seen(*texts, images=(), regions=(), **facts):
    elements = SlideElements(number=1, background="#FFFFFF", texts=texts, images=images)
    return MeasuredSlide(elements, regions, **facts)


def drawn(*boxes):
    return [TextRegion(Box(*box), "words", Box(*box)) for box in boxes]


def lines(*boxes: tuple[float, float, float, float], numbers: Sequence[int] = ()):
    """Drawn lines of text; pieces with one number are one line."""
    given = numbers or range(len(boxes))
    return [
        replace(region, line=number) for region, number in zip(drawn(*boxes), given, strict=True)
    ]


def test_a_slide_without_anything_is_blank_and_has_no_other_flaw():
    nothing = seen()
    flaws = word_flaws(nothing) | layout_flaws(nothing) | style_flaws(nothing)
    assert {name: flaw for name, flaw in flaws.items() if flaw} == {"blank": 1.0, "flat": 1.0}
    assert set(deck_flaws([]).values()) == {0.0}


def test_words_run_together_are_letters_only_and_longer_than_fifteen():
    shares = {
        "a" * 15: 0, "a" * 16: 1, "https://example.org/reports": 0, "short " + "b" * 20: 0.5,
    }  # fmt: skip
    for words, share in shares.items():
        assert word_flaws(seen(text(words)))["joined"] == share


def test_capitals_inside_a_word_are_a_flaw_and_a_word_of_capitals_is_none():
    assert word_flaws(seen(text("tHe dOg runs NATO Kiel")))["capitals"] == pytest.approx(2 / 5)
    known = frozenset({"YouTube"})
    assert word_flaws(seen(text("YouTube films"), known=known))["capitals"] == 0
    assert word_flaws(seen(text("YouTube films")))["capitals"] == 0.5


def test_a_line_of_more_than_twelve_words_is_wordy():
    twelve, thirteen = " ".join(["word"] * 12), " ".join(["word"] * 13)
    assert word_flaws(seen(text(f"{twelve}\n{thirteen}")))["wordy"] == 0.5


def test_hidden_texts_do_not_count():
    hidden = text("a" * 40).model_copy(update={"hidden": True})
    assert word_flaws(seen(hidden, text("word")))["joined"] == 0


def test_a_box_a_little_off_the_lines_of_others_is_unaligned_and_adrift():
    # Of the four boxes the first three share their left edge; the last stands 12 px beside, and
    # no other edge or middle of it is nearer to one of another box.
    boxes = [(100, 50 + 120 * n, 300, 60) for n in range(3)] + [(112, 410, 330, 60)]
    flaws = layout_flaws(seen(*(text(box=box) for box in boxes)))
    assert flaws["unaligned"] == 0.25
    assert flaws["adrift"] == pytest.approx((12 / 24) / 4)
    assert layout_flaws(seen(text()))["unaligned"] == 0


def test_the_overlap_of_a_box_is_its_largest_share_of_the_smaller():
    # 100 x 100 px of the second lie in the first: half of it; the third touches nothing
    boxes = [(0, 0, 400, 200), (300, 100, 200, 100), (600, 300, 100, 100)]
    assert layout_flaws(seen(*(text(box=box) for box in boxes)))["overlap"] == pytest.approx(1 / 3)


def test_boxes_at_the_edge_and_thin_boxes_are_shares_of_all():
    boxes = [(11, 100, 300, 60), (100, 100, 300, 60), (100, 300, 300, 7), (12, 300, 300, 60)]
    flaws = layout_flaws(seen(*(text(box=box) for box in boxes)))
    assert flaws["margin"] == 0.25 and flaws["thin"] == 0.25
    low = [(100, 481, 300, 48), (100, 480, 300, 48), (648, 100, 300, 60), (649, 100, 300, 60)]
    assert layout_flaws(seen(*(text(box=box) for box in low)))["margin"] == 0.5


@pytest.mark.parametrize(
    ("ink", "cut"),
    [
        ((100, 125, 300, 170), 0),
        ((950, 125, 961, 170), 0),  # 1 of 11 px lies off the slide
        ((950, 125, 962, 170), 1),  # 2 of 12 px do
        ((100, -6, 200, 40), 1),
        ((-90, 125, -10, 170), 1),
    ],
)
def test_text_is_cut_if_more_than_a_tenth_of_its_ink_lies_off_the_slide(ink, cut):
    inks = drawn((100, 125, 300, 170), ink)
    assert layout_flaws(seen(text(), regions=inks))["cut"] == cut


@pytest.mark.parametrize(
    ("regions", "share"),
    [
        (lines((0, 0, 90, 20), (0, 24, 90, 44)), 0),
        (lines((0, 0, 90, 20), (0, 15, 90, 35)), 0),  # 5 of 20 px: ascenders may meet
        (lines((0, 0, 90, 20), (0, 13, 90, 33)), 1),
        (lines((0, 0, 90, 20), (0, 13, 90, 33), (0, 50, 90, 70), (0, 80, 90, 99)), 0.5),
        (lines((0, 0, 90, 20), (86, 0, 190, 20)), 0),  # 4 px along the line
        (lines((0, 0, 90, 20), (60, 0, 190, 20), numbers=(7, 7)), 0),  # pieces of a line
    ],
)
def test_lines_that_run_into_each_other_are_overprinted(regions, share):
    assert layout_flaws(seen(text(), regions=regions))["overprinted"] == share


def test_ink_outside_every_box_overflows():
    inks = drawn((100, 125, 300, 170), (950, 125, 961, 170), (100, 160, 300, 200), (-1, 0, 9, 9))
    flaws = layout_flaws(seen(text(), regions=inks))
    assert flaws["overflow"] == 0.75  # of the third, 20 of 40 px lie in the box
    nearly = drawn((100, 130, 300, 181))  # 50 of 51 px
    assert layout_flaws(seen(text(), regions=nearly))["overflow"] == 0


@pytest.mark.parametrize(
    ("shown", "stretched"),
    [
        (picture(300, 300), 0),
        (picture(400, 300), log(4 / 3) / 0.5),
        (picture(300, 400), log(4 / 3) / 0.5),
        (picture(400, 300, (800, 600)), 0),
        (picture(300, 100), 1),
        (picture(0, 100), 0),
        (picture(300, 300, ()), 0),
    ],
)
def test_a_stretched_picture_is_measured_by_its_ratio_of_sides(shown, stretched):
    assert layout_flaws(seen(images=(shown,)))["stretched"] == pytest.approx(stretched)


def test_a_cropped_picture_has_the_ratio_of_what_is_left():
    half = picture(200, 400).model_copy(deep=True)
    crop = half.crop.model_copy(update={"left": 0.25, "right": 0.25})
    kept = half.model_copy(update={"crop": crop})
    assert layout_flaws(seen(images=(kept,)))["stretched"] == pytest.approx(0, abs=1e-9)
    assert layout_flaws(seen(images=(half,)))["stretched"] == 1


def test_the_balance_is_that_of_areas_about_the_middle():
    assert layout_flaws(seen(text(box=(380, 220, 200, 100))))["unbalanced"] == pytest.approx(0)
    # middles at x 580 and 180 with areas 2 to 1: 446.7, which is 33.3 of 480 px off; y at 270
    boxes = [(480, 220, 200, 100), (130, 220, 100, 100)]
    off = layout_flaws(seen(*(text(box=box) for box in boxes)))["unbalanced"]
    assert off == pytest.approx(hypot((480 - (580 * 2 + 180) / 3) / 480, 0))


def test_sizes_under_12_and_over_60_points_are_odd_and_from_18_on_legible():
    sizes = (11.9, 12.0, 18.0, 60.0, 60.1)
    flaws = style_flaws(seen(*(text(size=size) for size in sizes)))
    assert flaws["small"] == flaws["large"] == 0.2
    assert flaws["tiny"] == pytest.approx(((1 - 11.9 / 18) + (1 - 12 / 18)) / 5)
    assert flaws["sizes"] == pytest.approx(2 / 5)  # 12, 18 and 60 when rounded: two more than one


def test_emphasis_and_typefaces_are_counted_beyond_the_first():
    items = (
        text(style=("bold",)), text(style=("italic",)), text(style=("underscore",)),
        text(name="Georgia", color="#AA0000"),
    )  # fmt: skip
    flaws = style_flaws(seen(*items))
    assert flaws["italic"] == flaws["underlined"] == 0.25
    assert flaws["marks"] == 1.0  # four kinds of emphasis are three more than one
    assert flaws["families"] == pytest.approx(1 / 3) and flaws["colors"] == 0.25


@pytest.mark.parametrize(
    ("color", "loud"),
    [("#FF0000", 1), ("#FF3F3F", 1), ("#FF4040", 0), ("#BF0000", 0), ("#C00000", 1),
     ("#F0F4FF", 0), ("#000000", 0), ("#FFFFFF", 0)],
)  # fmt: skip
def test_loud_colours_are_bright_and_saturated(color, loud):
    """Both over 0.75: 192 of 255 is 0.753, 191 is 0.749; 255 - 63 of 255 is 0.753."""
    assert style_flaws(seen(text(color=color)))["loud"] == loud


def page(*texts, place=(96, 40)):
    return seen(text("A title", (*place, 700, 60), title=True), *texts)


def test_a_deck_of_many_typefaces_counts_those_beyond_three():
    names = ["Arial", "Georgia", "Verdana", "Courier New", "Impact"]
    pages = [page(text(name=name)) for name in names]
    assert deck_flaws(pages[:3])["many_families"] == 0
    assert deck_flaws(pages)["many_families"] == pytest.approx(2 / 3)


def test_a_slide_of_more_than_ninety_words_is_dense():
    eighty_eight, eighty_nine = (text(" ".join(["word"] * count)) for count in (88, 89))
    assert deck_flaws([page(eighty_eight), page(eighty_nine)])["dense"] == 0.5  # and two of a title


def test_fine_print_and_headlines_are_measured_as_drawn():
    fine = style_flaws(seen(regions=drawn((0, 0, 90, 5), (0, 50, 90, 65))))
    assert fine["fine"] == pytest.approx((0.75 + 0.25) / 2)  # lines of 5 and 15 of 20 px
    assert fine["flat"] == pytest.approx(0.75)  # the tallest has 15 of 60 px
    large = style_flaws(seen(regions=drawn((0, 0, 500, 70))))
    assert (large["fine"], large["flat"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("background", "colorfulness", "plain"),
    [("#FFFFFF", 0.0, 1.0), ("#FAFAFA", 10.0, 0.75), ("#FFFFFF", 80.0, 0.0), ("#EEEEEE", 0.0, 0.0)],
)
def test_plain_is_a_white_ground_with_few_colours(background, colorfulness, plain):
    elements = SlideElements(number=1, background=background)
    flaws = style_flaws(MeasuredSlide(elements, [], colorfulness=colorfulness))
    assert flaws["plain"] == pytest.approx(plain)


def test_many_words_are_a_share_of_a_hundred_and_twenty():
    assert word_flaws(seen(text("word " * 30)))["many"] == pytest.approx(0.25)
    assert word_flaws(seen(text("word " * 300)))["many"] == 1.0
