"""The count of labels against labels by hand, and the word lists on sentences of other people."""

import csv

import pytest
from bench.deck_labels import COLUMNS, HALVES, LABELS, counts

from decklab.workbench.corpus.annotations import DeckContent, labels_by_words


def test_labels_by_hand_are_whole_and_in_two_halves() -> None:
    with LABELS.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len({row["deck"] for row in rows}) == len(rows) == 53
    assert {row["half"] for row in rows} == set(HALVES)
    assert all(row[column] for row in rows for column in COLUMNS)


def test_a_label_where_none_fits_is_wrong_and_none_is_not() -> None:
    found = counts([("science", "science"), ("science", "health"), ("other", ""), ("none", "law")])
    assert (found.fitting, found.right, found.wrong) == (2, 1, 2)
    assert str(counts([("other", "")])) == "-"


@pytest.mark.parametrize(
    ("title", "text", "purpose"),
    [
        ("Learning objectives", "Prerequisites. You will learn definitions of terms.", "teach"),
        ("Objectives", "Milestones and deliverables of phase 2; next steps.", "plan"),
    ],
)
def test_objectives_of_learning_are_no_plan(title: str, text: str, purpose: str) -> None:
    found = labels_by_words(DeckContent("a", None, "en", [title], [text], 0)).purpose
    assert getattr(found, "label", str(found)) == purpose
