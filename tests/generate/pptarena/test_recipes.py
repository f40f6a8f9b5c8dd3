"""The cases as they are said in code."""

from collections import Counter

from generate.pptarena.packing import RECIPES

from decklab.evals.pptarena.cases import CATEGORIES, EDIT_TYPES, slug
from decklab.evals.pptarena.running import ATTEMPTS


def test_there_are_two_cases_for_each_of_the_sixteen_edit_types() -> None:
    assert len(EDIT_TYPES) == 16
    assert set(EDIT_TYPES.values()) == set(CATEGORIES)
    assert Counter(recipe.edit_type for recipe in RECIPES) == dict.fromkeys(EDIT_TYPES, 2)


def test_names_differ_also_as_files() -> None:
    assert len({slug(recipe.name) for recipe in RECIPES}) == len(RECIPES) == 32


def test_every_flawed_attempt_does_something() -> None:
    assert all(recipe.attempt(kind) for recipe in RECIPES for kind in ATTEMPTS)
