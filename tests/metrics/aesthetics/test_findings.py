from typing import Any

import pytest

from decklab.core.geometry import Box
from decklab.core.results import Finding, Measurement
from decklab.metrics.aesthetics.rows import findings
from decklab.metrics.catalogue import METRICS
from decklab.metrics.metric import measured


def contrast(ratio: float, least_ratio: float = 4.5) -> Measurement:
    region: dict[str, Any] = {
        "box": [10.0, 20.0, 110.0, 40.0],
        "ratio": ratio,
        "least_ratio": least_ratio,
        "text": "Small print",
        "figure": "#CCCCCC",
        "ground": "#FFFFFF",
    }
    evidence = {"regions": 1, "worst": [region], "covered": [], "text_source": "layout"}
    assert METRICS["usability.contrast"].high == 1
    return measured("usability.contrast", 0.2, slide=4, evidence=evidence)


def engagement(mean: float, std: float) -> Measurement:
    evidence = {"level": mean / 100, "mean": mean, "std": std, "pacing": 0.5}
    return measured("engagement.score", 5.0, evidence=evidence)


def distances(*values: float) -> list[Measurement]:
    return [
        measured("harmony.distance_deg", value, slide=number)
        for number, value in enumerate(values, start=1)
    ]


def entropies(*values: float) -> list[Measurement]:
    return [
        measured("rhythm.subband_entropy", value, slide=number)
        for number, value in enumerate(values, start=1)
    ]


def rules(rows: list[Measurement]) -> list[str]:
    return [finding.rule for finding in findings(rows)]


@pytest.mark.parametrize(
    ("ratio", "least", "severity"),
    [(1.6, 4.5, "error"), (3.5, 4.5, "warning"), (2.9, 3.0, "error")],
)
def test_low_contrast_is_found_with_its_place(ratio: float, least: float, severity: str) -> None:
    (finding,) = findings([contrast(ratio, least)])
    assert (finding.rule, finding.severity, finding.slide) == ("contrast.low", severity, 4)
    assert finding.box == Box(10, 20, 110, 40)
    assert (finding.measured, finding.threshold) == (ratio, least)
    assert '"Small print"' in finding.message
    assert f"{least:g}:1" in finding.fix


@pytest.mark.parametrize(("ratio", "least"), [(4.5, 4.5), (3.0, 3.0)])
def test_enough_contrast_is_no_finding(ratio: float, least: float) -> None:
    assert findings([contrast(ratio, least)]) == []


def test_a_slide_whose_colours_stand_out_is_a_spike() -> None:
    (finding,) = findings(distances(0.5, 1.0, 0.0, 24.0, 0.7))
    assert (finding.rule, finding.slide, finding.measured) == ("harmony.spike", 4, 24.0)
    assert finding.threshold == 10.0


@pytest.mark.parametrize(
    "values", [(0.0, 0.0, 9.0), (20.0, 30.0), (20.0, 25.0, 30.0, 28.0), (0.0, 0.0, 0.0)]
)
def test_small_distances_and_even_ones_are_no_spikes(values: tuple[float, ...]) -> None:
    assert findings(distances(*values)) == []


@pytest.mark.parametrize(
    ("mean", "std", "expected"),
    [
        (5.0, 0.5, ["engagement.flat"]),
        (50.0, 0.5, []),
        (50.0, 11.0, []),
        (50.0, 40.0, ["engagement.volatile"]),
    ],
)
def test_pale_and_swinging_decks_are_found(mean: float, std: float, expected: list[str]) -> None:
    assert rules([engagement(mean, std)]) == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [(0.005, ["rhythm.flatline"]), (0.05, []), (0.4, []), (0.6, ["rhythm.strobe"])],
)
def test_rhythm_is_judged_by_what_professional_decks_do(change: float, expected: list[str]) -> None:
    assert rules([measured("rhythm.rmssd", change)]) == expected


def test_a_run_of_dense_slides_is_one_finding() -> None:
    (finding,) = findings(entropies(3.0, 5.2, 5.3, 5.1, 3.0))
    assert (finding.rule, finding.slide) == ("rhythm.overload", 2)
    assert "Slides 2 to 4" in finding.message
    assert finding.measured == pytest.approx(5.2)
    assert rules(entropies(5.0, 5.0, 5.0, 5.0, 5.0, 5.0)) == ["rhythm.overload"] * 2
    assert findings(entropies(3.9, 3.9, 3.9)) == []


def test_every_finding_says_what_to_do() -> None:
    rows = [
        contrast(1.5),
        engagement(5.0, 0.5),
        measured("rhythm.rmssd", 0.6),
        *distances(0.0, 0.0, 40.0),
        *entropies(6.0, 6.0, 6.0),
    ]
    found: list[Finding] = findings(rows)
    assert len(found) == 5
    for finding in found:
        assert finding.fix.endswith(".")
        assert finding.measured is not None
        assert finding.threshold is not None


def test_rows_without_values_give_none() -> None:
    assert findings([]) == []


def test_texts_of_the_same_colours_make_one_finding_and_others_their_own() -> None:
    row = contrast(1.6)
    (region,) = row.evidence["worst"]
    alike = region | {"figure": "#C8C8C8", "text": "More of it"}
    other = region | {"figure": "#FFEE00", "ratio": 1.7, "text": "Yellow"}
    many = row.model_copy(update={"evidence": row.evidence | {"worst": [region, alike, other]}})
    first, second = findings([many])
    assert '"Small print" and 1 more like it' in first.message
    assert '"Yellow":' in second.message


@pytest.mark.parametrize(
    ("regions", "last", "told"),
    [(5, 1.6, "and 4 more"), (9, 1.6, "and at least 4 more"), (9, 5.0, "and 3 more")],
)
def test_texts_beyond_the_worst_ones_are_not_counted_as_none(
    regions: int, last: float, told: str
) -> None:
    row = contrast(1.6)
    (region,) = row.evidence["worst"]
    worst = [region] * 4 + [region | {"ratio": last}]
    many = row.model_copy(update={"evidence": row.evidence | {"worst": worst, "regions": regions}})
    (finding,) = findings([many])
    assert f'"Small print" {told} like it' in finding.message


def test_covered_text_is_told_with_its_place() -> None:
    row = contrast(21.0)
    covered = [{"box": [1.0, 2.0, 3.0, 4.0], "text": "Join the chat"}]
    hidden = row.model_copy(update={"evidence": row.evidence | {"worst": [], "covered": covered}})
    (finding,) = findings([hidden])
    assert (finding.rule, finding.slide, finding.box) == ("text.covered", 4, Box(1, 2, 3, 4))
    assert "Join the chat" in finding.message


def test_the_same_colours_on_many_slides_are_told_once_at_the_worst() -> None:
    ratios = {4: 2.0, 6: 1.6, 7: 1.9}
    rows = [contrast(ratio).model_copy(update={"slide": at}) for at, ratio in ratios.items()]
    (finding,) = findings(rows)
    assert (finding.slide, finding.measured) == (6, 1.6)
    assert finding.message.endswith("On 3 slides: 4, 6, 7.")
    assert [item.slide for item in findings(rows[:2])] == [4, 6]


def test_a_bullet_on_its_own_is_no_text() -> None:
    row = contrast(1.5)
    row.evidence["worst"][0]["text"] = "◦"
    assert findings([row]) == []
