"""The picture of matches."""

import io

import numpy as np
from PIL import Image
from tests.evals.slideeval.conftest import RECT, picture, plain, text

from decklab.evals.vision.elements import overlay
from decklab.metrics.element_matching import match_slide

GREEN, BLUE, RED, ORANGE = (26, 143, 60), (31, 95, 214), (209, 31, 31), (232, 139, 0)


def colours(data, box):
    """Whether each of the four colours is near the edge of a box."""
    image = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), int)
    assert image.shape == (540, 960, 3)
    x, y, w, h = (int(edge) for edge in box)
    part = image[y - 3 : y + h + 3, x - 3 : x + w + 3].reshape(-1, 3)
    return [
        bool((np.abs(part - colour).sum(axis=1) < 90).any())
        for colour in (GREEN, BLUE, RED, ORANGE)
    ]


def drawn(truth, prediction):
    matchings = {} if prediction is None else match_slide(truth, prediction)
    return overlay(picture(), truth, prediction, matchings)


def test_found_missed_and_made_up_have_their_colours():
    near = RECT | {"x": 120.0}
    away = RECT | {"x": 700.0, "y": 400.0, "w": 40.0}
    missed = {"x": 500.0, "y": 20.0, "w": 100.0, "h": 80.0}
    data = drawn(plain(rects=[RECT], images=[missed]), plain(rects=[near, away]))
    assert colours(data, (100, 100, 220, 100)) == [True, True, False, False]
    assert colours(data, (500, 20, 100, 80)) == [False, False, True, False]
    assert colours(data, (700, 400, 40, 100)) == [False, False, False, True]


def test_without_a_reply_all_is_missed():
    data = drawn(plain(rects=[RECT]), None)
    assert colours(data, (100, 100, 200, 100)) == [False, False, True, False]


def test_boxes_beyond_the_slide_do_no_harm():
    wild = plain(rects=[RECT | {"x": -1e9, "w": 1e12}], texts=[text("x", x=1e15)])
    assert len(drawn(plain(), wild)) > 0
