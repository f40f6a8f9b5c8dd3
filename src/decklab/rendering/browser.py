"""A Chromium that shows one HTML deck: no network, no files but the deck's own folder."""

import contextlib
import importlib
import os
import re
import shlex
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    RendererMissing,
    RenderFailed,
    RenderTimeout,
)
from decklab.core.files import Scratch
from decklab.core.lazy import needs_extra
from decklab.core.programs import bubblewrap_command, is_available, system_mounts

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page, Playwright, Route

VIEWPORT = (1280, 720)
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOAD_SECONDS = 30.0
DEADLINE_SECONDS = 60.0
MAX_SLIDES = 1000  # ours: twice the longest talk we know of; a page of any height has slides

ARGUMENTS = (
    "--no-sandbox",  # Chromium refuses its own sandbox to root; bubblewrap does the work instead
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    "--mute-audio",
)
"""Of a Chromium that looks the same on every machine and asks nothing of its maker."""
_NO_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND"
_SCRIPT = Path(__file__).with_name("slides.js")


class Browser:
    """One page of Chromium with an HTML deck loaded; ``call`` asks its scripts.

    Everything but files under the deck's own folder is refused: network requests are aborted,
    the browser is offline, and where bubblewrap works (``isolated``) it has no network at all
    and sees the system and that folder only, read-only. Animations are off, dialogs dismissed,
    errors of the page's scripts ignored. The browser is killed where a call takes longer than
    ``deadline`` seconds. Raises RendererMissing if Playwright or Chromium is missing.
    """

    def __init__(self, path: Path, *, deadline: float) -> None:
        self.path = path
        self.isolated = is_available()
        self._folder = path.resolve().parent
        self._deadline = deadline
        self._expired = False
        self._scratch = Scratch("html")
        self._room = self._scratch.folder / "room"
        self._room.mkdir()
        self._loaded = False
        self._playwright: Playwright | None = None
        self._errors: Any = ()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        if not self.path.is_file():
            raise DeckError(self.path, "there is no such file")
        program = chromium_program(self.path)
        self._playwright, self._errors = start_playwright(self.path, self._room)
        with self._watched("could not be opened"):
            browser = self._playwright.chromium.launch(
                executable_path=self._launcher(program), args=[*ARGUMENTS, _NO_HOSTS],
                chromium_sandbox=False,
            )  # fmt: skip
            self.version = f"Chromium {browser.version}"
            context = browser.new_context(
                viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
                reduced_motion="reduce",
                service_workers="block",
                accept_downloads=False,
                offline=True,
            )
            context.route("**/*", self._decide)
            self.page: Page = context.new_page()
            context.on("page", lambda popup: popup.close())
            self.page.on("dialog", _dismiss)
            self.page.goto(
                self.path.resolve().as_uri(), wait_until="load", timeout=LOAD_SECONDS * 1000
            )
            self._loaded = True
            self.page.evaluate(_SCRIPT.read_text(encoding="utf-8"))

    def _launcher(self, program: str) -> str:
        """A script that notes its process and becomes Chromium, isolated if that works."""
        command = [program]
        if self.isolated:
            room = str(self._room)
            mounts = [*system_mounts([self._folder]), "--bind", room, room, "--tmpfs", "/run"]
            homes = ["--setenv", "HOME", "/run", "--setenv", "TMPDIR", "/run"]
            command = bubblewrap_command(command, mounts, options=homes)
        script = self._scratch.folder / "chromium"
        note = shlex.quote(str(self._scratch.folder / "pid"))
        script.write_text(f'#!/bin/sh\necho $$ > {note}\nexec {shlex.join(command)} "$@"\n')
        script.chmod(0o700)
        return str(script)

    def _decide(self, route: "Route") -> None:
        address = urlsplit(route.request.url)
        path = Path(unquote(address.path)).resolve()
        if self._loaded and route.request.is_navigation_request() and not self._embedded(route):
            route.abort("aborted")  # the page stays where it is
        elif address.scheme == "file" and not address.netloc and path.is_relative_to(self._folder):
            route.continue_()
        else:
            route.abort()

    def _embedded(self, route: "Route") -> bool:
        try:
            return route.request.frame.parent_frame is not None
        except self._errors:  # the first request of a new window may come before its frame
            return False

    def call(self, function: str, *arguments: object) -> Any:
        """The result of a function of our page script; raises RenderTimeout or RenderFailed."""
        with self._watched(f"did not answer {function}"):
            return self.page.evaluate(
                "([name, values]) => window.__decklab[name](...values)", [function, list(arguments)]
            )

    def screenshot(self, clip: dict[str, float]) -> bytes:
        """PNG of a rectangle (x, y, width, height in CSS pixels) of the document."""
        with self._watched("could not be pictured"):
            return self.page.screenshot(
                clip={
                    "x": clip["x"], "y": clip["y"],
                    "width": clip["width"], "height": clip["height"],
                },
                full_page=True, animations="disabled", caret="hide",
                timeout=self._deadline * 1000,
            )  # fmt: skip

    def pdf(self) -> bytes:
        """The page as it prints, as PDF on A4."""
        with self._watched("could not be printed"):
            return self.page.pdf(
                format="A4", print_background=True, scale=0.7, tagged=True, outline=True,
                margin={"top": "12mm", "bottom": "12mm", "left": "12mm", "right": "12mm"},
            )  # fmt: skip

    @contextmanager
    def _watched(self, failure: str) -> Iterator[None]:
        """Kill the browser if the block takes longer than the deadline."""
        timer = threading.Timer(self._deadline, self._expire)
        timer.start()
        try:
            yield
        except self._errors as error:
            if self._expired or "Timeout" in type(error).__name__:
                detail = f"no answer in {self._deadline:g} seconds"
                raise RenderTimeout(self.path, detail) from None
            raise RenderFailed(self.path, f"{failure}: {_first_line(error)}") from None
        finally:
            timer.cancel()

    def _expire(self) -> None:
        self._expired = True
        self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self._scratch.folder / "pid").read_text()), signal.SIGKILL)

    def close(self) -> None:
        """End the browser; safe to call again."""
        self._kill()
        if self._playwright is not None:
            self._playwright.stop()
            self._playwright = None
        self._scratch.remove()


def count_slides(browser: Browser) -> int:
    """The number of slides, after fonts are loaded; LimitExceeded if there are too many."""
    count = int(browser.call("settle"))
    if count > MAX_SLIDES:
        raise LimitExceeded(browser.path, f"{count} slides; at most {MAX_SLIDES} are drawn")
    return count


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """The temporary folder of Playwright's process, if that is started in the block."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        del os.environ["TMPDIR"]
        if before is not None:
            os.environ["TMPDIR"] = before


def _first_line(error: Exception) -> str:
    """The message of an error, without the names and the log that Playwright adds."""
    if type(error).__name__ == "TargetClosedError":
        return "Chromium ended"
    lines = str(error).strip().splitlines()
    return re.sub(r"^\w+\.\w+: ", "", lines[0]) if lines else type(error).__name__


def _dismiss(dialog: "Dialog") -> None:
    dialog.dismiss()


def chromium_program(path: Path) -> str:
    """The installed Chromium; raises RendererMissing, which names ``path``, if there is none."""
    program = next((hit for hit in map(shutil.which, PROGRAMS) if hit), None)
    if program is None:
        raise RendererMissing(
            path, "Chromium is not installed; install it with: apt-get install chromium"
        )
    return program


def start_playwright(path: Path, folder: Path) -> "tuple[Playwright, type[Exception]]":
    """Playwright, started with its temporary files in ``folder``, and the error that it raises.

    Raises RendererMissing, which names ``path``, if it is not installed or does not start.
    """
    api = playwright_api(path)
    with _temporary_files_in(folder):
        return _driver(api, path), api.Error


def playwright_api(path: Path) -> Any:
    """Playwright's module; raises RendererMissing, which names ``path``, if there is none."""
    try:
        return importlib.import_module("playwright.sync_api")
    except ImportError:
        raise RendererMissing(path, needs_extra("drawing HTML", "html")) from None


def _driver(api: Any, path: Path) -> "Playwright":
    """Playwright's own program, which talks to Chromium."""
    try:
        started: Playwright = api.sync_playwright().start()
    # Playwright raises a bare Exception where its program ends at once, as for want of libatomic.
    except Exception as error:  # noqa: BLE001
        raise RendererMissing(
            path,
            f"Playwright does not start ({_first_line(error)}); try: apt-get install libatomic1",
        ) from None
    return started
