from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skimage.data
from PIL import Image, ImageDraw

from decklab.core.geometry import Box
from decklab.metrics.editability.judge import judge_web
from decklab.rendering.html import (
    GraphicFacts,
    HtmlDeck,
    HtmlFacts,
    HtmlSlideFacts,
    TextBlockFacts,
    TextState,
)
from decklab.scoring.trial_pictures import (
    MAX_PIXELS,
    ONE_PIXEL,
    count_facts,
    look_at_pixels,
    look_at_raster,
    picture_facts,
    thumbnail,
    web_facts,
)


def saved(image, kind="PNG"):
    out = BytesIO()
    image.save(out, kind)
    return out.getvalue()


def chart(heights):
    image = Image.new("RGB", (600, 400), "white")
    pen = ImageDraw.Draw(image)
    pen.line((40, 360, 580, 360), fill="black")
    for n, high in enumerate(heights):
        pen.rectangle((60 + 90 * n, 360 - high, 110 + 90 * n, 359), fill=(40, 90, 200))
        pen.text((70 + 90 * n, 370), f"20{20 + n}", fill="black")
    return image


@pytest.mark.parametrize("name", ["astronaut", "cat", "coffee", "rocket", "brick", "coins"])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_photographs_are_photographs_in_either_format(name, kind):
    photo = Image.fromarray(getattr(skimage.data, name)())
    assert look_at_raster(saved(photo, kind)).kind in {"photo", "wash"}


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_charts_screenshots_and_text_are_graphics(kind):
    page = Image.new("RGB", (800, 600), "white")
    pen = ImageDraw.Draw(page)
    for line in range(20):
        pen.text((40, 20 + 28 * line), "All work and no play makes a dull deck " * 2, fill="black")
    assert look_at_raster(saved(page, kind)).kind == "graphic"
    assert look_at_raster(saved(chart((100, 200)), kind)).kind == "graphic"


def test_icons_with_transparency_and_palettes_are_graphics():
    icon = Image.new("RGBA", (256, 256), (0, 0, 0, 0))
    ImageDraw.Draw(icon).ellipse((30, 30, 220, 220), fill=(200, 40, 40, 255))
    assert look_at_raster(saved(icon)).kind == "graphic"
    assert look_at_raster(saved(icon.convert("P"), "GIF")).kind == "graphic"


def test_a_gradient_is_a_wash():
    ramp = np.linspace(0, 255, 800)[None, :, None] * np.array([1.0, 0.6, 0.2])
    image = Image.fromarray(np.repeat(ramp, 400, axis=0).astype(np.uint8))
    assert look_at_raster(saved(image)).kind == "wash"


def test_one_colour_and_wholly_clear_pictures_are_graphics():
    assert look_at_raster(saved(Image.new("RGB", (50, 50), "red"))).kind == "graphic"
    assert look_at_raster(saved(Image.new("RGBA", (50, 50), (0, 0, 0, 0)))).kind == "graphic"
    assert look_at_raster(ONE_PIXEL).kind == "graphic"


def test_damaged_and_enormous_pictures_are_unreadable():
    good = saved(chart((100, 200)))
    huge = saved(Image.new("1", (20_000, MAX_PIXELS // 20_000 + 1)))
    for data in (b"", b"not a picture", good[: len(good) // 2], huge):
        assert look_at_raster(data).kind == "unreadable"
        assert thumbnail(data) is None


def test_bars_of_a_drawn_chart_are_counted():
    assert look_at_raster(saved(chart((100, 250, 180, 300)))).bars == 4
    assert look_at_raster(saved(chart((200, 200, 200, 200)))).bars == 0


def test_pixels_of_a_drawn_slide_are_judged_alike():
    assert look_at_pixels(np.asarray(chart((100, 250)))).kind == "graphic"
    assert look_at_pixels(skimage.data.astronaut()).kind == "photo"
    assert look_at_pixels(np.zeros((0, 5, 3), np.uint8)).kind == "unreadable"


def test_a_thumbnail_keeps_what_is_clear():
    picture = Image.new("RGBA", (640, 640), (255, 0, 0, 255))
    picture.paste((0, 0, 0, 0), (0, 0, 320, 640))
    small = Image.open(BytesIO(thumbnail(saved(picture)) or b""))
    assert small.size == (32, 32)
    assert small.getpixel((4, 16))[3] == 0 and small.getpixel((28, 16))[3] == 255


def test_each_picture_is_placed_measured_and_looked_at(draft, opened, noise, flat):
    slide = draft.slide()
    draft.picture(slide, noise, (0, 0, 320, 240))
    draft.picture(slide, flat, (400, 100, 720, 340))
    photo, graphic = picture_facts(*opened(draft))
    assert (photo.kind, graphic.kind) == ("photo", "graphic")
    assert photo.box == pytest.approx((0, 0, 320, 240))
    assert photo.density == pytest.approx(2.0) == graphic.density
    assert graphic.slide == 1 and graphic.label.startswith("Picture")


def test_boxes_are_clipped_to_the_slide_but_density_is_not(draft, opened, flat):
    draft.picture(draft.slide(), flat, (-320, 0, 320, 480))
    (fact,) = picture_facts(*opened(draft))
    assert fact.box == pytest.approx((0, 0, 320, 480))
    assert fact.density == pytest.approx(1.0)


def test_pictures_off_the_slide_and_hairlines_are_left_out(draft, opened, flat):
    slide = draft.slide()
    draft.picture(slide, flat, (1000, 0, 1300, 200))
    draft.picture(slide, flat, (0, 100, 960, 102))
    assert picture_facts(*opened(draft)) == ()


def test_bars_count_only_where_the_picture_is_large(draft, opened, flat):
    slide = draft.slide()
    draft.picture(slide, flat, (0, 0, 60, 45))
    (fact,) = picture_facts(*opened(draft))
    assert fact.bars == 0


def test_slides_without_pictures_have_no_facts(draft, opened):
    draft.text(draft.slide(), "Words", (0, 0, 100, 50))
    assert picture_facts(*opened(draft)) == ()


PAGE = """<!doctype html><html><body style="margin:0">
<section class="slide" style="width:1280px;height:720px;position:relative">{}</section>
</body></html>"""
WORDS = "A paragraph of plain words that an editor would expect to wrap. " * 3


def facts_of(tmp_path: Path, inside: str):
    page = tmp_path / "deck.html"
    page.write_text(PAGE.format(inside), encoding="utf-8")
    with HtmlDeck(page) as deck:
        return web_facts(deck)


@pytest.mark.long
@pytest.mark.chromium
def test_paragraphs_and_svg_reach_level_2(tmp_path):
    pytest.importorskip("playwright")
    svg = '<svg width="200" height="200"><circle cx="100" cy="100" r="90" fill="red"/></svg>'
    facts = facts_of(tmp_path, f"<p style='width:600px'>{WORDS}</p>{svg}")
    assert (facts.slides, facts.text_blocks, facts.reflowing, facts.vectors) == (1, 1, 1, 1)
    assert judge_web(facts).level == 2


@pytest.mark.long
@pytest.mark.chromium
def test_lines_pinned_to_their_place_are_level_1(tmp_path):
    pytest.importorskip("playwright")
    lines = "".join(
        f"<div style='position:absolute;white-space:nowrap;left:80px;top:{80 + 40 * n}px'>"
        f"line {n} of a paragraph that is cut</div>"
        for n in range(5)
    )
    facts = facts_of(tmp_path, lines)
    assert facts.fragments == 5
    assert judge_web(facts).level == 1


@pytest.mark.long
@pytest.mark.chromium
def test_a_picture_for_a_slide_is_level_0(tmp_path):
    pytest.importorskip("playwright")
    Image.fromarray(np.full((720, 1280, 3), 90, np.uint8)).save(tmp_path / "slide.png")
    facts = facts_of(tmp_path, "<img src='slide.png' style='width:1280px;height:720px'>")
    assert facts.raster_slides == 1
    assert judge_web(facts).level == 0


@pytest.mark.parametrize(("box", "density"), [((0, 0, 320, 480), 1.0), ((0, 0, 640, 240), 1.0)])
def test_density_is_that_of_the_side_that_is_stretched_more(draft, opened, flat, box, density):
    draft.picture(draft.slide(), flat, box)  # of 640 by 480 pixels
    (fact,) = picture_facts(*opened(draft))
    assert fact.density == pytest.approx(density)


def block(words, *, selectable=True, absolute=False, lines=1):
    now = TextState(lines, Box(0, 0, 300, 20), Box(0, 0, 280, 20))
    more = TextState(lines if absolute else lines + 1, Box(0, 0, 300, 40), Box(0, 0, 280, 40))
    return TextBlockFacts(
        element="p", text=words, selectable=selectable, svg=False, absolute=absolute,
        before=now, filled=more,
    )  # fmt: skip


def graphic(kind, box, natural=None, *, vector=False):
    return GraphicFacts(kind, "img", vector, natural, Box(*box), "")


class Drawn:
    """A deck whose slides all look alike."""

    def __init__(self, image):
        self.image = image

    def slide(self, _number):
        return self


def counted(*slides, image=None):
    facts = tuple(
        HtmlSlideFacts(number, tuple(blocks), tuple(graphics))
        for number, (blocks, graphics) in enumerate(slides, start=1)
    )
    shown = np.asarray(chart((100, 250)).resize((1280, 720))) if image is None else image
    drawn: Any = Drawn(shown)
    return count_facts(HtmlFacts(Path("deck.html"), facts), drawn)


def test_only_blocks_that_can_be_selected_are_text_of_a_web_deck():
    facts = counted(([block("words"), block("more", selectable=False)], []))
    assert (facts.text_blocks, facts.unselectable, facts.reflowing) == (1, 1, 1)
    pinned = counted(([block("a line", absolute=True), block("wraps", lines=2)], []))
    assert (pinned.fragments, pinned.reflowing) == (1, 1)


def test_graphics_of_a_web_deck_are_sharp_blurred_or_photographs():
    small = (100, 100, 300, 200)  # sharp at 400 % from 4 * 1280 / 960 pixels each on: 1067 x 534
    kinds = [
        graphic("svg", small, vector=True), graphic("img", small, (1067, 534)),
        graphic("img", small, (1066, 534)), graphic("video", small),
        graphic("canvas", small), graphic("img", (1000, 0, 1200, 90), (10, 10)),
    ]  # fmt: skip
    drawing = counted(([], kinds))
    assert (drawing.vectors, drawing.rasters) == (2, 2)
    photo = np.asarray(Image.fromarray(skimage.data.astronaut()).resize((1280, 720)))
    assert counted(([], kinds), image=photo).rasters == 0


FULL = (0, 0, 960, 540)


@pytest.mark.parametrize(
    ("blocks", "graphics", "count"),
    [
        ([block("x" * 15)], [graphic("img", FULL)], 1),
        ([block("x" * 16)], [graphic("img", FULL)], 0),
        ([block("x x " * 8)], [graphic("img", FULL)], 0),
        ([block("x" * 99, selectable=False)], [graphic("img", FULL)], 1),
        ([], [graphic("svg", FULL, vector=True)], 0),
        ([], [graphic("video", FULL)], 0),
        ([], [graphic("img", (0, 0, 480, 540))], 1),  # 0.5 of the slide, and nothing else
        ([], [graphic("img", (0, 0, 480, 540)), graphic("svg", FULL, vector=True)], 0),
        ([], [], 0),
    ],
)
def test_a_slide_that_is_one_picture_has_hardly_a_letter_to_select(blocks, graphics, count):
    assert counted((blocks, graphics)).raster_slides == count
