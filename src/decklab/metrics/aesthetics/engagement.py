"""Engagement: how colourful slides are, and how that changes through the deck.

Paper 002, section 2.3 and appendix E.3 (eq 2, 3 and 12, table 7), after Hasler and Süsstrunk
(2003).
"""

from collections.abc import Sequence
from math import exp, hypot, sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Image, checked, strips
from decklab.core.results import NotScored
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

COLORFULNESS_MEAN_WEIGHT: Final = 0.3
"""Weight of the chromatic bias in eq 2 and 12 (Hasler and Süsstrunk 2003)."""

PACING_TARGET: Final = 11.28
"""Mean of the decks' standard deviation of colorfulness (table 7)."""

PACING_VARIANCE: Final = 72.89
"""w squared in eq 3: variance of the same quantity (table 7)."""

COLORFULNESS_FULL: Final = 100.0
"""Ours: the mean colorfulness that earns the whole level half. Hasler and Süsstrunk call pictures
beyond about 100 extremely colorful, and it lies under two standard deviations over table 7's
mean."""

COLORFULNESS_MEAN: Final = 51.09
COLORFULNESS_VARIANCE: Final = 767.72
"""Mean and variance of decks' mean colorfulness (table 7)."""

register(
    MetricInfo(
        "engagement.score", "deck", "How colourful the deck is and how well that varies.",
        f"{SLIDESGEN}, eq 2 and 3", high=10.0, version="2", label="Engagement",
    ),
    MetricInfo(
        "engagement.pacing", "deck",
        "How near the spread of colourfulness is to that of good decks.", f"{SLIDESGEN}, eq 3",
        version="2", label="Colour pacing",
    ),
    MetricInfo(
        "engagement.colorfulness", "slide", "How colourful the slide is.",
        f"{SLIDESGEN}, eq 2 and 12; Hasler and Süsstrunk 2003", direction="neutral", high=280.0,
        label="Colourfulness",
    ),
)  # fmt: skip


def colorfulness(image: Image) -> float:
    """Colorfulness M of a slide (paper 002, eq 2 and 12).

    The spread of the opponent channels R - G and (R + G) / 2 - B over channels of 0 to 255, plus
    0.3 times the length of their means. 0 is grey, 15 slight, 33 moderate, 59 quite, 109 extreme
    (Hasler and Süsstrunk); at most about 279. More is more vivid, not better by itself.

    ``image`` is RGB uint8 (H, W, 3).

    >>> colorfulness(np.full((2, 2, 3), 77, np.uint8))
    0.0
    >>> round(colorfulness(np.array([[[255, 0, 0]]], np.uint8)), 2)
    85.53
    """
    image = checked(image)
    moments = np.zeros(4)
    for strip in strips(image):
        moments += _opponent_moments(image[strip])
    mean_rg, mean_yb, square_rg, square_yb = moments / (image.shape[0] * image.shape[1])
    spread = sqrt(max(0.0, square_rg - mean_rg**2 + square_yb - mean_yb**2))
    return spread + COLORFULNESS_MEAN_WEIGHT * hypot(mean_rg, mean_yb)


def pacing(colorfulness_of_slides: Sequence[float]) -> float | NotScored:
    """How well colorfulness varies through a deck, 0 to 1, higher is better (paper 002, eq 3).

    A Gaussian of the standard deviation of the slides' colorfulness around 11.28 with variance
    72.89 (table 7). It is the population standard deviation: a deck's slides are all it has, not a
    sample of more. NotScored for fewer than two slides, between which nothing can vary.

    >>> round(pacing([50.0 - 11.28, 50.0 + 11.28]), 6)
    1.0
    """
    if len(colorfulness_of_slides) < 2:
        return NotScored("pacing needs at least two slides")
    spread = float(np.std(np.asarray(colorfulness_of_slides, dtype=np.float64)))
    return exp(-((spread - PACING_TARGET) ** 2) / (2 * PACING_VARIANCE))


def level(colorfulness_of_slides: Sequence[float]) -> float:
    """The deck's mean colorfulness over 100, capped at 1: the level half of its engagement.

    >>> level([20.0, 60.0])
    0.4
    """
    return min(float(np.mean(colorfulness_of_slides)) / COLORFULNESS_FULL, 1.0)


def engagement_score(colorfulness_of_slides: Sequence[float]) -> float | NotScored:
    """A deck's engagement, 0 to 10, higher is better: half level, half pacing.

    The paper gives both quantities (eq 2 and 3) but not how they join; equal halves on the scale of
    table 4's other columns. NotScored for fewer than two slides.

    >>> round(engagement_score([50.0 - 11.28, 50.0 + 11.28]), 6)
    7.5
    """
    even = pacing(colorfulness_of_slides)
    if isinstance(even, NotScored):
        return even
    return 10 * (0.5 * level(colorfulness_of_slides) + 0.5 * even)


def _opponent_moments(image: Image) -> NDArray[np.float64]:
    """Sums of R - G, of (R + G) / 2 - B, and of the squares of both, exact."""
    red, green, blue = cv2.split(image)
    short = cv2.CV_16S
    red_green = cv2.subtract(red, green, dtype=short)
    double_blue = cv2.add(blue, blue, dtype=short)
    double_yellow_blue = cv2.subtract(cv2.add(red, green, dtype=short), double_blue)
    return np.array(
        [
            cv2.sumElems(red_green)[0],
            cv2.sumElems(double_yellow_blue)[0] / 2,
            cv2.norm(red_green, cv2.NORM_L2SQR),
            cv2.norm(double_yellow_blue, cv2.NORM_L2SQR) / 4,
        ]
    )
