"""Contrast read off pictures of text whose true colours are known."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw, ImageFont

from decklab.core.colors import contrast_ratio
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.contrast import RegionContrast, region_contrast

WORDS = "Hamburg 2024: quick foxes"


def flat(color: str, width: int = 1000, height: int = 160) -> np.ndarray:
    return np.full((height, width, 3), ImageColor.getrgb(color), np.uint8)


def write(ground: np.ndarray, color: str, size: int, words: str = WORDS) -> tuple[np.ndarray, Box]:
    page = Image.fromarray(ground)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=size)
    draw.text((40, 50), words, font=font, fill=color)
    return np.asarray(page), Box(*draw.textbbox((40, 50), words, font=font))


def true_ratio(one: str, other: str) -> float:
    return contrast_ratio(ImageColor.getrgb(one)[:3], ImageColor.getrgb(other)[:3])


def measured(image: np.ndarray, box: Box) -> RegionContrast:
    contrast = region_contrast(image, box)
    assert isinstance(contrast, RegionContrast)
    return contrast


PAIRS = [
    ("#000000", "#ffffff"),
    ("#ffffff", "#000000"),
    ("#777777", "#ffffff"),
    ("#cccccc", "#ffffff"),
    ("#ffffff", "#1f4e79"),
    ("#ffc000", "#203864"),
    ("#e00000", "#ffffff"),
    ("#444444", "#333333"),
    ("#ff0000", "#0000ff"),
]


@pytest.mark.parametrize(("figure", "ground"), PAIRS)
@pytest.mark.parametrize("size", [14, 16, 20, 28, 40, 60])
def test_the_ratio_is_that_of_the_true_colours(figure: str, ground: str, size: int) -> None:
    contrast = measured(*write(flat(ground), figure, size))
    assert contrast.ratio == pytest.approx(true_ratio(figure, ground), rel=0.05)


@pytest.mark.parametrize(("figure", "ground"), PAIRS)
@pytest.mark.parametrize("size", [8, 10, 12])
def test_small_soft_letters_come_near_it_from_below(figure: str, ground: str, size: int) -> None:
    share = measured(*write(flat(ground), figure, size)).ratio / true_ratio(figure, ground)
    assert (0.6 if size < 10 else 0.75) < share < 1.02


def test_the_colours_are_named() -> None:
    contrast = measured(*write(flat("#203864"), "#ffc000", 20))
    assert contrast.figure == (0xFF, 0xC0, 0x00)
    assert contrast.ground == (0x20, 0x38, 0x64)


def test_the_ratios_of_wcag() -> None:
    assert contrast_ratio((0x77,) * 3, (255,) * 3) == pytest.approx(4.48, abs=0.005)
    assert contrast_ratio((255, 0, 0), (255, 255, 255)) == pytest.approx(4.0, abs=0.005)


def test_colours_of_equal_luminance_have_little_contrast_whatever_their_hues() -> None:
    assert true_ratio("#e00000", "#007a00") == pytest.approx(1, abs=0.15)
    # Where their soft edges mix they are darker than either, so it is not quite 1.
    assert measured(*write(flat("#007a00"), "#e00000", 24)).ratio < 2


@pytest.mark.parametrize(("figure", "ground"), [("#cccccc", "#ffffff"), ("#666666", "#000000")])
@pytest.mark.parametrize("share", [0.001, 0.005, 0.02])
def test_salt_and_pepper_do_not_decide(figure: str, ground: str, share: float) -> None:
    image, box = write(flat(ground), figure, 20)
    noise = np.random.default_rng(1).random(image.shape[:2])
    image = image.copy()
    image[noise < share / 2] = 0
    image[noise > 1 - share / 2] = 255
    assert measured(image, box).ratio == pytest.approx(true_ratio(figure, ground), rel=0.05)


@pytest.mark.parametrize("size", [14, 20, 40])
@pytest.mark.parametrize("offset", [1, 2, 4])
def test_a_thin_frame_does_not_decide(size: int, offset: int) -> None:
    image, box = write(flat("#ffffff"), "#cccccc", size)
    image = image.copy()
    left, top, right, bottom = (int(edge) for edge in box)
    corners = (left - offset, top - offset), (right + offset, bottom + offset)
    cv2.rectangle(image, *corners, (0, 0, 0), 1)
    whole = Box(left - offset, top - offset, right + offset + 1, bottom + offset + 1)
    for region in (box, whole):
        assert measured(image, region).ratio == pytest.approx(1.61, rel=0.05)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_gradient_behind_the_text_does_not_decide(axis: int) -> None:
    ramp = np.linspace(40, 140, 160 if axis == 0 else 1000).astype(np.uint8)
    ground = np.empty((160, 1000, 3), np.uint8)
    ground[:] = ramp[:, None, None] if axis == 0 else ramp[None, :, None]
    image, box = write(ground, "#ffffff", 24)
    middle = (box.top + box.bottom) / 2 if axis == 0 else (box.left + box.right) / 2
    expected = contrast_ratio((255, 255, 255), (int(ramp[int(middle)]),) * 3)
    assert measured(image, box).ratio == pytest.approx(expected, rel=0.1)


def test_text_over_a_photograph_is_held_against_what_lies_around_it() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (160, 1000, 3), dtype=np.uint8)
    blotches = cv2.GaussianBlur(noise, (0, 0), 6).astype(float)
    photo = np.clip((blotches - 128) * 6 + 90, 0, 160).astype(np.uint8)
    image, box = write(photo, "#ffffff", 30)
    typical = tuple(int(value) for value in np.median(photo.reshape(-1, 3), axis=0))
    expected = contrast_ratio((255, 255, 255), (typical[0], typical[1], typical[2]))
    assert measured(image, box).ratio == pytest.approx(expected, rel=0.15)


def test_text_on_a_chip_is_held_against_the_chip() -> None:
    image = flat("#ffffff")
    image[40:90, 30:420] = ImageColor.getrgb("#1f4e79")
    image, _ = write(image, "#9fb4c8", 24)
    expected = true_ratio("#9fb4c8", "#1f4e79")
    assert measured(image, Box(30, 40, 420, 90)).ratio == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("words", ["I", "l", "WMBE HEAVY", "…", ".", "1"])
def test_short_and_dense_words_are_read_too(words: str) -> None:
    contrast = measured(*write(flat("#ffffff"), "#777777", 40, words))
    assert contrast.ratio == pytest.approx(4.48, rel=0.05)


@pytest.mark.parametrize("letter", ["S", "W", "M", "B", "8", "@", "OK"])
@pytest.mark.parametrize("size", [16, 40, 80])
def test_a_bold_letter_alone_is_read_too(letter: str, size: int) -> None:
    page = Image.fromarray(flat("#d9d9d9"))
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=size)
    bold = max(1, size // 16)
    draw.text((40, 40), letter, font=font, fill="#2d2d2d", stroke_width=bold)
    box = Box(*draw.textbbox((40, 40), letter, font=font, stroke_width=bold))
    contrast = measured(np.asarray(page), box)
    assert contrast.ratio == pytest.approx(
        true_ratio("#2d2d2d", "#d9d9d9"), rel=0.15 if size < 20 else 0.05
    )


def test_a_dash_is_read_too() -> None:
    image = flat("#ffffff")
    image[50:54, 60:91] = 0x77
    assert measured(image, Box(60, 50, 91, 54)).ratio == pytest.approx(4.48, rel=0.05)


def test_upright_text_is_read_too() -> None:
    image, box = write(flat("#203864"), "#ffc000", 24)
    turned = np.ascontiguousarray(np.rot90(image))
    width = image.shape[1]
    upright = Box(box.top, width - box.right, box.bottom, width - box.left)
    expected = true_ratio("#ffc000", "#203864")
    assert measured(turned, upright).ratio == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("strays", [0, 1, 2])
def test_a_region_with_nothing_in_it_has_a_ratio_of_1(strays: int) -> None:
    image = flat("#ffffff")
    image[70, 100 : 100 + strays] = 0
    contrast = measured(image, Box(40, 60, 440, 84))
    assert contrast == RegionContrast(1.0, (255, 255, 255), (255, 255, 255))


def test_a_plain_ramp_is_not_taken_for_text() -> None:
    image = np.empty((160, 1000, 3), np.uint8)
    image[:] = np.linspace(0, 255, 1000).astype(np.uint8)[None, :, None]
    assert measured(image, Box(40, 60, 440, 84)).ratio == 1.0


@pytest.mark.parametrize(
    "box", [Box(2000, 10, 2100, 30), Box(-50, 10, -1, 30), Box(10, 10, 10, 10), Box(30, 10, 20, 40)]
)
def test_a_region_off_the_picture_is_not_scored(box: Box) -> None:
    assert region_contrast(flat("#ffffff"), box) == NotScored("the region lies off the picture")


def test_a_region_that_reaches_over_the_edge_is_cut() -> None:
    image, box = write(flat("#ffffff"), "#777777", 20)
    wide = Box(-30, box.top, 1500, box.bottom)
    assert measured(image, wide).ratio == pytest.approx(4.48, rel=0.05)
