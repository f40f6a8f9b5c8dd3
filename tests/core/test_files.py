import os
from pathlib import Path

import pytest

from decklab.core.files import (
    Closing,
    check_file,
    check_folder,
    free_name,
    whole_file,
    write_new,
    write_whole,
)


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


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_new(path, b"first")
    (tmp_path / "new" / "link.txt").symlink_to(tmp_path / "nothing")
    for taken in (path, tmp_path / "new" / "link.txt"):
        with pytest.raises(FileExistsError) as refused:
            write_new(taken, b"second")
        assert refused.value.filename == str(taken)
    assert path.read_bytes() == b"first"
    assert sorted(one.name for one in path.parent.iterdir()) == ["a.txt", "link.txt"]


def test_an_error_of_the_system_names_the_file_that_was_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(OSError, match="No space") as full, whole_file(path):
        raise OSError(28, "No space left on device")
    assert full.value.filename == str(path)
    path.mkdir()
    with pytest.raises(IsADirectoryError) as taken, whole_file(path) as unfinished:
        unfinished.write_text("x")
    assert taken.value.filename == str(path)


def test_a_file_that_can_be_written_passes_and_nothing_is_written(tmp_path: Path) -> None:
    check_file(tmp_path / "new" / "folder" / "a.pptx", inputs=[tmp_path / "b.pptx"])
    check_folder(tmp_path / "new")
    (tmp_path / "old.pptx").write_bytes(b"old")
    check_file(tmp_path / "old.pptx")
    assert [path.name for path in tmp_path.iterdir()] == ["old.pptx"]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    deck, pipe, link = tmp_path / "deck.pptx", tmp_path / "pipe", tmp_path / "link.pptx"
    deck.write_bytes(b"deck")
    os.mkfifo(pipe)
    link.symlink_to(deck)
    for path, said in (
        (tmp_path, "is a folder"),
        (pipe, "is a pipe or a device"),
        (Path("/dev/stdout"), "is a pipe or a device"),
        (link, "is read by this command"),
        (deck, "is read by this command"),
        (deck / "below.pptx", "nothing can be written there .*Not a directory"),
        (Path("/proc/decklab/x.pptx"), "."),
    ):
        with pytest.raises(OSError, match=said) as found:
            check_file(path, inputs=[deck])
        assert found.value.filename in (str(path), str(path.parent))
    assert deck.read_bytes() == b"deck"


def test_a_name_that_is_taken_gets_the_next_number(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        names.append(free_name(tmp_path / "a.b.pptx"))
        names[-1].touch()
    assert [path.name for path in names] == ["a.b.pptx", "a.b-2.pptx", "a.b-3.pptx"]


def test_leaving_a_block_closes_what_it_opened() -> None:
    class Opened(Closing):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    with pytest.raises(KeyError), Opened() as opened:
        assert opened.closed == 0
        raise KeyError
    assert opened.closed == 1
