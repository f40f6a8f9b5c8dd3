"""One way in for decks that are drawn again and again: what is known is not drawn anew."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.rendering.cache import Cache
from decklab.rendering.fonts.installed import font_set_hash
from decklab.rendering.incremental.deck import IncrementalDeck
from decklab.rendering.incremental.drawing import draw
from decklab.rendering.incremental.entries import PageOf, known_pages, remember
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.model import RenderedDeck
from decklab.rendering.ocr import can_read_pictures, picture_spans
from decklab.rendering.office.office import Office
from decklab.rendering.office.recorded import Converter
from decklab.rendering.opening import open_rendered
from decklab.rendering.pdf import PDF_ENGINE

__all__ = ["open_incremental"]


def open_incremental(
    path: str | Path,
    *,
    cache: Cache,
    office: Converter | None = None,
    slides: Iterable[int] | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    deadline: float | None = None,
    now: datetime | None = None,
) -> RenderedDeck:
    """A deck as drawn slides, of which LibreOffice draws only those that ``cache`` lacks.

    Slides look as ``open_rendered`` shows them. The first time the whole deck is drawn and its
    pages kept under the keys of its slides (see :class:`SlideKeys`); later a copy with just the
    unknown slides is. With ``slides``, 1-based numbers, only these are drawn and can be shown;
    numbers that the deck does not have are passed over.

    For a .pptx an :class:`IncrementalDeck` comes back, which says what was drawn; decks of other
    kinds, and damaged ones whose slides cannot be told apart, come whole through
    ``open_rendered``. ``now`` is the moment that fields with a date are taken to show. Other
    arguments, and errors raised, are those of ``open_rendered``.
    """
    path = Path(path)
    if not path.is_dir() and sniff(path) is FileKind.PPTX:
        if office is None:
            with Office() as own:
                return open_incremental(
                    path, cache=cache, office=own, slides=slides, size=size, ocr=ocr,
                    deadline=deadline, now=now,
                )  # fmt: skip
        found = _pages(path, cache, office, None if slides is None else frozenset(slides), now)
        if found is not None:
            count, pages, keys, fresh = found
            return IncrementalDeck(
                path, count, pages, keys, engine=f"{office.engine}, {PDF_ENGINE}", fresh=fresh,
                size=size, read_picture=picture_spans if ocr and can_read_pictures() else None,
                page_deadline=deadline,
            )  # fmt: skip
    return open_rendered(path, office=office, cache=cache, size=size, ocr=ocr, deadline=deadline)


_Found = tuple[int, dict[int, PageOf], dict[int, str], frozenset[int]]
"""How many slides the deck has; of those asked for page and key; which were drawn now."""


def _pages(
    path: Path,
    cache: Cache,
    office: Converter,
    asked: frozenset[int] | None,
    now: datetime | None,
) -> _Found | None:
    """None where the slides of the deck cannot be told apart."""
    facts: dict[str, object] = {
        "engine": office.engine,
        "options": dict(office.options),
        "fonts": font_set_hash(),
        "suffix": path.suffix.lower(),
    }
    try:
        with Package.open(path) as package:
            keys = SlideKeys(package, facts, now=now)
            numbers = range(1, len(keys) + 1)
            names = {n: keys.of(n) for n in numbers if asked is None or n in asked}
            known = known_pages(cache, names.values())
            pages = {n: known[name] for n, name in names.items() if name in known}
            unknown = [n for n in names if n not in pages]
            if not unknown:
                return len(keys), pages, names, frozenset()
            drawn = draw(package, keys, unknown, office=office, cache=cache, facts=facts)
            if drawn is None:
                return None
            places = {keys.of(n): place for n, place in drawn.places.items()}
            remember(cache, drawn.name, drawn.pdf, places)
    except DeckError:  # LibreOffice may still read what we do not
        return None
    fresh = frozenset(n for n, name in names.items() if name in places)
    pages |= {n: PageOf(drawn.name, drawn.pdf, places[names[n]]) for n in fresh}
    return len(keys), pages, names, fresh
