"""One small registry: register, look up, and "did you mean" for a name mistyped.

Other packages add to a registry by entry points: the group ``decklab.lint_rules``, say, of their
``pyproject.toml``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from decklab.core.errors import DuplicateName, ExtensionError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

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


@cache
def installed(group: str) -> "EntryPoints":
    """The entry points of a group, of all packages that are installed."""
    metadata = import_module("importlib.metadata")  # takes longer than a short command can spare
    points: EntryPoints = metadata.entry_points(group=group)
    return points


def loaded(entry: "EntryPoint", accepts: type[Any] | None = None) -> Any:
    """The object that an entry point names.

    Raises ExtensionError, naming the package, if it cannot be imported or is no ``accepts``.
    """
    owner = "a package" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
    label = f"{owner}: {entry.group} {entry.name!r}"
    try:
        item = outside(entry.load)
    except ExtensionError as error:
        raise ExtensionError(f"{label} cannot be loaded: {error}") from error
    if accepts is not None and not isinstance(item, accepts):
        raise ExtensionError(f"{label} is no {accepts.__name__}: {entry.value}")
    return item


def outside(call: Callable[..., T], *arguments: Any) -> T:
    """Call code of another package; whatever it raises becomes an ExtensionError."""
    try:
        return call(*arguments)
    except Exception as error:
        raise ExtensionError(str(error) or type(error).__name__) from error


class Registry(Generic[T]):
    """Things of one kind by name, in the order they were registered.

    ``kind`` is the word for one of them in error texts. With a ``group``, what other packages name
    in that group of entry points belongs to it too, each of the type ``accepts``; it is imported
    when the registry is first used.

    >>> colours: Registry[str] = Registry("colour")
    >>> colours.register("red", "#FF0000")
    '#FF0000'
    >>> colours["red"]
    '#FF0000'
    >>> colours["rde"]
    Traceback (most recent call last):
    decklab.core.errors.UnknownName: no colour named 'rde'; did you mean 'red'?
    """

    def __init__(self, kind: str, *, group: str = "", accepts: type[T] | None = None) -> None:
        self.kind = kind
        self._items: dict[str, T] = {}
        self._group, self._accepts = group, accepts

    @property
    def _all(self) -> dict[str, T]:
        """All items, those of other packages as well; raises ExtensionError for one that fails."""
        group, self._group = self._group, ""  # a package that is imported may use the registry
        if group:
            try:
                added = {entry.name: loaded(entry, self._accepts) for entry in installed(group)}
            except ExtensionError:
                self._group = group
                raise
            for name, item in added.items():
                self.register(name, item)
        return self._items

    def register(self, name: str, item: T) -> T:
        """Add ``item`` as ``name`` and return it; raises DuplicateName if taken."""
        if name in self._items:
            raise DuplicateName(f"a {self.kind} named {name!r} is already registered")
        self._items[name] = item
        return item

    def __getitem__(self, name: str) -> T:
        """The item of that name; raises UnknownName with the nearest names."""
        try:
            return self._all[name]
        except KeyError:
            if not (hint := nearest(name, self._all)) and 0 < len(self._all) <= _LISTED:
                hint = f"choose {one_of(list(self._all))}"
            message = f"no {self.kind} named {name!r}"
            raise UnknownName(f"{message}; {hint}" if hint else message) from None

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
