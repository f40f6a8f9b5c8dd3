"""A thousand slides in one run: time grows in line with slides, what is kept with decks only."""

import pickle
import time
from itertools import cycle, islice

from decklab.metrics.extraction.estimating import estimates
from decklab.metrics.extraction.pooling import Pool
from decklab.metrics.extraction.slide import score_slide

FEW, MANY = 250, 1000
DECKS = 25


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
