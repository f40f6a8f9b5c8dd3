"""A small open model behind llama-cpp-python's server, on the loopback.

``scripts/live`` puts server and models into ``.live``.
"""

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.error import URLError

HOME: Final = Path(__file__).parents[2] / ".live"
_START_SECONDS: Final = 180
_STOP_SECONDS: Final = 10


@dataclass(frozen=True)
class LiveModel:
    """A model in ``.live/models``."""

    name: str
    title: str
    context: int
    """Tokens that it is served with, question and reply together."""
    reply_tokens: int
    """Tokens of a reply where a request sets no bound. Hosted servers have such a bound, too;
    without one a small model writes until its context is full."""

    @property
    def file(self) -> Path:
        """Its weights."""
        return HOME / "models" / f"{self.name}.gguf"


MODELS: Final = (
    LiveModel("smollm2", "SmolLM2 135M Instruct", 8192, 300),
    LiveModel("gemma3", "Gemma 3 270M, base", 4096, 60),
)


@contextmanager
def served(model: LiveModel, log: Path) -> Iterator[str]:
    """Serve a model until the block ends; gives the address of the server.

    One thread each for reading and writing: more wait for each other on a busy machine. What the
    server says goes to ``log``. Raises FileNotFoundError where ``scripts/live`` was not run,
    RuntimeError where the server does not start.
    """
    python = HOME / "venv" / "bin" / "python"
    for needed in (python, model.file):
        if not needed.exists():
            raise FileNotFoundError(f"{needed} is not there: run make live, or scripts/live")
    port = _free_port()
    command = [
        str(python), "-m", "llama_cpp.server", "--model", str(model.file),
        "--model_alias", model.name, "--n_ctx", str(model.context), "--n_threads", "1",
        "--n_threads_batch", "1", "--logits_all", "False", "--seed", "7",
        "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    with log.open("wb") as told:
        server = subprocess.Popen(
            command, stdout=told, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url, server, log)
            yield url
        finally:
            _end(server)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with {server.returncode}, see {log}")
        try:
            with urllib.request.urlopen(f"{url}/v1/models", timeout=2):
                return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.5)
    raise RuntimeError(f"the server did not start in {_START_SECONDS} s, see {log}")


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server, which leads a group of its own."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if server.poll() is None:
            os.killpg(server.pid, sign)
            try:
                server.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue
