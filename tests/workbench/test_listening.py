"""The names by which a server may be called."""

import socket

import psutil
import pytest

from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, names_told

TOKEN = "0123456789abcdef0123"


def test_a_server_on_all_interfaces_has_the_machine_s_name_and_addresses() -> None:
    names = host_names(HttpAddress("0.0.0.0", token=TOKEN), 8321)
    assert f"{socket.gethostname().lower()}:8321" in names
    for addresses in psutil.net_if_addrs().values():
        for one in addresses:
            if one.family == socket.AF_INET:
                assert f"{one.address}:8321" in names
    assert "127.0.0.1:8321" in names
    assert "evil.example:8321" not in names


def test_a_server_on_one_interface_has_its_names_only() -> None:
    address = HttpAddress("10.1.2.3", token=TOKEN, names=("decks.example",))
    assert host_names(address, 80) == ["10.1.2.3:80", "decks.example:80"]
    assert names_told(address, 80) == (
        "it answers to 10.1.2.3:80, decks.example:80; add others with --host-name NAME"
    )


def test_the_line_at_the_start_names_what_others_can_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Mill.example.org")
    monkeypatch.setattr(socket, "getfqdn", lambda: "mill.example.org")
    monkeypatch.setattr(psutil, "net_if_addrs", dict)
    told = names_told(HttpAddress("0.0.0.0", token=TOKEN, names=("decks",)), 8321)
    assert told == (
        "it answers to decks:8321, mill.example.org:8321, mill:8321; add others with "
        "--host-name NAME"
    )
