"""Estimates as result rows."""

from collections.abc import Iterable
from typing import Any

from decklab.metrics.catalogue import measured
from decklab.metrics.extraction.estimating import Estimate
from decklab.results import Measurement, NotScored


def extraction_rows(estimates: Iterable[Estimate]) -> list[Measurement]:
    """One row an estimate; its evidence says of what and under which scope.

    Evidence keys: ``where``, ``scope``, ``n``, ``std``, ``coverage`` and ``interval`` (two
    numbers); the last three are null where there is none, with the reason under ``why_no_...``.

    >>> from decklab.metrics.extraction.estimating import estimates
    >>> from decklab.metrics.extraction.pooling import Pool
    >>> row = extraction_rows(estimates(Pool()))[0]
    >>> row.metric, row.reason, row.evidence["scope"]
    ('extraction.matching_precision', 'nothing was predicted', 'end_to_end')
    """
    return [measured(each.measure, each.value, evidence=_evidence(each)) for each in estimates]


def _evidence(estimate: Estimate) -> dict[str, Any]:
    evidence: dict[str, Any] = {
        "where": estimate.where, "scope": estimate.scope, "n": estimate.n,
    }  # fmt: skip
    for name in ("std", "coverage", "interval"):
        outcome = getattr(estimate, name)
        if isinstance(outcome, NotScored):
            evidence[name] = None
            evidence[f"why_no_{name}"] = outcome.reason
        else:
            evidence[name] = list(outcome) if isinstance(outcome, tuple) else outcome
    return evidence
