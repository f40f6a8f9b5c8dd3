"""What is taken for a deck from a place that others can write to."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    NotAPackage,
    UnsupportedFormat,
)
from decklab.evals.editors.running import check_readable, submitted_bytes


def test_a_plain_file_is_taken(tmp_path: Path) -> None:
    (tmp_path / "a.pptx").write_bytes(b"a deck")
    assert submitted_bytes(tmp_path / "a.pptx") == b"a deck"


@pytest.mark.parametrize("kind", ["link", "dangling", "hard link", "folder", "pipe"])
def test_what_leads_elsewhere_or_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path, other = tmp_path / "a.pptx", tmp_path / "truth.pptx"
    other.write_bytes(b"somebody else's")
    {
        "link": lambda: path.symlink_to(other),
        "dangling": lambda: path.symlink_to(tmp_path / "nothing"),
        "hard link": lambda: os.link(other, path),
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    with pytest.raises(UnsupportedFormat):
        submitted_bytes(path)


def test_nothing_and_too_much_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(MissingPart):
        submitted_bytes(tmp_path / "a.pptx")
    with (tmp_path / "big.pptx").open("wb") as file:
        file.truncate(600 * 2**20)
    with pytest.raises(LimitExceeded):
        submitted_bytes(tmp_path / "big.pptx")
    with pytest.raises(DeckError):
        submitted_bytes(tmp_path / "a.pptx" / "below")


def test_a_damaged_part_counts_only_where_the_original_has_it_whole(
    deck: Path, tmp_path: Path
) -> None:
    edited = tmp_path / "edited.pptx"
    shutil.copyfile(deck, edited)
    check_readable(edited, deck)
    with zipfile.ZipFile(edited, "a") as archive:
        archive.writestr("customXml/item99.xml", "<a><b></a>")
    with pytest.raises(MalformedPart, match=r"item99\.xml"):
        check_readable(edited, deck)
    check_readable(edited, edited)
    edited.write_bytes(b"no deck")
    for pair in ((edited, deck), (deck, edited)):
        with pytest.raises(NotAPackage) as caught:
            check_readable(*pair)
        assert caught.value.path == str(edited)
