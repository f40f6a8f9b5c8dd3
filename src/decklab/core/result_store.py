"""Small results kept between runs in one file, which processes share: measurements of slides, and
results of decks, by a hash of all that they depend on.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 2**30
"""Bytes that all results together may take. Ours: some hundred decks with small pictures."""

_MARK: Final = 0x6465636B
"""Says in the header of a database that it is one of these ("deck")."""

_MARK_AT: Final = slice(68, 72)
"""Bytes of an SQLite header that hold the mark (its ``application_id``)."""

_WAIT_SECONDS = 5.0
_USE_SECONDS = 3600.0
"""How exactly the last use is known: a look changes nothing more often than that."""

_EVICT_TO = 0.9  # ours: make room for more than one result at a time
_AT_ONCE = 500  # keys a statement, fewer than SQLite allows
_TABLE = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, used REAL NOT NULL, size INTEGER NOT NULL,
    digest BLOB NOT NULL, value BLOB NOT NULL
)"""
_PAST_BOUND = """
DELETE FROM results WHERE key IN (
    SELECT key FROM (SELECT key, SUM(size) OVER (ORDER BY used DESC, key) AS so_far FROM results)
    WHERE so_far > ?
)"""


class ResultStore:
    """Results by key in the SQLite file ``path``, bounded to ``max_bytes``, shared safely between
    processes.

    Each result is checked against its digest when it is read, and one that is altered counts as
    absent. Past the bound the least recently used go first. A file that is torn is begun anew; one
    that is no store, or that cannot be written (disk full, read-only), is left as it is: then
    nothing is kept, and nothing raised.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.path, self.max_bytes = path, max_bytes

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the results with these keys that are kept."""
        kept: dict[str, bytes] = {}
        if self.path.is_file():
            for start in range(0, len(keys), _AT_ONCE):
                self._use(partial(_read, keys[start : start + _AT_ONCE], kept))
        return kept

    def put(self, results: Mapping[str, bytes]) -> None:
        """Keep results under their keys, in place of earlier ones; none larger than the bound."""
        now = time.time()
        rows = [
            (key, now, len(value), _digest(key, value), value)
            for key, value in results.items()
            if len(value) <= self.max_bytes
        ]
        if rows:
            self._use(partial(_write, rows, self.max_bytes))

    def _use(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """Do something with the database, if it is ours or new and nothing is wrong with it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
            with closing(connection) as database:
                # What a power failure tears is found by its digest.
                database.execute("PRAGMA synchronous=OFF")
                if _is_ours(database):
                    work(database)
        except (OSError, sqlite3.OperationalError):
            return
        except sqlite3.DatabaseError:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Remove the file if it was a store before it was torn."""
        try:
            with self.path.open("rb") as file:
                ours = file.read(_MARK_AT.stop)[_MARK_AT] == _MARK.to_bytes(4, "big")
            if ours:
                self.path.unlink()
        except OSError:
            return


def _is_ours(database: sqlite3.Connection) -> bool:
    (mark,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    return bool(mark == _MARK or (mark == 0 and tables == 0))


def _read(keys: Sequence[str], into: dict[str, bytes], database: sqlite3.Connection) -> None:
    listed = ", ".join("?" * len(keys))
    query = f"SELECT key, used, digest, value FROM results WHERE key IN ({listed})"
    rows = database.execute(query, keys).fetchall()
    into |= {key: value for key, _used, digest, value in rows if digest == _digest(key, value)}
    now = time.time()
    old = [(now, key) for key, used, _digest, _value in rows if used < now - _USE_SECONDS]
    database.executemany("UPDATE results SET used = ? WHERE key = ?", old)


def _write(
    rows: Sequence[tuple[object, ...]], max_bytes: int, database: sqlite3.Connection
) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute(_TABLE)
    database.execute(f"PRAGMA application_id={_MARK}")
    database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", rows)
    (total,) = database.execute("SELECT TOTAL(size) FROM results").fetchone()
    if total > max_bytes:
        database.execute(_PAST_BOUND, [int(max_bytes * _EVICT_TO)])
    database.execute("COMMIT")


def _digest(key: str, value: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + value).digest()


@cache
def code_stamp() -> str:
    """A digest of decklab's own files by name, size and time of change: other code may measure
    other values, also under the same version."""
    digest = hashlib.sha256()
    waiting = [str(Path(__file__).parents[1])]
    while waiting:
        for item in sorted(os.scandir(waiting.pop()), key=lambda item: item.name):
            if item.is_dir():
                waiting += [item.path] if item.name != "__pycache__" else []
                continue
            facts = item.stat()
            digest.update(f"{item.path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
