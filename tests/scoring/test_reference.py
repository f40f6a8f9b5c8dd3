"""References: distributions of scores, and where a deck stands."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import percentileofscore

from decklab.core.errors import ResultsError
from decklab.core.results import DeckResult, Measurement
from decklab.scoring.against import (
    load_reference,
    packaged_reference,
    reference_of,
    reference_of_run,
    standing_word,
    write_reference,
)
from decklab.scoring.journal import Journal, JournalEntry


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


def test_runs_that_are_nowhere_or_empty_give_no_reference(tmp_path):
    with pytest.raises(ResultsError, match="there is no such folder"):
        reference_of_run(tmp_path / "gone", "made here")
    with pytest.raises(ResultsError, match="0 scored decks; a reference needs 5"):
        reference_of_run(tmp_path, "made here")


def test_decks_that_a_run_scored_are_the_reference(tmp_path):
    journal = Journal(tmp_path)
    values = [10.0, 20.0, 30.0, 40.0, 50.0]
    for value in values:
        entry = JournalEntry(result(value), page=None, cover=None)
        journal.write(Path(f"{value}.pptx"), "key", entry)
    made = reference_of_run(tmp_path, "made here")
    assert (made.origin, made.decks, list(made.metrics)) == ("made here", 5, ["quality.score"])
    found = made.metrics["quality.score"]
    assert found.decks == 5
    assert found.values == pytest.approx(np.percentile(values, np.linspace(0, 100, 21)).tolist())


def test_a_reference_has_numbers_only(tmp_path, uneven):
    made = reference_of([result(value) for value in uneven], "made here")
    text = made.model_dump_json().replace(str(made.metrics["quality.score"].values[3]), "NaN")
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ResultsError, match=r"bad\.json: metrics\.quality\.score\.values\.3: "):
        load_reference(tmp_path / "bad.json")
