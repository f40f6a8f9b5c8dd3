"""A fix: what it changes in a deck, and which finding that removes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from decklab.deck.model.shapes import RunFont, Text
from decklab.diffing.changes import Change, Kind
from decklab.editing.mending import RunPlace
from decklab.editing.opening import Presentation

Way = Callable[[Presentation], object]
"""Changes an open presentation in memory; raises EditError where it cannot."""


@dataclass(frozen=True)
class Fix:
    """A change that should remove a finding, and nothing else."""

    rule: str
    slide: int
    """1-based; the first of several."""
    says: str
    """What it does, in one line."""
    kinds: frozenset[Kind]
    """The kinds of changes that it may make."""
    ways: tuple[Way, ...]
    """How it can be done, the best way first; the next one is tried where one does not do."""
    shape: int | None = None
    """Id of the only shape that it may change; None for any of its slides."""
    others: tuple[int, ...] = ()
    """Further slides that it changes."""
    removes: float = 1.0
    """By how much it lowers the amount of its rule on its slide, at least."""
    pale: int = 0
    """How many lines of text of its shape stand out enough after it, which did not before."""
    of_deck: bool = False
    """Whether its finding is one of the whole deck."""

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides that it changes."""
        return (self.slide, *self.others)

    def explains(self, change: Change) -> bool:
        """Whether a change between the decks is one that it may make."""
        if change.slide not in self.slides or change.kind not in self.kinds:
            return False
        return self.shape is None or (
            change.element is not None and change.element.id == self.shape
        )


def runs_of(text: Text) -> list[tuple[RunPlace, RunFont, str]]:
    """The runs of a text with their places, fonts and kinds."""
    return [
        (RunPlace(number, index, run.text), run.font, run.kind)
        for number, paragraph in enumerate(text.paragraphs)
        for index, run in enumerate(paragraph.runs)
    ]


def do_all(prs: Presentation, *, ways: Sequence[Way]) -> None:
    """Several changes, one after the other."""
    for way in ways:
        way(prs)
