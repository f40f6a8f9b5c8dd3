"""Downloads, from a server on the loopback."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from decklab.evals.ppteval.tasks import CHECKSUMS, SOURCES, FetchFailed, fetch_decks, read_checksums

DECK = b"PK\x03\x04 a deck"


class Server:
    """Serves ``pages`` by path; ``cut`` takes that many bytes off every answer."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.cut = 0
        self.asked: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                page = outer.pages.get(self.path)
                self.send_response(404 if page is None else 200)
                self.send_header("Content-Length", str(len(page or b"")))
                self.end_headers()
                self.wfile.write((page or b"")[: len(page or b"") - outer.cut])

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.05,))
        self.thread.start()

    def sources(self, *names: str) -> dict[str, str]:
        return {name: f"http://127.0.0.1:{self.http.server_port}/{name[0]}" for name in names}

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    made.pages = {"/a": DECK, "/b": DECK + b"b"}
    yield made
    made.close()


def test_decks_come_once_and_their_checksums_are_recorded(server: Server, tmp_path: Path) -> None:
    sources = server.sources("a deck.pptx", "b.pptx")
    first = fetch_decks(tmp_path, sources=sources)
    again = fetch_decks(tmp_path, sources=sources)
    assert [one.how for one in first] == ["downloaded", "downloaded"]
    assert [one.how for one in again] == ["there", "there"]
    assert server.asked == ["/a", "/b"]
    assert (tmp_path / "a deck.pptx").read_bytes() == DECK
    assert read_checksums(tmp_path)["a deck.pptx"] == hashlib.sha256(DECK).hexdigest()
    assert sorted(path.name for path in tmp_path.iterdir()) == [CHECKSUMS, "a deck.pptx", "b.pptx"]


def test_a_deck_that_changed_on_disk_is_an_error(server: Server, tmp_path: Path) -> None:
    sources = server.sources("a.pptx")
    fetch_decks(tmp_path, sources=sources)
    (tmp_path / "a.pptx").write_bytes(DECK + b"!")
    with pytest.raises(FetchFailed, match=r"a\.pptx: not the deck that was downloaded first"):
        fetch_decks(tmp_path, sources=sources)


def test_another_deck_from_the_archive_is_refused_and_not_kept(
    server: Server, tmp_path: Path
) -> None:
    sources = server.sources("a.pptx")
    fetch_decks(tmp_path, sources=sources)
    (tmp_path / "a.pptx").unlink()
    server.pages["/a"] = DECK + b"other"
    with pytest.raises(FetchFailed, match="not the deck that was downloaded first"):
        fetch_decks(tmp_path, sources=sources)
    assert not (tmp_path / "a.pptx").exists()


@pytest.mark.parametrize(
    ("page", "cut", "said"),
    [(None, 0, "Not Found"), (b"<html>not here</html>", 0, "what came is no deck"),
     (DECK, 3, "IncompleteRead|broke off")],
)  # fmt: skip
def test_a_download_that_fails_leaves_nothing(
    server: Server, tmp_path: Path, page: bytes | None, cut: int, said: str
) -> None:
    server.pages = {} if page is None else {"/a": page}
    server.cut = cut
    with pytest.raises(FetchFailed, match=said):
        fetch_decks(tmp_path, sources=server.sources("a.pptx"))
    assert list(tmp_path.iterdir()) == []


def test_decks_that_came_before_a_failure_stay(server: Server, tmp_path: Path) -> None:
    del server.pages["/b"]
    with pytest.raises(FetchFailed):
        fetch_decks(tmp_path, sources=server.sources("a.pptx", "b.pptx"))
    assert list(read_checksums(tmp_path)) == ["a.pptx"]


def test_nobody_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(FetchFailed, match="refused") as caught:
        fetch_decks(tmp_path, sources={"a.pptx": "http://127.0.0.1:9/a"}, seconds=5)
    assert "\n" not in str(caught.value)


def test_checksums_of_another_form_are_an_error(tmp_path: Path) -> None:
    (tmp_path / CHECKSUMS).write_text("md5 a.pptx\n")
    with pytest.raises(FetchFailed, match="no checksum"):
        read_checksums(tmp_path)


def test_there_are_twelve_sources_with_plain_addresses() -> None:
    assert len(SOURCES) == 12
    for name, address in SOURCES.items():
        assert name.endswith(".pptx") and address.startswith("https://")
        assert address.isascii() and " " not in address and "[" not in address
