"""A folder of rubrics in numbers, and what is wrong in words."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.rubrics.conftest import leaf

from decklab.rubrics.checking import check_folder
from decklab.rubrics.errors import RubricError


def put(folder: Path, name: str, data: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(data))


def test_trees_leaves_and_recorded_ones_are_counted(
    tmp_path: Path, published: dict[str, Any]
) -> None:
    put(tmp_path / "deep", "a.json", published)
    put(tmp_path, "b.json", {"root": leaf()})
    found = check_folder(tmp_path)
    assert (found.trees, found.leaves, found.recorded) == (2, 4, 1)
    assert found.mismatches == found.problems == ()


def test_a_recorded_root_that_its_leaves_do_not_give_is_named(
    tmp_path: Path, published: dict[str, Any]
) -> None:
    published["root"]["score"] = 0.92500001
    put(tmp_path, "a.json", published)
    (said,) = check_folder(tmp_path).mismatches
    assert "a.json: root: recorded 0.92500001, its leaves give 0.925" in said


def test_all_files_that_do_not_load_are_named(tmp_path: Path) -> None:
    put(tmp_path, "a.json", {})
    put(tmp_path, "b.json", {"root": {"name": "b"}})
    put(tmp_path, "tasks.json", {"one": {}})
    found = check_folder(tmp_path)
    assert [problem.rsplit("/", 1)[1] for problem in found.problems] == [
        "a.json: has no 'root', so it is no rubric",
        "b.json: root: has neither children nor a scorer",
        "tasks.json: one: 'rubric_path' is missing or no text",
    ]


def test_a_folder_without_rubrics_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match="holds no rubrics"):
        check_folder(tmp_path)


@pytest.mark.shared
def test_the_published_rubrics_in_numbers(shared: Path) -> None:
    found = check_folder(shared / "ppteval")
    assert (found.trees, found.leaves, found.recorded) == (60, 224, 24)
    assert found.mismatches == found.problems == ()
