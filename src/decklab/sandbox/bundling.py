"""Modules of decklab for runs in the sandbox, where decklab itself is not installed."""

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from decklab.core.lazy import parse_code
from decklab.sandbox.limits import Plain

_PRELUDE = """
def _decklab_import(sources):
    import importlib.abc, importlib.util, sys

    class BundleImporter(importlib.abc.InspectLoader, importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name not in sources:
                return None
            return importlib.util.spec_from_loader(name, self, is_package=self.is_package(name))

        def get_source(self, name):
            return sources[name]

        def is_package(self, name):
            return any(other.startswith(name + ".") for other in sources)

    importer = BundleImporter()
    sys.meta_path.insert(0, importer)
    try:
        for name in sources:
            importlib.import_module(name)
    finally:
        sys.meta_path.remove(importer)


_decklab_import(_decklab_modules)
del _decklab_import, _decklab_modules
"""


def bundle_module(module: str) -> tuple[str, dict[str, Plain]]:
    """``prelude`` and ``data`` of a sandbox in whose runs ``module`` can be imported by its name.

    With it come the modules of decklab that it imports by ``from``; packages that these names only
    pass through are empty there. Other libraries are those of the sandbox. The caller's own code
    may follow this prelude.
    """
    return _PRELUDE, {"_decklab_modules": dict(_sources(module))}


@cache
def _sources(module: str) -> dict[str, str]:
    """Source by module."""
    waiting, found = [module], dict[str, str]()
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
        for node in ast.walk(parse_code(source))
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return [name for name in names if name.startswith("decklab.")]
