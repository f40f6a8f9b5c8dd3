"""Reasons of inner nodes: the template, and what a model is shown and may do."""

from typing import Any

import pytest
from tests.evals.rubrics.conftest import inner, leaf, tree

from decklab.core.errors import ModelError, ModelFailed, ModelUnavailable
from decklab.core.results import NotScored
from decklab.evals.rubrics.grade import explained
from decklab.evals.rubrics.graded import GradedTree, LeafResult, graded
from decklab.models.asking import ModelReply


def made(*results: LeafResult) -> GradedTree:
    """Two critical leaves below a critical branch, and one that is not."""
    rubric = tree(
        inner(leaf(critical=True), leaf(critical=True), critical=True), leaf(description="calm")
    )
    paths = [path for path, _ in rubric.leaves()]
    return graded(rubric, dict(zip(paths, results, strict=True)))


DONE = LeafResult(1.0, "as asked")


def test_all_met_is_said_in_a_line() -> None:
    tree_ = explained(made(DONE, DONE, DONE))
    assert tree_.root.reason == "All 2 parts are met."
    assert tree_.root.children[0].reason == "All 2 parts are met."
    assert tree_.passed


def test_what_falls_short_is_named_with_its_own_reason() -> None:
    tree_ = explained(made(DONE, LeafResult(0.0, "no box on\nslide 3."), LeafResult(0.5, "moved")))
    branch = tree_.root.children[0]
    assert branch.reason == "1 of 2 parts are met. Falls short: leaf (no box on slide 3)."
    assert tree_.root.reason == (
        "1 of 2 parts are met. Falls short: leaf (no box on slide 3). Points lost on the side: "
        "leaf (moved)."
    )
    assert tree_.passed is False


def test_what_could_not_be_scored_is_told_from_what_failed() -> None:
    tree_ = explained(made(DONE, LeafResult(NotScored("needs a model: none was named")), DONE))
    assert "Not scored: leaf (needs a model: none was named)." in tree_.root.children[0].reason
    assert tree_.root.children[0].reason.startswith("1 of 2 parts are met, 1 open.")
    assert tree_.root.reason == tree_.root.children[0].reason
    assert (tree_.root.low, tree_.root.high, tree_.passed) == (0.5, 1.0, None)
    assert isinstance(tree_.score, NotScored)
    assert tree_.to_json()["score"] is None


def test_one_critical_leaf_is_named() -> None:
    rubric = tree(leaf(critical=True), leaf())
    paths = [path for path, _ in rubric.leaves()]
    half = graded(rubric, dict(zip(paths, (LeafResult(0.5, "half of it"), DONE), strict=True)))
    assert explained(half).root.reason == (
        "The one critical part is not fully met. Falls short: leaf (half of it)."
    )


def test_long_reasons_are_cut() -> None:
    tree_ = explained(made(LeafResult(0.0, "word " * 500), DONE, DONE))
    assert len(tree_.root.reason) < 600
    assert "…" in tree_.root.reason


def test_a_model_words_each_inner_node_from_the_leaves_upward() -> None:
    asked: list[str] = []

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        return ModelReply(f"  Because\nof {len(asked)}. ")

    tree_ = explained(made(DONE, LeafResult(0.0, "no box"), DONE), ask)
    assert [tree_.root.children[0].reason, tree_.root.reason] == ["Because of 1.", "Because of 2."]
    assert tree_.root.children[1].reason == "as asked"
    branch, root = asked
    assert "finding: no box" in branch and "* leaf [critical]" in branch
    assert "finding: Because of 1." in root and "* leaf [non-critical]" in root
    assert "Score: 0.50 of 1" in root and "0.3 times" in root


@pytest.mark.parametrize("failure", [ModelFailed("m", "slow"), ModelUnavailable("m", "no key")])
def test_a_model_that_does_not_answer_leaves_the_template(failure: ModelError) -> None:
    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        raise failure

    assert explained(made(DONE, DONE, DONE), ask).root.reason == "All 2 parts are met."


def test_a_model_is_not_asked_why_an_open_score_came_about() -> None:
    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        raise AssertionError(prompt)

    open_ = LeafResult(NotScored("time-out"))
    rubric = tree(leaf(critical=True), leaf())
    results = {path: open_ for path, _ in rubric.leaves()}
    assert explained(graded(rubric, results), ask).root.reason
