"""How to install packages is told by a command that works here."""

import sys
from pathlib import Path

import pytest

from decklab.core import lazy


def test_a_checkout_is_named_as_it_is_written_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy, "_checkout", lambda: tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.chdir(tmp_path)
    assert lazy.needs_extra("writing", "write") == (
        "writing needs more packages: .venv/bin/pip install '.[write]'"
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert lazy.needs_extra("writing", "write") == (
        f"writing needs more packages: {tmp_path}/.venv/bin/pip install '{tmp_path}[write]'"
    )


@pytest.mark.parametrize(
    "told", [None, '{"url": "file:///no/where"}', '{"url": "https://x.org/a.whl"}']
)
def test_without_a_checkout_the_name_is_installed(
    told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return told if name == "direct_url.json" else None

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    lazy._checkout.cache_clear()
    assert lazy.needs_extra("writing", "write") == (
        "writing needs more packages: pip install 'decklab[write]'"
    )
    lazy._checkout.cache_clear()
