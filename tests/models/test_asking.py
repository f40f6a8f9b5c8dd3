"""Prompts that are read from files."""

import pytest

from decklab.models.asking import fill_prompt


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="deck"):
        fill_prompt("decklab.evals.rubrics", "prompts/proposals.txt", count="1", slides="2")


def test_values_are_put_in_as_they_are() -> None:
    given = {"count": "1", "slides": "2", "deck": "costs $5, {braces}"}
    filled = fill_prompt("decklab.evals.rubrics", "prompts/proposals.txt", **given)
    assert filled.endswith("The deck:\ncosts $5, {braces}\n")
