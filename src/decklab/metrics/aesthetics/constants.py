"""Every number the aesthetics metrics rest on, with the place it was printed.

Paper: SlidesGen-Bench (paper 002). Where it disagrees with itself, the variant named first is the
default and the other stands beside it. Numbers marked *ours* are not printed anywhere; each says
why it is what it is.
"""

from typing import Final

# --- Harmony: section 2.3, appendices D and E.4, table 9 ------------------------------------

HUE_TEMPLATES: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "i": ((0.0, 0.05),),
    "V": ((0.0, 0.26),),
    "L": ((0.0, 0.05), (0.25, 0.22)),
    "mirror_L": ((0.0, 0.05), (-0.25, 0.22)),
    "I": ((0.0, 0.05), (0.5, 0.05)),
    "T": ((0.25, 0.5),),
    "Y": ((0.0, 0.26), (0.5, 0.05)),
    "X": ((0.0, 0.26), (0.5, 0.26)),
}
"""Sectors as (centre, width) in turns. Table 9 prints seven templates where appendix D counts
eight; the eighth is L mirrored, as in Cohen-Or et al. (2006) and in AIM."""

TEMPLATE_ANGLES: Final = 360
"""Rotations tried per template, one a degree (table 10)."""

SATURATION_THRESHOLD: Final = 0.1
"""Pixels at or under this HSV saturation have no hue worth counting (table 10)."""

HARMONY_SIGMA: Final = 0.01
"""Width of the Gaussian of eq 14, in radians: E.7 and table 13. It agrees with table 7, where a
mean distance of 0.202 degrees goes with a mean score of 0.869."""

HARMONY_SIGMA_STRICT: Final = 0.0005
"""The width printed in table 10."""

HARMONY_MEAN_WEIGHT: Final = 5.0
"""Weight of the mean slide score (eq 15)."""

HARMONY_SPREAD_WEIGHT: Final = 30.0
"""Weight of the standard deviation of the slide scores (eq 15)."""

# --- Engagement: section 2.3, appendix E.3, table 7 -----------------------------------------

COLORFULNESS_MEAN_WEIGHT: Final = 0.3
"""Weight of the chromatic bias in eq 2 and 12 (Hasler and Süsstrunk 2003)."""

PACING_TARGET: Final = 11.28
"""Mean of the decks' standard deviation of colorfulness (table 7)."""

PACING_VARIANCE: Final = 72.89
"""w squared in eq 3: variance of the same quantity (table 7)."""

COLORFULNESS_FULL: Final = 100.0
"""Ours: the mean colorfulness that earns the whole level half. Hasler and Süsstrunk call pictures
beyond about 100 extremely colorful, and it lies under two standard deviations over table 7's
mean."""

COLORFULNESS_MEAN: Final = 51.09
COLORFULNESS_VARIANCE: Final = 767.72
"""Mean and variance of decks' mean colorfulness (table 7)."""

# --- Usability: section 2.3, eq 4 and 5 -----------------------------------------------------

NOTHING_SHOWS: Final = 1.15
INK_SHOWS: Final = 1.5
"""Ours: text is covered where the contrast seen is below the first, nothing but noise, while its
ink against the same ground would reach the second, which is plainly seen at any size."""

# --- Visual rhythm: section 2.3, appendices E.2, E.5 and G, tables 7, 8, 11, 12 and 13 -----

PYRAMID_SCALES: Final = 3
PYRAMID_ORIENTATIONS: Final = 4
"""Size of the steerable pyramid (table 8, G.1)."""

CHROMA_WEIGHT: Final = 0.0625
"""w_c of eq 6 (G.1)."""

ENTROPY_WEIGHTS: Final = (
    1 / (1 + 2 * CHROMA_WEIGHT),
    CHROMA_WEIGHT / (1 + 2 * CHROMA_WEIGHT),
    CHROMA_WEIGHT / (1 + 2 * CHROMA_WEIGHT),
)
"""Weights of the lightness and the two chroma channels by eq 6: 0.889, 0.056 and 0.056."""

ENTROPY_WEIGHTS_TABLE8: Final = (0.84, 0.08, 0.08)
"""Weights of the same channels by eq 11 and table 8, which disagree with eq 6."""

ZERO_THRESHOLD: Final = 0.008
"""A channel that varies less than this counts as empty (table 8)."""

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
"""Edges of the bands of table 12."""

# --- CIELAB -------------------------------------------------------------------------------

WHITE_AIM: Final = (95.047, 100.0, 108.833)
"""What AIM divides an XYZ of 0 to 1 by: a hundred times too much, and a swapped digit."""
