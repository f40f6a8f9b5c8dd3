"""Draw many decks into folders of pictures; a deck that fails does not stop the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from decklab.core.errors import DeckError, DecklabError, RenderError
from decklab.core.files import check_folder
from decklab.core.options import SECONDS_A_DECK
from decklab.core.output_folder import known_decks, names_in
from decklab.core.tabular import Tabular
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.font_report import Replacement, font_report
from decklab.rendering.inputs import check_decks, find_decks
from decklab.rendering.renderer import Renderer
from decklab.rendering.saving import Pictures, SavedDeck, SavedSlide, save_pictures


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
