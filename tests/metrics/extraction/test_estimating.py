import random
import statistics

import numpy as np
import pytest

from decklab.metrics.extraction.estimating import estimates
from decklab.metrics.extraction.measures import MEASURES
from decklab.metrics.extraction.pooling import Pool
from decklab.metrics.extraction.rows import extraction_rows
from decklab.metrics.extraction.slide import score_slide
from decklab.metrics.slideeval_catalogue import SLIDEEVAL_METRICS
from decklab.results import NotScored


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


def test_runs_are_merged_into_what_one_pool_would_hold(draw) -> None:
    truth = draw.full()
    replies = [truth, None, draw.slide(), draw.slide(texts=[draw.text(60, 40, 600, 60, "Q")])]
    whole, parts = Pool(), [Pool(), Pool()]
    for index, reply in enumerate(replies):
        whole.add(f"deck {index % 2}", score_slide(truth, reply))
        parts[index // 2].add(f"deck {index % 2}", score_slide(truth, reply))
    parts[0].merge(parts[1])
    assert estimates(parts[0]) == estimates(whole)
    assert (parts[0].slides, parts[0].parsed) == (4, 3)
    assert whole.only("deck 1").slides == 2


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


def test_rows_carry_scope_spread_and_interval(draw) -> None:
    pool = Pool()
    for deck in "ab":
        pool.add(deck, score_slide(draw.full(), draw.full()))
    rows = extraction_rows(estimates(pool))
    assert {r.metric for r in rows} == {
        info.name for info in SLIDEEVAL_METRICS if info.name.startswith("extraction.")
    }
    found = next(r for r in rows if r.metric == "extraction.font_size_error")
    assert (found.value, found.unit, found.direction) == (0.0, "pt", "lower")
    assert found.evidence["interval"] == [0.0, 0.0]
    assert (found.evidence["n"], found.evidence["std"], found.evidence["coverage"]) == (8, 0.0, 1.0)
    first = next(r for r in rows if r.metric == "extraction.matching_f1")
    assert first.evidence["std"] is None and first.evidence["why_no_std"]
    assert len({(r.metric, r.evidence["where"], r.evidence["scope"]) for r in rows}) == len(rows)
    assert len(MEASURES) == len({r.metric for r in rows})
