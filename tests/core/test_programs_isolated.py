"""Commands for bubblewrap of different ages, and what a program sees under them."""

import subprocess
from pathlib import Path

import pytest

from decklab.core.programs import bubblewrap_command, hide, is_available, read_only, system_mounts


@pytest.mark.parametrize(("help_text", "bounded"), [("--size BYTES", True), ("--tmpfs", False)])
def test_tmp_is_bounded_where_bubblewrap_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, help_text: str, bounded: bool
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '    {help_text}    of what it can do'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = bubblewrap_command(["/bin/true"], system_mounts([]))
    assert command[0] == str(program)
    assert ("--size" in command) is bounded
    assert command[command.index("/tmp") - 1] == "--tmpfs"


def test_only_what_programs_need_of_the_system_is_there() -> None:
    if not is_available():
        pytest.skip("bubblewrap cannot be had here")
    look = ["/bin/sh", "-c", "ls -d /* /usr/* /usr/local/* /usr/share/* /etc/*"]
    command = bubblewrap_command(look, system_mounts([]))
    seen = subprocess.check_output(command, text=True).split()
    hidden = "/home /root /opt /srv /var/lib /usr/src /usr/include /usr/local/etc /usr/local/bin"
    assert not set(hidden.split()) & set(seen)
    assert not {"/etc/passwd", "/etc/shadow", "/etc/hosts", "/usr/share/doc"} & set(seen)
    assert {"/usr/bin", "/usr/lib", "/usr/share/fonts"} <= set(seen)


def test_what_is_hidden_is_empty_wherever_it_is_shown(tmp_path: Path) -> None:
    if not is_available():
        pytest.skip("bubblewrap cannot be had here")
    (tmp_path / "secret").mkdir()
    for name in ("secret/truth.txt", "open.txt", "answer.txt"):
        (tmp_path / name).write_text("told")
    shown = [(tmp_path, "/one"), (tmp_path / "secret", "/two")]
    mounts = system_mounts([])
    for source, place in shown:
        mounts += read_only(source, place)
    mounts += hide([tmp_path / "secret", tmp_path / "answer.txt", Path("/nowhere")], shown)
    look = ["/bin/sh", "-c", "ls -A /one/secret /two; cat /one/open.txt /one/answer.txt || true"]
    seen = subprocess.check_output(bubblewrap_command(look, mounts), text=True)
    assert seen.split() == ["/one/secret:", "/two:", "told"]
