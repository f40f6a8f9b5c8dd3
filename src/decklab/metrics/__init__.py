"""Numbers from decks, elements and pictures: pure functions, and the catalogue that names them."""

from decklab.metrics.catalogue import METRICS, MetricInfo, measured
from decklab.metrics.slideeval_catalogue import SLIDEEVAL_METRICS

__all__ = ["METRICS", "SLIDEEVAL_METRICS", "MetricInfo", "measured"]
