"""Leaves of rubrics as they are put together."""

import ast

from generate.ppteval.assembling import attempt_source, leaf_source


def test_a_leaf_carries_only_what_it_uses() -> None:
    source = leaf_source("return told(title_of(now(1)) == 'x', 'titled')")
    defined = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert defined == {"opened", "was", "deck_now", "now", "title_of", "told", "check",
                       "compute_score"}  # fmt: skip
    found: dict[str, object] = {"original_ppt_path": "", "modified_ppt_path": ""}
    exec(compile(source, "leaf", "exec"), found)
    assert callable(found["compute_score"])


def test_an_attempt_carries_only_what_it_uses() -> None:
    source = attempt_source("animate(deck.slides[0], [])")
    defined = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert defined == {"animate", "_entrance", "_held"}
    assert attempt_source("deck.slides[0]") == "deck.slides[0]"
