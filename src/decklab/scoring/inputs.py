"""From what a person typed to the decks meant by it."""

import os
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path

__all__ = ["DECK_SUFFIXES", "IMAGE_SUFFIXES", "find_decks"]

DECK_SUFFIXES = frozenset(
    {".pptx", ".potx", ".ppsx", ".pptm", ".odp", ".ppt", ".pdf", ".html", ".htm"}
)
"""Endings by which a deck is found in a folder; a file named outright may have any ending."""

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif"})
"""Endings of slide images; a folder that holds only such files is one deck."""


def find_decks(paths: Iterable[str | Path]) -> list[Path]:
    """The decks that ``paths`` name, each once, in the order given.

    A file is itself, whatever its ending; a folder is all decks below it, sorted by path, and a
    folder of slide images is one deck; a pattern is what it matches. A path that leads nowhere
    is kept, so that it becomes a failed row instead of vanishing. Lock files of office programs
    (``~$deck.pptx``) are passed over in folders.
    """
    found: dict[Path, None] = {}
    for path in paths:
        for deck in _expand(str(path)):
            found.setdefault(deck)
    return list(found)


def _expand(text: str) -> Iterator[Path]:
    path = Path(text)
    if path.is_dir():
        yield from _in_folder(path)
    elif not path.exists() and has_magic(text):
        matches = sorted(glob(text, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute
        for match in matches:
            yield from _expand(match)
        if not matches:
            yield path
    else:
        yield path


def _in_folder(folder: Path) -> Iterator[Path]:
    holds_web_deck = False
    for name, folders, files in os.walk(folder):
        here = Path(name)
        folders[:] = sorted(item for item in folders if not item.startswith("."))
        visible = sorted(item for item in files if not item.startswith((".", "~$")))
        decks = [item for item in visible if Path(item).suffix.lower() in DECK_SUFFIXES]
        yield from (here / item for item in decks)
        holds_web_deck |= any(Path(item).suffix.lower() in {".html", ".htm"} for item in decks)
        images = [item for item in visible if Path(item).suffix.lower() in IMAGE_SUFFIXES]
        # Pictures beside or below a web page are its material, not a deck of their own.
        if images and not decks and not holds_web_deck:
            yield here
