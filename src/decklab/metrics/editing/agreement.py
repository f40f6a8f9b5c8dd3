"""Changes that were asked for against changes that were made."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from decklab.diffing.changes import Change
from decklab.metrics.editing.atoms import Atom, Edit, Place, atoms
from decklab.metrics.editing.likeness import alike
from decklab.results import NotScored


@dataclass(frozen=True)
class ChangeAgreement:
    """How far the changes made are those asked for."""

    matched: tuple[Change, ...]
    """Asked for, and made; as asked."""
    missing: tuple[Change, ...]
    """Asked for, and not made, or made otherwise."""
    unasked: tuple[Change, ...]
    """Made, and not asked for."""
    unseen: tuple[tuple[Change, str], ...] = ()
    """Asked for, and made so that nobody sees it: as asked, and why. It counts as not made."""

    @property
    def recall(self) -> float | NotScored:
        """Share of the asked changes that were made, 0 to 1, higher is better."""
        asked = self._asked
        return len(self.matched) / asked if asked else NotScored("the truth asks for no change")

    @property
    def precision(self) -> float | NotScored:
        """Share of the changes made that were asked for, 0 to 1, higher is better."""
        made = len(self.matched) + len(self.unasked)
        return len(self.matched) / made if made else NotScored("nothing was changed")

    @property
    def f1(self) -> float | NotScored:
        """Twice the changes in common over all asked and all made, 0 to 1, higher is better; it
        is 0 where nothing was changed, though precision has no value there."""
        if not self._asked:
            return NotScored("the truth asks for no change")
        return 2 * len(self.matched) / (self._asked + len(self.matched) + len(self.unasked))

    @property
    def _asked(self) -> int:
        return len(self.matched) + len(self.missing) + len(self.unseen)


def change_agreement(
    asked: Edit, made: Edit, *, why_unseen: Callable[[Change, Change], str] | None = None
) -> ChangeAgreement:
    """Match the changes of two edits of one deck: original to truth, original to prediction.

    Two changes are the same where they are of the same thing in the original (elements by name,
    else by id) and end in like values (``alike``); each is matched once, as many as can be.
    ``why_unseen`` is told of a change as asked and as made, and says why the latter is not seen
    though the former is, or nothing. Companion of IF, paper 003 section 3.3; the paper has no such
    number. ValueError where the two do not start from the same number of slides.

    >>> from decklab.diffing.changes import DeckDiff
    >>> same = Edit({"slides": []}, {"slides": []}, DeckDiff())
    >>> change_agreement(same, same).recall
    NotScored(reason='the truth asks for no change')
    """
    if len(asked.before["slides"]) != len(made.before["slides"]):
        raise ValueError("the two edits are not of one deck")
    wanted, done = _by_place(atoms(asked)), _by_place(atoms(made))
    matched: list[Change] = []
    missing: list[Change] = []
    unasked: list[Change] = []
    unseen: list[tuple[Change, str]] = []
    for place in dict.fromkeys((*wanted, *done)):
        left, right = wanted.get(place, []), done.get(place, [])
        pairs = _pairs(left, right)
        for i, j in pairs:
            why = why_unseen(left[i], right[j]) if why_unseen is not None else ""
            if why:
                unseen.append((left[i], why))
            else:
                matched.append(left[i])
        missing += [one for i, one in enumerate(left) if i not in {i for i, _ in pairs}]
        unasked += [one for j, one in enumerate(right) if j not in {j for _, j in pairs}]
    return ChangeAgreement(tuple(matched), tuple(missing), tuple(unasked), tuple(unseen))


def _by_place(found: Iterable[Atom]) -> dict[Place, list[Change]]:
    places: dict[Place, list[Change]] = defaultdict(list)
    for atom in found:
        places[atom.place].append(atom.change)
    return places


def _pairs(left: list[Change], right: list[Change]) -> list[tuple[int, int]]:
    """As many pairs as can be of changes that end in like values."""
    if not left or not right:
        return []
    same = np.array([[_same(a, b) for b in right] for a in left], dtype=float)
    rows, columns = linear_sum_assignment(same, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if same[i, j]]


def _same(one: Change, other: Change) -> bool:
    """Of what has no element to go by, what it was before says whether it is the same thing."""
    return (one.element is not None or one.old == other.old) and alike(
        one.new, other.new, kind=one.kind, key=one.property
    )
