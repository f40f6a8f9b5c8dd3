"""Edits of a deck in place, and what becomes of them when one is taken back."""

import shutil
from pathlib import Path

import pytest
from pptx import Presentation
from tests.editor.test_model_editor import samples  # noqa: F401 - fixture
from typer.testing import CliRunner

from decklab.cli import decks as commands
from decklab.editor.chat import EditChat, NothingToUndo, Undone, chat_copy, undo_edit
from decklab.editor.edit import edit
from decklab.editor.result import EditHistory, EditResult


@pytest.fixture
def talk(
    samples: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    monkeypatch.setattr("decklab.rendering.renderer.Renderer.can_draw", False)
    return Path(shutil.copy(samples / "plain.pptx", tmp_path / "talk.pptx"))


def titles(deck: Path) -> list[str]:
    shapes = [slide.shapes.title for slide in Presentation(str(deck)).slides]
    return [shape.text_frame.text for shape in shapes if shape is not None]


def test_a_deck_that_nobody_edited_has_no_history(talk: Path) -> None:
    assert EditHistory(talk).edits == ()
    with pytest.raises(NothingToUndo, match=r"no edit of .* is left to take back"):
        undo_edit(EditHistory(talk))
    assert list(talk.parent.iterdir()) == [talk]


def test_the_last_edit_is_taken_back_byte_for_byte(talk: Path) -> None:
    before = talk.read_bytes()
    result = edit(talk, "delete slide 2", in_place=True)
    assert result.output == talk and talk.read_bytes() != before
    undone = undo_edit(EditHistory(talk))
    assert talk.read_bytes() == before
    assert undone.gone == result.sentences and undone.left == ()
    with pytest.raises(NothingToUndo):
        undo_edit(EditHistory(talk))
    assert not list(talk.parent.glob("*.bak"))


@pytest.mark.long
def test_an_edit_between_others_is_taken_back_and_they_stay(talk: Path) -> None:
    old = titles(talk)
    for number in (1, 2, 3):
        edit(talk, f"set the title of slide {number} to 'New {number}'", in_place=True)
    undone = undo_edit(EditHistory(talk), 2)
    assert undone.edit.request == "set the title of slide 2 to 'New 2'"
    assert titles(talk) == ["New 1", old[1], "New 3", *old[3:]]
    assert [kept.number for kept in EditHistory(talk).standing] == [1, 3]
    with pytest.raises(NothingToUndo, match=r"edit 2 of .* cannot be taken back; 1, 3 can"):
        undo_edit(EditHistory(talk), 2)


@pytest.mark.long
def test_an_edit_of_the_deck_by_another_program_stays(talk: Path) -> None:
    edit(talk, "set the title of slide 2 to 'New'", in_place=True)
    prs = Presentation(str(talk))
    shape = prs.slides[2].shapes.title
    assert shape is not None
    shape.text_frame.text = "By hand"
    prs.save(str(talk))
    undo_edit(EditHistory(talk))
    assert titles(talk)[2] == "By hand"
    assert "New" not in titles(talk)


def test_a_refused_request_and_a_dry_run_leave_no_trace(talk: Path) -> None:
    before = talk.read_bytes()
    assert edit(talk, "be nicer", in_place=True).outcome == "refused"
    assert edit(talk, "delete slide 2", in_place=True, dry_run=True).outcome == "done"
    assert talk.read_bytes() == before
    assert EditHistory(talk).edits == ()


def test_a_line_that_was_cut_off_is_left_out(talk: Path) -> None:
    edit(talk, "hide slide 2", in_place=True)
    with (EditHistory(talk).folder / "edits.jsonl").open("a") as file:
        file.write('{"number": 2, "req')
    assert [kept.request for kept in EditHistory(talk).edits] == ["hide slide 2"]


def test_a_chat_works_on_a_copy_and_takes_back(talk: Path) -> None:
    before = talk.read_bytes()
    chat = EditChat(chat_copy(talk, None))
    assert chat.deck == talk.with_name("talk.edited.pptx")
    first = chat.ask("set the title of slide 1 to 'One'")
    assert isinstance(first, EditResult) and first.outcome == "done"
    chat.ask("set the title of slide 2 to 'Two'")
    undone = chat.ask("Undo")
    assert isinstance(undone, Undone)
    assert titles(chat.deck)[0] == "One" and "Two" not in titles(chat.deck)
    assert talk.read_bytes() == before


@pytest.mark.long
def test_the_commands_list_and_take_back(talk: Path) -> None:
    def run(*words: object) -> str:
        ended = CliRunner().invoke(commands.app, [str(word) for word in words])
        assert ended.exit_code == 0, ended.output
        return ended.stdout

    assert run("history", talk) == f"No edit of {talk} in place is known.\n"
    edit(talk, "hide slide 2", in_place=True)
    edit(talk, "delete slide 5", in_place=True)
    assert "Took back: hide slide 2" in run("undo", talk, 1)
    listed = run("history", talk).splitlines()
    heads = [line for line in listed if not line.startswith(" ")]
    assert heads == ["1. hide slide 2 (taken back)", "2. delete slide 5", "3. undo 1"]
    assert '"stands": true' in run("history", talk, "--json")
