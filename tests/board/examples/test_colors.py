"""Colours on the grounds of an example deck; contrasts by WCAG's formula, worked out by hand."""

import pytest

from decklab.board.examples.colors import marks_on, readable


def test_the_first_wanted_colour_that_can_be_read_is_taken() -> None:
    # on white: yellow 1.07, red 4.00, navy 16.0; the least is 4.5
    assert readable("#FFFFFF", ("#FFFF00", "#FF0000", "#000080", "#000000")) == "#000080"
    assert readable("#FFFFFF", ("#FFFF00",)) == "#262626"
    assert readable("#000000", ("#000080",)) == "#FFFFFF"


@pytest.mark.parametrize(
    ("ground", "best"),
    [
        ("#777777", "#FFFFFF"),  # white 4.48, #262626 3.38
        ("#8A8A8A", "#262626"),  # white 3.45, #262626 4.38
        ("#808080", "#FFFFFF"),  # white 3.95, #262626 3.83
    ],
)
def test_on_a_middle_grey_the_colour_with_most_contrast_is_taken(ground: str, best: str) -> None:
    assert readable(ground, ()) == best
    assert readable(ground, (ground, "#999999")) == best


def test_marks_of_charts_need_less_contrast_than_text() -> None:
    # on white: #FFCC00 1.51, #FF8000 2.51; red at 4.00 would do for a mark as well
    accent, greys = marks_on("#FFFFFF", ("#FFCC00", "#FF8000", "#FF0000"))
    assert (accent, greys[0]) == ("#FF8000", "#7F7F7F")
    accent, greys = marks_on("#000000", ("#000080",))  # navy on black: 1.3
    assert (accent, greys[0]) == ("#FFFFFF", "#D9D9D9")
