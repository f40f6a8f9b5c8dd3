"""A server by HTTP: where it listens, which requests it takes, and the token that clients send."""

import hmac
import ipaddress
import socket
import sys
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from decklab.errors import Unavailable
from decklab.options import HttpAddress

SHORTEST_TOKEN = 16
"""Characters that a token has at least (ours)."""
_PATH = "/mcp"


def serve_by_http(server: MCPServer[Any], listener: socket.socket, address: HttpAddress) -> None:
    """Serve on a socket of ``listening`` until a signal ends the process; the address is written to
    standard error."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"decklab: serving http://{shown}:{port}{_PATH}", file=sys.stderr, flush=True)  # noqa: T201
    app = server.streamable_http_app(
        streamable_http_path=_PATH, transport_security=_security(address, port), host=address.host
    )
    config = uvicorn.Config(
        with_token(app, address.token),
        log_level="warning", access_log=False, timeout_graceful_shutdown=2,
    )  # fmt: skip
    anyio.run(partial(uvicorn.Server(config).serve, sockets=[listener]))


def check_address(address: HttpAddress) -> None:
    """Raise Unavailable for a host beside the loopback without a token, or a short token."""
    if address.token and len(address.token) < SHORTEST_TOKEN:
        raise Unavailable(f"a token has at least {SHORTEST_TOKEN} characters")
    if not address.token and not _is_loopback(address.host):
        raise Unavailable(
            f"{address.host} can be reached from other machines: give a token (--token-file FILE "
            "or DECKLAB_MCP_TOKEN), or leave out --host"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening(address: HttpAddress) -> socket.socket:
    """A socket at an address; raises Unavailable where it is taken or needs a token."""
    check_address(address)
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except (OSError, OverflowError) as error:
        detail = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable(f"{address.host}:{address.port} cannot be had: {detail}") from error


def _security(address: HttpAddress, port: int) -> TransportSecuritySettings:
    """What a request may name as host and as origin: other sites' pages are refused."""
    names = {address.host, *address.names}
    if _is_loopback(address.host):
        names |= {"127.0.0.1", "localhost", "::1"}
    spelled = sorted(f"[{name}]" if ":" in name else name for name in names)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in spelled],
        allowed_origins=[f"http://{name}:{port}" for name in spelled],
    )


def with_token(app: ASGIApp, token: str) -> ASGIApp:
    """An application that answers 401 to requests without the token; ``app`` itself for none."""
    if not token:
        return app
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, wanted):
                refused = JSONResponse(
                    {"error": "a token is needed: Authorization: Bearer TOKEN"}, 401,
                    {"WWW-Authenticate": "Bearer"},
                )  # fmt: skip
                await refused(scope, receive, send)
                return
        await app(scope, receive, send)

    return guarded
