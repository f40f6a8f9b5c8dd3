from pathlib import Path

import pytest

from decklab.files import whole_file, write_whole


def test_a_file_appears_only_when_the_block_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with whole_file(path) as unfinished:
        unfinished.write_text("done")
        assert not path.exists()
    assert path.read_text() == "done"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    with pytest.raises(RuntimeError), whole_file(path) as unfinished:
        unfinished.write_text("half")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_the_system_names_the_file_that_was_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(OSError, match="No space") as full, whole_file(path):
        raise OSError(28, "No space left on device")
    assert full.value.filename == str(path)
    path.mkdir()
    with pytest.raises(IsADirectoryError) as taken, whole_file(path) as unfinished:
        unfinished.write_text("x")
    assert taken.value.filename == str(path)
