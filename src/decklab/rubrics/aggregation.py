"""From the scores of leaves to that of the tree, and what is still possible where some lack.

Rules go by name, so that a run can say which one it used: ``ppteval`` (paper 001, section 3.5.2)
and ``mind2web2`` (gate-then-average, which that section compares with).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from decklab.registry import Registry
from decklab.results import NotScored
from decklab.rubrics.tree import Node, Rubric

__all__ = [
    "NON_CRITICAL_WEIGHT",
    "RULES",
    "Interval",
    "Rule",
    "aggregate",
    "gate_then_average",
    "recorded_root",
    "weighted_penalty",
]

NON_CRITICAL_WEIGHT: Final = 0.3
"""The most that non-critical children can take away: lambda of paper 001, section 3.5.2."""

Rule = Callable[[Sequence[float], Sequence[float]], float]
"""Scores of the critical and of the non-critical children, each 0 to 1, to that of their parent.
A rule never falls where a child's score rises; intervals rest on that."""

RULES: Registry[Rule] = Registry("aggregation rule")
"""Aggregation rules by name."""


def weighted_penalty(
    critical: Sequence[float],
    non_critical: Sequence[float],
    *,
    weight: float = NON_CRITICAL_WEIGHT,
) -> float:
    """The rule of paper 001, section 3.5.2: criticals earn the score, the others can lower it.

    With both kinds of children the score is ``max(0, mean(critical) - weight * (1 -
    mean(non_critical)))``; with one kind it is their mean. Raises ValueError without children.

    >>> round(weighted_penalty([1.0, 0.0], [0.5]), 2), weighted_penalty([], [0.5, 1.0])
    (0.35, 0.75)
    """
    if critical and non_critical:
        return max(0.0, _mean(critical) - weight * (1 - _mean(non_critical)))
    return _mean([*critical, *non_critical])


def gate_then_average(critical: Sequence[float], non_critical: Sequence[float]) -> float:
    """Mind2Web 2's rule: any critical child short of 1 makes 0, else the mean of the others.

    Without non-critical children a passed gate gives 1. Partial scores of critical children,
    which Mind2Web 2 does not have, close the gate as they do in its program. Raises ValueError
    without children.

    >>> gate_then_average([1.0, 0.9], [1.0]), gate_then_average([1.0], [0.5, 1.0])
    (0.0, 0.75)
    """
    if not critical:
        return _mean(non_critical)
    if min(critical) < 1.0:
        return 0.0
    return _mean(non_critical) if non_critical else 1.0


RULES.register("ppteval", weighted_penalty)
RULES.register("mind2web2", gate_then_average)


def _mean(scores: Sequence[float]) -> float:
    if not scores:
        raise ValueError("a node without children has no score")
    return sum(scores) / len(scores)


@dataclass(frozen=True)
class Interval:
    """The lowest and the highest score still possible, 0 to 1; equal where the score is known."""

    low: float
    high: float

    @property
    def exact(self) -> float | None:
        """The score, where nothing is open."""
        return self.low if self.low == self.high else None


def aggregate(
    rubric: Rubric,
    leaves: Mapping[str, float | NotScored],
    *,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
) -> dict[str, Interval]:
    """The score of every node, by its path as ``Rubric.nodes`` gives it.

    ``leaves`` maps the path of each leaf to its score or why it has none; ``weight`` is lambda of
    the rule ``ppteval``. A leaf that was not scored may yet have any score from 0 to 1, and the
    intervals of its ancestors are just what that leaves possible: rules only rise, and no leaf
    counts twice, so both ends are reached. Raises UnknownName for a rule, KeyError for a leaf
    that is missing.

    >>> from decklab.rubrics import parse_rubric
    >>> code = "def compute_score(): return '', 1"
    >>> leaf = {"name": "a", "scorer": {"type": "function", "function_code": code}}
    >>> tree = parse_rubric({"root": {"name": "all", "children": [leaf, leaf]}})
    >>> one, two = (path for path, _ in tree.leaves())
    >>> aggregate(tree, {one: 1.0, two: NotScored("no model")})["root"]
    Interval(low=0.5, high=1.0)
    """
    combine = _named(rule, weight)
    found: dict[str, Interval] = {}
    for path, node in reversed(list(rubric.nodes())):  # children before parents
        if node.is_leaf:
            score = leaves[path]
            found[path] = (
                Interval(0.0, 1.0) if isinstance(score, NotScored) else Interval(score, score)
            )
        else:
            parts = [found[f"{path}.children[{i}]"] for i in range(len(node.children))]
            found[path] = Interval(
                _combined(combine, node, [part.low for part in parts]),
                _combined(combine, node, [part.high for part in parts]),
            )
    return found


def _named(rule: str, weight: float) -> Rule:
    chosen = RULES[rule]
    return partial(weighted_penalty, weight=weight) if chosen is weighted_penalty else chosen


def _combined(rule: Rule, node: Node, scores: Sequence[float]) -> float:
    pairs = list(zip(node.children, scores, strict=True))
    return rule(
        [score for child, score in pairs if child.is_critical],
        [score for child, score in pairs if not child.is_critical],
    )


def recorded_root(rubric: Rubric, *, weight: float = NON_CRITICAL_WEIGHT) -> float | None:
    """The root that the recorded scores of the leaves give by the published rule.

    None where a leaf has none.
    """
    scores = {path: leaf.score for path, leaf in rubric.leaves()}
    known = {path: score for path, score in scores.items() if score is not None}
    if len(known) < len(scores):
        return None
    return aggregate(rubric, known, weight=weight)["root"].low
