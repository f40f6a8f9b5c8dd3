"""How much of the matching F1 hangs on weights that the paper does not print."""

from collections.abc import Iterable
from dataclasses import dataclass

from decklab.deck.model.plain import PlainSlide
from decklab.metrics.matching.assignment import accepted
from decklab.metrics.matching.constants import TAU, WEIGHTS, Weights
from decklab.metrics.matching.cost import blend, slide_terms
from decklab.metrics.matching.families import FAMILIES
from decklab.results import NotScored

_FACTORS = (0.5, 2.0)


@dataclass(frozen=True)
class HeadlineShift:
    """The matching F1 with one of the numbers changed."""

    changed: str
    """``iou``, ``center``, ``size``, ``content`` or ``tau``; empty for all as they are."""
    factor: float
    """What it was multiplied by."""
    f1: float | NotScored
    """Overall matching F1, end to end."""
    shift: float | NotScored
    """That less the F1 with all as they are."""


def headline_by_weights(
    slides: Iterable[tuple[PlainSlide, PlainSlide | None]],
    *,
    weights: Weights = WEIGHTS,
    tau: float = TAU,
    autojunk: bool = True,
) -> tuple[HeadlineShift, ...]:
    """The headline with each weight, and tau, halved and doubled; the first row changes nothing.

    ``slides`` are pairs of truth and prediction, None for a reply that could not be read. They are
    read once, and the terms of the cost are computed once for all variants. Weights are shares:
    the others grow or shrink with the one that is changed, so that tau keeps its meaning.
    """
    variants = _variants(weights, tau)
    hits = [0] * len(variants)
    elements = 0
    for truth, prediction in slides:
        elements += _count(truth)
        if prediction is None:
            continue
        elements += _count(prediction)
        for family in FAMILIES:
            terms = slide_terms(truth, prediction, family, autojunk=autojunk)
            for index, (_, _, shares, gate) in enumerate(variants):
                hits[index] += len(accepted(blend(terms, shares), gate))
    if not elements:
        nothing = NotScored("no slide has an element, in truth or prediction")
        return tuple(HeadlineShift(name, factor, nothing, nothing) for name, factor, *_ in variants)
    scores = [2 * count / elements for count in hits]
    return tuple(
        HeadlineShift(name, factor, score, score - scores[0])
        for (name, factor, _, _), score in zip(variants, scores, strict=True)
    )


def _variants(weights: Weights, tau: float) -> list[tuple[str, float, Weights, float]]:
    changed = [
        (name, factor, weights._replace(**{name: getattr(weights, name) * factor}), tau)
        for name in Weights._fields
        for factor in _FACTORS
    ]
    gates = [("tau", factor, weights, tau * factor) for factor in _FACTORS]
    return [("", 1.0, weights, tau), *changed, *gates]


def _count(slide: PlainSlide) -> int:
    return sum(len(getattr(slide, family)) for family in FAMILIES)
