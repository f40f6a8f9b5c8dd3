"""Rubrics, read from JSON and written as it; the changes that its task asks
for, property by property, as it states them.

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
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError
from decklab.core.lazy import parse_code
from decklab.diffing.changes import Change


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
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key {twice!r} stands twice in one object")
    return values


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
        if not (name := self._text(data, "name", at)).strip():
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
        if (children := data.get("children")) is None:
            return ()
        if not isinstance(children, list):
            raise self._error(f"'children' is {_kind(children)}, not a list", at)
        return tuple(
            self._node(child, f"{at}.children[{i}]", depth + 1) for i, child in enumerate(children)
        )

    def _scorer(self, data: Mapping[str, Any], at: str) -> Scorer | None:
        if (scorer := data.get("scorer")) is None:
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
            if close := get_close_matches(key.lower(), known, n=1, cutoff=0.8):
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
        if (value := data.get(key)) is None and default is not None:
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
        if (value := data.get("score")) is None:
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
    if not isinstance(statement, ast.Name) or not isinstance(statement.ctx, ast.Store):
        return False
    return statement.id == "compute_score"


def _unfenced(code: str) -> str:
    """Code without the Markdown fence that models put around it."""
    lines = code.strip().splitlines()
    if len(lines) >= 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1])
    return code


def _kind(value: Any) -> str:
    """JSON's name for a kind of value."""
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
    data = {name: getattr(node, name) for name in ("name", "description", "is_critical")}
    data["metadata"] = dict(node.metadata)
    if isinstance(node.scorer, FunctionScorer):
        data["scorer"] = {"type": "function", "function_code": node.scorer.code}
    elif isinstance(node.scorer, LlmScorer):
        data["scorer"] = {"type": "llm", **asdict(node.scorer)}
    else:
        data["children"] = [_node_json(child) for child in node.children]
    recorded = {"score": node.score, "reason": node.reason}
    return data | {name: value for name, value in recorded.items() if value is not None}


MAY_CHANGE: Final = "may_change"
"""The key in a rubric's metadata: a list of objects, each of which allows some changes.

``may`` names them as ``decklab diff --json`` does, ``kind:property`` with * for any letters, such
as ``style:font.bold``. ``slide`` is the number in the original of the slide that they are on;
without it they are changes of the whole deck. ``shapes`` (names, with * for any letters) and
``words`` (texts of which the shape holds one) say on which shapes, without them it is the slide
itself; ``parts`` in which parts of these, such as ``row 6, column 2``. ``new`` says how many shapes
may be added to the slide. ``added`` is the place of a new slide in the edited deck; its ``new``
says how many shapes it has, footers and empty placeholders aside. ``removed`` is the number of a
slide that goes; ``moved`` is true where slides may change their order.

A thing that is added may state what such a thing has anyway (``decklab.evals.rubrics.inside``),
and what ``may`` of its slide names. ``words_now`` is for programs that spoil edits: words which a
shape that may change holds after the edit."""

_KEYS = frozenset(
    ("slide", "shapes", "words", "words_now", "parts", "may", "new", "added", "removed", "moved")
)
_UNSEEN_KINDS = frozenset(("animation", "alt text", "notes", "transition", "name"))
"""Kinds of changes after which a slide is drawn as before."""
_WHOLE_LOOK = ("slide:background", "layout:layout")


@dataclass(frozen=True)
class AllowedChanges:
    """The allowed changes; everything else must stay as it is."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rubric: Rubric) -> "AllowedChanges | None":
        """The allowed changes that a rubric states; None if it states none.

        Raises RubricError for a list that ``MAY_CHANGE`` does not describe.
        """
        if (stated := rubric.metadata.get(MAY_CHANGE)) is None:
            return None
        if not isinstance(stated, list):
            raise RubricError(rubric.path or "rubric", "is not a list", f"metadata.{MAY_CHANGE}")
        for number, entry in enumerate(stated):
            at = f"metadata.{MAY_CHANGE}[{number}]"
            if not isinstance(entry, dict):
                raise RubricError(rubric.path or "rubric", "is not an object", at)
            if unknown := sorted(entry.keys() - _KEYS):
                known = ", ".join(sorted(_KEYS))
                detail = f"has the unknown key {unknown[0]!r}; known are {known}"
                raise RubricError(rubric.path or "rubric", detail, at)
        return cls(tuple(stated))

    def names(self, slide: int | None, change: Change, shape: tuple[str, str] | None) -> bool:
        """Whether a change is allowed. ``slide`` is the number in the original, None for the deck;
        ``shape`` name and text of the shape in the original, None if it is none's."""
        pieces = (change.element.part if change.element is not None else "").split("; ")
        return any(
            _is_about(entry, shape)
            and _matches(f"{change.kind}:{change.property}", entry.get("may", ()))
            and ("parts" not in entry or all(_matches(piece, entry["parts"]) for piece in pieces))
            for entry in self._of(slide)
        )

    def names_property(self, slide: int, property: str) -> bool:
        """Whether a property of anything on a slide is allowed to change, whatever its kind."""
        return any(
            fnmatchcase(property, item.partition(":")[2])
            for entry in self._of(slide)
            for item in entry.get("may", ())
        )

    def names_new(self, position: int, property: str) -> bool:
        """Whether the slide that is added at a place may state a property."""
        return any(
            fnmatchcase(property, item.partition(":")[2])
            for entry in self.entries
            if entry.get("added") == position
            for item in entry.get("may", ())
        )

    def look(self, slide: int, name: str, text: str) -> bool:
        """Whether a shape of a slide of the original may look other than before."""
        return any(
            item.partition(":")[0] not in _UNSEEN_KINDS
            for entry in self._of(slide)
            if _is_about(entry, (name, text))
            for item in entry.get("may", ())
        )

    def whole_look(self, slide: int) -> bool:
        """Whether the whole look of a slide may change: its background, its layout."""
        stated = {item for entry in self._of(slide) for item in entry.get("may", ())}
        return not stated.isdisjoint(_WHOLE_LOOK)

    def new_on_added(self, position: int) -> int | None:
        """How many shapes the slide that is added at a place may hold; None for any number."""
        counts = [entry.get("new") for entry in self.entries if entry.get("added") == position]
        return next((count for count in counts if count is not None), None)

    def new_shapes(self, slide: int) -> int:
        """How many shapes may be added to a slide."""
        return sum(entry.get("new", 0) for entry in self._of(slide))

    @property
    def added(self) -> int:
        """How many slides may be added."""
        return sum("added" in entry for entry in self.entries)

    @property
    def removed(self) -> Collection[int]:
        """Numbers of slides of the original that may be removed."""
        return {entry["removed"] for entry in self.entries if "removed" in entry}

    @property
    def moved(self) -> bool:
        """Whether slides may change their order."""
        return any(entry.get("moved") for entry in self.entries)

    @property
    def resized(self) -> bool:
        """Whether slides may have another size."""
        return any("properties:slide size" in entry.get("may", ()) for entry in self._of(None))

    def _of(self, slide: int | None) -> list[Mapping[str, Any]]:
        return [entry for entry in self.entries if entry.get("slide") == slide]


def _is_about(entry: Mapping[str, Any], shape: tuple[str, str] | None) -> bool:
    if "shapes" not in entry and "words" not in entry:
        return shape is None
    if shape is None:
        return False
    name, text = shape
    words = (word.casefold() in text.casefold() for word in entry.get("words", ()))
    return _matches(name, entry.get("shapes", ())) or any(words)


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
