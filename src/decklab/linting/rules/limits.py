"""Thresholds of rules that a project may set for itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from decklab.core.registry import Registry
from decklab.metrics.contrast import CONTRAST_LARGE_TEXT, CONTRAST_NORMAL_TEXT

LEAST_BODY_PT: Final = 12.0
LEAST_LABEL_PT: Final = 10.0
LEAST_SMALL_PRINT_PT: Final = 9.0
"""Ours, by role: text placeholders; text boxes, shapes and tables; charts, diagrams and footers.
Microsoft advises 18 pt or more for slides (*Make your PowerPoint presentations accessible*), which
nearly every deck breaks somewhere; under these sizes text cannot be read from any seat."""

LEAST_TITLE_PT: Final = 18.0
"""Ours: Microsoft advises 18 pt or more for any text on slides (*Make your PowerPoint presentations
accessible*), and the lowest levels of body text in Office's own theme have it; a title that is
smaller is smaller than what stands under it."""

DRIFT_LEAST_PX: Final = 1.5
"""Ours: an object that is off a line by less is not seen to be."""

MOST_RATIO: Final = 21.0
"""The contrast of black on white (WCAG 2.2, contrast ratio)."""
_MOST_PT = 400.0


@dataclass(frozen=True)
class Limits:
    """The thresholds of a run and its languages; the defaults are those that the rules state."""

    body_pt: float = LEAST_BODY_PT
    label_pt: float = LEAST_LABEL_PT
    small_print_pt: float = LEAST_SMALL_PRINT_PT
    title_pt: float = LEAST_TITLE_PT
    text_ratio: float = CONTRAST_NORMAL_TEXT
    large_text_ratio: float = CONTRAST_LARGE_TEXT
    drift_px: float = DRIFT_LEAST_PX
    languages: tuple[str, ...] = ()
    """The languages that text may be marked as, as BCP 47 tags such as ``en`` or ``pt-BR``; empty
    for any."""

    @classmethod
    def of(cls, values: Mapping[str, float], languages: Iterable[str] = ()) -> "Limits":
        """The defaults with some values in their place, by the names of ``THRESHOLDS``.

        Raises UnknownName for another name, ValueError for a number outside the threshold's range.

        >>> Limits.of({"text.small.body": 14}).body_pt
        14.0
        """
        for name, value in values.items():
            known = THRESHOLDS[name]
            if not known.low <= value <= known.high:
                raise ValueError(f"{name} is {value:g}, not {known.low:g} to {known.high:g}")
        found: dict[str, Any] = {
            THRESHOLDS[name].field: float(value) for name, value in values.items()
        }
        return replace(cls(languages=tuple(languages)), **found)


@dataclass(frozen=True)
class Threshold:
    """A threshold that a project may set: where it is in ``Limits``, and what it means."""

    field: str
    unit: str
    meaning: str
    low: float
    high: float

    @property
    def default(self) -> float:
        """The value unless a project sets another."""
        return float(getattr(Limits, self.field))


THRESHOLDS: Final[Registry[Threshold]] = Registry("threshold")
"""Every threshold by its name: that of its rule, and a word more where the rule has several."""

for _name, _threshold in {
    "text.small.body": Threshold("body_pt", "pt", "least size in text placeholders", 0, _MOST_PT),
    "text.small.label": Threshold(
        "label_pt", "pt", "least size in text boxes, shapes and tables", 0, _MOST_PT
    ),
    "text.small.small-print": Threshold(
        "small_print_pt", "pt", "least size in charts, diagrams and footers", 0, _MOST_PT
    ),
    "title.shrunk": Threshold("title_pt", "pt", "size a title may shrink to", 0, _MOST_PT),
    "contrast.low.text": Threshold("text_ratio", ":1", "least contrast of text", 1, MOST_RATIO),
    "contrast.low.large-text": Threshold(
        "large_text_ratio", ":1", "least contrast of large text", 1, MOST_RATIO
    ),
    "shape.drift": Threshold("drift_px", "px", "how far off its line an object may stand", 0, 6),
}.items():
    THRESHOLDS.register(_name, _threshold)

USUAL_LIMITS: Final = Limits()
"""Those of a project that sets none."""
