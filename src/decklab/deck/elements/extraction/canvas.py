"""What the shapes of one slide, layout or master are read against."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from decklab.deck.elements.model.base import Sources
from decklab.deck.elements.model.text import RunFont
from decklab.deck.source import DAMAGE, Source
from decklab.deck.styles.runs import RunStyle
from decklab.deck.styles.sheets import Sheet, Sheets
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.ooxml.package import Package
from decklab.ooxml.units import EMU_PER_POINT

__all__ = ["Canvas", "Desk", "rounded"]


def rounded(value: float) -> float:
    """A length or share to a hundredth, the precision of all geometry; never minus zero.

    >>> rounded(12.3456), rounded(-0.001)
    (12.35, 0.0)
    """
    return round(value, 2) + 0.0


@dataclass
class Desk:
    """What is shared while one deck is read: its sheets, and what was worked out before."""

    sheets: Sheets
    size_emu: tuple[int, int]
    slide_ids: Mapping[str, int] = field(default_factory=dict)
    """Slide id by part name."""
    fonts: dict[int, tuple[RunStyle, RunFont, Sources]] = field(default_factory=dict)
    """By identity: runs that state nothing share their style."""
    _hashes: dict[str, str | None] = field(default_factory=dict)

    @property
    def package(self) -> Package:
        """The deck's package."""
        return self.sheets.package

    @property
    def size_pt(self) -> tuple[float, float]:
        """Width and height of the slides in points."""
        return rounded(self.size_emu[0] / EMU_PER_POINT), rounded(self.size_emu[1] / EMU_PER_POINT)

    def theme_name(self, sheet: Sheet) -> str:
        """The name of the theme behind a sheet: its master's."""
        while sheet.parent is not None:
            sheet = sheet.parent
        return sheet.look.theme.name

    def sha256(self, part: str | None) -> str | None:
        """Hash of a part's bytes; None, and a note, where it is missing or damaged."""
        if part is None:
            return None
        if part not in self._hashes:
            self._hashes[part] = self._hash(part)
        return self._hashes[part]

    def _hash(self, part: str) -> str | None:
        try:
            return hashlib.sha256(self.package.read(part)).hexdigest()
        except DAMAGE as error:
            self.sheets.notes.add_error(error)
            return None


@dataclass(frozen=True)
class Canvas:
    """One sheet on the desk."""

    desk: Desk
    sheet: Sheet

    @property
    def source(self) -> Source:
        """The sheet's part, where its links start."""
        return self.sheet.source

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels of the slide frame to an EMU, across and down."""
        width, height = self.desk.size_emu
        return FRAME_WIDTH / width, FRAME_HEIGHT / height

    def across(self, emu: float) -> float:
        """A horizontal length or place in px."""
        return rounded(emu * self.scale[0])

    def down(self, emu: float) -> float:
        """A vertical length or place in px."""
        return rounded(emu * self.scale[1])
