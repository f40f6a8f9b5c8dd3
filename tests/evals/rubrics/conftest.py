"""Rubrics in a line or two."""

from typing import Any

import pytest

from decklab.evals.rubrics.rubric import Rubric, parse_rubric

FULL = "def compute_score() -> tuple[str, float]:\n    return 'as asked', 1.0\n"


def leaf(code: str = FULL, *, critical: bool = False, **more: Any) -> dict[str, Any]:
    scorer = {"type": "function", "function_code": code}
    return {"name": "leaf", "is_critical": critical, "scorer": scorer, **more}


def returning(value: str, **more: Any) -> dict[str, Any]:
    """A leaf whose code returns what ``value`` spells."""
    return leaf(f"def compute_score():\n    return {value}\n", **more)


def inner(*children: dict[str, Any], critical: bool = False, **more: Any) -> dict[str, Any]:
    return {"name": "inner", "is_critical": critical, "children": list(children), **more}


def tree(*children: dict[str, Any]) -> Rubric:
    return parse_rubric({"root": {"name": "all", "children": list(children)}})


@pytest.fixture
def published() -> dict[str, Any]:
    """A rubric as it is published, by shape."""
    recorded = leaf(critical=True, score=1, reason="**PASS**", description="d", metadata={})
    side = inner(leaf(score=0.5), leaf(score=1.0), score=0.75, metadata={})
    return {
        "root": inner(recorded, side, score=0.925, reason="good", description="what it is for"),
        "metadata": {"task": "Do it", "compute_strategy": "default", "non_critical_weight": 0.3},
    }
