"""Which font the machine draws in place of another: found by drawing, never guessed."""

import json
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from decklab.geometry import FRAME_HEIGHT
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.fonts.asked import FontUse
from decklab.rendering.fonts.installed import family_of, font_set_hash
from decklab.rendering.office.recorded import Converter
from decklab.rendering.pdf import PdfDeck
from decklab.rendering.scratch import scratch_folder

__all__ = ["drawn_families"]

_ROWS = 20
_ROW_PT = 20.0
_SAMPLES = (
    ("latin", "Hamburgefonstiv 0123"),
    ("east_asian", "永和九年"),
    ("complex", "אבגד"),
)

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


def drawn_families(
    uses: Sequence[FontUse], office: Converter, cache: Cache | None = None
) -> Mapping[str, str]:
    """Family that is drawn for each family asked for; left out where nothing could be seen.

    Draws one line in each font, in the script it is asked for, and reads back what was used.
    Answers are kept in ``cache`` for as long as engine and installed fonts stay the same. Raises
    what ``office`` raises.
    """
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
        f'<text:span text:style-name="t{first + row}">{escape(_sample(use))}</text:span>'
        "</text:p></draw:text-box></draw:frame>\n"
        for row, use in enumerate(uses[first : first + _ROWS])
    )
    return f'<draw:page draw:name="p{first}" draw:master-page-name="M">\n{rows}</draw:page>\n'


def _quoted(family: str) -> str:
    """A family name as an attribute; characters that XML cannot hold are left out."""
    return quoteattr("'" + "".join(c for c in family if c >= " " and c != "'") + "'")


def _sample(use: FontUse) -> str:
    return next(text for script, text in _SAMPLES if script in use.scripts)
