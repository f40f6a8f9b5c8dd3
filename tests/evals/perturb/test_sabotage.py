"""Edits made worthless on purpose."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.deck.samples import write_samples
from decklab.evals.perturb.sabotage import SABOTAGES, EditedDeck, sabotage, slides_before


def test_there_are_ways_to_hide_work_and_ways_to_harm_the_rest() -> None:
    kinds = list(SABOTAGES.values())
    assert kinds.count("unseen") >= 12 and kinds.count("harmful") >= 8


@pytest.fixture
def edited(tmp_path: Path) -> Any:
    """The plain sample with another title on its first slide, and what that edit is about."""
    deck = Presentation(str(write_samples(tmp_path)[0]))
    before = slides_before(deck)
    deck.slides[0].shapes.title.text_frame.text = "Something else"
    name = deck.slides[0].shapes.title.name
    return EditedDeck(deck, before, [{"slide": 1, "shapes": [name]}])


def test_hidden_work_stays_in_the_file(edited: EditedDeck) -> None:
    assert sabotage("off_the_slide", edited)
    title = edited.deck.slides[0].shapes.title
    assert title.text_frame.text == "Something else"
    assert title.left > edited.deck.slide_width


def test_harm_leaves_the_work_as_it_is(edited: EditedDeck) -> None:
    assert sabotage("other_slide_emptied", edited)
    assert edited.deck.slides[0].shapes.title.text_frame.text == "Something else"
    texts = [one.text_frame.text for one in edited.others[0].shapes if one.has_text_frame]
    assert texts and not any(texts)


def test_what_does_not_fit_is_said(edited: EditedDeck) -> None:
    assert not sabotage("unpainted_series", edited)
    with pytest.raises(KeyError):
        sabotage("no such", edited)
