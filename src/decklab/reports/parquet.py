"""Results for other programs as Parquet, written deck by deck, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from decklab.files import whole_file
from decklab.reports.files import strict_json
from decklab.reports.wording import storable
from decklab.results import DeckResult

if TYPE_CHECKING:
    import pyarrow as pa

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

_NEVER_NULL: Final = frozenset({"deck", "status"})
_GROUP_ROWS: Final = 10_000  # A few megabytes with evidence: small in memory, large enough to scan.


def _schema() -> pa.Schema:
    import pyarrow as pa  # noqa: PLC0415 - slow to load, and only the end of a run needs it

    return pa.schema(
        pa.field(name, pa.type_for_alias(alias), nullable=name not in _NEVER_NULL)
        for name, alias in PARQUET_COLUMNS.items()
    )


def write_parquet(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write one row per measurement to ``path`` with PARQUET_COLUMNS, in row groups.

    A deck without any measurement, such as one that could not be read, is one row without a
    metric: its status is the deck's (``failed``), its reason the error. So every deck is in the
    file, and ``metric IS NOT NULL`` gives the measurements alone. The same results give the same
    bytes. Not more than a row group is held in memory.
    """
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    schema = _schema()
    with (
        whole_file(path) as unfinished,
        parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for rows in _batches(_rows(results)):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


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
                "evidence": storable(strict_json(row.evidence)),
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
