"""A thousand slides in one run: time and memory grow in line with slides, or less."""

import time
import tracemalloc

from decklab.metrics.extraction import Pool, estimates, score_slide

SIZES = (250, 1000)


def scored(draw, slides: int) -> Pool:
    """So many different slides of 25 decks, each read with its elements some pixels off."""
    pool = Pool()
    for number in range(slides):
        texts = [
            draw.text(60, 40, 600, 60, f"Results of {number}"),
            draw.text(60, 200, 400, 90, "x"),
        ]
        moved = [item | {"x": item["x"] + number % 20} for item in texts]
        truth, reply = draw.slide(texts=texts), draw.slide(texts=moved)
        pool.add(f"deck {number % 25}", score_slide(truth, reply))
    return pool


def test_time_and_memory_of_a_thousand_slides_grow_in_line(draw) -> None:
    scored(draw, 10)
    seconds, kept = [], []
    for size in SIZES:
        began = time.process_time()
        pool = scored(draw, size)
        found = {row.measure: row for row in estimates(pool) if row.where == "all"}
        seconds.append(time.process_time() - began)
        assert found["extraction.matching_recall"].n == 2 * size
    for size in SIZES:
        tracemalloc.start()
        pool = scored(draw, size)
        kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    few, many = SIZES
    assert seconds[1] < 2 * seconds[0] * many / few
    assert kept[1] < 1.5 * kept[0]  # a pool keeps sums by deck, not slides
    assert pool.slides == many
