"""Parquet as other programs read it; what it shares with JSON is tested in ``test_files``."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from decklab.reports.parquet import PARQUET_COLUMNS, write_parquet
from decklab.results import DeckResult, Measurement

ResultMaker = Callable[..., DeckResult]


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


def test_arrow_is_loaded_only_to_write() -> None:
    program = "import sys, decklab.reports; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
