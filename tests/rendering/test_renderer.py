"""Renderers that several threads share."""

import errno
import multiprocessing
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.drawing import RecordedOffice

from decklab.rendering import renderer as renderer_module
from decklab.rendering.renderer import Cache, Renderer, cache_key


def entries(cache: Cache) -> list[Path]:
    return sorted(cache.folder.glob("*/*"))


def test_what_is_put_is_got(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("a" * 64) is None
    assert cache.put("a" * 64, b"content\nof two lines")
    assert Cache(tmp_path).get("a" * 64) == b"content\nof two lines"


def test_an_empty_entry_is_an_entry(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("a" * 64, b"")
    assert cache.get("a" * 64) == b""


@pytest.mark.parametrize("kept", [0, 10, 60, -1])
def test_a_torn_entry_is_a_miss_and_goes_away(tmp_path: Path, kept: int) -> None:
    cache = Cache(tmp_path)
    cache.put("a" * 64, b"content")
    (path,) = entries(cache)
    path.write_bytes(path.read_bytes()[:kept])
    assert cache.get("a" * 64) is None
    assert entries(cache) == []


def test_an_altered_entry_is_a_miss_and_goes_away(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("a" * 64, b"content")
    (path,) = entries(cache)
    path.write_bytes(path.read_bytes().replace(b"content", b"c0ntent"))
    assert cache.get("a" * 64) is None
    assert entries(cache) == []


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, max_bytes=3500)
    for age, key in enumerate(("a" * 64, "b" * 64, "c" * 64)):
        cache.put(key, bytes(1000))
        os.utime(cache.folder / key[:2] / key, (1000 + age, 1000 + age))
    cache.get("a" * 64)  # now the most recently used
    cache.put("d" * 64, bytes(1000))
    there = {path.name[0] for path in entries(cache)}
    assert "b" not in there
    assert {"a", "d"} <= there
    assert sum(path.stat().st_size for path in entries(cache)) <= 3500


def test_an_entry_larger_than_the_cache_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, max_bytes=10)
    assert not cache.put("a" * 64, bytes(11))
    assert entries(cache) == []


def test_a_cache_that_cannot_be_written_keeps_nothing_and_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    assert not cache.put("a" * 64, b"content")
    assert cache.get("a" * 64) is None


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = Cache(tmp_path)
    monkeypatch.setattr(Path, "replace", full)
    assert not cache.put("a" * 64, b"content")
    assert entries(cache) == []


def test_leftovers_of_killed_writers_go_after_an_hour(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("a" * 64, b"content")
    old, new = (cache.folder / "aa" / name for name in ("old.part", "new.part"))
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    cache.put("b" * 64, b"content")
    assert not old.exists()
    assert new.exists()


def _hammer(folder: Path, seed: int) -> int:
    """Write and read a few shared keys in a tight cache; returns how often content was wrong."""
    cache = Cache(folder, max_bytes=40_000)
    wrong = 0
    for turn in range(150):
        name = f"{(turn * 7 + seed) % 5}"
        key, content = name * 64, name.encode() * 9_000
        cache.put(key, content)
        wrong += cache.get(key) not in (None, content)
    return wrong


def test_processes_share_a_cache_without_ever_reading_a_wrong_entry(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(3) as pool:
        assert pool.starmap(_hammer, [(tmp_path, seed) for seed in range(3)]) == [0, 0, 0]
    leftovers = [path for path in entries(Cache(tmp_path)) if path.suffix == ".part"]
    assert leftovers == []


def test_keys_tell_content_and_every_fact_apart() -> None:
    facts = {"engine": "A", "options": {"x": True}, "fonts": "f", "size": [1280, 720]}
    base = cache_key(b"deck", facts)
    others = [
        cache_key(b"deck2", facts),
        cache_key(b"deck", {**facts, "engine": "B"}),
        cache_key(b"deck", {**facts, "options": {"x": False}}),
        cache_key(b"deck", {**facts, "fonts": "g"}),
        cache_key(b"deck", {**facts, "size": [640, 360]}),
    ]
    assert len({base, *others}) == 6


def test_threads_that_begin_at_once_share_one_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class SlowToFind(RecordedOffice):
        def __init__(self, *, deadline: float) -> None:
            super().__init__({})
            time.sleep(0.05)
            made.append(deadline)

        def close(self) -> None:
            made.append("closed")

    monkeypatch.setattr(renderer_module, "Office", SlowToFind)
    with Renderer(deadline=7).started() as renderer, ThreadPoolExecutor(4) as threads:
        engines = list(threads.map(lambda _: renderer.converter.engine, range(4)))
    assert engines == ["recorded"] * 4
    assert made == [7, "closed"]
