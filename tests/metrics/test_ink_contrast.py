"""Contrast of text whose colour is known, on pictures of it made by hand."""

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw, ImageFont

from decklab.core.colors import contrast_ratio
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.contrast import InkContrast, ink_contrast, stands_out

WORDS = "Hamburg 2024: quick foxes"
PAIRS = [
    ("#000000", "#ffffff"), ("#ffffff", "#000000"), ("#777777", "#ffffff"),
    ("#cccccc", "#ffffff"), ("#ffc000", "#203864"), ("#e00000", "#ffffff"),
]  # fmt: skip


def flat(color: str) -> np.ndarray:
    return np.full((160, 600, 3), ImageColor.getrgb(color), np.uint8)


def write(ground: np.ndarray, color: str, size: int = 28) -> tuple[np.ndarray, Box]:
    page = Image.fromarray(ground)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=size)
    draw.text((40, 50), WORDS, font=font, fill=color)
    return np.asarray(page), Box(*draw.textbbox((40, 50), WORDS, font=font))


def ratio(one: str, other: str) -> float:
    return contrast_ratio(ImageColor.getrgb(one)[:3], ImageColor.getrgb(other)[:3])


def measured(image: np.ndarray, box: Box, ink: str, *, thin: bool = False) -> InkContrast:
    found = ink_contrast(image, box, ink, thin=thin)
    assert isinstance(found, InkContrast)
    return found


@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_on_a_plain_ground_the_ratio_is_that_of_both_colours(ink: str, ground: str) -> None:
    found = measured(*write(flat(ground), ink), ink)
    true = ratio(ink, ground)
    assert found.ratio == found.worst == pytest.approx(true)
    assert (found.ink, found.ground) == (ImageColor.getrgb(ink), ImageColor.getrgb(ground))
    assert set(found.grounds) == {found.ground}
    assert len(found.grounds) == len(found.pieces) > 1
    assert (found.share_under(true - 0.01), found.share_under(true + 0.01)) == (0, 1)


def test_see_through_text_has_the_colour_that_is_seen_unless_its_strokes_are_thin() -> None:
    image, box = write(flat("#ffffff"), "#808080")  # black, half of it
    found = measured(image, box, "#000000")
    assert found.ink == pytest.approx((128, 128, 128), abs=2)
    assert found.ratio == pytest.approx(ratio("#808080", "#ffffff"), rel=0.03)
    assert measured(image, box, "#000000", thin=True).ratio == pytest.approx(21)


def test_on_two_grounds_each_piece_has_its_own_ratio() -> None:
    ground = flat("#ffffff")
    image, box = write(ground, "#777777")
    ground[:, round((box.left + box.right) / 2) :] = 0x77
    image, box = write(ground, "#202020")
    found = measured(image, box, "#202020")
    light, dark = ratio("#202020", "#ffffff"), ratio("#202020", "#777777")
    assert found.pieces[0] == pytest.approx(light) and found.pieces[-1] == pytest.approx(dark)
    assert found.worst == pytest.approx(dark)
    assert dark <= found.ratio <= light
    assert found.grounds[0] == (255, 255, 255) and found.grounds[-1] == (0x77, 0x77, 0x77)
    assert found.share_under((light + dark) / 2) == pytest.approx(0.5, abs=0.1)


def test_upright_text_is_cut_along_its_line() -> None:
    ground = flat("#ffffff")
    _image, box = write(ground, "#202020")
    ground[:, round((box.left + box.right) / 2) :] = 0x77
    image, box = write(ground, "#202020")
    turned = np.ascontiguousarray(np.rot90(image, -1))  # clockwise: the start is at the top
    upright = Box(160 - box.bottom, box.left, 160 - box.top, box.right)
    assert measured(turned, upright, "#202020").pieces == measured(image, box, "#202020").pieces


def test_ink_that_is_not_there_has_no_contrast() -> None:
    _image, box = write(flat("#ffffff"), "#000000")
    assert ink_contrast(flat("#ffffff"), box, "#000000") == NotScored("nothing of the ink shows")


def test_other_ink_that_stands_out_more_is_not_taken_for_it() -> None:
    image = flat("#ffffff")
    image[50:70, 40:400:10] = 0
    box = Box(40, 50, 400, 70)
    assert ink_contrast(image, box, "#bbbbbb") == NotScored("other ink is seen there")
    assert measured(image, box, "#000000").ratio == pytest.approx(21)


def test_ink_in_the_colour_of_its_ground_has_a_ratio_of_1() -> None:
    _image, box = write(flat("#ffffff"), "#000000")
    assert measured(flat("#fefefe"), box, "#ffffff").ratio == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("box", [Box(700, 10, 800, 30), Box(-90, 10, -20, 30), Box(0, 0, 1, 1)])
def test_ink_off_the_picture_cannot_be_told(box: Box) -> None:
    assert ink_contrast(flat("#ffffff"), box, "#000000") == NotScored(
        "the region lies off the picture"
    )
    assert not stands_out(flat("#ffffff"), box, "#000000", 1.5)


@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_what_stands_out_clearly_is_known_quickly(ink: str, ground: str) -> None:
    image, box = write(flat(ground), ink)
    true = ratio(ink, ground)
    assert stands_out(image, box, ink, 0.9 * true)
    assert not stands_out(image, box, ink, 1.1 * true)


def test_text_that_is_pale_somewhere_does_not_stand_out() -> None:
    ground = flat("#ffffff")
    _image, box = write(ground, "#202020")
    ground[:, : round(box.left + (box.right - box.left) / 4)] = 0x55
    image, box = write(ground, "#202020")
    assert not stands_out(image, box, "#202020", 4.5)
    assert stands_out(*write(flat("#ffffff"), "#202020"), "#202020", 4.5)


def test_see_through_text_is_left_to_a_closer_look_unless_it_is_thin() -> None:
    image, box = write(flat("#ffffff"), "#808080")
    assert not stands_out(image, box, "#000000", 4.5)
    assert stands_out(image, box, "#000000", 4.5, thin=True)
