"""Links that lead to no part, over edits by the command editor and by programs."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from decklab.editing.opening import guarded, opened, restored, saved
from decklab.editor.edit import edit_with_commands
from decklab.editor.steps import run_program

RELS = "ppt/slides/_rels/slide5.xml.rels"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
LINKS = (
    f'<Relationship Id="rId2" Type="{KIND}" Target="#_ftn1"/>'
    f'<Relationship Id="rId77" Type="{KIND}" Target="/ppt/slides/NULL"/>'
)


@pytest.fixture
def deck(deck_file: Path, tmp_path: Path) -> Path:
    """The link on slide 5 leads nowhere, as word processors leave it."""
    path = tmp_path / "talk.pptx"
    with ZipFile(deck_file) as old, ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == RELS:
                text = data.decode()
                start = text.index('<Relationship Id="rId2"')
                end = text.index("/>", start) + 2
                data = (text[:start] + LINKS + text[end:]).encode()
            new.writestr(name, data)
    return path


def links(path: Path | None) -> dict[str, tuple[str, bool]]:
    """Target, and whether it leads out, by id: read without decklab."""
    assert path is not None
    with ZipFile(path) as held:
        text = held.read(RELS).decode()
    found = {}
    for piece in text.split("<Relationship ")[1:]:
        values = dict(part.split("=", 1) for part in piece.split("/>")[0].split(" ") if "=" in part)
        key, target = values["Id"].strip('"'), values["Target"].strip('"')
        found[key] = (target, "TargetMode" in values)
    return found


def test_a_request_leaves_them_as_they_were(deck: Path) -> None:
    before = deck.read_bytes()
    request = "set the notes of slide 5 to 'x'; bold the titles"
    done = edit_with_commands(deck, request, draw=False)
    assert (done.outcome, done.undone) == ("done", ())
    held = links(done.output)
    assert (held["rId2"], held["rId77"]) == (("#_ftn1", False), ("/ppt/slides/NULL", False))
    assert {change.kind for change in done.changes.edits} == {"notes", "style"}
    assert deck.read_bytes() == before


def test_a_program_leaves_them_as_they_were(deck: Path, tmp_path: Path) -> None:
    target = tmp_path / "edited.pptx"
    run_program("def edit(prs):\n    set_notes(prs, 5, 'x')", deck, target)
    assert links(target)["rId2"] == ("#_ftn1", False)


def test_a_deck_without_any_is_taken_as_it_is(deck_file: Path, tmp_path: Path) -> None:
    assert guarded(deck_file, tmp_path / "copy.pptx") == deck_file
    assert list(tmp_path.iterdir()) == []
    path = saved(opened(deck_file), tmp_path / "saved.pptx")
    before = path.read_bytes()
    restored(path)
    assert path.read_bytes() == before
