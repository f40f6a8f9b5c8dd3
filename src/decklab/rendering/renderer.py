"""LibreOffice, a cache and a deadline for drawing decks, as one value; decks drawn in the
background, while the caller works on something else.

Drawn decks are stored on disk between runs, by a hash of all they depend on. diskcache is not used:
it returns an entry that was cut short as if it were whole, and stores pickles.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import platformdirs

from decklab.core.errors import DeckError, RendererMissing
from decklab.core.files import UNFINISHED, scratch_folder, write_whole
from decklab.core.result_store import ResultStore
from decklab.rendering.fonts import font_set_hash
from decklab.rendering.office import DECK_SECONDS, SAVE_FILTER, Converter, DrawsOnce, Office

T = TypeVar("T")

MAX_BYTES = 4 * 2**30  # ours: a few hundred decks with lossless pictures
_MAGIC = b"decklab-cache-1"
_LEFTOVER_SECONDS = 3600.0
_EVICT_TO = 0.9  # ours: make room for more than one entry at a time


def cache_key(content: bytes, facts: Mapping[str, object]) -> str:
    """The key of the drawing of ``content`` with ``facts``: engine, options, fonts, size.

    ``facts`` must be plain JSON values; their order does not matter.

    >>> one = cache_key(b"deck", {"engine": "A 1", "fonts": "x"})
    >>> one == cache_key(b"deck", {"fonts": "x", "engine": "A 1"})
    True
    >>> one == cache_key(b"deck", {"fonts": "x", "engine": "A 2"})
    False
    """
    digest = hashlib.sha256(hashlib.sha256(content).digest())
    digest.update(json.dumps(facts, sort_keys=True).encode())
    return digest.hexdigest()


class Cache:
    """A folder of entries by key, bounded to ``max_bytes``, shared safely between processes.

    ``folder`` defaults to the user's cache folder for decklab. An entry appears whole or not at
    all, and is checked against its length and SHA-256 each time it is read: a torn or altered one
    is removed and counts as absent. Past the bound, the least recently used entries are removed
    first. A cache that cannot be written (disk full, read-only) stores nothing and raises nothing.
    """

    def __init__(self, folder: str | Path | None = None, *, max_bytes: int = MAX_BYTES) -> None:
        self.folder = Path(folder or platformdirs.user_cache_dir("decklab")) / "render"
        self.max_bytes = max_bytes
        self.results = ResultStore(self.folder / "results.sqlite")
        """Small results of what was drawn, such as measurements."""

    def get(self, key: str) -> bytes | None:
        """The entry of that key, verified; None if the cache has none."""
        path = self._path(key)
        try:
            stored = path.read_bytes()
        except OSError:
            return None
        header, _, content = stored.partition(b"\n")
        if header != _header(content):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> bool:
        """Store ``content`` under ``key``; False if it could not be stored."""
        if len(content) > self.max_bytes:
            return False
        path = self._path(key)
        try:
            write_whole(path, _header(content) + b"\n" + content)
        except OSError:
            return False
        self._evict()
        return True

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key

    def _evict(self) -> None:
        entries = sorted(self._entries())
        if (total := sum(size for _, size, _ in entries)) <= self.max_bytes:
            return
        for _, size, path in entries:
            if total <= self.max_bytes * _EVICT_TO:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """Time of last use, size and path of each entry; removes files of killed writers."""
        for path in self.folder.glob("*/*"):
            with contextlib.suppress(OSError):
                facts = path.stat()
                if path.suffix != UNFINISHED:
                    yield facts.st_mtime, facts.st_size, path
                elif time.time() - facts.st_mtime > _LEFTOVER_SECONDS:
                    path.unlink()


def _header(content: bytes) -> bytes:
    return b"%s %d %s" % (_MAGIC, len(content), hashlib.sha256(content).hexdigest().encode())


@dataclass(frozen=True)
class Renderer:
    """How decks are drawn. It is a value: it opens no file and starts no process itself.

    A function that takes a renderer calls ``started``. So LibreOffice is started for that call
    if there is none yet, and serves all drawing of the call. To share it between calls::

        with Renderer(cache=Cache()).started() as renderer:
            one = decklab.lint("one.pptx", renderer=renderer)
            two = decklab.lint("two.pptx", renderer=renderer)
    """

    office: Converter | None = None
    """Turns office decks into PDF, and stays open; None for a LibreOffice that is started if one
    is needed."""
    cache: Cache | None = None
    """Stores drawings; None to store nothing."""
    deadline: float | None = None
    """Bounds, in seconds, the drawing of each page, each answer of the browser that shows a web
    deck, and each conversion of a LibreOffice that is started; None for the bounds of each."""

    @contextmanager
    def started(self, *, own_cache: bool = False) -> Iterator["Renderer"]:
        """The same with an ``office``; an office that was started here is closed at the end.

        LibreOffice is looked for and started when it is first used, which raises RendererMissing.
        With ``own_cache`` and without a cache, a cache is made that lasts until the end.
        """
        office, cache = self.office, self.cache
        with ExitStack() as stack:
            if office is None:
                office = Office(deadline=self.deadline or DECK_SECONDS)
                stack.callback(office.close)
            if cache is None and own_cache:
                cache = Cache(stack.enter_context(scratch_folder("drawn")))
            yield replace(self, office=office, cache=cache)

    @property
    def converter(self) -> Converter:
        """The ``office`` of a started renderer."""
        assert self.office is not None, "the renderer is not started"
        return self.office

    @property
    def store(self) -> Cache:
        """The ``cache`` of a renderer that was started with ``own_cache``."""
        assert self.cache is not None, "the renderer has no cache"
        return self.cache

    def check(self) -> None:
        """Check that a started renderer can draw office decks; raises RendererMissing."""
        _ = self.converter.engine

    @property
    def can_draw(self) -> bool:
        """Whether a started renderer can draw office decks."""
        try:
            self.check()
        except RendererMissing:
            return False
        return True

    def facts(self, path: Path) -> dict[str, object]:
        """Facts beyond an office deck's content that its pictures depend on, as plain JSON."""
        return {
            "engine": self.converter.engine,
            "options": dict(self.converter.options),
            "fonts": font_set_hash(),
            "suffix": path.suffix.lower(),
            "pages": "one a slide of the list",
        }

    def pdf(self, path: Path) -> bytes:
        """An office deck as PDF, from the cache or drawn now; raises DeckError and RenderError."""
        key = cache_key(content_of(path), self.facts(path))
        return self.stored(key, lambda: self.converter.pdf(path))

    def resaved(self, path: Path) -> bytes:
        """A deck as LibreOffice saves it, from the cache or saved now; raises RenderError, and
        OSError if it cannot be read."""
        facts = {"resaved by": self.converter.engine, "filter": SAVE_FILTER}
        key = cache_key(path.read_bytes(), facts)
        return self.stored(key, lambda: self.converter.resaved(path))

    def stored(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The cache's entry under ``key``; else the result of ``make``, which is then stored."""
        content = None if self.cache is None else self.cache.get(key)
        if content is None:
            content = make()
            if self.cache is not None:
                self.cache.put(key, content)
        return content


def content_of(path: Path) -> bytes:
    """The bytes of a deck's file; DeckError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DeckError(path, f"cannot be read: {error.strerror}") from None


@runtime_checkable
class Interruptible(Protocol):
    """A converter whose present deck another thread can give up."""

    def interrupt(self) -> None:
        """End the conversion that is at work, which raises RenderFailed in its thread."""

    def close(self) -> None:
        """End the converter; it starts again when asked to."""


class DrawnAhead:
    """A converter that draws in the background, one deck after the other, also decks that nobody
    waits for yet.

    Use it in a ``with`` statement, and in place of the office of ``renderer``, which must be
    started: ``Renderer(ahead)``. All decks go through the one background thread. Where the block
    ends with an error, the deck at work is given up.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="decklab-drawing")
        self._submitted: list[Future[Any]] = []

    @property
    def engine(self) -> str:
        """Of the office behind it, as the options."""
        return self._renderer.converter.engine

    @property
    def options(self) -> Mapping[str, object]:
        """Settings that change the PDF."""
        return self._renderer.converter.options

    def begin(self, open_deck: Callable[[Path], T], path: Path) -> Future[T]:
        """Open a deck as soon as those before it are drawn. ``open_deck`` runs in the background,
        and draws with the office behind this one."""
        submitted = self._thread.submit(open_deck, path)
        self._submitted.append(submitted)
        return submitted

    def pdf(self, path: str | Path) -> bytes:
        """The deck as PDF; raises DeckError and RenderError."""
        return self.begin(self._renderer.pdf, Path(path)).result()

    def pdf_once(self, path: str | Path) -> bytes:
        """The PDF of a deck, past the cache and without a second try."""
        office = self._renderer.converter
        draw = office.pdf_once if isinstance(office, DrawsOnce) else office.pdf
        return self.begin(draw, Path(path)).result()

    def resaved(self, path: str | Path) -> bytes:
        """The deck opened and saved as .pptx; raises RenderError if that fails."""
        return self.begin(self._renderer.resaved, Path(path)).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        office = self._renderer.converter
        at_work = [deck for deck in self._submitted if not deck.cancel() and not deck.done()]
        if error is not None and at_work and isinstance(office, Interruptible):
            office.interrupt()
            self._thread.shutdown()
            office.close()
        self._thread.shutdown()
