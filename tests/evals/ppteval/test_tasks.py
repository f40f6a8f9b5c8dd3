"""Lists of tasks with their decks."""

import shutil
from pathlib import Path

import pytest

from decklab.evals.ppteval.tasks import (
    SOURCES,
    DecksMissing,
    case_files,
    find_registry,
    load_editing_tasks,
)
from decklab.evals.rubrics.rubric import RubricError


def test_decks_are_found_by_path_or_by_name(starter: Path, tmp_path: Path) -> None:
    by_path = load_editing_tasks(starter / "task_registry" / "tasks.json")
    assert len(by_path) == 29
    for deck in (starter / "data/files/PowerPoint").glob("*.pptx"):
        shutil.copy(deck, tmp_path)
    by_name = load_editing_tasks(starter, tmp_path)
    assert {task.deck.parent for task in by_name} == {tmp_path}
    assert [task.categories for task in by_name] == [task.categories for task in by_path]


def test_missing_decks_are_all_named_in_one_error(starter: Path, tmp_path: Path) -> None:
    shutil.copy(starter / "data/files/PowerPoint/plain.pptx", tmp_path)
    with pytest.raises(DecksMissing, match=r"2 of 3 decks are not in .*: bad.pptx; rich.pptx\.$"):
        load_editing_tasks(starter, tmp_path)


@pytest.mark.shared
def test_for_published_tasks_it_says_where_decks_come_from(shared: Path, tmp_path: Path) -> None:
    with pytest.raises(DecksMissing) as caught:
        load_editing_tasks(shared / "ppteval", tmp_path)
    told = str(caught.value)
    assert "12 of 12 decks" in told and "Internet Archive" in told
    assert f"decklab bench ppteval-fetch --files {tmp_path}" in told
    assert all(name in told for name in SOURCES)


@pytest.mark.shared
def test_published_tasks_load_with_any_decks_of_those_names(shared: Path, tmp_path: Path) -> None:
    for name in SOURCES:
        (tmp_path / name).write_bytes(b"PK")
    tasks = load_editing_tasks(shared / "ppteval", tmp_path)
    assert len(tasks) == 60
    assert {task.difficulty for task in tasks} == {"Easy", "Medium", "Hard"}


def test_a_folder_without_a_list_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RubricError, match=r"there is no tasks\.json"):
        find_registry(tmp_path)


def test_a_deck_outside_the_folder_is_not_taken(starter: Path, tmp_path: Path) -> None:
    inside = tmp_path / "files"
    inside.mkdir()
    for name in ("plain", "rich", "bad"):
        outside = tmp_path / f"{name}.pptx"
        outside.write_bytes(b"PK")
        (inside / f"{name}.pptx").symlink_to(outside)
    with pytest.raises(DecksMissing, match="3 of 3"):
        load_editing_tasks(starter, inside)


def test_what_editors_may_not_see_is_named_and_code_beside_the_list_is_not(
    starter: Path, tmp_path: Path
) -> None:
    shutil.copytree(starter, tmp_path / "set")
    folder = tmp_path / "set" / "task_registry"
    (folder / "my_agent").mkdir()
    tasks = load_editing_tasks(folder)
    hidden = case_files(folder, tasks)
    assert {folder / "tasks.json", folder / "rubrics", *(task.deck for task in tasks)} <= {*hidden}
    assert not any((folder / "my_agent").is_relative_to(path) for path in hidden)
