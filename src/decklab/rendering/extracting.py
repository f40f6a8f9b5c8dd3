"""Decks of other kinds as PowerPoint files, and the elements of a deck with its texts as drawn."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decklab.core.errors import UnsupportedFormat
from decklab.core.files import scratch_folder
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_part_of_deck
from decklab.deck.views.drawn import merge_layout
from decklab.ooxml.package import Package, check_archive, sniff
from decklab.ooxml.signatures import IN_WORDS, POWERPOINT, FileKind
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, Renderer


@dataclass(frozen=True)
class PowerPointFile:
    """A deck as a PowerPoint file."""

    path: Path
    """The deck itself, or its copy."""
    converted: str = ""
    """The kind of file that LibreOffice converted, such as "an OpenDocument presentation"; empty
    for the deck itself."""


@contextmanager
def as_powerpoint(deck: str | Path, renderer: Renderer | None = None) -> Iterator[PowerPointFile]:
    """A deck as a PowerPoint file: itself, or for ``.odp`` and ``.ppt`` a copy that LibreOffice
    makes, which is removed after the block.

    By default the user's cache folder stores such copies. Raises UnsupportedFormat for other kinds,
    what ``sniff`` raises, and RenderError if LibreOffice is missing or cannot convert the deck.
    """
    path = Path(deck)
    kind = sniff(path)
    if kind is FileKind.PPTX:
        yield PowerPointFile(path)
        return
    if kind not in (FileKind.ODP, FileKind.PPT):
        detail = f"it is {IN_WORDS[kind]}, not {POWERPOINT}, .odp or .ppt"
        raise UnsupportedFormat(path, detail)
    if kind is FileKind.ODP:
        check_archive(path)
    with (
        scratch_folder("converted") as folder,
        (renderer or Renderer(cache=Cache())).started() as started,
    ):
        copy = folder / f"{path.stem}.pptx"
        copy.write_bytes(started.resaved(path))
        yield PowerPointFile(copy, IN_WORDS[kind])


@dataclass(frozen=True)
class LaidOutSlides:
    """Slides with ``drawn`` set on their texts."""

    slides: tuple[SlideElements, ...]
    matched: float | None
    """Mean share of the characters of a slide's texts that were found on its page, 0 to 1; None
    if no slide has text."""


def lay_out(
    path: Path, slides: Sequence[SlideElements], *, renderer: Renderer | None = None
) -> LaidOutSlides:
    """Draw a deck, and set on some of its slides where and in what size their text was drawn.

    Raises DeckError if the file cannot be read and RenderError if it cannot be drawn.
    """
    with open_rendered(path, renderer=renderer, ocr=False) as drawn:
        merged = [merge_layout(slide, drawn.slide(slide.number).spans) for slide in slides]
    shares = [item.share_of_text for item in merged if item.share_of_text is not None]
    return LaidOutSlides(
        tuple(item.slide for item in merged), sum(shares) / len(shares) if shares else None
    )


def extract(path: str | Path, *, slides: Collection[int] | None = None) -> DeckElements:
    """Everything on the slides of a deck, with effective styles and where they are stated.

    With ``slides``, 1-based numbers, only these are read. Of ``.odp`` and ``.ppt`` a copy is read
    that LibreOffice converts; ``converted`` says so. Raises DeckError if the file cannot be
    read, and RenderError if it cannot be converted; parts that are damaged are left out and
    named in ``problems``.

    ::

        for slide in decklab.extract("talk.pptx").slides:
            print(slide.number, slide.title, [text.font.name for text in slide.texts])
    """
    with as_powerpoint(path) as deck, Package.open(deck.path) as package:
        read = read_elements(package) if slides is None else read_part_of_deck(package, slides)
    return read.model_copy(update={"converted": deck.converted}) if deck.converted else read
