from math import dist
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.geometry import Box
from decklab.reports.charts import Frame
from decklab.reports.leaderboard import LeaderboardRow
from decklab.reports.matrix import MATRIX_NARROW, MATRIX_WIDE, matrix

FRAMES = pytest.mark.parametrize("frame", [MATRIX_WIDE, MATRIX_NARROW])
DECKS = st.lists(st.tuples(st.floats(-30, 45), st.integers(0, 5)), min_size=2, max_size=60)


def rows(decks: list[tuple[float, int]]) -> list[LeaderboardRow]:
    return [
        LeaderboardRow(
            deck=f"a deck with a name {i}.pptx",
            status="scored",
            values={"aesthetics.total": total, "editability.level": float(level)},
        )
        for i, (total, level) in enumerate(decks)
    ]


@FRAMES
@given(decks=DECKS)
def test_a_dot_is_right_of_the_boundary_from_level_3_on_and_above_it_from_the_median_on(
    frame: Frame, decks: list[tuple[float, int]]
) -> None:
    shown = matrix(rows(decks), frame)
    assert shown is not None
    assert len(shown.dots) == len(decks)
    middle = median(total for total, _ in decks)
    assert shown.median == pytest.approx(middle)
    for dot in shown.dots:
        assert dot.row.level is not None
        assert dot.row.total is not None
        assert (dot.x > shown.boundary_x) == (dot.row.level >= 3)
        if abs(dot.row.total - middle) > 1e-6:
            assert (dot.y < shown.boundary_y) == (dot.row.total > middle)
        assert frame.left <= dot.x <= frame.right
        # Above and below lie the names of the quadrants, two lines each.
        assert frame.top + 40 < dot.y < frame.bottom - 40


@FRAMES
@given(decks=DECKS)
def test_labels_cover_no_dot_and_no_other_label(
    frame: Frame, decks: list[tuple[float, int]]
) -> None:
    shown = matrix(rows(decks), frame)
    assert shown is not None
    boxes: list[Box] = []
    for dot in shown.dots:
        if not dot.label:
            continue
        width = 6.5 * len(dot.label)
        left = dot.label_x - {"start": 0, "middle": width / 2, "end": width}[dot.anchor]
        boxes.append(Box(left, dot.label_y - 9, left + width, dot.label_y + 2))
    for i, box in enumerate(boxes):
        assert not any(box.intersection(other).area for other in boxes[:i])
        assert not any(box.left < dot.x < box.right and box.top < dot.y < box.bottom
                       for dot in shown.dots)  # fmt: skip


def test_few_decks_with_one_score_lie_side_by_side() -> None:
    shown = matrix(rows([(20.0, 2)] * 7), MATRIX_WIDE)
    assert shown is not None
    spots = [(dot.x, dot.y) for dot in shown.dots]
    apart = min(dist(a, b) for i, a in enumerate(spots) for b in spots[:i])
    assert apart >= 2 * shown.radius - 1e-9


def test_five_hundred_decks_are_all_drawn() -> None:
    shown = matrix(rows([(15 + i % 97 / 10, i % 6) for i in range(500)]), MATRIX_WIDE)
    assert shown is not None
    assert len(shown.dots) == 500
    assert 0 < shown.unlabelled < 500


def test_one_deck_or_decks_without_scores_make_no_matrix() -> None:
    unscored = LeaderboardRow(deck="x", status="scored", values={"aesthetics.total": 3.0})
    assert matrix(rows([(20.0, 2)]), MATRIX_WIDE) is None
    assert matrix([*rows([(20.0, 2)]), unscored], MATRIX_WIDE) is None
