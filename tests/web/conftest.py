"""Libraries and queues of the workbench."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.web.web_fakes import fake_worker

from decklab.web.database import engine_of, open_database
from decklab.web.jobs import Jobs
from decklab.web.kinds import KINDS
from decklab.web.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "bench"
    folder.mkdir()
    sessions = open_database(f"sqlite:///{folder / 'w.sqlite'}")
    yield Library(folder, sessions)
    engine_of(sessions).dispose()


@pytest.fixture
def jobs(library: Library) -> Iterator[Jobs]:
    with Jobs(library, KINDS, processes=1, seconds=20, work=fake_worker) as made:
        yield made


@pytest.fixture
def add(library: Library, tmp_path: Path) -> Callable[..., str]:
    """Add a file with some bytes to the library; gives the id of the deck."""

    def added(data: bytes = b"deck", name: str = "talk.pptx") -> str:
        upload = tmp_path / "upload"
        upload.write_bytes(data)
        return library.add(name, upload).id

    return added
