"""Which differences are only what a program does to a deck when it saves it."""

from dataclasses import dataclass

from decklab.deck.snapshot import Snapshot
from decklab.diff.differences import Placed
from decklab.diff.libreoffice import rewritten
from decklab.diff.rounding import rounded

__all__ = ["Resave"]


@dataclass(frozen=True)
class Resave:
    """Who saved the newer deck after somebody else had saved the older one."""

    by_libreoffice: bool

    @classmethod
    def of(cls, before: Snapshot, after: Snapshot) -> "Resave":
        """From the properties of two snapshots."""
        return cls(_libreoffice(after) and not _libreoffice(before))

    @property
    def flattens(self) -> bool:
        """Whether inherited values come back as the slides' own, so that nothing a slide shows
        follows from what is behind it."""
        return self.by_libreoffice

    def makes(self, placed: Placed) -> bool:
        """Whether the save may have made this difference by itself."""
        return rounded(placed.found) or (self.by_libreoffice and rewritten(placed))


def _libreoffice(deck: Snapshot) -> bool:
    return str(deck.get("properties", {}).get("Application", "")).startswith("LibreOffice")
