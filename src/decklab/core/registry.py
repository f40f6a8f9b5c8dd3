"""One small registry: register, look up, and "did you mean" for a name mistyped."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Generic, TypeVar

from decklab.core.errors import DuplicateName, UnknownName

T = TypeVar("T")


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
        """Add ``item`` as ``name`` and return it; raises DuplicateName where taken."""
        if name in self._items:
            raise DuplicateName(f"a {self.kind} named {name!r} is already registered")
        self._items[name] = item
        return item

    def __getitem__(self, name: str) -> T:
        """The item of that name; raises UnknownName with the nearest names."""
        try:
            return self._items[name]
        except KeyError:
            close = get_close_matches(name, self._items, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownName(f"no {self.kind} named {name!r}{hint}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
