"""Pictures of slides as files; slides that are in the cache are not drawn again."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import PIL
from PIL import Image

from decklab.core.errors import DeckError, RenderError
from decklab.core.files import write_whole
from decklab.core.options import PictureFormat
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.cache import cache_key
from decklab.rendering.model import RenderedDeck, TextSource, TextSpan
from decklab.rendering.opening import IncrementalDeck, open_incremental
from decklab.rendering.pdf import PDF_ENGINE
from decklab.rendering.renderer import Renderer

QUALITY = 90  # ours: of JPEG and WebP; PNG loses nothing
_SUFFIXES: dict[PictureFormat, str] = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}
_PICTURE = re.compile(r"slide-(\d{3,})\.(png|jpg|webp)")


@dataclass(frozen=True)
class Pictures:
    """Which pictures of a deck are wanted."""

    slides: Collection[int] | None = None
    """1-based numbers; None for all slides; numbers that a deck does not have are ignored."""
    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels that one may take; slides keep their proportions."""
    format: PictureFormat = "png"
    text: bool = False
    """Whether the text of each slide, as laid out, is wanted too; pages without any have their text
    regions found in the picture."""


@dataclass(frozen=True)
class SavedSlide:
    """One slide, and the file that shows it."""

    number: int
    """1-based."""
    picture: Path | None
    """None if the slide could not be drawn."""
    width: int
    """Of the picture, in pixels; 0 without one."""
    height: int
    hidden: bool | None
    """Whether a slide show skips it; None if the file does not say."""
    drawn: bool
    """False if it came from the cache; always true for decks other than .pptx."""
    error: str = ""
    """Why there is no picture."""
    spans: tuple[TextSpan, ...] | None = None
    """The text as laid out; None if it was not asked for."""
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
    wanted: Pictures | None = None,
    *,
    renderer: Renderer | None = None,
) -> SavedDeck:
    """Save slides as ``slide-001.png`` and so on in ``folder``, each file whole or not at all.

    Slides in the cache of ``renderer`` are not drawn again. Pictures in ``folder`` with numbers
    past the last slide, from a longer version of the deck, are removed.

    A slide that cannot be drawn has its reason, and the others are drawn. Raises DeckError (of a
    kind) if the deck cannot be read, RenderError if it cannot be drawn at all, OSError if
    a picture cannot be written.
    """
    folder, wanted, renderer = Path(folder), wanted or Pictures(), renderer or Renderer()
    slides = None if wanted.slides is None else frozenset(wanted.slides)
    with open_incremental(
        path, renderer=renderer, slides=slides, size=wanted.size, ocr=wanted.text
    ) as deck:
        numbers = [n for n in range(1, len(deck) + 1) if slides is None or n in slides]
        hidden = _hidden(Path(path), numbers)
        saved = tuple(
            _save(deck, number, wanted, hidden.get(number), folder=folder, renderer=renderer)
            for number in numbers
        )
        _remove_past(folder, len(deck))
        return SavedDeck(Path(path), deck.engine, len(deck), saved)


def _save(
    deck: RenderedDeck,
    number: int,
    wanted: Pictures,
    hidden: bool | None,
    *,
    folder: Path,
    renderer: Renderer,
) -> SavedSlide:
    drawn = not isinstance(deck, IncrementalDeck) or number in deck.fresh
    target = folder / f"slide-{number:03d}{_SUFFIXES[wanted.format]}"
    try:
        content = _picture(deck, number, wanted, renderer)
        slide = deck.slide(number) if wanted.text else None
    except (DeckError, RenderError) as error:
        return SavedSlide(number, None, 0, 0, hidden, drawn, str(error))
    write_whole(target, content)
    with Image.open(BytesIO(content)) as picture:
        width, height = picture.size
    saved = SavedSlide(number, target, width, height, hidden, drawn)
    if slide is None:
        return saved
    return SavedSlide(
        number, target, width, height, hidden, drawn,
        spans=slide.spans, text_source=slide.text_source,
    )  # fmt: skip


def _picture(deck: RenderedDeck, number: int, wanted: Pictures, renderer: Renderer) -> bytes:
    """The file of a slide's picture, which is stored for decks whose slides have keys."""
    if not isinstance(deck, IncrementalDeck):
        return _encoded(deck, number, wanted.format)
    drawn_by = [PDF_ENGINE, PIL.__version__, QUALITY]
    name = cache_key(
        deck.keys[number].encode(),
        {"format": wanted.format, "size": list(wanted.size), "by": drawn_by},
    )
    return renderer.stored(name, lambda: _encoded(deck, number, wanted.format))


def _encoded(deck: RenderedDeck, number: int, format: PictureFormat) -> bytes:
    out = BytesIO()
    Image.fromarray(deck.slide(number).image).save(out, format.upper(), quality=QUALITY)
    return out.getvalue()


def _hidden(path: Path, numbers: Collection[int]) -> dict[int, bool]:
    """Whether a slide show skips the slides; empty for other kinds of decks than .pptx."""
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
    """Remove pictures, known by our file names, of slides that the deck no longer has."""
    for path in sorted(folder.glob("slide-*")):
        named = _PICTURE.fullmatch(path.name)
        if named is not None and int(named[1]) > last:
            path.unlink()
