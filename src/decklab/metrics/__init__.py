"""Numbers from decks, elements and pictures: pure functions, and the catalogue that names them."""

from decklab.metrics.catalogue import METRICS, MetricInfo, measured

__all__ = ["METRICS", "MetricInfo", "measured"]
