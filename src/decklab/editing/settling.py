"""Changes tried together on a copy of a deck; those that do not hold are undone, one by one.

Whoever has changes to make says how they are made and what speaks against the result; here the
changes at fault are tried another way or left out, until nothing speaks against the others.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from decklab.core.errors import DecklabError

Item = TypeVar("Item", bound=Hashable)


class CannotMake(DecklabError):
    """A change that cannot be made; ``item`` says which, the text why."""

    def __init__(self, item: Hashable, reason: str) -> None:
        super().__init__(reason)
        self.item = item


@dataclass(frozen=True)
class Settled(Generic[Item]):
    """The changes that hold, and those that were undone."""

    kept: Mapping[Item, int]
    """By change, the number of the way in which it was made, from 0."""
    undone: Mapping[Item, str]
    """By change, the reason."""


def settle(
    ways: Mapping[Item, int],
    trial: Callable[[Mapping[Item, int]], Mapping[Item, str]],
    *,
    rounds: int,
) -> Settled[Item]:
    """Try changes until all that are left hold.

    ``ways`` says by change in how many ways it can be made, the best first. ``trial`` makes the
    changes that are left, each in the way whose number it is given, and gives those that do not
    hold with the reasons; it raises CannotMake for one that cannot be made, which costs no round.
    After ``rounds`` rounds nothing is kept; in the last but one no other way is tried any more.
    """
    way, reasons, number = dict.fromkeys(ways, 0), dict[Item, str](), 0
    while way and number < rounds:
        try:
            failed = trial(way)
            number += 1
        except CannotMake as error:
            failed = {one: str(error) for one in way if one == error.item}
        if not failed:
            break
        for item, reason in failed.items():
            reasons[item] = reason
            if number < rounds - 1 and way[item] + 1 < ways[item]:
                way[item] += 1
            else:
                del way[item]
    else:
        way = {}
    undone = {item: reason for item, reason in reasons.items() if item not in way}
    return Settled(way, undone)


def blamed(items: Iterable[Item], suspicions: Iterable[Callable[[Item], bool]]) -> list[Item]:
    """The changes at fault: those that the first suspicion with any is about; all if none is."""
    known = list(items)
    return next(filter(None, ([one for one in known if is_at(one)] for is_at in suspicions)), known)
