"""Decks of other kinds as PowerPoint files, where a reader takes nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decklab.core.errors import UnsupportedFormat
from decklab.core.files import scratch_folder
from decklab.ooxml.signatures import IN_WORDS, POWERPOINT, FileKind
from decklab.ooxml.sniffing import check_archive, sniff
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer


@dataclass(frozen=True)
class PowerPointFile:
    """A deck as a PowerPoint file."""

    path: Path
    """The deck itself, or its copy."""
    converted: str = ""
    """What LibreOffice converted, such as "an OpenDocument presentation"; empty for the deck
    itself."""


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
