"""The cage's command for bubblewrap of different ages."""

from pathlib import Path

import pytest

from decklab.render.cage import bubblewrap


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
