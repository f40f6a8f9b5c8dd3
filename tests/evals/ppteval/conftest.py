"""The starter set, written once, and attempts at it."""

from pathlib import Path

import pytest

from decklab.evals.ppteval.tasks import EditingTask, load_editing_tasks, write_starter
from decklab.rendering.renderer import Cache


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """What was drawn, for all of these tests."""
    return Cache(tmp_path_factory.mktemp("drawn"))


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("starter")
    write_starter(folder)
    return folder


@pytest.fixture(scope="session")
def tasks(starter: Path) -> dict[str, EditingTask]:
    return {task.name: task for task in load_editing_tasks(starter)}
