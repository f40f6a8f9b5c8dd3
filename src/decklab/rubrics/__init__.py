"""Criteria trees: load and check them, run their leaves, aggregate, explain."""

from decklab.rubrics.aggregation import (
    NON_CRITICAL_WEIGHT,
    RULES,
    Interval,
    aggregate,
    recorded_root,
)
from decklab.rubrics.errors import RubricError
from decklab.rubrics.loading import load_rubric, parse_rubric, to_json
from decklab.rubrics.tasks import RubricTask, load_tasks
from decklab.rubrics.tree import FunctionScorer, LlmScorer, Node, Rubric

__all__ = [
    "NON_CRITICAL_WEIGHT",
    "RULES",
    "FunctionScorer",
    "Interval",
    "LlmScorer",
    "Node",
    "Rubric",
    "RubricError",
    "RubricTask",
    "aggregate",
    "load_rubric",
    "load_tasks",
    "parse_rubric",
    "recorded_root",
    "to_json",
]
