"""Usability: whether the text of a deck stands out from its background.

Paper 002, section 2.3 and appendix H.3 (eq 4 and 5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import category

import numpy as np

from decklab.core.colors import Image, checked, contrast_ratio, parse_color
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.contrast import (
    CONTRAST_LARGE_TEXT,
    CONTRAST_NORMAL_TEXT,
    LARGE_BOLD_TEXT_PT,
    LARGE_TEXT_PT,
    RegionContrast,
    contrast_score,
    region_contrast,
)
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

NOTHING_SHOWS: Final = 1.15
INK_SHOWS: Final = 1.5
"""Ours: text is covered where the measured contrast is below the first, which is noise, while its
ink against the same ground would reach the second, which is visible at any size."""

register(
    MetricInfo(
        "usability.score", "deck", "How well text stands out from its background.",
        f"{SLIDESGEN}, eq 4 and 5", high=10.0, version="2", label="Usability",
    ),
    MetricInfo(
        "usability.contrast", "slide", "Mean contrast of the slide's text, 1 for black on white.",
        f"{SLIDESGEN}, eq 5", version="2", label="Text contrast",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class TextRegion:
    """One piece of text, best a line or a span: its box and its known properties."""

    box: Box
    """In pixels of the slide image; may reach over its edges."""
    text: str
    """Its characters; empty where only its place is known."""
    frame_box: Box
    """The same box in the 960x540 frame."""
    size_pt: float | None = None
    """Font size as laid out, in points; None if unknown."""
    bold: bool = False
    ink: str = ""
    """Colour it was laid out in, ``#RRGGBB``; empty where unknown."""
    line: int | None = None
    """Counts the lines of a slide from 0; None if unknown."""

    @property
    def least_ratio(self) -> float:
        """The contrast WCAG 2.2 (1.4.3) asks of this text: 3 where it is large, else 4.5.

        Large is 18 pt, or 14 pt bold. Text of unknown size counts as not large.
        """
        if self.size_pt is None:
            return CONTRAST_NORMAL_TEXT
        large_from = LARGE_BOLD_TEXT_PT if self.bold else LARGE_TEXT_PT
        return CONTRAST_LARGE_TEXT if self.size_pt >= large_from else CONTRAST_NORMAL_TEXT


@dataclass(frozen=True)
class SlideContrast:
    """Contrast of all text of a slide."""

    score: float
    """Mean of eq 5 over the regions, 0 to 1, higher is better."""
    regions: tuple[tuple[TextRegion, RegionContrast], ...]
    """Every region that could be measured, lowest ratio first."""
    covered: tuple[TextRegion, ...] = ()
    """Regions whose ink is not visible: something covers the text."""

    @property
    def below_least(self) -> float:
        """Share of the measured regions with less contrast than WCAG asks, 0 to 1."""
        below = [contrast.ratio < region.least_ratio for region, contrast in self.regions]
        return sum(below) / len(below) if below else 0.0


def text_contrast(image: Image, regions: Sequence[TextRegion]) -> SlideContrast | NotScored:
    """How well a slide's text stands out: the mean of eq 5 over its text regions.

    ``image`` is RGB uint8 (H, W, 3). Range 0 (invisible) to 1 (black on white), higher is better.
    Bullets and punctuation alone are left out; so is text that something covers, which no viewer
    can see. NotScored where the slide has no text, or none of it shows.

    >>> text_contrast(np.zeros((90, 160, 3), np.uint8), [])
    NotScored(reason='the slide has no text')
    """
    regions = [region for region in regions if not region.text or _is_read(region.text)]
    if not regions:
        return NotScored("the slide has no text")
    checked(image)
    measured = []
    covered = []
    for region in regions:
        contrast = region_contrast(image, region.box)
        if isinstance(contrast, NotScored):
            continue
        if _is_covered(region, contrast):
            covered.append(region)
        else:
            measured.append((region, contrast))
    if not measured:
        return NotScored("no text region shows on the picture")
    measured.sort(key=lambda pair: pair[1].ratio)
    score = float(np.mean([contrast_score(contrast.ratio) for _, contrast in measured]))
    return SlideContrast(score, tuple(measured), tuple(covered))


def usability_score(slide_scores: Sequence[float]) -> float | NotScored:
    """A deck's usability: 10 times the mean over its slides with text, 0 to 10, higher is better.

    NotScored where no slide has text.

    >>> usability_score([0.5, 0.7])
    6.0
    """
    if not slide_scores:
        return NotScored("no slide has text")
    return 10 * float(np.mean(slide_scores))


def _is_covered(region: TextRegion, contrast: RegionContrast) -> bool:
    """Whether nothing shows where ink of another colour than the ground was laid out."""
    if not region.ink or contrast.ratio >= NOTHING_SHOWS:
        return False
    return contrast_ratio(parse_color(region.ink), contrast.ground) >= INK_SHOWS


def _is_read(text: str) -> bool:
    """Whether there is more than punctuation, blanks and the private characters of bullets."""
    return any(category(character)[0] in "LMNS" for character in text)
