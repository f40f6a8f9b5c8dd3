"""The host's end of the pipes to the warm process, with deadlines."""

import inspect
import os
import select
import time
from collections.abc import Callable, Mapping
from typing import Any

from decklab.sandbox.guest.wire import FrameBuffer, NotPlain, decode, encode, frame
from decklab.sandbox.limits import CallRefused, RunLimits, ServiceCall

_CHUNK = 1 << 20
_PIECE = 1 << 16


class Channel:
    """Frames written to one descriptor and read from another, none longer than ``caps`` by kind."""

    def __init__(self, target: int, source: int, caps: Mapping[bytes, int]) -> None:
        self._target = target
        self._source = source
        self._frames = FrameBuffer(dict(caps))
        os.set_blocking(target, False)
        os.set_blocking(source, False)

    def send(self, kind: bytes, payload: bytes, seconds: float) -> None:
        """Write one frame; TimeoutError or BrokenPipeError if the other side does not read."""
        rest = memoryview(frame(kind, payload))
        deadline = time.monotonic() + seconds
        while rest:
            _await(self._target, select.POLLOUT, deadline)
            rest = rest[os.write(self._target, rest[:_PIECE]) :]

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """The next frame; TimeoutError after ``seconds``, EOFError if the other side ended."""
        deadline = time.monotonic() + seconds
        while (found := self._frames.next()) is None:
            _await(self._source, select.POLLIN, deadline)
            data = os.read(self._source, _CHUNK)
            if not data:
                raise EOFError("the warm process has ended")
            self._frames.feed(data)
        return found


def _await(fd: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(fd, event)
    if not poll.poll(1000 * max(0.0, deadline - time.monotonic())):
        raise TimeoutError("the warm process does not answer")


Service = Callable[..., str]
"""A function of the host's that code may call: plain arguments in, text out."""


class TooManyCalls(Exception):
    """The run has called services more than it may; the text says in what way."""


class ServiceCalls:
    """The service calls of one run, answered and counted; ``calls`` is the log, in order."""

    def __init__(self, services: Mapping[str, Service], limits: RunLimits) -> None:
        self._services = services
        self._limits = limits
        self._asked = 0
        self._bytes = 0
        self.calls: list[ServiceCall] = []

    def answer(self, payload: bytes) -> bytes:
        """Run the service that the call in ``payload`` names, and return the reply to send.

        Raises TooManyCalls above the limits, and what a service raises other than CallRefused.
        """
        self._count(payload)
        try:
            name, args, kwargs = _parsed(payload)
        except NotPlain as error:
            return encode({"refused": str(error)})
        began = time.monotonic()
        answer, refused = self._served(name, args, kwargs)
        seconds = time.monotonic() - began
        self.calls.append(ServiceCall(name, tuple(args), kwargs, answer, refused, seconds))
        reply = encode({"refused": refused} if answer is None else {"answer": answer})
        if len(reply) > self._limits.answer_bytes:
            raise TooManyCalls(f"an answer of more than {self._limits.answer_bytes} bytes")
        return reply

    def _count(self, payload: bytes) -> None:
        self._asked += 1
        self._bytes += len(payload)
        if self._asked > self._limits.calls:
            raise TooManyCalls(f"more than {self._limits.calls} calls of services")
        if self._bytes > self._limits.call_bytes:
            raise TooManyCalls(f"more than {self._limits.call_bytes} bytes of calls of services")

    def _served(
        self, name: str, args: list[Any], kwargs: dict[str, Any]
    ) -> tuple[str | None, str | None]:
        service = self._services.get(name)
        if service is None:
            return None, f"there is no service {name[:100]!r}"
        try:
            inspect.signature(service).bind(*args, **kwargs)
        except TypeError as error:
            return None, f"{name}: {error}"
        try:
            answer = service(*args, **kwargs)
        except CallRefused as error:
            return None, str(error)
        if not isinstance(answer, str):
            raise TypeError(f"the service {name} answered with no text")
        return answer, None


def _parsed(payload: bytes) -> tuple[str, list[Any], dict[str, Any]]:
    call = decode(payload)
    if not isinstance(call, dict):
        raise NotPlain("no call of a service")
    name, args, kwargs = call.get("name"), call.get("args"), call.get("kwargs")
    if not (isinstance(name, str) and isinstance(args, list) and isinstance(kwargs, dict)):
        raise NotPlain("no call of a service")
    return name, args, kwargs
