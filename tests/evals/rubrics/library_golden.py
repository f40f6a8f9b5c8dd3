"""Random trees and what the aggregation library of PPT-Eval makes of them.

A node is ``[critical, score]`` or ``[critical, [child, ...]]``. The golden file holds the roots
that ai-rubric 0.2.5 (MIT; PyPI) gives; who has that package makes it again with

    python -m tests.evals.rubrics.library_golden
"""

import importlib
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["GOLDEN"]

GOLDEN = Path(__file__).parent / "golden" / "aggregation.json"
SCORES = (0.0, 0.0, 0.25, 0.5, 0.9, 1.0, 1.0, 1.0)
WEIGHTS = (0.3, 0.7)
BY_HAND: list[Any] = [
    [False, [[True, 0.5]]],
    [False, [[True, 0.5], [False, 1.0]]],
    [False, [[True, 0.5], [False, 0.0]]],
    [False, [[True, 0.99], [True, 1.0], [False, 0.0]]],
    [False, [[True, 1.0], [True, 1.0]]],
    [False, [[True, 0.0], [False, 1.0]]],
    [False, [[False, 0.25], [False, 1.0]]],
    [False, [[True, [[True, 0.5], [False, 0.5]]], [False, [[True, 0.0], [False, 1.0]]]]],
    [True, [[True, [[False, 1.0], [True, 1.0]]], [True, 1.0]]],
]


def trees(number: int = 200) -> list[Any]:
    """Those by hand, then random ones of at most four levels."""
    chance = random.Random(5)

    def node(depth: int) -> Any:
        critical = chance.random() < 0.5
        if depth and (depth == 3 or chance.random() < 0.4):
            return [critical, [node(depth - 1) for _ in range(chance.randint(1, 4))]]
        return [critical, chance.choice(SCORES)]

    return [*BY_HAND, *(node(3) for _ in range(number))]


def main() -> int:
    """Ask the library and write the golden file."""
    nodes = importlib.import_module("rubric.core.node")
    scorers = importlib.import_module("rubric.core.scorer")

    class Given(scorers.LeafScorer):  # type: ignore[name-defined]
        def __init__(self, score: float) -> None:
            self.given = score

        def score(self, **context: Any) -> tuple[float, str]:
            return self.given, ""

        def to_dict(self) -> dict[str, Any]:
            return {}

        from_dict = None

        def save_as_dir(self, *args: Any) -> None: ...

        load_from_dir = None

    Given.__abstractmethods__ = frozenset()

    def built(node: Any) -> Any:
        critical, content = node
        inner = isinstance(content, list)
        held = {"children": list(map(built, content))} if inner else {"scorer": Given(content)}
        return nodes.RubricNode(name="n", description="", is_critical=critical, **held)

    rows = []
    for tree in trees():
        root = built(tree)
        default = [
            root.compute_score(non_critical_weight=weight, compute_strategy="default")
            for weight in WEIGHTS
        ]
        rows.append([tree, default, root.compute_score(compute_strategy="mind2web2")])
    golden = {
        "source": f"ai-rubric {version('ai-rubric')} (MIT), rubric.core.node.RubricNode",
        "made with": "python -m tests.evals.rubrics.library_golden",
        "columns": [
            "tree", f"root by strategy default, weights {list(WEIGHTS)}", "root by mind2web2",
        ],
    }  # fmt: skip
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    head = json.dumps(golden, indent=1)[:-2]
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(f'{head},\n "trees": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
