import math

import pytest
from pydantic import ValidationError

from decklab.core.geometry import Box
from decklab.core.results import DeckResult, Finding, Measurement, NotScored


def test_a_measurement_has_a_value_or_a_reason_and_never_both() -> None:
    with pytest.raises(ValidationError, match="either a value or a reason"):
        Measurement(metric="m")
    with pytest.raises(ValidationError, match="either a value or a reason"):
        Measurement(metric="m", value=1.0, reason="because")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_not_finite_becomes_a_reason(value: float) -> None:
    row = Measurement.of("m", value)
    assert (row.status, row.value) == ("not_scored", None)
    assert row.reason == f"the formula gave {value}"
    with pytest.raises(ValidationError):
        Measurement(metric="m", value=value)


def test_zero_is_a_score() -> None:
    assert Measurement.of("m", 0.0).status == "scored"
    assert Measurement.of("m", NotScored("no text")).status == "not_scored"


def test_results_cross_json_unchanged() -> None:
    result = DeckResult(
        deck="a.pptx",
        status="scored",
        slides=2,
        measurements=(
            Measurement(metric="a", value=0.1 + 0.2, evidence={"k": [1, None]}),
            Measurement(metric="b", slide=2, reason="no text"),
        ),
        findings=(Finding(rule="r", severity="info", message="m", box=Box(1, 2, 3, 4)),),
    )
    assert DeckResult.model_validate_json(result.model_dump_json()) == result


def test_rows_are_found_by_metric_and_slide() -> None:
    rows = (Measurement(metric="a", value=1), Measurement(metric="a", slide=2, value=3))
    result = DeckResult(deck="d", status="scored", measurements=rows)
    assert (result.value("a"), result.value("a", 2)) == (1, 3)


def test_a_value_that_is_not_there_says_why() -> None:
    rows = (Measurement(metric="a", reason="the slide has no text"),)
    result = DeckResult(deck="d", status="scored", measurements=rows)
    assert result.value("a") == NotScored("the slide has no text")
    assert result.value("a", 1) == NotScored("d: nothing was measured as a for slide 1")
    failed = DeckResult(deck="d", status="failed", error="d: the file is empty")
    assert str(failed.value("a")) == "not scored: d: the file is empty"
