import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from decklab.core.files import (
    Closing,
    NameTaken,
    check_distinct,
    check_file,
    check_folder,
    output_file,
    whole_file,
    write_data,
    write_numbered,
    write_output,
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


def test_an_output_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_output(path, b"first")
    (tmp_path / "new" / "link.txt").symlink_to(tmp_path / "nothing")
    for taken in (path, tmp_path / "new" / "link.txt"):
        with pytest.raises(NameTaken) as refused:
            write_output(taken, b"second")
        assert refused.value.filename == str(taken)
    assert path.read_bytes() == b"first"
    assert sorted(one.name for one in path.parent.iterdir()) == ["a.txt", "link.txt"]


def test_a_file_that_comes_while_the_output_is_made_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(NameTaken), output_file(path) as unfinished:
        unfinished.write_text("ours")
        path.write_text("theirs")
    assert path.read_text() == "theirs" and list(tmp_path.iterdir()) == [path]


def test_by_force_a_copy_of_what_is_replaced_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.txt"
    for data in (b"1", b"2", b"3"):
        write_output(path, data, force=True)
    found = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert found == {"a.txt": b"3", "a.txt.bak": b"1", "a.txt-2.bak": b"2"}
    assert [record.getMessage() for record in caplog.records] == [
        f"{path} is replaced; the earlier file is kept as {path}{end}" for end in (".bak", "-2.bak")
    ]


def test_by_force_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_bytes(b"deck")
    (tmp_path / "link.txt").symlink_to("deck.txt")
    (tmp_path / "dead.txt").symlink_to("nothing")
    write_output(tmp_path / "link.txt", b"new", force=True)
    write_output(tmp_path / "dead.txt", b"new", force=True)
    found = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert found == {
        "deck.txt": b"deck", "link.txt": b"new", "link.txt.bak": b"deck", "dead.txt": b"new"
    }  # fmt: skip
    assert not any(one.is_symlink() for one in tmp_path.iterdir())


def test_an_earlier_output_of_ours_is_replaced_without_a_copy(tmp_path: Path) -> None:
    def ours(path: Path) -> bool:
        return path.exists() and path.read_bytes().startswith(b"ours")

    path = tmp_path / "a.txt"
    for data in (b"ours 1", b"ours 2"):
        check_file(path, ours=ours)
        write_output(path, data, ours=ours)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"a.txt": b"ours 2"}
    path.write_bytes(b"theirs")
    with pytest.raises(NameTaken):
        check_file(path, ours=ours)
    with pytest.raises(NameTaken):
        write_output(path, b"ours 3", ours=ours)
    write_output(path, b"ours 3", force=True, ours=ours)
    assert path.with_name("a.txt.bak").read_bytes() == b"theirs"


@pytest.mark.parametrize("links", [True, False])
def test_processes_that_want_one_name_get_a_file_each(tmp_path: Path, links: bool) -> None:
    program = """
import os, sys, time
from pathlib import Path
from decklab.core.files import write_numbered
path, number, links = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
def refused(*names):
    raise PermissionError(1, "Operation not permitted")
if links == "False":
    os.link = refused
(path.parent / f"ready-{number}").touch()
while not (path.parent / "go").exists():
    time.sleep(0.001)
for turn in range(20):
    print(write_numbered(path, f"{number} {turn}".encode()))
"""
    out = tmp_path / "out" / "talk.edited.pptx"
    out.parent.mkdir()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(out), str(number), str(links)],
            stdout=subprocess.PIPE, text=True,
        ) for number in range(4)
    ]  # fmt: skip
    while len(list(out.parent.glob("ready-*"))) < 4:
        assert all(one.poll() is None for one in running)
        time.sleep(0.01)
    (out.parent / "go").touch()
    told = [Path(line) for one in running for line in one.communicate()[0].split()]
    assert len(set(told)) == len(told) == 80
    wanted = {f"{number} {turn}" for number in range(4) for turn in range(20)}
    assert {path.read_text() for path in told} == wanted
    assert set(out.parent.glob("*.pptx")) == set(told)


def test_a_file_system_without_links_keeps_files_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*names: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "a.txt"
    write_output(path, b"first")
    with pytest.raises(NameTaken):
        write_output(path, b"second")
    assert write_numbered(path, b"third").name == "a-2.txt"
    found = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert found == {"a.txt": b"first", "a-2.txt": b"third"}


def test_data_that_is_there_stays_and_other_data_is_no_longer_replaced(tmp_path: Path) -> None:
    files = {"a.txt": b"a", "b/c.txt": b"c"}
    write_data(tmp_path, files)
    before = (tmp_path / "a.txt").stat()
    write_data(tmp_path, files)
    assert (tmp_path / "a.txt").stat() == before
    (tmp_path / "b" / "c.txt").write_bytes(b"edited")
    (tmp_path / "a.txt").unlink()
    with pytest.raises(NameTaken) as refused:
        write_data(tmp_path, files)
    assert refused.value.filename == str(tmp_path / "b" / "c.txt")
    assert not (tmp_path / "a.txt").exists()
    write_data(tmp_path, files, force=True)
    found = {one.name: one.read_bytes() for one in tmp_path.rglob("*.*")}
    assert found == {"a.txt": b"a", "c.txt": b"c", "c.txt.bak": b"edited"}


def test_two_outputs_have_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_distinct(["a.txt", None, None, tmp_path / "b.txt"])
    with pytest.raises(FileExistsError, match="named for two outputs"):
        check_distinct(["a.txt", tmp_path / "a.txt"])


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
    check_file(tmp_path / "old.pptx", force=True)
    with pytest.raises(NameTaken, match=r"old.pptx exists already. Choose .*/old-2.pptx, or "):
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
            check_file(path, inputs=[deck], force=True)
        assert found.value.filename in (str(path), str(path.parent))
    assert deck.read_bytes() == b"deck"


def test_leaving_a_block_closes_what_it_opened() -> None:
    class Opened(Closing):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    with pytest.raises(KeyError), Opened() as opened:
        assert opened.closed == 0
        raise KeyError
    assert opened.closed == 1
