"""One small registry: register, look up, and "did you mean" for a name mistyped."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Generic, TypeVar

from decklab.core.errors import DuplicateName, UnknownName

T = TypeVar("T")

_LISTED = 12
"""Of a registry with more names an error lists none (ours)."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Words that offer the nearest of some names; empty if none is near.

    >>> nearest("scor", ["lint", "score"]), nearest("x", ["lint"])
    ("did you mean 'score'?", '')
    """
    near = get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""


def one_of(names: Sequence[str]) -> str:
    """Names as a choice.

    >>> one_of(["table"]), one_of(["table", "json", "csv"])
    ('table', 'table, json or csv')
    """
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


class Registry(Generic[T]):
    """Things of one kind by name, in the order they were registered.

    ``kind`` is the word for one of them in error texts.

    >>> colours: Registry[str] = Registry("colour")
    >>> colours.register("red", "#FF0000")
    '#FF0000'
    >>> colours["red"]
    '#FF0000'
    >>> colours["rde"]
    Traceback (most recent call last):
    decklab.core.errors.UnknownName: no colour named 'rde'; did you mean 'red'?
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._items: dict[str, T] = {}

    def register(self, name: str, item: T) -> T:
        """Add ``item`` as ``name`` and return it; raises DuplicateName if taken."""
        if name in self._items:
            raise DuplicateName(f"a {self.kind} named {name!r} is already registered")
        self._items[name] = item
        return item

    def __getitem__(self, name: str) -> T:
        """The item of that name; raises UnknownName with the nearest names."""
        try:
            return self._items[name]
        except KeyError:
            hint = nearest(name, self._items)
            if not hint and 0 < len(self._items) <= _LISTED:
                hint = f"choose {one_of(list(self._items))}"
            told = f"no {self.kind} named {name!r}"
            raise UnknownName(f"{told}; {hint}" if hint else told) from None

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
