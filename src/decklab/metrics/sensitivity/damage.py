"""How far a damaged slide is from the clean one, whatever severity it was damaged with.

Paper 000 checks its ladders by the ratings of judges (section 3, manipulation check) and prints no
measure of the damage itself. These are ours: one for each axis, on what that axis may change,
without the parameters of the perturbation.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from decklab.core.colors import color_difference
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.plain import Boxed, Font, PlainSlide, PlainText
from decklab.diffing.sequences import best_assignment
from decklab.metrics.extraction.matching import Family

_BOXES: tuple[Family, ...] = ("texts", "rects", "images", "tables")

_LARGEST_RATIO = 20.0
"""Ours: the ratio of sizes of type that count as fully different, such as 6 pt and 120 pt."""

_LARGEST_COLOR_DIFFERENCE = 100.0
"""CIEDE2000 of black and white."""

_STYLES = 3
"""Bold, italic and underscore."""


def slide_damage(clean: PlainSlide, damaged: PlainSlide, axis: str) -> float:
    """Damage along ``geometry``, ``text`` or ``style``: 0 (none) to 1, lower is better.

    ``damaged`` is ``clean`` after changes on that axis. Raises ValueError for another axis, and
    where geometry or style have other elements than before.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> slide_damage(blank, blank.model_copy(update={"background": "#000000"}), "style")
    1.0
    """
    measures = {"geometry": geometry_damage, "text": text_damage, "style": style_damage}
    if axis not in measures:
        raise ValueError(f"there is no axis {axis!r}")
    return measures[axis](clean, damaged)


def geometry_damage(clean: PlainSlide, damaged: PlainSlide) -> float:
    """How far the edges of boxes have moved: the mean over all four edges of texts, areas, pictures
    and tables, as a share of the slide's width or height, 0 to 1.

    Boxes are paired by their order. Raises ValueError where their number differs.
    """
    shifts: list[float] = []
    for family in _BOXES:
        pairs = zip(getattr(clean, family), getattr(damaged, family), strict=True)
        shifts += [_edge_shift(before, after) for before, after in pairs]
    return sum(shifts) / len(shifts) if shifts else 0.0


def text_damage(clean: PlainSlide, damaged: PlainSlide) -> float:
    """Character edits that restore the clean texts, over the characters of the longer text of each
    pair, 0 to 1.

    Texts are paired by their boxes, which this axis leaves in place. All characters of a removed or
    an added text count.
    """
    edits = characters = 0
    for before, after in _text_pairs(clean.texts, damaged.texts):
        edits += edit_distance(before, after)
        characters += max(len(before), len(after))
    return edits / characters if characters else 0.0


def style_damage(clean: PlainSlide, damaged: PlainSlide) -> float:
    """Difference of fonts and background: the mean over texts and the background, 0 to 1.

    A text has the mean of four shares: whether the typeface is another; the ratio of sizes on a
    logarithmic scale that ends at 20 to 1; how many of bold, italic and underscore differ; and
    CIEDE2000 of its colours over 100, which is also the share of the background. Texts are paired
    by their order. Raises ValueError where their number differs.
    """
    pairs = [(one.font, other.font) for one, other in zip(clean.texts, damaged.texts, strict=True)]
    before = [clean.background, *(one.color for one, _ in pairs)]
    after = [damaged.background, *(other.color for _, other in pairs)]
    colors = np.minimum(1.0, color_difference(before, after) / _LARGEST_COLOR_DIFFERENCE)
    ground, *rest = colors.tolist()
    shares = [_font_change(*fonts, color) for fonts, color in zip(pairs, rest, strict=True)]
    return float(sum([ground, *shares]) / (1 + len(shares)))


def edit_distance(first: str, second: str) -> int:
    """Fewest characters to insert, delete or replace to make one text the other (Levenshtein).

    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc")
    (3, 3)
    """
    if first == second:
        return 0
    letters = np.array([ord(letter) for letter in second])
    places = np.arange(len(second) + 1)
    row = places
    for count, letter in enumerate(first, start=1):
        best = np.empty_like(row)
        best[0] = count
        best[1:] = np.minimum(row[:-1] + (letters != ord(letter)), row[1:] + 1)
        # Inserting from the left: the least of all cells before, plus one for each step.
        row = np.minimum.accumulate(best - places) + places
    return int(row[-1])


def _edge_shift(before: Boxed, after: Boxed) -> float:
    across = abs(before.x - after.x) + abs(before.x + before.w - after.x - after.w)
    down = abs(before.y - after.y) + abs(before.y + before.h - after.y - after.h)
    return min(1.0, (across / FRAME_WIDTH + down / FRAME_HEIGHT) / 4)


def _font_change(before: Font, after: Font, color: float) -> float:
    ratio = abs(log(after.size / before.size)) / log(_LARGEST_RATIO)
    toggled = len(set(before.style) ^ set(after.style)) / _STYLES
    return (float(before.name != after.name) + min(1.0, ratio) + toggled + color) / 4


def _text_pairs(
    clean: Sequence[PlainText], damaged: Sequence[PlainText]
) -> Iterator[tuple[str, str]]:
    """Texts of equal boxes; the empty text in place of a removed or new one."""
    places: dict[tuple[float, ...], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, texts in enumerate((clean, damaged)):
        for text in texts:
            places[text.x, text.y, text.w, text.h][side].append(text.text)
    for before, after in places.values():
        size = max(len(before), len(after))
        # Where several share a box, the most similar ones are paired.
        ours, theirs = ([*side, *[""] * (size - len(side))] for side in (before, after))
        if size == 1:
            yield ours[0], theirs[0]
            continue
        cost = np.array([[edit_distance(one, other) for other in theirs] for one in ours])
        for row, column in zip(*best_assignment(cost), strict=True):
            yield ours[row], theirs[column]
