"""Sources to items, and items to files, against the bytes that went in."""

import http.server
import json
import re
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from decklab.core.errors import DeckError, LimitExceeded
from decklab.rendering.opening import find_decks
from decklab.workbench.cluster.sources import SourceItem, fetched, pair_items, source_items

MOST = 10**8


def contents(items: Iterator[SourceItem]) -> list[bytes]:
    found = []
    for item in items:
        with fetched(item, most_bytes=MOST) as path:
            found.append(path.read_bytes())
    return sorted(found)


def files(decks: Path) -> list[Path]:
    return sorted(decks.rglob("*.pptx"))


def expected(decks: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in files(decks))


def test_a_folder_gives_what_the_plain_command_finds(decks: Path) -> None:
    found = [item.name for item in source_items([str(decks)])]
    assert sorted(found) == sorted(map(str, find_decks([decks])))
    assert len(found) == 5
    pattern = [item.name for item in source_items([f"{decks}/*.pptx"])]
    assert pattern == [str(decks / "alpha.pptx"), str(decks / "beta.pptx")]


def test_a_deep_folder_is_taken_one_folder_after_the_other(tmp_path: Path) -> None:
    for name in ("b/c/one.pptx", "b/two.odp", "a/three.pdf", "four.ppt", "a/~$three.pptx"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    found = sorted(item.name for item in source_items([str(tmp_path)]))
    assert found == sorted(map(str, find_decks([tmp_path])))
    nothing = [item.name for item in source_items([str(tmp_path / "empty")])]
    assert nothing == [str(tmp_path / "empty")]


def test_a_zip_gives_its_decks(decks: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in files(decks):
            archive.write(path, f"in [1]/{path.name}")
        archive.writestr("readme.txt", "no deck")
    items = list(source_items([str(tmp_path / "all.zip")]))
    assert items[0].name == f"{tmp_path}/all.zip!in [1]/alpha.pptx"
    assert items[0].suffix == ".pptx"
    assert all(item.content is None for item in items)
    assert contents(iter(items)) == expected(decks)


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz"])
def test_a_tar_gives_its_decks(decks: Path, tmp_path: Path, suffix: str) -> None:
    with tarfile.open(tmp_path / f"all{suffix}", "w:gz" if suffix == ".tar.gz" else "w") as archive:
        for path in files(decks):
            archive.add(path, f"talks/{path.name}")
    items = list(source_items([str(tmp_path / f"all{suffix}")]))
    assert [item.place for item in items] == ["range" if suffix == ".tar" else "content"] * 5
    assert contents(iter(items)) == expected(decks)


def test_a_table_gives_its_rows_with_what_it_says_of_them(decks: Path, tmp_path: Path) -> None:
    paths = files(decks)
    table = pa.table(
        {
            "id": [path.stem for path in paths],
            "pptx": [path.read_bytes() for path in paths],
            "license": ["CC-BY-4.0", None, "CC0", "MIT", "MIT"],
            "pages": [1, 2, 3, 4, 5],
        }
    )
    pq.write_table(table, tmp_path / "decks.parquet", row_group_size=2)
    items = list(source_items([str(tmp_path / "decks.parquet")]))
    assert items[0].name == f"{tmp_path}/decks.parquet!0:alpha"
    assert items[0].about == {
        "id": "alpha", "license": "CC-BY-4.0", "pages": "1", "name": "alpha"
    }  # fmt: skip
    assert "license" not in items[1].about
    assert contents(iter(items)) == expected(decks)


def test_a_list_names_decks_of_any_kind(decks: Path, tmp_path: Path) -> None:
    rows = [
        {"url": str(decks / "alpha.pptx"), "license": "CC0"},
        {"url": f"file://{decks}/beta.pptx"},
    ]
    (tmp_path / "list.jsonl").write_text("\n".join(map(json.dumps, rows)))
    items = list(source_items([str(tmp_path / "list.jsonl")]))
    assert [item.about for item in items] == [{"license": "CC0"}, {}]
    assert contents(iter(items)) == sorted(
        (decks / f"{name}.pptx").read_bytes() for name in ("alpha", "beta")
    )
    (tmp_path / "decks").symlink_to(decks)
    (tmp_path / "list.csv").write_text("path,topic\ndecks/alpha.pptx,letters\n")
    (item,) = source_items([str(tmp_path / "list.csv")])
    assert item.name == f"{tmp_path}/decks/alpha.pptx"
    assert item.about == {"topic": "letters"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(decks: Path) -> Iterator[str]:
    handler = partial(Quiet, directory=str(decks))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}"
        serving.shutdown()


def test_decks_are_fetched_by_http(decks: Path, server: str, tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"# two\n{server}/alpha.pptx\n\n{server}/more/delta.pptx\n")
    items = source_items([str(tmp_path / "urls.txt")])
    assert contents(items) == sorted(
        (decks / name).read_bytes() for name in ("alpha.pptx", "more/delta.pptx")
    )
    (item,) = source_items([f"{server}/nothing.pptx"])
    with pytest.raises(DeckError, match="nothing at this address"), fetched(item, most_bytes=MOST):
        pass


def test_an_http_folder_with_a_listing_gives_its_decks(server: str) -> None:
    names = {item.name.rsplit("/", 1)[-1] for item in source_items([f"{server}/"])}
    assert {"alpha.pptx", "beta.pptx"} <= names


def test_what_is_too_large_is_refused_before_it_is_there(decks: Path, tmp_path: Path) -> None:
    item = SourceItem("a", "address", f"file://{decks}/alpha.pptx")
    with pytest.raises(LimitExceeded, match="more than 1000 bytes"), fetched(item, most_bytes=1000):
        pass


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.zip", b"no zip", "zip"),
        ("a.tar", b"no tar", "header|truncated|invalid"),
        ("a.parquet", b"no parquet", "Parquet|magic"),
        ("a.csv", b"topic\nletters\n", "row 1 has no field url"),
        ("a.jsonl", b"{no json", "is no JSON"),
    ],
)
def test_a_source_that_cannot_be_read_is_an_item_with_its_problem(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (item,) = source_items([str(tmp_path / name)])
    assert re.search(says, item.problem)


def test_a_table_without_decks_says_what_it_has(tmp_path: Path) -> None:
    pq.write_table(pa.table({"title": ["a"]}), tmp_path / "t.parquet")
    (item,) = source_items([str(tmp_path / "t.parquet")])
    assert "its columns are title" in item.problem


def test_pairs_are_the_decks_of_the_same_name(decks: Path, tmp_path: Path) -> None:
    for name in ("alpha.pptx", "more/delta.pptx", "new.pptx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    pairs = {
        (item.before.name if item.before else "", item.name)
        for item in pair_items(str(decks), str(tmp_path))
    }
    assert pairs == {
        (str(decks / name), str(tmp_path / name)) for name in ("alpha.pptx", "more/delta.pptx")
    }


def test_a_choice_is_a_source_without_what_was_refused(decks: Path, tmp_path: Path) -> None:
    one, two, three = files(decks)[:3]
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        for path in (one, two):
            archive.write(path, f"in/{path.name}")
    with tarfile.open(tmp_path / "some.tgz", "w:gz") as packed:
        packed.add(two, two.name)
    archives = [f"some.zip!in/{one.name}", f"some.tgz!{two.name}", "some.zip!gone.pptx"]
    rows = [
        {"deck": "not read", "chosen": False},
        {"deck": "other", "path": str(three), "chosen": True, "rank": 1, "facts": {"a": 1}},
        *({"deck": deck, "chosen": True, "license": "cc0"} for deck in archives),
    ]
    chosen = tmp_path / "chosen.jsonl"
    chosen.write_text("\n".join(map(json.dumps, rows)))
    found = list(source_items([str(chosen)]))
    assert [item.name for item in found] == [
        str(three),
        *(f"{tmp_path}/{a}" for a in archives[:1]),
        f"{tmp_path}/some.zip!gone.pptx",
        f"{tmp_path}/{archives[1]}",
    ]
    good = [item for item in found if not item.problem]
    assert contents(iter(good)) == sorted(path.read_bytes() for path in (one, two, three))
    assert [item.problem for item in found if item.problem] == ["is not in its archive"]
    assert found[0].about == {"deck": "other", "chosen": "True", "rank": "1"}
    assert found[1].about["license"] == "cc0"
