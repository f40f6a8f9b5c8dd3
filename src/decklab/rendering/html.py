"""A Chromium that shows one HTML deck: no network, no files but the deck's own folder; and facts
about the deck for the web protocol of the editability levels (paper 002, I.4.2).

The protocol edits text to see whether it reflows, and zooms in to see whether graphics stay sharp.
The edits are made on the page in the browser and undone; the file is only read.
"""

import contextlib
import importlib
import os
import re
import shlex
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import unquote, urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    RendererMissing,
    RenderFailed,
    RenderTimeout,
)
from decklab.core.files import Scratch
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.lazy import needs_extra
from decklab.core.programs import bubblewrap_command, is_available, system_mounts
from decklab.rendering.pictures import RenderedDeck, RenderedSlide, TextSpan, scaled, tight_box

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page, Playwright, Route

T = TypeVar("T")

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
_NO_SCRIPTS = {"Content-Security-Policy": "script-src 'none'"}
"""Of pages whose scripts may not run; ours do."""
_NO_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND"
_SCRIPT = Path(__file__).with_name("slides.js")


class Browser:
    """One page of Chromium with an HTML deck loaded; ``call`` asks its scripts.

    Everything but files under the deck's own folder is refused: network requests are aborted,
    the browser is offline, and where bubblewrap works (``isolated``) it has no network at all
    and sees the system and that folder only, read-only. Animations are off, dialogs dismissed,
    errors of the page's scripts ignored; without ``scripts`` those of the page do not run. The
    browser is killed where a call takes longer than ``deadline`` seconds. ``visit`` shows another
    page of the same folder. Raises RendererMissing if Playwright or Chromium is missing.
    """

    def __init__(self, path: Path, *, deadline: float, scripts: bool = True) -> None:
        self.path = path
        self.isolated = is_available()
        self._folder = path.resolve().parent
        self.scripts, self.deadline, self._expired = scripts, deadline, False
        self._scratch = Scratch("html")
        self._room = self._scratch.folder / "room"
        self._room.mkdir()
        self._loaded = False
        self._playwright: Playwright | None = None
        self._session: Any = None
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
        self.visit(self.path)

    def visit(self, path: Path) -> None:
        """Load a page of the deck's folder, and the script that answers ``call``."""
        self.path, self._loaded = path, False
        with self._watched("could not be opened"):
            self.page.goto(path.resolve().as_uri(), wait_until="load", timeout=LOAD_SECONDS * 1000)
            self._loaded = True
            self.page.evaluate(_SCRIPT.read_text(encoding="utf-8"))

    def add_script(self, script: Path) -> None:
        """Add functions of a script of ours to those that ``call`` knows."""
        with self._watched("could not be opened"):
            self.page.evaluate(script.read_text(encoding="utf-8"))

    def ask(self, method: str, **values: object) -> Any:
        """The answer of Chromium's own protocol; raises RenderTimeout or RenderFailed."""
        with self._watched(f"did not answer {method}"):
            if self._session is None:
                self._session = self.page.context.new_cdp_session(self.page)
            return self._session.send(method, values)

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
            if route.request.resource_type == "document" and not self.scripts and path.is_file():
                route.fulfill(body=path.read_bytes(), content_type="text/html", headers=_NO_SCRIPTS)
            else:
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
                timeout=self.deadline * 1000,
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
        timer = threading.Timer(self.deadline, self._expire)
        timer.start()
        try:
            yield
        except self._errors as error:
            if self._expired or "Timeout" in type(error).__name__:
                detail = f"no answer in {self.deadline:g} seconds"
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


def outside_loops(work: Callable[..., T], *values: object) -> T:
    """The result of a function that drives a browser; beside a running event loop, as in
    notebooks, it runs in a thread, since Playwright's plain interface refuses such loops."""
    try:
        sys.modules["asyncio"].get_running_loop()
    except (KeyError, RuntimeError):  # not even loaded, which takes long, or without a loop
        return work(*values)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *values).result()


def count_slides(browser: Browser) -> int:
    """The number of slides, after fonts are loaded; LimitExceeded if there are too many."""
    if (count := int(browser.call("settle"))) > MAX_SLIDES:
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
    if (program := next((hit for hit in map(shutil.which, PROGRAMS) if hit), None)) is None:
        raise RendererMissing(
            path, "Chromium is not installed; install it with: apt-get install chromium"
        )
    return program


def check_browser(path: Path) -> None:
    """Raise RendererMissing, which names ``path`` and says what to install, if HTML cannot be laid
    out here."""
    playwright_api(path)
    chromium_program(path)


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


GraphicKind = Literal["img", "background", "canvas", "video", "svg"]

INSIDE_PX = 2.0  # ours: rounding of line boxes, in pixels of the 960x540 frame


@dataclass(frozen=True)
class TextState:
    """The place of a block of text on the slide; boxes in the 960x540 frame."""

    lines: int
    frame: Box
    """The element's own rectangle."""
    text: Box
    """Bounds of its line boxes."""


@dataclass(frozen=True)
class TextBlockFacts:
    """One block of text: an element that lays out a run of lines, with its inline children."""

    element: str
    """Tag, id and classes, such as ``p#intro.lead``."""
    text: str
    selectable: bool
    """False if the style forbids to select or click it."""
    svg: bool
    """True for text drawn in SVG, which never wraps."""
    absolute: bool
    """True if it or an element around it, up to the slide, is placed absolutely."""
    before: TextState
    filled: TextState
    """With the words repeated until they must take more lines, however wide the slide."""

    @property
    def reflows(self) -> bool:
        """Whether text that grows wraps: more lines, inside the element's sides and the slide's.

        Doubling alone does not show it: a short line doubled may still fit.

        >>> box, wide = Box(0, 0, 100, 20), Box(0, 0, 2000, 20)
        >>> one = TextState(1, box, box)
        >>> block = dict(element="p", text="a b", selectable=True, svg=False, absolute=False,
        ...              before=one)
        >>> TextBlockFacts(**block, filled=TextState(9, box, Box(0, 0, 100, 180))).reflows
        True
        >>> TextBlockFacts(**block, filled=TextState(1, wide, wide)).reflows
        False
        """
        text, frame = self.filled.text, self.filled.frame
        return (
            self.filled.lines > self.before.lines
            and text.left >= frame.left - INSIDE_PX
            and text.right <= min(frame.right, max(FRAME_WIDTH, self.before.text.right)) + INSIDE_PX
        )

    @property
    def fragment(self) -> bool:
        """Whether it is one absolutely placed line that does not wrap: a piece of a paragraph
        pinned to its place, where an editor expects the paragraph."""
        return self.absolute and self.before.lines == 1 and not self.reflows


@dataclass(frozen=True)
class GraphicFacts:
    """One picture, drawing or background image."""

    kind: GraphicKind
    element: str
    vector: bool
    """True for SVG: sharp at every zoom."""
    natural: tuple[int, int] | None
    """Width and height in pixels of a raster; None for vectors and files that did not load."""
    box: Box
    """Where it shows, in the 960x540 frame; the whole slide for backgrounds of the page."""
    source: str
    """Address of the file as the page gives it, long ones cut; empty if drawn in place."""


@dataclass(frozen=True)
class HtmlSlideFacts:
    """Facts of one slide."""

    number: int
    """1-based."""
    blocks: tuple[TextBlockFacts, ...]
    graphics: tuple[GraphicFacts, ...]


@dataclass(frozen=True)
class HtmlFacts:
    """Facts of a whole HTML deck."""

    path: Path
    slides: tuple[HtmlSlideFacts, ...]


def read_facts(browser: Browser, slides: int) -> HtmlFacts:
    """The facts of the deck that ``browser`` shows, whose ``slides`` are counted already."""
    facts = tuple(_slide(browser, number) for number in range(1, slides + 1))
    return HtmlFacts(browser.path, facts)


def _slide(browser: Browser, number: int) -> HtmlSlideFacts:
    clip = browser.call("show", number - 1)
    scale = FRAME_WIDTH / clip["width"], FRAME_HEIGHT / clip["height"]
    blocks = browser.call("blocks", number - 1, clip)
    graphics = browser.call("graphics", number - 1, clip)
    return HtmlSlideFacts(
        number,
        tuple(_block(item, scale) for item in blocks),
        tuple(_graphic(item, scale) for item in graphics),
    )


def _block(item: dict[str, Any], scale: tuple[float, float]) -> TextBlockFacts:
    states: dict[str, Any] = {name: _state(item.pop(name), scale) for name in ("before", "filled")}
    return TextBlockFacts(text=item.pop("words"), **item, **states)


def _state(item: dict[str, Any], scale: tuple[float, float]) -> TextState:
    frame, text = Box(**item["frame"]), Box(**item["text"])
    return TextState(item["lines"], frame.scaled(*scale), text.scaled(*scale))


def _graphic(item: dict[str, Any], scale: tuple[float, float]) -> GraphicFacts:
    natural = item["natural"]
    size = None if natural is None or item["vector"] else (int(natural[0]), int(natural[1]))
    box = Box(**item["box"]).scaled(*scale)
    return GraphicFacts(item["kind"], item["element"], item["vector"], size, box, item["source"])


PT_PER_PX = 0.75


class HtmlDeck(RenderedDeck):
    """The slides of an HTML file, shown one at a time in a 1280x720 window.

    Slides are, by the first that fits: the sections of reveal.js (nested ones flattened), the
    outermost elements with class ``slide`` or attribute ``data-slide``, sections directly in the
    body (and Marp's), else pages of the window's height. A slide takes its element's rectangle;
    all fragments of it are shown. A CSS pixel counts as 0.75 points.

    Spans come from the document: their boxes are shrunk from the line box to the ink seen in the
    picture, the font is the first family asked for that the machine has, and the colour is empty
    if text is not painted in a plain one. ``deadline`` bounds the seconds of each slide. Raises
    RendererMissing, RenderTimeout, RenderFailed and DeckError. Needs ``decklab[html]``; cannot be
    used inside a running asyncio loop.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        size: tuple[int, int] = (1280, 720),
        deadline: float = DEADLINE_SECONDS,
    ) -> None:
        self.path = Path(path)
        self.kind, self._size = "html", size
        self._browser = Browser(self.path, deadline=deadline)
        self.isolated, self.engine = self._browser.isolated, self._browser.version
        try:
            self._count = count_slides(self._browser)
            first = self._browser.call("show", 0)
        except BaseException:
            self.close()
            raise
        self.slide_size_pt = (first["width"] * PT_PER_PX, first["height"] * PT_PER_PX)

    def __len__(self) -> int:
        return self._count

    def slide(self, number: int) -> RenderedSlide:
        """Show and picture one slide."""
        self._check(number)
        clip = self._browser.call("show", number - 1)
        shot = _decoded(self._browser.screenshot(clip), self.path)
        runs = self._browser.call("spans", number - 1, clip)
        spans = tuple(_span(item, shot, clip) for item in runs)
        return RenderedSlide(number, scaled(shot, self._size), spans, "dom")

    def facts(self) -> HtmlFacts:
        """Text blocks and graphics of each slide, and the blocks filled with more text."""
        return read_facts(self._browser, self._count)

    def close(self) -> None:
        """End the browser."""
        self._browser.close()


def _decoded(png: bytes, path: Path) -> NDArray[np.uint8]:
    if (image := cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)) is None:
        raise RenderFailed(path, "Chromium gave no picture")
    return np.ascontiguousarray(image[:, :, ::-1])


def _span(item: dict[str, Any], shot: NDArray[np.uint8], clip: dict[str, float]) -> TextSpan:
    """One run of the page as a span; ``item`` is in CSS pixels of the clip."""
    loose = Box(item["left"], item["top"], item["right"], item["bottom"])
    scale = FRAME_WIDTH / clip["width"], FRAME_HEIGHT / clip["height"]
    return TextSpan(
        text=item["text"],
        box=tight_box(shot, loose).scaled(*scale),
        font=item["font"],
        size_pt=round(item["size"] * PT_PER_PX, 2),
        color=item["color"],
        line=item["line"],
    )
