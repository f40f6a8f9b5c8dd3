"""Pictures of things that should not be pictures: a slide, a chart, a noisy background."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

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
