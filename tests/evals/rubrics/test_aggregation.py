"""Scores of trees: by hand, against recorded ones, and by trying out all that is possible."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals.rubrics.conftest import inner, leaf, tree
from tests.evals.rubrics.library_golden import BY_HAND, GOLDEN, WEIGHTS
from tests.examples import examples

from decklab.core.errors import UnknownName
from decklab.core.results import NotScored
from decklab.evals.rubrics.graded import (
    RULES,
    Rule,
    ScoreRange,
    aggregate,
    gate_then_average,
    recorded_root,
    soft_gate,
    weighted_penalty,
)
from decklab.evals.rubrics.rubric import Rubric, load_rubric


def scored(rubric: Rubric, *scores: float | NotScored, rule: str = "ppteval") -> ScoreRange:
    paths = [path for path, _ in rubric.leaves()]
    return aggregate(rubric, dict(zip(paths, scores, strict=True)), rule=rule)["root"]


def test_the_figure_of_the_paper_by_hand() -> None:
    """Two of three critical parts done and nothing else touched: 2/3, and 0 behind a gate."""
    rubric = tree(*[leaf(critical=True)] * 3, leaf())
    assert scored(rubric, 1, 1, 0, 1).low == pytest.approx(2 / 3)
    assert scored(rubric, 1, 1, 0, 1, rule="mind2web2").high == 0


def test_failing_all_that_is_not_critical_costs_lambda_and_no_score_is_negative() -> None:
    assert weighted_penalty([1.0], [0.0]) == pytest.approx(0.7)
    assert weighted_penalty([0.2], [0.0]) == 0
    assert weighted_penalty([1.0, 0.5], [0.5], weight=0.5) == pytest.approx(0.5)


def test_children_of_one_kind_are_averaged() -> None:
    assert weighted_penalty([1.0, 0.0], []) == weighted_penalty([], [1.0, 0.0]) == 0.5


@pytest.mark.parametrize("gate", [gate_then_average, soft_gate])
def test_the_gate_of_mind2web2(gate: Rule) -> None:
    assert gate([1, 1], []) == 1
    assert gate([1, 0], [1]) == 0
    assert gate([], [1, 0]) == 0.5
    assert gate([1], [1, 0]) == 0.5


def test_partial_critical_scores_are_averaged_with_all_or_shut_the_gate() -> None:
    assert soft_gate([0.5, 1.0], [0.0]) == 0.5
    assert soft_gate([0.5], []) == 0.5
    assert gate_then_average([0.5, 1.0], [0.0]) == gate_then_average([0.5], []) == 0


def test_more_of_a_critical_part_can_make_less_behind_the_soft_gate() -> None:
    assert soft_gate([0.9], [0.0]) == 0.45 > soft_gate([1.0], [0.0]) == 0


@pytest.fixture(scope="module")
def golden() -> list[Any]:
    found: list[Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))["trees"]
    return found


def test_scores_are_those_of_the_published_library(golden: list[Any]) -> None:
    assert [root for root, _default, _gate in golden[: len(BY_HAND)]] == BY_HAND
    assert len(golden) > 200
    for root, default, gate in golden:
        rubric, scores = rebuilt(root)
        for weight, value in zip(WEIGHTS, default, strict=True):
            assert aggregate(rubric, scores, weight=weight)["root"].low == pytest.approx(value)
        found = aggregate(rubric, scores, rule="mind2web2")["root"]
        assert found.low == pytest.approx(gate)
        assert found.high == pytest.approx(gate)


def rebuilt(root: Any) -> tuple[Rubric, dict[str, float | NotScored]]:
    """A tree as the golden file spells it; a root that is a leaf stands below another node."""
    given: list[float] = []

    def node(one: Any) -> dict[str, Any]:
        critical, content = one
        if isinstance(content, list):
            return inner(*map(node, content), critical=critical)
        given.append(content)
        return leaf(critical=critical)

    rubric = tree(node(root))
    return rubric, dict(zip((path for path, _ in rubric.leaves()), given, strict=True))


@pytest.mark.parametrize("rule", list(RULES))
def test_a_node_without_children_has_no_score(rule: str) -> None:
    with pytest.raises(ValueError, match="without children"):
        RULES[rule]([], [])


def test_a_rule_that_is_none_is_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'ppteval'"):
        scored(tree(leaf()), 1.0, rule="pptval")


def test_an_unknown_leaf_behind_a_closed_gate_leaves_nothing_open() -> None:
    rubric = tree(leaf(critical=True), leaf())
    gap = NotScored("no model")
    assert scored(rubric, 0.0, gap, rule="mind2web2") == ScoreRange(0.0, 0.0)
    assert scored(rubric, gap, 1.0, rule="mind2web2") == ScoreRange(0.0, 1.0)
    assert scored(rubric, gap, 0.0, rule="mind2web2") == ScoreRange(0.0, 0.5)
    assert scored(rubric, gap, 0.0, rule="mind2web2-strict") == ScoreRange(0.0, 0.0)
    near: Any = pytest.approx(0.7)
    assert scored(rubric, 1.0, gap) == ScoreRange(near, 1.0)


TINY = 1e-9
"""As near to an end as a score is tried: behind the soft gate it is reached from one side."""


@st.composite
def trees(draw: st.DrawFn) -> tuple[Rubric, list[float | None]]:
    nodes = st.recursive(
        st.builds(lambda critical: leaf(critical=critical), st.booleans()),
        lambda below: st.builds(
            lambda children, critical: inner(*children, critical=critical),
            st.lists(below, min_size=1, max_size=3),
            st.booleans(),
        ),
        max_leaves=7,
    )
    rubric = tree(*draw(st.lists(nodes, min_size=1, max_size=3)))
    known = st.sampled_from((None, None, 0.0, 0.25, 0.5, 1.0))
    scores = draw(st.lists(known, min_size=len(rubric.leaves()), max_size=len(rubric.leaves())))
    for place in [i for i, score in enumerate(scores) if score is None][4:]:
        scores[place] = 1.0
    return rubric, scores


def possible(rubric: Rubric, scores: list[float | None], rule: str) -> Iterator[float]:
    """The root for every way to fill the gaps from a grid, by a plain recursion of its own."""

    def value(node: Any, given: Iterator[float]) -> float:
        if node.is_leaf:
            return next(given)
        parts = [(child.is_critical, value(child, given)) for child in node.children]
        core = [score for critical, score in parts if critical]
        rest = [score for critical, score in parts if not critical]
        if rule != "ppteval" and core:
            if (any(one < 1 for one in core) and rule == "mind2web2-strict") or 0.0 in core:
                return 0.0
            if all(one == 1 for one in core):
                return sum(rest) / len(rest) if rest else 1.0
            return sum(core + rest) / len(core + rest)
        if core and rest:
            return max(0.0, sum(core) / len(core) - 0.3 * (1 - sum(rest) / len(rest)))
        return sum(core + rest) / len(core + rest)

    gaps = scores.count(None)
    for filling in itertools.product((0.0, TINY, 0.5, 1 - TINY, 1.0), repeat=gaps):
        fill = iter(filling)
        yield value(rubric.root, iter([next(fill) if s is None else s for s in scores]))


@examples(150)
@given(trees(), st.sampled_from(("ppteval", "mind2web2", "mind2web2-strict")))
def test_intervals_are_just_what_filling_the_gaps_can_give(
    drawn: tuple[Rubric, list[float | None]], rule: str
) -> None:
    rubric, scores = drawn
    found = scored(rubric, *[NotScored("?") if s is None else s for s in scores], rule=rule)
    values = list(possible(rubric, scores, rule))
    assert found.low == pytest.approx(min(values), abs=10 * TINY)
    assert found.high == pytest.approx(max(values), abs=10 * TINY)


@pytest.mark.shared
def test_recorded_roots_come_out_as_recorded(shared: Path) -> None:
    paths = sorted((shared / "ppteval/task_registry/rubrics").glob("*.json"))
    found = [(load_rubric(path), json.loads(path.read_text())["root"]) for path in paths]
    compared = [
        (recorded_root(rubric), root["score"])
        for rubric, root in found
        if recorded_root(rubric) is not None
    ]
    assert len(compared) == 24
    for ours, recorded in compared:
        assert ours == pytest.approx(recorded, abs=1e-9)
