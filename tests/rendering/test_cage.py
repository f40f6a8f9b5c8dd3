"""The cage's command for bubblewrap of different ages, and what can be seen in it."""

import subprocess
from pathlib import Path

import pytest

from decklab.bubblewrap import bubblewrap, is_available


@pytest.mark.parametrize(("help_text", "bounded"), [("--size BYTES", True), ("--tmpfs", False)])
def test_tmp_is_bounded_where_bubblewrap_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, help_text: str, bounded: bool
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '    {help_text}    of what it can do'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = bubblewrap([])
    assert command[0] == str(program)
    assert ("--size" in command) is bounded
    assert command[command.index("/tmp") - 1] == "--tmpfs"


def test_only_what_programs_need_of_the_system_is_there() -> None:
    if not is_available():
        pytest.skip("bubblewrap cannot be had here")
    look = ["/bin/sh", "-c", "ls -d /* /usr/* /usr/local/* /usr/share/* /etc/*"]
    command = [*bubblewrap([]), "--remount-ro", "/", *look]
    seen = subprocess.check_output(command, text=True).split()
    hidden = "/home /root /opt /srv /var/lib /usr/src /usr/include /usr/local/etc /usr/local/bin"
    assert not set(hidden.split()) & set(seen)
    assert not {"/etc/passwd", "/etc/shadow", "/etc/hosts", "/usr/share/doc"} & set(seen)
    assert {"/usr/bin", "/usr/lib", "/usr/share/fonts"} <= set(seen)
