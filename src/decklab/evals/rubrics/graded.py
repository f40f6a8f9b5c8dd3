"""A rubric with the results of its leaves: scores, reasons, and what could not be scored; lists of
tasks in the format that PPT-Eval publishes, and the check of a folder of rubrics.

The score of a tree comes from those of its leaves, and is a range if some leaves have none. Rules
have names, so that a run can say which one it used: ``ppteval`` (paper 001, section 3.5.2),
``mind2web2`` (gate-then-average, which that section compares with, as the aggregation library of
its authors has it) and ``mind2web2-strict`` (as Mind2Web 2's own program has it).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from decklab.core.options import NON_CRITICAL_WEIGHT
from decklab.core.registry import Registry
from decklab.core.results import SAME, BoundedScore, NotScored, Tabular
from decklab.evals.rubrics.rubric import Rubric, RubricError, RubricNode, load_rubric, read_json

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
    ranges: dict[str, ScoreRange] = {}
    for path, node in reversed(list(rubric.nodes())):  # children before parents
        if node.is_leaf:
            score = leaves[path]
            ends = (0.0, 1.0) if isinstance(score, NotScored) else (score, score)
            ranges[path] = ScoreRange(*ends)
        else:
            parts = [ranges[f"{path}.children[{i}]"] for i in range(len(node.children))]
            ranges[path] = _possible(combine, node, parts)
    return ranges


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
        ends += _mean_ends(others) if others else [1.0]
    if all(part.high > 0.0 for part in critical) and any(part.low < 1.0 for part in critical):
        ends += _mean_ends([*critical, *others])
    return ScoreRange(min(ends), max(ends))


def _mean_ends(parts: Sequence[ScoreRange]) -> list[float]:
    return [_mean([part.low for part in parts]), _mean([part.high for part in parts])]


def recorded_root(rubric: Rubric, *, weight: float = NON_CRITICAL_WEIGHT) -> float | None:
    """The root that the recorded scores of the leaves give by the published rule.

    None if a leaf has none.
    """
    scores = {path: leaf.score for path, leaf in rubric.leaves()}
    known = {path: score for path, score in scores.items() if score is not None}
    return None if len(known) < len(scores) else aggregate(rubric, known, weight=weight)["root"].low


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
    """The result of one leaf's run: its score (0 to 1) with a reason, or why there is none."""

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
    """1-based number in the original deck; None if the deck as a whole is harmed."""
    what: str
    loss: float
    """The audience's loss by it, in things of a slide: 1 for a text, a cell or a picture that
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
    """Text of the edited deck, and not of the original, that speaks to a judge, if one was
    asked."""

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
            facts = {"path": node.path, "name": node.name, "critical": node.is_critical}
            facts |= {"score": node.low if known else None}
            rest = ("low", "high", "reason", "not_scored")
            yield facts | {name: getattr(node, name) for name in rest}

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
        """Whether the task was done perfectly; None if that is open."""
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
    ranges = aggregate(rubric, scores, rule=rule, weight=weight)

    def build(node: RubricNode, path: str) -> GradedNode:
        result = leaves.get(path, LeafResult(0.0))
        unscored = isinstance(result.score, NotScored)
        return GradedNode(
            path=path,
            name=node.name,
            description=node.description,
            is_critical=node.is_critical,
            low=ranges[path].low,
            high=ranges[path].high,
            reason=result.reason if node.is_leaf else "",
            not_scored=result.score.reason if isinstance(result.score, NotScored) else None,
            seconds=result.seconds if node.is_leaf or unscored else 0.0,
            asked=result.asked if node.is_leaf else (),
            children=tuple(
                build(child, f"{path}.children[{i}]") for i, child in enumerate(node.children)
            ),
        )

    return GradedTree(build(rubric.root, "root"), rule, weight, seconds or {})


REGISTRY_NAME = "tasks.json"
"""File name of a published list of tasks."""


@dataclass(frozen=True)
class RubricTask:
    """One task: the request, its deck, and the rubric that grades the result."""

    name: str
    goal: str
    file_path: str
    """The deck, relative to the folder that holds the registry's folder."""
    rubric_path: str
    """The rubric, likewise."""
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard`` in the published list; None if it does not say."""
    tags: tuple[str, ...] = ()
    misc: Mapping[str, Any] = field(default_factory=dict)


def load_tasks(path: str | Path) -> tuple[RubricTask, ...]:
    """All tasks of a ``tasks.json`` with their rubrics, in its order, or an error.

    Paths in the list are relative to the folder above the one it lies in. A task that cannot be
    loaded is never left out: RubricError names it.
    """
    path = Path(path)
    data = read_json(path)
    if not isinstance(data, dict):
        raise RubricError(path, "a list of tasks is an object with one task a name")
    if not data:
        raise RubricError(path, "lists no tasks")
    return tuple(_task(path, name, entry) for name, entry in data.items())


def _task(path: Path, name: str, entry: Any) -> RubricTask:
    if not isinstance(entry, dict):
        raise RubricError(path, "a task is an object", name)
    misc = entry.get("misc") or {}
    tags = entry.get("tags") or []
    if not isinstance(misc, dict) or not isinstance(tags, list):
        raise RubricError(path, "'misc' is an object and 'tags' a list", name)
    rubric_path = _text(path, name, entry, "rubric_path")
    difficulty = misc.get("difficulty")
    return RubricTask(
        name=name,
        goal=_text(path, name, entry, "goal"),
        file_path=_text(path, name, entry, "file_path"),
        rubric_path=rubric_path,
        rubric=load_rubric(_inside(path, name, rubric_path)),
        difficulty=difficulty if isinstance(difficulty, str) else None,
        tags=tuple(map(str, tags)),
        misc=misc,
    )


def _inside(path: Path, name: str, relative: str) -> Path:
    """A file named in the list; never one outside the folder above it."""
    above = path.resolve().parent.parent
    if not (target := (above / relative).resolve()).is_relative_to(above):
        raise RubricError(path, f"{relative!r} leads out of the folder {above}", name)
    return target


def _text(path: Path, name: str, entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise RubricError(path, f"{key!r} is missing or no text", name)
    return value


@dataclass(frozen=True)
class RubricCheck:
    """The result of checking a folder.

    ``trees`` and ``leaves`` count what could be loaded, ``recorded`` the trees whose leaves and
    root all have a recorded score. ``mismatches`` names the trees whose recorded root differs from
    the score that the leaves give, ``problems`` the files that could not be loaded: one line each,
    with file and node.
    """

    trees: int
    leaves: int
    recorded: int
    mismatches: tuple[str, ...]
    problems: tuple[str, ...]

    def counts(self, recorded: bool) -> dict[str, int]:
        """The counts by name; those of recorded scores only where these were compared."""
        counts = {"trees": self.trees, "leaves": self.leaves}
        if recorded:
            counts |= {"recorded": self.recorded, "mismatches": len(self.mismatches)}
        return counts

    def sentence(self, recorded: bool) -> str:
        """The same in words."""
        words = f"{self.trees} trees with {self.leaves} leaves load."
        if recorded:
            words += (
                f" {self.recorded} carry all recorded scores; {len(self.mismatches)} of them do "
                "not add up."
            )
        return words


def check_folder(path: str | Path, *, weight: float = NON_CRITICAL_WEIGHT) -> RubricCheck:
    """Check a rubric file, or all JSON files in a folder and below.

    A file named ``tasks.json`` is a list of tasks: it must load, with the rubrics it names; every
    other JSON file must be a rubric. Raises RubricError if there is none.
    """
    rubrics: list[Rubric] = []
    problems: list[str] = []
    if not (files := list(_files(Path(path)))):
        raise RubricError(path, "holds no rubrics (JSON files)")
    for file in files:
        try:
            if file.name == REGISTRY_NAME:
                load_tasks(file)
            else:
                rubrics.append(load_rubric(file))
        except RubricError as error:
            problems.append(str(error))
    recorded, mismatches = 0, []
    for rubric in rubrics:
        score, computed = rubric.root.score, recorded_root(rubric, weight=weight)
        if score is None or computed is None:
            continue
        recorded += 1
        if abs(computed - score) > SAME:
            said = f"root: recorded {score!r}, its leaves give {computed!r}"
            mismatches.append(f"{rubric.path}: {said}")
    leaves = sum(len(rubric.leaves()) for rubric in rubrics)
    faults = tuple(mismatches), tuple(dict.fromkeys(problems))
    return RubricCheck(len(rubrics), leaves, recorded, *faults)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() == ".json" and file.is_file() and not file.name.startswith(".")
    )
