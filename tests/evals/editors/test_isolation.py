"""Editors at work in a room: what reaches them, and what of them is believed."""

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from pydantic import BaseModel

import decklab
from decklab.core.errors import ModelFailed, UnknownName
from decklab.core.options import EditLimits, EditorAccess
from decklab.evals.editors.isolation import IsolatedEditor
from decklab.evals.editors.protocol import NEEDS_MODEL, EditSession
from decklab.models.asking import ModelReply, Usage
from decklab.sandbox.host_files import FunctionReference
from decklab.sandbox.limits import SandboxUnavailable

pytestmark = pytest.mark.usefixtures("caged")

EDITORS = """
import json, os, pathlib, socket, subprocess, sys, time
from pydantic import BaseModel
from decklab.evals.editors.protocol import LimitReached, EditSession

class Colour(BaseModel):
    name: str
    strong: bool

def asks(deck, instruction, session: EditSession):
    session.step("look")
    plain = session.ask("how?", images=[b"\\x89PNG"], system="be brief", temperature=0.5)
    reply = session.ask("which colour?", answer=Colour)
    odd = session.ask("odd", answer=Colour)
    told = [plain.text, plain.usage.input_tokens, reply.answer.name, reply.answer.strong,
            odd.answer, odd.problem, session.limits.steps, len(session.steps), session.messages]
    deck.write_text(json.dumps(told))

def tells(deck, instruction):
    deck.write_text(json.dumps({
        "instruction": instruction, "name": deck.name, "here": os.getcwd() == str(deck.parent),
        "variables": sorted(name for name in os.environ if name.startswith("EDITOR_TEST")),
        "files": [pathlib.Path(path).read_text()
                  for path in os.environ.get("DECKLAB_EDITOR_FILES", "").split(os.pathsep) if path],
    }))

def elsewhere(deck, instruction):
    pathlib.Path("other.pptx").write_bytes(b"the other one")
    return "other.pptx"

def swallows(deck, instruction, session):
    while True:
        try:
            session.ask("again?")
        except BaseException as error:
            deck.write_text(type(error).__name__)

def calls(deck, instruction):
    port = int(instruction)
    socket.create_connection(("127.0.0.1", port), 2).close()
    deck.write_text("called")

def sleeps(deck, instruction):
    deck.write_text("before it slept")
    subprocess.Popen(["sleep", "86398.5"], start_new_session=True)
    time.sleep(3600)

class Kept:
    @staticmethod
    def edit(deck, instruction):
        deck.write_text("a method")
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("editors") / "some_editors.py"
    path.write_text(EDITORS)
    return path


@pytest.fixture(scope="module")
def room(file: Path, caged: None) -> Iterator[IsolatedEditor]:
    with IsolatedEditor(FunctionReference.parse(f"{file}:asks")) as made:
        yield made


def named(room: IsolatedEditor, function: str) -> IsolatedEditor:
    room.editor = FunctionReference(room.editor.module, function, room.editor.file)
    return room


def answering(prompt: str, **how: Any) -> ModelReply[Any]:
    assert set(how) == {"images", "system", "temperature", "answer"}
    if prompt == "how?":
        assert (how["images"], how["system"], how["temperature"]) == ([b"\x89PNG"], "be brief", 0.5)
        return ModelReply("so", usage=Usage(7, 8, 0.5), model="some/model")
    schema = how["answer"].model_json_schema()
    assert set(schema["properties"]) == {"name", "strong"} and how["answer"].__name__ == "Colour"
    assert issubclass(how["answer"], BaseModel)
    return ModelReply("nonsense" if prompt == "odd" else '{"name": "red", "strong": true}')


def test_steps_and_questions_reach_the_host(room: IsolatedEditor, deck: Path) -> None:
    session = EditSession(EditLimits(seconds=60, steps=9), answering)
    handed = named(room, "asks").edit(deck, "Do it", session)
    assert handed.ended == ""
    told = json.loads(handed.deck or b"")
    assert told[:5] == ["so", 7, "red", True, None]
    assert "no JSON" in told[5]
    assert told[6:] == [9, 1, 6]
    assert (session.steps, session.messages) == (["look"], 6)


def test_an_editor_sees_no_name_and_no_variable_but_those_given(
    file: Path, deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR_TEST_KEY", "given")
    monkeypatch.setenv("EDITOR_TEST_SECRET", "not given")
    beside, far = file.parent / "prompts.txt", tmp_path / "far.txt"
    beside.write_text("beside the code")
    far.write_text("far from it")
    with IsolatedEditor(
        FunctionReference.parse(f"{file}:tells"),
        access=EditorAccess(
            environment=["EDITOR_TEST_KEY", "EDITOR_TEST_ABSENT"], files=[beside, far]
        ),
    ) as room:  # fmt: skip
        told = json.loads(room.edit(deck, "Do it", EditSession()).deck or b"")
    assert told == {
        "instruction": "Do it", "name": "deck.pptx", "here": True,
        "variables": ["EDITOR_TEST_KEY"], "files": ["beside the code", "far from it"],
    }  # fmt: skip


def test_another_file_may_be_handed_in(room: IsolatedEditor, deck: Path) -> None:
    assert named(room, "elsewhere").edit(deck, "", EditSession()).deck == b"the other one"
    assert named(room, "Kept.edit").edit(deck, "", EditSession()).deck == b"a method"


def test_a_limit_ends_an_editor_whatever_it_catches(room: IsolatedEditor, deck: Path) -> None:
    session = EditSession(EditLimits(seconds=60, messages=4), lambda *_, **__: ModelReply("yes"))
    handed = named(room, "swallows").edit(deck, "", session)
    assert handed.ended == "more than 4 messages"
    assert (handed.deck or b"")[:2] == b"PK"


def test_a_model_that_is_down_is_no_fault_and_one_question_that_fails_is(
    room: IsolatedEditor, deck: Path
) -> None:
    def down(prompt: str, **how: Any) -> ModelReply[Any]:
        raise ModelFailed("some/model", "is down")

    def picky(prompt: str, **how: Any) -> ModelReply[Any]:
        return down(prompt) if prompt == "again?" else ModelReply("yes")

    with pytest.raises(ModelFailed):
        named(room, "swallows").edit(deck, "", EditSession(model=down))
    handed = named(room, "swallows").edit(deck, "", EditSession(model=picky))
    assert handed.ended.startswith("the model did not take a question")
    assert named(room, "swallows").edit(deck, "", EditSession()).ended == NEEDS_MODEL


@pytest.mark.long
def test_the_network_is_there_only_where_it_was_asked_for(file: Path, deck: Path) -> None:
    editor = FunctionReference.parse(f"{file}:calls")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with IsolatedEditor(editor) as room:
            assert "ConnectionRefused" in room.edit(deck, port, EditSession()).ended
        with IsolatedEditor(editor, access=EditorAccess(network=True)) as room:
            assert room.edit(deck, port, EditSession()).deck == b"called"


@pytest.mark.long
@pytest.mark.parametrize("trust", [False, True])
def test_time_that_is_over_ends_all_processes_and_the_deck_counts(
    file: Path, deck: Path, trust: bool
) -> None:
    reference = FunctionReference.parse(f"{file}:sleeps")
    with IsolatedEditor(reference, access=EditorAccess(trust)) as room:
        started = time.monotonic()
        handed = room.edit(deck, "", EditSession(EditLimits(seconds=2)))
        assert (handed.ended, handed.deck) == ("more than 2 s", b"before it slept")
        assert time.monotonic() - started < 30
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert not [command for command in commands if "86398.5" in command]


def test_without_walls_it_sees_what_the_user_does_and_that_is_told(
    file: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR_TEST_SECRET", "not given")
    reference = FunctionReference.parse(f"{file}:tells")
    with IsolatedEditor(reference, access=EditorAccess(trust=True)) as room:
        told = json.loads(room.edit(deck, "Do it", EditSession()).deck or b"")
        assert room.facts["isolation"] == "process" and room.facts["network"]
    assert told["variables"] == ["EDITOR_TEST_SECRET"]


def test_what_is_hidden_is_empty_also_within_the_code(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "an_agent"
    for name in ("rubrics/a.json", "results/x.txt", "prompts/p.txt"):
        (package / name).parent.mkdir(parents=True)
        (package / name).write_text("text")
    (package / "list.json").write_text("text")
    (package / "__init__.py").write_text(
        "import pathlib\n"
        "def edit(deck, instruction):\n"
        "    told = []\n"
        "    for path in sorted(pathlib.Path(__file__).parent.rglob('*.*')):\n"
        "        try:\n"
        "            told.append([path.name, path.read_text()])\n"
        "        except OSError as error:\n"
        "            told.append([path.name, 'not to be read'])\n"
        "    deck.write_text(__import__('json').dumps(told[1:]))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    hidden = [package / "rubrics", package / "results/x.txt", package / "list.json"]
    with IsolatedEditor(FunctionReference.parse("an_agent:edit"), hidden=hidden) as room:
        told = json.loads(room.edit(deck, "", EditSession()).deck or b"")
    assert [[name, text if text == "text" else ""] for name, text in told] == [
        ["list.json", ""], ["p.txt", "text"], ["x.txt", ""],
    ]  # fmt: skip


@pytest.mark.long
def test_what_is_wrong_with_an_editor_shows_before_any_task(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_editor.py").write_text("import no_such_library_at_all")
    for name, said in ((f"{file}:nosuch", "nosuch"), (f"{file}:json.nosuch", "nosuch"),
                       (f"{tmp_path}/broken_editor.py:edit", "no_such_library_at_all"),
                       (f"{file}:EDITORS", "EDITORS")):  # fmt: skip
        with (
            pytest.raises(UnknownName, match=said),
            IsolatedEditor(FunctionReference.parse(name)) as room,
        ):
            room.check()
    assert "broken_editor" not in sys.modules and "some_editors" not in sys.modules
    assert os.environ.get("DECKLAB_EDITOR_FILES") is None


def test_without_bubblewrap_it_says_so_and_nothing_is_run(
    file: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with (
        IsolatedEditor(FunctionReference.parse(f"{file}:tells")) as room,
        pytest.raises(SandboxUnavailable, match=r"bwrap is not installed.*--trust-editor"),
    ):
        room.check()
    reference = FunctionReference.parse(f"{file}:tells")
    with IsolatedEditor(reference, access=EditorAccess(trust=True)) as room:
        assert (
            json.loads(room.edit(deck, "Do it", EditSession()).deck or b"")["name"] == "deck.pptx"
        )


def test_the_answers_of_decklab_are_hidden_from_every_editor() -> None:
    own = Path(decklab.__file__).parent
    hidden = IsolatedEditor(FunctionReference("json", "loads"))._host_files().hidden
    assert {path.relative_to(own).as_posix() for path in hidden if path.is_relative_to(own)} == {
        "evals/ppteval/data", "evals/pptarena/data",
    }  # fmt: skip
    assert all(path.is_dir() for path in hidden if path.is_relative_to(own))
    assert own.parents[1] / "generate" in hidden
