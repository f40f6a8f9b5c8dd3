"""Names of a package that load their module when they are first used, and how to install packages
that the base install does not have.

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
import json
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import unquote, urlsplit

from decklab.core.errors import Unavailable


def needs_extra(work: str, extra: str) -> str:
    """A line that says which command installs what ``work`` needs; ``extra`` is a name of
    ``pyproject.toml``, such as ``write``.

    The command names the checkout that decklab was installed from, if that is still there.
    """
    if (source := _checkout()) is None:
        return f"{work} needs more packages: pip install 'decklab[{extra}]'"
    pip = _from_here(Path(sys.prefix, "bin", "pip"))
    return f"{work} needs more packages: {pip} install '{_from_here(source)}[{extra}]'"


def extra_module(module: str, work: str, extra: str) -> Any:
    """A library that the base install may not have; raises Unavailable, which says how to get the
    ``extra`` that ``work`` needs, if it is missing.

    >>> extra_module("json", "reading JSON", "write").loads("[1]")
    [1]
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise Unavailable(needs_extra(work, extra)) from error


@cache
def _checkout() -> Path | None:
    """The folder that pip installed decklab from; None if that was an index of packages."""
    from importlib import metadata  # noqa: PLC0415  # slow to load, and help needs none

    try:
        origin = metadata.distribution("decklab").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    address = urlsplit(json.loads(origin)["url"] if origin else "")
    source = Path(unquote(address.path))
    is_folder = address.scheme == "file" and (source / "pyproject.toml").is_file()
    return source if is_folder else None


def _from_here(path: Path) -> Path:
    """``path`` as it is written in the current folder: relative, if it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


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
