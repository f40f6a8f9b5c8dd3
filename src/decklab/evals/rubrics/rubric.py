"""What a rubric is, and how it is read from and written as JSON.

A rubric is a tree of criteria whose leaves are scored by code or by a model. The format is the one
that PPT-Eval publishes; a file is loaded wholly or not at all. It is an object with ``root``, a
node, and optional ``metadata``. A node has ``name`` and either ``children`` (nodes) or a
``scorer``; ``description``, ``is_critical`` (false), ``metadata``, and a recorded ``score`` and
``reason`` may be there. A scorer has ``type``: ``function`` with ``function_code``, or ``llm``
with ``system_prompt`` and ``user_prompt``.

The reader is ours and not pydantic's: its messages name the node and suggest the key that was
meant, which people and models who write rubrics need.
"""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError
from decklab.core.lazy import parse_code


class RubricError(DecklabError):
    """A rubric or a list of tasks that cannot be loaded.

    ``path`` is the file, ``node`` the place inside it (``root.children[1].scorer``), ``detail``
    what is wrong. The text is ``path: node: detail`` on one line.
    """

    def __init__(self, path: str | Path, detail: str, node: str | None = None) -> None:
        self.path = str(path)
        self.node = node
        self.detail = " ".join(detail.split())
        super().__init__(": ".join(filter(None, (self.path, node, self.detail))))


@dataclass(frozen=True)
class FunctionScorer:
    """A leaf scored by Python: ``code`` defines ``compute_score() -> tuple[str, float]``."""

    code: str


@dataclass(frozen=True)
class LlmScorer:
    """A leaf scored by a model that answers with JSON: ``reason``, and ``score`` from 0 to 1.

    Both prompts may hold ``{{ variables }}``: expressions over the globals that leaves see.
    """

    system_prompt: str
    user_prompt: str


Scorer = FunctionScorer | LlmScorer


@dataclass(frozen=True)
class RubricNode:
    """One criterion: a leaf with a scorer, or an inner node with children.

    ``score`` (0 to 1) and ``reason`` are those of an earlier run, if the file recorded it; else
    None. ``metadata`` holds all other entries of the node.
    """

    name: str
    description: str = ""
    is_critical: bool = False
    children: tuple["RubricNode", ...] = ()
    scorer: Scorer | None = None
    score: float | None = None
    reason: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_leaf(self) -> bool:
        """Whether the node is scored itself."""
        return self.scorer is not None


@dataclass(frozen=True)
class Rubric:
    """A rubric tree with the other entries of its file; ``path`` is that file, empty if there is
    none."""

    root: RubricNode
    metadata: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""

    def nodes(self) -> Iterator[tuple[str, RubricNode]]:
        """All nodes with their paths (``root``, ``root.children[0]`` ...), parents first."""
        waiting = [("root", self.root)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            waiting += [(f"{path}.children[{i}]", child) for i, child in enumerate(node.children)][
                ::-1
            ]

    def leaves(self) -> list[tuple[str, RubricNode]]:
        """The leaves with their paths, in the order of the file."""
        return [(path, node) for path, node in self.nodes() if node.is_leaf]


MAX_BYTES = 20_000_000
"""Ours: a thousand times the largest published rubric."""
MAX_DEPTH = 50
"""Ours: published trees are three levels deep."""

_RUBRIC_KEYS = ("root", "metadata")
_NODE_KEYS = (
    "name", "description", "is_critical", "children", "scorer", "score", "reason", "metadata",
)  # fmt: skip
_SCORER_KEYS = {
    "function": ("type", "function_code"),
    "llm": ("type", "system_prompt", "user_prompt"),
}


def load_rubric(path: str | Path) -> Rubric:
    """The rubric in a JSON file; raises RubricError naming file and node where it is none."""
    return parse_rubric(read_json(path), path)


def parse_rubric(data: Any, path: str | Path = "rubric") -> Rubric:
    """The rubric that plain JSON ``data`` describes; ``path`` names it in errors.

    Unknown keys are put in ``metadata``; a key that looks like a misspelt known one is an error.
    Raises RubricError.

    >>> parse_rubric({"root": {"name": "done", "children": []}}, "r.json")
    Traceback (most recent call last):
    decklab.evals.rubrics.rubric.RubricError: r.json: root: has neither children nor a scorer
    """
    return _Reader(str(path)).rubric(data)


def read_json(path: str | Path) -> Any:
    """Strict JSON from a file; raises RubricError where it cannot be read."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise RubricError(path, f"is larger than {MAX_BYTES:,} bytes")
        return json.loads(
            content.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse
        )
    except OSError as error:
        raise RubricError(path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RubricError(path, "is no rubric file (JSON in UTF-8 expected)") from None
    except RecursionError:
        raise RubricError(path, "is nested too deep") from None
    except json.JSONDecodeError as error:
        if error.pos == 0:
            raise RubricError(path, "is no rubric file (JSON expected)") from None
        raise RubricError(path, f"is no JSON from line {error.lineno} on") from None
    except ValueError as error:
        raise RubricError(path, f"is not JSON: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key {twice!r} stands twice in one object")
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


class _Reader:
    """Reads one rubric; its errors name the file and the node."""

    def __init__(self, path: str) -> None:
        self._path = path

    def rubric(self, data: Any) -> Rubric:
        data = self._object(data, "", "a rubric")
        if "root" not in data:
            raise self._error("has no 'root', so it is no rubric")
        rest = self._extras(data, _RUBRIC_KEYS, "")
        root = self._node(data["root"], "root", 0)
        return Rubric(root, {**self._metadata(data, ""), **rest}, self._path)

    def _node(self, data: Any, at: str, depth: int) -> RubricNode:
        if depth > MAX_DEPTH:
            raise self._error(f"the tree is deeper than {MAX_DEPTH} levels", at)
        data = self._object(data, at, "a node")
        rest = self._extras(data, _NODE_KEYS, at)
        children, scorer = self._children(data, at, depth), self._scorer(data, at)
        if bool(children) == (scorer is not None):
            both = "both children and a scorer" if children else "neither children nor a scorer"
            raise self._error(f"has {both}", at)
        name = self._text(data, "name", at)
        if not name.strip():
            raise self._error("'name' is empty", at)
        return RubricNode(
            name=name,
            description=self._text(data, "description", at, default=""),
            is_critical=self._flag(data, at),
            children=children,
            scorer=scorer,
            score=self._score(data, at),
            reason=None if data.get("reason") is None else self._text(data, "reason", at),
            metadata={**self._metadata(data, at), **rest},
        )

    def _children(self, data: Mapping[str, Any], at: str, depth: int) -> tuple[RubricNode, ...]:
        children = data.get("children")
        if children is None:
            return ()
        if not isinstance(children, list):
            raise self._error(f"'children' is {_kind(children)}, not a list", at)
        return tuple(
            self._node(child, f"{at}.children[{i}]", depth + 1) for i, child in enumerate(children)
        )

    def _scorer(self, data: Mapping[str, Any], at: str) -> Scorer | None:
        scorer = data.get("scorer")
        if scorer is None:
            return None
        at = f"{at}.scorer"
        scorer = self._object(scorer, at, "a scorer")
        kind = scorer.get("type")
        if not isinstance(kind, str) or kind not in _SCORER_KEYS:
            raise self._error(f"'type' is {kind!r}, neither 'function' nor 'llm'", at)
        self._extras(scorer, _SCORER_KEYS[kind], at)
        if kind == "llm":
            return LlmScorer(
                self._text(scorer, "system_prompt", at, default=""),
                self._text(scorer, "user_prompt", at),
            )
        code = _unfenced(self._text(scorer, "function_code", at))
        self._check_code(code, f"{at}.function_code")
        return FunctionScorer(code)

    def _check_code(self, code: str, at: str) -> None:
        try:
            module = parse_code(code)
        except SyntaxError as error:
            raise self._error(f"is not Python: {error.msg} (line {error.lineno})", at) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._error(f"is not Python: {error}", at) from None
        if not any(_defines(statement) for statement in ast.walk(module)):
            raise self._error("does not define compute_score", at)

    def _extras(self, data: Mapping[str, Any], known: tuple[str, ...], at: str) -> dict[str, Any]:
        rest = {key: value for key, value in data.items() if key not in known}
        for key in rest:
            close = get_close_matches(key.lower(), known, n=1, cutoff=0.8)
            if close:
                raise self._error(f"unknown key {key!r}; did you mean {close[0]!r}?", at)
        return rest

    def _metadata(self, data: Mapping[str, Any], at: str) -> Mapping[str, Any]:
        metadata = data.get("metadata")
        return {} if metadata is None else self._object(metadata, at, "'metadata'")

    def _object(self, value: Any, at: str, what: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._error(f"{what} is an object, not {_kind(value)}", at)
        return value

    def _text(
        self, data: Mapping[str, Any], key: str, at: str, *, default: str | None = None
    ) -> str:
        value = data.get(key)
        if value is None and default is not None:
            return default
        if key not in data:
            raise self._error(f"has no {key!r}", at)
        if not isinstance(value, str):
            raise self._error(f"{key!r} is {_kind(value)}, not text", at)
        return value

    def _flag(self, data: Mapping[str, Any], at: str) -> bool:
        value = data.get("is_critical", False)
        if not isinstance(value, bool):
            raise self._error(f"'is_critical' is {_kind(value)}, not true or false", at)
        return value

    def _score(self, data: Mapping[str, Any], at: str) -> float | None:
        value = data.get("score")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._error(f"'score' is {_kind(value)}, not a number", at)
        if not 0 <= value <= 1:
            raise self._error(f"'score' is {value}, not between 0 and 1", at)
        return float(value)

    def _error(self, detail: str, at: str = "") -> RubricError:
        return RubricError(self._path, detail, at or None)


def _defines(statement: ast.AST) -> bool:
    """Whether a statement binds the name compute_score."""
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "compute_score"
    return (
        isinstance(statement, ast.Name)
        and statement.id == "compute_score"
        and isinstance(statement.ctx, ast.Store)
    )


def _unfenced(code: str) -> str:
    """Code without the Markdown fence that models put around it."""
    lines = code.strip().splitlines()
    if len(lines) >= 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1])
    return code


def _kind(value: Any) -> str:
    """What JSON calls a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names: dict[type, str] = {str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")


def to_json(rubric: Rubric) -> dict[str, Any]:
    """The rubric as plain JSON in the published format; ``parse_rubric`` reads it back."""
    return {"root": _node_json(rubric.root), "metadata": dict(rubric.metadata)}


def _node_json(node: RubricNode) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": node.name,
        "description": node.description,
        "is_critical": node.is_critical,
        "metadata": dict(node.metadata),
    }
    if isinstance(node.scorer, FunctionScorer):
        data["scorer"] = {"type": "function", "function_code": node.scorer.code}
    elif isinstance(node.scorer, LlmScorer):
        data["scorer"] = {
            "type": "llm",
            "system_prompt": node.scorer.system_prompt,
            "user_prompt": node.scorer.user_prompt,
        }
    else:
        data["children"] = [_node_json(child) for child in node.children]
    if node.score is not None:
        data["score"] = node.score
    if node.reason is not None:
        data["reason"] = node.reason
    return data
