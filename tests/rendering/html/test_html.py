"""HTML decks in the system's Chromium: found, shown, read, probed, and kept from the network."""

import http.server
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Error

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    RendererMissing,
    RenderFailed,
    RenderTimeout,
)
from decklab.rendering.html import Browser, HtmlDeck, TextBlockFacts
from decklab.rendering.opening import open_rendered

WritePage = Callable[..., Path]


@pytest.fixture
def page(tmp_path: Path) -> WritePage:
    """Writes an HTML deck from its body and head."""

    def write(body: str, head: str = "") -> Path:
        path = tmp_path / "deck" / "talk.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f"<!doctype html><html><head><meta charset=utf-8><style>body{{margin:0}}"
            f"section,.slide,[data-slide]{{width:1280px;height:720px;overflow:hidden}}</style>"
            f"{head}</head><body>{body}</body></html>",
            encoding="utf-8",
        )
        return path

    return write


def texts(path: Path) -> list[list[str]]:
    with HtmlDeck(path) as deck:
        return [[span.text for span in slide.spans] for slide in deck]


@pytest.mark.by_day(1)
@pytest.mark.chromium
@pytest.mark.parametrize(
    "body",
    [
        "<div class=reveal><div class=slides><section>One</section>"
        "<section><section>Two</section><section>Three</section></section></div></div>",
        "<div class=slide>One</div><div class='slide dark'>Two</div><div class=slide>Three</div>",
        "<main><p data-slide=1>One</p><p data-slide=2>Two</p><p data-slide=3>Three</p></main>",
        "<section>One</section><section>Two<section>not a slide</section></section>"
        "<section>Three</section>",
        "<div style='height:720px'>One</div><div style='height:720px'>Two</div><div>Three</div>",
    ],
    ids=["reveal", "class", "attribute", "sections", "pages"],
)
def test_slides_are_found_and_shown_one_at_a_time(page: WritePage, body: str) -> None:
    found = texts(page(body))
    assert [words[0] for words in found] == ["One", "Two", "Three"]
    assert sum(len(words) for words in found) - body.count("not a slide") == 3


@pytest.mark.long
@pytest.mark.chromium
def test_slides_that_scripts_show_by_class_are_shown(page: WritePage) -> None:
    style = "<style>.slide{position:absolute;opacity:0;visibility:hidden}"
    style += ".slide.active{opacity:1;visibility:visible}</style>"
    slides = "<div class='slide active'>One</div><div class=slide>Two</div>"
    assert texts(page(slides, style)) == [["One"], ["Two"]]


@pytest.mark.long
@pytest.mark.chromium
def test_spans_hug_the_ink_and_know_their_style(page: WritePage) -> None:
    body = (
        "<div class=slide style='position:relative'><p style='position:absolute;left:200px;"
        "top:100px;margin:0;font:40px Arial;color:#B02000'>Plain <b style='color:#003388'>Bold"
        "</b></p></div>"
    )
    with open_rendered(page(body)) as deck:
        assert (deck.kind, len(deck), deck.slide_size_pt) == ("html", 1, (960, 540))
        slide = deck.slide(1)
    assert slide.text_source == "dom"
    assert slide.image.shape == (720, 1280, 3)
    assert [(s.text, s.color, s.size_pt, s.line) for s in slide.spans] == [
        ("Plain", "#B02000", 30, 0),
        ("Bold", "#003388", 30, 0),
    ]
    box = slide.spans[0].box.union(slide.spans[1].box)
    rows, columns = np.nonzero(slide.image.min(axis=2) < 180)
    drawn = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    assert tuple(box.scaled(1280 / 960, 720 / 540)) == pytest.approx(drawn, abs=2)


@pytest.mark.long
@pytest.mark.chromium
def test_hidden_text_is_no_text(page: WritePage) -> None:
    body = (
        "<div class=slide>Seen<p style='display:none'>a</p><p style='visibility:hidden'>b</p>"
        "<p style='opacity:0'>c</p><script>var d = 'd'</script></div>"
    )
    assert texts(page(body)) == [["Seen"]]


@pytest.mark.long
@pytest.mark.chromium
def test_an_empty_page_is_one_blank_slide(page: WritePage) -> None:
    with HtmlDeck(page("")) as deck:
        (slide,) = deck
    assert slide.spans == ()
    assert np.all(slide.image == 255)


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A loopback web server: its address, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize("caged", [True, False])
def test_nothing_is_fetched_and_no_file_outside_the_folder_is_read(
    page: WritePage,
    tmp_path: Path,
    listener: tuple[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    caged: bool,
) -> None:
    if not caged:
        monkeypatch.setattr("decklab.rendering.html.is_available", lambda: False)
    address, asked = listener
    for place, color in (("", "red"), ("deck", "blue")):
        (tmp_path / place).mkdir(exist_ok=True)
        Image.new("RGB", (50, 50), color).save(tmp_path / place / "dot.png")
    body = (
        f"<div class=slide><img src='http://{address}/a.png'><img src='../dot.png'>"
        f"<img src='{tmp_path}/dot.png'><img src='dot.png'></div>"
        f"<script>fetch('http://{address}/b'); new WebSocket('ws://{address}/c');"
        f"navigator.sendBeacon('http://{address}/d'); open('http://{address}/e');"
        "alert('stop'); nonsense();</script>"
    )
    path = page(body, f"<link rel=stylesheet href='http://{address}/f.css'>")
    with HtmlDeck(path) as deck:
        image = deck.slide(1).image
    assert asked == []
    assert np.any(np.all(image == (0, 0, 255), axis=2))
    assert not np.any(np.all(image == (255, 0, 0), axis=2))


@pytest.mark.long
@pytest.mark.chromium
def test_the_request_of_a_window_that_has_no_frame_yet_is_refused(page: WritePage) -> None:
    answers: list[object] = []

    class Request:
        url = "http://127.0.0.1:9/new"

        def is_navigation_request(self) -> bool:
            return True

        @property
        def frame(self) -> object:
            raise Error("Frame for this navigation request is not available")

    class Route:
        request = Request()
        abort = answers.append

    browser = Browser(page("<p>One</p>"), deadline=30)
    try:
        browser._decide(cast(Any, Route()))
    finally:
        browser.close()
    assert answers == ["aborted"]


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize(
    "script", ["while (true) {}", "addEventListener('load', () => setTimeout(() => {for (;;);}))"]
)
def test_a_page_that_hangs_is_given_up(page: WritePage, script: str) -> None:
    path = page(f"<div class=slide>One</div><script>{script}</script>")
    began = time.monotonic()
    with pytest.raises(RenderTimeout, match=r"talk\.html: no answer in 3 seconds"):
        HtmlDeck(path, deadline=3)
    assert time.monotonic() - began < 15


def test_a_missing_page_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"gone\.html: there is no such file"):
        HtmlDeck(tmp_path / "gone.html")


def test_a_missing_chromium_says_what_to_install(
    page: WritePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RendererMissing, match="apt-get install chromium"):
        HtmlDeck(page("text"))


@pytest.mark.chromium
def test_a_playwright_that_does_not_start_says_what_may_be_missing(
    page: WritePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(RendererMissing, match="apt-get install libatomic1"):
        HtmlDeck(page("text"))


def blocks_of(path: Path) -> dict[str, TextBlockFacts]:
    with closing(HtmlDeck(path)) as deck:
        (slide,) = deck.facts().slides
    return {block.text: block for block in slide.blocks}


@pytest.mark.long
@pytest.mark.chromium
def test_paragraphs_reflow_and_pinned_lines_do_not(page: WritePage) -> None:
    pin = "position:absolute;white-space:nowrap;left:50px;top"
    blocks = blocks_of(
        page(
            "<div class=slide style='position:relative'><p style='width:300px'>Flowing words</p>"
            "<p>Short</p>"
            f"<div style='{pin}:300px'>Pinned first line</div>"
            f"<div style='{pin}:340px'>pinned second line</div>"
            "<p style='user-select:none'>Locked</p>"
            "<svg width=200 height=60><text y=40>Drawn</text></svg></div>"
        )
    )
    flowing, pinned = blocks["Flowing words"], blocks["Pinned first line"]
    assert (flowing.reflows, flowing.fragment) == (True, False)
    assert blocks["Short"].reflows
    assert (pinned.reflows, pinned.fragment, pinned.absolute) == (False, True, True)
    assert [text for text, block in blocks.items() if not block.selectable] == ["Locked"]
    assert (blocks["Drawn"].svg, blocks["Drawn"].reflows) == (True, False)


@pytest.mark.long
@pytest.mark.chromium
def test_words_are_counted_in_lines_and_put_back(page: WritePage) -> None:
    words = " ".join(["word"] * 20)
    path = page(f"<div class=slide><p style='width:220px;font:20px Arial'>{words}</p></div>")
    block = blocks_of(path)[words]
    assert block.filled.lines > 2 * block.before.lines
    assert block.before.frame.width == pytest.approx(220 * 0.75)
    assert "word word" in path.read_text()


@pytest.mark.long
@pytest.mark.chromium
def test_graphics_are_told_apart(page: WritePage, tmp_path: Path) -> None:
    (tmp_path / "deck").mkdir()
    Image.new("RGB", (40, 20), "green").save(tmp_path / "deck" / "photo.png")
    (tmp_path / "deck" / "icon.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='9'/></svg>"
    )
    path = page(
        "<div class=slide style='background-image:url(photo.png)'>"
        "<img src=photo.png style='width:400px'><img src=icon.svg><canvas width=30 height=10>"
        "</canvas><svg width=50 height=50><circle r=9 /></svg>"
        "<p style='background:linear-gradient(red,blue)'>t</p></div>"
    )
    with closing(HtmlDeck(path)) as deck:
        (slide,) = deck.facts().slides
    found = [(item.kind, item.vector, item.natural) for item in slide.graphics]
    assert found == [
        ("background", False, (40, 20)),
        ("img", False, (40, 20)),
        ("img", True, None),
        ("canvas", False, (30, 10)),
        ("svg", True, None),
    ]
    photo = slide.graphics[1]
    assert (photo.box.width, photo.box.height) == pytest.approx((300, 150))
    assert slide.graphics[0].box.area == pytest.approx(960 * 540)


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize(
    "script",
    [
        "<script>location.href = 'other.html'</script>",
        "<script>setTimeout(() => location.href = 'file:///etc/passwd', 50)</script>",
        "<meta http-equiv=refresh content='0;url=file:///etc/hostname'>",
        "<script>setInterval(() => location.reload(), 20)</script>",
    ],
)
def test_a_page_that_would_go_elsewhere_stays(page: WritePage, script: str) -> None:
    path = page(f"<section>Here</section>{script}")
    (path.parent / "other.html").write_text("<section>There</section><section>x</section>")
    shown = texts(path)
    assert shown in ([["Here"]], [["There"], ["x"]])  # what it was when it had loaded


@pytest.mark.long
@pytest.mark.chromium
def test_a_page_without_end_is_refused_by_its_length(page: WritePage) -> None:
    with pytest.raises(LimitExceeded, match="2000 slides; at most 1000"):
        HtmlDeck(page("<div style='height:1440000px'>x</div>"))


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize("place", ["/var/tmp", "/dev/shm"])
def test_temporary_files_may_go_anywhere_and_none_is_left(
    page: WritePage, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir=place) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        assert texts(page("<section>One</section>")) == [["One"]]
        assert list(Path(folder).iterdir()) == []
        assert os.environ["TMPDIR"] == folder


@pytest.mark.long
@pytest.mark.chromium
def test_a_page_that_lies_right_among_the_temporary_files_is_shown() -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir="/tmp") as file:
        file.write("<html><body><section>One</section></body></html>")
        file.flush()
        assert texts(Path(file.name)) == [["One"]]


@pytest.mark.chromium
def test_what_the_browser_says_is_one_short_line(
    page: WritePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho going down >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr("decklab.rendering.html.is_available", lambda: False)
    monkeypatch.setattr("decklab.rendering.html.chromium_program", lambda path: str(program))
    with pytest.raises(RenderFailed) as caught:
        HtmlDeck(page("text"))
    assert len(str(caught.value)) < 300
    assert "Call log" not in str(caught.value) and "BrowserType" not in str(caught.value)
