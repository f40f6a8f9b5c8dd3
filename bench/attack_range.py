"""A host with things worth attacking, a sandbox on it, and a look around after every attack."""

import contextlib
import hashlib
import io
import os
import socket
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import psutil
from pptx import Presentation
from pptx.util import Inches

from bench.attack_table import Attack
from decklab.sandbox.launch import WORK
from decklab.sandbox.limits import (
    CallRefused,
    CodeFailed,
    Outcome,
    OutputTooLarge,
    RunFailed,
    RunLimits,
)
from decklab.sandbox.sandbox import Sandbox

__all__ = ["Range", "Shot"]

SECRET = "the secret of the host 7f3a9c"
_LIMITS = RunLimits(
    seconds=1.0,
    cpu_seconds=4,
    memory=128 * 2**20,
    processes=8,
    open_files=64,
    file=8 * 2**20,
    disk=16 * 2**20,
    files=300,
    printed=64 * 1024,
    result=64 * 1024,
    calls=3,
    call_bytes=64 * 1024,
    answer_bytes=1024,
)
_PRELUDE = """
SHARED = ["ours"]
def SHARED_FUNCTION(): return "ours"
"""
_LOOK = """
import builtins, hashlib, json, os, re, signal, sys
import numpy, pptx
result = {
    "deck": hashlib.sha256(open(HOST["deck"], "rb").read()).hexdigest(),
    "folder": [os.getcwd(), os.listdir("."), os.listdir(".tmp"), os.statvfs(".").f_files],
    "builtins": [builtins.len([1]), builtins.open is not None, json.loads(json.dumps([1]))],
    "modules": [bool(pptx.Presentation), bool(numpy.zeros), bool(re.match), len(sys.meta_path)],
    "hooks": [sys.gettrace(), sys.getprofile(), "." in sys.path],
    "prelude": [SHARED, SHARED_FUNCTION()],
    "process": [os.getpid(), sorted(os.environ), os.umask(0), len(os.listdir("/proc"))],
    "signals": str(signal.getsignal(signal.SIGCHLD)),
}
"""


@dataclass(frozen=True)
class Shot:
    """How one attack went: what it ``ended`` in, in how many ``seconds``, and the ``problems``
    found afterwards, which should be none."""

    ended: str
    seconds: float
    problems: list[str]


class Range:
    """Servers that should hear nothing, files that should stay as they are, and a sandbox."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="attacked-"))
            self._folder = Path(folder) / "host"
            self._folder.mkdir()
            (self._folder / "secret").write_text(SECRET)
            (self._folder / "canary").write_text("canary")
            os.environ["DECKLAB_ATTACK_SECRET"] = SECRET
            stack.callback(os.environ.pop, "DECKLAB_ATTACK_SECRET", None)
            self._servers = list(_servers(stack, self._folder / "socket"))
            self._before = _contents(self._folder)
            self._temporary = Path(folder) / "temporary"
            self._temporary.mkdir()
            stack.callback(setattr, tempfile, "tempdir", tempfile.tempdir)
            tempfile.tempdir = str(self._temporary)
            self._children = _processes()
            files = {path.name: path for path in _decks(Path(folder))}
            self._sandbox = Sandbox(
                files=files, services={"ask": _ask}, prelude=_PRELUDE, limits=_LIMITS
            )
            stack.enter_context(self._sandbox)
            self.host = self._places()
            self._clean = self._look().value
            self._warm = _processes()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def fire(self, attack: Attack) -> Shot:
        """Run ``attack``, then look at the host and at the next run."""
        began = time.monotonic()
        outcome, error = self._attacked(attack)
        seconds = time.monotonic() - began
        problems = _verdict(attack, outcome, error)
        problems += self._harm(outcome, error)
        return Shot(_ended(error), seconds, problems)

    def close(self) -> list[str]:
        """End the sandbox; what it left behind."""
        self._sandbox.close()
        problems = [f"{pid} is left" for pid in _processes() - self._children]
        return problems + [f"{path} is left" for path in self._temporary.iterdir()]

    def _attacked(self, attack: Attack) -> tuple[Outcome | None, RunFailed | None]:
        try:
            return self._sandbox.run(attack.code, globals={"HOST": self.host}), None
        except RunFailed as error:
            return None, error

    def _harm(self, outcome: Outcome | None, error: RunFailed | None) -> list[str]:
        problems = []
        left = self._left()
        said = f"{outcome}{error}{vars(error) if error else ''}{left}"
        if SECRET in said or "root:x:0" in said:
            problems.append("a secret came out")
        if len(_processes()) > len(self._warm):
            problems.append("a process of the run is still there")
        if _contents(self._folder) != self._before:
            problems.append("the host's folder is not as it was")
        problems += [f"{name} heard of it" for name, server in self._servers if _heard(server)]
        if error is not None and not str(error).isprintable():
            problems.append("the error takes more than one line")
        if self._look().value != self._clean:
            problems.append("the next run finds it changed")
        if _processes() != self._warm:
            problems.append("the warm process was lost")
            self._warm = _processes()
        return problems

    def _left(self) -> dict[str, bytes] | OutputTooLarge:
        try:
            return self._sandbox.collect()
        except OutputTooLarge as error:
            return error

    def _look(self) -> Outcome:
        return self._sandbox.run(_LOOK, globals={"HOST": self.host}, seconds=30)

    def _places(self) -> dict[str, Any]:
        servers = dict(self._servers)
        return {
            "address": _address(),
            "tcp": servers["TCP"].getsockname()[1],
            "udp": servers["UDP"].getsockname()[1],
            "unix": str(self._folder / "socket"),
            "abstract": servers["the abstract socket"].getsockname().decode().strip("\0"),
            "folder": str(self._folder),
            "secret": str(self._folder / "secret"),
            "canary": str(self._folder / "canary"),
            "repository": str(Path(__file__).parents[1]),
            "deck": self._sandbox.path("plain.pptx"),
        }


def _ask(question: str) -> str:
    if question == "refuse me":
        raise CallRefused("not that")
    return "answer"


def _verdict(attack: Attack, outcome: Outcome | None, error: RunFailed | None) -> list[str]:
    if outcome is not None:
        if attack.harmless is None:
            return [f"it went through and gave {outcome.value!r:.200}"]
        return [] if attack.harmless(outcome.value) else [f"it got {outcome.value!r:.200}"]
    if not isinstance(error, attack.errors):
        return [f"it ended in {type(error).__name__}: {error}"]
    if isinstance(error, CodeFailed) and attack.exceptions and error.type not in attack.exceptions:
        return [f"it ended in {error}"]
    return []


def _ended(error: RunFailed | None) -> str:
    if isinstance(error, CodeFailed):
        return f"CodeFailed ({error.type})"
    return "harmless" if error is None else type(error).__name__


def _servers(stack: contextlib.ExitStack, unix: Path) -> Iterator[tuple[str, socket.socket]]:
    for name, family, kind, address in (
        ("TCP", socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 0)),
        ("UDP", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ("the unix socket", socket.AF_UNIX, socket.SOCK_STREAM, str(unix)),
        ("the abstract socket", socket.AF_UNIX, socket.SOCK_STREAM, f"\0decklab-{uuid4().hex}"),
    ):
        server = stack.enter_context(socket.socket(family, kind))
        server.bind(address)
        server.setblocking(False)
        if kind == socket.SOCK_STREAM:
            server.listen()
        yield name, server


def _heard(server: socket.socket) -> bool:
    try:
        if server.type == socket.SOCK_DGRAM:
            server.recv(1)
        else:
            server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _address() -> str:
    """The host's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _contents(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.iterdir()
    }


def _processes() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def _decks(folder: Path) -> Iterator[Path]:
    """A plain deck, and decks and a picture that attack whoever reads them."""
    plain = _plain()
    slide, deck = "ppt/slides/slide1.xml", "ppt/presentation.xml"
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    outside = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
    long = f'<!DOCTYPE x [<!ENTITY e "{"x" * 100_000}">]><x>{"&e;" * 20_000}</x>'
    made = {
        "plain.pptx": plain,
        "bomb.pptx": _with(plain, slide, b"<x>" + b" " * (160 * 2**20) + b"</x>"),
        "laughs.pptx": _with(
            plain, deck, f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><x>&l11;</x>'.encode()
        ),
        "outside.pptx": _with(plain, deck, outside.encode()),
        "quadratic.pptx": _with(plain, slide, long.encode()),
        "nested.pptx": _with(plain, slide, b"<x>" * 100_000 + b"</x>" * 100_000),
        "traversal.pptx": _with(plain, f"../../..{WORK}/out.txt", b"out"),
        "cut.pptx": plain[: len(plain) // 2],
        "notazip.pptx": b"no deck at all",
        "bomb.png": _picture(60_000),
    }
    for name, data in made.items():
        path = folder / name
        path.write_bytes(data)
        yield path


def _plain() -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = "plain"
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def _with(deck: bytes, part: str, content: bytes) -> bytes:
    """``deck`` with ``content`` in place of, or beside, its parts."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(deck)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
        new.writestr(part, content)
    return stream.getvalue()


def _picture(side: int) -> bytes:
    """A PNG that claims ``side`` by ``side`` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(10**6)))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")
