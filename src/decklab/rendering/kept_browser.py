"""One Chromium that a process keeps open, for pages of ours that are laid out again and again.

It starts at first use, in a thread of its own since Playwright's objects belong to their thread,
and ends with the process. After a crash, a timeout or a fork the next use starts another.
"""

import atexit
import os
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from decklab.core.errors import RenderError, RenderFailed
from decklab.core.files import scratch_folder
from decklab.rendering.html import DEADLINE_SECONDS, Browser

T = TypeVar("T")
Work = Callable[[Browser, Path], Any]
_ENDING_SECONDS: Final = 5.0
_EMPTY: Final = "<!DOCTYPE html><title>decklab</title>"


class KeptBrowser:
    """A thread with a Chromium that does one piece of work after another."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self.close)

    def _begin(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._jobs: SimpleQueue[tuple[Future[Any], Work, float] | None] = SimpleQueue()
        self._browser: Browser | None = None

    def run(self, work: Callable[[Browser, Path], T], *, deadline: float = DEADLINE_SECONDS) -> T:
        """Call ``work`` with the browser and a file, which it may write and visit.

        The browser is killed if one call of it takes longer than ``deadline`` seconds. Raises what
        ``work`` and the browser raise.
        """
        done: Future[T] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="kept browser", daemon=True)
                self._thread.start()
            self._jobs.put((done, work, deadline))
        return done.result()

    def close(self) -> None:
        """End the browser; the next use starts another."""
        with self._lock:
            thread, self._thread = self._thread, None
            self._jobs.put(None)
        if thread is not None:
            thread.join(_ENDING_SECONDS)

    def _serve(self) -> None:
        with scratch_folder("pages") as folder:
            file = folder / "deck.html"
            while (job := self._jobs.get()) is not None:
                done, work, deadline = job
                try:
                    done.set_result(self._done(work, file, deadline))
                except BaseException as error:  # noqa: BLE001 - raised again by the one who asked
                    done.set_exception(error)
            self._end()

    def _done(self, work: Work, file: Path, deadline: float) -> Any:
        kept = self._browser is not None
        try:
            return self._tried(work, file, deadline)
        except RenderFailed:
            if not kept:
                raise
        return self._tried(work, file, deadline)  # a browser may have ended since its last use

    def _tried(self, work: Work, file: Path, deadline: float) -> Any:
        try:
            if self._browser is None:
                file.write_text(_EMPTY, encoding="utf-8")
                self._browser = Browser(file, deadline=deadline)
            self._browser.deadline = deadline
            return work(self._browser, file)
        except RenderError:
            self._end()
            raise

    def _end(self) -> None:
        if self._browser is not None:
            self._browser.close()
            self._browser = None


KEPT_BROWSER: Final = KeptBrowser()
"""That of this process."""
