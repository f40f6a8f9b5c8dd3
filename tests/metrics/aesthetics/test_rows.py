import json
import math

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from decklab.core.geometry import Box
from decklab.core.options import MetricVariant
from decklab.core.results import Measurement
from decklab.metrics.aesthetics.clutter import channel_entropies
from decklab.metrics.aesthetics.rows import (
    PICTURE_METRICS,
    deck_rows,
    slide_rows,
    unread_slide_rows,
)
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.catalogue import METRICS

SLIDE = ["harmony.distance_deg", *PICTURE_METRICS, "usability.contrast", "rhythm.subband_entropy"]
DECK = {
    "aesthetics.total",
    "harmony.score",
    "engagement.score",
    "engagement.pacing",
    "usability.score",
    "rhythm.score",
    "rhythm.rmssd",
}


def slide(accent: str = "#c55a11", text: str = "#333333") -> tuple[np.ndarray, list[TextRegion]]:
    page = Image.new("RGB", (640, 360), "#ffffff")
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, 640, 60), fill=accent)
    font = ImageFont.load_default(size=18)
    draw.text((40, 120), "What the slide says", font=font, fill=text)
    box = Box(*draw.textbbox((40, 120), "What the slide says", font=font))
    return np.asarray(page), [TextRegion(box, "What the  slide\nsays", box.scaled(1.5, 1.5))]


def by_name(rows: list[Measurement]) -> dict[str, Measurement]:
    return {row.metric: row for row in rows}


def deck(*slides: tuple[np.ndarray, list[TextRegion]]) -> list[Measurement]:
    return [
        row
        for number, (image, regions) in enumerate(slides, start=1)
        for row in slide_rows(number, image, regions, "layout")
    ]


def test_a_slide_has_its_four_rows_and_more_on_request() -> None:
    image, regions = slide()
    assert [row.metric for row in slide_rows(3, image, regions, "layout")] == SLIDE
    rows = slide_rows(3, image, regions, "layout", also=["printed", "aim"])
    assert [row.metric for row in rows] == [
        *SLIDE,
        "harmony.aim",
        "rhythm.subband_entropy_aim",
        "rhythm.subband_entropy_table8",
    ]
    assert {row.slide for row in rows} == {3}
    assert all(row.status == "scored" for row in rows)


def test_values_lie_in_the_ranges_of_the_catalogue() -> None:
    for row in [*(rows := deck(slide(), slide("#1f4e79"))), *deck_rows(rows)]:
        info = METRICS[row.metric]
        assert row.value is not None
        assert row.value >= info.low
        assert info.high is None or row.value <= info.high


def test_the_evidence_of_harmony_is_what_the_wheel_needs() -> None:
    row = by_name(slide_rows(1, *slide(), "layout"))["harmony.distance_deg"]
    evidence = row.evidence
    assert set(evidence) == {
        "palette", "template", "angle_deg", "sectors", "hue_histogram", "chromatic_share",
        "slide_score",
    }  # fmt: skip
    assert evidence["palette"][0] == ["#FFFFFF", pytest.approx(0.8, abs=0.05)]
    assert len(evidence["hue_histogram"]) == 72
    assert json.loads(json.dumps(evidence)) == evidence


def test_the_evidence_of_contrast_names_the_worst_regions() -> None:
    row = by_name(slide_rows(1, *slide(text="#cccccc"), "ocr"))["usability.contrast"]
    assert row.evidence["regions"] == 1
    assert row.evidence["text_source"] == "ocr"
    (worst,) = row.evidence["worst"]
    assert worst["text"] == "What the slide says"
    assert worst["ratio"] == pytest.approx(1.61, abs=0.05)
    assert (worst["figure"], worst["ground"]) == ("#CCCCCC", "#FFFFFF")
    assert worst["box"][0] == pytest.approx(60, abs=2)


def test_a_blank_slide_says_why_it_lacks_values() -> None:
    rows = by_name(slide_rows(1, np.full((360, 640, 3), 255, np.uint8), [], "layout"))
    assert rows["harmony.distance_deg"].reason == "no pixel has enough colour to have a hue"
    assert rows["harmony.distance_deg"].evidence["palette"] == [["#FFFFFF", 1.0]]
    assert rows["engagement.colorfulness"].value == 0
    assert rows["usability.contrast"].reason == "the slide has no text"
    assert rows["rhythm.subband_entropy"].value == 0


def test_a_deck_has_its_rows_and_the_total_is_the_sum_of_its_parts() -> None:
    rows = by_name(deck_rows(deck(slide(), slide("#1f4e79"), slide("#ffc000"))))
    assert set(rows) == DECK
    total = rows["aesthetics.total"]
    assert total.value == pytest.approx(sum(total.evidence["parts"].values()))
    for name, value in total.evidence["parts"].items():
        assert rows[name].value == value


def test_deck_rows_follow_from_slide_rows_alone_in_any_order() -> None:
    rows = deck(slide(), slide("#1f4e79"), slide("#ffc000"))
    stored = [Measurement.model_validate_json(row.model_dump_json()) for row in reversed(rows)]
    assert deck_rows(stored) == deck_rows(rows)


def test_the_evidence_of_rhythm_lists_slides_in_order() -> None:
    rows = deck(slide(), (np.full((360, 640, 3), 255, np.uint8), []), slide("#1f4e79"))
    evidence = by_name(deck_rows(rows))["rhythm.score"].evidence
    assert [number for number, _ in evidence["slide_scores"]] == [1, 2, 3]
    assert evidence["band"] in {"flatline", "healthy", "transitional", "strobe light"}


def test_slides_without_colour_or_text_are_left_out_of_those_parts() -> None:
    rows = deck(slide(), slide("#1f4e79"), (np.full((360, 640, 3), 128, np.uint8), []))
    scores = by_name(deck_rows(rows))
    assert scores["harmony.score"].evidence["slides_scored"] == 2
    assert scores["usability.score"].evidence["slides_scored"] == 2
    assert scores["aesthetics.total"].status == "scored"


def test_a_deck_of_one_slide_has_no_pacing_rhythm_or_total() -> None:
    rows = by_name(deck_rows(deck(slide())))
    assert rows["harmony.score"].value == pytest.approx(5.0)
    assert rows["engagement.score"].reason == "pacing needs at least two slides"
    assert rows["engagement.score"].evidence["level"] > 0
    assert rows["rhythm.rmssd"].reason == "rhythm needs at least two slides"
    total = rows["aesthetics.total"]
    assert total.reason == (
        "engagement.score: pacing needs at least two slides; "
        "rhythm.score: rhythm needs at least two slides"
    )
    assert total.evidence["parts"]["rhythm.score"] is None
    assert total.evidence["parts"]["harmony.score"] == pytest.approx(5.0)


def test_a_deck_without_slides_has_reasons_only() -> None:
    rows = deck_rows([])
    assert {row.metric for row in rows} == DECK
    assert all(row.status == "not_scored" for row in rows)


def test_a_deck_without_slides_says_so() -> None:
    reasons = {row.metric: row.reason for row in deck_rows([])}
    assert {reasons[name] for name in DECK - {"aesthetics.total"}} == {"the deck has no slides"}


def test_a_deck_of_slides_too_small_for_the_pyramid_does_not_say_it_has_too_few() -> None:
    low = np.full((18, 1280, 3), 200, np.uint8)
    rows = by_name(deck_rows(deck(*[(low, [])] * 3)))
    assert rows["rhythm.score"].reason == f"no slide could be measured; slide 1: {reason_of(low)}"
    assert rows["usability.score"].reason == "no slide has text"
    mixed = by_name(deck_rows(deck(slide(), (low, []))))
    assert mixed["rhythm.score"].reason == (
        f"rhythm needs at least two slides; slide 2: {reason_of(low)}"
    )


def test_a_deck_nobody_looked_for_text_in_does_not_say_it_has_none() -> None:
    image, _ = slide()
    rows = by_name(deck_rows(slide_rows(1, image, [], "none")))
    assert "[ocr]" in str(rows["usability.score"].reason)


def reason_of(image: np.ndarray) -> str | None:
    return by_name(slide_rows(1, image, [], "layout"))["rhythm.subband_entropy"].reason


@pytest.mark.parametrize("also", [(), ("aim",), ("aim", "printed")])
def test_an_unread_slide_has_the_rows_of_a_read_one_and_no_value(
    also: tuple[MetricVariant],
) -> None:
    read = slide_rows(2, np.full((64, 64, 3), 255, np.uint8), [], "layout", also=also)
    unread = unread_slide_rows(2, "its bytes are damaged", also=also)
    assert [row.metric for row in unread] == [row.metric for row in read]
    assert {(row.slide, row.value, row.reason) for row in unread} == {
        (2, None, "its bytes are damaged")
    }


def test_an_unread_slide_does_not_count_in_the_deck() -> None:
    picture = np.random.default_rng(5).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    read = [row for number in (1, 3) for row in slide_rows(number, picture, [], "layout")]
    values = {row.metric: row.value for row in deck_rows(read)}
    mixed = {row.metric: row.value for row in deck_rows([*read, *unread_slide_rows(2, "torn")])}
    assert values["rhythm.score"] is not None
    assert mixed == values


def test_a_deck_without_a_read_slide_says_why_of_its_first() -> None:
    rows = [row for number in (1, 2) for row in unread_slide_rows(number, "torn")]
    found = {row.metric: (row.value, row.reason) for row in deck_rows(rows)}
    assert found["harmony.score"] == (None, "no slide could be measured; slide 1: torn")
    assert found["aesthetics.total"][0] is None


def printed_rows(distances: list[float], bits: list[float]) -> dict[str, Measurement]:
    rows = [
        Measurement.of(metric, value, slide=number)
        for metric, values in (
            ("harmony.distance_deg", distances),
            ("rhythm.subband_entropy", bits),
            ("rhythm.subband_entropy_table8", bits),
        )
        for number, value in enumerate(values, start=1)
    ]
    return by_name(deck_rows(rows, also=["printed"]))


def test_the_numbers_printed_elsewhere_follow_their_formulas() -> None:
    rows = printed_rows([0.0, 0.0286479], [3.878, 3.878 + 0.533**0.5])
    # 0.0286479 degrees are 0.0005 radians: one sigma of table 10; a Gaussian gives exp(-1/2) there.
    high, low = 1.0, math.exp(-0.5)
    mean, spread = (high + low) / 2, (high - low) / 2
    assert rows["harmony.score_table10"].value == pytest.approx(5 * mean - 30 * spread, abs=1e-4)
    step = high - low
    assert rows["rhythm.score_table8"].value == pytest.approx(10 * mean + 10 * step)
    assert rows["rhythm.score_eq17"].value == pytest.approx(100 * (1 - (step - 0.03) / 0.2))
    assert rows["rhythm.score_eq17_e7"].value == pytest.approx(100 * (1 - (step - 0.02) / 0.2))


def test_the_overload_level_of_table_13_costs_nearly_every_window() -> None:
    rows = printed_rows([0.0] * 4, [3.0] * 4)
    score = math.exp(-((3.0 - 3.878) ** 2) / (2 * 0.533))
    assert 0.1 < score < 0.75
    assert rows["rhythm.score_eq17_e7"].value == pytest.approx(90)
    assert rows["rhythm.score_eq17_table13"].value == pytest.approx(90 - 2 * 10)


def test_without_slides_the_printed_rows_say_why_they_have_no_value() -> None:
    rows = by_name(deck_rows([], also=["printed"]))
    assert rows["harmony.score_table10"].reason == "the deck has no slides"
    assert rows["rhythm.score_eq17"].reason == "the deck has no slides"


def test_the_weights_of_table_8_give_chroma_more() -> None:
    image, regions = slide()
    rows = by_name(slide_rows(1, image, regions, "layout", also=["printed"]))
    lightness, a, b = channel_entropies(image)  # type: ignore[misc]
    assert rows["rhythm.subband_entropy_table8"].value == pytest.approx(
        0.84 * lightness + 0.08 * a + 0.08 * b
    )
    assert rows["rhythm.subband_entropy"].value == pytest.approx(
        (lightness + 0.0625 * (a + b)) / 1.125
    )
