"""Leaves of rubrics, and attempts, put together from what they share and what is their own.

The shared parts, ``leaves.py`` and ``attempt_edits.py``, are only read as text and cut up by their
syntax tree, never imported: each program gets the functions that it uses, so that it stands alone
as published leaves do.
"""

import ast
from functools import cache
from pathlib import Path
from textwrap import indent

_LEAF = """
def check():
{check}


def compute_score() -> tuple[str, float]:
    try:
        return check()
    except Absent as error:
        return str(error), 0.0
"""


def leaf_source(check: str) -> str:
    """A whole leaf from the body of its ``check``, with the shared functions that it uses."""
    own = _LEAF.format(check=indent(check.strip(), "    "))
    return _joined(["from typing import Any", *_used("leaves.py", own), own.strip()])


def attempt_source(edits: str) -> str:
    """An attempt's edits of ``deck``, after the shared functions that they use."""
    shared = _used("attempt_edits.py", edits)
    return _joined(["from typing import Any", *shared, edits.strip()]) if shared else edits


def _joined(pieces: list[str]) -> str:
    return "\n\n\n".join(pieces) + "\n"


def _used(file: str, own: str) -> list[str]:
    """What a program of its ``own`` uses of a shared ``file``, directly or not, in its order."""
    shared = _shared(file)
    wanted: set[str] = set()
    fresh = _names(own) & shared.keys()
    while fresh:
        wanted |= fresh
        fresh = set().union(*(_names(shared[name]) for name in fresh)) & shared.keys() - wanted
    return [text for name, text in shared.items() if name in wanted]


@cache
def _shared(file: str) -> dict[str, str]:
    """Functions, classes and constants of ``file`` by name, in its order."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = source
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = source
        elif isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            found[node.target.id] = source
    return found


def _names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
