"""What the workbench remembers of drafts: what was given and wanted, and what was written."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from decklab.workbench.web.database import Base


class DraftRow(Base):
    """A deck that is being written; its files are in a folder of its id."""

    __tablename__ = "drafts"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(index=True)
    """Seconds since 1970."""
    given: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    """Files: ``role``, ``name`` and ``bytes`` of each."""
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """The fields of ``DraftSettings``."""
    take: Mapped[int | None]
    """Number of the deck that is shown and gone on from; none before the first."""


class TakeRow(Base):
    """A deck that was written for a draft. Takes are never changed."""

    __tablename__ = "draft_takes"
    __table_args__ = (UniqueConstraint("draft", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    draft: Mapped[str] = mapped_column(ForeignKey("drafts.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    job: Mapped[str]
    """Of the job that wrote it, which names its folder, too."""
    made_by: Mapped[str] = mapped_column(Text)
    """What was asked for, in words."""
    result: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Slides with their evidence, formats, theme, and what fell short."""
    deck: Mapped[str | None]
    """Id of the deck of the library that was made of it."""
    created: Mapped[float]
