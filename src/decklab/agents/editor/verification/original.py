"""The deck before the edit, read once however often an edited version is held against it."""

from collections import Counter
from functools import cached_property
from pathlib import Path

from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.ooxml.package import Package
from decklab.ooxml.validity.inspection import Problem
from decklab.ooxml.validity.validating import validate


class Original:
    """A deck file that stays as it is; what is read of it is kept.

    Properties raise DeckError, of a kind, where the file cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with it as it is."""
        with Package.open(self.path) as package:
            return tuple(validate(package))

    @cached_property
    def elements(self) -> DeckElements:
        """Everything on and behind its slides."""
        with Package.open(self.path) as package:
            return read_elements(package)


def new_problems(
    before: tuple[Problem, ...], after: tuple[Problem, ...], *, copies: bool = False
) -> tuple[Problem, ...]:
    """The errors of a deck that another one does not have.

    An error is known by its rule and what it says: parts change their names when a slide comes or
    goes, and are left aside. With ``copies`` an error may come more often than it was: a copy of a
    slide has the errors of the slide.
    """
    known = Counter((one.rule, _without(one)) for one in before if one.severity == "error")
    found = []
    for one in after:
        if one.severity != "error":
            continue
        if known[one.rule, _without(one)]:
            known[one.rule, _without(one)] -= not copies
        else:
            found.append(one)
    return tuple(found)


def _without(problem: Problem) -> str:
    """What a problem says, without the numbers that names of parts and ids are made of."""
    return "".join(char for char in problem.detail if not char.isdigit())
