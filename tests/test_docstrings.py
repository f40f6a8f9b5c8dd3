"""Docstrings say what annotations say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import decklab

SOURCE = Path(decklab.__file__).parent
GIVES_NONE = re.compile(r"(?:^|[.] )None (?:for|where|if|unless|without|when)\b")
"""None as what a function gives; a sentence on an argument names it first."""


def functions() -> Iterator[tuple[str, str, str]]:
    """Each function with its docstring, on one line, and its annotation of what it gives."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
                told = " ".join((ast.get_docstring(node) or "").split())
                place = f"{path.relative_to(SOURCE)}: {node.name}"
                yield place, told, ast.unparse(node.returns)


def test_a_function_that_gives_none_by_its_docstring_does_so_by_its_annotation() -> None:
    known = list(functions())
    assert len(known) > 5000
    wrong = [
        place
        for place, told, gives in known
        if GIVES_NONE.search(told) and not re.search(r"\b(None|Any|object)\b", gives)
    ]
    assert wrong == []
