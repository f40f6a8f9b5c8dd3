from dataclasses import replace
from math import log

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.aesthetics.usability import (
    SlideContrast,
    TextRegion,
    text_contrast,
    usability_score,
)


def slide_with(*colors: str) -> tuple[np.ndarray, list[TextRegion]]:
    page = Image.new("RGB", (640, 360), "#ffffff")
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=20)
    regions = []
    for line, color in enumerate(colors):
        place = (40.0, 30.0 + 40 * line)
        draw.text(place, f"Words in {color}", font=font, fill=color)
        box = Box(*draw.textbbox(place, f"Words in {color}", font=font))
        regions.append(TextRegion(box, f"Words in {color}", box.scaled(1.5, 1.5)))
    return np.asarray(page), regions


def test_the_score_is_the_mean_of_the_regions_on_a_logarithmic_scale() -> None:
    found = text_contrast(*slide_with("#000000", "#777777"))
    assert isinstance(found, SlideContrast)
    assert found.score == pytest.approx((1 + log(4.478) / log(21)) / 2, abs=0.01)


def test_the_worst_region_comes_first() -> None:
    found = text_contrast(*slide_with("#000000", "#cccccc", "#777777"))
    assert isinstance(found, SlideContrast)
    assert [region.text[-7:] for region, _ in found.regions] == ["#cccccc", "#777777", "#000000"]


def test_regions_off_the_picture_are_left_out() -> None:
    image, regions = slide_with("#000000")
    outside = TextRegion(Box(900, 10, 990, 40), "off", Box(1350, 15, 1485, 60))
    found = text_contrast(image, [outside, *regions])
    assert isinstance(found, SlideContrast)
    assert len(found.regions) == 1
    assert text_contrast(image, [outside]) == NotScored("no text region shows on the picture")


@pytest.mark.parametrize(
    ("text", "counts"), [("•", 0), ("\uf0b7", 0), (" – ", 0), ("✓", 1), ("5", 1), ("", 1)]
)
def test_bullets_and_punctuation_on_their_own_do_not_count(text: str, counts: int) -> None:
    image, (region, bullet) = slide_with("#000000", "#cccccc")
    found = text_contrast(image, [region, replace(bullet, text=text)])
    assert isinstance(found, SlideContrast)
    assert len(found.regions) == 1 + counts


def test_a_slide_without_text_is_not_scored() -> None:
    assert text_contrast(slide_with()[0], []) == NotScored("the slide has no text")


def test_a_deck_without_text_is_not_scored() -> None:
    assert usability_score([]) == NotScored("no slide has text")
    assert usability_score([1.0]) == 10.0


@pytest.mark.parametrize(
    ("size_pt", "bold", "least"),
    [(None, False, 4.5), (12, False, 4.5), (18, False, 3), (14, True, 3), (13.9, True, 4.5)],
)
def test_large_text_may_have_less_contrast(size_pt: float | None, bold: bool, least: float) -> None:
    region = TextRegion(Box(0, 0, 1, 1), "", Box(0, 0, 1, 1), size_pt=size_pt, bold=bold)
    assert region.least_ratio == least


def test_text_that_something_covers_is_not_judged_but_told() -> None:
    image, regions = slide_with("#000000")
    blank = np.full_like(image, 255)
    seen = replace(regions[0], ink="#000000")
    found = text_contrast(image, [seen])
    assert isinstance(found, SlideContrast)
    assert (len(found.regions), found.covered) == (1, ())
    assert text_contrast(blank, [seen]) == NotScored("no text region shows on the picture")
    both = text_contrast(np.vstack([image, blank]), [seen, below(seen, image.shape[0])])
    assert isinstance(both, SlideContrast)
    assert (len(both.regions), len(both.covered)) == (1, 1)


def test_white_on_white_is_judged_however_it_came_about() -> None:
    blank = np.full((200, 400, 3), 255, np.uint8)
    ghost = TextRegion(Box(20, 20, 200, 60), "ghost", Box(10, 10, 100, 30), ink="#FFFFFF")
    found = text_contrast(blank, [ghost])
    assert isinstance(found, SlideContrast)
    assert found.score == 0


def below(region: TextRegion, by: int) -> TextRegion:
    box = region.box
    return replace(region, box=Box(box.left, box.top + by, box.right, box.bottom + by))
