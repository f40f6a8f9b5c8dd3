"""The rows of a judged deck's page."""

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.result import MetricResult
from decklab.evals.judges.scenario.task import ScenarioItem
from decklab.evals.unippt.running import MetricSection


def section(name: str, *items: ScenarioItem) -> MetricSection:
    return MetricSection(MetricResult(name, name, (5.0,), (items,)))


def test_slides_without_a_defect_are_counted_and_not_listed() -> None:
    slides = section(
        "visual_integrity",
        ScenarioItem("slide 1", "", 1.0), ScenarioItem("slide 2", "two texts overlap", 0.0),
        ScenarioItem("slide 3", "", 1.0), ScenarioItem("slide 4", "", NotScored("no picture")),
    )  # fmt: skip
    assert [row.item.id for row in slides.rows] == ["slide 2", "slide 4"]
    assert slides.sound == 2


def test_key_points_are_all_listed_and_missed_ones_come_first() -> None:
    points = section(
        "key_coverage",
        ScenarioItem("full", "", 1.0), ScenarioItem("none", "", None),
        ScenarioItem("missed", "", 0.0, weight=3.0), ScenarioItem("part", "", 0.5),
    )  # fmt: skip
    assert [row.item.id for row in points.rows] == ["missed", "part", "full", "none"]
    assert [row.weight for row in points.rows] == [3.0, None, None, None]
    assert [row.state[1] for row in points.rows] == ["no", "in part", "yes", "does not apply"]
    assert points.sound == 0


def test_a_metric_without_runs_has_no_rows() -> None:
    empty = MetricSection(MetricResult("visual_integrity", "", (NotScored("no answer"),)))
    assert (empty.rows, empty.sound, empty.empty) == ([], 0, True)
