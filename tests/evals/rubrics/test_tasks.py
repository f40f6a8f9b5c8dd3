"""Lists of tasks load with all their rubrics, or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.rubrics.conftest import leaf

from decklab.evals.rubrics.graded import check_folder, load_tasks
from decklab.evals.rubrics.rubric import RubricError


@pytest.fixture
def registry(tmp_path: Path, published: dict[str, Any]) -> Path:
    folder = tmp_path / "task_registry"
    (folder / "rubrics").mkdir(parents=True)
    for name in ("one", "two"):
        (folder / "rubrics" / f"{name}.json").write_text(json.dumps(published))
    tasks = {
        name: {
            "goal": f"Do {name}",
            "rubric_path": f"task_registry/rubrics/{name}.json",
            "tags": ["powerpoint"],
            "misc": {"difficulty": "Hard"},
            "file_path": "data/files/PowerPoint/3.pptx",
        }
        for name in ("one", "two")
    }
    (folder / "tasks.json").write_text(json.dumps(tasks))
    return folder / "tasks.json"


def change(registry: Path, task: str, **values: object) -> None:
    tasks = json.loads(registry.read_text())
    tasks[task].update(values)
    registry.write_text(json.dumps(tasks))


def test_tasks_come_with_their_rubrics_in_the_order_of_the_list(registry: Path) -> None:
    one, two = load_tasks(registry)
    assert (one.name, two.goal, two.difficulty, two.tags) == (
        "one", "Do two", "Hard", ("powerpoint",),
    )  # fmt: skip
    assert one.file_path == "data/files/PowerPoint/3.pptx"
    assert len(two.rubric.leaves()) == 3


def test_one_rubric_that_does_not_load_is_an_error_for_all(registry: Path) -> None:
    (registry.parent / "rubrics" / "two.json").write_text("{}")
    with pytest.raises(RubricError, match=r"two\.json: has no 'root'"):
        load_tasks(registry)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"goal": ""}, "two: 'goal' is missing or no text"),
        ({"file_path": 3}, "two: 'file_path' is missing or no text"),
        ({"misc": []}, None),
        ({"misc": [1]}, "two: 'misc' is an object and 'tags' a list"),
        ({"rubric_path": "../../etc/passwd"}, "two: '../../etc/passwd' leads out of the folder"),
        ({"rubric_path": "task_registry/rubrics/none.json"}, r"none\.json: cannot be read"),
    ],
)
def test_a_task_that_cannot_be_loaded_is_named(
    registry: Path, values: dict[str, object], said: str | None
) -> None:
    change(registry, "two", **values)
    if said is None:
        assert len(load_tasks(registry)) == 2
        return
    with pytest.raises(RubricError, match=said):
        load_tasks(registry)


def test_an_empty_list_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text("{}")
    with pytest.raises(RubricError, match="lists no tasks"):
        load_tasks(tmp_path / "tasks.json")


@pytest.mark.shared
def test_all_published_tasks_load(shared: Path) -> None:
    tasks = load_tasks(shared / "ppteval/task_registry/tasks.json")
    assert len(tasks) == 60
    assert {task.difficulty for task in tasks} == {"Easy", "Medium", "Hard"}
    assert len({task.file_path for task in tasks}) == 12


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
