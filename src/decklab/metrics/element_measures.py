"""The measures of matched pairs of elements, and which true elements could have a value.

Paper 000, E.2 and table 4.

Canonical names of typefaces and their groups (paper 000, appendix G).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, degrees, hypot
from typing import Final, Literal, NamedTuple

from decklab.core.colors import color_difference, contrast_ratios
from decklab.deck.model.base import PlainImage, PlainLine, PlainRect, PlainSlide, PlainText
from decklab.metrics.element_matching import MIN_SIDE, Family, Matching

FontGroup = Literal["sans", "serif", "mono", "script", "display", "other"]
"""Groups of typefaces (appendix G.2); ``other`` holds what the mapping does not name."""

_BY_GROUP: Final[dict[FontGroup, tuple[str, ...]]] = {
    "sans": (
        "arial", "calibri", "helvetica", "helvetica neue", "segoe ui", "verdana", "tahoma",
        "gill sans", "inter", "roboto", "open sans", "lato", "montserrat", "source sans pro",
        "libre franklin", "quattrocento sans", "ubuntu", "barlow", "bahnschrift", "ibm plex sans",
        "soehne", "dosis", "poppins", "raleway", "titillium web", "nunito", "corbel", "candara",
        "century gothic", "avenir", "avenir next", "franklin gothic", "arial rounded mt",
        "carlito", "tenorite", "aptos", "segoe ui emoji", "segoe ui symbol",
    ),
    "serif": (
        "times new roman", "georgia", "garamond", "cambria", "palatino linotype",
        "bookman old style", "elephant", "merriweather", "playfair display", "bodoni", "bodoni mt",
        "didot", "tinos", "cmr10", "american typewriter", "roboto slab", "asana",
    ),
    "mono": (
        "courier new", "courier", "consolas", "menlo", "monaco", "inconsolata", "fira mono",
        "source code pro", "roboto mono", "ibm plex mono",
    ),
    "script": (
        "comic sans ms", "brush script mt", "brush script", "amatic sc", "patrick hand",
        "architects daughter", "caveat", "pacifico", "lobster",
    ),
    "display": ("impact", "bebas"),
}  # fmt: skip
"""Appendix G.2, which writes bebas with an accent. All other names of table 5 are ``other``: 460
unknown, 105 oswald, 3 handwriting and 1 proxima nova make table 6's 569."""

FONT_GROUPS: Final[dict[str, FontGroup]] = {
    name: group for group, names in _BY_GROUP.items() for name in names
} | {"segoe script": "script"}
"""Canonical name to group. ``segoe script`` is not in G.2, but table 6 counts 47 scripts, the sum
of amatic sc, patrick hand, pacifico and segoe script in table 5 (10 + 33 + 1 + 3)."""

UNKNOWN_FONT: Final = "unknown"
"""Canonical name of a typeface that is not stated (table 5)."""

ALIASES: Final[dict[str, str]] = {"sohne": "soehne", "times": "times new roman"}
"""Ours: other spellings of names in the mapping."""

STYLE_WORDS: Final = frozenset(
    {
        "thin", "hairline", "extralight", "ultralight", "light", "semilight", "book", "regular",
        "normal", "roman", "medium", "demi", "demibold", "semibold", "bold", "extrabold",
        "ultrabold", "heavy", "black", "extra", "ultra", "semi", "italic", "oblique", "condensed",
        "cond", "narrow", "compressed", "extended", "wide", "display", "text", "variable",
    }
)  # fmt: skip
"""Ours: words at a name's end for weight, slant or width. No name in table 5 has such a word, and
E.2 compares weight and slant separately."""

FOUNDRY_WORDS: Final = frozenset({"mt", "ps", "psmt", "lt", "std", "pro", "ms", "itc", "bt", "vf"})
"""Ours: words that makers add to a name. They stay where the mapping has the name with them."""

_SQUEEZED = {name.replace(" ", ""): name for name in FONT_GROUPS}
_DROPPED = STYLE_WORDS | FOUNDRY_WORDS
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ASIDE = re.compile(r"\([^)]*\)")


@lru_cache(maxsize=4096)
def canonical_font(name: str) -> str:
    """A typeface's name for comparison: lower case, without weight, slant, maker or accents.

    Of several names the first counts. An empty name is ``unknown``. The paper prints its canonical
    names (tables 5 and 6, G.2) but not the rule; this rule gives the names as printed.

    >>> [canonical_font(name) for name in ("Segoe UI Semibold", "OpenSans-Bold", "Gill Sans MT")]
    ['segoe ui', 'open sans', 'gill sans']
    >>> canonical_font("TimesNewRomanPSMT"), canonical_font("Source Sans Pro"), canonical_font("")
    ('times new roman', 'source sans pro', 'unknown')
    """
    first = _ASIDE.sub(" ", name).split(",")[0].split(";")[0].strip(" \"'")
    if known := _known(_words(first)):
        return known
    words = _words(_CAMEL.sub(" ", first))
    while words:
        if known := _known(words):
            return known
        if len(words) == 1 or words[-1] not in _DROPPED:
            break
        words = words[:-1]
    return " ".join(words) or UNKNOWN_FONT


def font_group(name: str) -> FontGroup:
    """The group of a typeface by its name in any spelling; ``other`` where the mapping has none.

    >>> font_group("Georgia"), font_group("Roboto Mono Light"), font_group("Oswald")
    ('serif', 'mono', 'other')
    """
    return FONT_GROUPS.get(canonical_font(name), "other")


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[\s_\-+]+", " ", plain).split()


def _known(words: list[str]) -> str | None:
    """The mapping's name for these words, written together or apart."""
    spaced, squeezed = " ".join(words), "".join(words)
    if spaced in FONT_GROUPS:
        return spaced
    return ALIASES.get(spaced) or _SQUEEZED.get(squeezed)


Kind = Literal["precision", "recall", "f1", "error", "accuracy"]
"""How a measure is averaged. An ``error`` is a mean over matched pairs. So is an ``accuracy``, but
end to end each element of a slide whose reply could not be read counts as wrong, as the paper's
failures count towards denominators (E.1)."""

Where = Literal["texts", "rects", "lines", "images", "tables", "slide", "all"]
"""A family, the slide itself, or all families of the measure together."""

SLIDE: Where = "slide"
ALL: Where = "all"

_BOXES: tuple[Family, ...] = ("texts", "rects", "images", "tables")
_TEXTS: tuple[Family, ...] = ("texts",)


class Quantity(NamedTuple):
    """A quantity that is counted by itself: one name, one family."""

    name: str
    where: Where


@dataclass(frozen=True)
class Measure:
    """One line of the results."""

    name: str
    """Estimates name it with ``extraction.`` before it."""
    kind: Kind
    of: str
    """The counted quantity from which it is computed."""
    wheres: tuple[Where, ...]
    """The families where it is counted; their sum is the line for ``all``."""


AGREEMENTS: dict[str, tuple[Where, ...]] = {
    "matching": ("texts", "rects", "lines", "images", "tables"),
    "text": _TEXTS,
    "any_style": _TEXTS,
}
"""Quantities that are found or not: hits, predicted and true elements."""

ERRORS: dict[str, tuple[Where, ...]] = {
    "iou_error": _BOXES, "center_error": _BOXES, "size_error": _BOXES, "aspect_error": ("images",),
    "radius_error": ("rects",), "length_error": ("lines",), "angle_error": ("lines",),
    "text_error": _TEXTS, "font_size_error": _TEXTS, "bold_mismatch": _TEXTS,
    "italic_mismatch": _TEXTS, "underline_mismatch": _TEXTS,
    "stroke_width_error": ("rects", "lines"), "text_color": _TEXTS, "fill_color": ("rects",),
    "stroke_color": ("rects", "lines"), "background_color": (SLIDE,), "contrast_shift": _TEXTS,
    "font_family_accuracy": _TEXTS, "font_group_accuracy": _TEXTS,
}  # fmt: skip
"""Quantities of which each matched pair has a value."""

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

Values = dict[Quantity, Sequence[float]]


def applicable(truth: PlainSlide) -> dict[Quantity, int]:
    """The largest number of true elements of which each quantity could be measured."""
    counts: dict[Quantity, int] = {Quantity("background_color", SLIDE): 1}
    for family in _BOXES:
        for name in ("iou_error", "center_error", "size_error"):
            counts[Quantity(name, family)] = len(getattr(truth, family))
    for name in _TEXT_QUANTITIES:
        counts[Quantity(name, "texts")] = len(truth.texts)
    fonts = [text.font.name for text in truth.texts]
    counts[Quantity("font_family_accuracy", "texts")] = sum(map(_is_known, fonts))
    counts[Quantity("font_group_accuracy", "texts")] = sum(map(_is_grouped, fonts))
    counts[Quantity("aspect_error", "images")] = len(truth.images)
    counts[Quantity("radius_error", "rects")] = len(truth.rects)
    counts[Quantity("fill_color", "rects")] = sum(rect.fill is not None for rect in truth.rects)
    counts[Quantity("length_error", "lines")] = len(truth.lines)
    counts[Quantity("angle_error", "lines")] = sum(_length(line) > 0 for line in truth.lines)
    for where, items in _stroked(truth):
        stroked = sum(item.stroke is not None for item in items)
        counts[Quantity("stroke_color", where)] = stroked
        counts[Quantity("stroke_width_error", where)] = stroked
    return counts


def pair_values(
    truth: PlainSlide, prediction: PlainSlide, matchings: Mapping[Family, Matching]
) -> Values:
    """The values of all matched pairs; a pair without a value of a quantity is left out there."""
    values: Values = {
        Quantity("background_color", SLIDE): list(
            color_difference([truth.background], [prediction.background])
        )
    }
    for family in _BOXES:
        matches = matchings[family].matches
        values[Quantity("iou_error", family)] = [match.iou_error for match in matches]
        values[Quantity("center_error", family)] = [match.center_error for match in matches]
        values[Quantity("size_error", family)] = [match.size_error for match in matches]
    texts = matchings["texts"].matches
    values[Quantity("text_error", "texts")] = [1 - (match.similarity or 0.0) for match in texts]
    pairs = [(truth.texts[m.truth], prediction.texts[m.prediction]) for m in texts]
    values |= _text_values(pairs, truth.background, prediction.background)
    images = matchings["images"].matches
    values[Quantity("aspect_error", "images")] = [
        _aspect_error(truth.images[m.truth], prediction.images[m.prediction]) for m in images
    ]
    rects = matchings["rects"].matches
    values |= _rect_values([(truth.rects[m.truth], prediction.rects[m.prediction]) for m in rects])
    lines = matchings["lines"].matches
    values |= _line_values([(truth.lines[m.truth], prediction.lines[m.prediction]) for m in lines])
    return values


_TEXT_QUANTITIES = (
    "text_error", "font_size_error", "bold_mismatch", "italic_mismatch", "underline_mismatch",
    "text_color", "contrast_shift",
)  # fmt: skip


def _text_values(
    pairs: Sequence[tuple[PlainText, PlainText]], ground: str, other_ground: str
) -> Values:
    fonts = [(a.font, b.font) for a, b in pairs]
    colors, others = [a.color for a, _ in fonts], [b.color for _, b in fonts]
    contrasts = contrast_ratios(colors, [ground] * len(pairs))
    other_contrasts = contrast_ratios(others, [other_ground] * len(pairs))
    named = [(a.name, b.name) for a, b in fonts]
    quantities: dict[str, Sequence[float]] = {
        "font_size_error": [abs(a.size - b.size) for a, b in fonts],
        "bold_mismatch": [float(("bold" in a.style) != ("bold" in b.style)) for a, b in fonts],
        "italic_mismatch": [
            float(("italic" in a.style) != ("italic" in b.style)) for a, b in fonts
        ],
        "underline_mismatch": [
            float(("underscore" in a.style) != ("underscore" in b.style)) for a, b in fonts
        ],
        "text_color": list(color_difference(colors, others)),
        "contrast_shift": list(abs(contrasts - other_contrasts)),
        "font_family_accuracy": [
            float(canonical_font(a) == canonical_font(b)) for a, b in named if _is_known(a)
        ],
        "font_group_accuracy": [
            float(font_group(a) == font_group(b)) for a, b in named if _is_grouped(a)
        ],
    }
    return {Quantity(name, "texts"): values for name, values in quantities.items()}


def _is_known(font: str) -> bool:
    return canonical_font(font) != UNKNOWN_FONT


def _is_grouped(font: str) -> bool:
    return font_group(font) != "other"


def _aspect_error(truth: PlainImage, prediction: PlainImage) -> float:
    """The relative difference of two aspect ratios, 0 to 1."""
    ratios = [max(e.w, MIN_SIDE) / max(e.h, MIN_SIDE) for e in (truth, prediction)]
    return 1 - min(ratios) / max(ratios)


def _rect_values(pairs: Sequence[tuple[PlainRect, PlainRect]]) -> Values:
    filled = [(a.fill, b.fill) for a, b in pairs if a.fill is not None and b.fill is not None]
    return {
        Quantity("radius_error", "rects"): [_radius_error(a, b) for a, b in pairs],
        Quantity("fill_color", "rects"): list(
            color_difference([a for a, _ in filled], [b for _, b in filled])
        ),
        **_stroke_values(pairs, "rects"),
    }


def _radius_error(truth: PlainRect, prediction: PlainRect) -> float:
    """Difference of the radii over the largest that the true rectangle can have, at most 1."""
    largest = max(min(truth.w, truth.h), MIN_SIDE) / 2
    return min(abs(truth.rx - prediction.rx) / largest, 1.0)


def _line_values(pairs: Sequence[tuple[PlainLine, PlainLine]]) -> Values:
    angled = [(a, b) for a, b in pairs if _length(a) > 0 and _length(b) > 0]
    return {
        Quantity("length_error", "lines"): [_length_error(a, b) for a, b in pairs],
        Quantity("angle_error", "lines"): [_angle_error(a, b) for a, b in angled],
        **_stroke_values(pairs, "lines"),
    }


def _stroke_values(
    pairs: Sequence[tuple[PlainRect, PlainRect]] | Sequence[tuple[PlainLine, PlainLine]],
    where: Where,
) -> Values:
    """Colour and width of strokes that both have."""
    colors: list[tuple[str, str]] = []
    widths: list[float] = []
    for a, b in pairs:
        if a.stroke is not None and b.stroke is not None:
            colors.append((a.stroke, b.stroke))
            widths.append(abs(a.strokeWidth - b.strokeWidth))
    return {
        Quantity("stroke_color", where): list(
            color_difference([a for a, _ in colors], [b for _, b in colors])
        ),
        Quantity("stroke_width_error", where): widths,
    }


def _length(line: PlainLine) -> float:
    return hypot(line.x2 - line.x1, line.y2 - line.y1)


def _length_error(truth: PlainLine, prediction: PlainLine) -> float:
    """Difference of the lengths over the true one, at most 1."""
    length = _length(truth)
    return min(abs(length - _length(prediction)) / max(length, MIN_SIDE), 1.0)


def _angle_error(truth: PlainLine, prediction: PlainLine) -> float:
    """The angle between two lines over a right angle; the direction of a line does not matter."""
    angles = [degrees(atan2(e.y2 - e.y1, e.x2 - e.x1)) for e in (truth, prediction)]
    between = abs(angles[0] - angles[1]) % 180
    return min(between, 180 - between) / 90


def _stroked(
    slide: PlainSlide,
) -> Iterator[tuple[Where, Sequence[PlainRect] | Sequence[PlainLine]]]:
    yield "rects", slide.rects
    yield "lines", slide.lines
