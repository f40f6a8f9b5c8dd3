import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.editing.judging import judge_agreement


def test_by_hand() -> None:
    found = judge_agreement([5, 4, 2, 0, 3], [5, 3, 4, 0, NotScored("no reply")])
    assert (found.pairs, found.not_scored) == (4, 1)
    assert found.exact == 2 / 4
    assert found.near == 3 / 4
    assert found.difference == (0 - 1 + 2 + 0) / 4
    # five of the six pairs are in the same order, (4, 3) and (2, 4) are not
    assert found.tau_b == pytest.approx(4 / 6)


def test_without_common_scores_there_is_no_agreement() -> None:
    found = judge_agreement([NotScored("x")], [3.0])
    assert isinstance(found.exact, NotScored)
    assert isinstance(found.tau_b, NotScored)


def test_rows_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        judge_agreement([1.0, 2.0], [1.0])
