"""Tables of ranking studies: topics with decks, annotators with their links, and their orders."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from decklab.workbench.web.database import Base


class StudyRow(Base):
    """A question that people answer by putting decks in order."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    created: Mapped[float]


class EntryRow(Base):
    """A deck of a study: what one product made for one topic."""

    __tablename__ = "study_entries"
    __table_args__ = (UniqueConstraint("study", "topic", "product"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), index=True)
    topic: Mapped[str] = mapped_column(Text)
    product: Mapped[str] = mapped_column(Text)
    """Annotators never see it."""
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    """Of the version that is shown, also when the deck is edited later."""


class AnnotatorRow(Base):
    """A person who ranks, known by a link."""

    __tablename__ = "annotators"
    __table_args__ = (UniqueConstraint("study", "name"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(Text)
    token: Mapped[str] = mapped_column(unique=True)
    """In the person's link; nobody can guess it."""
    revoked: Mapped[bool] = mapped_column(default=False)
    created: Mapped[float]


class OrderRow(Base):
    """How an annotator ordered the decks of a topic, as far as they have come."""

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("annotator", "topic"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    annotator: Mapped[str] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    topic: Mapped[str] = mapped_column(Text)
    ranked: Mapped[list[list[str]]] = mapped_column(JSON, default=list)
    """Ids of entries, the best first; those in one list are tied. Others are not ranked."""
    flags: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """What is wrong with an entry, by its id: one of ``rank_studies.FLAGS``."""
    note: Mapped[str] = mapped_column(Text, default="")
    seconds: Mapped[float] = mapped_column(default=0.0)
    """Spent on the topic, idle time left out."""
    done: Mapped[bool] = mapped_column(default=False)
    changed: Mapped[float]
