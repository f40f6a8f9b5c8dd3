"""Fonts asked for against fonts drawn."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from decklab.ooxml.package import Package
from decklab.ooxml.typefaces import family_without_style
from decklab.rendering.cache import Cache
from decklab.rendering.fonts.asked import FontUse, asked_fonts
from decklab.rendering.fonts.drawn import drawn_families
from decklab.rendering.fonts.installed import installed_families
from decklab.rendering.office.recorded import Converter

__all__ = ["METRIC_COMPATIBLE", "FontReport", "Replacement", "font_report"]

METRIC_COMPATIBLE: dict[str, frozenset[str]] = {
    "arial": frozenset(("liberation sans", "arimo")),
    "arial narrow": frozenset(("liberation sans narrow",)),
    "calibri": frozenset(("carlito",)),
    "cambria": frozenset(("caladea",)),
    "courier new": frozenset(("liberation mono", "cousine")),
    "georgia": frozenset(("gelasio",)),
    "helvetica": frozenset(("nimbus sans", "liberation sans", "arimo")),
    "times": frozenset(("nimbus roman", "liberation serif", "tinos")),
    "times new roman": frozenset(("liberation serif", "tinos")),
}
"""Families and those made to set every line at the same width (fontconfig 30-metric-aliases)."""


@dataclass(frozen=True)
class Replacement:
    """A family that is not installed, and what the machine draws in its place."""

    use: FontUse
    drawn: str | None
    """Family drawn; None where that could not be seen."""
    same_widths: bool
    """True where the drawn family has the same metrics, so that lines break alike."""

    @property
    def family(self) -> str:
        """Family asked for."""
        return self.use.family

    @property
    def wider(self) -> float | None:
        """Width of text as drawn by its width in its own family; None where one is not known."""
        return _ratio(self.use.family, self.drawn, 0)

    @property
    def taller(self) -> float | None:
        """Distance of lines as drawn by that of its own family; None where one is not known."""
        return _ratio(self.use.family, self.drawn, 1)


@dataclass(frozen=True)
class FontReport:
    """Every family a deck asks for, and which of them the machine replaced."""

    asked: tuple[FontUse, ...]
    replaced: tuple[Replacement, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Families asked for and not installed."""
        return tuple(item.use.family for item in self.replaced)


def font_report(
    package: Package, office: Converter | None = None, cache: Cache | None = None
) -> FontReport:
    """The fonts a deck asks for and what is drawn for those that are not installed.

    With ``office`` the replacements are found by drawing a line in each; without one ``drawn``
    is None throughout. Answers are kept in ``cache``.
    """
    asked = asked_fonts(package)
    here = installed_families()
    missing = tuple(use for use in asked if use.family.casefold() not in here)
    drawn = drawn_families(missing, office, cache) if missing and office is not None else {}
    return FontReport(asked, tuple(_replacement(use, drawn.get(use.family)) for use in missing))


def _replacement(use: FontUse, drawn: str | None) -> Replacement:
    twins = METRIC_COMPATIBLE.get(use.family.casefold(), frozenset())
    return Replacement(use, drawn, drawn is not None and drawn.casefold() in twins)


def _ratio(family: str, drawn: str | None, which: int) -> float | None:
    asked, here = _measures(family), _measures(drawn or "")
    return None if asked is None or here is None else here[which] / asked[which]


def _measures(family: str) -> tuple[float, float] | None:
    """Mean advance and distance of lines of a family, em; styles count as their family."""
    known = _known_measures()
    name = family.casefold()
    return known.get(name) or known.get(family_without_style(name))


@cache
def _known_measures() -> dict[str, tuple[float, float]]:
    text = files("decklab.rendering.fonts").joinpath("widths.txt").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {family: (float(width), float(pitch)) for family, width, pitch in rows}
