"""Find the decks that paths, folders and patterns name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path

from decklab.core.errors import DeckError, DecklabError, RendererMissing
from decklab.core.output_folder import files_below
from decklab.rendering.office.installation import find_installation
from decklab.rendering.opening import DECK_SUFFIXES, deck_kind
from decklab.rendering.pictures import IMAGE_SUFFIXES

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
