"""LibreOffice asked for the slides that are not known: in a copy with just these, or all."""

from collections.abc import Mapping
from dataclasses import dataclass

import pypdfium2

from decklab.errors import RenderFailed
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.incremental.copies import can_copy, write_copy
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.office.recorded import Converter
from decklab.rendering.scratch import scratch_folder

__all__ = ["Drawn", "draw"]

MOST = 0.5  # ours: with more than this share of slides unknown, the whole deck costs no more


@dataclass(frozen=True)
class Drawn:
    """A PDF, the cache's key of it, and the page, from 0, of each slide that is in it."""

    name: str
    pdf: bytes
    places: Mapping[int, int]


def draw(
    package: Package,
    keys: SlideKeys,
    unknown: list[int],
    *,
    office: Converter,
    cache: Cache,
    facts: Mapping[str, object],
) -> Drawn | None:
    """The slides ``unknown``, which are not none, alone or with all others.

    None where LibreOffice finds another number of slides than the deck lists. The PDF of a whole
    deck is kept where ``open_rendered`` looks for it, and taken from there, except where any slide
    shows a date, which may have passed. Raises RenderError where the deck cannot be drawn.
    """
    if len(unknown) <= MOST * len(keys) and can_copy(keys, unknown):
        drawn = _draw_copy(package, keys, unknown, office, facts)
        if drawn is not None:
            return drawn
    name = cache_key(package.path.read_bytes(), facts)
    places = {number: number - 1 for number in range(1, len(keys) + 1)}
    dated = any(keys.fields(number).dated for number in places)
    pdf = None if dated else cache.get(name)
    if pdf is None:
        pdf = office.pdf(package.path)
    if _pages(pdf) == len(places):
        return Drawn(name, pdf, places)
    cache.put(name, pdf)
    return None


def _draw_copy(
    package: Package,
    keys: SlideKeys,
    numbers: list[int],
    office: Converter,
    facts: Mapping[str, object],
) -> Drawn | None:
    """None where LibreOffice refuses the copy, or draws another number of slides."""
    with scratch_folder("office") as room:
        copy = room / f"deck{package.path.suffix}"
        places = write_copy(package, keys, numbers, copy)
        name = cache_key(copy.read_bytes(), facts)
        try:
            pdf = office.pdf(copy)
        except RenderFailed:
            return None
    return Drawn(name, pdf, places) if _pages(pdf) == max(places.values()) + 1 else None


def _pages(pdf: bytes) -> int:
    """The number of pages of a PDF; 0 where it cannot be read."""
    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError:
        return 0
    count = len(document)
    document.close()
    return count
