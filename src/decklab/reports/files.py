"""Results for other programs, as JSON, Parquet and CSV, written deck by deck."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from decklab.files import whole_file
from decklab.reports.wording import clean, storable
from decklab.results import DeckResult, Measurement

if TYPE_CHECKING:
    import pyarrow as pa

_JSON_FIELDS: Final = (
    "metric", "slide", "value", "unit", "status", "reason", "direction", "version",
)  # fmt: skip


def write_json(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write ``{"decks": [...]}`` to ``path`` in strict JSON, one deck a line.

    A deck has ``deck``, ``status``, ``error``, ``slides``, ``measurements`` and ``findings``; a
    measurement ``metric``, ``slide``, ``value``, ``unit``, ``status``, ``reason``, ``direction``
    and ``version``. Evidence is only in the Parquet file, where it can be read in part. Only one
    deck at a time is in memory.
    """
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8") as stream:
        print_json(results, stream)


def print_json(results: Iterable[DeckResult], stream: TextIO) -> None:
    """Write to ``stream`` what ``write_json`` writes to a file."""
    stream.write('{"decks": [')
    separator = "\n"
    for result in results:
        stream.write(separator + strict_json(_deck_record(result)))
        separator = ",\n"
    stream.write("\n]}\n")


def strict_json(value: object) -> str:
    """One line of JSON that any reader takes: no NaN, no half of a surrogate pair."""
    return storable(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _deck_record(result: DeckResult) -> dict[str, Any]:
    return {
        "deck": result.deck,
        "status": result.status,
        "error": result.error,
        "slides": result.slides,
        "measurements": [_fields(row, _JSON_FIELDS) for row in result.measurements],
        "findings": [finding.model_dump() for finding in result.findings],
    }


def _fields(row: Measurement, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


PARQUET_COLUMNS: Final = {
    "deck": "string",
    "metric": "string",
    "slide": "int32",
    "value": "float64",
    "unit": "string",
    "direction": "string",
    "status": "string",
    "reason": "string",
    "evidence": "string",
    "version": "string",
}
"""Columns of ``results.parquet`` and their Arrow types; ``evidence`` is JSON."""

CSV_COLUMNS: Final = tuple(name for name in PARQUET_COLUMNS if name != "evidence")

_NEVER_NULL: Final = frozenset({"deck", "status"})
_GROUP_ROWS: Final = 10_000  # A few megabytes with evidence: small in memory, large enough to scan.


def _schema() -> pa.Schema:
    import pyarrow as pa  # noqa: PLC0415 - slow to load, and only the end of a run needs it

    return pa.schema(
        pa.field(name, pa.type_for_alias(alias), nullable=name not in _NEVER_NULL)
        for name, alias in PARQUET_COLUMNS.items()
    )


def write_parquet(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write the ``result_rows`` to ``path`` with PARQUET_COLUMNS, in row groups.

    Every deck is in the file, and ``metric IS NOT NULL`` gives the measurements alone. The same
    results give the same bytes. At most one row group is in memory.
    """
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema()
    with (
        whole_file(path) as unfinished,
        parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for rows in _batches(map(_arrow_row, result_rows(results, PARQUET_COLUMNS))):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def result_table(results: Iterable[DeckResult]) -> pa.Table:
    """The ``result_rows`` as a table with PARQUET_COLUMNS, in memory."""
    import pyarrow as pa  # noqa: PLC0415

    rows = map(_arrow_row, result_rows(results, PARQUET_COLUMNS))
    return pa.Table.from_pylist(list(rows), schema=_schema())


def result_rows(
    results: Iterable[DeckResult], columns: Iterable[str] = CSV_COLUMNS
) -> Iterator[dict[str, Any]]:
    """One row a measurement, with ``columns`` of PARQUET_COLUMNS, ``deck`` first.

    A deck without any measurement, such as one that could not be read, is one row without a
    metric: its status is the deck's (``failed``), its reason the error.
    """
    names = tuple(columns)
    for result in results:
        for row in result.measurements:
            yield {"deck": result.deck} | _fields(row, names[1:])
        if not result.measurements:
            known = {"deck": result.deck, "status": result.status, "reason": result.error}
            yield {name: known.get(name) for name in names}


def _arrow_row(row: dict[str, Any]) -> dict[str, Any]:
    if row["evidence"] is not None:
        row["evidence"] = strict_json(row["evidence"])
    return {name: storable(cell) if isinstance(cell, str) else cell for name, cell in row.items()}


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _GROUP_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def print_csv(results: Iterable[DeckResult], stream: TextIO) -> None:
    """Write the ``result_rows`` as CSV, with CSV_COLUMNS as header.

    ``slide`` is empty for the deck as a whole, ``value`` where it was not scored. Text is cleaned
    of control characters. A file is to be opened with ``newline=""``.
    """
    writer = csv.DictWriter(stream, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in result_rows(results):
        writer.writerow(
            {k: clean(cell) if isinstance(cell, str) else cell for k, cell in row.items()}
        )
