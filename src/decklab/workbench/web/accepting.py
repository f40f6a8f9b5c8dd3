"""Which changes of a deck people have accepted, against the version that they come from."""

from collections.abc import Collection

from sqlalchemy import ForeignKey, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.workbench.web.database import Base, VersionRow
from decklab.workbench.web.library import Library


class AcceptedRow(Base):
    """One accepted change; it is known by its key in every later version that still has it."""

    __tablename__ = "accepted"

    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), primary_key=True)
    base: Mapped[int] = mapped_column(primary_key=True)
    """Number of the version before the change."""
    key: Mapped[str] = mapped_column(primary_key=True)


def accepted_keys(library: Library, base: VersionRow) -> set[str]:
    """Keys of the changes since a version that were accepted."""
    with library.sessions() as session:
        return set(session.scalars(
            select(AcceptedRow.key)
            .where(AcceptedRow.deck == base.deck, AcceptedRow.base == base.number)
        ))  # fmt: skip


def accept(library: Library, base: VersionRow, keys: Collection[str]) -> None:
    """Accept changes since a version; those that are accepted already stay so."""
    with library.writing() as session:
        known = set(session.scalars(
            select(AcceptedRow.key)
            .where(AcceptedRow.deck == base.deck, AcceptedRow.base == base.number)
        ))  # fmt: skip
        session.add_all(
            AcceptedRow(deck=base.deck, base=base.number, key=one)
            for one in dict.fromkeys(keys)
            if one not in known
        )


def reopen(library: Library, base: VersionRow, keys: Collection[str]) -> None:
    """Make accepted changes open again."""
    with library.writing() as session:
        session.execute(
            delete(AcceptedRow).where(
                AcceptedRow.deck == base.deck, AcceptedRow.base == base.number,
                AcceptedRow.key.in_(list(keys)),
            )
        )  # fmt: skip
