"""The arithmetic of the metrics, against rows of paper 004 and examples by hand."""

import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SETTING_METRICS,
    SHARED_METRICS,
    ScenarioItem,
    mean_of_runs,
    setting_average,
    shared_score,
    spread_of_runs,
    visual_integrity,
)


def item(state, weight=1.0, name="a"):
    return ScenarioItem(name, "", state, weight)


# Tables II and III of paper 004: shared score, scores of the setting, and the average printed. Rows
# with figures agree only where all three scores lie close: not every task asks for chart fidelity.
ROWS = [
    (8.35, (7.79, 7.78, 7.92), 8.16), (7.14, (6.38, 3.70, 7.40), 6.65),
    (8.92, (7.15, 7.51, 10.00), 8.66), (9.49, (9.55, 6.26), 9.04), (7.13, (5.11, 3.83), 6.37),
    (9.20, (9.39, 10.00), 9.34), (5.23, (4.74, 1.48), 4.63),
    (7.67, (1.50, 1.92, 6.20), 6.00),
]  # fmt: skip


@pytest.mark.parametrize(("shared", "own", "printed"), ROWS)
def test_averages_are_those_of_the_published_tables(shared, own, printed):
    assert setting_average([shared] * 5 + list(own)) == pytest.approx(printed, abs=0.011)


def test_five_shared_and_eight_scenario_metrics():
    assert len(SHARED_METRICS) == 5
    assert [len(names) for names in SETTING_METRICS.values()] == [0, 2, 3, 3]
    assert {name for names in SETTING_METRICS.values() for name in names} == set(SCENARIO_METRICS)


@pytest.mark.parametrize("name", ["key_coverage", "source_coverage", "integration"])
def test_weighted_metrics_weight_their_items(name):
    # (3 * 1 + 1 * 0.5 + 2 * 0) / 6 = 0.58333
    given = [item(1.0, 3), item(0.5, 1), item(0.0, 2)]
    assert SCENARIO_METRICS[name].score(given) == pytest.approx(5.83333, abs=1e-4)


@pytest.mark.parametrize("name", ["faithfulness", "visual_use"])
def test_binary_metrics_count_items_alike(name):
    assert SCENARIO_METRICS[name].score([item(1.0, 9), item(0.0), item(0.0)]) == pytest.approx(
        10 / 3
    )
    with pytest.raises(ValueError, match=r"no state 0\.5"):
        SCENARIO_METRICS[name].score([item(0.5)])


def test_alignment_is_an_unweighted_mean_of_three_states():
    assert SCENARIO_METRICS["figure_claim"].score([item(1.0, 9), item(0.5), item(0.0)]) == 5.0


def test_groups_that_do_not_apply_do_not_count():
    given = [item(0.0, 1), item(1.0, 3), item(None, 100)]
    assert SCENARIO_METRICS["deduplication"].score(given) == 7.5
    none = SCENARIO_METRICS["deduplication"].score([item(None)])
    assert none == NotScored("no overlapping theme is in the task or the deck")


def test_an_item_that_was_not_judged_leaves_its_metric_without_a_score():
    given = [item(1.0), item(NotScored("no reply"), name="b")]
    assert SCENARIO_METRICS["key_coverage"].score(given) == NotScored("b: no reply")


@pytest.mark.parametrize("name", sorted(SCENARIO_METRICS))
def test_no_items_are_no_score(name):
    assert isinstance(SCENARIO_METRICS[name].score([]), NotScored)


def test_integrity_is_the_share_of_slides_without_defects():
    assert visual_integrity(0, 7) == 10.0
    assert visual_integrity(7, 7) == 0.0
    assert isinstance(visual_integrity(0, 0), NotScored)
    with pytest.raises(ValueError, match="8 of 7"):
        visual_integrity(8, 7)


def test_averages_need_all_their_metrics_and_runs_only_some():
    gone = NotScored("gone")
    assert shared_score([8.0, gone]) == gone
    assert setting_average([]) == NotScored("there are no metrics")
    assert mean_of_runs([gone, gone]) == gone
    assert mean_of_runs([7.0, gone, 9.0]) == 8.0
    assert isinstance(spread_of_runs([7.0, gone]), NotScored)
