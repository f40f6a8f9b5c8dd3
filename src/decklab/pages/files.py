"""Results for other programs, as JSON, Parquet and CSV, written deck by deck."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from io import RawIOBase, StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TextIO, cast

from decklab.core.files import whole_file
from decklab.core.results import DeckResult, Measurement
from decklab.pages.wording import clean, storable

if TYPE_CHECKING:
    from arro3.core import RecordBatch, Schema
    from typing_extensions import Buffer

_JSON_FIELDS: Final = (
    "metric", "slide", "value", "unit", "status", "reason", "direction", "version",
)  # fmt: skip


def write_json(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write ``{"decks": [...]}`` to ``path`` in strict JSON, one deck a line.

    A deck has ``deck``, ``status``, ``error``, ``slides``, ``measurements`` and ``findings``,
    ``converted`` if LibreOffice converted it, and ``unseen`` if something of it does not count; a
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


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV, each ended by a line feed."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


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
        **({"converted": result.converted} if result.converted else {}),
        **({"unseen": result.unseen} if result.unseen else {}),
    }


def _fields(row: Measurement, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


PARQUET_COLUMNS: Final = {
    "deck": "string", "metric": "string", "slide": "int32", "value": "float64", "unit": "string",
    "direction": "string", "status": "string", "reason": "string", "evidence": "string",
    "version": "string",
}  # fmt: skip
"""Columns of ``results.parquet`` and their Arrow types; ``evidence`` is JSON."""

CSV_COLUMNS: Final = tuple(name for name in PARQUET_COLUMNS if name != "evidence")

_NEVER_NULL: Final = frozenset({"deck", "status"})
_GROUP_ROWS: Final = 10_000  # A few megabytes with evidence: small in memory, large enough to scan.


def _schema() -> Schema:
    from arro3.core import DataType, Field, Schema  # noqa: PLC0415 - only the end of a run needs it

    return Schema(
        [
            Field(name, getattr(DataType, kind)(), nullable=name not in _NEVER_NULL)
            for name, kind in PARQUET_COLUMNS.items()
        ]
    )


def write_parquet(path: str | Path, results: Iterable[DeckResult]) -> None:
    """Write the ``result_rows`` to ``path`` with PARQUET_COLUMNS, in row groups.

    Every deck is in the file, and ``metric IS NOT NULL`` gives the measurements alone. The same
    results give the same bytes. At most one row group is in memory. Raises OSError if the disk
    is full, and whatever ``results`` raises.
    """
    from arro3 import io  # noqa: PLC0415
    from arro3.core import RecordBatchReader  # noqa: PLC0415

    schema = _schema()
    rows = map(_arrow_row, result_rows(results, PARQUET_COLUMNS))
    with whole_file(path) as unfinished, unfinished.open("wb", buffering=0) as stream:
        held = _HeldErrors(stream)
        batches = held.through(_record_batch(batch, schema) for batch in _batches(rows))
        reader = RecordBatchReader.from_batches(schema, batches)
        io.write_parquet(
            reader, cast(IO[bytes], held), compression="zstd(1)", max_row_group_size=_GROUP_ROWS
        )
        held.check()


class _HeldErrors(RawIOBase):
    """Keeps errors of a stream, and of what is written to it, until the writer is done.

    If a write fails, arro3 raises a Rust panic, which no ``except Exception`` catches; and it
    gives what an iterator raises another type.
    """

    def __init__(self, stream: RawIOBase) -> None:
        self._stream = stream
        self._error: BaseException | None = None

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Buffer, /) -> int:
        """All of ``data``, or nothing more once an error is held."""
        whole = memoryview(data)
        left = whole
        try:
            while left and self._error is None:
                left = left[self._stream.write(left) or 0 :]
        except OSError as error:
            self._error = error
        return len(whole)

    def through(self, batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
        """The batches, up to the first error."""
        try:
            for batch in batches:
                if self._error is not None:
                    return
                yield batch
        except BaseException as error:  # noqa: BLE001 - raised again by check()
            self._error = error

    def check(self) -> None:
        """Raises the error that is held, if there is one."""
        if self._error is not None:
            raise self._error


def _record_batch(rows: list[dict[str, Any]], schema: Schema) -> RecordBatch:
    from arro3.core import Array, RecordBatch  # noqa: PLC0415

    columns = [Array([row[name] for row in rows], schema.field(name)) for name in PARQUET_COLUMNS]
    return RecordBatch.from_arrays(columns, schema=schema)


def result_batch(results: Iterable[DeckResult]) -> RecordBatch:
    """The ``result_rows`` with PARQUET_COLUMNS, in memory; Arrow libraries take it as it is."""
    rows = map(_arrow_row, result_rows(results, PARQUET_COLUMNS))
    return _record_batch(list(rows), _schema())


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

    ``slide`` is empty for the deck as a whole, ``value`` if it was not scored. Text is cleaned
    of control characters. Open a file for it with ``newline=""``.
    """
    writer = csv.DictWriter(stream, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in result_rows(results):
        writer.writerow(
            {k: clean(cell) if isinstance(cell, str) else cell for k, cell in row.items()}
        )
