"""A ladder sheet shows one slide at each severity."""

import numpy as np
import pytest
from PIL import Image

from decklab.deck.deck import write_samples
from decklab.evals.perturb.deck import write_ladder_sheet


@pytest.mark.office
def test_a_ladder_goes_from_clean_to_damaged(tmp_path):
    deck = write_samples(tmp_path / "decks")[0]
    sheet = tmp_path / "sheets" / "ladder.png"
    assert write_ladder_sheet(deck, sheet, "geometry", [0, 0.1, 1], slide=2, seed=3) == ()
    with Image.open(sheet) as image:
        pixels = np.asarray(image.convert("L"), float)
    steps = [pixels[50:320, 16 + at * 496 : 496 + at * 496] for at in range(3)]
    assert all(step.std() > 5 for step in steps)
    assert np.abs(steps[0] - steps[2]).mean() > 1
