"""One worker process: started, asked a question with a deadline, ended with all it started."""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil

from decklab.rendering.office.installation import Installation
from decklab.rendering.office.launch import caged, direct
from decklab.rendering.office.profile import write_profile
from decklab.rendering.scratch import Scratch

__all__ = ["Hung", "Worker", "WorkerDied"]

_MEMORY_CHECK_SECONDS = 1.0


class Hung(Exception):
    """No answer before the deadline."""


class WorkerDied(Exception):
    """The worker ended, or was ended for taking too much memory, without an answer."""


class Worker:
    """A started worker with its private folder; the first answer says that it is ready."""

    def __init__(
        self, installation: Installation, script: Path, *, isolated: bool, memory_limit: int
    ) -> None:
        self._scratch = Scratch("office")
        self.folder = self._scratch.folder
        self._memory_limit = memory_limit
        self._pending = b""
        try:
            self._process = self._started(installation, script, isolated)
        except BaseException:
            self._scratch.remove()
            raise

    def _started(
        self, installation: Installation, script: Path, isolated: bool
    ) -> subprocess.Popen[bytes]:
        for name in ("home", "tmp"):
            (self.folder / name).mkdir()
        write_profile(self.folder / "profile", installation.build)
        inside = self.folder / "worker.py"
        shutil.copyfile(script, inside)
        command, environment = (caged if isolated else direct)(installation, inside, self.folder)
        return subprocess.Popen(
            command,
            env=environment,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and return the answer; raises Hung or WorkerDied where none comes."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise WorkerDied("the LibreOffice worker is gone") from None
        return self.answer(seconds)

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next answer; raises Hung or WorkerDied where none comes in ``seconds``."""
        line = self._line(time.monotonic() + seconds)
        try:
            answer = json.loads(line)
        except ValueError:
            raise WorkerDied("the LibreOffice worker answered no JSON") from None
        if not isinstance(answer, dict):
            raise WorkerDied("the LibreOffice worker answered no JSON object")
        if answer.get("why") == "died":
            raise WorkerDied(str(answer.get("detail", "LibreOffice died")))
        return answer

    def _line(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Hung
                if not selector.select(min(left, _MEMORY_CHECK_SECONDS)):
                    self._check_memory()
                    continue
                piece = os.read(descriptor, 65536)
                if not piece:
                    raise WorkerDied("the LibreOffice worker ended without an answer")
                self._pending += piece
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _check_memory(self) -> None:
        used = 0
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self._process.pid)
            for process in (top, *top.children(recursive=True)):
                used += process.memory_info().rss
        if used > self._memory_limit:
            raise WorkerDied(f"LibreOffice took more than {self._memory_limit >> 20} MiB of memory")

    def kill(self) -> None:
        """End the worker and all it started, and remove its folder; safe to call again."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()
        self._scratch.remove()
