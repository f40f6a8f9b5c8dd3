"""The finished decks of a run, on disk, so that a stopped run can be resumed.

One record a deck, written whole or not at all, in ``.decklab/`` under the output folder, which
keeps those of all runs into it. A record spares a later run the work only under the same key: same
bytes of the deck, same options, same versions of everything that makes the values. Plain files, and
no database such as diskcache: people can read and merge them, also on a network drive.
"""

import hashlib
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import ReportForm
from decklab.core.output_folder import FOLDER_MARK, deck_id, files_below, known_decks
from decklab.core.results import DeckResult
from decklab.pages.pictures import SlidePicture
from decklab.rendering.html import Browser, chromium_program, playwright_api
from decklab.scoring.reports.sharing import CARD_SIZE, markdown_report, score_badge, score_card


@dataclass(frozen=True)
class JournalEntry:
    """The stored result of one scored deck."""

    result: DeckResult
    page: str | None
    """File name of the deck's report under ``decks/``; None for a failed deck."""
    cover: SlidePicture | None
    """A small picture of the first slide."""


class Journal:
    """The records of one output folder."""

    def __init__(self, out: Path) -> None:
        self.folder = out / FOLDER_MARK
        self._out = out

    def clear(self) -> None:
        """Remove every record, and files that a killed run left unfinished."""
        for pattern in ("*.json", ".*.part"):
            for path in self.folder.glob(pattern):
                path.unlink(missing_ok=True)

    def write(self, deck: Path, key: str, record: JournalEntry) -> None:
        """Store ``record`` of ``deck`` under ``key``, in place of an earlier one."""
        data = {
            "key": key,
            "result": record.result.model_dump(mode="json"),
            "page": record.page,
            "cover": record.cover and packed(record.cover),
        }
        write_whole(self._path(deck_id(self._out, deck)), json.dumps(data).encode())

    def read(self, deck: Path, key: str | None = None) -> JournalEntry | None:
        """The record of ``deck``; None if it has none, or none under ``key`` if given."""
        return self._read(self._path(deck_id(self._out, deck)), key)

    def all(self) -> Iterator[JournalEntry]:
        """The records of all decks, in the order in which they were first scored."""
        known = [self._path(name) for name in known_decks(self._out)]
        others = sorted(set(self.folder.glob("*.json")).difference(known))
        for path in (*known, *others):
            if (record := self._read(path)) is not None:
                yield record

    def _read(self, path: Path, key: str | None = None) -> JournalEntry | None:
        try:
            data = json.loads(path.read_bytes())
            if key is not None and data["key"] != key:
                return None
            return JournalEntry(
                # Not as JSON text, which cannot store a name that is not UTF-8.
                result=DeckResult.model_validate(data["result"], strict=False),
                page=data["page"],
                cover=data["cover"] and unpacked(data["cover"]),
            )
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None

    def _path(self, deck: str) -> Path:
        return self.folder / (hashlib.sha256(os.fsencode(deck)).hexdigest()[:32] + ".json")


def packed(picture: SlidePicture) -> list[object]:
    """A picture as plain JSON."""
    return [b64encode(picture.data).decode(), picture.width, picture.height]


def unpacked(plain: list[Any]) -> SlidePicture:
    """The picture that ``packed`` made plain JSON of."""
    data, width, height = plain
    return SlidePicture(b64decode(data), width, height)


def fingerprint(deck: Path, settings: Iterable[object]) -> str:
    """A digest that changes with the deck's bytes and with ``settings``.

    Of a folder, all files directly in it count; of a web page, also the size and time of the files
    beside and below it, which it may use, except files that decklab wrote. A deck that cannot be
    read has a digest too.
    """
    digest = hashlib.sha256(repr(list(settings)).encode())
    try:
        if deck.is_dir():
            for file in sorted(path for path in deck.iterdir() if path.is_file()):
                digest.update(os.fsencode(file.name) + b"\0")
                digest.update(_content(file))
        elif deck.is_file():
            digest.update(_content(deck))
            if deck.suffix.lower() in {".html", ".htm"}:
                digest.update(_material(deck.parent))
    except OSError as error:
        digest.update(repr(error).encode())
    return digest.hexdigest()


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def _material(folder: Path) -> bytes:
    digest = hashlib.sha256()
    for here, _, files in files_below(folder):
        for path in (here / name for name in files):
            state = path.stat() if path.exists() else path.lstat()
            digest.update(os.fsencode(path) + b"\0%d\0%d\0" % (state.st_size, state.st_mtime_ns))
    return digest.digest()


FORM_FILES: Final[dict[ReportForm, tuple[str, ...]]] = {
    "md": (".md",),
    "pdf": (".pdf",),
    "card": ("-card.svg", "-card.png"),
    "badge": ("-badge.svg",),
}
"""Ends of the file names of each form, beside the page of the deck."""

_DRAWN: Final = frozenset({"pdf", "card"})
_SECONDS = 120.0


def check_forms(out: Path, forms: Collection[ReportForm]) -> None:
    """Raises RendererMissing if a form needs a Chromium that is not here."""
    if not _DRAWN.isdisjoint(forms):
        chromium_program(out)
        playwright_api(out)


def form_names(page: str, forms: Iterable[ReportForm]) -> Iterator[str]:
    """The names of the files of ``forms`` beside the page of that name.

    >>> list(form_names("talk.html", ["card", "md"]))
    ['talk-card.svg', 'talk-card.png', 'talk.md']
    """
    stem = page.removesuffix(".html")
    return (f"{stem}{end}" for form in forms for end in FORM_FILES[form])


def write_forms(folder: Path, entry: JournalEntry, forms: Collection[ReportForm]) -> None:
    """Write ``forms`` of a deck's report beside its page in ``folder``; nothing without a page."""
    if entry.page is None:
        return
    stem = folder / entry.page.removesuffix(".html")
    if "md" in forms:
        write_whole(stem.with_name(f"{stem.name}.md"), markdown_report(entry.result).encode())
    if "badge" in forms:
        write_whole(stem.with_name(f"{stem.name}-badge.svg"), score_badge(entry.result).encode())
    if "card" in forms:
        card = score_card(entry.result, entry.cover)
        write_whole(stem.with_name(f"{stem.name}-card.svg"), card.encode())
        write_whole(stem.with_name(f"{stem.name}-card.png"), _pictured(card))
    if "pdf" in forms:
        write_whole(stem.with_name(f"{stem.name}.pdf"), _printed(folder / entry.page))


def _printed(page: Path) -> bytes:
    browser = Browser(page, deadline=_SECONDS)
    try:
        return browser.pdf()
    finally:
        browser.close()


def _pictured(card: str) -> bytes:
    with scratch_folder("card") as folder:
        page = folder / "card.html"
        page.write_text(f'<!doctype html><body style="margin:0">{card}', encoding="utf-8")
        browser = Browser(page, deadline=_SECONDS)
        try:
            width, height = CARD_SIZE
            return browser.screenshot({"x": 0, "y": 0, "width": width, "height": height})
        finally:
            browser.close()
