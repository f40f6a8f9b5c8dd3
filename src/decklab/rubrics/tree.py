"""What a rubric is: a tree of criteria whose leaves are scored by code or by a model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


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
class Node:
    """One criterion: a leaf with a scorer, or an inner node with children.

    ``score`` (0 to 1) and ``reason`` are what the file recorded of an earlier run; None where it
    recorded nothing. ``metadata`` holds what else the file says of the node.
    """

    name: str
    description: str = ""
    is_critical: bool = False
    children: tuple["Node", ...] = ()
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
    """A rubric tree with what its file says besides; ``path`` is that file, where there is one."""

    root: Node
    metadata: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""

    def nodes(self) -> Iterator[tuple[str, Node]]:
        """All nodes with their paths (``root``, ``root.children[0]`` ...), parents first."""
        waiting = [("root", self.root)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            waiting += [(f"{path}.children[{i}]", child) for i, child in enumerate(node.children)][
                ::-1
            ]

    def leaves(self) -> list[tuple[str, Node]]:
        """The leaves with their paths, in the order of the file."""
        return [(path, node) for path, node in self.nodes() if node.is_leaf]
