"""A baseline that rates slides by weighted flaws of layout, style and text.

Flaws are shares from 0 (none) to 1.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.benchmarks.slideeval.prompts import Scale
from decklab.deck.model.shapes import Image, Text
from decklab.deck.model.slide import SlideElements
from decklab.files import package_data
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.aesthetics.usability import TextRegion, text_contrast
from decklab.metrics.spelling import odd_share
from decklab.options import Axis
from decklab.perturb.constants import AXES
from decklab.rendering.model import TextSpan
from decklab.results import NotScored

# All ours. Lengths in px of the frame.
_ALIGNED = 2.0
_MARGIN = 12.0
_WORDY = 12  # words that fit a line of a bullet
_LONG = 15  # letters of a word that is probably two
_SMALL_PT = 12.0
_LARGE_PT = 60.0
_THIN = 8.0
_STRETCHED = 0.5  # logarithm of the change in a ratio of sides at which this flaw is 1
_FAMILIES = 3  # beyond the first: numbers at which these flaws are 1
_SIZES = 5
_COLORS = 4
_LOUD = 0.75  # saturation and value above which a colour of text is loud


@dataclass(frozen=True)
class SeenSlide:
    """The input of the rating baseline: elements, picture, and spans of drawn text."""

    slide: SlideElements
    image: NDArray[np.uint8]
    spans: Sequence[TextSpan]

    @property
    def texts(self) -> list[Text]:
        """The visible texts."""
        return [item for item in self.slide.texts if _shown(item) and item.text.strip()]


def _shown(item: Text | Image) -> bool:
    return item.placed and not item.hidden


def text_flaws(seen: SeenSlide) -> dict[str, float]:
    """Odd spelling, words run together, capitals out of place, wordy paragraphs, clashing texts."""
    texts = [item.text for item in seen.texts]
    words = [word for text in texts for word in text.split()]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    odd = odd_share("\n".join(texts))
    return {
        "odd": 0.0 if odd is None else odd,
        "joined": _mean([len(word) > _LONG and word.isalpha() for word in words]),
        "capitals": _mean([_mixed_case(word) for word in words]),
        "wordy": _mean([len(line.split()) > _WORDY for line in lines]),
        "clash": _clashing(seen.spans),
    }


def layout_flaws(seen: SeenSlide) -> dict[str, float]:
    """Boxes unaligned, overlapping or at the edge; text that does not fit; stretched pictures."""
    shown: list[Text | Image] = [*seen.texts, *(i for i in seen.slide.images if _shown(i))]
    boxes = [Box(item.x, item.y, item.x + item.w, item.y + item.h) for item in shown]
    inks = [span.box for span in seen.spans]
    pictures = [item for item in seen.slide.images if _shown(item) and len(item.pixels) == 2]
    return {
        "unaligned": _mean([not _is_aligned(box, boxes) for box in boxes]) if len(boxes) > 1 else 0,
        "overlap": _overlap(boxes),
        "clash": _clashing(seen.spans),
        "cut": _mean([_reaches_out(box) for box in inks]),
        "margin": _mean([_near_edge(box) for box in boxes]),
        "thin": _mean([min(box.width, box.height) < _THIN for box in boxes]),
        "overflow": _mean([not _is_inside(ink, boxes) for ink in inks]),
        "stretched": _mean([_stretch(item) for item in pictures]),
        "unbalanced": _unbalanced(boxes),
    }


def style_flaws(seen: SeenSlide) -> dict[str, float]:
    """Low contrast, too many families, sizes and colours, emphasis, odd sizes, loud colours."""
    fonts = [(item.font, len(item.text)) for item in seen.texts]
    if not fonts:
        return dict.fromkeys(_STYLE, 0.0)
    families = {font.name.casefold() for font, _n in fonts}
    sizes = Counter(round(font.size) for font, _n in fonts)
    colors = {font.color for font, _n in fonts}
    marks = [font.style for font, _n in fonts]
    values = (
        _faint(seen),
        min(1.0, (len(families) - 1) / _FAMILIES),
        min(1.0, (len(sizes) - 1) / _SIZES),
        min(1.0, (len(colors) - 1) / _COLORS),
        _mean(["italic" in style for style in marks]),
        _mean(["underscore" in style for style in marks]),
        _mean([font.size < _SMALL_PT for font, _n in fonts]),
        _mean([font.size > _LARGE_PT for font, _n in fonts]),
        _mean([_is_loud(font.color) for font, _n in fonts]),
    )
    return dict(zip(_STYLE, values, strict=True))


_STYLE = (
    "faint", "families", "sizes", "colors", "italic", "underlined", "small", "large", "loud",
)  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _mixed_case(word: str) -> bool:
    """Whether a word has capitals after its first letter, and also small letters."""
    inner = word[1:]
    return not word.isupper() and not inner.islower() and any(c.isupper() for c in inner)


def _clashing(spans: Sequence[TextSpan]) -> float:
    """Share of drawn lines of text that overlap another line."""
    hit = set()
    for (a, one), (b, other) in combinations(enumerate(spans), 2):
        common = one.box.intersection(other.box)
        low = min(one.box.height, other.box.height)
        if one.line != other.line and common.height > low / 3 and common.width > low / 2:
            hit |= {a, b}
    return len(hit) / len(spans) if spans else 0.0


def _is_aligned(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether an edge or the middle of the box is at that of another box."""
    return any(
        other is not box
        and any(abs(a - b) <= _ALIGNED for a, b in zip(_lines(box), _lines(other), strict=True))
        for other in boxes
    )


def _lines(box: Box) -> tuple[float, ...]:
    return (*box, (box.left + box.right) / 2, (box.top + box.bottom) / 2)


def _overlap(boxes: Sequence[Box]) -> float:
    """Common area of pairs over the area of the smaller, mean over boxes, at most 1."""
    shares = [0.0] * len(boxes)
    for (a, one), (b, other) in combinations(enumerate(boxes), 2):
        share = one.intersection(other).area / max(1.0, min(one.area, other.area))
        shares[a], shares[b] = max(shares[a], share), max(shares[b], share)
    return _mean(shares)


def _reaches_out(box: Box) -> bool:
    return box.left < 0 or box.top < 0 or box.right > FRAME_WIDTH or box.bottom > FRAME_HEIGHT


def _near_edge(box: Box) -> bool:
    gaps = (box.left, box.top, FRAME_WIDTH - box.right, FRAME_HEIGHT - box.bottom)
    return min(gaps) < _MARGIN


def _is_inside(ink: Box, boxes: Sequence[Box]) -> bool:
    """Whether more than 0.9 of the area of drawn text lies in one of the boxes."""
    area = max(ink.area, 1.0)
    return any(ink.intersection(box).area / area > 0.9 for box in boxes)


def _stretch(item: Image) -> float:
    """How far a picture's ratio of sides is from that of its file, 0 to 1."""
    across = item.pixels[0] * (1 - item.crop.left - item.crop.right)
    down = item.pixels[1] * (1 - item.crop.top - item.crop.bottom)
    if min(across, down, item.w, item.h) <= 0:
        return 0.0
    return min(1.0, abs(float(np.log(item.w * down / (item.h * across)))) / _STRETCHED)


def _unbalanced(boxes: Sequence[Box]) -> float:
    """Distance of the boxes' common middle from the slide's, as a share of the way to its edge."""
    total = sum(box.area for box in boxes)
    if not total:
        return 0.0
    x = sum((box.left + box.right) / 2 * box.area for box in boxes) / total
    y = sum((box.top + box.bottom) / 2 * box.area for box in boxes) / total
    return min(1.0, float(np.hypot(2 * x / FRAME_WIDTH - 1, 2 * y / FRAME_HEIGHT - 1)))


def _faint(seen: SeenSlide) -> float:
    """Share of drawn text with less contrast than WCAG requires; 0 where none is measured."""
    height, width = seen.image.shape[:2]
    regions = [
        TextRegion(
            box=span.box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT), text=span.text,
            frame_box=span.box, size_pt=span.size_pt, bold="bold" in span.font.lower(),
        )
        for span in seen.spans
    ]  # fmt: skip
    found = text_contrast(seen.image, regions)
    if isinstance(found, NotScored):
        return 0.0
    return _mean([contrast.ratio < region.least_ratio for region, contrast in found.regions])


def _is_loud(color: str) -> bool:
    red, green, blue = bytes.fromhex(color[1:])
    high, low = max(red, green, blue), min(red, green, blue)
    return high > 255 * _LOUD and (high - low) / max(high, 1) > _LOUD


@dataclass(frozen=True)
class FlawWeights:
    """Degradation as a weighted sum of flaws, plus ``base``."""

    base: float
    weights: Mapping[str, float]

    def degradation(self, flaws: Mapping[str, float]) -> float:
        """0 (sound) to 1 (ruined)."""
        found = self.base + sum(weight * flaws[name] for name, weight in self.weights.items())
        return min(1.0, max(0.0, found))


_FITTED: Final = tomllib.loads(
    package_data("decklab.benchmarks.slideeval", "data/critic_weights.toml").decode()
)
WEIGHTS: Final[Mapping[Axis, FlawWeights]] = {axis: FlawWeights(**_FITTED[axis]) for axis in AXES}
"""By axis. Ours: fitted to slides of decklab's three samples, see ``data/critic_weights.toml``."""

_FLAWS: Final[Mapping[Axis, Callable[[SeenSlide], dict[str, float]]]] = {
    "text": text_flaws,
    "geometry": layout_flaws,
    "style": style_flaws,
}


def degradation(seen: SeenSlide, axis: Axis) -> float:
    """How far a slide is degraded along an axis, 0 to 1, lower is better.

    Judged from its elements and picture, without the original and without the severity.
    """
    return WEIGHTS[axis].degradation(_FLAWS[axis](seen))


def rate_slide(seen: SeenSlide, axis: Axis, scale: Scale) -> int:
    """A whole number on 1 to 5 or 1 to 100, higher is better, as paper 000 asks models for."""
    return round(1 + (scale - 1) * (1 - degradation(seen, axis)))
