"""Words of one meaning, what is denied, and who does what to whom."""

import pytest

from decklab.evals.judges.meaning import clauses, concepts_of, proper_names


@pytest.mark.parametrize(
    ("one", "other", "denied"),
    [
        ("The shop is closed", "The shop is not open", False),
        ("The shop is closed", "The shop is open", True),
        ("Prices rose", "Prices did not fall", False),
        ("Prices rose", "Prices fell", True),
        ("Otters beat beavers", "Beavers were beaten by otters", False),
        ("Otters beat beavers", "Otters were beat by beavers", True),
        ("Rye is cheaper than oats", "Oats cost more than rye", False),
        ("Rye is cheaper than oats", "Rye costs more than oats", True),
        ("No child was ill", "Some children were ill", True),
    ],
)
def test_a_clause_denies_what_says_the_opposite(one: str, other: str, denied: bool) -> None:
    (first,), (second,) = clauses(one), clauses(other)
    assert first.denies(second) is denied
    assert second.denies(first) is denied


def test_texts_without_words_have_no_concepts() -> None:
    assert clauses("") == clauses("12, 13 – 14") == ()
    assert concepts_of("the 14 of it") == frozenset()


def test_names_are_not_looked_for_in_titles_and_german() -> None:
    assert proper_names("The Harbour Board Meets Again") == frozenset()
    assert proper_names("Der Hafen der Stadt Kiel hat neue Kräne bekommen, sagt der Senat") <= {
        "hafen", "stadt", "kiel", "kräne", "senat",
    }  # fmt: skip
    assert proper_names("the choir sang in Porto on Monday") == {"porto"}
