"""A server by HTTP: where it listens, which requests it takes, and the token that clients send."""

import hmac
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

from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, is_loopback, names_told

TOKEN_OPTION = "--token-file FILE or DECKLAB_MCP_TOKEN"
"""How people give a token."""
_PATH = "/mcp"


def serve_by_http(server: MCPServer[Any], listener: socket.socket, address: HttpAddress) -> None:
    """Serve on a socket of ``listening_socket`` until a signal ends the process.

    The address is written to standard error.
    """
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"decklab: serving http://{shown}:{port}{_PATH}", file=sys.stderr, flush=True)  # noqa: T201
    if not is_loopback(address.host):
        print(f"decklab: {names_told(address, port)}", file=sys.stderr, flush=True)  # noqa: T201
    app = server.streamable_http_app(
        streamable_http_path=_PATH, transport_security=_security(address, port), host=address.host
    )
    config = uvicorn.Config(
        with_token(app, address.token),
        log_level="warning", access_log=False, timeout_graceful_shutdown=2,
    )  # fmt: skip
    anyio.run(partial(uvicorn.Server(config).serve, sockets=[listener]))


def _security(address: HttpAddress, port: int) -> TransportSecuritySettings:
    """What a request may name as host and as origin: other sites' pages are refused."""
    names = host_names(address, port)
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
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
