"""What the metrics, levels and severities are called on paper."""

from typing import Final

from decklab.results import Severity

PARTS: Final = (
    ("harmony.score", "Harmony", "hues keep to one scheme, on every slide alike; at most 5"),
    ("engagement.score", "Engagement", "colour is vivid and varies at a good pace; 0 to 10"),
    ("usability.score", "Usability", "text stands out from what is behind it; 0 to 10"),
    ("rhythm.score", "Rhythm", "visual complexity is well chosen and changes from slide to slide"),
)
"""Metric, name and meaning of the four parts that add up to ``aesthetics.total``."""

METRIC_LABELS: Final = {
    "aesthetics.total": "Aesthetics",
    "editability.level": "Editability level (PEI)",
    "editability.level_on_slide": "Level where text may leave its box",
    "engagement.colorfulness": "Colourfulness",
    "engagement.score": "Engagement",
    "engagement.pacing": "Colour pacing",
    "harmony.aim": "Harmony, AIM variant",
    "harmony.distance_deg": "Distance from hue template",
    "harmony.score": "Harmony",
    "harmony.score_table10": "Harmony, width of table 10",
    "rhythm.rmssd": "Change from slide to slide (RMSSD)",
    "rhythm.score": "Visual rhythm",
    "rhythm.score_eq17": "Visual rhythm by equation 17",
    "rhythm.score_eq17_e7": "Visual rhythm by equation 17, target of E.7",
    "rhythm.score_eq17_table13": "Visual rhythm by equation 17, levels of table 13",
    "rhythm.score_table8": "Visual rhythm, weights of table 8",
    "rhythm.subband_entropy": "Subband entropy",
    "rhythm.subband_entropy_aim": "Subband entropy, AIM variant",
    "rhythm.subband_entropy_table8": "Subband entropy, weights of table 8",
    "usability.contrast": "Text contrast",
    "usability.score": "Usability",
}

LEVEL_NAMES: Final = ("Static", "Patchwork", "Vector", "Structural", "Parametric", "Cinematic")
"""Class names of the PEI levels L0 to L5 (paper 002, table 15)."""

LEVEL_MEANINGS: Final = (
    "flat pictures; nothing can be edited",
    "text can be edited, piece by piece",
    "text reflows and drawings stay sharp",
    "masters and groups carry a change through the deck",
    "charts and diagrams hold their data",
    "animation, transitions and media are native",
)
"""What a deck of each level can do, in short (after paper 002, appendix I.3)."""

SEVERITY_ORDER: Final[dict[Severity, int]] = {"error": 0, "warning": 1, "info": 2}
"""Rank of each severity, worst first."""

SEVERITY_LABELS: Final[dict[Severity, str]] = {
    "error": "error",
    "warning": "warning",
    "info": "note",
}


def metric_label(metric: str) -> str:
    """The name of a metric for readers; its registered name where there is no other.

    >>> metric_label("usability.contrast"), metric_label("custom.metric")
    ('Text contrast', 'custom.metric')
    """
    return METRIC_LABELS.get(metric, metric)
