"""The library inside the sandbox: its documentation for a prompt, its source for the guest.

::

    from decklab.agents.editor.sandboxed import library_docs, library_prelude

    prelude, data = library_prelude()
    with Sandbox(files={"in.pptx": deck}, prelude=prelude, data=data) as sandbox:
        sandbox.run(code)  # the functions of the library are globals of ``code``
"""

import ast
import inspect
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from decklab.agents.editor import library
from decklab.sandbox import Plain

__all__ = ["library_docs", "library_prelude"]

_LIBRARY = "decklab.agents.editor.library"
_PRELUDE = '''
import importlib.abc, importlib.util, sys


class _Held(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports what was handed in as text."""

    def find_spec(self, name, path=None, target=None):
        if name not in _decklab_modules:
            return None
        package = any(other.startswith(name + ".") for other in _decklab_modules)
        return importlib.util.spec_from_loader(name, self, is_package=package)

    def get_source(self, name):
        return _decklab_modules[name]

    def is_package(self, name):
        return any(other.startswith(name + ".") for other in _decklab_modules)


sys.meta_path.insert(0, _Held())
from decklab.agents.editor.library import *
from pptx import Presentation
'''


def library_docs() -> str:
    """Signature and documentation of every function of the library, as text for a prompt."""
    functions = [(name, getattr(library, name)) for name in library.__all__]
    return "\n\n".join(
        f"{name}{_signature(held)}\n{_indented(inspect.getdoc(held) or '')}"
        for name, held in functions
        if inspect.isfunction(held)
    )


def library_prelude() -> tuple[str, dict[str, Plain]]:
    """The ``prelude`` and ``data`` of a sandbox whose runs have the library as globals.

    ``Presentation`` of python-pptx is a global as well, and ``EditError``.
    """
    return _PRELUDE, {"_decklab_modules": dict(_sources())}


def _signature(function: object) -> str:
    """Without what a reader of the prompt knows anyway."""
    told = inspect.signature(function)  # type: ignore[arg-type]
    text = str(told.replace(return_annotation=inspect.Signature.empty))
    return text.replace("pptx.presentation.Presentation", "Presentation").replace(
        "collections.abc.", ""
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


@cache
def _sources() -> dict[str, str]:
    """Source by module: the library and all of ours that it imports; packages it only passes
    through are empty."""
    waiting, found = [_LIBRARY], dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        spec = find_spec(name)
        source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
        found[name] = source
        waiting += _imported(source)
    for name in list(found):
        parents = name.split(".")[:-1]
        for count in range(1, len(parents) + 1):
            found.setdefault(".".join(parents[:count]), "")
    return found


def _imported(source: str) -> list[str]:
    """Modules of ours that a source imports."""
    names = [
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return [name for name in names if name.startswith("decklab.")]
