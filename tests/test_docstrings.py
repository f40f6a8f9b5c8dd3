"""Docstrings say what annotations and returns say."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import decklab

SOURCE = Path(decklab.__file__).parent
_WHEN = r"(?:for|where|if|unless|without|when)\b"
GIVES_NONE = re.compile(rf"(?:^|[.] )None {_WHEN}")
"""None as what a function gives; a sentence on an argument names it first."""
GIVES_EMPTY = re.compile(rf"(?:^|[.;,] )(?:empty|``(?:\(\)|\[\]|\"\")``|\(\)|\[\]) {_WHEN}")
HOLDS_NONE = re.compile(rf"(?:^|[.;,] )None {_WHEN}")
CAN_BE_NONE = re.compile(r"\b(None|Any|object|Json|TypeAlias)\b")
PLAIN = (
    (re.compile(r"(?:^|[.:] )What "), 101, "begin a sentence with What; name the thing"),
    (re.compile(r"\bNone where\b|\bwhere there\b"), 54, "say where for a condition; say if"),
)
"""Docstrings that are hard to read: pattern, how many are left, what is wrong with them.

Lower a number when you mend some; never raise it."""
_MAY_MATCH = re.compile(r"(?:\"\"\"|[.:]\s+)What\s|\bNone\s+where\b|\bwhere\s+there\b")


@cache
def trees() -> list[tuple[str, ast.Module]]:
    return [
        (str(path.relative_to(SOURCE)), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(SOURCE.rglob("*.py"))
    ]


def functions() -> Iterator[tuple[str, str, Any]]:
    """Each function with its place and its docstring, on one line."""
    for place, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
                told = " ".join((ast.get_docstring(node) or "").split())
                yield f"{place}: {node.name}", told, node


def fields() -> Iterator[tuple[str, str, str]]:
    """Each annotated name that has a docstring, with its place, docstring and annotation."""
    for place, tree in trees():
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            for field, below in pairwise(body if isinstance(body, list) else []):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(below, ast.Expr)
                    and isinstance(below.value, ast.Constant)
                ):
                    told = " ".join(str(below.value.value).split())
                    name = ast.unparse(field.target)
                    yield f"{place}: {name}", told, ast.unparse(field.annotation)


def given(node: ast.AST) -> Iterator[ast.expr | None]:
    """What the return statements of a function give, without those of functions in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child.value
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from given(child)


def is_empty(value: ast.expr | None) -> bool:
    """Whether a value is written as an empty one, or as a text or number: never None."""
    if isinstance(value, ast.Constant):
        return value.value is not None
    return isinstance(value, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.JoinedStr)


@pytest.mark.long
def test_a_function_that_gives_none_by_its_docstring_does_so_by_its_annotation() -> None:
    known = list(functions())
    assert len(known) > 5000
    wrong = [
        place
        for place, told, node in known
        if GIVES_NONE.search(told) and not CAN_BE_NONE.search(ast.unparse(node.returns))
    ]
    assert wrong == []


@pytest.mark.long
def test_what_a_function_gives_for_nothing_is_what_it_returns() -> None:
    wrong: list[str] = []
    for place, told, node in functions():
        values = list(given(node))
        if GIVES_NONE.search(told) and values and all(map(is_empty, values)):
            wrong.append(f"{place} returns no None")
        optional = re.search(r"\bNone\b.", f"{ast.unparse(node.returns)} ".removeprefix("None "))
        if GIVES_EMPTY.search(told) and optional and "None" not in told:
            wrong.append(f"{place} says empty and may give None")
    assert wrong == []


def test_a_field_that_may_be_none_by_its_docstring_is_so_by_its_annotation() -> None:
    known = list(fields())
    assert len(known) > 2000
    wrong = [
        f"{place} is {kind}"
        for place, told, kind in known
        if (HOLDS_NONE.search(told) and not CAN_BE_NONE.search(kind))
        or (GIVES_EMPTY.search(told) and re.search(r"\| None$", kind) and "None" not in told)
    ]
    assert wrong == []


def texts(node: ast.AST) -> Iterator[str]:
    """The docstrings in a module, class or function, those of fields too, each on one line."""
    for child in getattr(node, "body", []):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            yield " ".join(str(child.value.value).split())
        elif isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from texts(child)


def test_docstrings_that_are_hard_to_read_grow_no_more() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))]
    known = [
        text for source in sources if _MAY_MATCH.search(source) for text in texts(ast.parse(source))
    ]
    assert len(sources) > 500
    for pattern, most, wrong in PLAIN:
        found = [text for text in known if pattern.search(text)]
        assert len(found) <= most, f"{len(found)} docstrings {wrong}, {most} did before"
