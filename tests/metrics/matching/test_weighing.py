import pytest

from decklab.metrics.matching.assignment import match_slide
from decklab.metrics.matching.constants import WEIGHTS
from decklab.metrics.matching.weighing import headline_by_weights
from decklab.results import NotScored


def f1(pairs, **changed) -> float:
    hits = elements = 0
    for truth, prediction in pairs:
        for matching in match_slide(truth, prediction, **changed).values():
            hits += len(matching.matches)
            elements += 2 * len(matching.matches) + len(matching.missed) + len(matching.extra)
    return 2 * hits / elements


def blurred(draw):
    truth = draw.full()
    read = draw.slide(
        texts=[draw.text(90 + 60 * i, 60 + 80 * i, 300, 60, "Qarterly costs") for i in range(4)],
        rects=[draw.rect(560, 180, 200, 100)],
        lines=[draw.line(60, 118, 800, 118)],
        images=[draw.image(560, 300, 240, 180)],
        tables=[draw.table(340, 340, 180, 120, ("Year", "Total"))],
    )
    return [(truth, read), (truth, truth)]


def test_each_row_is_the_f1_with_that_number_changed(draw) -> None:
    pairs = blurred(draw)
    rows = {(row.changed, row.factor): row for row in headline_by_weights(pairs)}
    assert len(rows) == 11
    assert rows["", 1.0].f1 == pytest.approx(f1(pairs))
    halved = WEIGHTS._replace(content=WEIGHTS.content / 2)
    assert rows["content", 0.5].f1 == pytest.approx(f1(pairs, weights=halved))
    assert rows["tau", 2.0].f1 == pytest.approx(f1(pairs, tau=1.0))
    for row in rows.values():
        assert row.shift == pytest.approx(row.f1 - rows["", 1.0].f1)
    assert any(row.shift for row in rows.values())


def test_nothing_moves_a_perfect_reading_but_lost_replies_count(draw) -> None:
    truth = draw.full()
    assert {row.f1 for row in headline_by_weights([(truth, truth)])} == {1.0}
    rows = headline_by_weights([(truth, truth), (truth, None)])
    assert {row.f1 for row in rows} == {2 / 3}


def test_blank_slides_have_no_headline(draw) -> None:
    (first, *_) = headline_by_weights([(draw.slide(), draw.slide())])
    assert isinstance(first.f1, NotScored) and isinstance(first.shift, NotScored)
