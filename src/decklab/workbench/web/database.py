"""Database of the workbench: decks, their versions, and jobs, in SQLite or PostgreSQL.

A row is written after the file that it names, so that a killed server has named no file that is
missing.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    JSON,
    ForeignKey,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.exc import (
    ArgumentError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
    TimeoutError,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

from decklab.core.errors import Unavailable, one_line
from decklab.core.files import write_whole
from decklab.core.lazy import needs_extra

SCHEMA = 1
"""Grows when the meaning of a column changes; other columns are noticed without it."""
DATABASE = "workbench.sqlite"
"""File of the database in a folder that has its own."""
FOLDER_ID = "workbench.id"
"""File in a folder by which its database knows it."""
BUSY_SECONDS = 20
"""How long a writer waits for another one, and anybody for PostgreSQL (ours)."""
_WRITES = "decklab_writes"
"""Option of a connection whose transaction will write."""
_LOCK = 7_305_221
"""The number under which tables are made in PostgreSQL (ours, at random)."""


class Base(DeclarativeBase):
    """Root of the tables."""


class FitRow(Base):
    """Folder and decklab version that the database was made for; there is one such row."""

    __tablename__ = "workbench"

    id: Mapped[int] = mapped_column(primary_key=True)
    schema: Mapped[int]
    """``SCHEMA`` of the decklab that made the tables."""
    folder: Mapped[str]
    """Id of the folder with the files; empty until a workbench has one."""
    place: Mapped[str] = mapped_column(Text)
    """The first path of that folder, for messages to people."""


class DeckRow(Base):
    """A deck of the library; its file is that of a version."""

    __tablename__ = "decks"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(index=True)
    """Seconds since 1970."""
    current: Mapped[int] = mapped_column(default=1)
    """Number of the version that is shown first."""
    words: Mapped[str] = mapped_column(Text, default="")
    """Text of the slides, for searching decks."""


class VersionRow(Base):
    """One state of a deck. Versions are never changed; each but the first comes from another."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("deck", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    parent: Mapped[int | None]
    digest: Mapped[str]
    """SHA-256 of the file, which is also its name."""
    suffix: Mapped[str]
    size: Mapped[int]
    """Bytes."""
    made_by: Mapped[str] = mapped_column(Text)
    """Where it comes from, in words: the request, or the upload."""
    job: Mapped[str | None]
    created: Mapped[float]


class FolderRow(Base):
    """The file of a deck in the folder that is served; it is read when somebody looks at the deck.

    A deck has no version before.
    """

    __tablename__ = "folder_files"

    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), primary_key=True)
    path: Mapped[bytes]
    """Below the folder, as the file system has it."""
    found: Mapped[str]
    """Stamp of the file when the folder was last listed: time of change, bytes, inode."""
    read: Mapped[str] = mapped_column(default="")
    """Stamp of the file when it was last read; empty before."""
    version: Mapped[int | None]
    """Number of the version that the file was then."""
    gone: Mapped[bool] = mapped_column(default=False, index=True)
    """Whether the file is no longer there."""


class JobRow(Base):
    """Work, done or to be done: on a version of a deck, or on what ``about`` names."""

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    deck: Mapped[str | None] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    number: Mapped[int | None]
    """Of the version that is worked on; none if the work is on no deck."""
    about: Mapped[str | None] = mapped_column(index=True)
    """Id of what else the work is on, a draft for example."""
    asked: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    state: Mapped[str] = mapped_column(index=True)
    """``queued``, ``running``, ``stopping``; ``done``, ``failed``, ``stopped``."""
    message: Mapped[str] = mapped_column(Text, default="")
    """Why it failed, in a line."""
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    created: Mapped[float] = mapped_column(index=True)
    begun: Mapped[float | None]
    ended: Mapped[float | None]
    tries: Mapped[int] = mapped_column(default=0)
    """How often it was begun: what killed the server twice is not begun again."""


def open_database(url: str, password: str = "") -> sessionmaker[Session]:
    """Sessions of the database at a SQLAlchemy ``url``; tables that are missing are made.

    ``password`` goes into the URL of a server if it is not empty. Raises Unavailable for a
    database that does not answer or that another decklab made; the text never holds the password.
    """
    address = _url(url, password)
    try:
        engine = create_engine(address, pool_pre_ping=True, connect_args=_waiting(address))
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        need = needs_extra("PostgreSQL", "postgres")
        raise Unavailable(f"{address.drivername} is not installed; {need}") from error
    except ArgumentError as error:
        reason = database_reason(error).partition("\\n")[0]
        raise Unavailable(f"the database {address} cannot be used: {reason}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _lasting)
        event.listen(engine, "begin", _writer_first)
    try:
        _fit(engine)
    except SQLAlchemyError as error:
        engine.dispose()
        raise Unavailable(
            f"the database {address} cannot be used: {database_reason(error)}"
        ) from error
    except Unavailable:
        engine.dispose()
        raise
    return sessionmaker(engine, expire_on_commit=False)


@contextmanager
def write_transaction(sessions: sessionmaker[Session]) -> Iterator[Session]:
    """A session that is committed at the end.

    In SQLite nobody else writes from its beginning on, so what it reads stays true until it writes;
    in PostgreSQL that holds for the rows that it reads ``with_for_update``.
    """
    with sessions.begin() as session:
        session.connection(execution_options={_WRITES: True})
        yield session


def belong(sessions: sessionmaker[Session], folder: Path) -> None:
    """Bind a database and the folder of its files to each other, for good.

    So no second workbench, with a folder of its own, takes the first one's jobs. Raises Unavailable
    if the database belongs to another folder.
    """
    mark = folder / FOLDER_ID
    try:
        name = mark.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        name = uuid4().hex
        write_whole(mark, f"{name}\n".encode())
    with sessions.begin() as session:
        fit = session.get_one(FitRow, 1, with_for_update=True)
        if not fit.folder:
            fit.folder, fit.place = name, str(folder.resolve())
        if fit.folder != name:
            raise Unavailable(
                f"the database belongs to the workbench that was first in {fit.place}, not to "
                f"{folder}; each folder has a database of its own"
            )


def database_reason(error: SQLAlchemyError) -> str:
    """Fault that a database reports, in a line."""
    cause = getattr(error, "orig", None) or error
    code = cause.args[0] if cause.args else cause
    if isinstance(code, dict):  # pg8000 gives the fields of PostgreSQL's answer
        code = code.get("M", code)
    return one_line(str(code))


def is_away(error: SQLAlchemyError) -> bool:
    """Whether the database does not answer for now, so that trying again may help."""
    cause = getattr(error, "orig", None)
    code = cause.args[0] if cause is not None and cause.args else None
    if isinstance(code, dict):  # classes 08, 53 and 57P of PostgreSQL's error codes
        return str(code.get("C", "")).startswith(("08", "53", "57P"))
    lost = isinstance(error, InterfaceError) and type(cause).__module__.startswith("pg8000")
    return lost or isinstance(error, (OperationalError, TimeoutError))


def _url(given: str, password: str) -> URL:
    """The URL with its driver and password; raises Unavailable for another text."""
    try:
        url = make_url(given)
    except ArgumentError as error:
        raise Unavailable(
            "the database is no SQLAlchemy URL, such as postgresql://NAME@HOST/DATABASE"
        ) from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+pg8000")
    needs = password and url.get_backend_name() != "sqlite"
    return url.set(password=password) if needs else url


def _waiting(url: URL) -> dict[str, Any]:
    """A database that says nothing for long is one that is lost."""
    return {"timeout": BUSY_SECONDS} if url.drivername == "postgresql+pg8000" else {}


def _fit(engine: Engine) -> None:
    """Make tables that are missing; raises Unavailable if those there are of another decklab."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # workbenches that start at once do it in turn
            connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        seen = inspect(connection)
        there = set(seen.get_table_names())
        schema = None
        if FitRow.__tablename__ in there:
            schema = connection.scalar(select(FitRow.schema))
        if schema not in (None, SCHEMA):
            age = "a newer" if schema > SCHEMA else "an older"
            raise Unavailable(
                f"{age} decklab made the database {engine.url}: it has schema {schema}, and this "
                f"decklab reads {SCHEMA}"
            )
        for table in Base.metadata.sorted_tables:
            if table.name in there and not _same_columns(table, seen.get_columns(table.name)):
                raise Unavailable(
                    f"another decklab made the database {engine.url}: its table {table.name} has "
                    "other columns"
                )
        Base.metadata.create_all(connection)
        if schema is None:
            connection.execute(insert(FitRow).values(id=1, schema=SCHEMA, folder="", place=""))


def _same_columns(table: Table, there: Sequence[ReflectedColumn]) -> bool:
    """Whether a table has the columns that it should have, and may be empty if it should."""
    wanted = {column.name: bool(column.nullable) for column in table.columns}
    return wanted == {column["name"]: column["nullable"] for column in there}


def engine_of(sessions: sessionmaker[Session]) -> Engine:
    """The engine of ``open_database``'s sessions, to be disposed of at the end."""
    engine: Engine = sessions.kw["bind"]
    return engine


def _writer_first(connection: Connection) -> None:
    """Become the writer before anything is read: SQLite fails a reader that turns into one."""
    if connection.get_execution_options().get(_WRITES):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _lasting(connection: sqlite3.Connection, _record: object) -> None:
    """Make committed data outlive a killed server and a machine that loses its power."""
    for setting in (
        "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
        f"busy_timeout={BUSY_SECONDS * 1000}",
    ):  # fmt: skip
        connection.execute(f"PRAGMA {setting}")
