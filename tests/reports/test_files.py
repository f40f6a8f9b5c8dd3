import json
import re
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from decklab.reports.files import write_json
from decklab.reports.parquet import write_parquet
from decklab.results import DeckResult

ResultMaker = Callable[..., DeckResult]
WRITERS = pytest.mark.parametrize("write", [write_json, write_parquet])


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def test_json_has_the_documented_shape(
    tmp_path: Path, scored: ResultMaker, failed: DeckResult
) -> None:
    result = scored(slides=8)
    write_json(tmp_path / "results.json", iter([result, failed]))
    read = json.loads((tmp_path / "results.json").read_text("utf-8"), parse_constant=refuse)
    assert list(read) == ["decks"]
    first, second = read["decks"]
    assert {"deck", "status", "error", "slides", "measurements"} <= set(first)
    assert (first["status"], first["error"], first["slides"]) == ("scored", None, 8)
    assert (second["status"], second["error"]) == ("failed", failed.error)
    assert second["measurements"] == []
    for record, row in zip(first["measurements"], result.measurements, strict=True):
        assert (record["metric"], record["slide"], record["value"], record["unit"]) == (
            row.metric, row.slide, row.value, row.unit,
        )  # fmt: skip
        assert (record["status"], record["reason"]) == (row.status, row.reason)
    assert first["findings"][0]["box"] == [40, 120, 300, 150]


def test_nothing_at_all_is_a_valid_file(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", [])
    write_parquet(tmp_path / "a.parquet", [])
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == {"decks": []}
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0


@WRITERS
def test_the_same_results_give_the_same_bytes(
    tmp_path: Path, scored: ResultMaker, write: Callable[..., None]
) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, [scored(slides=8), scored(deck="other.pptx")])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@WRITERS
def test_a_file_appears_whole_or_not_at_all(
    tmp_path: Path, scored: ResultMaker, write: Callable[..., None]
) -> None:
    def interrupted() -> Iterator[DeckResult]:
        yield scored()
        raise KeyboardInterrupt

    target = tmp_path / "out"
    target.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt):
        write(target, interrupted())
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


@WRITERS
def test_any_deck_text_can_be_written_and_read(
    tmp_path: Path, hostile: DeckResult, write: Callable[..., None]
) -> None:
    write(tmp_path / "out", [hostile])
    if write is write_json:
        (deck,) = json.loads((tmp_path / "out").read_text("utf-8"))["decks"]
        names = [deck["deck"], deck["measurements"][1]["metric"], deck["findings"][0]["message"]]
    else:
        rows = pq.read_table(tmp_path / "out").to_pylist()
        names = [rows[0]["deck"], rows[1]["metric"], rows[1]["reason"]]
    wanted = [hostile.deck, *[hostile.measurements[1].metric] * 2]
    assert names == [re.sub("[\ud800-\udfff]", "\ufffd", text) for text in wanted]


@WRITERS
def test_no_more_than_one_result_is_held_at_a_time(
    tmp_path: Path, scored: ResultMaker, write: Callable[..., None]
) -> None:
    seen: list[weakref.ref[DeckResult]] = []

    def results() -> Iterator[DeckResult]:
        for i in range(20):
            assert sum(ref() is not None for ref in seen) <= 1
            result = scored(deck=f"{i}.pptx", slides=2)
            seen.append(weakref.ref(result))
            yield result
            del result

    write(tmp_path / "out", results())
    assert len(seen) == 20
