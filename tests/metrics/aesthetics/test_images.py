import numpy as np
import pytest

from decklab.metrics.aesthetics.images import checked


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
    ids=["grey", "with alpha", "float", "empty"],
)
def test_anything_but_an_rgb_picture_is_refused(image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a slide image is uint8"):
        checked(image)


def test_a_view_with_gaps_becomes_contiguous() -> None:
    view = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)[::2, ::3]
    assert checked(view).flags.c_contiguous
    assert np.array_equal(checked(view), view)
