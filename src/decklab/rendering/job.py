"""Draw many decks into folders of pictures; a deck that fails does not stop the others.

Pictures of slides as files; slides that are in the cache are not drawn again.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import PIL
from PIL import Image

from decklab.core.errors import DeckError, DecklabError, RenderError
from decklab.core.files import check_folder, write_whole
from decklab.core.options import SECONDS_A_DECK, PictureFormat
from decklab.core.output_folder import known_decks, names_in
from decklab.core.results import Tabular
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.font_report import Replacement, font_report
from decklab.rendering.opening import IncrementalDeck, check_decks, find_decks, open_incremental
from decklab.rendering.pdf import PDF_ENGINE
from decklab.rendering.pictures import RenderedDeck, TextSource, TextSpan
from decklab.rendering.renderer import Cache, Renderer, cache_key

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


@dataclass(frozen=True)
class DrawnDeck:
    """The result of drawing one deck."""

    deck: Path
    saved: SavedDeck | None
    """None if the deck could not be drawn."""
    fonts: Sequence[Replacement]
    """The fonts that were replaced; none for kinds of decks whose font names we do not read."""
    errors: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: pictures, their sizes, text if it was wanted, and what failed."""
        saved = self.saved
        pictured = [slide for slide in saved.slides if slide.picture] if saved else []
        return {
            "deck": str(self.deck),
            "engine": saved.engine if saved else None,
            "slide_count": saved.count if saved else None,
            "drawn": sum(slide.drawn for slide in pictured),
            "from_cache": sum(not slide.drawn for slide in pictured),
            "slides": [_slide_as_json(slide) for slide in saved.slides] if saved else [],
            "fonts_replaced": [
                {"asked": item.use.family, "drawn": item.drawn, "same_widths": item.same_widths}
                for item in self.fonts
            ],
            "errors": list(self.errors),
        }


def _slide_as_json(slide: SavedSlide) -> dict[str, Any]:
    record: dict[str, Any] = {
        "number": slide.number,
        "picture": str(slide.picture) if slide.picture else None,
        "width": slide.width,
        "height": slide.height,
        "hidden": slide.hidden,
        "drawn": slide.drawn,
        "error": slide.error or None,
    }
    if slide.spans is not None:
        spans = [asdict(span) | {"box": list(span.box)} for span in slide.spans]
        record |= {"text_source": slide.text_source, "text": spans}
    return record


class DrawnDecks(tuple[DrawnDeck, ...], Tabular):
    """The result of each deck. As rows: one a picture, or one for a deck without pictures."""

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Deck, slide number, picture, and the reason if there is no picture."""
        for deck in self:
            for slide in deck.saved.slides if deck.saved else ():
                yield {
                    "deck": str(deck.deck), "slide": slide.number, "error": slide.error or None,
                    "picture": str(slide.picture) if slide.picture else None,
                }  # fmt: skip
            if deck.saved is None:
                error = "; ".join(deck.errors)
                yield {"deck": str(deck.deck), "slide": None, "error": error, "picture": None}


def render(
    paths: str | Path | Iterable[str | Path],
    out: str | Path,
    wanted: Pictures | None = None,
    *,
    deadline: float = SECONDS_A_DECK,
    cache: Cache | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DrawnDecks:
    """Draw every deck that ``paths`` name as pictures, ``out/DECK/slide-001.png``.

    ``wanted`` says which slides, how large, and in which format. Slides that look as they did in an
    earlier run with the same ``cache`` are not drawn again; without a cache nothing is stored.
    ``deadline`` bounds the drawing of one deck in seconds; ``progress`` is called with the number
    of finished decks and of all decks. A deck that cannot be drawn does not stop the others.

    ::

        decklab.render("talk.pptx", "pictures", decklab.Pictures(slides=[2, 3], format="webp"))

    Raises DeckError or RendererMissing if not one deck can be read, or drawn here, OSError if
    ``out`` cannot be written: all before anything is drawn.
    """
    decks = find_decks([paths] if isinstance(paths, str | Path) else paths)
    check_decks(decks)
    check_folder(out)
    folder = Path(out)
    names = names_in(folder, decks, taken=_others(folder))
    drawn = []
    folders = {deck: folder / names[deck] for deck in decks}
    renderer = Renderer(cache=cache, deadline=deadline)
    for deck in draw_decks(folders, wanted, renderer=renderer):
        drawn.append(deck)
        if progress:
            progress(len(drawn), len(decks))
    return DrawnDecks(drawn)


def _others(folder: Path) -> set[str]:
    """Names in an output folder that are no folder of pictures of an earlier run."""
    if not folder.is_dir():
        return set()
    return {path.name for path in folder.iterdir()} - set(known_decks(folder).values())


def draw_decks(
    folders: Mapping[Path, Path],
    wanted: Pictures | None = None,
    *,
    renderer: Renderer | None = None,
) -> Iterator[DrawnDeck]:
    """Draw each deck into its folder of ``folders``, one after the other, with one LibreOffice.

    If there is no LibreOffice, a deck that needs it fails with an error that says so.
    """
    with (renderer or Renderer()).started(own_cache=True) as started:
        for deck, folder in folders.items():
            yield _drawn(deck, folder, wanted or Pictures(), started)


def _drawn(deck: Path, folder: Path, wanted: Pictures, renderer: Renderer) -> DrawnDeck:
    try:
        saved = save_pictures(deck, folder, wanted, renderer=renderer)
    except DecklabError as error:
        return DrawnDeck(deck, None, (), (str(error),))
    errors = [slide.error for slide in saved.slides if slide.error]
    beyond = sorted(number for number in set(wanted.slides or ()) if number > saved.count)
    errors += [f"{deck}: there is no slide {number}; it has {saved.count}" for number in beyond]
    return DrawnDeck(deck, saved, _replaced_fonts(deck, renderer), tuple(errors))


def _replaced_fonts(deck: Path, renderer: Renderer) -> Sequence[Replacement]:
    if deck.is_dir():
        return ()
    try:
        with Package.open(deck) as package:
            return font_report(package, renderer).replaced
    except (DeckError, RenderError):
        return ()
