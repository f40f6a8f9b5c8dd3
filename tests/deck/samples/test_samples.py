"""Writing the three decks: the same every time, whole or not there."""

import zipfile
from pathlib import Path

import pytest

from decklab.deck.deck import write_samples


def test_three_decks_are_written_under_their_names(sample_decks: dict[str, Path]) -> None:
    assert list(sample_decks) == ["plain", "rich", "bad"]
    assert all(path.suffix == ".pptx" for path in sample_decks.values())


def test_no_part_bears_the_hour_of_writing(sample_decks: dict[str, Path]) -> None:
    for path in sample_decks.values():
        with zipfile.ZipFile(path) as archive:
            assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_nothing_but_the_decks_is_left_in_the_folder(sample_decks: dict[str, Path]) -> None:
    folder = sample_decks["rich"].parent
    assert sorted(path.name for path in folder.iterdir()) == ["bad.pptx", "plain.pptx", "rich.pptx"]


def test_other_files_of_these_names_are_replaced_only_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    old = tmp_path / "deep" / "er" / "plain.pptx"
    old.write_text("old")
    with pytest.raises(FileExistsError):
        write_samples(tmp_path / "deep" / "er")
    assert old.read_text() == "old"
    write_samples(tmp_path / "deep" / "er", force=True)
    assert zipfile.is_zipfile(old)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("here first")
    with pytest.raises(OSError, match="taken"):
        write_samples(taken)
    assert taken.read_text() == "here first"


def test_the_decks_are_small(sample_decks: dict[str, Path]) -> None:
    assert max(path.stat().st_size for path in sample_decks.values()) < 1_000_000
