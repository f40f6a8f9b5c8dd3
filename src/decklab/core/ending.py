"""An end within seconds of SIGTERM or Ctrl-C, whatever a thread still waits for.

Python runs the handler of a signal in the main thread only, and waits for all other threads before
it ends. A thread whose answer never comes, or a long call of a C library, would keep the process.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Final

from decklab.core.files import remove_live_folders

STOPPED: Final = 130
"""Exit code of a command that a signal ended."""

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
CLEANING_SECONDS: Final = 4.0
"""Seconds for ``with`` blocks to remove temporary files and to end other programs (ours)."""
_AGAIN_SECONDS: Final = 0.05
_PARTING_SECONDS: Final = 2.0
"""Seconds for the processes below this one to do the same, before they are killed (ours)."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGINT raise KeyboardInterrupt in the block, once: a second signal does not stop
    the cleaning up.

    If the process has not ended ``CLEANING_SECONDS`` later, it is ended with all processes below
    it, and its scratch folders are removed. A signal that is ignored from the start, as in the
    background of a shell, stays ignored. For the main thread.

    The exit code holds although CPython, under ``python -m``, ends itself by SIGINT once a
    KeyboardInterrupt has left a string that ``exec`` ran, as imports do that make dataclasses: the
    next string that runs makes it forget.
    """
    stopping = threading.Event()

    def stop(number: int, _: object) -> None:
        if stopping.is_set():
            return
        stopping.set()
        os.write(bell, bytes([number]))  # a library may have taken the wakeup descriptor for itself
        raise KeyboardInterrupt

    def raise_again(lost: "sys.UnraisableHookArgs") -> None:
        """Python drops what is raised while it lets an object go; raise it outside of that."""
        if not stopping.is_set() or lost.exc_type is not KeyboardInterrupt:
            told_before(lost)
            return
        stopping.clear()
        ask = threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGTERM))
        ask.daemon = True
        ask.start()

    told_before, sys.unraisablehook = sys.unraisablehook, raise_again
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    heard, bell = os.pipe()
    os.set_blocking(bell, False)
    threading.Thread(target=_end_in_time, args=(heard,), daemon=True).start()
    wakeup = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        sys.unraisablehook = told_before
        if stopping.is_set():
            exec("")
        else:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)
            os.close(bell)


def _end_in_time(heard: int) -> None:
    """Wait for the number of a signal, written to ``heard`` by C code even while Python is busy;
    return if it is closed instead."""
    with os.fdopen(heard, "rb", buffering=0) as signals:
        while number := signals.read(1):
            if number[0] in _SIGNALS:
                time.sleep(CLEANING_SECONDS)
                # Only now: the import runs strings too, and a command that ends needs none.
                import psutil  # noqa: PLC0415

                _end_processes_below(psutil)
                remove_live_folders()
                os._exit(STOPPED)


def _end_processes_below(psutil: ModuleType) -> None:
    """Ask all processes below this one to end, and kill those that do not."""
    below = psutil.Process().children(recursive=True)
    for process in below:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    for process in psutil.wait_procs(below, timeout=_PARTING_SECONDS)[1]:
        with suppress(psutil.NoSuchProcess):
            process.kill()
