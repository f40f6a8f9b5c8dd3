"""Frames over pipes, and plain data as JSON: all that ever crosses a border of the sandbox.

A frame's kind is a letter. From the host: ``S`` the setup, ``P`` another setup for the same warm
process, ``R`` run, ``A`` the answer to a call, ``X`` end the run, ``F`` send the files it left. To
the host: ``K`` ready, ``E`` the prelude failed, ``C`` a call of a service, ``V`` the run's report,
``D`` how it ended, ``N`` and ``B`` name and bytes of a file, ``Z`` no more files, ``T`` the files
are over the limits.
"""

import base64
import binascii
import json
import math
import os
import struct
from typing import Any

_HEADER = struct.Struct(">cI")
_BYTES = "__bytes__"
_DEPTH = 100
_CHUNK = 1 << 16


class NotPlain(TypeError):
    """A value that is no plain data; the text says which and where."""


class FrameTooLarge(ValueError):
    """A frame longer than allowed, of the kind ``kind``."""

    def __init__(self, kind: bytes) -> None:
        super().__init__("frame too large")
        self.kind = kind


def frame(kind: bytes, payload: bytes) -> bytes:
    """One frame: a letter for its kind, the length in four bytes, the payload."""
    return _HEADER.pack(kind, len(payload)) + payload


def send(fd: int, kind: bytes, payload: bytes = b"") -> None:
    """Write one frame, waiting as long as it takes."""
    rest = memoryview(frame(kind, payload))
    while rest:
        rest = rest[os.write(fd, rest[:_CHUNK]) :]


def read_frame(fd: int) -> tuple[bytes, bytes]:
    """The next frame, waiting as long as it takes; EOFError if the other side is gone."""
    kind, length = _HEADER.unpack(_exactly(fd, _HEADER.size))
    return kind, _exactly(fd, length)


def _exactly(fd: int, count: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < count:
        if not (piece := os.read(fd, min(count - len(pieces), 1 << 20))):
            raise EOFError("the other side is gone")
        pieces += piece
    return bytes(pieces)


class FrameBuffer:
    """Frames out of bytes as they come, none longer than its kind may be.

    ``caps`` gives the longest payload by kind; other kinds are too large at any length.
    """

    def __init__(self, caps: dict[bytes, int]) -> None:
        self._caps = caps
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in bytes that were read."""
        self._bytes += data

    def next(self) -> tuple[bytes, bytes] | None:
        """The next whole frame, if it is there; FrameTooLarge as soon as its header says so."""
        if len(self._bytes) < _HEADER.size:
            return None
        kind, length = _HEADER.unpack_from(self._bytes)
        if length > self._caps.get(kind, -1):
            raise FrameTooLarge(kind)
        end = _HEADER.size + length
        if len(self._bytes) < end:
            return None
        payload = bytes(self._bytes[_HEADER.size : end])
        del self._bytes[:end]
        return kind, payload


def encode(value: object) -> bytes:
    """Plain data as JSON; tuples become lists, numpy's numbers Python's; else NotPlain."""
    return json.dumps(_plain(value, _DEPTH), separators=(",", ":")).encode()


def _plain(value: object, depth: int) -> Any:
    if depth == 0:
        raise NotPlain(f"nested more than {_DEPTH} deep, or within itself")
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()  # type: ignore[attr-defined]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(float(value))
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return {_BYTES: base64.b64encode(value).decode()}
    if isinstance(value, list | tuple):
        return [_plain(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {_key(key): _plain(item, depth - 1) for key, item in value.items()}
    raise NotPlain(f"a {type(value).__name__} is no plain data")


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise NotPlain(f"{number} is no number that JSON has")
    return number


def _key(key: object) -> str:
    if not isinstance(key, str) or key == _BYTES:
        raise NotPlain(f"a dictionary with the key {key!r:.40} is no plain data")
    return str(key)


def decode(payload: bytes) -> Any:
    """Read bytes written by `encode`. The sender is not trusted: other bytes raise NotPlain."""
    try:
        return _restored(json.loads(payload, parse_constant=_refuse))
    except (ValueError, RecursionError) as error:
        raise NotPlain(f"not what plain data looks like: {error}") from None


def _refuse(constant: str) -> None:
    raise NotPlain(f"{constant} is no number that JSON has")


def _restored(value: Any) -> Any:
    if isinstance(value, float):
        return _finite(value)  # 1e999 parses
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # half a surrogate pair breaks others
    if isinstance(value, list):
        return [_restored(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {_BYTES}:
            return _bytes(value[_BYTES])
        return {_restored(key): _restored(item) for key, item in value.items()}
    return value


def _bytes(text: object) -> bytes:
    if not isinstance(text, str):
        raise NotPlain("bytes that are not in base64")
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise NotPlain(f"bytes that are not in base64: {error}") from None
