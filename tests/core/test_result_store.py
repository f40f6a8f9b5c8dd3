"""Results kept in one file: bounded, checked, shared by processes, and never in the way."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from decklab.core.result_store import ResultStore, code_stamp


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "kept" / "results.sqlite")


def test_what_was_put_is_there_for_another_reader(store):
    store.put({"a": b"\x00one", "b": b""})
    assert ResultStore(store.path).get(["a", "b", "c"]) == {"a": b"\x00one", "b": b""}


def test_a_later_result_takes_the_place_of_an_earlier_one(store):
    store.put({"a": b"one"})
    store.put({"a": b"two"})
    assert store.get(["a"]) == {"a": b"two"}


def test_nothing_is_kept_before_the_first_result_and_no_file_made(store):
    assert store.get(["a"]) == {} and not store.path.exists()


def test_more_keys_than_sqlite_takes_at_once(store):
    many = {f"key {number}": str(number).encode() for number in range(1300)}
    store.put(many)
    assert store.get(list(many)) == many


def _set_used(path: Path, key: str, used: float) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE results SET used = ? WHERE key = ?", [used, key])
    database.close()


def test_the_least_recently_used_go_first(tmp_path):
    store = ResultStore(tmp_path / "results.sqlite", max_bytes=1000)
    for age, key in enumerate("abc"):
        store.put({key: b"x" * 300})
        _set_used(store.path, key, age)
    assert set(store.get(["a"])) == {"a"}  # a look makes it the most recent
    store.put({"d": b"x" * 300})
    assert set(store.get(list("abcd"))) == {"a", "c", "d"}


def test_a_result_larger_than_the_bound_is_not_kept(tmp_path):
    store = ResultStore(tmp_path / "results.sqlite", max_bytes=10)
    store.put({"small": b"x", "large": b"x" * 11})
    assert store.get(["small", "large"]) == {"small": b"x"}


def test_an_altered_result_counts_as_absent(store):
    store.put({"a": b"one", "b": b"two"})
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE results SET value = ? WHERE key = 'a'", [b"One"])
        database.execute("UPDATE results SET key = 'c' WHERE key = 'b'")
    database.close()
    assert store.get(["a", "b", "c"]) == {}


@pytest.mark.parametrize("left", [0, 50, 100, 4096, 9000])
def test_a_torn_file_is_begun_anew(store, left):
    store.put({f"key {number}": os.urandom(3000) for number in range(20)})
    os.truncate(store.path, left)
    store.get(["key 1"])
    store.put({"a": b"one"})
    store.put({"a": b"one"})
    expected = {} if left == 50 else {"a": b"one"}  # too short to tell whose it was
    assert store.get(["a"]) == expected


@pytest.mark.parametrize("content", [b"notes of somebody", b"x" * 5000])
def test_a_foreign_file_is_left_alone(store, content):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    store.put({"a": b"one"})
    assert store.get(["a"]) == {}
    assert store.path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(store):
    store.path.parent.mkdir()
    with sqlite3.connect(store.path) as database:
        database.execute("CREATE TABLE results (key TEXT, value TEXT)")
    database.close()
    before = store.path.read_bytes()
    store.put({"a": b"one"})
    assert store.get(["a"]) == {} and store.path.read_bytes() == before


def test_a_place_that_cannot_be_written_keeps_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    store = ResultStore(tmp_path / "file" / "results.sqlite")
    store.put({"a": b"one"})
    assert store.get(["a"]) == {}


WRITER = """
import sys
from pathlib import Path
from decklab.core.result_store import ResultStore
store = ResultStore(Path(sys.argv[1]))
for number in range(40):
    store.put({f"{sys.argv[2]} {number}": sys.argv[2].encode() * 2000, "shared": b"same"})
"""


def test_processes_write_side_by_side(store):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.path), name]) for name in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    keys = [f"{name} {number}" for name in "abc" for number in range(40)]
    assert store.get([*keys, "shared"]) == {
        **{key: key[0].encode() * 2000 for key in keys}, "shared": b"same",
    }  # fmt: skip


def test_the_stamp_of_the_code_stays_as_long_as_its_files_do():
    assert code_stamp() == code_stamp.__wrapped__()
