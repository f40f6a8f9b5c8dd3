"""The interface of what turns decks into PDF, and a fake that needs no LibreOffice."""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from decklab.core.errors import DeckError, RendererDied, RenderFailed, RenderTimeout
from decklab.core.files import Closing
from decklab.core.programs import is_available
from decklab.deck.styles.themes import NO_FONT
from decklab.ooxml.package import Package, sniff, write_package
from decklab.ooxml.signatures import FileKind
from decklab.ooxml.slide_list import without_dead_entries
from decklab.ooxml.xml import serialize_xml
from decklab.rendering.fonts import installed_families
from decklab.rendering.office_process import (
    SETTINGS,
    Installation,
    OfficeDied,
    Worker,
    WorkerTimeout,
    find_installation,
)


class Converter(Protocol):
    """Turns decks into PDF; ``Office`` does it with LibreOffice."""

    @property
    def engine(self) -> str:
        """Name and version of the drawing program."""

    @property
    def options(self) -> Mapping[str, object]:
        """Settings that change the PDF, as plain JSON values."""

    def pdf(self, path: str | Path) -> bytes:
        """The deck as PDF; raises RenderError if that fails."""

    def resaved(self, path: str | Path) -> bytes:
        """The deck opened and saved as .pptx; raises RenderError if that fails."""


@runtime_checkable
class DrawsOnce(Protocol):
    """A converter that can be told to try a deck only once."""

    def pdf_once(self, path: str | Path) -> bytes:
        """The deck as PDF at the first try; raises RenderError if that fails."""


EXPORT_OPTIONS: dict[str, bool] = {
    "EmbedStandardFonts": True,
    "ExportFormFields": False,
    "ExportHiddenSlides": True,
    "ReduceImageResolution": False,
    "UseLosslessCompression": True,
    "UseTaggedPDF": True,
}
"""Options of LibreOffice's PDF export. Pictures keep their pixels (the defaults re-encode them
as JPEG and change slides visibly), hidden slides are slides, and form fields are drawn."""

DECK_SECONDS = 120.0


@dataclass(frozen=True)
class WorkerLimits:
    """When one LibreOffice process is stopped, and when the next one takes its place. Ours."""

    start_seconds: float = 90.0
    """Seconds; it is stopped if it takes longer to start."""
    memory_bytes: int = 4 * 2**30
    """It is stopped if it takes more."""
    recycle_bytes: int = 2**30
    """It is replaced after a deck if it takes more: 80 MB when it starts, and 1.1 GB after about
    a hundred decks."""
    recycle_decks: int = 100
    """It is replaced after this many decks."""


_REST_SECONDS = 300.0
"""After a LibreOffice did not start, before the next one is. Ours."""

_LEAST_BYTES = 64 * 2**20
"""With less space than this, a failure of LibreOffice may be the disk's fault. Ours."""

SAVE_FILTER = "Impress MS PowerPoint 2007 XML"
"""The filter by which LibreOffice's window saves a deck as .pptx."""

_SUFFIXES = {
    FileKind.PPTX: (".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm"),
    FileKind.ODP: (".odp", ".otp"),
    FileKind.PPT: (".ppt", ".pot", ".pps"),
}

_WORKER_SCRIPT = Path(__file__).with_name("office_worker.py")


class Office(Closing):
    """One LibreOffice that turns decks into PDF, one after the other.

    It starts with the first deck (or with ``start``), stays up, and is replaced when it hangs,
    dies, answers without a file or passes its ``limits``. A deck it failed on is tried once more
    with a new process. ``deadline`` bounds the seconds of each try. Close it, or use it in a
    ``with`` statement. Use one per process; it serves one caller.

    ``installation`` is the LibreOffice to use, by default the one that is found when it is first
    asked for; ``worker`` is a script to run in place of our own; ``isolate=False`` does without
    bubblewrap. All that asks for it raises RendererMissing, whose text says what to install, if
    LibreOffice or its Python interface is missing.
    """

    def __init__(
        self,
        *,
        deadline: float = DECK_SECONDS,
        limits: WorkerLimits | None = None,
        isolate: bool = True,
        installation: Installation | None = None,
        worker: Path = _WORKER_SCRIPT,
    ) -> None:
        self.deadline = deadline
        self._limits = limits or WorkerLimits()
        self._script = worker
        self._installation, self._isolate = installation, isolate
        self._worker: Worker | None = None
        self._ready, self._done, self._interrupted = False, 0, False
        self._unusable = -_REST_SECONDS, ""
        """When it did not start, and why."""

    @cached_property
    def installation(self) -> Installation:
        """The LibreOffice in use, for other processes that need not look for it again."""
        return self._installation or find_installation()

    @property
    def isolated(self) -> bool:
        """Whether LibreOffice runs inside bubblewrap: no network, read-only system."""
        return self._isolate and is_available()

    @property
    def engine(self) -> str:
        """Name and version of the drawing program, such as ``LibreOffice 7.4.7.2 40(Build:2)``."""
        return self.installation.version

    @property
    def options(self) -> dict[str, object]:
        """The settings of LibreOffice and of its PDF export; a part of cache keys."""
        return {**EXPORT_OPTIONS, "settings": [list(setting) for setting in SETTINGS]}

    def start(self) -> None:
        """Start LibreOffice without waiting until it is up, unless it rests after it did not start.
        The first deck does so too."""
        if self._worker is None and not self._why_at_rest:
            self._ready, self._done = False, 0
            self._worker = Worker(
                self.installation,
                self._script,
                isolated=self.isolated,
                memory_limit=self._limits.memory_bytes,
            )

    def pdf(self, path: str | Path) -> bytes:
        """The deck as PDF, one page per slide, hidden slides included.

        A deck without slides gives one blank page. Raises RenderTimeout past the deadline and
        RenderFailed if LibreOffice does not start or refuses the file (one with a password
        among them), and of its kind RendererDied if LibreOffice dies on it. One that did not
        start is not started again for five minutes: all decks fail at once until then.
        """
        return self._converted(Path(path), _AS_PDF)

    def pdf_once(self, path: str | Path) -> bytes:
        """The PDF of a deck, without a second try: for decks that may well be deadly."""
        return self._last_attempt(Path(path), _AS_PDF)

    def resaved(self, path: str | Path) -> bytes:
        """The deck as LibreOffice writes it as .pptx when it only opens and saves it.

        Raises what ``pdf`` raises.
        """
        return self._converted(Path(path), _AS_DECK)

    def _converted(self, source: Path, form: "_OutputFormat") -> bytes:
        fresh = self._done == 0
        try:
            return self._attempt(source, form)
        except _Refused as refusal:
            self._discard_worker()
            if fresh:
                raise refusal.error from None
        except (WorkerTimeout, OfficeDied):
            self._discard_worker()
        if self._interrupted:
            raise RenderFailed(source, "the drawing was given up")
        return self._last_attempt(source, form, "twice")

    def _last_attempt(self, source: Path, form: "_OutputFormat", tries: str = "once") -> bytes:
        try:
            return self._attempt(source, form)
        except _Refused as refusal:
            self._discard_worker()
            raise refusal.error from None
        except WorkerTimeout:
            self._discard_worker()
            raise RenderTimeout(
                source, f"not {form.done} in {self.deadline:g} seconds, {tries}"
            ) from None
        except OfficeDied as death:
            self._discard_worker()
            raise RendererDied(source, f"{death}, {tries}") from None

    @property
    def _why_at_rest(self) -> str:
        """Why it did not start, for a while after that; else empty."""
        since, detail = self._unusable
        return detail if time.monotonic() < since + _REST_SECONDS else ""

    def _started_worker(self, source: Path) -> Worker:
        """LibreOffice, which is up; raises RenderFailed if it does not start, at two tries."""
        if detail := self._why_at_rest:
            raise RenderFailed(source, detail)
        for _ in range(2):
            if self._interrupted:
                raise OfficeDied("LibreOffice was stopped")
            self.start()
            assert self._worker is not None
            if self._ready:
                return self._worker
            try:
                self._worker.answer(self._limits.start_seconds)
                self._ready = True
            except WorkerTimeout:
                cause = f"it is not up after {self._limits.start_seconds:g} seconds"
                self._discard_worker()
            except OfficeDied as death:
                cause = str(death)
                self._discard_worker()
            else:
                return self._worker
        detail = f"LibreOffice does not start here: {cause}, twice"
        if not installed_families():
            detail += f"; {NO_FONT}"
        self._unusable = time.monotonic(), detail
        raise RenderFailed(source, detail)

    def _attempt(self, source: Path, form: "_OutputFormat") -> bytes:
        worker = self._started_worker(source)
        inside = f"deck{_suffix(source)}"
        copy_in = _copy_listed if form is _AS_PDF else shutil.copyfile
        copy_in(source, worker.folder / inside)
        target = worker.folder / form.name
        target.unlink(missing_ok=True)
        answer = worker.ask(
            {"source": inside, "target": target.name, **form.request}, self.deadline
        )
        (worker.folder / inside).unlink(missing_ok=True)
        self._done += 1
        if not answer.get("ok"):
            detail = str(answer.get("detail", "LibreOffice gave no reason"))
            if (free := shutil.disk_usage(worker.folder).free) < _LEAST_BYTES:
                place = worker.folder.parent
                detail = (
                    f"only {free / 2**20:.1f} MB are left for temporary files in {place}: {detail}"
                )
            raise _Refused(RenderFailed(source, detail))
        if (content := _file_in(target, form.start)) is None:
            raise OfficeDied("LibreOffice answered without a file")
        self._recycle_if_grown(answer)
        return content

    def _recycle_if_grown(self, answer: dict[str, Any]) -> None:
        grown = answer.get("rss", 0) > self._limits.recycle_bytes
        if grown or self._done >= self._limits.recycle_decks:
            self._discard_worker()

    def _discard_worker(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None
        self._done = 0

    def interrupt(self) -> None:
        """End, from another thread, the conversion at work: it raises RenderFailed in its own.

        None succeeds from then on until the Office is closed.
        """
        self._interrupted = True
        if (worker := self._worker) is not None:
            worker.end()

    def close(self) -> None:
        """End LibreOffice and remove its files; a closed Office starts again when asked to."""
        self._discard_worker()
        self._interrupted = False


class _Refused(Exception):
    """LibreOffice answered that it cannot; ``error`` is raised if that is final."""

    def __init__(self, error: RenderFailed) -> None:
        super().__init__(str(error))
        self.error = error


def _copy_listed(source: Path, target: Path) -> None:
    """Copy a deck; a .pptx without the entries of its slide list that lead to no slide, for each of
    which LibreOffice draws a blank page."""
    try:
        with Package.open(source) as package:
            if (root := without_dead_entries(package)) is not None:
                changed = {package.main_part: serialize_xml(root)}
                write_package(package, target, replace=changed)
                return
    except DeckError:  # LibreOffice may read it
        pass
    shutil.copyfile(source, target)


def _suffix(source: Path) -> str:
    """The suffix by which LibreOffice recognises the format: the file's own where it fits the
    content, else one that does."""
    suffix = source.suffix.lower()
    try:
        truthful = _SUFFIXES[sniff(source)]
    except (DeckError, KeyError):  # LibreOffice may read it
        return suffix if suffix[1:].isalnum() and len(suffix) <= 6 else ""
    return suffix if suffix in truthful else truthful[0]


def _file_in(target: Path, start: bytes) -> bytes | None:
    try:
        content = target.read_bytes()
    except FileNotFoundError:
        return None
    return content if content.startswith(start) else None


@dataclass(frozen=True)
class _OutputFormat:
    """The format that a deck is converted to."""

    name: str
    """Of the file that LibreOffice writes."""
    start: bytes
    """The first bytes of such a file."""
    request: dict[str, Any]
    done: str
    """The verb for the conversion, for messages."""


_AS_PDF = _OutputFormat("deck.pdf", b"%PDF-", {"export": EXPORT_OPTIONS}, "drawn")
_AS_DECK = _OutputFormat("resaved.pptx", b"PK", {"export": {}, "filter": SAVE_FILTER}, "saved")
