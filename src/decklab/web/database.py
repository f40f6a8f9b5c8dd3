"""What the workbench remembers: decks, their versions, and jobs, in SQLite or PostgreSQL.

A row is written after the file that it names, so that whatever a killed server has told a person
to be there is there.
"""

import sqlite3
from typing import Any

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint, create_engine, event
from sqlalchemy.engine import Engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

BUSY_SECONDS = 20
"""How long a writer waits for another one (ours)."""


class Base(DeclarativeBase):
    """Root of the tables."""


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
    """Text of the slides, by which decks are found."""


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


class JobRow(Base):
    """Work, done or to be done: on a version of a deck, or on what ``about`` names."""

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    deck: Mapped[str | None] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    number: Mapped[int | None]
    """Of the version that is worked on; none where the work is on no deck."""
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


def open_database(url: str) -> sessionmaker[Session]:
    """Sessions of the database at a SQLAlchemy ``url``; tables that are missing are made."""
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _lasting)
    Base.metadata.create_all(engine)
    return sessionmaker(engine, expire_on_commit=False)


def engine_of(sessions: sessionmaker[Session]) -> Engine:
    """The engine of ``open_database``'s sessions, to be disposed of at the end."""
    engine: Engine = sessions.kw["bind"]
    return engine


def _lasting(connection: sqlite3.Connection, _record: object) -> None:
    """What is committed outlives a killed server and a machine that loses its power."""
    for setting in (
        "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
        f"busy_timeout={BUSY_SECONDS * 1000}",
    ):  # fmt: skip
        connection.execute(f"PRAGMA {setting}")
