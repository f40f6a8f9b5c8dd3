"""Rubrics load as they are published, and what is wrong with others is said with its place."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.evals.rubrics.conftest import FULL, leaf

from decklab.evals.rubrics.rubric import (
    FunctionScorer,
    LlmScorer,
    RubricError,
    load_rubric,
    parse_rubric,
    to_json,
)


def test_everything_a_published_file_says_is_kept(published: dict[str, Any]) -> None:
    rubric = parse_rubric(published)
    assert [path for path, _ in rubric.nodes()] == [
        "root", "root.children[0]", "root.children[1]", "root.children[1].children[0]",
        "root.children[1].children[1]",
    ]  # fmt: skip
    first = rubric.root.children[0]
    assert (first.is_critical, first.score, first.reason) == (True, 1.0, "**PASS**")
    assert first.scorer == FunctionScorer(FULL)
    assert [path for path, _ in rubric.leaves()] == [
        "root.children[0]", "root.children[1].children[0]", "root.children[1].children[1]",
    ]  # fmt: skip
    assert rubric.metadata["non_critical_weight"] == 0.3


def test_a_rubric_written_and_read_again_is_the_same(published: dict[str, Any]) -> None:
    rubric = parse_rubric(published)
    assert parse_rubric(to_json(rubric)) == rubric


def test_leaves_scored_by_a_model_keep_their_prompts() -> None:
    scorer = {"type": "llm", "system_prompt": "You judge.", "user_prompt": "{{ ppt_diff }}"}
    rubric = parse_rubric({"root": {"name": "all", "scorer": scorer}})
    assert rubric.root.scorer == LlmScorer("You judge.", "{{ ppt_diff }}")


def test_what_may_lack_may_lack_and_nulls_count_as_lacking() -> None:
    bare: dict[str, Any] = {
        "name": "a", "children": [], "score": None, "reason": None, "metadata": None,
        "scorer": {"type": "function", "function_code": FULL},
    }  # fmt: skip
    node = parse_rubric({"root": bare}).root
    assert (node.description, node.is_critical, node.score, node.children) == ("", False, None, ())


def test_keys_of_others_are_kept_beside_the_metadata() -> None:
    data = {"root": leaf(metadata={"a": 1}, annotator="B"), "source": "here"}
    rubric = parse_rubric(data)
    assert rubric.root.metadata == {"a": 1, "annotator": "B"}
    assert rubric.metadata == {"source": "here"}


def test_code_in_a_markdown_fence_is_taken_out_of_it() -> None:
    rubric = parse_rubric({"root": leaf(f"```python\n{FULL}```")})
    assert rubric.root.scorer == FunctionScorer(FULL.rstrip("\n"))


def broken(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], Any]:
    def apply(data: dict[str, Any]) -> Any:
        data = copy.deepcopy(data)
        change(data)
        return data

    return apply


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("root"), "r.json: has no 'root', so it is no rubric"),
        (lambda d: d.update(root=[]), "r.json: root: a node is an object, not a list"),
        (lambda d: d["root"].pop("name"), "r.json: root: has no 'name'"),
        (lambda d: d["root"].update(name=" "), "r.json: root: 'name' is empty"),
        (
            lambda d: d["root"]["children"][1]["children"][0].pop("scorer"),
            "r.json: root.children[1].children[0]: has neither children nor a scorer",
        ),
        (
            lambda d: d["root"].update(scorer=leaf()["scorer"]),
            "r.json: root: has both children and a scorer",
        ),
        (
            lambda d: d["root"]["children"][0].update(is_critical="yes"),
            "r.json: root.children[0]: 'is_critical' is text, not true or false",
        ),
        (
            lambda d: d["root"]["children"][0].update(is_critcal=True),
            "r.json: root.children[0]: unknown key 'is_critcal'; did you mean 'is_critical'?",
        ),
        (
            lambda d: d["root"]["children"][0].update(score=1.5),
            "r.json: root.children[0]: 'score' is 1.5, not between 0 and 1",
        ),
        (
            lambda d: d["root"]["children"][0].update(score=True),
            "r.json: root.children[0]: 'score' is true, not a number",
        ),
        (
            lambda d: d["root"]["children"][0]["scorer"].update(type="script"),
            "r.json: root.children[0].scorer: 'type' is 'script', neither 'function' nor 'llm'",
        ),
        (
            lambda d: d["root"]["children"][0]["scorer"].pop("function_code"),
            "r.json: root.children[0].scorer: has no 'function_code'",
        ),
        (
            lambda d: d["root"]["children"][0]["scorer"].update(function_code="def f(:"),
            "r.json: root.children[0].scorer.function_code: is not Python: invalid syntax (line 1)",
        ),
        (
            lambda d: d["root"]["children"][0]["scorer"].update(function_code="x = 1"),
            "r.json: root.children[0].scorer.function_code: does not define compute_score",
        ),
        (
            lambda d: d["root"].update(children={}),
            "r.json: root: 'children' is an object, not a list",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_node(
    published: dict[str, Any], change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(RubricError) as caught:
        parse_rubric(broken(change)(published), "r.json")
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no rubric file"),
        (b"\xff\xfe{}", "JSON in UTF-8 expected"),
        (b'{"root": NaN}', "NaN is no number of JSON"),
        (b'{"root": 1, "root": 2}', "key 'root' stands twice in one object"),
        (b"[" * 100_000, "is nested too deep"),
        (b"[]", "a rubric is an object, not a list"),
    ],
)
def test_files_that_are_no_rubric_are_told_by_name(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    with pytest.raises(RubricError, match=r"r\.json: ") as caught:
        load_rubric(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match="cannot be read: No such file"):
        load_rubric(tmp_path / "none.json")


def test_trees_without_end_are_refused() -> None:
    node: dict[str, Any] = leaf()
    for _ in range(60):
        node = {"name": "n", "children": [node]}
    with pytest.raises(RubricError, match="deeper than 50 levels"):
        parse_rubric({"root": node})


@pytest.mark.shared
def test_every_published_rubric_loads_and_is_kept_whole(shared: Path) -> None:
    paths = sorted((shared / "ppteval/task_registry/rubrics").glob("*.json"))
    assert len(paths) == 60
    for path in paths:
        data = json.loads(path.read_text())
        assert to_json(load_rubric(path)) == data
