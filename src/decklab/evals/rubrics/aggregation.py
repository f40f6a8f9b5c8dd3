"""The score of a tree from the scores of its leaves; a range where some leaves have none.

Rules have names, so that a run can say which one it used: ``ppteval`` (paper 001, section 3.5.2),
``mind2web2`` (gate-then-average, which that section compares with, as the aggregation library of
its authors has it) and ``mind2web2-strict`` (as Mind2Web 2's own program has it).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from decklab.core.options import NON_CRITICAL_WEIGHT
from decklab.core.registry import Registry
from decklab.core.results import NotScored
from decklab.evals.rubrics.rubric import Rubric, RubricNode

Rule = Callable[[Sequence[float], Sequence[float]], float]
"""Scores of the critical and of the non-critical children, each 0 to 1, to that of their parent.
A rule never falls where a child's score rises, but for ``soft_gate``; intervals rest on that."""

RULES: Registry[Rule] = Registry("aggregation rule")
"""Aggregation rules by name."""


def weighted_penalty(
    critical: Sequence[float], non_critical: Sequence[float], *, weight: float = NON_CRITICAL_WEIGHT
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


def soft_gate(critical: Sequence[float], non_critical: Sequence[float]) -> float:
    """The rule ``mind2web2`` of ai-rubric 0.2.5, the aggregation library of PPT-Eval.

    Any critical child at 0 makes 0. Where all of them are at 1 the score is the mean of the
    others, or 1 without others. Critical children in between neither close the gate nor open it:
    then, and without critical children, the score is the mean of all. So it can fall where a
    critical child rises to 1. Raises ValueError without children.

    >>> soft_gate([1.0, 0.0], [1.0]), soft_gate([1.0], [0.5, 1.0]), soft_gate([0.5], [1.0])
    (0.0, 0.75, 0.75)
    """
    if critical and min(critical) == 0.0:
        return 0.0
    if critical and min(critical) == 1.0:
        return _mean(non_critical) if non_critical else 1.0
    return _mean([*critical, *non_critical])


def gate_then_average(critical: Sequence[float], non_critical: Sequence[float]) -> float:
    """The rule of Mind2Web 2's own program: any critical child short of 1 makes 0, else the mean
    of the others.

    Without non-critical children a passed gate gives 1. Its leaves score 0 or 1 and its critical
    nodes have critical children only, so that there nothing critical is ever in between. Its
    sequential nodes, which skip what follows a failure, have no counterpart in PPT-Eval's format.
    Raises ValueError without children.

    >>> gate_then_average([1.0, 0.9], [1.0]), gate_then_average([1.0], [0.5, 1.0])
    (0.0, 0.75)
    """
    if not critical:
        return _mean(non_critical)
    if min(critical) < 1.0:
        return 0.0
    return _mean(non_critical) if non_critical else 1.0


RULES.register("ppteval", weighted_penalty)
RULES.register("mind2web2", soft_gate)
RULES.register("mind2web2-strict", gate_then_average)


def _mean(scores: Sequence[float]) -> float:
    if not scores:
        raise ValueError("a node without children has no score")
    return sum(scores) / len(scores)


@dataclass(frozen=True)
class ScoreRange:
    """The lowest and the highest score still possible, 0 to 1; equal where the score is known."""

    low: float
    high: float

    @property
    def exact(self) -> float | None:
        """The score; None where it is not known."""
        return self.low if self.low == self.high else None


def aggregate(
    rubric: Rubric,
    leaves: Mapping[str, float | NotScored],
    *,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
) -> dict[str, ScoreRange]:
    """The score of every node, by its path as ``Rubric.nodes`` gives it.

    ``leaves`` maps the path of each leaf to its score or why it has none; ``weight`` is lambda of
    the rule ``ppteval``. A leaf that was not scored may yet have any score from 0 to 1, and the
    intervals of its ancestors are just what that leaves possible: rules only rise, and no leaf
    counts twice, so both ends are reached (with ``mind2web2`` reached or come near to, as that
    rule leaps where a critical child gets to 0 or 1). Raises UnknownName for a rule, KeyError for
    a leaf that is missing.

    >>> from decklab.evals.rubrics.rubric import parse_rubric
    >>> code = "def compute_score(): return '', 1"
    >>> leaf = {"name": "a", "scorer": {"type": "function", "function_code": code}}
    >>> tree = parse_rubric({"root": {"name": "all", "children": [leaf, leaf]}})
    >>> one, two = (path for path, _ in tree.leaves())
    >>> aggregate(tree, {one: 1.0, two: NotScored("no model")})["root"]
    ScoreRange(low=0.5, high=1.0)
    """
    combine = _named(rule, weight)
    found: dict[str, ScoreRange] = {}
    for path, node in reversed(list(rubric.nodes())):  # children before parents
        if node.is_leaf:
            score = leaves[path]
            found[path] = (
                ScoreRange(0.0, 1.0) if isinstance(score, NotScored) else ScoreRange(score, score)
            )
        else:
            parts = [found[f"{path}.children[{i}]"] for i in range(len(node.children))]
            found[path] = _possible(combine, node, parts)
    return found


def _named(rule: str, weight: float) -> Rule:
    chosen = RULES[rule]
    return partial(weighted_penalty, weight=weight) if chosen is weighted_penalty else chosen


def _possible(rule: Rule, node: RubricNode, parts: Sequence[ScoreRange]) -> ScoreRange:
    pairs = list(zip(node.children, parts, strict=True))
    critical = [part for child, part in pairs if child.is_critical]
    others = [part for child, part in pairs if not child.is_critical]
    if rule is soft_gate and critical:
        return _after_soft_gate(critical, others)
    low, high = (
        rule([getattr(part, end) for part in critical], [getattr(part, end) for part in others])
        for end in ("low", "high")
    )
    return ScoreRange(low, high)


def _after_soft_gate(critical: Sequence[ScoreRange], others: Sequence[ScoreRange]) -> ScoreRange:
    """The range over all states of the gate: shut, open, or neither.

    A child can have every score of its interval but single ones, and its ends where these are 0 or
    1; between two different ends there is always another score.
    """
    ends: list[float] = []
    if any(part.low == 0.0 for part in critical):
        ends.append(0.0)
    if all(part.high == 1.0 for part in critical):
        ends += (
            [_mean([part.low for part in others]), _mean([part.high for part in others])]
            if others
            else [1.0]
        )
    if all(part.high > 0.0 for part in critical) and any(part.low < 1.0 for part in critical):
        every = [*critical, *others]
        ends += [_mean([part.low for part in every]), _mean([part.high for part in every])]
    return ScoreRange(min(ends), max(ends))


def recorded_root(rubric: Rubric, *, weight: float = NON_CRITICAL_WEIGHT) -> float | None:
    """The root that the recorded scores of the leaves give by the published rule.

    None where a leaf has none.
    """
    scores = {path: leaf.score for path, leaf in rubric.leaves()}
    known = {path: score for path, score in scores.items() if score is not None}
    if len(known) < len(scores):
        return None
    return aggregate(rubric, known, weight=weight)["root"].low
