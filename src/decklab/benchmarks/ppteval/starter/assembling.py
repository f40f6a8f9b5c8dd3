"""Leaf and attempt sources put together from what they share and what is their own.

The shared part is only read as text and cut up by its syntax tree, never imported.
"""

import ast
from functools import cache
from importlib import resources
from textwrap import indent
from typing import Literal

_GUEST = "decklab.benchmarks.ppteval.starter.guest"

_LEAF = """
def check():
{check}


def compute_score() -> tuple[str, float]:
    try:
        return check()
    except Absent as error:
        return str(error), 0.0
"""

_ATTEMPT = """
from pptx import Presentation

deck = Presentation(path)
{edits}
deck.save("edited.pptx")
"""

_SABOTAGE = """
from pptx import Presentation

deck = Presentation(path)
_known = [(slide, {{shape.shape_id for shape in slide.shapes}}) for slide in deck.slides]
{edits}
fits = {name}(Work(deck, _known, may_change)) is not False
if fits:
    deck.save("edited.pptx")
"""


def leaf_source(check: str) -> str:
    """A whole leaf from the body of its ``check``, with the shared functions that it uses."""
    own = _LEAF.format(check=indent(check.strip(), "    "))
    shared = _shared()
    wanted: set[str] = set()
    fresh = _names(own) & shared.keys()
    while fresh:
        wanted |= fresh
        fresh = set().union(*(_names(shared[name]) for name in fresh)) & shared.keys() - wanted
    pieces = [text for name, text in shared.items() if name in wanted]
    return "\n\n\n".join(["from typing import Any", *pieces, own.strip()]) + "\n"


def attempt_source(edits: str) -> str:
    """A whole attempt from its edits of ``deck``; it wants ``path`` and leaves ``edited.pptx``."""
    return _text("edits.py") + _ATTEMPT.format(edits=edits.strip())


def sabotage_source(edits: str, name: str) -> str:
    """An attempt that is spoilt by the sabotage ``name`` afterwards.

    It wants ``path`` and ``may_change``, and leaves ``edited.pptx`` where ``fits`` is true: some
    sabotages do not fit some tasks.
    """
    shared = _text("edits.py") + _text("sabotage.py")
    return shared + _SABOTAGE.format(edits=edits.strip(), name=name)


@cache
def sabotages() -> dict[str, Literal["unseen", "harmful"]]:
    """The names of all sabotages: what they do to a perfect attempt."""
    found: dict[str, Literal["unseen", "harmful"]] = {}
    for node in ast.parse(_text("sabotage.py")).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
            continue
        assert isinstance(node.targets[0], ast.Name)
        kind: Literal["unseen", "harmful"] = (
            "unseen" if node.targets[0].id == "UNSEEN" else "harmful"
        )
        found |= {one.id: kind for one in node.value.elts if isinstance(one, ast.Name)}
    return found


@cache
def _text(name: str) -> str:
    return resources.files(_GUEST).joinpath(name).read_text(encoding="utf-8")


@cache
def _shared() -> dict[str, str]:
    """Functions, classes and constants of ``leaves.py`` by name, in its order."""
    text = _text("leaves.py")
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
