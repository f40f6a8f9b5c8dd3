"""A page in a browser as a screen: a local page edits a deck, python-pptx reads what is left."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import Unavailable
from decklab.evals.desktop.browser import BrowserPage, TakeDeck
from decklab.evals.desktop.environment import (
    Action,
    ActionRefused,
    Click,
    Drag,
    EnvironmentFailed,
    Keys,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
)

PAGE = """<!doctype html><title>Editor</title>
<style>body{margin:0;font:20px sans-serif;user-select:none}*{position:absolute}</style>
<input id=title aria-label=Title value=Old style="left:20px;top:20px;width:400px;height:30px">
<button id=save style="left:20px;top:80px;width:90px;height:30px">Save</button>
<a id=link href=/deck.pptx download=deck.pptx style="left:140px;top:80px">Download</a>
<button id=other style="left:300px;top:80px;width:90px;height:30px">Other</button>
<div id=mark style="left:20px;top:140px;width:40px;height:40px;background:#c00"></div>
<div id=log style="left:20px;top:300px">-</div>
<script>
const log = text => { document.getElementById("log").textContent = text }
const save = () => fetch("/save", {method: "POST", body: title.value})
document.getElementById("save").onclick = save
document.getElementById("other").onclick = async () => {
  try { await fetch("OTHER", {mode: "no-cors"}); log("reached") } catch { log("not reached") }
}
document.onkeydown = async event => {
  if (!event.ctrlKey || event.key !== "s") return
  event.preventDefault()
  await save()
  link.click()
}
document.onwheel = event => log("wheel " + Math.sign(event.deltaY))
document.ondblclick = () => log("twice")
document.oncontextmenu = event => { event.preventDefault(); log("menu") }
let from = null
document.onmousedown = event => { from = [event.clientX, event.clientY] }
document.onmouseup = event => {
  if (from && event.clientX > from[0]) log("dragged " + (event.clientX - from[0]))
  from = null
}
</script>"""


@dataclass
class Site:
    """A server with a page that edits a deck, and all that was asked of it."""

    deck: bytes
    other: str = ""
    server: ThreadingHTTPServer = field(init=False)
    asked: list[str] = field(default_factory=list)
    title: str = "Old"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, path: str) -> tuple[str, bytes]:
        if path == "/deck.pptx":
            return "application/octet-stream", self.deck
        return "text/html", PAGE.replace("OTHER", self.other).encode()

    def save(self, title: str, folder: Path) -> None:
        self.title = title
        path = folder / "served.pptx"
        path.write_bytes(self.deck)
        deck = Presentation(str(path))
        deck.slides[0].shapes.title.text = title
        deck.save(str(path))
        self.deck = path.read_bytes()


def serve(site: Site, folder: Path) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", f"{site.other}/deck.pptx")
                self.end_headers()
                return
            kind, content = site.answer(self.path)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            site.save(text, folder)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    site.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=site.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[0])
    slide.shapes.title.text = "Old"
    path = tmp_path_factory.mktemp("deck") / "deck.pptx"
    made.save(str(path))
    return path.read_bytes()


@pytest.fixture(scope="module")
def other(deck: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A host that nobody named."""
    site = Site(deck)
    serve(site, tmp_path_factory.mktemp("other"))
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture(scope="module")
def site(deck: bytes, other: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(deck, other.url)
    serve(site, tmp_path_factory.mktemp("site"))
    yield site
    site.server.shutdown()
    site.server.server_close()


def opened(site: Site, out: Path, take: TakeDeck, **options: object) -> BrowserPage:
    try:
        return BrowserPage(site.url, out, take=take, **options)  # type: ignore[arg-type]
    except Unavailable as error:
        pytest.skip(f"no browser here: {error}")


@pytest.fixture(scope="module")
def page(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    out = tmp_path_factory.mktemp("left") / "left.pptx"
    with opened(site, out, TakeDeck(keys="ctrl+s")) as page:
        yield page


def told(page: BrowserPage) -> str:
    """The accessible text, which holds what the page says of the last action."""
    return page.accessible_text() or ""


def test_the_page_is_as_large_as_asked_and_its_controls_are_told(page: BrowserPage) -> None:
    picture = page.screenshot()
    assert (picture.size, picture.mode) == ((1280, 800), "RGB")
    assert picture.getpixel((40, 160)) == (204, 0, 0)
    assert 'textbox "Title": Old' in told(page) and 'button "Save"' in told(page)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Click(600, 400, count=2), "twice"),
        (Click(600, 400, button="right"), "menu"),
        (Scroll(600, 400, down=2), "wheel 1"),
        (Drag(((30, 150), (200, 200), (430, 150))), "dragged 400"),
    ],
)
def test_actions_reach_the_page(page: BrowserPage, action: Action, said: str) -> None:
    page.act(action)
    assert said in told(page)


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (Click(1280, 10), "outside the screen"),
        (Move(-1, 10), "outside the screen"),
        (Click(1, 1, count=4), "1 to 3 times"),
        (Keys("cntrl+s"), "near: ctrl"),
        (Keys(""), "no key is named"),
        (Type(""), "no text"),
        (Drag(((1, 1),)), "two points"),
    ],
)
def test_what_cannot_be_done_is_refused(page: BrowserPage, action: Action, problem: str) -> None:
    before = page.screenshot()
    with pytest.raises(ActionRefused, match=problem):
        page.act(action)
    assert page.screenshot() == before


def test_a_host_that_nobody_named_is_not_reached(page: BrowserPage, other: Site) -> None:
    page.act(Click(345, 95))
    page.act(Wait(0.2))
    assert "not reached" in told(page)
    assert other.asked == []


@pytest.mark.long
def test_what_is_typed_is_in_the_deck_that_the_page_hands_out(
    page: BrowserPage, site: Site, tmp_path: Path
) -> None:
    first = page.hand_out(tmp_path / "first.pptx")
    assert Presentation(str(first)).slides[0].shapes.title.text == "Old"
    for action in (Click(100, 35), Keys("ctrl+a"), Type("Über 中文 😀"), Screenshot()):
        page.act(action)
    left = page.close()
    assert left.saved and page.close() == left
    assert Presentation(str(left.deck)).slides[0].shapes.title.text == "Über 中文 😀"
    with pytest.raises(EnvironmentFailed, match="closed before"):
        page.screenshot()


@pytest.mark.long
def test_a_deck_is_fetched_or_clicked_for(site: Site, tmp_path: Path) -> None:
    with opened(site, tmp_path / "a.pptx", TakeDeck(url="/deck.pptx")) as page:
        page.act(Click(100, 35))
        page.act(Type("X"))
        page.act(Click(60, 95))
        assert Presentation(str(page.close().deck)).slides[0].shapes.title.text == site.title
    take = TakeDeck(clicks=("#save", "#link"))
    with opened(site, tmp_path / "b.pptx", take) as page:
        assert Presentation(str(page.close().deck)).slides[0].shapes.title.text


@pytest.mark.long
def test_a_deck_of_another_host_and_a_page_without_a_deck_end_the_run(
    site: Site, other: Site, tmp_path: Path
) -> None:
    with opened(site, tmp_path / "a.pptx", TakeDeck(url="/moved")) as page:
        with pytest.raises(EnvironmentFailed, match="a host that was not named"):
            page.close()
        with pytest.raises(EnvironmentFailed, match="a host that was not named"):
            page.screenshot()
    with (
        opened(site, tmp_path / "b.pptx", TakeDeck(url="/")) as page,
        pytest.raises(EnvironmentFailed, match="cannot be read"),
    ):
        page.close()
    assert list(tmp_path.iterdir()) == [] and other.asked == []


def test_exactly_one_way_to_take_the_deck_is_named() -> None:
    with pytest.raises(ValueError, match="name one"):
        TakeDeck()
    with pytest.raises(ValueError, match="name one"):
        TakeDeck(keys="ctrl+s", url="/deck.pptx")
