from io import BytesIO

import numpy as np
import pytest
import skimage.data
from PIL import Image, ImageDraw

from decklab.scoring.probes.raster import (
    MAX_PIXELS,
    ONE_PIXEL,
    look_at_pixels,
    look_at_raster,
    thumbnail,
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
