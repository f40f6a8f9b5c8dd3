"""The decks that paths, folders and patterns name; decks of other kinds as PowerPoint files, and
the elements of a deck with its texts as drawn.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from decklab.core.errors import DeckError, DecklabError, RendererMissing, UnsupportedFormat
from decklab.core.files import scratch_folder
from decklab.core.output_folder import files_below
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_part_of_deck
from decklab.deck.views.drawn import merge_layout
from decklab.ooxml.package import Package, check_archive, sniff
from decklab.ooxml.signatures import IN_WORDS, POWERPOINT, FileKind
from decklab.rendering.office.process import find_installation
from decklab.rendering.opening import DECK_SUFFIXES, deck_kind, open_rendered
from decklab.rendering.pictures import IMAGE_SUFFIXES
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


_DECKS = DECK_SUFFIXES - IMAGE_SUFFIXES


def find_decks(paths: Iterable[str | Path]) -> list[Path]:
    """The decks that ``paths`` name, each once, in the order given.

    A file is a deck, whatever its suffix. A folder gives all decks below it, found by their
    suffixes and sorted by path; a folder of slide images only is one deck. A pattern gives its
    matches. A path that does not exist, a folder without a deck, and folders below that cannot be
    listed are in the list too, so that they become failed rows and are not lost. In folders, lock
    files of office programs (``~$deck.pptx``) and the reports of earlier runs are left out.
    """
    decks: dict[Path, None] = {}
    for path in paths:
        for deck in _expand(str(path)):
            decks.setdefault(deck)
    return list(decks)


def check_decks(decks: Sequence[Path]) -> None:
    """Check that at least one deck can be read, and drawn here.

    Raises the error of the first deck: DeckError (of a kind), or RendererMissing if LibreOffice is
    missing, without which no deck that can be read can be drawn.
    """
    wrong: list[DeckError] = []
    missing: RendererMissing | None = None
    for deck in decks:
        try:
            if deck.is_dir() and not any(_in_folder(deck)):
                raise DeckError(deck, "there is no deck in this folder")
            if deck_kind(deck) == "office":
                find_installation()
            return
        except DeckError as error:
            wrong.append(error)
        except RendererMissing as error:
            missing = error
    if missing is not None:
        raise missing
    if not wrong:
        raise DecklabError("no decks were named")
    if len(wrong) > 1:
        first = wrong[0]
        detail = f"{first.detail}; nor can {len(wrong) - 1} more of the decks be read"
        raise DeckError(first.path, detail, first.part)
    raise wrong[0]


def _expand(text: str) -> Iterator[Path]:
    path = Path(text)
    if _is(path.is_dir):
        yield from list(_in_folder(path)) or [path]
    elif has_magic(text) and not _is(path.exists):
        matches = sorted(glob(text, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute
        for match in map(Path, matches):
            yield from _in_folder(match) if _is(match.is_dir) else [match]
        if not matches:
            yield path
    else:
        yield path


def _is(question: Callable[[], bool]) -> bool:
    """The answer of pathlib; False if a folder above, or the length of the name, prevents it."""
    try:
        return question()
    except OSError:
        return False


def _in_folder(folder: Path) -> Iterator[Path]:
    web_decks: set[Path] = set()
    closed: list[Path] = []
    for here, _, files in files_below(
        folder, unreadable=lambda error: closed.append(Path(error.filename))
    ):
        visible = [item for item in files if not item.startswith((".", "~$"))]
        decks = [item for item in visible if Path(item).suffix.lower() in _DECKS]
        yield from (here / item for item in decks)
        if any(Path(item).suffix.lower() in {".html", ".htm"} for item in decks):
            web_decks.add(here)
        images = [item for item in visible if Path(item).suffix.lower() in IMAGE_SUFFIXES]
        # Pictures beside or below a web page belong to the page and are no deck.
        if images and not decks and web_decks.isdisjoint((here, *here.parents)):
            yield here
    yield from closed
