"""Databases of the workbench: which are taken, and what comes of one that is away for a while."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import Connection
from starlette.testclient import TestClient
from tests.workbench.web.postgres import Postgres
from tests.workbench.web.web_fakes import ended, fake_worker

from decklab.core.errors import Unavailable
from decklab.workbench.web.database import DeckRow, belong, engine_of, open_database
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.serving import KINDS, Access, Protected, Watched, health, make_app
from decklab.workbench.web.workbench import Workbench

Add = Callable[..., str]


@contextmanager
def _plain(url: str) -> Iterator[Connection]:
    """The database without what decklab does with it."""
    engine = create_engine(url.replace("postgresql:", "postgresql+pg8000:"))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def _changed(url: str, *statements: str) -> None:
    """Make the database, then change it as another decklab would have."""
    engine_of(open_database(url)).dispose()
    with _plain(url) as connection:
        for statement in statements:
            connection.execute(text(statement))


@pytest.mark.parametrize(("schema", "age"), [(0, "an older"), (99, "a newer")])
def test_a_database_of_another_schema_is_refused(database_url: str, schema: int, age: str) -> None:
    _changed(database_url, f"UPDATE workbench SET schema = {schema}")
    with pytest.raises(Unavailable, match=rf"^{age} decklab made .*has schema {schema}, and"):
        open_database(database_url)


def test_a_table_with_other_columns_is_refused(database_url: str) -> None:
    _changed(database_url, "ALTER TABLE jobs ADD COLUMN colour TEXT")
    with pytest.raises(Unavailable, match=r"^another decklab made .*: its table jobs has other"):
        open_database(database_url)


def test_a_database_from_before_schemas_had_numbers_is_taken(database_url: str) -> None:
    _changed(
        database_url,
        "INSERT INTO decks (id, name, created, current, words) VALUES ('a', 'b', 1, 1, '')",
        "DROP TABLE workbench",
    )
    sessions = open_database(database_url)
    with sessions() as session:
        assert session.get_one(DeckRow, "a").name == "b"
    engine_of(sessions).dispose()
    with _plain(database_url) as connection:
        assert connection.execute(text("SELECT schema FROM workbench")).all() == [(1,)]


def test_workbenches_that_start_at_once_make_the_tables_once(empty_postgres: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        for sessions in pool.map(open_database, [empty_postgres] * 6):
            engine_of(sessions).dispose()
    with _plain(empty_postgres) as connection:
        assert connection.execute(text("SELECT count(*) FROM workbench")).scalar() == 1


def test_a_database_and_a_folder_belong_to_each_other(database_url: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    sessions = open_database(database_url)
    belong(sessions, first)
    belong(sessions, first.rename(tmp_path / "moved"))
    with pytest.raises(Unavailable, match=rf"first in {re.escape(str(first))}, not to .*second"):
        belong(sessions, second)
    engine_of(sessions).dispose()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://me@127.0.0.1:1/talks", "127.0.0.1:1/talks cannot be used"),
        ("sqlite:////nowhere/w.sqlite", "unable to open"),
        ("sqlite://me@host/w.sqlite", "Invalid SQLite URL"),
        ("talks", "no SQLAlchemy URL"),
        ("strange://me@host/talks", "strange is not installed"),
    ],
)
def test_a_database_that_cannot_be_had_says_so_without_its_password(url: str, said: str) -> None:
    with pytest.raises(Unavailable, match=said) as caught:
        open_database(url, "open-sesame")
    assert "sesame" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.long
def test_work_survives_a_database_that_is_away_for_a_while(
    postgres: Postgres, empty_postgres: str, tmp_path: Path
) -> None:
    sessions = open_database(empty_postgres)
    library = Library(tmp_path, sessions)
    upload = tmp_path / "upload"
    upload.write_bytes(b"deck")
    with Jobs(library, KINDS, processes=1, seconds=60, work=fake_worker) as jobs:
        client = TestClient(make_app(Workbench(library, jobs)), headers={"x-decklab": "1"})
        deck = library.add("talk.pptx", upload).id
        job = jobs.ask("edit", deck, 1, instruction="sleep")
        while jobs.job(job).state == "queued":
            time.sleep(0.02)
        postgres.stop()
        try:
            away = client.get(f"/api/decks/{deck}")
            page = client.get("/")
            state = health(jobs)
        finally:
            postgres.start()
        assert (away.status_code, page.status_code) == (503, 503)
        assert away.json() == {"error": "the database does not answer; try again in a minute"}
        assert state == {"database": "does not answer", "folder": "ok", "jobs": "ok"}
        assert client.get(f"/api/decks/{deck}").status_code == 200
        assert set(health(jobs).values()) == {"ok"}
        assert jobs.job(job).state == "running"
        jobs.stop(job)
        assert ended(jobs, job).state == "stopped"
        on = ended(jobs, jobs.ask("edit", deck, 1, instruction="on"))
        assert (on.state, library.deck(deck).current) == ("done", 2)
    engine_of(sessions).dispose()


@pytest.mark.long
def test_what_ends_while_the_database_is_away_is_told_when_it_is_back(
    postgres: Postgres, empty_postgres: str, tmp_path: Path
) -> None:
    sessions = open_database(empty_postgres)
    library = Library(tmp_path, sessions)
    upload = tmp_path / "upload"
    upload.write_bytes(b"deck")
    with Jobs(library, KINDS, processes=1, seconds=2, work=fake_worker) as jobs:
        deck = library.add("talk.pptx", upload).id
        job = jobs.ask("edit", deck, 1, instruction="sleep")
        while jobs.job(job).state == "queued":
            time.sleep(0.02)
        postgres.stop()
        time.sleep(4)
        postgres.start()
        row = ended(jobs, job)
        assert row.state == "failed"
        assert row.message
    engine_of(sessions).dispose()


def test_health_needs_no_token_and_tells_no_secret(library: Library, jobs: Jobs) -> None:
    inside = Protected(make_app(Workbench(library, jobs)), Access(frozenset({"a"}), "t" * 20))
    client = TestClient(Watched(inside, jobs))
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (
        200, {"database": "ok", "folder": "ok", "jobs": "ok"}
    )  # fmt: skip
    assert client.get("/health/").status_code == 421
    assert client.post("/health").status_code == 405
    jobs.close()
    stopped = TestClient(Watched(inside, jobs)).get("/health")
    assert (stopped.status_code, stopped.json()["jobs"]) == (503, "stopped")
