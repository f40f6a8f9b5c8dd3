"""A server on the loopback that speaks as much of OpenAI's chat API as the tests need."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from inspect_ai.model import Model, get_model

_NAMES = count()


@dataclass(frozen=True)
class Answer:
    """One scripted reply: its text, or an HTTP status in its place; ``delay`` in seconds."""

    text: str = ""
    status: int = 200
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Whether the reply ends by its length limit."""
    tool: str = ""
    """The tool that is called, with the text as its arguments."""
    drop: bool = False
    """Whether the connection is closed in place of an answer."""
    usage: bool = True
    """Whether the reply says how many tokens it took."""


Script = Callable[[dict[str, Any]], Answer | str] | Sequence[Answer | str]
"""What the server says: a function of the request, or replies in order, the last repeated."""


@dataclass
class OpenAIServer:
    """A running server: ``requests`` holds the JSON bodies it was sent."""

    url: str
    requests: list[dict[str, Any]]

    def model(self, name: str = "", **options: Any) -> Model:
        """A model of Inspect AI that asks this server; never the memoized one of another test."""
        return get_model(
            f"openai-api/loopback/{name or f'test-{next(_NAMES)}'}",
            base_url=f"{self.url}/v1", api_key="none", memoize=False, **options,
        )  # fmt: skip


def prompt_of(request: dict[str, Any]) -> str:
    """All text of the request's messages."""
    found: list[str] = []
    for message in request["messages"]:
        content = message["content"]
        if isinstance(content, str):
            found.append(content)
        else:
            found += [part["text"] for part in content if part["type"] == "text"]
    return "\n".join(found)


def images_of(request: dict[str, Any]) -> list[str]:
    """The ``data:`` addresses of the request's pictures."""
    return [
        part["image_url"]["url"]
        for message in request["messages"]
        if not isinstance(message["content"], str)
        for part in message["content"]
        if part["type"] == "image_url"
    ]


def form_of(request: dict[str, Any]) -> str:
    """The form in which a request wants a structured answer, or ``none``."""
    if "response_format" in request:
        return str(request["response_format"]["type"])
    if request.get("tools"):
        return "tool"
    return "text" if "JSON schema" in prompt_of(request) else "none"


@contextmanager
def serving(script: Script) -> Iterator[OpenAIServer]:
    """Serve ``script`` until the block ends."""
    requests: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                requests.append(body)
                number = len(requests)
            said = script(body) if callable(script) else script[min(number, len(script)) - 1]
            answer = Answer(said) if isinstance(said, str) else said
            time.sleep(answer.delay)
            if answer.drop:
                self.close_connection = True
                return
            self._send(answer, body["model"])

        def _send(self, answer: Answer, model: str) -> None:
            if answer.status == 200:
                content: dict[str, Any] = _completion(answer, model)
            else:
                content = {"error": {"message": answer.text or "scripted", "type": "scripted"}}
            data = json.dumps(content).encode()
            try:
                self.send_response(answer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):  # the client gave up waiting
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield OpenAIServer(f"http://127.0.0.1:{server.server_address[1]}", requests)
    finally:
        server.shutdown()
        server.server_close()


def _completion(answer: Answer, model: str) -> dict[str, Any]:
    tokens = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    ended = "length" if answer.cut else "stop"
    if answer.tool:
        function = {"name": answer.tool, "arguments": answer.text}
        call = {"id": "call-1", "type": "function", "function": function}
        message, ended = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    return {
        "id": "loopback", "object": "chat.completion", "created": 0, "model": model,
        "choices": [{"index": 0, "finish_reason": ended, "message": message}],
        **({"usage": tokens} if answer.usage else {}),
    }  # fmt: skip
