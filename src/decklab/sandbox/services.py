"""Calls from inside, answered on the host: counted, weighed, logged."""

import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

from decklab.sandbox.errors import CallRefused
from decklab.sandbox.guest.wire import NotPlain, decode, encode
from decklab.sandbox.limits import Limits
from decklab.sandbox.outcome import ServiceCall

__all__ = ["Ledger", "Service", "TooManyCalls"]

Service = Callable[..., str]
"""A function of the host's that code may call: plain arguments in, text out."""


class TooManyCalls(Exception):
    """The run has called services more than it may; the text says in what way."""


class Ledger:
    """The calls of one run. ``calls`` is the log, in order."""

    def __init__(self, services: Mapping[str, Service], limits: Limits) -> None:
        self._services = services
        self._limits = limits
        self._asked = 0
        self._bytes = 0
        self.calls: list[ServiceCall] = []

    def answer(self, payload: bytes) -> bytes:
        """Do what the call in ``payload`` asks; the reply to send.

        TooManyCalls above the limits; what a service raises, other than CallRefused, comes out.
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
