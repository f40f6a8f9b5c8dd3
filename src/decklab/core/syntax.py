"""Python code as a syntax tree, from any thread."""

import ast
from threading import Lock

_ONE_AT_A_TIME = Lock()


def parse_code(source: str) -> ast.Module:
    """The tree of ``source``; raises what ``ast.parse`` raises.

    Python 3.11 counts the depth of all trees that are being made in one place: two threads that
    parse at the same time end in "AST constructor recursion depth mismatch".
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)
