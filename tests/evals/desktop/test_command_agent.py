"""Installed programs as agents: what they get, what they leave, and how they end."""

import json
import shutil
import socket
import sys
from pathlib import Path

import pytest
from pptx import Presentation
from tests.evals.desktop.fake_screen import title_of

from decklab.core.errors import UnknownName
from decklab.core.options import EditLimits, EditorAccess
from decklab.evals.desktop.command_agent import (
    OUTPUT_BYTES,
    CommandAgent,
    command_preset,
    command_presets,
    place_inside,
    program_files,
)
from decklab.evals.desktop.trajectory_page import write_output_page

TOOL = Path(__file__).with_name("editing_tool.py")
COMMAND = f"/usr/bin/python3 {TOOL} {{deck}} {{instruction}}"

pytestmark = pytest.mark.usefixtures("caged")


@pytest.fixture
def deck(tmp_path):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Old title"
    presentation.save(tmp_path / "secret name.pptx")
    return tmp_path / "secret name.pptx"


def left(run, folder):
    (folder / "left.pptx").write_bytes(run.deck)
    return title_of(folder / "left.pptx")


def test_a_program_edits_a_copy_and_the_copy_counts(deck, tmp_path):
    before = deck.read_bytes()
    agent = CommandAgent(COMMAND)
    run = agent.run(deck, "rename It's “new” $HOME; rm -rf /", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.message, run.status) == ("finished", "done", 0)
    assert left(run, tmp_path) == "It's “new” $HOME; rm -rf /"  # no shell saw it
    assert deck.read_bytes() == before
    assert (tmp_path / "run/stdout.txt").read_text().endswith("done\n")
    told = json.loads((tmp_path / "run/run.json").read_text())
    assert (told["command"], told["network"], told["status"]) == (COMMAND, False, 0)
    assert json.loads((tmp_path / "run/end.json").read_text())["ended"] == "finished"


@pytest.mark.long
def test_a_program_may_write_another_deck(deck, tmp_path):
    run = CommandAgent(f"{COMMAND} {{out}}").run(deck, "rename Elsewhere")
    assert left(run, tmp_path) == "Elsewhere"
    assert CommandAgent(f"{COMMAND} {{out}}").run(deck, "nothing").deck is None


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("way", "ended", "detail"),
    [
        ("fail", "agent failed", "it ended with status 3: something went wrong"),
        ("crash", "agent failed", "it ended with signal 6"),
        ("spawn", "finished", ""),
    ],
)
def test_endings_are_told_apart_and_the_deck_counts(deck, tmp_path, way, ended, detail):
    run = CommandAgent(COMMAND).run(deck, way)
    assert (run.end.ended, run.end.detail) == (ended, detail)
    assert left(run, tmp_path) == "Old title"
    assert run.end.seconds < 20


@pytest.mark.long
def test_time_and_memory_are_bounded(deck, tmp_path):
    run = CommandAgent(COMMAND, limits=EditLimits(seconds=1.5)).run(deck, "sleep")
    assert (run.end.ended, run.status) == ("time", None)
    assert "asked: sleep" in run.stdout  # what was printed before is there
    assert left(run, tmp_path) == "Old title"
    run = CommandAgent(COMMAND, memory=200 * 2**20).run(deck, "eat")
    assert run.end.ended == "agent failed"


def test_much_output_is_cut_in_the_middle(deck):
    run = CommandAgent(COMMAND).run(deck, "flood")
    assert run.end.ended == "finished"
    assert len(run.stdout.encode()) < OUTPUT_BYTES + 100
    assert run.stdout.startswith("asked: flood\nline 0\n")
    assert run.stdout.endswith("line 399999\ndone\n")
    written = 4_688_890 + len("asked: flood\ndone\n")  # the digits of 0 to 399,999 and "line \n"
    assert f"[{run.dropped[0]} bytes are left out here]" in run.stdout
    note = len(f"\n[{run.dropped[0]} bytes are left out here]\n")
    assert len(run.stdout.encode()) - note + run.dropped[0] == written


def test_a_deck_that_is_gone_is_told(deck):
    run = CommandAgent(COMMAND).run(deck, "remove")
    assert (run.end.ended, run.deck) == ("finished", None)


@pytest.mark.long
def test_it_sees_what_is_named_and_nothing_else(deck, tmp_path, monkeypatch):
    monkeypatch.setenv("OPEN_KEY", "1")
    monkeypatch.setenv("SECRET_KEY", "2")
    (tmp_path / "notes.txt").write_text("x")
    bare = CommandAgent(COMMAND).run(deck, f"look {tmp_path / 'notes.txt'}").stdout
    assert "KEY" not in bare
    assert "False" in bare
    assert "secret name" not in bare
    access = EditorAccess(environment=["OPEN_KEY"], files=[tmp_path / "notes.txt"])
    place = place_inside(tmp_path / "notes.txt")
    shown = CommandAgent(COMMAND, access).run(deck, f"look {place}").stdout
    assert "OPEN_KEY" in shown
    assert "SECRET_KEY" not in shown
    assert "True" in shown


@pytest.mark.long
def test_it_has_the_network_only_where_that_is_said(deck):
    with socket.create_server(("127.0.0.1", 0)) as server:
        asked = f"call {server.getsockname()[1]}"
        assert CommandAgent(COMMAND).run(deck, asked).end.ended == "agent failed"
        access = EditorAccess(network=True)
        assert CommandAgent(COMMAND, access).run(deck, asked).end.ended == "finished"


def test_a_trusted_program_runs_without_walls(deck, tmp_path):
    agent = CommandAgent(f"{sys.executable} {TOOL} {{deck}} {{instruction}}",
                         EditorAccess(trust=True))  # fmt: skip
    run = agent.run(deck, "rename Trusted")
    assert left(run, tmp_path) == "Trusted"
    assert agent.facts["isolation"] == "process"


@pytest.mark.long
def test_a_program_in_a_virtual_environment_is_found(deck, tmp_path):
    bin_ = tmp_path / "venv/bin"
    bin_.mkdir(parents=True)
    (tmp_path / "venv/pyvenv.cfg").write_text("home = /usr/bin\n")
    (bin_ / "python").symlink_to("/usr/bin/python3")
    shutil.copy(TOOL, bin_ / "tool")
    (bin_ / "tool").write_text(f"#!/usr/bin/env python3\n{TOOL.read_text()}")
    (bin_ / "tool").chmod(0o755)
    (tmp_path / "link").symlink_to(bin_ / "tool")
    assert tmp_path / "venv" in program_files(tmp_path / "link")
    agent = CommandAgent(f"{tmp_path / 'link'} {{deck}} {{instruction}}")
    agent.check()
    assert left(agent.run(deck, "rename Linked"), tmp_path) == "Linked"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("tool {deck}", "has to name {instruction}"),
        ("", "has to name {deck} and {instruction}"),
        ("tool {dek} {instruction}", "did you mean {deck}?"),
        ("tool {deck} {instruction} {home}", "there are {deck}, {instruction} and {out}"),
        ("tool '{deck} {instruction}", "No closing quotation"),
    ],
)
def test_commands_that_cannot_be_are_told_at_once(command, told):
    with pytest.raises(ValueError, match=told.replace("{", r"\{").replace("?", r"\?")):
        CommandAgent(command)


@pytest.mark.long
def test_a_program_that_is_not_there_is_told_before_the_run(deck):
    agent = CommandAgent("no-such-agent {deck} {instruction}")
    with pytest.raises(UnknownName, match="no program 'no-such-agent'"):
        agent.check()
    run = agent.run(deck, "x")
    assert run.end.ended == "agent failed"
    assert "cannot be started" in run.end.detail


def test_presets_are_commands_that_can_be_run():
    for preset in command_presets().values():
        agent = CommandAgent(preset.command, preset.access)
        assert preset.tried == ""  # none of them can be had here
        assert agent.facts["network"]
        assert agent.facts["environment"]
    with pytest.raises(UnknownName, match="there are claude-code, codex, gemini-cli"):
        command_preset("codecs")


def test_the_words_of_a_preset_reach_the_program_as_one(deck, tmp_path):
    tool = tmp_path / "codex"
    tool.write_text("#!/usr/bin/env python3\nimport sys\nprint(sys.argv[-1])\n")
    tool.chmod(0o755)
    command = command_preset("codex").command.replace("codex", str(tool), 1)
    run = CommandAgent(command).run(deck, 'Call it "New" & bold')
    assert run.stdout.startswith("The file deck.pptx in this folder is a PowerPoint deck.")
    assert run.stdout.endswith('What is asked: Call it "New" & bold\n')


def test_what_was_printed_is_a_page(deck, tmp_path):
    CommandAgent(COMMAND).run(deck, "fail <b>", trajectory=tmp_path / "run")
    write_output_page(tmp_path / "run", tmp_path / "page.html", back="index.html")
    page = (tmp_path / "page.html").read_text()
    assert "asked: fail &lt;b&gt;\n" in page
    assert "it ended with status 3: something went wrong" in page
    assert "nothing besides the deck" in page
