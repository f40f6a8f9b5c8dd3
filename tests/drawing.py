"""One LibreOffice for all tests of a process, and drawings that tests and runs share."""

from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from decklab.core.errors import RenderFailed
from decklab.rendering.fonts import font_set_hash
from decklab.rendering.office import DECK_SECONDS, SAVE_FILTER, Office
from decklab.rendering.office_process import Installation
from decklab.rendering.renderer import Cache, cache_key


class SharedOffice:
    """What a renderer takes for a LibreOffice of its own: it outlives whoever closes it.

    A deck whose parts were drawn before, by whichever test or run, comes from ``cache``. Tests of
    LibreOffice itself make an ``Office``.
    """

    def __init__(self, office: Office, cache: Cache, deadline: float = DECK_SECONDS) -> None:
        self._office, self._cache, self._deadline = office, cache, deadline
        self._interrupted = False

    @property
    def engine(self) -> str:
        return self._office.engine

    @property
    def installation(self) -> Installation:
        return self._office.installation

    @property
    def options(self) -> dict[str, object]:
        return self._office.options

    def pdf(self, path: str | Path) -> bytes:
        return self._stored(Path(path), "pdf", self._office.pdf)

    def pdf_once(self, path: str | Path) -> bytes:
        return self._stored(Path(path), "pdf", self._office.pdf_once)

    def resaved(self, path: str | Path) -> bytes:
        return self._stored(Path(path), SAVE_FILTER, self._office.resaved)

    def _stored(self, path: Path, form: str, make: Callable[[Path], bytes]) -> bytes:
        facts = {"form": form, "engine": self.engine, "options": self.options,
                 "fonts": font_set_hash(), "suffix": path.suffix}  # fmt: skip
        key = cache_key(_parts(path), facts)
        content = self._cache.get(key)
        if content is None:
            self._office.deadline = self._deadline
            content = make(path)
            self._cache.put(key, content)
        return content

    def interrupt(self) -> None:
        self._interrupted = True
        self._office.interrupt()

    def close(self) -> None:
        """Leaves LibreOffice running; an interrupted one starts again with the next deck."""
        if self._interrupted:
            self._office.close()


def _parts(path: Path) -> bytes:
    """Names and checksums of the parts of a deck: what is drawn does not depend on their dates."""
    try:
        with ZipFile(path) as package:
            parts = [(part.filename, part.CRC, part.file_size) for part in package.infolist()]
    except (BadZipFile, NotImplementedError):
        return path.read_bytes()
    return repr(parts).encode()


class RecordedOffice:
    """Returns recorded PDFs, by the name of the deck's file; draws nothing itself.

    ``asked`` lists the requested paths in order.
    """

    engine = "recorded"
    options: Mapping[str, object] = {}

    def __init__(self, pdfs: Mapping[str, bytes]) -> None:
        self._pdfs = dict(pdfs)
        self.asked: list[Path] = []

    def pdf(self, path: str | Path) -> bytes:
        """The recorded PDF of that file name; RenderFailed if there is none."""
        self.asked.append(Path(path))
        try:
            return self._pdfs[Path(path).name]
        except KeyError:
            raise RenderFailed(path, "no PDF was recorded for it") from None

    def resaved(self, path: str | Path) -> bytes:
        """RenderFailed: no saved decks are recorded."""
        raise RenderFailed(path, "no saved deck was recorded for it")
