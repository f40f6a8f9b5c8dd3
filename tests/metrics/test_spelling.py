"""Odd spelling."""

from decklab.metrics.spelling import odd_share


def test_misspelt_words_look_odd():
    clean = "the name of the file is in the last line of the list"
    assert (
        odd_share(clean) < 0.1 < odd_share("tje nqme og thw fiel iz im tge lasr kine pf thr lidt")
    )
    assert odd_share("12 a b") is None
