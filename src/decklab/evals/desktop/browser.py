"""A page in Chromium as a screen: an editor on the web, such as PowerPoint for the web.

Paper 001, section 3.2: the authors' agents use PowerPoint Online in a Chromium at a link that lets
anybody edit. The user gives such a link, or a profile folder that is signed in, and says how the
page hands out the deck.
"""

import contextlib
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urljoin, urlsplit

from PIL import Image

from decklab.core.errors import DeckError, InvalidAgent, Unavailable
from decklab.core.files import Scratch, scratch_folder, write_whole
from decklab.core.programs import bubblewrap_command, is_available, system_mounts
from decklab.deck.deck import open_deck
from decklab.evals.desktop.environment import (
    LONGEST_WAIT,
    Action,
    ActionRefused,
    Click,
    Closed,
    Drag,
    EnvironmentFailed,
    Hold,
    Keys,
    Move,
    Press,
    Screenshot,
    Scroll,
    Type,
    Wait,
    chord,
)
from decklab.rendering.html import ARGUMENTS, check_browser, chromium_program, start_playwright

if TYPE_CHECKING:
    from playwright.sync_api import (
        BrowserContext,
        Download,
        Frame,
        Page,
        Playwright,
        Route,
        WebSocketRoute,
    )

SIZE: Final = (1280, 800)
_NOTCH = 100
"""Pixels that one notch of the wheel scrolls, as in Chromium."""
_MOST_CLICKS = 3
_MOST_HOPS = 10
_ANSWER_SECONDS = 30.0
_UNICODE = 0x01000000
_PIECES = re.compile(r"[^\n\t]+|[\n\t]")
_NO_OTHER_WAY = "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"
_NETWORK = ("/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/ssl")
"""Files by which programs find hosts and know them."""
_NOT_COPIED = ("Singleton*", "*Cache*", "Crash*", "lockfile")
"""Files of a profile folder that signing in does not need."""
_KEYS: Final = {
    0xFFE1: "Shift", 0xFFE3: "Control", 0xFFE9: "Alt", 0xFFEB: "Meta", 0xFE03: "AltGraph",
    0xFF08: "Backspace", 0xFF09: "Tab", 0xFF0D: "Enter", 0xFF13: "Pause", 0xFF14: "ScrollLock",
    0xFF1B: "Escape", 0xFF50: "Home", 0xFF51: "ArrowLeft", 0xFF52: "ArrowUp", 0xFF53: "ArrowRight",
    0xFF54: "ArrowDown", 0xFF55: "PageUp", 0xFF56: "PageDown", 0xFF57: "End", 0xFF61: "PrintScreen",
    0xFF63: "Insert", 0xFF67: "ContextMenu", 0xFF7F: "NumLock", 0xFFE5: "CapsLock",
    0xFFFF: "Delete", 0xFF8D: "Enter", 0xFFAA: "*", 0xFFAB: "+", 0xFFAD: "-", 0xFFAE: ".",
    0xFFAF: "/",
    **{0xFFB0 + digit: str(digit) for digit in range(10)},
    **{0xFFBD + number: f"F{number}" for number in range(1, 13)},
}  # fmt: skip
"""Playwright's names of the keysyms of X11; characters are called as they are."""


@dataclass(frozen=True)
class TakeDeck:
    """How a page hands out its deck; exactly one of the three is given.

    ``keys`` is a chord that starts a download, ``clicks`` are CSS selectors to be clicked one after
    the other, of which the last starts the download, ``url`` is fetched with the page's cookies and
    may be relative to the page.
    """

    keys: str = ""
    clicks: Sequence[str] = ()
    url: str = ""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.keys, self.clicks, self.url))) != 1:
            raise InvalidAgent("a deck is taken by keys, by clicks or from a url: name one of them")


def check_browser_programs(page: Path) -> None:
    """Raise Unavailable, which names ``page``, if a browser cannot be had here."""
    if not is_available():
        raise Unavailable("bubblewrap cannot be used here; install it: apt install bubblewrap")
    check_browser(page)


class BrowserPage:
    """An ``Environment``: a screen that shows the page ``url`` in a Chromium of its own.

    ``out`` is where the deck is written that the page hands out as ``take`` says. Only the host of
    ``url`` and ``hosts`` are reached; a host has ``*`` for any letters and may state a port.
    ``profile`` is a folder of Chromium's that is signed in: a copy of it is used.

    The page counts as settled when it did not change for ``quiet`` seconds, which is waited for at
    most ``deadline`` seconds after an action; ``load_seconds`` bounds opening the page,
    ``save_seconds`` taking the deck. The newest window of the page is the screen; questions of the
    page are dismissed.

    Raises Unavailable if Chromium, Playwright or bubblewrap is missing, EnvironmentFailed if
    the page cannot be opened. One thread uses it.
    """

    def __init__(
        self,
        url: str,
        out: str | Path,
        *,
        take: TakeDeck,
        hosts: Sequence[str] = (),
        profile: Path | None = None,
        size: tuple[int, int] = SIZE,
        quiet: float = 0.15,
        deadline: float = 5.0,
        load_seconds: float = 60.0,
        save_seconds: float = 60.0,
    ) -> None:
        self._url, self._out, self._take = url, Path(out), take
        self._hosts = (urlsplit(url).netloc, *hosts)
        self._size, self._quiet, self._deadline = size, quiet, deadline
        self._save_seconds = save_seconds
        self._left: Closed | None = None
        self._failure: EnvironmentFailed | None = None
        self._windows: list[Page] = []
        self._downloads: list[Download] = []
        self._errors: Any = ()
        self._playwright: Playwright | None = None
        check_browser_programs(self._out)
        self._scratch = Scratch("page")
        try:
            self._start(profile, load_seconds)
        except BaseException:
            self._end()
            raise

    def _start(self, profile: Path | None, seconds: float) -> None:
        room = self._scratch.folder / "room"
        room.mkdir()
        if profile is not None:
            wanted = shutil.ignore_patterns(*_NOT_COPIED)
            shutil.copytree(profile, room / "profile", ignore=wanted)
        program = chromium_program(self._out)
        self._playwright, self._errors = start_playwright(self._out, room)
        with self._watched("it does not start"):
            self._context: BrowserContext = (
                self._playwright.chromium.launch_persistent_context(
                    room / "profile", executable_path=self._launcher(program, room),
                    args=[*ARGUMENTS, self._resolver_rules(), _NO_OTHER_WAY],
                    viewport={"width": self._size[0], "height": self._size[1]},
                    chromium_sandbox=False, service_workers="block", reduced_motion="reduce",
                    accept_downloads=True, downloads_path=room / "downloads",
                )
            )  # fmt: skip
            self._context.set_default_timeout(_ANSWER_SECONDS * 1000)
            self._context.route("**/*", self._decide)
            self._context.route_web_socket("**/*", self._decide_socket)
            self._context.on("page", self._watch_window)
            for page in self._context.pages:
                self._watch_window(page)
        with self._watched("the page cannot be opened"):
            self._window().goto(self._url, wait_until="load", timeout=seconds * 1000)
            self._settle()

    def _launcher(self, program: str, room: Path) -> str:
        """A script that becomes Chromium: isolated, but for the network and one folder."""
        network = [piece for path in _NETWORK for piece in ("--ro-bind-try", path, path)]
        mounts = [*system_mounts([]), *network, "--bind", str(room), str(room), "--tmpfs", "/run"]
        options = ["--share-net", "--setenv", "HOME", "/run", "--setenv", "TMPDIR", "/run"]
        command = bubblewrap_command([program], mounts, options=options)
        script = self._scratch.folder / "chromium"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        script.chmod(0o700)
        return str(script)

    def _resolver_rules(self) -> str:
        """Names of other hosts are not even looked up."""
        names = [urlsplit(f"//{host}").hostname or host for host in self._hosts]
        return f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {', EXCLUDE '.join(names)}"

    def _decide(self, route: "Route") -> None:
        if self._allowed(route.request.url):
            route.continue_()
        else:
            route.abort("blockedbyclient")

    def _decide_socket(self, socket: "WebSocketRoute") -> None:
        if self._allowed(socket.url):
            socket.connect_to_server()
        else:
            socket.close()

    def _allowed(self, url: str) -> bool:
        """Whether an address is of the hosts that the user named."""
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return True
        if parts.scheme not in ("http", "https", "ws", "wss"):
            return False
        hosts = (parts.netloc.rpartition("@")[2].lower(), (parts.hostname or "").lower())
        return any(fnmatchcase(name, host.lower()) for name in hosts for host in self._hosts)

    def _watch_window(self, page: "Page") -> None:
        """Have a new window as the screen, until it is closed, and keep its downloads."""
        self._windows.append(page)
        page.on("close", self._forget_window)
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.on("download", self._note_download)

    def _forget_window(self, page: "Page") -> None:
        self._windows.remove(page)

    def _note_download(self, download: "Download") -> None:
        self._downloads.append(download)

    def _window(self) -> "Page":
        if not self._windows:
            raise self._failed("its window was closed")
        return self._windows[-1]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page in pixels."""
        return self._size

    def screenshot(self) -> Image.Image:
        """The page as it is, RGB, without the pointer; raises EnvironmentFailed."""
        with self._watched("no picture of it"):
            return _picture(self._shot())

    def act(self, action: Action) -> Image.Image:
        """Do it, wait until the page settles or the deadline passes, and give the new picture.

        Raises ActionRefused if it cannot be done, which leaves the page as it is, and
        EnvironmentFailed if the browser ended or does not answer.
        """
        with self._watched("it does not answer"):
            self._do(action)
            return _picture(self._settle())

    def accessible_text(self) -> str | None:
        """The controls of the page and of the frames in it as indented text, with role and name;
        None if it has none."""
        with self._watched("it does not answer"):
            texts = [self._frame_text(frame) for frame in self._window().frames]
        return "\n".join(filter(None, texts)) or None

    def _frame_text(self, frame: "Frame") -> str:
        try:
            return frame.locator("body").aria_snapshot(timeout=1000 * self._deadline)
        except self._errors:
            if frame.is_detached() or frame.parent_frame is not None:
                return ""  # frames come and go, and some hold no page
            raise

    def hand_out(self, out: Path) -> Path:
        """Write the deck as the page hands it out now to ``out``; raises EnvironmentFailed."""
        with self._watched("the deck cannot be taken"):
            content = self._fetched() if self._take.url else self._downloaded()
        try:
            return _checked(content, out)
        except DeckError as error:
            raise self._failed(f"what it handed out cannot be read: {error.detail}") from None

    def close(self) -> Closed:
        """Take the deck as the page hands it out, and end the browser.

        May be called again. Raises EnvironmentFailed if no deck can be taken, or our reader
        cannot read it.
        """
        if self._left is None:
            self._left = Closed(self.hand_out(self._out), saved=True)
            self._end()
        return self._left

    def _downloaded(self) -> bytes:
        known, until = len(self._downloads), monotonic() + self._save_seconds
        if self._take.keys:
            self._do(Keys(self._take.keys))
        for selector in self._take.clicks:
            self._window().locator(selector).first.click(timeout=1000 * self._save_seconds)
        while len(self._downloads) == known:
            if monotonic() > until:
                raise self._failed(f"no download began in {self._save_seconds:g} seconds")
            self._window().wait_for_timeout(50)
        return self._downloads[-1].path().read_bytes()

    def _fetched(self) -> bytes:
        address = urljoin(self._window().url, self._take.url)
        for _ in range(_MOST_HOPS):
            if not self._allowed(address):
                raise self._failed(f"the deck is at {address}, a host that was not named")
            reply = self._context.request.get(
                address, max_redirects=0, timeout=1000 * self._save_seconds
            )
            if reply.status not in (301, 302, 303, 307, 308):
                break
            address = urljoin(address, reply.headers.get("location", ""))
        if not reply.ok:
            raise self._failed(f"{address} answers with {reply.status}, and no deck")
        return reply.body()

    def _do(self, action: Action) -> None:
        mouse = self._window().mouse
        match action:
            case Click(button="back" | "forward" as way):
                getattr(self._window(), f"go_{way}")()
            case Click(x, y, "left" | "middle" | "right" as button, count, keys):
                if not 1 <= count <= _MOST_CLICKS:
                    raise ActionRefused(f"a click is 1 to {_MOST_CLICKS} times, not {count}")
                with self._held(_keys(keys)):
                    mouse.click(*self._point(x, y), button=button, click_count=count)
            case Press(x, y, "left" | "middle" | "right" as button, down):
                mouse.move(*self._point(x, y))
                (mouse.down if down else mouse.up)(button=button)
            case Move(x, y):
                mouse.move(*self._point(x, y))
            case Drag(path):
                self._drag([self._point(*point) for point in path])
            case Scroll(x, y, down, right):
                mouse.move(*self._point(x, y))
                mouse.wheel(right * _NOTCH, down * _NOTCH)
            case Type(text):
                self._type(text)
            case Keys(chord):
                self._press(_keys(chord))
            case Hold(chord, seconds, down):
                self._hold(_keys(chord), seconds, down=down)
            case Wait(seconds):
                self._window().wait_for_timeout(1000 * max(0.0, seconds))
            case Screenshot():
                pass

    def _press(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ActionRefused("no key is named")
        with self._held(keys[:-1]):
            self._window().keyboard.press(keys[-1])

    def _hold(self, keys: Sequence[str], seconds: float | None, *, down: bool) -> None:
        keyboard = self._window().keyboard
        for key in keys if down else ():
            keyboard.down(key)
        if seconds is not None:
            self._window().wait_for_timeout(1000 * min(max(0.0, seconds), LONGEST_WAIT))
        for key in reversed(keys) if seconds is not None or not down else ():
            keyboard.up(key)

    def _point(self, x: int, y: int) -> tuple[int, int]:
        width, height = self._size
        if not (0 <= x < width and 0 <= y < height):
            raise ActionRefused(
                f"({x}, {y}) is outside the screen, which is {width} x {height} pixels"
            )
        return x, y

    def _drag(self, path: Sequence[tuple[int, int]]) -> None:
        if len(path) < 2:
            raise ActionRefused("a drag needs at least two points")
        mouse = self._window().mouse
        mouse.move(*path[0])
        mouse.down()
        for point in path[1:]:
            mouse.move(*point, steps=8)
        mouse.up()

    def _type(self, text: str) -> None:
        if not text:
            raise ActionRefused("there is no text to type")
        keyboard = self._window().keyboard
        for piece in _PIECES.findall(text.replace("\r\n", "\n")):
            if piece in "\n\t":
                keyboard.press("Enter" if piece == "\n" else "Tab")
            else:
                keyboard.type(piece)

    @contextmanager
    def _held(self, keys: Sequence[str]) -> Iterator[None]:
        """Hold keys down while the block runs."""
        keyboard = self._window().keyboard
        for key in keys:
            keyboard.down(key)
        try:
            yield
        finally:
            for key in reversed(keys):
                keyboard.up(key)

    def _settle(self) -> bytes:
        """Wait until two pictures are the same or the deadline passes; the last picture."""
        until, last = monotonic() + self._deadline, b""
        while True:
            if (shot := self._shot()) == last or monotonic() > until:
                return shot
            last = shot
            self._window().wait_for_timeout(1000 * self._quiet)

    def _shot(self) -> bytes:
        return self._window().screenshot(caret="hide", animations="allow")

    @contextmanager
    def _watched(self, what: str) -> Iterator[None]:
        """Turn what Playwright raises in the block into EnvironmentFailed."""
        if self._failure is not None:
            raise self._failure
        if self._left is not None:
            raise EnvironmentFailed("browser", "it was closed before", self._left.deck)
        try:
            yield
        except self._errors as error:
            raise self._failed(f"{what}: {str(error).strip().splitlines()[0]}") from None

    def _failed(self, detail: str) -> EnvironmentFailed:
        """End everything, and give the error to raise."""
        self._failure = EnvironmentFailed("browser", detail, self._last_saved())
        self._end()
        return self._failure

    def _last_saved(self) -> Path | None:
        """The deck that the agent downloaded last, now at ``out``; None if it downloaded none."""
        for download in reversed(self._downloads):
            with contextlib.suppress(DeckError, OSError, self._errors):
                return _checked(download.path().read_bytes(), self._out)
        return None

    def _end(self) -> None:
        """End the browser and remove its files; safe to call again."""
        if self._playwright is not None:
            with contextlib.suppress(self._errors):
                self._context.close()
            self._playwright.stop()
            self._playwright = None
        self._scratch.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End the browser; the deck is not taken, if it was not closed before."""
        self._end()


def _keys(text: str) -> list[str]:
    """The keys of a chord as Playwright calls them; raises ActionRefused for unknown ones."""
    return [_KEYS.get(key) or chr(key if key < _UNICODE else key - _UNICODE) for key in chord(text)]


def _picture(shot: bytes) -> Image.Image:
    with Image.open(BytesIO(shot)) as opened:
        return opened.convert("RGB")


def _checked(content: bytes, out: Path) -> Path:
    """Write a deck to ``out`` if our reader can read it; raises DeckError if it cannot."""
    with scratch_folder("page") as folder:
        copy = folder / f"deck{out.suffix}"
        copy.write_bytes(content)
        with open_deck(copy) as opened:
            len(opened)
    write_whole(out, content)
    return out
