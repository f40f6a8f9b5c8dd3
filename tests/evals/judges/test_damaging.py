"""A picture in pieces: nothing is added, and anybody sees it."""

import numpy as np

from decklab.evals.judges.asking import scrambled


def slide() -> np.ndarray:
    """Dark lines of text on white."""
    picture = np.full((120, 240, 3), 255, np.uint8)
    for line in range(10, 60, 12):
        picture[line : line + 4, 10:150] = 30
    return picture


def test_the_pieces_are_those_of_the_picture_in_other_places() -> None:
    picture = slide()
    copy = scrambled(picture)
    assert copy is not None and copy.shape == picture.shape
    assert np.array_equal(np.sort(copy, axis=None), np.sort(picture, axis=None))
    assert (copy != picture).any(axis=2).mean() > 0.05
    again = scrambled(slide())
    assert again is not None and np.array_equal(copy, again)


def test_where_nobody_would_see_it_there_is_no_copy() -> None:
    assert scrambled(np.full((120, 240, 3), 200, np.uint8)) is None
    assert scrambled(np.zeros((2, 3, 3), np.uint8)) is None
    dot = np.full((120, 240, 3), 255, np.uint8)
    dot[60, 60] = 0
    assert scrambled(dot) is None
