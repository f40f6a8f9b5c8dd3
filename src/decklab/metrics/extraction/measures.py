"""What is measured of extractions, of which elements (paper 000, E.2 and table 4)."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from decklab.metrics.matching.families import Family

Kind = Literal["precision", "recall", "f1", "error", "accuracy"]
"""How a measure is averaged. An ``error`` is a mean over matched pairs. An ``accuracy`` is one,
too, but end to end each element of a slide whose reply could not be read counts as wrong, as the
paper's failures count towards denominators (E.1)."""

Where = Literal["texts", "rects", "lines", "images", "tables", "slide", "all"]
"""A family, the slide itself, or everything that the measure looks at together."""

SLIDE: Where = "slide"
ALL: Where = "all"

_BOXES: tuple[Family, ...] = ("texts", "rects", "images", "tables")
_TEXTS: tuple[Family, ...] = ("texts",)


class Part(NamedTuple):
    """A quantity that is counted by itself: one name, one family."""

    name: str
    where: Where


@dataclass(frozen=True)
class Measure:
    """One line of the results."""

    name: str
    """With ``extraction.`` before it, its name in the catalogue."""
    kind: Kind
    of: str
    """The counted quantity behind it."""
    wheres: tuple[Where, ...]
    """Where that is counted; their sum is the line for ``all``."""


AGREEMENTS: dict[str, tuple[Where, ...]] = {
    "matching": ("texts", "rects", "lines", "images", "tables"),
    "text": _TEXTS,
    "any_style": _TEXTS,
}
"""Quantities that are found or not: hits, predicted and true ones."""

ERRORS: dict[str, tuple[Where, ...]] = {
    "iou_error": _BOXES,
    "center_error": _BOXES,
    "size_error": _BOXES,
    "aspect_error": ("images",),
    "radius_error": ("rects",),
    "length_error": ("lines",),
    "angle_error": ("lines",),
    "text_error": _TEXTS,
    "font_size_error": _TEXTS,
    "bold_mismatch": _TEXTS,
    "italic_mismatch": _TEXTS,
    "underline_mismatch": _TEXTS,
    "stroke_width_error": ("rects", "lines"),
    "text_color": _TEXTS,
    "fill_color": ("rects",),
    "stroke_color": ("rects", "lines"),
    "background_color": (SLIDE,),
    "contrast_shift": _TEXTS,
    "font_family_accuracy": _TEXTS,
    "font_group_accuracy": _TEXTS,
}
"""Quantities that each matched pair has a value of."""

MEASURES: tuple[Measure, ...] = (
    Measure("matching_precision", "precision", "matching", AGREEMENTS["matching"]),
    Measure("matching_recall", "recall", "matching", AGREEMENTS["matching"]),
    Measure("matching_f1", "f1", "matching", AGREEMENTS["matching"]),
    Measure("text_f1", "f1", "text", _TEXTS),
    Measure("any_style_f1", "f1", "any_style", _TEXTS),
    *(
        Measure(name, "accuracy" if name.endswith("accuracy") else "error", name, wheres)
        for name, wheres in ERRORS.items()
    ),
)
"""All of them, in the order of the results."""

HEADLINES: tuple[str, ...] = (
    "matching_f1", "iou_error", "center_error", "size_error", "aspect_error", "text_f1",
    "any_style_f1", "font_family_accuracy", "font_group_accuracy", "font_size_error",
    "text_color", "contrast_shift",
)  # fmt: skip
"""The rows of table 4, in its order."""
