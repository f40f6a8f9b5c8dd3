"""Pictures painted in code: landscapes that pass for photographs, a sound's poster, and things that
should not be pictures, such as a slide, a chart and a noisy background.
"""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

_Pixels = NDArray[np.float64]


def jpeg(image: Image.Image, quality: int = 86) -> bytes:
    """The picture as a JPEG file."""
    file = io.BytesIO()
    image.convert("RGB").save(file, "JPEG", quality=quality, subsampling=0)
    return file.getvalue()


def png(image: Image.Image) -> bytes:
    """The picture as a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _ramp(stops: list[tuple[float, tuple[int, int, int]]], at: _Pixels) -> _Pixels:
    """Colours along a gradient; ``at`` has any shape, the result one more axis of three."""
    places = [place for place, _ in stops]
    channels = [np.interp(at, places, [color[n] for _, color in stops]) for n in range(3)]
    return np.stack(channels, axis=-1)


def _skyline(width: int, seed: int, waves: int, roughness: float) -> _Pixels:
    """A mountain outline over ``width`` columns, about -1 to 1: waves of falling height."""
    rng = np.random.default_rng(seed)
    x = np.arange(width) / width
    octaves = range(waves)
    outline = sum(
        np.sin(2 * np.pi * (2**n * 0.9 * x + rng.random())) * roughness**n for n in octaves
    )
    return np.asarray(outline) / sum(roughness**n for n in octaves)


def _grain(shape: tuple[int, int], seed: int, strength: float) -> _Pixels:
    return np.random.default_rng(seed).standard_normal((*shape, 1)) * strength


def _image(pixels: _Pixels) -> Image.Image:
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def mountain_ridges(width: int = 1280, height: int = 800) -> Image.Image:
    """Five ridges in morning haze, the nearest one wooded."""
    y = np.linspace(0, 1, height)[:, None] + np.zeros((1, width))
    x = np.linspace(0, 1, width)[None, :] + np.zeros((height, 1))
    pixels = _ramp([(0, (112, 158, 199)), (0.3, (196, 214, 226)), (0.5, (247, 226, 201))], y)
    glow = np.exp(-(((x - 0.68) / 0.28) ** 2) - ((y - 0.42) / 0.2) ** 2)
    pixels += glow[..., None] * np.array([26.0, 18.0, -6.0])
    far, near = np.array([150.0, 173.0, 191.0]), np.array([26.0, 46.0, 38.0])
    for ridge in range(5):
        depth = ridge / 4
        crest = 0.4 + 0.13 * ridge + (0.075 + 0.02 * depth) * _skyline(width, 11 + ridge, 8, 0.55)
        if ridge == 4:
            crest -= _treeline(width)
        below = np.clip((y - crest[None, :]) * height, 0, 1)[..., None]
        haze = np.clip((y - crest[None, :]) * 4, 0, 1)[..., None]
        color = far + (near - far) * depth**0.8 + haze * (1 - depth) * 34
        pixels = pixels * (1 - below) + color * below
    return _image(pixels + _grain((height, width), 3, 3.5))


def _treeline(width: int) -> _Pixels:
    """Heights of pointed treetops, as a share of the picture's height."""
    rng = np.random.default_rng(29)
    x = np.arange(width, dtype=float)
    tops = np.zeros(width)
    for middle in np.cumsum(rng.uniform(7, 19, size=width // 8)):
        tall = rng.uniform(0.015, 0.05)
        tops = np.maximum(tops, tall * (1 - np.abs(x - middle) / (tall * 260)))
    return tops


_SKY = [(0.0, (13, 58, 84)), (0.45, (54, 128, 152)), (0.8, (214, 176, 164)), (1.0, (250, 178, 146))]


def harbour_evening(width: int = 1200, height: int = 1350) -> Image.Image:
    """A small harbour town across the water after sunset, in teal and coral."""
    horizon = round(height * 0.58)
    y = np.linspace(0, 1, horizon)[:, None] + np.zeros((1, width))
    x = np.linspace(0, 1, width)[None, :] + np.zeros((horizon, 1))
    sky = _ramp(_SKY, y)
    glow = np.exp(-(((x - 0.62) / 0.3) ** 2) - ((y - 1.0) / 0.24) ** 2)
    sky += glow[..., None] * np.array([30.0, 10.0, 0.0])
    for layer, (base, swing, color) in enumerate(
        ((0.86, 0.05, (96, 138, 152)), (0.92, 0.03, (44, 97, 117)))
    ):
        crest = base - swing * _skyline(width, 41 + layer, 7, 0.5)
        below = np.clip((y - crest[None, :]) * horizon, 0, 1)[..., None]
        sky = sky * (1 - below) + np.array(color) * below
    town = _image(sky)
    _draw_town(ImageDraw.Draw(town), width, horizon)
    upper = np.asarray(town.filter(ImageFilter.GaussianBlur(0.7)), dtype=float)
    pixels = np.concatenate([upper, _water(upper, height - horizon)])
    return _image(pixels + _grain((height, width), 5, 2.5))


def _draw_town(draw: ImageDraw.ImageDraw, width: int, horizon: int) -> None:
    rng = np.random.default_rng(8)
    left = -20
    while left < width:
        wide, tall = int(rng.integers(46, 112)), int(rng.integers(50, 150))
        wall = (12 + int(rng.integers(0, 14)), 50 + int(rng.integers(0, 18)), 68)
        top = horizon - tall
        draw.rectangle((left, top, left + wide, horizon), fill=wall)
        roof = [(left - 4, top), (left + wide // 2, top - wide // 2), (left + wide + 4, top)]
        draw.polygon(roof, fill=(10, 40, 55))
        for row in range(top + 14, horizon - 18, 24):
            for column in range(left + 10, left + wide - 12, 20):
                if rng.random() < 0.42:
                    draw.rectangle((column, row, column + 7, row + 11), fill=(255, 190, 158))
        left += wide + int(rng.integers(-4, 26))
    for mast in (180, 236, 905, 1010):
        tall = 150 + mast % 60
        draw.line((mast, horizon, mast, horizon - tall), fill=(8, 33, 46), width=4)
        draw.line((mast, horizon - tall, mast - 46, horizon - 14), fill=(8, 33, 46), width=2)
        draw.line((mast, horizon - tall, mast + 46, horizon - 14), fill=(8, 33, 46), width=2)
        hull = [(mast - 64, horizon - 16), (mast + 64, horizon - 16), (mast + 46, horizon + 2)]
        draw.polygon([*hull, (mast - 48, horizon + 2)], fill=(8, 33, 46))


def _water(upper: _Pixels, depth: int) -> _Pixels:
    """What lies above the horizon, upside down in moving water."""
    horizon, width = upper.shape[:2]
    rows = np.arange(depth)
    rng = np.random.default_rng(17)
    wobble = np.sin(rows**0.8 * 1.7) * (2 + rows * 0.05) + rng.standard_normal(depth) * 2.2
    source = np.clip(horizon - 1 - rows * 1.25 + rng.standard_normal(depth) * 2, 0, horizon - 1)
    columns = (np.arange(width)[None, :] + np.round(wobble)[:, None]).astype(int) % width
    mirrored = upper[source.astype(int)[:, None], columns]
    fade = np.clip(rows / depth, 0, 1)[:, None, None]
    shade = mirrored * (0.8 - 0.34 * fade) + np.array([5.0, 26.0, 38.0]) * (0.3 + 0.7 * fade)
    blocks = rng.standard_normal((depth // 3 + 1, width // 90 + 1)).astype(np.float32)
    ripples = Image.fromarray(blocks).resize((width, depth), Image.Resampling.BICUBIC)
    return np.asarray(shade + np.asarray(ripples)[..., None] * 7)


def sound_poster(samples: NDArray[np.int16], width: int = 2352, height: int = 672) -> Image.Image:
    """A sound drawn as its loudness over time, with a play button at the left."""
    image = Image.new("RGB", (width, height), (11, 46, 59))
    draw = ImageDraw.Draw(image)
    middle, start, bars = height / 2, height, 72
    step = (width - start - height / 8) / bars
    chunks = np.array_split(np.abs(samples.astype(float)), bars)
    loudest = max(float(chunk.max()) for chunk in chunks) or 1.0
    for number, chunk in enumerate(chunks):
        tall = 0.36 * height * max(0.02, float(chunk.max()) / loudest)
        tall *= 0.7 + 0.3 * np.cos(number * 1.9)
        left = start + number * step
        color = (242, 112, 78) if number < bars // 4 else (156, 211, 211)
        box = (left, middle - tall, left + step * 0.55, middle + tall)
        draw.rounded_rectangle(box, radius=step * 0.25, fill=color)
    radius = 0.29 * height
    center = 0.19 * height + radius
    button = (center - radius, middle - radius, center + radius, middle + radius)
    draw.ellipse(button, fill=(242, 112, 78))
    back, tip = center - 0.4 * radius, center + 0.6 * radius
    arrow = [(back, middle - 0.5 * radius), (back, middle + 0.5 * radius), (tip, middle)]
    draw.polygon(arrow, fill=(11, 46, 59))
    return image


_Color = tuple[int, int, int]


def neon_backdrop(width: int = 960, height: int = 540) -> Image.Image:
    """Glowing blobs of violet, magenta and cyan with bright lines across."""
    y, x = np.mgrid[0:height, 0:width] / height
    pixels = np.full((height, width, 3), (24.0, 12.0, 58.0))
    blobs: tuple[tuple[float, float, float, _Color], ...] = (
        (0.25, 0.3, 0.34, (176, 38, 255)),
        (1.45, 0.25, 0.4, (0, 214, 255)),
        (0.9, 0.85, 0.36, (255, 32, 150)),
        (1.6, 0.95, 0.25, (120, 255, 90)),
    )
    for left, top, size, color in blobs:
        glow = np.exp(-((x - left) ** 2 + (y - top) ** 2) / (2 * (size / 2) ** 2))
        pixels += glow[..., None] * np.array(color) * 0.8
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image, "RGBA")
    rng = np.random.default_rng(99)
    for _ in range(70):
        left, top = int(rng.integers(0, width)), int(rng.integers(0, height))
        middle = left + int(rng.integers(20, 160))
        end = (middle + 34, top + int(rng.choice([-34, 34])))
        shade = (255, 255, 255, int(rng.integers(50, 150)))
        draw.line((left, top, middle, top, *end), fill=shade, width=2)
        draw.ellipse((end[0] - 4, end[1] - 4, end[0] + 4, end[1] + 4), fill=shade)
    return image


def slide_as_picture() -> Image.Image:
    """A whole title slide flattened into pixels, words and all."""
    image = neon_backdrop(1280, 720).filter(ImageFilter.GaussianBlur(2))
    draw = ImageDraw.Draw(image, "RGBA")
    draw.rounded_rectangle((90, 150, 1190, 590), radius=40, fill=(20, 8, 48, 150))
    _centred(draw, 220, "SYNERGYFLOW AI", 104, (255, 255, 255))
    _centred(draw, 360, "Revolutionizing Tomorrow's Workflows, Today", 44, (0, 230, 255))
    _centred(draw, 430, "Unlock. Empower. Transform.", 38, (255, 120, 220))
    _centred(draw, 520, "Investor Deck 2026  |  Confidential", 28, (190, 180, 220))
    return image


def _centred(draw: ImageDraw.ImageDraw, y: int, text: str, size: int, color: _Color) -> None:
    draw.text((640, y), text, fill=color, font=ImageFont.load_default(size), anchor="ma")


def chart_screenshot() -> Image.Image:
    """A small spreadsheet chart as a screenshot, window frame and all."""
    image = Image.new("RGB", (420, 270), (240, 240, 240))
    draw = ImageDraw.Draw(image)
    small, plain = ImageFont.load_default(9), ImageFont.load_default(12)
    draw.rectangle((0, 0, 420, 22), fill=(33, 115, 70))
    draw.text((8, 4), "Book1_final_v3 (2).xlsx", fill=(255, 255, 255), font=plain)
    draw.rectangle((8, 30, 412, 262), fill=(255, 255, 255), outline=(190, 190, 190))
    draw.text((210, 34), "Chart Title", fill=(90, 90, 90), font=plain, anchor="ma")
    for n in range(6):
        y = 226 - n * 32
        draw.line((50, y, 400, y), fill=(222, 222, 222))
        draw.text((44, y), f"{n * 20}", fill=(90, 90, 90), font=small, anchor="rm")
    values = ((22, 41, 35), (38, 47, 52), (55, 60, 48), (83, 71, 66))
    colors = ((68, 114, 196), (237, 125, 49), (165, 165, 165))
    for quarter, bars in enumerate(values):
        left = 68 + quarter * 84
        for n, value in enumerate(bars):
            box = (left + n * 18, 226 - value * 1.6, left + n * 18 + 15, 226)
            draw.rectangle(box, fill=colors[n])
        draw.text((left + 27, 230), f"Q{quarter + 1}", fill=(90, 90, 90), font=small, anchor="ma")
    for n, color in enumerate(colors):
        draw.rectangle((120 + n * 70, 246, 128 + n * 70, 254), fill=color)
        draw.text((132 + n * 70, 245), f"Series{n + 1}", fill=(90, 90, 90), font=small)
    return image


def teaser_frame() -> Image.Image:
    """The first frame of a film that is not in the deck."""
    image = Image.new("RGB", (640, 360), (8, 8, 12))
    draw = ImageDraw.Draw(image)
    for n in range(24):
        shade = 20 + n * 6
        draw.ellipse((320 - 190 + n * 7, 180 - 190 + n * 7, 510 - n * 7, 370 - n * 7),
                     fill=(shade, 10, shade + 40))  # fmt: skip
    draw.polygon([(285, 125), (285, 235), (380, 180)], fill=(255, 255, 255))
    return image
