"""Drawn decks stored on disk between runs, by a hash of what they depend on.

diskcache returns an entry that was cut short as if it were whole, and stores pickles.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import platformdirs

from decklab.core.files import UNFINISHED, write_whole

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
        total = sum(size for _, size, _ in entries)
        if total <= self.max_bytes:
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
