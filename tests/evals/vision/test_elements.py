"""Elements told from a picture alone, on pictures drawn here and on real slides."""

from statistics import fmean

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from decklab.core.geometry import Box
from decklab.deck.model.base import PlainSlide
from decklab.deck.reading import read_elements
from decklab.deck.views.drawn import merge_layout
from decklab.deck.views.snapshot import plain_slide
from decklab.evals.vision.elements import extract_from_picture, find_grids
from decklab.evals.vision.surfaces import (
    background_of,
    find_frames,
    find_strokes,
    find_surfaces,
    is_level,
)
from decklab.evals.vision.text import TextLine, ink_em, merge_lines, stem_share
from decklab.metrics.element_matching import match_slide
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import can_read_pictures

needs_ocr = pytest.mark.skipif(not can_read_pictures(), reason="RapidOCR is not installed")
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def canvas(color=WHITE, size=(1920, 1080)):
    image = Image.new("RGB", size, color)
    return image, ImageDraw.Draw(image)


def pixels(image):
    return np.asarray(image, np.uint8)


def line(text, box, size=20.0, color=BLACK, bold=False):
    return TextLine(text, Box(*box), size, bold, color, WHITE)


@pytest.mark.long
@needs_ocr
def test_text_areas_rules_and_pictures_are_found_where_they_were_drawn():
    image, pen = canvas()
    pen.text((200, 100), "Quarterly results", fill="#1F3864", font=ImageFont.load_default(96))
    pen.rectangle((200, 500, 799, 799), fill="#C00000")
    pen.line((200, 300, 1700, 300), fill="#00B050", width=6)
    noise = np.random.default_rng(1).integers(0, 255, (30, 40, 3), dtype=np.uint8)
    image.paste(Image.fromarray(noise).resize((600, 450)), (1100, 500))
    found = extract_from_picture(pixels(image))
    assert found.background == "#FFFFFF"
    [title] = found.texts
    assert title.text == "Quarterly results"
    assert title.font.color == "#1F3864"
    assert title.font.size == pytest.approx(48, rel=0.12)
    assert title.x == pytest.approx(100, abs=6)
    assert title.y == pytest.approx(57, abs=10)
    [rect] = found.rects
    assert (rect.x, rect.y, rect.w, rect.h) == pytest.approx((100, 250, 300, 150), abs=1.5)
    assert rect.fill == "#C00000"
    [rule] = found.lines
    assert (rule.x1, rule.y1, rule.x2, rule.y2) == pytest.approx((100, 150, 850, 150), abs=3)
    assert rule.strokeWidth == pytest.approx(3, abs=1)
    [picture] = found.images
    assert (picture.x, picture.y, picture.w, picture.h) == pytest.approx(
        (550, 250, 300, 225), abs=4
    )
    assert PlainSlide.model_validate_json(found.model_dump_json()) == found


@pytest.mark.by_day(1)
@needs_ocr
@pytest.mark.parametrize("color", [WHITE, BLACK, (30, 60, 90)])
def test_a_slide_of_one_colour_has_a_background_and_nothing_else(color):
    image, _pen = canvas(color, (640, 360))
    found = extract_from_picture(pixels(image))
    assert found.background == "#{:02X}{:02X}{:02X}".format(*color)
    assert (found.texts, found.rects, found.lines, found.images, found.tables) == ((),) * 5


def test_the_background_is_what_surrounds_a_large_picture():
    image, pen = canvas((20, 40, 60), (960, 540))
    pen.rectangle((150, 90, 800, 450), fill=WHITE)
    assert background_of(pixels(image)) == (20, 40, 60)


def test_outlines_without_a_fill_are_areas_with_a_stroke():
    image, pen = canvas(size=(960, 540))
    pen.rectangle((100, 100, 500, 300), outline=BLACK, width=3)
    [area] = find_surfaces(pixels(image), WHITE, []).areas
    assert area.box == pytest.approx((100, 100, 501, 301), abs=1)
    assert area.width == pytest.approx(3, abs=0.5)


def test_slanting_rules_keep_their_ends():
    image, pen = canvas(size=(960, 540))
    pen.line((100, 400, 500, 100), fill=BLACK, width=3)
    [rule] = find_surfaces(pixels(image), WHITE, []).rules
    assert rule.ends == pytest.approx((100, 400, 500, 100), abs=4)


def test_lines_under_one_another_are_one_box_and_others_are_not():
    blocks = merge_lines([
        line("A title", (50, 20, 300, 60), size=44),
        line("first line of it", (50, 120, 300, 138)),
        line("and a second one", (50, 146, 310, 164)),
        line("another column", (600, 120, 760, 138)),
        line("far below", (50, 400, 150, 418)),
    ])  # fmt: skip
    assert sorted(block.text for block in blocks) == [
        "A title", "another column", "far below", "first line of it\nand a second one",
    ]  # fmt: skip


def test_pieces_of_a_row_are_joined_and_centred_rows_are_centred():
    [block] = merge_lines([
        line("one", (400, 100, 440, 118)), line("two", (446, 100, 480, 118)),
        line("and the rest below it", (360, 126, 520, 144)),
        line("short", (415, 152, 465, 170)),
    ])  # fmt: skip
    assert block.text == "one two\nand the rest below it\nshort"
    assert block.align == "center"


def test_rules_that_cross_around_texts_make_a_table():
    rules = [Box(100, y, 500, y + 1) for y in (100, 150, 200, 250)]
    rules += [Box(x, 100, x + 1, 250) for x in (100, 300, 500)]
    places = ((110, 110), (310, 110), (110, 160), (310, 160), (110, 210))
    texts = [line(str(n), (x, y, x + 30, y + 18)) for n, (x, y) in enumerate(places)]
    [grid] = find_grids(rules, [], texts)
    assert grid.cells == (("0", "1"), ("2", "3"), ("4", ""))
    assert grid.box == Box(100, 100, 501, 251)
    assert find_grids(rules, [], []) == []
    assert find_grids([], [], texts) == []


def test_areas_edge_to_edge_with_texts_make_a_table_too():
    areas = [Box(x, y, x + 200, y + 50) for y in (100, 150) for x in (100, 300)]
    texts = [line(str(n), (box.left + 5, box.top + 5, 130 + box.left, box.top + 25))
             for n, box in enumerate(areas)]  # fmt: skip
    [grid] = find_grids([], areas, texts)
    assert grid.cells == (("0", "1"), ("2", "3"))
    assert find_grids([], areas[:3], texts) == []


def test_filled_cells_with_rules_between_them_are_one_table():
    rules = [Box(100, y, 500, y + 1) for y in (100, 150, 200, 250)]
    rules += [Box(x, 100, x + 1, 250) for x in (100, 300, 500)]
    areas = [Box(x, y, x + 200, y + 50) for y in (100, 150, 200) for x in (100, 300)]
    texts = [line(str(n), (box.left + 5, box.top + 5, 130 + box.left, box.top + 25))
             for n, box in enumerate(areas)]  # fmt: skip
    [grid] = find_grids(rules, areas, texts)
    assert grid.cells == (("0", "1"), ("2", "3"), ("4", "5"))
    beside = [rule._replace(top=rule.top + 200, bottom=rule.bottom + 200) for rule in rules]
    below = [line("x", (box.left + 5, box.top + 205, box.left + 130, box.top + 225))
             for box in areas]  # fmt: skip
    assert len(find_grids([*rules, *beside], areas, [*texts, *below])) == 2


def test_boxes_that_strokes_join_are_no_table():
    frames = [Box(x, y, x + 200, y + 1) for y in (100, 199) for x in (100, 400, 700)]
    frames += [Box(x, 100, x + 1, 200) for x in (100, 299, 400, 599, 700, 899)]
    arrows = [Box(300, 150, 400, 151), Box(600, 150, 700, 151)]
    texts = [line("words", (x, 140, x + 60, 158)) for x in (120, 420, 720)]
    assert find_grids([*frames, *arrows], [], [*texts, *texts]) == []


def test_boxes_that_thin_strokes_enclose_are_found_with_the_arrows_between_them():
    image, pen = canvas(size=(1920, 1080))
    for left in (200, 900):  # not quite two pixels wide and half a pixel off when brought to 960
        pen.rectangle((left + 1, 301, left + 401, 501), outline="#404040", width=2)
    pen.line((602, 401, 900, 401), fill="#404040", width=2)
    small = pixels(image.resize((960, 540), Image.Resampling.LANCZOS))
    strokes = find_strokes(small, WHITE)
    assert [tuple(frame.box) for frame in find_frames(strokes)] == [
        pytest.approx((left, 150, left + 202, 252), abs=2) for left in (100, 450)
    ]
    [arrow] = [one for one in strokes if is_level(one) and 190 < one.box.top < 210]
    assert arrow.ends == pytest.approx((301, 200.5, 450, 200.5), abs=3)


def test_edges_of_areas_and_gaps_between_them_are_no_strokes():
    image, pen = canvas(size=(960, 540))
    pen.rectangle((100, 100, 300, 300), fill="#3060A0")
    pen.rectangle((305, 100, 500, 300), fill="#3060A0")
    assert find_strokes(pixels(image), WHITE) == []


def test_a_gradient_has_no_areas_and_is_no_picture():
    rows = np.linspace(60, 220, 540)[:, None, None]
    image = np.broadcast_to(rows, (540, 960, 3)).astype(np.uint8).copy()
    found = find_surfaces(image, background_of(image), [])
    assert (found.areas, found.rules, found.pictures) == ((), (), ())


def test_pictures_are_found_on_panels_and_all_over_the_slide():
    noise = np.random.default_rng(2).integers(0, 255, (108, 192, 3), dtype=np.uint8)
    photo = Image.fromarray(noise)
    image, pen = canvas((20, 40, 60), (960, 540))
    pen.rectangle((100, 100, 700, 440), fill=WHITE)
    image.paste(photo.resize((200, 150)), (300, 200))
    found = find_surfaces(pixels(image), (20, 40, 60), [])
    [inlaid] = found.pictures
    assert inlaid.box == pytest.approx((300, 200, 500, 350), abs=4)
    assert [area.box for area in found.areas] == [pytest.approx((100, 100, 701, 441), abs=2)]
    whole = pixels(photo.resize((960, 540)))
    [picture] = find_surfaces(whole, background_of(whole), []).pictures
    assert picture.box == pytest.approx((0, 0, 960, 540), abs=8)


def test_sizes_are_told_by_the_letters_that_the_ink_belongs_to():
    assert ink_em("ace") < ink_em("Ace") < ink_em("Acey")


def test_bold_stems_are_wider():
    widths = []
    for extra in (0, 3):
        image, pen = canvas(size=(800, 120))
        font = ImageFont.load_default(60)
        pen.text((20, 20), "minimum fill", fill=BLACK, font=font, stroke_width=extra)
        widths.append(stem_share(pixels(image), Box(10, 10, 500, 100), 60))
    assert 0.03 < widths[0] < 0.125 < widths[1]


@pytest.mark.long
@needs_ocr
@pytest.mark.shared
@pytest.mark.office
def test_real_slides_are_matched_well_above_nothing(shared):
    deck = shared / "decks" / "real" / "full_intro-react_slides.pptx"
    with Package.open(deck) as package:
        slides = read_elements(package).slides
    scores = []
    with open_rendered(deck, ocr=False) as drawn:
        for number in (2, 9, 14, 20, 27):
            seen = drawn.slide(number)
            truth = plain_slide(merge_layout(slides[number - 1], seen.spans).slide)
            found = match_slide(truth, extract_from_picture(seen.image)).values()
            hits = 2 * sum(len(one.matches) for one in found)
            scores.append(hits / (hits + sum(len(one.missed) + len(one.extra) for one in found)))
    assert fmean(scores) > 0.4
