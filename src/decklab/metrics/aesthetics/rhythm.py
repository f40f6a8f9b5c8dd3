"""Visual rhythm: the visual complexity of a deck's slides, and its changes from slide to slide.

Paper 002, section 2.3 and appendices E.5 and G (eq 7, 8, 16, 17 and 21; tables 7, 11, 12 and 13).

Weights of eq 8. The paper does not print its lambdas. With 10 and 10 a deck whose mean entropy and
whose slides around it follow table 7 (3.878 bits, variance 0.533 between decks; standard deviation
0.457, so variance 0.209, within one) has an expected slide score of
(1 + (0.533 + 0.209) / 0.533) ** -0.5 = 0.647 and, drawn at random, a mean RMSSD of 0.31: a score of
6.5 + 3.1 = 9.6, which lies where table 4's rhythm column does (6.3 to 15.0).
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, Literal

import numpy as np

from decklab.core.results import NotScored
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

ENTROPY_TARGET: Final = 3.878
ENTROPY_VARIANCE: Final = 0.533
"""Mean and variance of slides' subband entropy in bits (table 7), centre and width of the slide
score (G.1)."""

RHYTHM_MEAN_WEIGHT: Final = 10.0
RHYTHM_CHANGE_WEIGHT: Final = 10.0
"""Ours: lambda 1 and 2 of eq 8, which the paper does not print. With 10 each term lies on 0 to
10 like the other dimensions, and a deck drawn from table 7 lands near 9.6, inside the 6.3 to 15 of
table 4's rhythm column (worked out under ``visual_rhythm``)."""

RMSSD_TARGET: Final = 0.03
"""tau of eq 17 (table 11)."""

RMSSD_TARGET_TUNED: Final = 0.02
"""tau after tuning (E.7, table 13)."""

RMSSD_HALF_WIDTH: Final = 0.2
"""tau_w of eq 17 (table 11)."""

OVERLOAD_WINDOW: Final = 3
OVERLOAD_THRESHOLD: Final = 0.75
OVERLOAD_PENALTY: Final = 10.0
"""Moving window, level and price of an overload in eq 17 (table 11; E.7 names the level again)."""

OVERLOAD_THRESHOLD_TUNED: Final = 0.1
"""theta after tuning as table 13 prints it; E.7 keeps 0.75."""

RMSSD_FLATLINE: Final = 0.01
RMSSD_HEALTHY: Final = 0.1
RMSSD_STROBE: Final = 0.3
"""Edges of the bands of table 12. They suit equation 17 with its target of 0.03, not the slide
score of G.1: of decks of 8 slides drawn from the professional decks of table 7, 51 % are above 0.3,
of 30 slides 60 %. Equation 8 and H.4 hold change for good. Findings therefore judge by
RMSSD_ABRUPT."""

RMSSD_USUAL: Final = (0.09, 0.54)
"""Ours: the middle 95 % of decks of 8 slides drawn from table 7 (mean 3.878 and variance 0.533
between decks, standard deviation 0.457 within one), by equation 7. Longer decks vary less: those of
30 slides lie within 0.16 to 0.46."""

RMSSD_ABRUPT: Final = RMSSD_USUAL[1]
"""Ours: the change above which at most one professional deck in forty lies, from 8 slides on."""

Band = Literal["flatline", "healthy", "transitional", "strobe light"]
"""The interpretation bands of table 12."""

_ONE_SLIDE = NotScored("rhythm needs at least two slides")

register(
    MetricInfo(
        "rhythm.score", "deck", "How visual complexity sits and moves from slide to slide.",
        f"{SLIDESGEN}, eq 7 and 8", high=20.0, version="2", label="Visual rhythm",
    ),
    MetricInfo(
        "rhythm.rmssd", "deck",
        "Typical change of the complexity score between neighbouring slides.", f"{SLIDESGEN}, eq 7",
        direction="neutral", version="2", label="Change from slide to slide (RMSSD)",
    ),
    MetricInfo(
        "rhythm.score_table8", "deck",
        "Visual rhythm from clutter with the channel weights of table 8.",
        f"{SLIDESGEN}, eq 8 and 11, table 8", high=20.0, version="2",
        label="Visual rhythm, weights of table 8",
    ),
    MetricInfo(
        "rhythm.score_eq17", "deck", "Nearness of the rhythm to a target, less overloads.",
        f"{SLIDESGEN}, eq 17 and table 11", low=None, high=100.0, version="2",
        label="Visual rhythm by equation 17",
    ),
    MetricInfo(
        "rhythm.score_eq17_e7", "deck", "The same with the target of the summary of appendix E.",
        f"{SLIDESGEN}, eq 17 and E.7", low=None, high=100.0, version="2",
        label="Visual rhythm by equation 17, target of E.7",
    ),
    MetricInfo(
        "rhythm.score_eq17_table13", "deck",
        "The same with target and overload level as the tuning table prints them.",
        f"{SLIDESGEN}, eq 17 and table 13", low=None, high=100.0, version="2",
        label="Visual rhythm by equation 17, levels of table 13",
    ),
)  # fmt: skip


def rhythm_slide_score(entropy_bits: float) -> float:
    """A slide's complexity score, 0 to 1, higher is nearer the optimum (G.1).

    A Gaussian of the subband entropy around 3.878 bits with variance 0.533 (table 7).

    >>> rhythm_slide_score(3.878)
    1.0
    """
    return exp(-((entropy_bits - ENTROPY_TARGET) ** 2) / (2 * ENTROPY_VARIANCE))


def rmssd(slide_scores: Sequence[float]) -> float | NotScored:
    """Root mean square of successive differences of slide scores (eq 7, 16 and 21).

    Range 0 to 1; neither end is good, see :func:`rhythm_band`. NotScored for fewer than two slides.

    >>> rmssd([0.5, 0.7, 0.5])
    0.19999999999999996
    """
    if len(slide_scores) < 2:
        return _ONE_SLIDE
    steps = np.diff(np.asarray(slide_scores, dtype=np.float64))
    return sqrt(float(np.mean(steps**2)))


def rhythm_band(value: float) -> Band:
    """The name of an RMSSD's band (table 12).

    >>> [rhythm_band(value) for value in (0.0, 0.05, 0.2, 0.4)]
    ['flatline', 'healthy', 'transitional', 'strobe light']
    """
    if value < RMSSD_FLATLINE:
        return "flatline"
    if value <= RMSSD_HEALTHY:
        return "healthy"
    return "strobe light" if value > RMSSD_STROBE else "transitional"


def rhythm_score(slide_scores: Sequence[float]) -> float | NotScored:
    """A deck's visual rhythm: 10 times the mean slide score plus 10 times the RMSSD (eq 8).

    Range 0 to 20, in practice 6 to 15 (table 4); higher is better. NotScored for fewer than two
    slides. The weights are ours, see the module.

    >>> round(rhythm_score([0.5, 0.7]), 6)
    8.0
    """
    change = rmssd(slide_scores)
    if isinstance(change, NotScored):
        return change
    return float(RHYTHM_MEAN_WEIGHT * np.mean(slide_scores) + RHYTHM_CHANGE_WEIGHT * change)


def rhythm_score_target(
    slide_scores: Sequence[float],
    *,
    target: float = RMSSD_TARGET,
    overload: float = OVERLOAD_THRESHOLD,
) -> float | NotScored:
    """The paper's second score of a deck's rhythm: nearness to a target RMSSD (eq 17).

    100 at ``target`` (0.03, table 11; 0.02 after tuning, E.7), 0 at 0.2 from it, less 10 for every
    three slides in a row whose mean score is over ``overload`` (0.75, table 11 and E.7; 0.1, table
    13). Range from below 0 to 100, higher is better. NotScored for fewer than two slides.

    >>> round(rhythm_score_target([0.5, 0.53]), 6)
    100.0
    """
    change = rmssd(slide_scores)
    if isinstance(change, NotScored):
        return change
    overloads = len(overload_windows(slide_scores, overload))
    return 100 * (1 - abs(change - target) / RMSSD_HALF_WIDTH) - OVERLOAD_PENALTY * overloads


def overload_windows(values: Sequence[float], threshold: float) -> tuple[int, ...]:
    """Where each run of three values (table 11) with a mean over ``threshold`` starts, from 0 on.

    >>> overload_windows([0.2, 0.8, 0.8, 0.8, 0.1], 0.75)
    (1,)
    """
    starts = range(len(values) - OVERLOAD_WINDOW + 1)
    window = OVERLOAD_WINDOW
    return tuple(i for i in starts if sum(values[i : i + window]) / window > threshold)
