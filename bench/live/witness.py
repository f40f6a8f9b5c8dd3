"""The witness of a live run: a server between decklab and the model that counts what passes.

It sees only the bytes, and knows nothing of decklab: its numbers are what decklab's records are
compared with.
"""

import hashlib
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError


@dataclass(frozen=True)
class Exchange:
    """One request and what came back."""

    digest: str
    """SHA-256 of the request."""
    status: int
    input_tokens: int
    output_tokens: int
    """By the server's ``usage``."""
    seconds: float
    delivered: bool = True
    """Whether whoever asked was still there when the reply came."""


class Witness:
    """What has passed so far; ``url`` is where requests go."""

    def __init__(self, url: str, log: Path) -> None:
        self.url, self._log = url, log
        self._lock = threading.Lock()
        self.seen: list[Exchange] = []

    def add(self, one: Exchange) -> int:
        """Note an exchange whose reply is about to go out; gives its number."""
        with self._lock:
            self.seen.append(one)
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one)) + "\n")
            return len(self.seen) - 1

    def not_delivered(self, number: int) -> None:
        """Note that nobody waited for the reply any more."""
        self.seen[number] = replace(self.seen[number], delivered=False)


@contextmanager
def witnessed(target: str, log: Path, *, reply_tokens: int = 300) -> Iterator[Witness]:
    """A server that passes requests on to the one at ``target`` until the block ends.

    It changes one thing: a request without ``max_tokens`` gets ``reply_tokens``.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            started = time.monotonic()
            status, reply = _passed_on(f"{target}{self.path}", _bounded(body, reply_tokens))
            seconds = time.monotonic() - started
            digest, tokens = hashlib.sha256(body).hexdigest(), _usage(reply)
            number = witness.add(Exchange(digest, status, *tokens, round(seconds, 3)))
            if not self._send(status, reply):
                witness.not_delivered(number)

        def _send(self, status: int, reply: bytes) -> bool:
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)
            except ConnectionError:
                self.close_connection = True
                return False
            return True

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    witness = Witness(f"http://127.0.0.1:{server.server_port}", log)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield witness
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _bounded(body: bytes, most: int) -> bytes:
    asked = json.loads(body)
    if asked.get("max_tokens") is None and asked.get("max_completion_tokens") is None:
        asked["max_tokens"] = most
    return json.dumps(asked).encode()


def _passed_on(url: str, body: bytes) -> tuple[int, bytes]:
    """Status and body of the model's server; 502 where it does not answer."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()
    except HTTPError as error:
        return error.code, error.read()
    except (URLError, ConnectionError) as error:
        return 502, json.dumps({"error": {"message": str(error)}}).encode()


def _usage(reply: bytes) -> tuple[int, int]:
    """Tokens in and out by the server's own count; zeros where it gives none."""
    try:
        told = json.loads(reply).get("usage") or {}
    except ValueError:
        return 0, 0
    return int(told.get("prompt_tokens", 0)), int(told.get("completion_tokens", 0))
