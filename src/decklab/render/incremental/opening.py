"""One way in for decks that are drawn again and again: what is known is not drawn anew."""

from datetime import datetime
from pathlib import Path

from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.render.cache import Cache
from decklab.render.fonts import font_set_hash
from decklab.render.incremental.deck import IncrementalDeck
from decklab.render.incremental.drawing import draw
from decklab.render.incremental.entries import PageOf, known_pages, remember
from decklab.render.incremental.keys import SlideKeys
from decklab.render.model import RenderedDeck
from decklab.render.ocr import can_read_pictures, picture_spans
from decklab.render.office import Converter, Office
from decklab.render.opening import open_rendered
from decklab.render.pdf import PDF_ENGINE

__all__ = ["open_incremental"]


def open_incremental(
    path: str | Path,
    *,
    cache: Cache,
    office: Converter | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    now: datetime | None = None,
) -> RenderedDeck:
    """A deck as drawn slides, of which LibreOffice draws only those that ``cache`` lacks.

    Slides look as ``open_rendered`` shows them. The first time the whole deck is drawn and its
    pages kept under the keys of its slides (see :class:`SlideKeys`); later a copy with just the
    unknown slides is. For a .pptx an :class:`IncrementalDeck` comes back, which says what was
    drawn; decks of other kinds, and damaged ones whose slides cannot be told apart, come through
    ``open_rendered``. ``now`` is the moment that fields with a date are taken to show. Other
    arguments, and errors raised, are those of ``open_rendered``.
    """
    path = Path(path)
    if not path.is_dir() and sniff(path) is FileKind.PPTX:
        if office is None:
            with Office() as own:
                return open_incremental(
                    path, cache=cache, office=own, size=size, ocr=ocr, now=now
                )  # fmt: skip
        deck = _known_or_drawn(path, cache, office, size=size, ocr=ocr, now=now)
        if deck is not None:
            return deck
    return open_rendered(path, office=office, cache=cache, size=size, ocr=ocr)


def _known_or_drawn(
    path: Path,
    cache: Cache,
    office: Converter,
    *,
    size: tuple[int, int],
    ocr: bool,
    now: datetime | None,
) -> IncrementalDeck | None:
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
            names = [keys.of(number) for number in range(1, len(keys) + 1)]
            pages = known_pages(cache, names)
            unknown = [number for number, name in enumerate(names, 1) if name not in pages]
            fresh: frozenset[int] = frozenset()
            if unknown:
                drawn = draw(package, keys, unknown, office=office, cache=cache, facts=facts)
                if drawn is None:
                    return None
                fresh = frozenset(drawn.places)
                places = {names[number - 1]: page for number, page in drawn.places.items()}
                remember(cache, drawn.name, drawn.pdf, places)
                pages |= {
                    name: PageOf(drawn.name, drawn.pdf, page) for name, page in places.items()
                }
    except DeckError:  # LibreOffice may still read what we do not
        return None
    return IncrementalDeck(
        path, [pages[name] for name in names], names,
        engine=f"{office.engine}, {PDF_ENGINE}", fresh=fresh, size=size,
        read_picture=picture_spans if ocr and can_read_pictures() else None,
    )  # fmt: skip
