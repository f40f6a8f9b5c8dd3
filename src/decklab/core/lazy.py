"""Names of a package that load their module when they are first used.

A package lists such names once, as imports for type checkers, and calls ``loaded_on_use``::

    if TYPE_CHECKING:
        from decklab.linting.lint import lint as lint
        from decklab.deck.deck import open_deck

        open = open_deck
    else:
        __getattr__, __dir__ = loaded_on_use(__name__)

``import decklab`` and the help of a command stay fast that way.
"""

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from threading import Lock

_ONE_AT_A_TIME = Lock()


def parse_code(source: str) -> ast.Module:
    """The tree of ``source``; raises what ``ast.parse`` raises.

    Python 3.11 counts the depth of all trees that are being made in one place: two threads that
    parse at the same time end in "AST constructor recursion depth mismatch".
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def loaded_on_use(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for ``package``, from its imports for type checkers.

    The names are the targets of ``from module import name`` and of ``other = name`` below
    ``if TYPE_CHECKING``; of names that are assigned again only the new one counts. A name that is
    not listed raises AttributeError; loading a module raises what its import raises.
    """

    def get(name: str) -> object:
        homes = listed_names(package)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = homes[name]
        return getattr(import_module(module), attribute)

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *listed_names(package)})

    return get, names


@cache
def listed_names(package: str) -> dict[str, tuple[str, str]]:
    """The names that a package loads on use: each with its module and its name there."""
    spec = sys.modules[package].__spec__
    source = spec.loader.get_source(package)  # type: ignore[union-attr]
    homes: dict[str, tuple[str, str]] = {}
    for statement in _typed_block(parse_code(source)):
        match statement:
            case ast.ImportFrom(module=str(module), names=aliases):
                homes |= {alias.asname or alias.name: (module, alias.name) for alias in aliases}
            case ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=known)):
                homes[new] = homes.pop(known)
    return homes


def _typed_block(tree: ast.Module) -> list[ast.stmt]:
    for statement in tree.body:
        match statement:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body):
                return body
    return []
