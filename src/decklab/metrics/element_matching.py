"""Which predicted element is matched with which true one: Hungarian matching with a gate.

Paper 000, appendix C, algorithm 1. Only elements of one family are matched with each other. The
paper prints the cost and the gate but neither weights nor tau. Ours are below, each with its
reason; ``headline_by_weights`` shows how much of the matching F1 depends on them.
Content is compared by the characters of texts and by the values of cells.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from cydifflib import SequenceMatcher  # compiled; the results are those of difflib
from numpy.typing import NDArray

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.results import NotScored
from decklab.deck.model.base import PlainImage, PlainRect, PlainSlide, PlainTable, PlainText
from decklab.diffing.sequences import best_assignment

LONGEST_TEXT: Final = 4000
"""Ours: characters of a text that are compared. The comparison grows with the product of two
lengths, and a model that repeats itself may write very much; no slide has a text that long."""

_IGNORED = frozenset("PS")
"""Unicode's punctuation and symbols, by the first letter of the category."""


def normalized(text: str) -> str:
    """Text normalised for comparison (paper 000, E.2): lower case, ``&`` as ``and``, no punctuation
    or symbols, single spaces.

    >>> normalized("R&D:  Plan,\\nBudget!")
    'randd plan budget'
    """
    plain = text.lower().replace("&", "and")
    plain = "".join(c for c in plain if unicodedata.category(c)[0] not in _IGNORED)
    return " ".join(plain.split())


def similarity(prediction: str, truth: str, *, autojunk: bool = True) -> float:
    """Similarity of two texts, 0 to 1, higher is better: difflib's ratio on normalised text (E.2).

    Twice the characters in matching blocks over all characters; two empty texts have 1.
    ``autojunk`` is difflib's shortcut, on by default there and so here. It leaves out characters
    that are frequent in texts of 200 or more, where a ratio may then be far too low: one letter put
    before a long text can take it to 0. Without it the ratio is the full one. Only the first 4,000
    characters count.

    >>> similarity("Hallo, World", "hello world")
    0.9090909090909091
    """
    return _ratio(_comparable(prediction), _comparable(truth), autojunk)


def similarities(
    predictions: Sequence[str], truths: Sequence[str], *, autojunk: bool = True
) -> NDArray[np.float64]:
    """``similarity`` of every truth (rows) with every prediction (columns), shape (m, n).

    Equal texts are compared once.
    """
    rows = [_comparable(text) for text in truths]
    columns = [_comparable(text) for text in predictions]
    wanted = sorted(set(columns))
    column_of = {text: index for index, text in enumerate(wanted)}
    known: dict[str, NDArray[np.float64]] = {}
    for truth in rows:
        if truth not in known:
            known[truth] = _ratios(wanted, truth, autojunk)
    order = np.array([column_of[text] for text in columns], dtype=np.intp)
    ratios = np.empty((len(rows), len(columns)))
    for index, truth in enumerate(rows):
        ratios[index] = known[truth][order]
    return ratios


def cell_overlap(prediction: Sequence[Sequence[str]], truth: Sequence[Sequence[str]]) -> float:
    """Similarity of two tables, 0 to 1, higher is better: twice the common cell values over all.

    Values are normalised and counted as often as they occur; their place does not matter. Appendix
    C names the overlap of cell values without a formula. Two tables without values have 1.

    >>> cell_overlap([["Year", "Sum"], ["2024", "7"]], [["year", "sum"], ["2024", "9"]])
    0.75
    """
    theirs, ours = _values(prediction), _values(truth)
    total = theirs.total() + ours.total()
    return 2 * (theirs & ours).total() / total if total else 1.0


def _values(cells: Sequence[Sequence[str]]) -> Counter[str]:
    return Counter(value for row in cells for cell in row if (value := normalized(cell)))


def _comparable(text: str) -> str:
    return normalized(text)[:LONGEST_TEXT]


def _ratio(prediction: str, truth: str, autojunk: bool) -> float:
    if prediction == truth:
        return 1.0
    return float(SequenceMatcher(None, prediction, truth, autojunk).ratio())


def _ratios(predictions: Sequence[str], truth: str, autojunk: bool) -> NDArray[np.float64]:
    """Ratios of one truth with all; the matcher analyses the truth only once."""
    matcher = SequenceMatcher(None, "", truth, autojunk)
    ratios = np.empty(len(predictions))
    for index, prediction in enumerate(predictions):
        if prediction == truth:
            ratios[index] = 1.0
        elif not prediction or not truth:
            ratios[index] = 0.0
        else:
            matcher.set_seq1(prediction)
            ratios[index] = matcher.ratio()
    return ratios


Family = Literal["texts", "rects", "lines", "images", "tables"]
"""A kind of element in the schema of paper 000 (appendices A and B)."""

FAMILIES: tuple[Family, ...] = get_args(Family)
"""All of them, in the schema's order."""

DIAGONAL: Final = hypot(FRAME_WIDTH, FRAME_HEIGHT)
"""Px that a distance between centres is divided by (algorithm 1, line 6): 1101.45."""


class Weights(NamedTuple):
    """Shares of the blended cost: alpha, beta, gamma and delta of algorithm 1.

    They are divided by the sum of those that apply to a pair, so that a cost always lies on 0 to
    1 and tau means the same with and without content.
    """

    iou: float
    """alpha: of 1 - IoU."""
    center: float
    """beta: of the distance between centres."""
    size: float
    """gamma: of the relative difference in size."""
    content: float
    """delta: of 1 - similarity, where both elements have content."""


WEIGHTS: Final = Weights(iou=0.35, center=0.15, size=0.10, content=0.40)
"""Ours. Content and overlap decide, content a little more: on a slide of similar boxes the words
distinguish them. The distance is a share of the diagonal and seldom over 0.3, so its weight only
breaks ties between boxes that overlap nothing. Size counts least, since boxes around a text may be
tight or wide; it is partly in IoU already."""

TAU: Final = 0.5
"""Ours: half of the worst cost. A text with the right words is accepted at any place, unless it is
far away and of another size too; a text with wrong words is accepted only where its box has an IoU
of about 0.75; a picture or area of about the right size from an IoU of about a quarter on."""

MIN_SIDE: Final = 1.0
"""Px that a box is at least wide and high (appendix H bounds sizes by 1 px), also algorithm 1's
epsilon. It gives boxes without area an IoU."""

LINE_SIDE: Final = 24.0
"""Ours: px that the box of a line is at least wide and high. Level and upright lines have boxes
without area; this is the height of a line of 18 pt text, within which a line is still the same rule
or connector; with it the gate lies about 18 px beside a long line."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """The terms in the cost of every pair; rows are truth, columns predictions.

    All arrays have the shape (m, n) and lie on 0 to 1; lower is better.
    """

    iou: Floats
    """1 - IoU."""
    center: Floats
    """Distance between the centres over the frame's diagonal; at most 1."""
    size: Floats
    """Mean difference in width and height, each over the truth's; at most 1."""
    content: Floats | None
    """1 - similarity; None if elements of this family have no content."""


def boxes(slide: PlainSlide, family: Family) -> Floats:
    """Left, top, width and height of a slide's elements of one family, px, shape (n, 4).

    No side is shorter than 1 px. The box of a line holds both ends and is at least 24 px wide and
    high about its middle.
    """
    if family == "lines":
        ends = np.array([(e.x1, e.y1, e.x2, e.y2) for e in slide.lines], float).reshape(-1, 4)
        low = np.minimum(ends[:, :2], ends[:, 2:])
        high = np.maximum(ends[:, :2], ends[:, 2:])
        side = np.maximum(high - low, LINE_SIDE)
        return np.hstack([(low + high - side) / 2, side])
    items: Sequence[PlainText | PlainRect | PlainImage | PlainTable] = getattr(slide, family)
    placed = np.array([(e.x, e.y, e.w, e.h) for e in items], float).reshape(-1, 4)
    return np.hstack([placed[:, :2], np.maximum(placed[:, 2:], MIN_SIDE)])


def geometry_terms(truth: Floats, prediction: Floats) -> tuple[Floats, Floats, Floats]:
    """1 - IoU, centre distance and size difference of every pair, shapes (m, n).

    ``truth`` and ``prediction`` hold left, top, width and height, shapes (m, 4) and (n, 4), with
    no side of 0. Algorithm 1, lines 5 to 7; all on 0 to 1 as E.2 wants them, so a distance beyond
    the diagonal and a box more than twice as large count as 1.

    >>> a, b = np.array([[0, 0, 10, 10.0]]), np.array([[5, 0, 10, 20.0]])
    >>> [round(float(term[0, 0]), 4) for term in geometry_terms(a, b)]
    [0.8, 0.0064, 0.5]
    """
    a, b = truth[:, None, :], prediction[None, :, :]
    low = np.maximum(a[..., :2], b[..., :2])
    high = np.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:])
    common = np.prod(np.maximum(high - low, 0), axis=-1)
    union = np.prod(a[..., 2:], axis=-1) + np.prod(b[..., 2:], axis=-1) - common
    between = (a[..., :2] + a[..., 2:] / 2) - (b[..., :2] + b[..., 2:] / 2)
    center = np.hypot(between[..., 0], between[..., 1]) / DIAGONAL
    size = np.mean(np.abs(a[..., 2:] - b[..., 2:]) / a[..., 2:], axis=-1)
    # Rounding may make the union of equal boxes differ slightly from their intersection.
    return np.clip(1 - common / union, 0, 1), np.minimum(center, 1), np.minimum(size, 1)


def slide_terms(
    truth: PlainSlide, prediction: PlainSlide, family: Family, *, autojunk: bool = True
) -> Terms:
    """The terms of every pair of one family on a slide; ``autojunk`` as in ``similarity``."""
    geometry = geometry_terms(boxes(truth, family), boxes(prediction, family))
    return Terms(*geometry, _content_term(truth, prediction, family, autojunk))


def _content_term(
    truth: PlainSlide, prediction: PlainSlide, family: Family, autojunk: bool
) -> Floats | None:
    if family == "texts":
        theirs, ours = [e.text for e in prediction.texts], [e.text for e in truth.texts]
        return 1 - similarities(theirs, ours, autojunk=autojunk)
    if family == "tables":
        rows = [[cell_overlap(b.cells, a.cells) for b in prediction.tables] for a in truth.tables]
        return 1 - np.array(rows, float).reshape(len(truth.tables), len(prediction.tables))
    return None


def blend(terms: Terms, weights: Weights = WEIGHTS) -> Floats:
    """The cost of every pair, 0 to 1, shape (m, n): the weighted mean of the terms that apply.

    >>> half, zero = np.array([[0.5]]), np.array([[0.0]])
    >>> float(blend(Terms(half, zero, zero, None), Weights(2, 1, 1, 4))[0, 0])
    0.25
    """
    cost = weights.iou * terms.iou + weights.center * terms.center + weights.size * terms.size
    total = weights.iou + weights.center + weights.size
    if terms.content is not None:
        cost = cost + weights.content * terms.content
        total += weights.content
    return cost / total


@dataclass(frozen=True)
class Match:
    """A true element and the prediction matched with it, by their indices in the slide's lists."""

    truth: int
    prediction: int
    cost: float
    """Blended, 0 to tau."""
    iou_error: float
    """1 - IoU."""
    center_error: float
    """Share of the frame's diagonal."""
    size_error: float
    """Relative to the truth, at most 1."""
    similarity: float | None
    """Of content, 0 to 1; None for elements that have none."""


@dataclass(frozen=True)
class Matching:
    """The outcome for one family on one slide."""

    matches: tuple[Match, ...]
    """Accepted pairs, in the order of the truth."""
    missed: tuple[int, ...]
    """False negatives: indices of true elements without a match."""
    extra: tuple[int, ...]
    """False positives: indices of predictions without a match."""


def accepted(cost: Floats, tau: float = TAU) -> list[tuple[int, int]]:
    """Pairs (row, column) of the assignment of least total cost whose own cost is at most tau.

    ``cost`` has the shape (m, n). A pair over tau is dropped after the assignment, as printed, so
    that it may prevent two other matches.

    >>> import numpy as np
    >>> accepted(np.array([[0.1, 0.2], [0.15, 0.9]]), tau=0.5)
    [(0, 1), (1, 0)]
    """
    rows, columns = best_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if cost[i, j] <= tau]


def match_elements(terms: Terms, weights: Weights = WEIGHTS, tau: float = TAU) -> Matching:
    """Match the elements of one family; ``terms`` holds their pairwise terms."""
    cost = blend(terms, weights)
    pairs = accepted(cost, tau)
    truths, predictions = {i for i, _ in pairs}, {j for _, j in pairs}
    return Matching(
        tuple(_match(terms, cost, i, j) for i, j in pairs),
        tuple(i for i in range(cost.shape[0]) if i not in truths),
        tuple(j for j in range(cost.shape[1]) if j not in predictions),
    )


def _match(terms: Terms, cost: Floats, i: int, j: int) -> Match:
    alike = None if terms.content is None else 1 - float(terms.content[i, j])
    return Match(
        i, j, float(cost[i, j]),
        float(terms.iou[i, j]), float(terms.center[i, j]), float(terms.size[i, j]), alike,
    )  # fmt: skip


def match_slide(
    truth: PlainSlide,
    prediction: PlainSlide,
    *,
    weights: Weights = WEIGHTS,
    tau: float = TAU,
    autojunk: bool = True,
) -> dict[Family, Matching]:
    """Match the predicted elements of a slide with the true ones, family by family.

    ``weights`` and ``tau`` are those of algorithm 1, ``autojunk`` as in ``similarity``.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> picture = {"x": 0.0, "y": 0.0, "w": 96.0, "h": 54.0}
    >>> seen = PlainSlide.model_validate(blank.model_dump() | {"images": [picture]})
    >>> match_slide(seen, blank)["images"].missed, match_slide(blank, seen)["images"].extra
    ((0,), (0,))
    """
    return {
        family: match_elements(
            slide_terms(truth, prediction, family, autojunk=autojunk), weights, tau
        )
        for family in FAMILIES
    }


_FACTORS = (0.5, 2.0)


@dataclass(frozen=True)
class WeightSensitivity:
    """The matching F1 with one of the parameters changed."""

    changed: str
    """``iou``, ``center``, ``size``, ``content`` or ``tau``; empty where nothing is changed."""
    factor: float
    """The factor of the change."""
    f1: float | NotScored
    """Overall matching F1, end to end."""
    shift: float | NotScored
    """The difference from the F1 without changes."""


def headline_by_weights(
    slides: Iterable[tuple[PlainSlide, PlainSlide | None]],
) -> tuple[WeightSensitivity, ...]:
    """The headline with each weight, and tau, halved and doubled; the first row changes nothing.

    ``slides`` are pairs of truth and prediction, None for a reply that could not be read. They are
    read once, and the terms of the cost are computed once for all variants. Weights are shares:
    the others grow or shrink with the one that is changed, so that tau keeps its meaning.
    """
    variants = _variants()
    hits = [0] * len(variants)
    elements = 0
    for truth, prediction in slides:
        elements += complexity(truth)
        if prediction is None:
            continue
        elements += complexity(prediction)
        for family in FAMILIES:
            terms = slide_terms(truth, prediction, family)
            for index, (_, _, shares, gate) in enumerate(variants):
                hits[index] += len(accepted(blend(terms, shares), gate))
    if not elements:
        nothing = NotScored("no slide has an element, in truth or prediction")
        return tuple(
            WeightSensitivity(name, factor, nothing, nothing) for name, factor, *_ in variants
        )
    scores = [2 * count / elements for count in hits]
    return tuple(
        WeightSensitivity(name, factor, score, score - scores[0])
        for (name, factor, _, _), score in zip(variants, scores, strict=True)
    )


def _variants() -> list[tuple[str, float, Weights, float]]:
    changed = [
        (name, factor, WEIGHTS._replace(**{name: getattr(WEIGHTS, name) * factor}), TAU)
        for name in Weights._fields
        for factor in _FACTORS
    ]
    gates = [("tau", factor, WEIGHTS, TAU * factor) for factor in _FACTORS]
    return [("", 1.0, WEIGHTS, TAU), *changed, *gates]


def complexity(slide: PlainSlide) -> int:
    """How many elements of all families a slide has (paper 000, E.1)."""
    return sum(len(getattr(slide, family)) for family in FAMILIES)
