"""Protection of the workbench from the network: hosts, origins, tokens, sizes and headers.

A page of another site must not be able to use a workbench that is open in the same browser, nor may
a name that was turned to the loopback ("DNS rebinding").
"""

import asyncio
import hmac
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "decklab_token"
OWN_HEADER: Final = b"x-decklab"
"""A header that a page of another site cannot send without being asked for permission."""
UPLOADS: Final = re.compile(
    r"(/api)?/decks|/api/documents|/write|/api/drafts|/rank/[0-9a-f]{32}/decks"
)
SMALL_BODY: Final = 2**20
"""Bytes of a request that is no upload (ours)."""
SLOWEST: Final = 16 * 2**10
"""Bytes a second of the slowest upload, so that nobody holds a connection for ever (ours)."""
OPEN_PATHS: Final = ("/static/", "/rank/link/", "/rank/own")
"""Beginnings of paths that need no token: their pages show nothing without an annotator's link.

A page below ``/rank/own`` looks at the annotator's own cookie, and gives that study alone."""
_NOT_OURS: Final = (
    "This is not a name of this workbench. The line at its start lists its names; whoever runs it "
    "adds one with --host-name NAME.\n"
)
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; frame-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # "no-referrer" would hide the origin of our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Access:
    """Who may use the workbench, and how much a request may send."""

    hosts: frozenset[str]
    """Names with ports that requests may call it, lower case."""
    token: str = ""
    """Token that people have to know; empty for none, which only the loopback may have."""
    upload_bytes: int = 300 * 2**20
    """The largest upload (ours: decks with videos are larger, and are refused with a line)."""
    patience: float = 30.0
    """Seconds that a body may take besides its bytes at the slowest pace (ours)."""
    uploads: re.Pattern[str] = UPLOADS
    """Paths that take uploads."""


class Protected:
    """An application behind the checks."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse requests that may not come in, bound others, and add headers to responses."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        answer = self._answer(scope)
        if answer is not None:
            await answer(scope, receive, _with_headers(send))
            return
        most = (
            self.access.upload_bytes if self.access.uploads.fullmatch(scope["path"]) else SMALL_BODY
        )
        await self._bounded(scope, receive, _with_headers(send), most)

    def _answer(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        """The answer to a request that does not reach the application."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        if headers.get(b"host", b"").decode("latin-1").lower() not in self.access.hosts:
            return PlainTextResponse(_NOT_OURS, 421)
        if scope["method"] not in _SAFE and not _own(headers):
            return PlainTextResponse("The request came from another site.\n", 403)
        if not self.access.token:
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and _same(given, self.access.token):
            return _entered(scope["path"], given)
        if scope["path"].startswith(OPEN_PATHS):
            return None
        if not _same(_token_of(headers), self.access.token):
            return PlainTextResponse(
                "Open the address that the server printed, with ?token=.\n", 401
            )
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        """Run the application on a body of ``most`` bytes; a larger one is 413, a slow one 408."""
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > most:
            await _too_large(most)(scope, receive, send)
            return
        body = _Body(receive, most, self.access.patience)
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            if body.refusal and not begun:  # what the application says of its broken body
                return
            begun = True
            await send(message)

        with suppress(_BodyRefused):
            await self.app(scope, body.next, noted)
        if body.refusal and not begun:
            await body.refusal(scope, receive, send)


class _BodyRefused(Exception):
    pass


class _Body:
    """A body as it comes in: of ``most`` bytes, and not slower than ``SLOWEST`` in the long run."""

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self._receive, self._most = receive, most
        self._until = time.monotonic() + patience
        self._taken = 0
        self._more = True
        self.refusal: PlainTextResponse | None = None

    async def next(self) -> Message:
        """The next piece; messages after the body may take their time."""
        if not self._more:
            return await self._receive()
        left = self._until + self._taken / SLOWEST - time.monotonic()
        try:
            async with asyncio.timeout(max(left, 0)):
                message = await self._receive()
        except TimeoutError:
            self.refusal = PlainTextResponse(
                "The request came too slowly.\n", 408, {"connection": "close"}
            )
            raise _BodyRefused from None
        self._taken += len(message.get("body", b""))
        self._more = bool(message.get("more_body"))
        if self._taken > self._most:
            self.refusal = _too_large(self._most)
            raise _BodyRefused
        return message


def _too_large(most: int) -> PlainTextResponse:
    return PlainTextResponse(f"More than {most // 2**20} MB are not taken.\n", 413)


def _own(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a request that changes something comes from our own page, or from a program."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    if origin:
        return urlsplit(origin).netloc.lower() == headers[b"host"].decode("latin-1").lower()
    site = headers.get(b"sec-fetch-site", b"")
    return site == b"same-origin" or (not site and OWN_HEADER in headers)


def _token_of(headers: Mapping[bytes, bytes]) -> str:
    bearer = headers.get(b"authorization", b"").decode("latin-1")
    if bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ").strip()
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _entered(path: str, token: str) -> RedirectResponse:
    """To the same page without the token in its address, which histories keep."""
    answer = RedirectResponse("/" + path.lstrip("/\\"), 303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return answer


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((name.encode(), value.encode()) for name, value in HEADERS.items()
                  if name.encode() not in there),
            ]  # fmt: skip
        await send(message)

    return sent
