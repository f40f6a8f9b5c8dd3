"""What each matched pair of elements has a value of, and which true elements could have one."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot

from decklab.deck.model.plain import PlainImage, PlainLine, PlainRect, PlainSlide, PlainText
from decklab.metrics.colors import color_difference, contrast_ratios
from decklab.metrics.extraction.constants import UNKNOWN_FONT
from decklab.metrics.extraction.fonts import canonical_font, font_group
from decklab.metrics.extraction.measures import SLIDE, Part, Where
from decklab.metrics.matching.assignment import Matching
from decklab.metrics.matching.constants import MIN_SIDE
from decklab.metrics.matching.families import Family

Values = dict[Part, Sequence[float]]
_BOXES: tuple[Family, ...] = ("texts", "rects", "images", "tables")


def applicable(truth: PlainSlide) -> dict[Part, int]:
    """How many true elements each quantity could be measured of, all matched and all told."""
    counts: dict[Part, int] = {Part("background_color", SLIDE): 1}
    for family in _BOXES:
        for name in ("iou_error", "center_error", "size_error"):
            counts[Part(name, family)] = len(getattr(truth, family))
    for name in _TEXT_QUANTITIES:
        counts[Part(name, "texts")] = len(truth.texts)
    fonts = [text.font.name for text in truth.texts]
    counts[Part("font_family_accuracy", "texts")] = sum(map(_is_known, fonts))
    counts[Part("font_group_accuracy", "texts")] = sum(map(_is_grouped, fonts))
    counts[Part("aspect_error", "images")] = len(truth.images)
    counts[Part("radius_error", "rects")] = len(truth.rects)
    counts[Part("fill_color", "rects")] = sum(rect.fill is not None for rect in truth.rects)
    counts[Part("length_error", "lines")] = len(truth.lines)
    counts[Part("angle_error", "lines")] = sum(_length(line) > 0 for line in truth.lines)
    for where, items in _stroked(truth):
        stroked = sum(item.stroke is not None for item in items)
        counts[Part("stroke_color", where)] = stroked
        counts[Part("stroke_width_error", where)] = stroked
    return counts


def pair_values(
    truth: PlainSlide, prediction: PlainSlide, matchings: Mapping[Family, Matching]
) -> Values:
    """The values of all matched pairs; a pair that has none of a kind is not among that kind's."""
    values: Values = {
        Part("background_color", SLIDE): list(
            color_difference([truth.background], [prediction.background])
        )
    }
    for family in _BOXES:
        matches = matchings[family].matches
        values[Part("iou_error", family)] = [match.iou_error for match in matches]
        values[Part("center_error", family)] = [match.center_error for match in matches]
        values[Part("size_error", family)] = [match.size_error for match in matches]
    texts = matchings["texts"].matches
    values[Part("text_error", "texts")] = [1 - (match.similarity or 0.0) for match in texts]
    pairs = [(truth.texts[m.truth], prediction.texts[m.prediction]) for m in texts]
    values |= _text_values(pairs, truth.background, prediction.background)
    images = matchings["images"].matches
    values[Part("aspect_error", "images")] = [
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
    return {Part(name, "texts"): found for name, found in quantities.items()}


def _is_known(font: str) -> bool:
    return canonical_font(font) != UNKNOWN_FONT


def _is_grouped(font: str) -> bool:
    return font_group(font) != "other"


def _aspect_error(truth: PlainImage, prediction: PlainImage) -> float:
    """How far the flatter of two aspect ratios is from the other, 0 to 1."""
    ratios = [max(e.w, MIN_SIDE) / max(e.h, MIN_SIDE) for e in (truth, prediction)]
    return 1 - min(ratios) / max(ratios)


def _rect_values(pairs: Sequence[tuple[PlainRect, PlainRect]]) -> Values:
    filled = [(a.fill, b.fill) for a, b in pairs if a.fill is not None and b.fill is not None]
    return {
        Part("radius_error", "rects"): [_radius_error(a, b) for a, b in pairs],
        Part("fill_color", "rects"): list(
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
        Part("length_error", "lines"): [_length_error(a, b) for a, b in pairs],
        Part("angle_error", "lines"): [_angle_error(a, b) for a, b in angled],
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
        Part("stroke_color", where): list(
            color_difference([a for a, _ in colors], [b for _, b in colors])
        ),
        Part("stroke_width_error", where): widths,
    }


def _length(line: PlainLine) -> float:
    return hypot(line.x2 - line.x1, line.y2 - line.y1)


def _length_error(truth: PlainLine, prediction: PlainLine) -> float:
    """Difference of the lengths over the true one, at most 1."""
    length = _length(truth)
    return min(abs(length - _length(prediction)) / max(length, MIN_SIDE), 1.0)


def _angle_error(truth: PlainLine, prediction: PlainLine) -> float:
    """The angle between two lines over a right one; which end comes first does not matter."""
    angles = [degrees(atan2(e.y2 - e.y1, e.x2 - e.x1)) for e in (truth, prediction)]
    between = abs(angles[0] - angles[1]) % 180
    return min(between, 180 - between) / 90


def _stroked(
    slide: PlainSlide,
) -> Iterator[tuple[Where, Sequence[PlainRect] | Sequence[PlainLine]]]:
    yield "rects", slide.rects
    yield "lines", slide.lines
