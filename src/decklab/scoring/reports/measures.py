"""The measured value of a finding, in plain words with its unit."""

from typing import Final

from decklab.core.results import Finding
from decklab.pages.wording import plain

_PATTERNS: Final = {
    "contrast": "contrast {measured:.1f}:1, needs {threshold:g}:1",
    "text.small": "{measured:g} pt, needs {threshold:g} pt",
    "title.size": "{measured:g} pt, elsewhere {threshold:g} pt",
    "text.overflow": "{measured:.0f} px beyond its box",
    "text.off-slide": "{measured:.0f} px beyond the slide",
    "text.margin": "{measured:.0f} px from the edge",
    "text.overlap": "{measured:.0%} overlaps",
    "shape.off-slide": "{measured:.0f} px off the slide",
    "shape.drift": "{measured:.0f} px out of line",
    "title.position": "{measured:.0f} px away",
    "engagement.flat": "colourfulness {measured:.0f}, usually {threshold:.0f} or more",
    "engagement.volatile": "spread {measured:.0f}, usually up to {threshold:.0f}",
    "rhythm.overload": "clutter {measured:.1f} bits, usually up to {threshold:.1f}",
    "rhythm.strobe": "typical change {measured:.2f} of 1, usually up to {threshold:.2f}",
    "rhythm.flatline": "typical change {measured:.3f} of 1",
    "harmony.spike": "{measured:.0f}° off its colour scheme, usually up to {threshold:.0f}°",
    "accessibility.reading-order": "{measured:.0%} of pairs in order",
}
_TOLD: Final = ("accessibility", "placeholder", "deck", "editability")
"""Rules whose messages say how many there are."""


def measure(finding: Finding) -> str:
    """The measured value of a finding and the value it should have; empty if the message says it.

    Counts that are held against 0 are empty too: one fault is one too many.

    >>> low = Finding(rule="contrast.low", severity="info", message="", measured=2.1, threshold=4.5)
    >>> measure(low)
    'contrast 2.1:1, needs 4.5:1'
    """
    family = finding.rule.split(".", 1)[0]
    pattern = _PATTERNS.get(finding.rule) or _PATTERNS.get(family)
    if finding.measured is None:
        return ""
    if pattern and (finding.threshold is not None or "threshold" not in pattern):
        return pattern.format(measured=finding.measured, threshold=finding.threshold)
    if family in _TOLD or not finding.threshold:
        return ""
    return f"{plain(finding.measured)}, limit {plain(finding.threshold)}"
