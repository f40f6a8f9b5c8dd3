"""The walk over all commands has each of them, and sees what goes wrong."""

from pathlib import Path

import pytest
from bench.commands_walk import BEFORE, CASES, Room, flawed, lines, same, stopped
from tests.cli.test_ending import NETWORK
from tests.commands import commands
from tests.openai_server import OpenAIServer

NOWHERE = OpenAIServer("http://127.0.0.1:9", [])


def test_every_command_is_walked() -> None:
    every = {name for name, _ in commands()}
    served = {"serve", "mcp"}
    assert {name for name, _ in stopped(NOWHERE)} == every - NETWORK
    assert {name for name, _ in lines()} == every - NETWORK - served
    assert set(BEFORE) < {name for name, _ in flawed("part twice", NOWHERE)}
    assert len(list(same(NOWHERE))) > 30 and len(CASES) == 5


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    # What is below this process is the tests'.
    monkeypatch.setattr("bench.commands_walk.left_processes", lambda: ([], 0.0))
    return Room(tmp_path, NOWHERE).filled()


def test_a_refusal_changes_nothing(room: Room) -> None:
    deck = room.places["DECK"]
    step = room.looked("diff", "input", room.started("diff DECK OTHER --html OUT", deck))
    assert (step.code, step.files, step.faults) == (2, (), ())
    assert str(deck) in step.said


def test_changed_inputs_and_broken_outputs_are_faults(room: Room) -> None:
    process = room.started("validate DECK", Path("out"))
    (room.folder / room.places["TEXT"]).write_bytes(b"")
    (room.folder / "new.json").write_bytes(b"{")
    (room.folder / ".new.part").write_bytes(b"")
    step = room.looked("validate", "exists", process)
    assert sorted(step.files) == ["+.new.part", "+new.json", "changed report.md"]
    assert len(step.faults) == 3 and step.faults[0] == "report.md changed"
