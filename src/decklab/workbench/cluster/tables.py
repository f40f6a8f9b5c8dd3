"""The tables of a data set of decks, and their rows as Arrow tables.

``decks`` has one row a deck, also of one that could not be read. ``measurements`` has the columns
of ``results.parquet``. All others name their deck in the column ``deck``.
"""

import io
from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

from decklab.core.results import Finding
from decklab.pages.files import strict_json
from decklab.pages.wording import storable

DECKS: Final = pa.schema(
    [
        pa.field("deck", pa.string(), nullable=False),
        ("before", pa.string()),
        ("sha256", pa.string()),
        ("bytes", pa.int64()),
        ("kind", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        ("error", pa.string()),
        ("note", pa.string()),
        ("attempts", pa.int32()),
        ("seconds", pa.float64()),
        ("drawn_with", pa.string()),
        ("about", pa.string()),
        ("slides", pa.int32()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("application", pa.string()),
        ("created", pa.string()),
        ("modified", pa.string()),
        ("properties", pa.string()),
        ("language", pa.string()),
        ("theme", pa.string()),
        ("fonts", pa.list_(pa.string())),
        ("width_pt", pa.float64()),
        ("height_pt", pa.float64()),
        ("titled", pa.int32()),
        ("noted", pa.int32()),
        ("words", pa.int32()),
        ("pictures", pa.int32()),
        ("charts", pa.int32()),
        ("tables", pa.int32()),
        ("diagrams", pa.int32()),
        ("media", pa.int32()),
        ("problems", pa.int32()),
        ("text_signature", pa.binary()),
        ("picture_codes", pa.list_(pa.uint64())),
        ("key", pa.string()),
    ]
)
"""``about`` and ``properties`` are JSON: facts from the source and the file. ``titled`` and
``noted`` count slides; ``note`` says what could not be done of a deck that is done; ``key`` is
empty if the next run tries again."""

SLIDES: Final = pa.schema(
    [
        ("deck", pa.string()),
        ("slide", pa.int32()),
        ("title", pa.string()),
        ("layout", pa.string()),
        ("hidden", pa.bool_()),
        ("text", pa.string()),
        ("notes", pa.string()),
        *((name, pa.int32()) for name in (
            "words", "pictures", "charts", "tables", "diagrams", "media", "shapes", "animations",
        )),
    ]
)  # fmt: skip

FINDINGS: Final = pa.schema(
    [
        ("deck", pa.string()),
        ("rule", pa.string()),
        ("severity", pa.string()),
        ("message", pa.string()),
        ("slide", pa.int32()),
        ("slides", pa.list_(pa.int32())),
        ("shape", pa.string()),
        ("box", pa.list_(pa.float64())),
        ("measured", pa.float64()),
        ("threshold", pa.float64()),
        ("fix", pa.string()),
    ]
)

ELEMENTS: Final = pa.schema(
    [
        ("deck", pa.string()),
        ("slide", pa.int32()),
        ("id", pa.int64()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("box", pa.list_(pa.float64())),
        ("text", pa.string()),
        ("hidden", pa.bool_()),
    ]
)

CHANGES: Final = pa.schema(
    [
        ("deck", pa.string()),
        ("before", pa.string()),
        ("slide", pa.int32()),
        ("element", pa.string()),
        ("kind", pa.string()),
        ("property", pa.string()),
        ("old", pa.string()),
        ("new", pa.string()),
        ("noise", pa.bool_()),
        ("part", pa.string()),
        ("path", pa.string()),
        ("rule", pa.string()),
    ]
)
"""``element``, ``old`` and ``new`` are JSON."""


def arrow_table(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table; columns that a row lacks are null, what no column takes is left out."""
    names = schema.names
    return pa.Table.from_pylist(
        [{name: _cell(row.get(name), schema.field(name)) for name in names} for row in rows],
        schema=schema,
    )


def _cell(value: Any, field: pa.Field) -> Any:
    if value is None:
        return None
    if pa.types.is_string(field.type):
        return storable(value) if isinstance(value, str) else strict_json(value)
    if pa.types.is_list(field.type) and pa.types.is_string(field.type.value_type):
        return [storable(item) for item in value]
    return value


def finding_rows(deck: str, findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The findings of a deck as rows of ``FINDINGS``."""
    return [
        {
            **item.model_dump(),
            "deck": deck,
            "slides": list(item.slides),
            "box": None if item.box is None else list(item.box),
        }
        for item in findings
    ]


def packed(table: pa.Table) -> bytes:
    """A table as bytes, compressed, to be sent from one process to another."""
    target = io.BytesIO()
    with pa.ipc.new_stream(
        target, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")
    ) as writer:
        writer.write_table(table)
    return target.getvalue()


def unpacked(data: bytes) -> pa.Table:
    """The table that ``packed`` gave as bytes."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()
