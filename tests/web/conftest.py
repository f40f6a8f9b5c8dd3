"""Libraries and queues of the workbench."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.web.postgres import Postgres
from tests.web.web_fakes import fake_worker

from decklab.web.database import engine_of, open_database
from decklab.web.jobs import Jobs
from decklab.web.kinds import KINDS
from decklab.web.library import Library


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL; tests that need it are skipped where none is installed."""
    with TemporaryDirectory(prefix="decklab-pg-") as folder:  # its socket needs a short path
        Path(folder).chmod(0o755)
        try:
            server = Postgres(Path(folder) / "server")
        except FileNotFoundError as error:
            pytest.skip(f"{error}: apt-get install postgresql")
        server.start()
        yield server
        server.stop()


@pytest.fixture
def empty_postgres(postgres: Postgres) -> str:
    """The URL of a PostgreSQL database without tables."""
    return postgres.emptied()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'w.sqlite'}"
    return str(request.getfixturevalue("empty_postgres"))


@pytest.fixture
def library(database_url: str, tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "bench"
    folder.mkdir()
    sessions = open_database(database_url)
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
