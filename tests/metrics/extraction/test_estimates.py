import json
import pickle
import random
import statistics
import time
from itertools import cycle, islice
from math import hypot

import numpy as np
import pytest

from decklab.core.results import NotScored
from decklab.metrics.element_estimates import Pool, SlideScore, estimates, score_slide
from decklab.metrics.element_estimates import slide_values as values_of
from decklab.metrics.element_matching import complexity
from decklab.metrics.element_measures import MEASURES

HIGHER = {"precision", "recall", "f1", "accuracy"}


def values(truth, prediction) -> dict[str, float | NotScored]:
    found = values_of(score_slide(truth, prediction))
    return {name.removeprefix("extraction."): value for name, value in found.items()}


def test_truth_against_itself_is_perfect_on_every_measure(draw) -> None:
    truth = draw.full()
    found = values(truth, truth)
    assert len(found) == len(MEASURES) == 25
    for measure in MEASURES:
        assert found[measure.name] == (1.0 if measure.kind in HIGHER else 0.0), measure.name
    pool = Pool()
    pool.add("a", score_slide(truth, truth))
    assert {row.coverage for row in estimates(pool)} == {1.0}


def test_an_empty_prediction_scores_zero_and_covers_nothing(draw) -> None:
    truth = draw.full()
    found = values(truth, draw.slide())
    for name in ("matching_recall", "matching_f1", "text_f1", "any_style_f1"):
        assert found[name] == 0.0
    assert found["matching_precision"] == NotScored("nothing was predicted")
    assert isinstance(found["iou_error"], NotScored) and "matched" in found["iou_error"].reason
    pool = Pool()
    pool.add("a", score_slide(truth, draw.slide()))
    left = {row.measure for row in estimates(pool) if row.coverage != 0.0}
    assert left == {"extraction.background_color"}


def test_a_lost_reply_scores_zero_end_to_end_and_nothing_parsed_only(draw) -> None:
    pool = Pool()
    pool.add("a", score_slide(draw.full(), None))
    for row in estimates(pool):
        kind = next(m.kind for m in MEASURES if row.measure == f"extraction.{m.name}")
        if row.scope == "parsed_only" or kind in ("error", "precision"):
            assert isinstance(row.value, NotScored), row
        else:
            assert row.value == 0.0, row
        if row.scope == "end_to_end":
            assert row.coverage == 0.0


def test_a_blank_slide_read_as_blank_has_a_background_and_nothing_else(draw) -> None:
    found = values(draw.slide(), draw.slide())
    assert {name for name, value in found.items() if not isinstance(value, NotScored)} == {
        "background_color"
    }


def test_what_is_not_there_is_found_at_no_precision(draw) -> None:
    found = values(draw.slide(), draw.full())
    assert found["matching_precision"] == found["matching_f1"] == found["text_f1"] == 0.0
    assert isinstance(found["matching_recall"], NotScored)


def test_shifted_by_known_pixels(draw) -> None:
    truth = draw.slide(
        texts=[draw.text(100, 100, 200, 100, "one")], images=[draw.image(500, 100, 200, 100)]
    )
    moved = draw.slide(
        texts=[draw.text(120, 100, 200, 100, "one")], images=[draw.image(500, 110, 200, 100)]
    )
    found = values(truth, moved)
    # 20 px of 200 leave 180 of 220; 10 px of 100 leave 90 of 110: both 1 - 9/11.
    assert found["iou_error"] == pytest.approx(2 / 11)
    assert found["center_error"] == pytest.approx(15 / hypot(960, 540))
    assert found["size_error"] == 0
    assert found["aspect_error"] == 0


def test_scaled_by_known_factors(draw) -> None:
    truth = draw.slide(
        texts=[draw.text(100, 100, 200, 100, "one", size=20.0)],
        images=[draw.image(500, 100, 200, 100)],
        rects=[draw.rect(100, 300, 80, 40, rx=4.0, strokeWidth=2.0)],
        lines=[draw.line(300, 400, 700, 400, strokeWidth=1.0)],
    )
    scaled = draw.slide(
        texts=[draw.text(100, 100, 220, 100, "one", size=26.5)],
        images=[draw.image(500, 100, 200, 125)],
        rects=[draw.rect(100, 300, 80, 40, rx=9.0, strokeWidth=2.5)],
        lines=[draw.line(300, 400, 600, 400, strokeWidth=4.0)],
    )
    found = values(truth, scaled)
    # Text: 10% wider; image: 25% higher; area as it was.
    assert found["size_error"] == pytest.approx((0.05 + 0.125 + 0) / 3)
    assert found["iou_error"] == pytest.approx(((1 - 1 / 1.1) + (1 - 1 / 1.25) + 0) / 3)
    assert found["aspect_error"] == pytest.approx(1 - 1.6 / 2)
    assert found["radius_error"] == pytest.approx(5 / 20)
    assert found["length_error"] == pytest.approx(0.25)
    assert found["font_size_error"] == pytest.approx(6.5)
    assert found["stroke_width_error"] == pytest.approx((0.5 + 3) / 2)


def test_lines_turned_by_known_angles_and_drawn_from_the_other_end(draw) -> None:
    truth = draw.slide(lines=[draw.line(100, 100, 200, 100), draw.line(400, 100, 500, 200)])
    turned = draw.slide(lines=[draw.line(200, 100, 100, 110), draw.line(500, 200, 400, 100)])
    # The first falls 10 in 100, 5.711 degrees off level; the second is as it was.
    found = values(truth, turned)
    assert found["angle_error"] == pytest.approx(5.710593137499643 / 90 / 2)
    assert found["length_error"] == pytest.approx((hypot(100, 10) / 100 - 1) / 2)


def test_recolored_by_known_amounts(draw) -> None:
    # CIEDE2000 of #FF0000 and #FF2000 by scikit-image; of black and white it is 100.
    truth = draw.slide(
        texts=[draw.text(0, 0, 200, 50, "one", color="#FF0000")],
        rects=[draw.rect(0, 100, 200, 50, fill="#000000", stroke="#FF0000")],
        lines=[draw.line(0, 300, 500, 300, stroke="#000000")],
    )
    recolored = draw.slide(
        background="#000000",
        texts=[draw.text(0, 0, 200, 50, "one", color="#FF2000")],
        rects=[draw.rect(0, 100, 200, 50, fill="#FFFFFF", stroke="#FF2000")],
        lines=[draw.line(0, 300, 500, 300, stroke="#000000")],
    )
    found = values(truth, recolored)
    near = 1.60066378
    assert found["text_color"] == pytest.approx(near, abs=1e-3)
    assert found["fill_color"] == pytest.approx(100)
    assert found["stroke_color"] == pytest.approx((near + 0) / 2, abs=1e-3)
    assert found["background_color"] == pytest.approx(100)
    # Red on white is 1.05 / 0.2626; the other red on black is (Y + 0.05) / 0.05.
    other = 0.2126 + 0.7152 * ((0x20 / 255 + 0.055) / 1.055) ** 2.4
    shift = (other + 0.05) / 0.05 - 1.05 / (0.2126 + 0.05)
    assert found["contrast_shift"] == pytest.approx(shift)


def test_misspelt_by_known_amounts(draw) -> None:
    truth = draw.slide(
        texts=[draw.text(0, 0, 200, 50, "abcdefgh"), draw.text(0, 100, 200, 50, "right")]
    )
    misspelt = draw.slide(
        texts=[draw.text(0, 0, 200, 50, "abcdefgX"), draw.text(0, 100, 200, 50, "Right!")]
    )
    found = values(truth, misspelt)
    # Seven of eight letters in a row, twice over sixteen, and one text right but for punctuation.
    assert found["text_error"] == pytest.approx((0.125 + 0) / 2)
    assert found["text_f1"] == pytest.approx(2 * (0.875 + 1) / 4)
    assert found["matching_f1"] == 1


def test_text_that_is_missed_or_made_up_lowers_the_text_f1(draw) -> None:
    truth = draw.slide(texts=[draw.text(0, 0, 200, 50, "kept"), draw.text(0, 300, 200, 50, "lost")])
    read = draw.slide(
        texts=[
            draw.text(0, 0, 200, 50, "kept"),
            draw.text(700, 100, 50, 50, "xyzw"),
            draw.text(700, 400, 50, 90, "uvq"),
        ]
    )
    found = values(truth, read)
    assert found["text_f1"] == pytest.approx(2 * 1 / (2 + 3))
    assert found["matching_precision"] == pytest.approx(1 / 3)
    assert found["matching_recall"] == pytest.approx(1 / 2)
    assert found["text_error"] == 0


def test_styles_one_by_one_and_any_at_all(draw) -> None:
    def texts(*styles):
        return [
            draw.text(0, 100 * i, 200, 50, f"text {i}", style=style)
            for i, style in enumerate(styles)
        ]

    truth = draw.slide(texts=texts(("bold",), ("italic",), (), ("bold", "underscore")))
    read = draw.slide(texts=texts(("bold",), (), ("italic",), ("underscore",)))
    found = values(truth, read)
    assert found["bold_mismatch"] == 1 / 4
    assert found["italic_mismatch"] == 2 / 4
    assert found["underline_mismatch"] == 0
    # Styled at all: true 0, 1, 3; read 0, 2, 3.
    assert found["any_style_f1"] == pytest.approx(2 * 2 / (3 + 3))


def test_fonts_by_family_and_group(draw) -> None:
    def texts(*names):
        return [
            draw.text(0, 80 * i, 200, 50, f"text {i}", name=name) for i, name in enumerate(names)
        ]

    truth = draw.slide(texts=texts("Arial", "Calibri", "Georgia", "Oswald", ""))
    read = draw.slide(texts=texts("Arial Black", "Arial", "Consolas", "oswald", "Arial"))
    found = values(truth, read)
    # An unnamed true typeface cannot be read wrong; one outside the mapping has no group.
    assert found["font_family_accuracy"] == pytest.approx(2 / 4)
    assert found["font_group_accuracy"] == pytest.approx(2 / 3)


def test_areas_without_fill_or_outline_are_left_to_coverage(draw) -> None:
    truth = draw.slide(
        rects=[draw.rect(0, 0, 100, 100, fill=None), draw.rect(200, 0, 100, 100, stroke=None)]
    )
    read = draw.slide(
        rects=[draw.rect(0, 0, 100, 100), draw.rect(200, 0, 100, 100, fill=None, stroke="#FF0000")]
    )
    pool = Pool()
    pool.add("a", score_slide(truth, read))
    rows = {(r.measure, r.where): r for r in estimates(pool) if r.scope == "end_to_end"}
    assert rows["extraction.stroke_color", "rects"].coverage == 1
    assert rows["extraction.stroke_color", "rects"].n == 1
    assert rows["extraction.fill_color", "all"].coverage == 0
    assert isinstance(rows["extraction.fill_color", "all"].value, NotScored)
    assert isinstance(rows["extraction.stroke_color", "lines"].coverage, NotScored)


def test_points_for_lines_have_no_angle(draw) -> None:
    point = draw.slide(lines=[draw.line(100, 100, 100, 100)])
    found = values(point, point)
    assert found["length_error"] == 0
    assert isinstance(found["angle_error"], NotScored)


def test_a_score_survives_json(draw) -> None:
    score = score_slide(draw.full(), draw.slide(texts=[draw.text(60, 40, 600, 60, "Quarterly")]))
    assert SlideScore.from_json(json.loads(json.dumps(score.as_json()))) == score


def test_complexity_counts_all_families(draw) -> None:
    assert complexity(draw.full()) == 10
    assert complexity(draw.slide()) == 0


def row(pool, measure, scope="end_to_end", where="all", **options):
    (found,) = (
        each
        for each in estimates(pool, **options)
        if (each.measure, each.scope, each.where) == (f"extraction.{measure}", scope, where)
    )
    return found


def shifted(draw, pixels: float, count: int = 1):
    return draw.slide(texts=[draw.text(pixels, 60 * i, 200, 40, f"text {i}") for i in range(count)])


def test_sums_over_slides_are_averaged_not_slides(draw) -> None:
    pool = Pool()
    pool.add("a", score_slide(shifted(draw, 0, 3), shifted(draw, 0, 3)))
    pool.add("a", score_slide(shifted(draw, 0, 1), draw.slide()))
    assert row(pool, "matching_f1").value == pytest.approx(2 * 3 / (3 + 4))
    assert row(pool, "matching_recall").value == pytest.approx(3 / 4)
    assert (row(pool, "matching_f1").n, row(pool, "matching_recall").n) == (7, 4)


def test_mean_spread_and_count_are_those_of_all_pairs(draw) -> None:
    pool, wanted = Pool(), []
    for pixels in (0, 5, 20, 40):
        pool.add("a", score_slide(shifted(draw, 0, 2), shifted(draw, pixels, 2)))
        wanted += [1 - (200 - pixels) / (200 + pixels)] * 2
    found = row(pool, "iou_error")
    assert found.value == pytest.approx(statistics.mean(wanted))
    assert found.std == pytest.approx(statistics.stdev(wanted))
    assert found.n == 8


def test_end_to_end_and_parsed_only_stand_side_by_side(draw) -> None:
    truth = shifted(draw, 0, 2)
    pool = Pool()
    for reply in (truth, truth, None):
        pool.add("a", score_slide(truth, reply))
    assert row(pool, "matching_f1").value == pytest.approx(2 * 4 / (4 + 6))
    assert row(pool, "matching_f1", "parsed_only").value == 1
    assert row(pool, "font_family_accuracy").value == pytest.approx(4 / 6)
    assert row(pool, "font_family_accuracy", "parsed_only").value == 1
    assert row(pool, "iou_error").value == row(pool, "iou_error", "parsed_only").value == 0
    assert row(pool, "iou_error").coverage == pytest.approx(4 / 6)
    assert row(pool, "iou_error", "parsed_only").coverage == 1
    assert (pool.slides, pool.parsed) == (3, 2)
    # Four right, two lost: the spread of those six ones and zeros.
    spread = row(pool, "font_family_accuracy").std
    assert spread == pytest.approx(statistics.stdev([1, 1, 1, 1, 0, 0]))


def test_families_stand_beside_their_sum(draw) -> None:
    truth = draw.slide(texts=[draw.text(0, 0, 200, 40, "a")], images=[draw.image(300, 0, 100, 100)])
    read = draw.slide(texts=[draw.text(0, 0, 200, 40, "a")])
    pool = Pool()
    pool.add("a", score_slide(truth, read))
    assert row(pool, "matching_f1", where="texts").value == 1
    assert row(pool, "matching_f1", where="images").value == 0
    assert row(pool, "matching_f1").value == pytest.approx(2 / 3)
    assert isinstance(row(pool, "matching_f1", where="tables").value, NotScored)


def test_intervals_are_those_of_resampled_decks_drawn_one_by_one(draw) -> None:
    rng = random.Random(1)
    pool, decks = Pool(), []
    for deck in range(12):
        counts = [0, 0]
        for _ in range(3):
            right, wrong = rng.randint(0, 4), rng.randint(0, 4)
            truth = shifted(draw, 0, right + wrong)
            pool.add(str(deck), score_slide(truth, shifted(draw, 0, right)))
            counts[0] += right
            counts[1] += 2 * right + wrong
        decks.append(counts)
    drawn = []
    for _ in range(4000):
        sample = rng.choices(decks, k=len(decks))
        drawn.append(2 * sum(c[0] for c in sample) / sum(c[1] for c in sample))
    low, high = row(pool, "matching_f1").interval
    assert low == pytest.approx(np.percentile(drawn, 2.5), abs=0.01)
    assert high == pytest.approx(np.percentile(drawn, 97.5), abs=0.01)


def test_intervals_are_the_same_every_time_and_with_one_deck_there_are_none(draw) -> None:
    pool = Pool()
    pool.add("a", score_slide(shifted(draw, 0), shifted(draw, 30)))
    alone = row(pool, "iou_error").interval
    assert isinstance(alone, NotScored) and "two decks" in alone.reason
    pool.add("b", score_slide(shifted(draw, 0), shifted(draw, 0)))
    assert row(pool, "iou_error").interval == row(pool, "iou_error").interval
    assert isinstance(row(pool, "iou_error", resamples=0).interval, NotScored)


def test_one_deck_with_all_the_tables_makes_no_interval(draw) -> None:
    pool = Pool()
    tabled = draw.slide(tables=[draw.table(0, 0, 100, 100, ("a",))])
    pool.add("a", score_slide(tabled, tabled))
    for deck in "bc":
        pool.add(deck, score_slide(shifted(draw, 0), shifted(draw, 0)))
    found = row(pool, "matching_f1", where="tables").interval
    assert isinstance(found, NotScored) and "too few decks" in found.reason


def test_an_empty_pool_has_reasons_only() -> None:
    assert all(isinstance(each.value, NotScored) for each in estimates(Pool()))


# A thousand slides in one run: time grows in line with slides, what is kept with decks only.
FEW, MANY = 250, 1000
DECKS = 25


@pytest.mark.long
def test_time_and_memory_of_a_thousand_slides_grow_in_line(draw) -> None:
    pairs = []
    for shift in range(DECKS):
        texts = [
            draw.text(60, 40, 600, 60, f"Results of {shift}"),
            draw.text(60, 200, 400, 90, "x"),
        ]
        moved = [item | {"x": item["x"] + shift} for item in texts]
        pairs.append((f"deck {shift}", draw.slide(texts=texts), draw.slide(texts=moved)))
    seconds, kept = {}, {}
    for size in (FEW, FEW, MANY):  # the first run warms up
        pool, began = Pool(), time.process_time()
        for deck, truth, reply in islice(cycle(pairs), size):
            pool.add(deck, score_slide(truth, reply))
        found = {row.measure: row for row in estimates(pool) if row.where == "all"}
        seconds[size] = time.process_time() - began
        kept[size] = len(pickle.dumps(pool))
        assert (pool.slides, found["extraction.matching_recall"].n) == (size, 2 * size)
    assert seconds[MANY] < 2 * seconds[FEW] * MANY / FEW
    assert kept[MANY] < 1.1 * kept[FEW]
