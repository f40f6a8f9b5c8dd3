"""Where a server of ours listens: on the loopback by default, elsewhere only with a token."""

import ipaddress
import socket
from typing import Final

import psutil

from decklab.core.errors import Unavailable
from decklab.core.options import HttpAddress

SHORTEST_TOKEN: Final = 16
"""Characters of a token at least (ours): a shorter one can be guessed."""
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
    """A socket that listens; raises Unavailable if it is taken or needs a token.

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

    For a host that means all interfaces, such as ``0.0.0.0``, these are this machine's own name and
    its addresses. Of names that others gave it only ``address.names`` are known.

    >>> host_names(HttpAddress("127.0.0.1"), 8000)
    ['127.0.0.1:8000', '[::1]:8000', 'localhost:8000']
    """
    names = {address.host, *address.names}
    if is_everywhere(address.host):
        names |= _own_names()
    if is_everywhere(address.host) or is_loopback(address.host):
        names |= set(_LOOPBACK)
    return sorted(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)


def names_told(address: HttpAddress, port: int) -> str:
    """A line on the names by which other machines reach a server, and on how to add one."""
    unnamed = [address.host] if is_everywhere(address.host) else []
    local = tuple(f"[{name}]:" if ":" in name else f"{name}:" for name in (*_LOOPBACK, *unnamed))
    names = [name for name in host_names(address, port) if not name.startswith(local)]
    return f"it answers to {', '.join(names)}; add others with --host-name NAME"


def is_everywhere(host: str) -> bool:
    """Whether a host stands for all interfaces of this machine.

    >>> is_everywhere("0.0.0.0"), is_everywhere("::"), is_everywhere("decks.example")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _own_names() -> set[str]:
    """This machine's name, short and with its domain, and the addresses of its interfaces."""
    name = socket.gethostname()
    names = [
        address.address
        for addresses in psutil.net_if_addrs().values()
        for address in addresses
        if address.family in (socket.AF_INET, socket.AF_INET6) and "%" not in address.address
    ]
    return {name.lower(), name.partition(".")[0].lower(), socket.getfqdn().lower(), *names}
