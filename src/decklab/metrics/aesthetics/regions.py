"""Where text is on a picture of a slide."""

from dataclasses import dataclass

from decklab.geometry import Box
from decklab.metrics.contrast import (
    CONTRAST_LARGE_TEXT,
    CONTRAST_NORMAL_TEXT,
    LARGE_BOLD_TEXT_PT,
    LARGE_TEXT_PT,
)


@dataclass(frozen=True)
class TextRegion:
    """One piece of text, best a line or a span: its box and what is known of it."""

    box: Box
    """In pixels of the slide image; may reach over its edges."""
    text: str
    """What it says; empty where only its place is known."""
    frame_box: Box
    """The same box in the 960x540 frame."""
    size_pt: float | None = None
    """Font size as laid out, in points; None where unknown."""
    bold: bool = False
    ink: str = ""
    """Colour it was laid out in, ``#RRGGBB``; empty where unknown."""

    @property
    def least_ratio(self) -> float:
        """The contrast WCAG 2.2 (1.4.3) asks of this text: 3 where it is large, else 4.5.

        Large is 18 pt, or 14 pt bold. Text of unknown size counts as not large.
        """
        if self.size_pt is None:
            return CONTRAST_NORMAL_TEXT
        large_from = LARGE_BOLD_TEXT_PT if self.bold else LARGE_TEXT_PT
        return CONTRAST_LARGE_TEXT if self.size_pt >= large_from else CONTRAST_NORMAL_TEXT
