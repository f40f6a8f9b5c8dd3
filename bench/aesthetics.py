"""How fast the aesthetics metrics of one slide are, against plain references on the same picture.

Both run on one core in the same process; seconds are processor time, so that other work on the
machine hardly counts. Run as ``python -m bench.aesthetics``; it takes some
minutes, nearly all of them in the plain colour harmony, which is run in full. Exits with 1 where a
budget is missed or two values of one definition disagree.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bench import plain
from bench.measuring import remember
from decklab.core.colors import Image
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.aesthetics.clutter import subband_entropy, subband_entropy_aim
from decklab.metrics.aesthetics.engagement import colorfulness
from decklab.metrics.aesthetics.harmony import harmony, harmony_aim
from decklab.metrics.aesthetics.rows import slide_rows
from decklab.metrics.aesthetics.usability import TextRegion, text_contrast

WIDTH, HEIGHT = 1280, 720
ENTROPY_AIM_BUDGET = 25
"""Against AIM's way of doing it."""
ENTROPY_BUDGET = 12
"""Ours: a floor. This reference is all compiled code itself, transforms and histograms alike."""
HARMONY_BUDGET = 5000
EVERYTHING_BUDGET = 300
ROUNDS = 9
LINES = 30
AGREE = 1e-3
"""Values of one definition may differ by so much, relative to 1 or to the value if it is larger."""


@dataclass(frozen=True)
class Row:
    """One metric: seconds and values of both sides, and what the ratio of seconds should be."""

    name: str
    plain_seconds: float
    seconds: float
    difference: float | None
    budget: float | None

    @property
    def ratio(self) -> float:
        """How many times faster decklab is."""
        return self.plain_seconds / self.seconds

    @property
    def met(self) -> bool:
        """Whether the budget and the agreement of values hold."""
        fast = self.budget is None or self.ratio >= self.budget
        return fast and (self.difference is None or self.difference <= AGREE)


def main(arguments: list[str]) -> int:
    """Time everything on one drawn slide and print the table; 1 where something is missed."""
    del arguments
    cv2.setNumThreads(1)
    image, regions = _slide()
    rows = _rows(image, regions)
    print(f"{'metric':28}{'plain s':>10}{'ours s':>10}{'ratio':>9}{'difference':>12}{'budget':>8}")
    for row in rows:
        difference = "" if row.difference is None else f"{row.difference:.1e}"
        budget = "" if row.budget is None else f"{row.budget:g}x"
        if row.budget is not None:
            remember(row.name, row.ratio, row.budget)
        print(
            f"{row.name:28}{row.plain_seconds:10.4f}{row.seconds:10.4f}{row.ratio:8.0f}x"
            f"{difference:>12}{budget:>8}  {'met' if row.met else 'MISSED'}"
        )
    return 0 if all(row.met for row in rows) else 1


def _rows(image: Image, regions: list[TextRegion]) -> list[Row]:
    hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV)
    hue, saturation = (np.asarray(hsv[:, :, channel], np.uint8) for channel in (0, 1))
    boxes = [region.box for region in regions]
    rows = [
        _compared(
            "rhythm.subband_entropy",
            lambda: plain.subband_entropy(image),
            lambda: _number(subband_entropy(image)),
            budget=ENTROPY_BUDGET,
        ),
        _compared(
            "rhythm.subband_entropy_aim",
            lambda: plain.subband_entropy_aim(image),
            lambda: _number(subband_entropy_aim(image)),
            budget=ENTROPY_AIM_BUDGET,
            plain_rounds=1,
        ),
        _compared(
            "engagement.colorfulness",
            lambda: plain.colorfulness(image),
            lambda: colorfulness(image),
        ),
        _compared(
            "usability.contrast",
            lambda: plain.text_contrast(image, boxes),
            lambda: _contrast(image, regions),
            same_definition=False,
        ),
        _compared(
            "harmony.aim",
            lambda: plain.harmony_aim(hue, saturation),
            lambda: harmony_aim(image),
            budget=HARMONY_BUDGET,
            plain_rounds=1,
        ),
        _compared(
            "harmony.distance_deg",
            lambda: plain.harmony_distance(image),
            lambda: _distance(image),
            budget=HARMONY_BUDGET,
            plain_rounds=1,
        ),
    ]
    return [*rows, _everything(image, regions, rows)]


def _everything(image: Image, regions: list[TextRegion], rows: list[Row]) -> Row:
    """All rows of a slide, palette and evidence too, against the four metrics AIM has for them."""
    aim = {
        "rhythm.subband_entropy_aim",
        "engagement.colorfulness",
        "usability.contrast",
        "harmony.aim",
    }
    seconds, _ = _timed(lambda: len(slide_rows(1, image, regions, "layout")), ROUNDS)
    total = sum(row.plain_seconds for row in rows if row.name in aim)
    return Row("all metrics of a slide", total, seconds, None, EVERYTHING_BUDGET)


def _compared(
    name: str,
    reference: Callable[[], float],
    ours: Callable[[], float],
    *,
    budget: float | None = None,
    plain_rounds: int = 3,
    same_definition: bool = True,
) -> Row:
    seconds, value = _timed(ours, ROUNDS)
    plain_seconds, expected = _timed(reference, plain_rounds)
    difference = abs(value - expected) / max(1.0, abs(expected)) if same_definition else None
    return Row(name, plain_seconds, seconds, difference, budget)


def _timed(work: Callable[[], float], rounds: int) -> tuple[float, float]:
    """Seconds of the quickest round, and the value; the first of several only warms up."""
    seconds = []
    value = float("nan")
    for _ in range(rounds):
        start = time.process_time()
        value = work()
        seconds.append(time.process_time() - start)
    return min(seconds), value


def _number(value: float | NotScored) -> float:
    assert not isinstance(value, NotScored)
    return value


def _contrast(image: Image, regions: list[TextRegion]) -> float:
    found = text_contrast(image, regions)
    assert not isinstance(found, NotScored)
    return found.score


def _distance(image: Image) -> float:
    found = harmony(image)
    assert not isinstance(found, NotScored)
    return found.distance_deg


def _slide() -> tuple[Image, list[TextRegion]]:
    """A busy slide: thirty lines of text on a tinted ground, a bar chart, a noisy picture."""
    random = np.random.default_rng(0)
    page = Pillow.new("RGB", (WIDTH, HEIGHT), "#F7F3EA")
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, WIDTH, 70), fill="#1F4E79")
    for bar, height in enumerate((120, 200, 90, 250)):
        left = 700 + 60 * bar
        draw.rectangle((left, 680 - height, left + 40, 680), fill=("#C55A11", "#2E75B6")[bar % 2])
    noise = random.integers(0, 256, (280, 500, 3), dtype=np.uint8)
    picture = cv2.GaussianBlur(noise, (0, 0), 3).astype(int) * 4 - 384
    page.paste(Pillow.fromarray(np.clip(picture, 0, 255).astype(np.uint8)), (740, 100))
    font = ImageFont.load_default(size=14)
    regions = []
    for line in range(LINES):
        place = (40.0, 90.0 + 20 * line)
        text = f"Line {line + 1}: what the reader should remember of this part of the talk"
        draw.text(place, text, font=font, fill="#333333")
        box = Box(*draw.textbbox(place, text, font=font))
        regions.append(TextRegion(box, text, box.scaled(960 / WIDTH, 540 / HEIGHT)))
    return np.asarray(page, np.uint8), regions


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
