"""Which fonts this machine draws in place of missing ones, found by drawing."""

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from decklab.core.files import scratch_folder
from decklab.core.geometry import FRAME_HEIGHT
from decklab.deck.styles.themes import family_without_style
from decklab.ooxml.package import Package
from decklab.rendering.fonts import (
    FontUse,
    family_of,
    font_set_hash,
    installed_families,
    requested_fonts,
)
from decklab.rendering.office import Converter
from decklab.rendering.pdf import PdfDeck
from decklab.rendering.renderer import Renderer, cache_key

_ROWS = 20
_ROW_PT = 20.0
_SAMPLES = (("latin", "Hamburgefonstiv 0123"), ("east_asian", "永和九年"), ("complex", "אבגד"))

_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation">
<office:automatic-styles>
<style:page-layout style:name="L"/>
<style:style style:name="g" style:family="graphic"><style:graphic-properties
 draw:stroke="none" draw:fill="none" fo:padding="0cm" fo:wrap-option="no-wrap"/></style:style>
{styles}</office:automatic-styles>
<office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/>
</office:master-styles>
<office:body><office:presentation>
{pages}</office:presentation></office:body></office:document>
"""


def substitute_families(uses: Sequence[FontUse], renderer: Renderer) -> Mapping[str, str]:
    """The family that is drawn for each requested family; left out if it is unknown.

    Draws one line in each font, in the script of its use, and reads the font from the drawn page.
    ``renderer`` is started; its cache stores the answers for as long as engine and installed fonts
    stay the same. Raises what its ``office`` raises.
    """
    office, cache = renderer.converter, renderer.cache
    known: dict[str, str] = {}
    unknown: list[FontUse] = []
    for use in uses:
        stored = None if cache is None else cache.get(_key(use, office))
        if stored is None:
            unknown.append(use)
        else:
            known[use.family] = json.loads(stored)
    if unknown:
        fresh = _draw(unknown, office)
        for use in unknown:
            if cache is not None and use.family in fresh:
                cache.put(_key(use, office), json.dumps(fresh[use.family]).encode())
        known.update(fresh)
    return known


def _key(use: FontUse, office: Converter) -> str:
    facts = {"engine": office.engine, "fonts": font_set_hash(), "sample": _sample(use)}
    return cache_key(use.family.encode("utf-8", "replace"), facts)


def _draw(uses: Sequence[FontUse], office: Converter) -> dict[str, str]:
    with scratch_folder("fonts") as folder:
        path = folder / "fonts.fodp"
        path.write_text(_document(uses), encoding="utf-8")
        content = office.pdf(path)
    drawn: dict[str, str] = {}
    with PdfDeck("fonts.fodp", content) as deck:
        for page in range(len(deck)):
            for span in deck.spans(page + 1):
                middle = (span.box.top + span.box.bottom) / 2
                row = int(middle / FRAME_HEIGHT * deck.slide_size_pt[1] / _ROW_PT)
                index = page * _ROWS + row
                if 0 <= row < _ROWS and index < len(uses):
                    drawn.setdefault(uses[index].family, family_of(span.font))
    return drawn


def _document(uses: Sequence[FontUse]) -> str:
    """A flat OpenDocument deck with one line of text per font, twenty to a page."""
    styles = "".join(
        f'<style:style style:name="t{index}" style:family="text"><style:text-properties '
        f'fo:font-size="12pt" fo:font-family={_quoted(use.family)} '
        f"style:font-family-asian={_quoted(use.family)} "
        f"style:font-family-complex={_quoted(use.family)}/></style:style>\n"
        for index, use in enumerate(uses)
    )
    pages = "".join(_page(uses, first) for first in range(0, len(uses), _ROWS))
    return _DOCUMENT.format(styles=styles, pages=pages)


def _page(uses: Sequence[FontUse], first: int) -> str:
    rows = "".join(
        f'<draw:frame draw:style-name="g" svg:x="20pt" svg:y="{row * _ROW_PT:g}pt" '
        f'svg:width="600pt" svg:height="{_ROW_PT:g}pt"><draw:text-box><text:p>'
        f'<text:span text:style-name="t{first + row}">{html.escape(_sample(use))}</text:span>'
        "</text:p></draw:text-box></draw:frame>\n"
        for row, use in enumerate(uses[first : first + _ROWS])
    )
    return f'<draw:page draw:name="p{first}" draw:master-page-name="M">\n{rows}</draw:page>\n'


def _quoted(family: str) -> str:
    """A family name as an attribute; characters that XML does not allow are left out."""
    named = "'" + "".join(c for c in family if c >= " " and c != "'") + "'"
    return f'"{html.escape(named)}"'


def _sample(use: FontUse) -> str:
    return next(text for script, text in _SAMPLES if script in use.scripts)


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
"""Families, and the families designed with the same widths (fontconfig 30-metric-aliases)."""


@dataclass(frozen=True)
class Replacement:
    """A family that is not installed, and what the machine draws in its place."""

    use: FontUse
    drawn: str | None
    """Family drawn; None if that is unknown."""
    same_widths: bool
    """True if the drawn family has the same metrics, so that lines break alike."""

    @property
    def family(self) -> str:
        """Requested family."""
        return self.use.family

    @property
    def wider(self) -> float | None:
        """Width of text as drawn by its width in its own family; None if one is not known."""
        return _ratio(self.use.family, self.drawn, 0)

    @property
    def taller(self) -> float | None:
        """Distance of lines as drawn by that of its own family; None if one is not known."""
        return _ratio(self.use.family, self.drawn, 1)


@dataclass(frozen=True)
class FontReport:
    """Every family that a deck requests, and which of them the machine replaced."""

    asked: tuple[FontUse, ...]
    replaced: tuple[Replacement, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Requested families that are not installed."""
        return tuple(item.use.family for item in self.replaced)


def font_report(package: Package, renderer: Renderer | None = None) -> FontReport:
    """The fonts that a deck requests, and the font drawn for each that is not installed.

    With ``renderer`` the replacements are found by drawing a line in each, and stored in its cache;
    without one ``drawn`` is None throughout. Raises what drawing raises.
    """
    asked = requested_fonts(package)
    here = installed_families()
    missing = tuple(use for use in asked if use.family.casefold() not in here)
    drawn: Mapping[str, str] = {}
    if missing and renderer is not None:
        with renderer.started() as started:
            drawn = substitute_families(missing, started)
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
    text = files("decklab.rendering").joinpath("widths.txt").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {family: (float(width), float(pitch)) for family, width, pitch in rows}
