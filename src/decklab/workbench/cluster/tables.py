"""The tables of a data set of decks, and their rows as Arrow tables; small fingerprints of a deck's
words and pictures, which find near-duplicates.

``decks`` has one row a deck, also of one that could not be read. ``measurements`` has the columns
of ``results.parquet``. All others name their deck in the column ``deck``.

Words: MinHash of overlapping runs of letters (A. Broder, "On the resemblance and containment of
documents", 1997), which needs no spaces between words. Pictures: 64-bit difference hashes (N.
Krawetz, "Kind of like that", 2013), read from a reduced decoding: a deck of photographs takes
milliseconds. They stay equal when a program stores a picture anew.
"""

import io
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

import cv2
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from decklab.core.results import Finding
from decklab.pages.files import strict_json
from decklab.pages.wording import storable

Signature = NDArray[np.uint32]
"""128 numbers; two decks agree in a share of them that estimates the share of common runs."""

HASHES: Final = 128
"""Numbers of a signature. Ours: the estimate's standard error is at most 0.044."""
RUN: Final = 9
"""Letters and digits of a run, about two words. After J. Leskovec and others, Mining of Massive
Datasets, section 3.2.2, which takes 9 for longer texts."""
FEWEST_LETTERS: Final = 40
"""With fewer letters and digits a deck has no signature. Ours: one short title would decide."""
LEAST_SIDE: Final = 48
"""Pixels of the shorter side from which a picture has a hash. Ours: icons are like each other."""
_LEAST_SPREAD: Final = 8.0
"""Grey levels by which a picture must vary, as a standard deviation. Ours: plain ones are alike."""
_PRIME: Final = 4_294_967_311
_SEED: Final = 20_240_607
_LETTERS: Final = re.compile(r"[^\W_]+")


def signature(text: str) -> Signature | None:
    """The signature of a text; None if it has fewer than ``FEWEST_LETTERS``.

    >>> signature("too little") is None
    True
    """
    letters = "".join(_LETTERS.findall(text.casefold()))
    if len(letters) < FEWEST_LETTERS:
        return None
    runs = {letters[start : start + RUN] for start in range(len(letters) - RUN + 1)}
    hashed = np.fromiter((crc32(run.encode()) for run in runs), np.uint64, len(runs))
    scales, shifts = _permutations()
    smallest = np.full(HASHES, np.iinfo(np.uint32).max, np.uint64)
    for start in range(0, len(hashed), _AT_ONCE):
        piece = hashed[start : start + _AT_ONCE, None]
        values = (piece * scales + shifts) % np.uint64(_PRIME)
        smallest = np.minimum(smallest, values.min(axis=0))
    return smallest.astype(np.uint32)


_AT_ONCE: Final = 4096


@lru_cache(maxsize=1)
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Scale and shift of each hash function; products stay below 2**64."""
    random = np.random.default_rng(_SEED)
    scales = random.integers(1, 2**31, HASHES, dtype=np.uint64)
    return scales, random.integers(0, 2**31, HASHES, dtype=np.uint64)


def resemblance(first: Signature, other: Signature) -> float:
    """The estimated share of runs that two texts have in common, 0 to 1."""
    return float(np.mean(first == other))


def picture_code(data: bytes) -> int | None:
    """The 64-bit difference hash of a picture file; None if it is small, plain or unreadable."""
    if not data:
        return None
    flags = cv2.IMREAD_REDUCED_GRAYSCALE_2 if len(data) > _LARGE else cv2.IMREAD_GRAYSCALE
    try:
        grey = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    if grey is None or min(grey.shape) < LEAST_SIDE or float(np.std(grey)) < _LEAST_SPREAD:
        return None
    small = cv2.resize(grey, (9, 8), interpolation=cv2.INTER_AREA)
    bits = np.packbits(small[:, 1:] > small[:, :-1])
    return int.from_bytes(bits.tobytes(), "big")


_LARGE: Final = 200_000


def bits_apart(first: int, other: int) -> int:
    """In how many bits two codes differ.

    >>> bits_apart(0b1010, 0b0110)
    2
    """
    return (first ^ other).bit_count()


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
    boxes = ((item, None if item.box is None else list(item.box)) for item in findings)
    return [
        {**item.model_dump(), "deck": deck, "slides": list(item.slides), "box": box}
        for item, box in boxes
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
