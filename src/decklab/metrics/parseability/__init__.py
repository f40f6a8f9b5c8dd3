"""Parseability: how often a reply fits the schema, by the slide's complexity (paper 000, E.1)."""

from decklab.metrics.parseability.rates import (
    ParseBin,
    parse_rates,
    parseability_rows,
    quantile_edges,
)

__all__ = ["ParseBin", "parse_rates", "parseability_rows", "quantile_edges"]
