"""Pictures of slides as files, of which only those are made that are not known already."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import PIL
from PIL import Image

from decklab.errors import DeckError, RenderError
from decklab.files import write_whole
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.options import PictureFormat
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.model import RenderedDeck, TextSource, TextSpan
from decklab.rendering.office.office import Converter
from decklab.rendering.opening import IncrementalDeck, open_incremental
from decklab.rendering.pdf import PDF_ENGINE

QUALITY = 90  # ours: of JPEG and WebP; PNG loses nothing
_SUFFIXES: dict[PictureFormat, str] = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}
_PICTURE = re.compile(r"slide-(\d{3,})\.(png|jpg|webp)")


@dataclass(frozen=True)
class SavedSlide:
    """One slide, and the file that shows it."""

    number: int
    """1-based."""
    picture: Path | None
    """None where the slide could not be drawn."""
    width: int
    """Of the picture, in pixels; 0 without one."""
    height: int
    hidden: bool | None
    """Whether a show passes it over; None where the file does not say."""
    drawn: bool
    """False where it was known from an earlier run; always true for decks other than .pptx."""
    error: str = ""
    """Why there is no picture."""
    spans: tuple[TextSpan, ...] | None = None
    """The text as laid out; None where it was not asked for."""
    text_source: TextSource = "none"


@dataclass(frozen=True)
class SavedDeck:
    """A deck of which pictures were saved."""

    path: Path
    engine: str
    """Name and version of what drew it."""
    count: int
    """Slides in the deck, whether or not they were asked for."""
    slides: tuple[SavedSlide, ...]
    """Those that were asked for, in order."""


def save_pictures(
    path: str | Path,
    folder: str | Path,
    *,
    cache: Cache,
    office: Converter | None = None,
    slides: Iterable[int] | None = None,
    size: tuple[int, int] = (1280, 720),
    format: PictureFormat = "png",
    text: bool = False,
    deadline: float | None = None,
) -> SavedDeck:
    """Save slides as ``slide-001.png`` and so on in ``folder``, each file whole or not at all.

    Slides that ``cache`` knows from before are not drawn again. ``slides`` are the 1-based numbers
    wanted, all by default; numbers that the deck does not have are passed over. Pictures are as
    large as ``size`` allows in the slide's proportions. With ``text`` each slide comes with its
    laid-out text; pages without any have their text regions found in the picture. Pictures in
    ``folder`` of slides past the last, from when the deck was longer, are removed.

    A slide that cannot be drawn says why and stops no other. Raises DeckError (of a kind) where the
    deck cannot be read, RenderError where it cannot be drawn at all, OSError where a picture cannot
    be written; other arguments are those of ``open_incremental``.
    """
    folder, wanted = Path(folder), None if slides is None else frozenset(slides)
    with open_incremental(
        path, cache=cache, office=office, slides=wanted, size=size, ocr=text, deadline=deadline
    ) as deck:
        numbers = [n for n in range(1, len(deck) + 1) if wanted is None or n in wanted]
        hidden = _hidden(Path(path), numbers)
        saved = tuple(
            _save(
                deck,
                number,
                folder=folder,
                cache=cache,
                size=size,
                format=format,
                text=text,
                hidden=hidden.get(number),
            )
            for number in numbers
        )
        _remove_past(folder, len(deck))
        return SavedDeck(Path(path), deck.engine, len(deck), saved)


def _save(
    deck: RenderedDeck,
    number: int,
    *,
    folder: Path,
    cache: Cache,
    size: tuple[int, int],
    format: PictureFormat,
    text: bool,
    hidden: bool | None,
) -> SavedSlide:
    drawn = not isinstance(deck, IncrementalDeck) or number in deck.fresh
    target = folder / f"slide-{number:03d}{_SUFFIXES[format]}"
    try:
        content = _picture(deck, number, cache, size, format)
        slide = deck.slide(number) if text else None
    except RenderError as error:
        return SavedSlide(number, None, 0, 0, hidden, drawn, str(error))
    write_whole(target, content)
    with Image.open(BytesIO(content)) as picture:
        width, height = picture.size
    found = SavedSlide(number, target, width, height, hidden, drawn)
    if slide is None:
        return found
    return SavedSlide(
        number, target, width, height, hidden, drawn,
        spans=slide.spans, text_source=slide.text_source,
    )  # fmt: skip


def _picture(
    deck: RenderedDeck, number: int, cache: Cache, size: tuple[int, int], format: PictureFormat
) -> bytes:
    """The file of a slide's picture, which is kept for decks whose slides have keys."""
    if not isinstance(deck, IncrementalDeck):
        return _encoded(deck, number, format)
    name = cache_key(
        deck.keys[number].encode(),
        {"format": format, "size": list(size), "by": [PDF_ENGINE, PIL.__version__, QUALITY]},
    )
    content = cache.get(name)
    if content is None:
        content = _encoded(deck, number, format)
        cache.put(name, content)
    return content


def _encoded(deck: RenderedDeck, number: int, format: PictureFormat) -> bytes:
    out = BytesIO()
    Image.fromarray(deck.slide(number).image).save(out, format.upper(), quality=QUALITY)
    return out.getvalue()


def _hidden(path: Path, numbers: Collection[int]) -> dict[int, bool]:
    """Whether a show passes the slides over; empty for other kinds of decks than .pptx."""
    if path.is_dir():
        return {}
    try:
        with Package.open(path) as package:
            return {
                entry.number: package.xml(entry.part).get("show") in ("0", "false")
                for entry in slide_entries(package)
                if entry.number in numbers
            }
    except DeckError:
        return {}


def _remove_past(folder: Path, last: int) -> None:
    """Remove pictures, by our names for them, of slides that the deck no longer has."""
    for path in sorted(folder.glob("slide-*")):
        named = _PICTURE.fullmatch(path.name)
        if named is not None and int(named[1]) > last:
            path.unlink()
