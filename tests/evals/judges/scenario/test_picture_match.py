"""Pictures known again: scaled, recompressed, framed; and not others."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from decklab.evals.judges.scenario.shown_deck import picture_hash, same_picture


def chart(heights, size=(400, 300)):
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    width = size[0] // (2 * len(heights))
    for n, height in enumerate(heights):
        left = width // 2 + 2 * n * width
        draw.rectangle((left, size[1] * (1 - height), left + width, size[1]), "navy")
    return picture


def data(picture, kind="PNG", **how):
    stream = io.BytesIO()
    picture.save(stream, kind, **how)
    return stream.getvalue()


ONE = chart([0.2, 0.5, 0.9, 0.4])


@pytest.mark.parametrize(
    "changed",
    [
        data(ONE.resize((1000, 750))), data(ONE.resize((120, 90))),
        data(ONE, "JPEG", quality=40), data(ONE.convert("L")),
    ],
    ids=["larger", "smaller", "jpeg", "grey"],
)  # fmt: skip
def test_the_same_picture_is_known_again(changed):
    assert same_picture(picture_hash(data(ONE)), picture_hash(changed))


def test_a_white_margin_does_not_matter():
    framed = Image.new("RGB", (700, 460), "white")
    framed.paste(ONE, (150, 60))
    assert same_picture(picture_hash(data(ONE)), picture_hash(data(framed)))


def test_other_pictures_are_not_the_same():
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    others = [chart([0.9, 0.4, 0.2, 0.6]), Image.fromarray(noise), ONE.rotate(180)]
    for other in others:
        assert not same_picture(picture_hash(data(ONE)), picture_hash(data(other)))


def test_plain_and_damaged_pictures_are_like_nothing():
    plain = picture_hash(data(Image.new("RGB", (50, 50), "red")))
    assert plain is None and picture_hash(b"no picture") is None
    assert not same_picture(plain, plain)
