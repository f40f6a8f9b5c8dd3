"""Decks that python-pptx would fall over."""

from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest

from decklab.core.errors import DeckError
from decklab.editing.opening import opened
from decklab.editor.edit import edit_with_commands

DAMAGED = "customXml/item1.xml"


@pytest.fixture
def deck(deck_file: Path, tmp_path: Path) -> Path:
    """A part that nothing refers to has bytes that do not match its checksum."""
    path = tmp_path / "talk.pptx"
    with ZipFile(deck_file) as old, ZipFile(path, "w", ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr(DAMAGED, "<kept/>")
    path.write_bytes(path.read_bytes().replace(b"<kept/>", b"<lost/>"))
    return path


def test_a_part_with_damaged_bytes_is_named(deck: Path) -> None:
    with pytest.raises(DeckError, match=rf"^{deck}: {DAMAGED}: its bytes are damaged"):
        opened(deck)


def test_no_edit_of_a_damaged_deck_is_written(deck: Path) -> None:
    with pytest.raises(DeckError, match=DAMAGED):
        edit_with_commands(deck, "duplicate slide 1", draw=False)
    assert [path.name for path in deck.parent.iterdir()] == ["talk.pptx"]


def test_the_strict_edition_is_refused_by_its_name(deck_file: Path, tmp_path: Path) -> None:
    strict = tmp_path / "strict.pptx"
    old_names = b"http://schemas.openxmlformats.org/presentationml/2006/main"
    with ZipFile(deck_file) as old, ZipFile(strict, "w") as new:
        for name in old.namelist():
            new_names = b"http://purl.oclc.org/ooxml/presentationml/main"
            new.writestr(name, old.read(name).replace(old_names, new_names))
    with pytest.raises(DeckError, match=r"strict\.pptx: it is of the strict edition"):
        opened(strict)
