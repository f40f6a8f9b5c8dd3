"""Every metric of slides and decks, by name."""

from typing import Final

from decklab.core.registry import Registry
from decklab.metrics import quality
from decklab.metrics.aesthetics import rows
from decklab.metrics.editability import verdict
from decklab.metrics.metric import REGISTERED, MetricInfo

FAMILIES: Final = (rows, verdict, quality)
"""Modules that make result rows of decks: the modules that they import register their metrics."""

METRICS: Final[Registry[MetricInfo]] = REGISTERED
"""All metrics.

>>> METRICS["harmony.distance_deg"].unit
'deg'
"""


def metric_info(name: str) -> MetricInfo:
    """The meaning of a metric of slides or decks, and its range; raises UnknownName.

    >>> metric_info("harmony.distance_deg").unit
    'deg'
    """
    return METRICS[name]


def metric_labels() -> dict[str, str]:
    """The display name of each metric that has one, by its registered name.

    >>> metric_labels()["usability.contrast"]
    'Text contrast'
    """
    return {name: METRICS[name].label for name in METRICS if METRICS[name].label}
