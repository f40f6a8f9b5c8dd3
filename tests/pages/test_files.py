"""Results as other programs read them: JSON, Parquet and CSV."""

import csv
import io
import json
import re
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from decklab.core.results import DeckResult, Measurement
from decklab.pages.files import CSV_COLUMNS, PARQUET_COLUMNS, print_csv, write_json, write_parquet
from decklab.pages.wording import clean

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


def test_parquet_has_one_row_per_measurement(
    tmp_path: Path, scored: ResultMaker, failed: DeckResult
) -> None:
    result = scored(slides=8)
    write_parquet(tmp_path / "results.parquet", iter([result, failed]))
    table = pq.read_table(tmp_path / "results.parquet")
    assert table.schema.names == list(PARQUET_COLUMNS)
    assert (table.schema.field("slide").type, table.schema.field("value").type) == (
        pa.int32(), pa.float64(),
    )  # fmt: skip
    assert [field.name for field in table.schema if not field.nullable] == ["deck", "status"]
    *rows, last = table.to_pylist()
    for record, row in zip(rows, result.measurements, strict=True):
        assert (record["deck"], record["metric"]) == (result.deck, row.metric)
        assert (record["slide"], record["value"]) == (row.slide, row.value)
        assert (record["status"], record["reason"]) == (row.status, row.reason)
        assert json.loads(record["evidence"]) == row.evidence
    assert (last["deck"], last["status"]) == (failed.deck, "failed")
    assert (last["metric"], last["reason"]) == (None, failed.error)


def test_parquet_is_written_in_row_groups_as_results_come(tmp_path: Path) -> None:
    rows = tuple(Measurement.of("m", float(i), slide=i + 1) for i in range(1000))
    made = 0

    def results() -> Iterator[DeckResult]:
        nonlocal made
        for i in range(45):
            made += 1
            yield DeckResult(deck=f"{i}", status="scored", slides=1000, measurements=rows)

    write_parquet(tmp_path / "out", results())
    groups = pq.ParquetFile(tmp_path / "out").metadata
    assert made == 45
    assert groups.num_rows == 45_000
    assert groups.num_row_groups == 5


def test_what_results_raise_is_raised(tmp_path: Path, failed: DeckResult) -> None:
    def results() -> Iterator[DeckResult]:
        yield failed
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        write_parquet(tmp_path / "out", results())
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    program = """
import resource, signal, sys
from decklab.pages.files import write_parquet
from decklab.core.results import DeckResult, Measurement
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
rows = tuple(Measurement.of("m", i**0.5, slide=i + 1) for i in range(30_000))
try:
    write_parquet(sys.argv[1], [DeckResult(deck="a", status="scored", slides=1, measurements=rows)])
except OSError as error:
    print(error.strerror)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "out")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "File too large\n", "")
    assert not list(tmp_path.iterdir())


def test_arrow_is_loaded_only_to_write() -> None:
    program = "import sys, decklab.scoring.reports; sys.exit('arro3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_csv_has_one_line_per_measurement(scored: ResultMaker, failed: DeckResult) -> None:
    result = scored(slides=8)
    stream = io.StringIO(newline="")
    print_csv([result, failed], stream)
    lines = list(csv.DictReader(io.StringIO(stream.getvalue(), newline="")))
    assert tuple(lines[0]) == CSV_COLUMNS
    assert len(lines) == len(result.measurements) + 1
    for line, row in zip(lines, result.measurements, strict=False):
        assert (line["deck"], line["metric"]) == (result.deck, row.metric)
        assert line["slide"] == ("" if row.slide is None else str(row.slide))
        assert (float(line["value"]) if line["value"] else None) == row.value
        assert line["reason"] == (row.reason or "")
        assert line["status"] == row.status
    assert lines[-1]["status"] == "failed"
    assert lines[-1]["reason"] == failed.error
    assert lines[-1]["metric"] == ""


def test_csv_survives_quotes_separators_and_control_characters(hostile: DeckResult) -> None:
    stream = io.StringIO(newline="")
    print_csv([hostile], stream)
    stream.getvalue().encode("utf-8")
    lines = list(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    assert {len(line) for line in lines} == {len(CSV_COLUMNS)}
    assert lines[1][0] == clean(hostile.deck)
    assert lines[1][4] == clean(hostile.measurements[0].unit)
