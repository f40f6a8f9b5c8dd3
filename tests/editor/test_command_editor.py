"""The editor without a model, from a file to a file."""

import json
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError
from decklab.core.files import NameTaken
from decklab.editor.edit import edit_with_commands
from decklab.editor.result import EditOutput, default_output


def test_the_output_goes_beside_the_input_by_default(deck_file: Path, tmp_path: Path) -> None:
    deck = tmp_path / "talk.pptx"
    shutil.copy(deck_file, deck)
    before = deck.read_bytes()
    done = edit_with_commands(deck, "hide slide 2", draw=False)
    assert done.output == tmp_path / "talk.edited.pptx"
    assert deck.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["talk.edited.pptx", "talk.pptx"]


def test_an_earlier_edit_stays_unless_it_is_to_be_replaced(deck_file: Path, tmp_path: Path) -> None:
    deck = tmp_path / "talk.pptx"
    shutil.copy(deck_file, deck)
    first = edit_with_commands(deck, "hide slide 2", draw=False).output
    assert first is not None
    made = first.read_bytes()
    second = edit_with_commands(deck, "delete slide 1", draw=False)
    assert second.output == default_output(deck).with_name("talk.edited-2.pptx")
    assert first.read_bytes() == made
    with pytest.raises(FileExistsError):
        edit_with_commands(deck, "delete slide 1", out=first, draw=False)
    assert first.read_bytes() == made
    edit_with_commands(deck, "delete slide 1", out=EditOutput(first, force=True), draw=False)
    assert first.read_bytes() != made


def test_an_output_that_cannot_be_written_is_told_before_anything_is_done(deck_file: Path) -> None:
    told: list[str] = []
    with pytest.raises(NotADirectoryError):
        edit_with_commands(
            deck_file, "hide slide 2", out=deck_file / "out.pptx", draw=False, progress=told.append
        )
    assert told == []


def test_the_input_is_replaced_only_by_force(deck_file: Path, tmp_path: Path) -> None:
    deck = tmp_path / "talk.pptx"
    shutil.copy(deck_file, deck)
    before = deck.read_bytes()
    with pytest.raises(NameTaken):
        edit_with_commands(deck, "delete slide 1", out=deck, draw=False)
    assert deck.read_bytes() == before
    edit_with_commands(deck, "delete slide 1", out=EditOutput(deck, force=True), draw=False)
    assert len(Presentation(str(deck)).slides) == 5
    assert deck.with_name("talk.pptx.bak").read_bytes() == before


def test_a_dry_run_writes_nothing_and_tells_all(deck_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pptx"
    done = edit_with_commands(
        deck_file, "hide slide 2", out=EditOutput(out, dry_run=True), draw=False
    )
    assert (done.outcome, done.output, out.exists()) == ("done", None, False)
    assert done.sentences == ("Slide 2: the slide is hidden now.",)


def test_a_folder_keeps_the_copy(deck_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    done = edit_with_commands(
        deck_file, "hide slide 2", out=EditOutput(dry_run=True, folder=folder), draw=False
    )
    assert done.best is not None and done.best.deck is not None
    assert done.best.deck.parent == folder


def test_without_a_folder_nothing_points_to_what_is_gone(deck_file: Path, tmp_path: Path) -> None:
    done = edit_with_commands(deck_file, "hide slide 2", out=tmp_path / "out.pptx", draw=False)
    assert done.best is not None and done.best.deck is None


def test_stages_are_told_and_timed(deck_file: Path, tmp_path: Path) -> None:
    stages: list[str] = []
    done = edit_with_commands(
        deck_file, "hide slide 2", out=tmp_path / "o.pptx", draw=False, progress=stages.append
    )
    assert stages == ["read", "edit", "check", "write"]
    assert set(done.seconds) == {"read", "edit", "save", "validate", "compare", "write"}
    assert all(seconds >= 0 for seconds in done.seconds.values())


def test_the_result_is_plain_json(deck_file: Path, tmp_path: Path) -> None:
    done = edit_with_commands(deck_file, "hide slide 2; sing", out=tmp_path / "o.pptx", draw=False)
    told = json.loads(json.dumps(done.as_json()))
    assert (told["outcome"], told["done"]) == ("partly", ["hide slide 2"])
    edits = [change for change in told["diff"]["changes"] if not change["noise"]]
    assert [change["property"] for change in edits] == ["hidden"]
    assert told["undone"] == list(done.undone)


def test_a_file_that_is_no_deck_is_told(tmp_path: Path) -> None:
    path = tmp_path / "talk.pptx"
    path.write_bytes(b"not a deck")
    with pytest.raises(DeckError, match=r"talk\.pptx"):
        edit_with_commands(path, "hide slide 2", draw=False)
    assert [one.name for one in tmp_path.iterdir()] == ["talk.pptx"]


def test_a_deck_that_python_pptx_cannot_open_is_told_in_a_line(
    deck_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "talk.pptx"
    with ZipFile(deck_file) as old, ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "[Content_Types].xml":
                data = data.replace(b'Extension="png"', b'Extension="gif"')
            new.writestr(name, data)
    with pytest.raises(DeckError, match=r"cannot be opened for editing.*\.png") as caught:
        edit_with_commands(path, "hide slide 2", draw=False)
    assert "\n" not in str(caught.value)


def test_a_deck_without_slides_has_nothing_to_edit(tmp_path: Path) -> None:
    path = tmp_path / "empty.pptx"
    Presentation().save(str(path))
    done = edit_with_commands(path, "make the titles bold; delete slide 1", draw=False)
    assert done.outcome == "refused"
    assert len(done.undone) == 2


def test_a_replacement_everywhere_tells_what_it_did_not_look_at(
    deck_file: Path, tmp_path: Path
) -> None:
    done = edit_with_commands(
        deck_file, "replace cat with dog everywhere", out=tmp_path / "all.pptx", draw=False
    )
    [line] = done.left_out
    assert line.startswith("not looked at for “cat”: pictures on slide 4")
    assert done.as_json()["left_out"] == [line]
    named = edit_with_commands(
        deck_file, "replace cat with dog on slide 2", out=tmp_path / "one.pptx", draw=False
    )
    assert (named.outcome, named.left_out) == ("done", ())


def test_nothing_is_told_of_a_deck_that_holds_words_only(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "A cat"
    deck.core_properties.title = deck.core_properties.author = ""
    deck.core_properties.last_modified_by = deck.core_properties.keywords = ""
    deck.core_properties.comments = deck.core_properties.subject = ""
    deck.save(str(tmp_path / "plain.pptx"))
    done = edit_with_commands(tmp_path / "plain.pptx", "replace cat with dog", draw=False)
    assert (done.outcome, done.left_out) == ("done", ())
