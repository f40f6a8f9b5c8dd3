"""References: distributions of scores, and where a deck stands."""

import numpy as np
import pytest
from scipy.stats import percentileofscore

from decklab.core.errors import ResultsError
from decklab.core.results import DeckResult, Measurement
from decklab.scoring.reference import (
    load_reference,
    packaged_reference,
    reference_of,
    standing_word,
    write_reference,
)


def result(value, *, status="scored"):
    rows = [Measurement.of("quality.score", value), Measurement.of("quality.slide", 1.0, slide=1)]
    return DeckResult(deck=f"{value}.pptx", status=status, measurements=tuple(rows))


@pytest.fixture
def uneven():
    return np.random.default_rng(3).gamma(3, 10, 200).tolist()


def test_percentiles_agree_with_scipy(uneven):
    reference = reference_of([result(value) for value in uneven], "made here")
    for value in (1.0, 12.0, 25.0, 40.0, 70.0, 500.0):
        standing = reference.standing("quality.score", value)
        assert standing["percentile"] == pytest.approx(percentileofscore(uneven, value), abs=3)
        assert standing["decks"] == 200
    assert reference.standing("quality.slide", 1.0) is None


def test_rows_of_decks_are_placed_and_others_stay(uneven):
    reference = reference_of([result(value) for value in uneven], "made here")
    deck, slide = result(25.0).measurements
    placed = reference.placed([deck, slide])
    assert placed[0].evidence["standing"]["word"] == standing_word(
        placed[0].evidence["standing"]["percentile"]
    )
    assert placed[1] == slide


def test_few_decks_give_no_reference():
    with pytest.raises(ResultsError, match="4 scored decks; a reference needs 5"):
        reference_of([*(result(i) for i in range(4)), result(9, status="failed")], "made here")


def test_a_reference_is_written_and_read_again(tmp_path, uneven):
    made = reference_of([result(value) for value in uneven], "made here")
    write_reference(made, tmp_path / "r.json")
    assert load_reference(tmp_path / "r.json") == made
    (tmp_path / "bad.json").write_text('{"origin": "x", "decks": "many", "metrics": {}}')
    with pytest.raises(ResultsError, match=r"bad\.json: decks: "):
        load_reference(tmp_path / "bad.json")


def test_the_reference_that_is_shipped_names_its_decks():
    reference = packaged_reference()
    assert reference.decks >= 18 and "MIT" in reference.origin
    for name in ("aesthetics.total", "editability.level", "quality.score"):
        values = reference.metrics[name].values
        assert list(values) == sorted(values)
