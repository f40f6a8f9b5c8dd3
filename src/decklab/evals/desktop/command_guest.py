"""The side inside the sandbox: one installed program is run, and its output is passed on.

Its first half of what may be printed is passed on at once, so that it is there when the time is
over; of the rest the last part is kept.
"""

import os
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_CHUNK = 1 << 13
_SPARE_SECONDS = 2.0
"""How long is read on after the program ended: a child of it may hold the pipe open."""


def find_program(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Where the program of a command is; empty if it is not there."""
    return shutil.which(words[0], path=environment["PATH"]) or ""


def run_command(
    words: Sequence[str], *, given: str, deck: str, environment: Mapping[str, str], most: int
) -> list[int]:
    """Run a command in the working folder with a copy of ``given`` named ``deck``.

    Standard input is empty. Of each stream at most ``most`` bytes are passed on. Returns the exit
    status and how many bytes of the two streams were left out. Raises OSError if it cannot be
    started.
    """
    shutil.copyfile(given, deck)
    environment = {**environment, "HOME": str(Path.cwd()), "TMPDIR": os.environ["TMPDIR"]}
    process = subprocess.Popen(
        [find_program(words, environment) or words[0], *words[1:]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    streams = [_Passed(process.stdout, 1, most), _Passed(process.stderr, 2, most)]
    for stream in streams:
        stream.start()
    status = process.wait()
    until = time.monotonic() + _SPARE_SECONDS
    for stream in streams:
        stream.join(max(0.0, until - time.monotonic()))
    return [status, *(stream.tell_rest() for stream in streams)]


class _Passed(threading.Thread):
    """Passes a stream on, up to ``most`` bytes."""

    def __init__(self, source: Any, target: int, most: int) -> None:
        super().__init__(daemon=True)
        self._source, self._target = source, target
        self._left, self._room = most // 2, most // 2
        self._last: deque[bytes] = deque()
        self._kept = self._dropped = 0

    def run(self) -> None:
        """Read until the stream ends."""
        while data := self._source.read1(_CHUNK):
            now, later = data[: self._left], data[self._left :]
            self._left -= len(now)
            _write(self._target, now)
            if later:
                self._last.append(later)
                self._kept += len(later)
            while self._kept - len(self._last[0] if self._last else b"") > self._room:
                gone = self._last.popleft()
                self._kept -= len(gone)
                self._dropped += len(gone)

    def tell_rest(self) -> int:
        """Write the kept end; returns how many bytes were left out before it."""
        rest = b"".join(tuple(self._last))
        self._dropped += max(0, len(rest) - self._room)
        if self._dropped:
            _write(self._target, f"\n[{self._dropped} bytes are left out here]\n".encode())
        _write(self._target, rest[-self._room :] if rest else b"")
        return self._dropped


def _write(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]
