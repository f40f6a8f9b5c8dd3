"""Names of SlideEval's measures as people read them."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class MeasureLabel:
    """How a measure is called, and which way is better."""

    label: str
    higher: bool
    unit: str = ""
    top: float | None = 1.0
    """Where its axis ends; None for the largest value shown."""
    doubled: bool = True
    """Whether end to end and parsed only differ: errors are of matched pairs in both."""


MEASURES: Final[dict[str, MeasureLabel]] = {
    "matching_f1": MeasureLabel("Matching F1", True),
    "iou_error": MeasureLabel("1 − IoU", False, doubled=False),
    "center_error": MeasureLabel("Centre error, of the diagonal", False, "", None, doubled=False),
    "size_error": MeasureLabel("Size error", False, doubled=False),
    "aspect_error": MeasureLabel("Image aspect error", False, doubled=False),
    "text_f1": MeasureLabel("Text content F1", True),
    "any_style_f1": MeasureLabel("Any-style F1", True),
    "font_family_accuracy": MeasureLabel("Font family accuracy", True),
    "font_group_accuracy": MeasureLabel("Font group accuracy", True),
    "font_size_error": MeasureLabel("Font size error", False, " pt", None, doubled=False),
    "text_color": MeasureLabel("Text colour", False, " ΔE00", None, doubled=False),
    "contrast_shift": MeasureLabel("Contrast shift", False, "", None, doubled=False),
    "length_ratio": MeasureLabel("Length ratio", True),
    "kendall_tau": MeasureLabel("Kendall’s τ", True),
    "spearman_rho": MeasureLabel("Spearman’s ρ", True),
    "exact_match": MeasureLabel("Exact match", True),
}

TABLE_4: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Elements", ("matching_f1",)),
    ("Geometry", ("iou_error", "center_error", "size_error", "aspect_error")),
    ("Content", ("text_f1",)),
    (
        "Style",
        (
            "any_style_f1", "font_family_accuracy", "font_group_accuracy", "font_size_error",
            "text_color", "contrast_shift",
        ),
    ),
)  # fmt: skip
"""Rows of the paper's table 4, by group."""

FIGURE_2: Final = ("matching_f1", "text_f1", "iou_error", "font_family_accuracy")
FIGURE_7: Final = (
    "any_style_f1", "font_group_accuracy", "font_family_accuracy", "font_size_error",
    "text_color", "contrast_shift", "iou_error", "center_error", "size_error", "aspect_error",
)  # fmt: skip
FIGURE_8: Final = ("length_ratio", "kendall_tau", "spearman_rho", "exact_match")

TASKS: Final = {
    "slideeval_extract": "Extraction",
    "slideeval_perturb": "Sensitivity",
    "slideeval_order": "Ordering",
}
