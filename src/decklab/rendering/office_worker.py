"""Drives one LibreOffice: reads requests as JSON lines, writes each deck as PDF or in another
format, answers in JSON.

Runs on its own, under any Python 3.9 or later that can import ``uno``, and imports nothing of
decklab. Usage: ``python worker.py PROGRAM FOLDER``: PROGRAM is the LibreOffice to start, FOLDER
the one place where files are read and written; it holds the profile in ``profile/``.

Lines in: ``{"source": NAME, "target": NAME, "export": {...}}``, names inside FOLDER, ``export``
being the options of LibreOffice's PDF export; with ``"filter": NAME`` besides, the deck is written
by that filter of LibreOffice's, without options. Lines out: first ``{"ready": true}``, then per
request ``{"ok": true, "pages": N, "rss": BYTES}`` or ``{"ok": false, "why": W, "detail": TEXT}``
where W is ``refused``, ``not_slides``, ``failed`` or ``died``. The end of the input ends the
worker and its LibreOffice.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import queue
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

START_SECONDS = 60
RESTART_CODE = 81  # "start me again": LibreOffice has just set up a new profile
LARGEST_FILE_BYTES = 2**30
DIED = "LibreOffice died"


class Died(Exception):
    """LibreOffice is gone."""


def die_with_parent() -> None:
    """Let the kernel end this process when its parent ends, for whatever reason."""
    prctl_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(prctl_set_pdeathsig, signal.SIGKILL)


def bound_files() -> None:
    """Limit the size of files, and forbid core dumps."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE_BYTES, LARGEST_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


WITHOUT_WINDOWS = ("--headless", "--invisible")


class LibreOffice:
    """One LibreOffice process with a private profile, and the UNO connection to it.

    ``options`` are further options of its command line.
    """

    def __init__(
        self, program: str, folder: Path, options: tuple[str, ...] = WITHOUT_WINDOWS
    ) -> None:
        pipe = f"pipe,name=decklab-{os.getpid()}-{time.time_ns()};urp"
        self._folder = folder
        self._address = f"uno:{pipe};StarOffice.ComponentContext"
        self._command = [
            program,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            *options,
            "--norestore",
            "--nologo",
            "--nodefault",
            "--nolockcheck",
            "--nofirststartwizard",
            f"--accept={pipe};StarOffice.ServiceManager",
        ]
        self._context: Any = None
        self._desktop: Any = None
        self._process = self._spawn()
        self._uno: Any = importlib.import_module("uno")

    def _spawn(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - no thread runs yet
        )

    def connect(self) -> None:
        """Wait until LibreOffice answers; start it again if it asks for that."""
        unreachable = self._uno.getClass("com.sun.star.connection.NoConnectException")
        local = self._uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext(
            "com.sun.star.bridge.UnoUrlResolver", local
        )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                context = resolver.resolve(self._address)
            except unreachable:
                self._check_alive()
                time.sleep(0.02)
                continue
            self._context = context
            self._desktop = context.ServiceManager.createInstanceWithContext(
                "com.sun.star.frame.Desktop", context
            )
            self._remove_doors()
            return
        raise Died(f"LibreOffice did not start in {START_SECONDS} seconds")

    def _remove_doors(self) -> None:
        """Unlink the sockets that LibreOffice listens on, which remain after it is killed.

        Our connection stays open, and nobody else needs the sockets.
        """
        with contextlib.suppress(OSError):
            for path in socket_files(self._process.pid):
                path.unlink(missing_ok=True)

    def _check_alive(self) -> None:
        if (code := self._process.poll()) is None:
            return
        if code != RESTART_CODE:
            raise Died(f"LibreOffice ended at its start with code {code}")
        self._process = self._spawn()

    def kill(self) -> None:
        """End LibreOffice at once."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def resident_bytes(self) -> int:
        """Memory that LibreOffice holds now; 0 if that is not known."""
        try:
            fields = Path(f"/proc/{self._process.pid}/statm").read_text().split()
            return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError, ValueError):
            return 0

    def convert(
        self, source: Path, target: Path, export: dict[str, Any], by: str | None = None
    ) -> dict[str, Any]:
        """Write the deck in ``source`` to ``target``, as PDF or by a filter; returns the answer."""
        disposed = self._uno.getClass("com.sun.star.lang.DisposedException")
        any_error = self._uno.getClass("com.sun.star.uno.Exception")
        try:
            return self._convert(source, target, export, by)
        except disposed:
            raise Died(DIED) from None
        except any_error as error:
            if self._process.poll() is not None:
                raise Died(DIED) from None
            return failure("failed", f"{type(error).__name__}: {error.Message}")

    def _convert(
        self, source: Path, target: Path, export: dict[str, Any], by: str | None
    ) -> dict[str, Any]:
        document = self._desktop.loadComponentFromURL(
            source.as_uri(), "_blank", 0, self._load_arguments()
        )
        if document is None:
            return failure("refused", "LibreOffice cannot read it")
        try:
            if not document.supportsService("com.sun.star.presentation.PresentationDocument"):
                return failure("not_slides", "LibreOffice reads it as something without slides")
            pages = document.getDrawPages().getCount()
            written = (
                self._export_arguments(export)
                if by is None
                else self._properties(FilterName=by, Overwrite=True)
            )
            document.storeToURL(target.as_uri(), written)
        finally:
            self._close(document)
        return {"ok": True, "pages": pages, "rss": self.resident_bytes()}

    def _close(self, document: Any) -> None:
        """Close a document, even if it refuses."""
        try:
            document.close(True)
        except self._uno.getClass("com.sun.star.util.CloseVetoException"):
            document.dispose()

    def _load_arguments(self) -> tuple[Any, ...]:
        """Open hidden, read-only, macros never run, links never updated.

        Without an interaction handler nothing is ever asked: a deck that needs a password is
        refused.
        """
        constant = self._uno.getConstantByName
        macros = constant("com.sun.star.document.MacroExecMode.NEVER_EXECUTE")
        links = constant("com.sun.star.document.UpdateDocMode.NO_UPDATE")
        return self._properties(
            Hidden=True, ReadOnly=True, MacroExecutionMode=macros, UpdateDocMode=links
        )

    def _export_arguments(self, options: dict[str, Any]) -> tuple[Any, ...]:
        data = self._properties(**options)
        typed = self._uno.Any("[]com.sun.star.beans.PropertyValue", data)
        return self._properties(FilterName="impress_pdf_Export", Overwrite=True, FilterData=typed)

    def _properties(self, **values: Any) -> tuple[Any, ...]:
        items = []
        for name, value in values.items():
            item = self._uno.createUnoStruct("com.sun.star.beans.PropertyValue")
            item.Name, item.Value = name, value
            items.append(item)
        return tuple(items)


def socket_files(pid: int) -> set[Path]:
    """The Unix sockets of a process that have a path in the file system."""
    own = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            own.add(str(descriptor.readlink()))
    rows = (line.split() for line in Path("/proc/net/unix").read_text().splitlines())
    return {
        Path(row[7])
        for row in rows
        if len(row) == 8 and row[7].startswith("/") and f"socket:[{row[6]}]" in own
    }


def failure(why: str, detail: str) -> dict[str, Any]:
    """The answer to a request that failed."""
    return {"ok": False, "why": why, "detail": detail}


def answer(message: dict[str, Any]) -> None:
    """Write one line to the host."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def requests_until_end(office: LibreOffice) -> Iterator[dict[str, Any]]:
    """Requests from the host, one at a time; when the host ends, this process ends at once."""
    waiting: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            waiting.put(line)
        office.kill()
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield json.loads(waiting.get())


def serve(program: str, folder: Path) -> None:
    """Start LibreOffice and answer requests until the input ends or LibreOffice dies."""
    office = LibreOffice(program, folder)
    try:
        office.connect()
        answer({"ready": True})
        for request in requests_until_end(office):
            source = folder / Path(request["source"]).name
            target = folder / Path(request["target"]).name
            result = office.convert(source, target, request["export"], request.get("filter"))
            answer(result)
    except Died as error:
        answer(failure("died", str(error)))
    finally:
        office.kill()


if __name__ == "__main__":
    die_with_parent()
    bound_files()
    serve(sys.argv[1], Path(sys.argv[2]).resolve())
