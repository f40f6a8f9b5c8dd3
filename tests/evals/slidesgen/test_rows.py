"""What costs a deck most, picked from rows written by hand."""

from types import SimpleNamespace
from typing import Any

from decklab.evals.slidesgen.evaluation import SlideCost, slide_costs_of
from decklab.scoring.reports.standing import FLAWS


def row(metric: str, slide: int | None, **gains: float) -> Any:
    named = {name.replace("_", "."): points for name, points in gains.items()}
    return SimpleNamespace(metric=metric, slide=slide, evidence={"gains": named} if gains else {})


def finding(slide: int, severity: str = "error") -> Any:
    return SimpleNamespace(
        slide=slide, severity=severity, rule="text-overflow", message=f"message {slide}"
    )


def costs(findings: list[Any], *rows: Any) -> list[tuple[int | None, float | None]]:
    result: Any = SimpleNamespace(findings=findings, measurements=rows)
    return [(cost.slide, cost.points) for cost in slide_costs_of(result)]


def test_flaws_of_slides_and_of_the_deck_come_by_their_points() -> None:
    rows = (
        row("quality.slide", 2, layout_margin=1.5),
        row("quality.score", None, deck_fonts=4.0, layout_margin=9.0),  # the slides have it already
        row("quality.slide", 1, layout_crowded=3.0, layout_adrift=0.9),  # less than a point
        row("harmony.score", 1, layout_crowded=8.0),
        row("quality.slide", 3),
    )
    assert costs([], *rows) == [(None, 4.0), (1, 3.0), (2, 1.5)]
    result: Any = SimpleNamespace(findings=[], measurements=rows[:1])
    assert slide_costs_of(result) == (
        SlideCost(slide=2, words=FLAWS["layout.margin"]["words"], points=1.5),
    )


def test_errors_come_first_and_take_half_of_the_six_places_at_most() -> None:
    flaws = [row("quality.slide", slide, layout_margin=slide) for slide in range(1, 6)]
    errors = [finding(7), finding(8, "warning"), finding(9), finding(10), finding(11)]
    assert costs(errors, *flaws) == [(7, None), (9, None), (10, None), (5, 5), (4, 4), (3, 3)]
    assert costs([]) == []
