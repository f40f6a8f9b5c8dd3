"""Changes that a truth shows and an attempt hides, asked change by change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.diffing.changes import Change
from decklab.evals.pptarena.reference_scores import ChangeVisibility
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.rendering.renderer import Renderer

pytestmark = pytest.mark.office

THEME = Change(
    slide=None, element=None, kind="theme", property="color.accent1", old="#000000", new="#FF0000"
)
"""A change of the whole deck, seen wherever any slide is seen."""


@pytest.fixture
def why(tmp_path: Path) -> Callable[..., str]:
    """Why the theme is not seen in an attempt: which slides of truth and attempt are hidden."""

    def asked(truth: tuple[int, ...], attempt: tuple[int, ...]) -> str:
        paths = []
        for name, hidden in (("truth", truth), ("attempt", attempt)):
            deck = Presentation()
            for number in (1, 2):
                slide = deck.slides.add_slide(deck.slide_layouts[5])
                slide.shapes.title.text = f"Topic {number}"
                if number in hidden:
                    slide.element.set("show", "0")
            paths.append(tmp_path / f"{name}.pptx")
            deck.save(str(paths[-1]))
        with ComparedDecks(*paths, renderer=Renderer()) as pair:
            return ChangeVisibility(pair).why_unseen(THEME, THEME)

    return asked


def test_a_deck_of_which_every_slide_is_hidden_shows_nothing(why: Callable[..., Any]) -> None:
    assert "hidden" in why((), (1, 2))


def test_one_slide_that_is_seen_is_enough(why: Callable[..., Any]) -> None:
    assert why((), (2,)) == ""
    assert why((1,), (1,)) == ""


def test_what_the_truth_hides_everywhere_may_be_hidden(why: Callable[..., Any]) -> None:
    assert why((1, 2), (1, 2)) == ""
