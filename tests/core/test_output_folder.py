"""The output folder: whose files are in it, and one run at a time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from decklab.core.output_folder import (
    begin_run_folder,
    check_run_folder,
    files_below,
    known_decks,
    names_in,
    one_run,
    remove_written,
    reserve,
    written_files,
)


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_what_is_claimed_is_ours_and_adds_up(tmp_path: Path) -> None:
    reserve(tmp_path, ["index.html"])
    reserve(tmp_path, ["decks/a.html"])
    assert written_files(tmp_path) == {tmp_path / "index.html", tmp_path / "decks/a.html"}


def test_a_file_of_somebody_else_is_not_claimed(tmp_path: Path) -> None:
    touch(tmp_path, "index.html")
    with pytest.raises(FileExistsError) as caught:
        reserve(tmp_path, ["index.html", "results.json"])
    assert caught.value.filename == str(tmp_path / "index.html")
    assert written_files(tmp_path) == frozenset()


def test_our_own_file_is_claimed_again(tmp_path: Path) -> None:
    reserve(tmp_path, ["index.html"])
    touch(tmp_path, "index.html")
    reserve(tmp_path, ["index.html"])
    assert written_files(tmp_path) == {tmp_path / "index.html"}


def test_only_what_we_wrote_is_removed(tmp_path: Path) -> None:
    reserve(tmp_path, ["index.html", "decks/a.html", "gone.html", "empty/b.html"])
    touch(tmp_path, "index.html", "decks/a.html", "decks/mine.html", "mine.html", "empty/b.html")
    remove_written(tmp_path)
    assert not (tmp_path / "empty").exists()
    left = {path.name for path in tmp_path.rglob("*.html")}
    assert left == {"mine.html"}
    assert (tmp_path / "decks" / "mine.html").exists()


@pytest.mark.parametrize("content", ["", "{", '"a"', "[1, null]", '{"a": 1}'])
def test_a_damaged_list_owns_nothing_that_is_there(tmp_path: Path, content: str) -> None:
    touch(tmp_path, "index.html", ".decklab/written")
    (tmp_path / ".decklab" / "written").write_text(content)
    assert not any(path.exists() for path in written_files(tmp_path))


def test_one_run_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with one_run(out), pytest.raises(BlockingIOError, match="another run"), one_run(out):
        pass
    with one_run(out):
        assert out.is_dir()


def test_walks_pass_over_hidden_folders_and_our_files(tmp_path: Path) -> None:
    reserve(tmp_path / "out", ["index.html", "decks/a.html"])
    touch(tmp_path, "b.txt", "out/index.html", "out/decks/a.html", "out/own.html", ".git/c")
    found = [
        (here / name).relative_to(tmp_path).as_posix()
        for here, _, files in files_below(tmp_path)
        for name in files
    ]
    assert found == ["b.txt", "out/own.html"]


def test_a_deck_keeps_its_name_and_no_other_gets_it(tmp_path: Path) -> None:
    out, first, second = (
        tmp_path / "out",
        tmp_path / "a" / "talk.pptx",
        tmp_path / "b" / "Talk.pptx",
    )
    assert names_in(out, [first]) == {first: "talk"}
    names = names_in(out, [second, first])
    assert names[first] == "talk" and names[second].startswith("Talk-")
    assert list(known_decks(out).values()) == ["talk", names[second]]
    assert names_in(out, [second]) == {second: names[second]}
    names_in(out, [first], reorder=True)
    assert list(known_decks(out).values()) == [names[second], "talk"]


def test_a_deck_is_known_from_anywhere_and_after_both_were_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    monkeypatch.chdir(folder)
    names_in(Path("out"), [Path("talk.pptx")])
    monkeypatch.chdir(tmp_path)
    names_in(Path("one/out"), [Path("one/talk.pptx")])
    folder.rename(tmp_path / "two")
    names_in(tmp_path / "two" / "out", [tmp_path / "two" / "talk.pptx"])
    assert known_decks(tmp_path / "two" / "out") == {"../talk.pptx": "talk"}


def test_many_may_ask_for_names_at_once(tmp_path: Path) -> None:
    decks = [tmp_path / str(number) / "talk.pptx" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda deck: names_in(tmp_path / "out", [deck])[deck], decks))
    assert len(set(found)) == len(decks)
    assert sorted(known_decks(tmp_path / "out").values()) == sorted(found)


def test_a_new_deck_gets_no_folder_that_somebody_else_has(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "plain").mkdir(parents=True)
    deck = tmp_path / "plain.pptx"
    name = names_in(out, [deck], taken={"plain"})[deck]
    assert name.startswith("plain-")
    assert names_in(out, [deck], taken={"plain", name})[deck] == name  # its own by now


def test_a_run_wants_a_folder_that_is_new_or_empty_or_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out"
    check_run_folder(out, overwrite=False)
    out.mkdir()
    (out / ".hidden").touch()
    check_run_folder(out, overwrite=False)
    (out / "index.html").write_text("theirs")
    for overwrite in (False, True, None):
        with pytest.raises(FileExistsError, match="did not write; name another folder, such as"):
            check_run_folder(out, overwrite=overwrite)
    (out / "index.html").unlink()
    begin_run_folder(out, overwrite=False)
    (out / "index.html").write_text("ours, of a run that was killed")
    check_run_folder(out, overwrite=False)
    (out / "results.json").write_text("{}")
    check_run_folder(out, overwrite=True)
    for check in (check_run_folder, begin_run_folder):
        with pytest.raises(FileExistsError, match="say --overwrite"):
            check(out, overwrite=False)
