from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from decklab.core.files import NameTaken
from decklab.core.stages import Stages
from decklab.editor.result import EditAttempt, EditOutput, EditResult


def written(output: EditOutput, deck: Path, **more: Any) -> EditResult:
    """The result of an edit whose copy is the deck itself."""
    attempt = EditAttempt("changed", deck)
    result = EditResult(deck, "change it", "done", best=attempt, attempts=(attempt,))
    return output.write(replace(result, **more), Stages())


def test_a_path_stands_for_an_output_of_that_name(tmp_path: Path) -> None:
    out = tmp_path / "out.pptx"
    checked = EditOutput.checked(out, tmp_path / "talk.pptx")
    assert checked == EditOutput.checked(EditOutput(str(out)), tmp_path / "talk.pptx")
    assert checked.deck == out


def test_without_a_name_the_deck_goes_beside_the_input_under_a_free_name(tmp_path: Path) -> None:
    deck = tmp_path / "talk.pptx"
    deck.write_bytes(b"edited")
    both = [EditOutput.checked(None, deck) for _ in range(2)]  # before either is written
    names = [written(one, deck).output for one in both]
    assert names == [tmp_path / "talk.edited.pptx", tmp_path / "talk.edited-2.pptx"]
    assert [name.read_bytes() for name in names if name] == [b"edited", b"edited"]


def test_a_file_that_exists_is_refused_before_and_after_the_work(tmp_path: Path) -> None:
    deck, out = tmp_path / "talk.pptx", tmp_path / "out.pptx"
    deck.write_bytes(b"edited")
    begun = EditOutput.checked(out, deck)
    out.write_bytes(b"theirs")
    with pytest.raises(NameTaken):
        EditOutput.checked(out, deck)
    with pytest.raises(NameTaken):
        EditOutput.checked(deck, deck)
    with pytest.raises(NameTaken):
        written(begun, deck)
    assert out.read_bytes() == b"theirs"
    forced = EditOutput.checked(EditOutput(out, force=True), deck)
    assert written(forced, deck).output == out
    assert (out.read_bytes(), out.with_name("out.pptx.bak").read_bytes()) == (b"edited", b"theirs")


def test_only_what_is_to_be_written_has_to_be_writable(tmp_path: Path) -> None:
    deck = tmp_path / "talk.pptx"
    deck.touch()
    with pytest.raises(OSError):
        EditOutput.checked(deck / "out.pptx", deck)
    EditOutput.checked(EditOutput(deck / "out.pptx", dry_run=True), deck)


def test_the_best_copy_is_written_but_not_in_a_dry_run_or_after_a_refusal(tmp_path: Path) -> None:
    deck, out = tmp_path / "talk.pptx", tmp_path / "out.pptx"
    deck.write_bytes(b"edited")
    assert written(EditOutput(out, dry_run=True), deck).output is None
    assert written(EditOutput(out), deck, outcome="refused").output is None
    assert not out.exists()
    assert written(EditOutput(out), deck).output == out
    assert out.read_bytes() == b"edited"


def test_copies_last_only_in_a_folder_that_is_given(tmp_path: Path) -> None:
    with EditOutput().copies() as folder:
        assert Path(folder).is_dir()
    assert not Path(folder).exists()
    with EditOutput(folder=tmp_path).copies() as folder:
        assert folder == tmp_path
    assert tmp_path.is_dir()
    attempt = EditAttempt("changed", tmp_path / "deck.pptx")
    result = EditResult(tmp_path, "change it", "done", best=attempt, attempts=(attempt,))
    assert EditOutput(folder=tmp_path).without_deleted(result) is result
    assert EditOutput().without_deleted(result).attempts[0].deck is None
