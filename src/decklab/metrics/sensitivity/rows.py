"""What sensitivity analysis found, as result rows."""

from collections.abc import Iterable
from typing import Any

from decklab.metrics.catalogue import measured
from decklab.metrics.intervals import Interval
from decklab.metrics.sensitivity.agreement import ModelAgreement
from decklab.metrics.sensitivity.frontier import FrontierPoint
from decklab.metrics.sensitivity.scale_link import ScaleLink
from decklab.results import Measurement, NotScored


def sensitivity_rows(
    points: Iterable[FrontierPoint] = (),
    links: Iterable[ScaleLink] = (),
    agreements: Iterable[ModelAgreement] = (),
) -> list[Measurement]:
    """POA, MACE and rho of each point, R2 and RMSE of each link, rho of each pair of judges.

    The evidence names judge, axis and scale, and holds intervals, curves and counts.

    >>> from decklab.metrics.sensitivity.ratings import Degraded
    >>> from decklab.metrics.sensitivity.frontier import consistency_fidelity
    >>> rated = [Degraded("m", "text", 5, "a", "1", s, s) for s in (0.0, 0.5, 1.0)]
    >>> [(row.metric, row.value) for row in sensitivity_rows(consistency_fidelity(rated))][0]
    ('sensitivity.adjacent_poa', 1.0)
    """
    rows = [row for point in points for row in _point_rows(point)]
    rows += [row for link in links for row in _link_rows(link)]
    return rows + [_agreement_row(each) for each in agreements]


def _point_rows(point: FrontierPoint) -> list[Measurement]:
    named: dict[str, Any] = {
        "model": point.model, "axis": point.axis, "scale": point.scale, "n": point.n,
    }  # fmt: skip
    poa = named | {
        "interval": _ends(point.consistency_interval), "on_frontier": point.on_frontier,
    }  # fmt: skip
    rho = named | {
        "interval": _ends(point.fidelity_interval), "on_frontier": point.on_frontier,
    }  # fmt: skip
    curve = named | {"curve": [list(place) for place in point.curve]}
    return [
        measured("sensitivity.adjacent_poa", point.consistency, evidence=poa),
        measured("sensitivity.spearman", point.fidelity, evidence=rho),
        measured("sensitivity.mace", point.mace, evidence=curve),
    ]


def _link_rows(link: ScaleLink) -> list[Measurement]:
    evidence: dict[str, Any] = {
        "model": link.model,
        "n": link.n,
        "p": None if isinstance(link.p, NotScored) else link.p,
        "link": [list(place) for place in link.link],
    }
    return [
        measured("sensitivity.scale_link_r2", link.r2, evidence=evidence),
        measured("sensitivity.scale_link_rmse", link.rmse, evidence=evidence),
    ]


def _agreement_row(each: ModelAgreement) -> Measurement:
    evidence = {
        "models": list(each.models), "axis": each.axis, "scale": each.scale,
        "low": each.low, "high": each.high, "n": each.n,
    }  # fmt: skip
    return measured("sensitivity.model_agreement", each.rho, evidence=evidence)


def _ends(interval: Interval | NotScored) -> list[float] | None:
    return None if isinstance(interval, NotScored) else list(interval)
