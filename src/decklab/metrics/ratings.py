"""Ratings of perturbed slides, whether the judged degradation follows severity, and how far a
damaged slide is from the clean one, whatever severity it was damaged with.

Paper 000, section 3; section 4 for the isotonic link between two scales.

Paper 000 checks its ladders by the ratings of judges (section 3, manipulation check) and prints no
measure of the damage itself. These are ours: one for each axis, on what that axis may change,
without the parameters of the perturbation.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import color_difference
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.results import NotScored
from decklab.deck.model.base import Boxed, Font, PlainSlide, PlainText
from decklab.diffing.sequences import best_assignment
from decklab.metrics.element_matching import Family
from decklab.metrics.statistics import SEED

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
    pairs = [
        (text.font, other.font) for text, other in zip(clean.texts, damaged.texts, strict=True)
    ]
    before = [clean.background, *(text.color for text, _ in pairs)]
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
        cost = np.array([[edit_distance(first, second) for second in theirs] for first in ours])
        for row, column in zip(*best_assignment(cost), strict=True):
            yield ours[row], theirs[column]


SCALES: Final = (5, 100)
"""Best score of each scale; the worst is 1 (E.3)."""

PRINTED_POA: Final = {5: 0.95, 100: 0.80}
"""Adjacent POA of the paper's judges by scale, about (section 3, manipulation check)."""

PRINTED_MACE: Final = 0.34
"""MACE of the paper's judges, overall."""


@dataclass(frozen=True)
class Rating:
    """The score that one judge gave one slide, perturbed with one severity on one axis."""

    model: str
    axis: str
    """``geometry``, ``text`` or ``style``: both what was perturbed and what was asked for."""
    scale: int
    """Best score of the scale, 5 or 100."""
    deck: str
    slide: str
    severity: float
    """0 to 1."""
    score: float
    """1 to ``scale``, higher is better."""


class Degraded(NamedTuple):
    """The mean of all runs of one judge on one perturbed slide."""

    model: str
    axis: str
    scale: int
    deck: str
    slide: str
    severity: float
    y: float
    """Normalised degradation y*, 0 for the best score and 1 for the worst."""


def degradation(score: float, scale: int) -> float:
    """Normalised degradation y* of a score on 1 to ``scale``: 0 (best) to 1 (worst).

    Raises ValueError for a score off the scale.

    >>> degradation(5, 5), degradation(3, 5), degradation(1, 100)
    (0.0, 0.5, 1.0)
    """
    if not 1 <= score <= scale:
        raise ValueError(f"a score of {score:g} is not on the scale 1..{scale}")
    return (scale - score) / (scale - 1)


def averaged(ratings: Iterable[Rating]) -> list[Degraded]:
    """One entry per judge, axis, scale, slide and severity, the mean of its runs, sorted."""
    sums: dict[tuple[str, str, int, str, str, float], list[float]] = {}
    for each in ratings:
        severity = round(each.severity, 9)  # 0.1 + 0.2 is the level 0.3
        key = (each.model, each.axis, each.scale, each.deck, each.slide, severity)
        sums.setdefault(key, []).append(degradation(each.score, each.scale))
    return [Degraded(*key, sum(scores) / len(scores)) for key, scores in sorted(sums.items())]


Point = tuple[float, float]
"""Severity and y*."""

_SAME = 1e-9
"""Means of runs that differ by rounding only are equal."""


def steps(ladder: Mapping[float, float]) -> tuple[int, int]:
    """Steps of one slide at which y* does not fall, and all steps; severity to y*."""
    values = [ladder[severity] for severity in sorted(ladder)]
    not_falling = sum(after >= before - _SAME for before, after in pairwise(values))
    return not_falling, max(len(values) - 1, 0)


def adjacent_poa(ladders: Iterable[Mapping[float, float]]) -> float | NotScored:
    """POA_adj: share of consecutive severities of a slide at which y* does not fall, 0 to 1.

    Each ladder is one slide's y* by severity; consecutive are the severities that it has. Steps of
    all slides count equally. Higher is better, but a judge who always gives the same score has 1,
    too: compare the rank correlation.

    >>> adjacent_poa([{0.0: 0.1, 0.5: 0.3, 1.0: 0.2}, {0.0: 0.0, 1.0: 0.0}])
    0.6666666666666666
    """
    not_falling = total = 0
    for ladder in ladders:
        good, all_steps = steps(ladder)
        not_falling, total = not_falling + good, total + all_steps
    return not_falling / total if total else NotScored("no slide was rated at two severities")


def mace(points: Sequence[Point], *, pointwise: bool = False) -> float | NotScored:
    """Mean absolute calibration error to y* = s, 0 to 1, lower is better.

    At each severity the mean y* is compared with it, and levels count equally. ``pointwise`` takes
    the mean over single slides instead, which adds their spread. Section 3 does not say which.

    >>> mace([(0.0, 0.1), (1.0, 0.5), (1.0, 0.9)]), mace([(0.0, 0.1), (1.0, 0.5)], pointwise=True)
    (0.2, 0.3)
    """
    if not points:
        return NotScored("there are no ratings")
    if pointwise:
        return sum(abs(y - s) for s, y in points) / len(points)
    levels = [
        (severity, [y for _, y in group])
        for severity, group in groupby(sorted(points), key=lambda point: point[0])
    ]
    gaps: list[float] = [abs(sum(ys) / len(ys) - severity) for severity, ys in levels]
    return sum(gaps) / len(gaps)


PERMUTATIONS: Final = 999
"""Ours: the least p that 999 shuffles can give is 0.001, the one that section 4 prints."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScaleLink:
    """The rising step function that maps one scale's y* to the other's best."""

    model: str
    r2: float | NotScored
    """Share of variance explained, 0 to 1, higher is better."""
    rmse: float | NotScored
    """Root mean square error in y*, lower is better."""
    p: float | NotScored
    """Share of shuffles whose R2 is as high; the data count as one shuffle."""
    n: int
    """Slides, each axis and severity by itself, rated on both scales."""
    link: tuple[tuple[float, float], ...]
    """y* of the coarse scale and the y* of the fine scale that it is mapped to."""


def scale_links(
    rated: Sequence[Degraded], *, permutations: int = PERMUTATIONS
) -> tuple[ScaleLink, ...]:
    """The link from the 5-point to the 100-point scale for each judge, over all axes together."""
    by_model = groupby(sorted(rated), key=lambda each: each.model)
    return tuple(
        isotonic_link(_pairs(list(group)), model=model, permutations=permutations)
        for model, group in by_model
    )


def isotonic_link(
    pairs: Sequence[tuple[float, float]],
    *,
    model: str = "",
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> ScaleLink:
    """Fit y* of the fine scale on y* of the coarse one by isotonic least squares.

    Equal coarse values are mapped to one value. p is the permutation test of R2: the fine values
    are shuffled over the slides, (1 + shuffles at least as good) / (1 + shuffles).

    >>> link = isotonic_link([(0.0, 0.1), (0.0, 0.3), (0.5, 0.4), (1.0, 0.8)], permutations=9)
    >>> link.link
    ((0.0, 0.2), (0.5, 0.4), (1.0, 0.8))
    >>> round(link.r2, 4), round(link.rmse, 4)
    (0.9231, 0.0707)
    """
    if reason := _why_not(pairs):
        nothing = NotScored(reason)
        return ScaleLink(model, nothing, nothing, nothing, len(pairs), ())
    coarse, fine = np.array(pairs, float).T
    levels, level_of, counts = np.unique(coarse, return_inverse=True, return_counts=True)
    fitted = _fit(fine, level_of, counts)
    total = float(np.sum((fine - fine.mean()) ** 2))
    missed = float(np.sum((fine - fitted[level_of]) ** 2))
    rng = np.random.default_rng(seed)
    explained = _explained(fitted, counts)
    as_good = sum(
        _explained(_fit(rng.permutation(fine), level_of, counts), counts) >= explained - 1e-12
        for _ in range(permutations)
    )
    return ScaleLink(
        model, 1 - missed / total, sqrt(missed / len(fine)),
        (1 + as_good) / (1 + permutations), len(fine),
        tuple((float(x), float(y)) for x, y in zip(levels, fitted, strict=True)),
    )  # fmt: skip


def _why_not(pairs: Sequence[tuple[float, float]]) -> str:
    if len(pairs) < 3:
        return "fewer than three slides were rated on both scales"
    if len({fine for _, fine in pairs}) < 2:
        return "all slides have the same score on the fine scale"
    return ""


def _fit(fine: Floats, level_of: NDArray[np.intp], counts: NDArray[np.intp]) -> Floats:
    means = np.bincount(level_of, weights=fine) / counts
    from scipy.optimize import isotonic_regression  # noqa: PLC0415  # not in the base install

    return np.asarray(isotonic_regression(means, weights=counts).x)


def _explained(fitted: Floats, counts: NDArray[np.intp]) -> float:
    """The sum of squares that the fit accounts for; it rises with R2, as the total is fixed."""
    mean = float(np.average(fitted, weights=counts))
    return float(np.sum(counts * (fitted - mean) ** 2))


def _pairs(rated: Sequence[Degraded]) -> list[tuple[float, float]]:
    coarse, fine = (
        {(e.axis, e.deck, e.slide, e.severity): e.y for e in rated if e.scale == scale}
        for scale in SCALES
    )
    return [(coarse[key], fine[key]) for key in sorted(coarse.keys() & fine.keys())]
