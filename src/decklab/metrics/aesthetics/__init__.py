"""Computational aesthetics of slide pictures: harmony, engagement, usability, visual rhythm.

SlidesGen-Bench (paper 002), section 2.3 and appendices D to H. Pure functions on RGB uint8 arrays
of shape (H, W, 3); :func:`slide_rows` and :func:`deck_rows` turn them into result rows and
:func:`findings` says what to mend.
"""

from decklab.metrics.aesthetics.clutter import subband_entropy, subband_entropy_aim
from decklab.metrics.aesthetics.color_harmony import (
    Harmony,
    harmony,
    harmony_aim,
    harmony_score,
    harmony_slide_score,
)
from decklab.metrics.aesthetics.dominant_colors import palette
from decklab.metrics.aesthetics.engagement import colorfulness, engagement_score, pacing
from decklab.metrics.aesthetics.findings import findings
from decklab.metrics.aesthetics.legibility import (
    RegionContrast,
    contrast_ratio,
    contrast_score,
    region_contrast,
)
from decklab.metrics.aesthetics.regions import TextRegion
from decklab.metrics.aesthetics.rows import deck_rows, slide_rows
from decklab.metrics.aesthetics.usability import SlideContrast, text_contrast, usability_score
from decklab.metrics.aesthetics.visual_rhythm import (
    overload_windows,
    rhythm_band,
    rhythm_score,
    rhythm_score_target,
    rhythm_slide_score,
    rmssd,
)

__all__ = [
    "Harmony",
    "RegionContrast",
    "SlideContrast",
    "TextRegion",
    "colorfulness",
    "contrast_ratio",
    "contrast_score",
    "deck_rows",
    "engagement_score",
    "findings",
    "harmony",
    "harmony_aim",
    "harmony_score",
    "harmony_slide_score",
    "overload_windows",
    "pacing",
    "palette",
    "region_contrast",
    "rhythm_band",
    "rhythm_score",
    "rhythm_score_target",
    "rhythm_slide_score",
    "rmssd",
    "slide_rows",
    "subband_entropy",
    "subband_entropy_aim",
    "text_contrast",
    "usability_score",
]
