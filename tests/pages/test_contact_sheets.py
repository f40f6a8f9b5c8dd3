"""Contact sheets show every picture, in order, under its label."""

import numpy as np
import pytest

from decklab.pages.pictures import contact_sheet


def flat(level, size=(90, 160)):
    return np.full((*size, 3), level, np.uint8)


def test_pictures_stand_in_rows_under_their_labels():
    sheet = contact_sheet([(f"step {n}", flat(40 * n)) for n in range(5)], width=160)
    assert sheet.shape[1] == 16 + 3 * (160 + 16)  # five make rows of three and two
    middles = [sheet[16 + 34 + 45, 16 + 80 + place * 176, 0] for place in range(3)]
    assert middles == [0, 40, 80]
    label = sheet[16 : 16 + 34, 16:176]
    assert label.min() < 60
    assert label.max() > 230


def test_pictures_of_other_shapes_keep_theirs():
    sheet = contact_sheet([("tall", flat(0, (200, 100))), ("wide", flat(90, (50, 100)))], width=100)
    assert sheet.shape == (16 + 200 + 34 + 16, 2 * 116 + 16, 3)


def test_no_pictures_make_no_sheet():
    with pytest.raises(ValueError, match="at least one"):
        contact_sheet([])
