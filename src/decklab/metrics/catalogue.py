"""Every metric by name: what it says, its unit, which way is better, and where it comes from."""

from dataclasses import dataclass
from typing import Any, Literal

from decklab.registry import Registry
from decklab.results import Direction, Measurement, NotScored


@dataclass(frozen=True)
class MetricInfo:
    """What there is to know of one metric before it is computed."""

    name: str
    """Registered name, such as ``harmony.score``."""
    level: Literal["slide", "deck", "run"]
    """What one value speaks of: a slide, a deck, or a benchmark's run over many."""
    unit: str
    """Empty where the number is a plain score."""
    direction: Direction
    low: float | None
    """Least value the metric can have; None where there is no bound."""
    high: float | None
    """Greatest value; None where there is no bound."""
    meaning: str
    """One line for people."""
    source: str
    """Paper and section, or program."""
    version: str = "1"
    """Changes whenever values do."""


METRICS: Registry[MetricInfo] = Registry("metric")
"""All metrics that decklab computes.

>>> METRICS["harmony.distance_deg"].unit
'deg'
"""


def measured(
    metric: str,
    outcome: float | NotScored,
    *,
    slide: int | None = None,
    evidence: dict[str, Any] | None = None,
) -> Measurement:
    """A result row with the unit, direction and version that the catalogue gives the metric.

    Raises UnknownName for a metric that is not in it.

    >>> row = measured("rhythm.rmssd", 0.05)
    >>> row.value, row.direction, row.version
    (0.05, 'neutral', '1')
    """
    info = METRICS[metric]
    return Measurement.of(
        metric,
        outcome,
        slide=slide,
        unit=info.unit,
        direction=info.direction,
        version=info.version,
        evidence=evidence,
    )


def evidence_value(outcome: float | tuple[float, float] | NotScored) -> float | list[float] | None:
    """A number or an interval as evidence has it; None where there is none.

    >>> evidence_value((0.25, 0.75)), evidence_value(NotScored("fewer than two decks"))
    ([0.25, 0.75], None)
    """
    if isinstance(outcome, NotScored):
        return None
    return list(outcome) if isinstance(outcome, tuple) else outcome


_PAPER = "SlidesGen-Bench (paper 002)"

for _info in (
    MetricInfo(
        "aesthetics.total", "deck", "", "higher", -12.8, 45.0,
        "Sum of harmony, engagement, usability and rhythm.", f"{_PAPER}, section 2.3, table 4",
    ),
    MetricInfo(
        "harmony.score", "deck", "", "higher", -12.8, 5.0,
        "How well the colours of all slides fit harmonic templates, and how evenly.",
        f"{_PAPER}, eq 1 and 15",
    ),
    MetricInfo(
        "engagement.score", "deck", "", "higher", 0.0, 10.0,
        "How colourful the deck is and how well that varies.", f"{_PAPER}, eq 2 and 3",
    ),
    MetricInfo(
        "usability.score", "deck", "", "higher", 0.0, 10.0,
        "How well text stands out from its background.", f"{_PAPER}, eq 4 and 5",
    ),
    MetricInfo(
        "rhythm.score", "deck", "", "higher", 0.0, 20.0,
        "How visual complexity sits and moves from slide to slide.", f"{_PAPER}, eq 7 and 8",
    ),
    MetricInfo(
        "rhythm.rmssd", "deck", "", "neutral", 0.0, 1.0,
        "Typical change of the complexity score between neighbouring slides.", f"{_PAPER}, eq 7",
    ),
    MetricInfo(
        "engagement.pacing", "deck", "", "higher", 0.0, 1.0,
        "How near the spread of colourfulness is to that of good decks.", f"{_PAPER}, eq 3",
    ),
    MetricInfo(
        "editability.level", "deck", "level", "higher", 0.0, 5.0,
        "How far the deck can be edited as a deck: PEI level by the knockout rule.",
        f"{_PAPER}, section 2.4 and appendix I", version="2",
    ),
    MetricInfo(
        "editability.level_on_slide", "deck", "level", "higher", 0.0, 5.0,
        "The level where doubled text may leave its box upwards or downwards, but not the slide.",
        f"ours, a looser reading of the first gate of {_PAPER}, appendix I.4.3",
    ),
    MetricInfo(
        "harmony.distance_deg", "slide", "deg", "lower", 0.0, 171.0,
        "Mean way of the slide's hues to the nearest harmonic template.",
        f"{_PAPER}, eq 10 and 13",
    ),
    MetricInfo(
        "engagement.colorfulness", "slide", "", "neutral", 0.0, 280.0,
        "How colourful the slide is.", f"{_PAPER}, eq 2 and 12; Hasler and Süsstrunk 2003",
    ),
    MetricInfo(
        "usability.contrast", "slide", "", "higher", 0.0, 1.0,
        "Mean contrast of the slide's text, 1 for black on white.", f"{_PAPER}, eq 5",
    ),
    MetricInfo(
        "rhythm.subband_entropy", "slide", "bits", "neutral", 0.0, None,
        "How much visual clutter the slide carries.", f"{_PAPER}, eq 6 and 18 to 20",
    ),
    MetricInfo(
        "harmony.aim", "slide", "rad", "lower", 0.0, None,
        "Harmony distance as a sum over all pixels, as Aalto AIM gives it.", "Aalto AIM, m20",
    ),
    MetricInfo(
        "rhythm.subband_entropy_aim", "slide", "nats", "neutral", 0.0, None,
        "Visual clutter as Aalto AIM gives it.", "Aalto AIM, m7", version="2",
    ),
    MetricInfo(
        "rhythm.subband_entropy_table8", "slide", "bits", "neutral", 0.0, None,
        "Visual clutter with the channel weights of table 8.", f"{_PAPER}, eq 11 and table 8",
    ),
    MetricInfo(
        "rhythm.score_table8", "deck", "", "higher", 0.0, 20.0,
        "Visual rhythm from clutter with the channel weights of table 8.",
        f"{_PAPER}, eq 8 and 11, table 8",
    ),
    MetricInfo(
        "rhythm.score_eq17", "deck", "", "higher", None, 100.0,
        "Nearness of the rhythm to a target, less overloads.", f"{_PAPER}, eq 17 and table 11",
    ),
    MetricInfo(
        "rhythm.score_eq17_e7", "deck", "", "higher", None, 100.0,
        "The same with the target of the summary of appendix E.", f"{_PAPER}, eq 17 and E.7",
    ),
    MetricInfo(
        "rhythm.score_eq17_table13", "deck", "", "higher", None, 100.0,
        "The same with target and overload level as the tuning table prints them.",
        f"{_PAPER}, eq 17 and table 13",
    ),
    MetricInfo(
        "harmony.score_table10", "deck", "", "higher", -12.8, 5.0,
        "Harmony with the strict width of table 10.", f"{_PAPER}, eq 14, 15 and table 10",
    ),
):  # fmt: skip
    METRICS.register(_info.name, _info)
