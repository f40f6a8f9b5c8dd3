"""Results for other programs: JSON and Parquet, written deck by deck, whole or not at all."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from decklab.files import whole_file
from decklab.reports.wording import storable
from decklab.results import DeckResult, Finding, Measurement

__all__ = ["PARQUET_SCHEMA", "write_json", "write_parquet"]

PARQUET_SCHEMA: Final = pa.schema(
    [
        pa.field("deck", pa.string(), nullable=False),
        pa.field("metric", pa.string()),
        pa.field("slide", pa.int32()),
        pa.field("value", pa.float64()),
        pa.field("unit", pa.string()),
        pa.field("direction", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("evidence", pa.string()),
        pa.field("version", pa.string()),
    ]
)
"""Columns of ``results.parquet``; ``evidence`` is JSON."""

_GROUP_ROWS: Final = 10_000  # A few megabytes with evidence: small in memory, large enough to scan.


def write_json(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write ``{"decks": [...]}`` to ``path`` in strict JSON, one deck a line.

    A deck has ``deck``, ``status``, ``error``, ``slides``, ``measurements`` and ``findings``; a
    measurement ``metric``, ``slide``, ``value``, ``unit``, ``status``, ``reason``, ``direction``
    and ``version``. Evidence is left to Parquet, where it can be read in part. Only one deck at a
    time is held in memory.
    """
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as stream:
        stream.write('{"decks": [')
        separator = "\n"
        for result in results:
            stream.write(separator + _json(_deck_record(result)))
            separator = ",\n"
        stream.write("\n]}\n")


def _json(value: object) -> str:
    return storable(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _deck_record(result: DeckResult) -> dict[str, Any]:
    return {
        "deck": result.deck,
        "status": result.status,
        "error": result.error,
        "slides": result.slides,
        "measurements": [_measurement_record(row) for row in result.measurements],
        "findings": [_finding_record(finding) for finding in result.findings],
    }


def _measurement_record(row: Measurement) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "slide": row.slide,
        "value": row.value,
        "unit": row.unit,
        "status": row.status,
        "reason": row.reason,
        "direction": row.direction,
        "version": row.version,
    }


def _finding_record(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "slide": finding.slide,
        "shape": finding.shape,
        "box": None if finding.box is None else list(finding.box),
        "measured": finding.measured,
        "threshold": finding.threshold,
        "fix": finding.fix,
    }


def write_parquet(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write one row per measurement to ``path`` under PARQUET_SCHEMA, in row groups.

    A deck without any measurement, such as one that could not be read, is one row without a
    metric: its status is the deck's (``failed``), its reason the error. So every deck is in the
    file, and ``metric IS NOT NULL`` gives the measurements alone. The same results give the same
    bytes. Not more than a row group is held in memory.
    """
    with (
        whole_file(path) as unfinished,
        pq.ParquetWriter(unfinished, PARQUET_SCHEMA, compression="zstd") as writer,
    ):
        for rows in _batches(_rows(results)):
            writer.write_table(pa.Table.from_pylist(rows, schema=PARQUET_SCHEMA))


def _rows(results: Iterable[DeckResult]) -> Iterator[dict[str, Any]]:
    for result in results:
        deck = storable(result.deck)
        for row in result.measurements:
            yield {
                "deck": deck,
                "metric": storable(row.metric),
                "slide": row.slide,
                "value": row.value,
                "unit": storable(row.unit),
                "direction": row.direction,
                "status": row.status,
                "reason": None if row.reason is None else storable(row.reason),
                "evidence": storable(_json(row.evidence)),
                "version": storable(row.version),
            }
        if not result.measurements:
            error = None if result.error is None else storable(result.error)
            yield {"deck": deck, "status": result.status, "reason": error}


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _GROUP_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch
