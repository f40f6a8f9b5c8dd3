"""Where a server of ours listens: on the loopback by default, elsewhere only with a token."""

import ipaddress
import socket
from typing import Final

from decklab.core.errors import Unavailable
from decklab.core.options import HttpAddress

SHORTEST_TOKEN: Final = 16
"""Characters of a token at least (ours): what can be guessed is none."""
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def check_address(address: HttpAddress, how: str) -> None:
    """Raise Unavailable for a host beside the loopback without a token, or for a short token.

    ``how`` says to people how they give one.
    """
    if address.token and len(address.token) < SHORTEST_TOKEN:
        raise Unavailable(f"a token has at least {SHORTEST_TOKEN} characters")
    if not address.token and not is_loopback(address.host):
        raise Unavailable(
            f"{address.host} can be reached from other machines: give a token ({how}), or leave "
            "out --host"
        )


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening_socket(address: HttpAddress, how: str) -> socket.socket:
    """A socket that listens; raises Unavailable where it is taken or needs a token.

    ``how`` is as for ``check_address``.
    """
    check_address(address, how)
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except (OSError, OverflowError) as error:
        detail = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable(f"{address.host}:{address.port} cannot be had: {detail}") from error


def host_names(address: HttpAddress, port: int) -> list[str]:
    """The ``Host`` values that requests may have, sorted.

    >>> host_names(HttpAddress("127.0.0.1"), 8000)
    ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000']
    """
    names = {address.host, *address.names}
    if is_loopback(address.host):
        names |= set(_LOOPBACK)
    return sorted(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)
