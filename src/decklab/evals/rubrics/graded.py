"""A rubric with the results of its leaves: scores, reasons, and what could not be scored."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from decklab.core.options import NON_CRITICAL_WEIGHT
from decklab.core.results import SAME, BoundedScore, NotScored, Tabular
from decklab.evals.rubrics.aggregation import aggregate
from decklab.evals.rubrics.rubric import Rubric, RubricNode


@dataclass(frozen=True)
class ModelCall:
    """One question that a leaf put to a model, as the host logged it; long texts are cut."""

    prompt: str
    images: int
    size: int
    """Bytes of the prompt and its pictures together."""
    answer: str = ""
    failed: str = ""
    """Why there is no answer, in a line."""
    seconds: float = 0.0


@dataclass(frozen=True)
class LeafResult:
    """What running one leaf gave: its score (0 to 1) with a reason, or why there is none."""

    score: float | NotScored
    reason: str = ""
    seconds: float = 0.0
    """Time of the leaf's own code, in seconds."""
    asked: tuple[ModelCall, ...] = ()
    """The questions that it asked a model, in order."""


@dataclass(frozen=True)
class GradedNode(BoundedScore):
    """One criterion with its result.

    ``low`` and ``high`` are the least and the greatest score still possible, 0 to 1; they differ if
    a leaf below was not scored. ``not_scored`` is the cause, on such a leaf only.
    """

    path: str
    name: str
    description: str
    is_critical: bool
    low: float
    high: float
    reason: str = ""
    not_scored: str | None = None
    seconds: float = 0.0
    asked: tuple[ModelCall, ...] = ()
    children: tuple["GradedNode", ...] = ()

    @property
    def score(self) -> float | NotScored:
        """The score, or why it is open."""
        if self.not_scored is not None:
            return NotScored(self.not_scored)
        if not self.open:
            return self.low
        causes = sorted({leaf.not_scored for leaf in self.leaves() if leaf.not_scored})
        return NotScored(f"between {self.low:.3g} and {self.high:.3g}: {'; '.join(causes)}")

    def nodes(self) -> Iterator["GradedNode"]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def leaves(self) -> list["GradedNode"]:
        """The leaves below this node, or the node itself where it is one."""
        return [node for node in self.nodes() if not node.children]


@dataclass(frozen=True)
class Harm:
    """One damage to content outside the task, or one part of the work that nobody can see."""

    slide: int | None
    """1-based number in the original deck; None where the deck as a whole is harmed."""
    what: str
    loss: float
    """What an audience loses by it, in things of a slide: 1 for a text, a cell or a picture that
    is gone; 0 if it is only reported."""


RUIN: Final = 9.0
"""Loss, in things of a slide, that leaves nothing of a score. Ours: nine wrong cells beside the
task cost no less than a wrong one that was asked for, even where the task asks for no other."""


@dataclass(frozen=True)
class Damage:
    """Damage outside the task, and how much of the edit's own work is seen."""

    harms: tuple[Harm, ...]
    loss: float
    """Sum of all losses, of each slide no more than it has; in things of a slide."""
    work: float
    """Share of the changed or added content meant to be seen that is seen, 0 to 1."""

    @property
    def factor(self) -> float:
        """Factor for the score: 1 if nothing was damaged and all work is seen, 0 from a loss of
        ``RUIN`` on."""
        return max(0.0, 1.0 - self.loss / RUIN) * self.work


@dataclass(frozen=True)
class GradedTree(Tabular):
    """A graded rubric: its nodes, the rule they were joined by, and where the time went."""

    root: GradedNode
    rule: str = "ppteval"
    weight: float = NON_CRITICAL_WEIGHT
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Seconds spent per phase: ``snapshot``, ``diff``, ``pictures``, ``model``, ``sandbox`` (all
    the rest of running leaves, its start included) and ``total``."""

    damage: Damage | NotScored | None = None
    """Damage outside the task, or why it is not known; None if it was not looked for."""
    counted: bool = False
    """Whether the root's score was multiplied by the factor of the damage."""
    notes: tuple[str, ...] = ()
    """What of the edited deck, and not of the original, speaks to a judge, where one was asked."""

    @property
    def score(self) -> float | NotScored:
        """The score of the root, 0 to 1, or why it is open."""
        score = self.root.score
        if self.counted and isinstance(self.damage, NotScored) and isinstance(score, NotScored):
            return self.damage
        return score

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a criterion, parents first."""
        for node in self.root.nodes():
            known = not node.open and node.not_scored is None
            yield {
                "path": node.path, "name": node.name, "critical": node.is_critical,
                "score": node.low if known else None, "low": node.low, "high": node.high,
                "reason": node.reason, "not_scored": node.not_scored,
            }  # fmt: skip

    def with_damage(self, damage: Damage | NotScored, *, counted: bool) -> "GradedTree":
        """The same tree with its damage; with ``counted`` the damage lowers the root's score.

        If the damage is not known, any score from 0 on is still possible.
        """
        if not counted:
            return replace(self, damage=damage, counted=False)
        least, most = (0.0, 1.0) if isinstance(damage, NotScored) else (damage.factor,) * 2
        root = replace(self.root, low=self.root.low * least, high=self.root.high * most)
        if not isinstance(damage, NotScored) and damage.factor < 1 - SAME:
            sentence = (
                f"The rubric gives {self.root.high:.3g}; damage leaves {damage.factor:.0%} of it."
            )
            root = replace(root, reason=f"{root.reason} {sentence}".strip())
        return replace(self, root=root, damage=damage, counted=True)

    @property
    def passed(self) -> bool | None:
        """Whether the task was done perfectly; None where that is open."""
        if self.root.low >= 1 - SAME:
            return True
        return False if self.root.high < 1 - SAME else None

    def to_json(self) -> dict[str, Any]:
        """The tree as plain JSON; ``score`` is null where it is open."""
        return {
            "score": _value(self.root),
            "low": self.root.low,
            "high": self.root.high,
            "passed": self.passed,
            "rule": self.rule,
            "weight": self.weight,
            "seconds": dict(self.seconds),
            "damage": _damage_json(self.damage, self.counted),
            "notes": list(self.notes),
            "root": _node_json(self.root),
        }


def _damage_json(damage: Damage | NotScored | None, counted: bool) -> dict[str, Any] | None:
    if damage is None:
        return None
    if isinstance(damage, NotScored):
        return {"counted": counted, "not_scored": damage.reason}
    return {"counted": counted, "factor": damage.factor, **asdict(damage)}


def _value(node: GradedNode) -> float | None:
    score = node.score
    return None if isinstance(score, NotScored) else score


def _node_json(node: GradedNode) -> dict[str, Any]:
    data = {key: value for key, value in asdict(node).items() if key != "children"}
    data["score"] = _value(node)
    if node.children:
        data["children"] = [_node_json(child) for child in node.children]
    return data


def graded(
    rubric: Rubric,
    leaves: Mapping[str, LeafResult],
    *,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
    seconds: Mapping[str, float] | None = None,
) -> GradedTree:
    """The rubric with the results of its leaves, by path, and the scores they make.

    Inner nodes have no reason yet: see ``explained``. Raises UnknownName for a rule.
    """
    scores = {path: result.score for path, result in leaves.items()}
    found = aggregate(rubric, scores, rule=rule, weight=weight)

    def build(node: RubricNode, path: str) -> GradedNode:
        result = leaves.get(path, LeafResult(0.0))
        unscored = isinstance(result.score, NotScored)
        return GradedNode(
            path=path,
            name=node.name,
            description=node.description,
            is_critical=node.is_critical,
            low=found[path].low,
            high=found[path].high,
            reason=result.reason if node.is_leaf else "",
            not_scored=result.score.reason if isinstance(result.score, NotScored) else None,
            seconds=result.seconds if node.is_leaf or unscored else 0.0,
            asked=result.asked if node.is_leaf else (),
            children=tuple(
                build(child, f"{path}.children[{i}]") for i, child in enumerate(node.children)
            ),
        )

    return GradedTree(build(rubric.root, "root"), rule, weight, seconds or {})
