"""A data set of decks on disk: tables as folders of Parquet files, each written whole, once.

A part has one file of each table, of the same decks. The file of ``decks`` is written last: a part
without it was never finished, and the next run removes it. So every deck that ``decks`` lists has
all its rows, and no other has any.
"""

import errno
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from decklab.core.errors import SourceError
from decklab.core.files import whole_file, write_whole
from decklab.core.output_folder import FOLDER_MARK, one_run
from decklab.core.version import VERSION
from decklab.workbench.cluster.jobs import TABLES, DeckRows, Job, JobKind
from decklab.workbench.cluster.tables import unpacked

MARK: Final = "dataset.json"
"""The file by which a data set is known."""
_GROUP_ROWS: Final = 50_000


@dataclass(frozen=True)
class Dataset:
    """A data set in its folder."""

    folder: Path
    kind: JobKind

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables, ``decks`` first."""
        return TABLES[self.kind]

    def files(self, table: str) -> list[Path]:
        """The Parquet files of a table, in the order they were written."""
        return sorted((self.folder / table).glob("part-*.parquet"))

    def pattern(self, table: str) -> str:
        """Pattern of a table's files, for DuckDB's ``read_parquet`` and others."""
        return str(self.folder / table / "part-*.parquet")

    def read(self, table: str, columns: Iterable[str] | None = None) -> pa.Table:
        """A table, or some of its columns, in memory; DecklabError if it has no row at all."""
        if not (files := self.files(table)):
            raise SourceError(self.folder, f"has no rows of {table}")
        wanted = None if columns is None else list(columns)
        return pa.concat_tables([parquet.read_table(file, columns=wanted) for file in files])

    def rows(self, table: str, columns: Iterable[str] | None = None) -> Iterator[dict[str, Any]]:
        """The rows of a table, or some of its columns, file by file."""
        wanted = None if columns is None else list(columns)
        for file in self.files(table):
            yield from parquet.read_table(file, columns=wanted).to_pylist()


def open_dataset(folder: str | Path) -> Dataset:
    """The data set in a folder; raises SourceError if there is none."""
    folder = Path(folder)
    try:
        facts = json.loads((folder / MARK).read_bytes())
        return Dataset(folder, next(kind for kind in TABLES if kind == facts["kind"]))
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        detail = "is no data set: make one with decklab score SOURCE --cluster local --out DATASET"
        raise SourceError(folder, detail) from error


@contextmanager
def held_dataset(folder: Path, job: Job, *, fresh: bool = False) -> Iterator[Dataset]:
    """Hold a data set for one run: a new one, or the one of earlier runs of the same kind.

    Unfinished parts of a killed run are removed first; with ``fresh``, everything is. Raises
    FileExistsError for a folder of something else, BlockingIOError if another run has it.
    """
    if folder.is_dir() and not (folder / MARK).exists():
        others = [item for item in folder.iterdir() if item.name != FOLDER_MARK]
        if others:
            detail = "holds other files than a data set; name another folder"
            raise FileExistsError(errno.EEXIST, detail, str(folder))
    with one_run(folder):
        dataset = Dataset(folder, job.kind)
        if (folder / MARK).exists():
            earlier = open_dataset(folder)
            if earlier.kind != job.kind:
                detail = f"is a data set of decklab {earlier.kind}; name another folder"
                raise FileExistsError(errno.EEXIST, detail, str(folder))
        facts = {"kind": job.kind, "decklab": VERSION, "tables": dataset.tables}
        write_whole(folder / MARK, (json.dumps(facts, indent=2) + "\n").encode())
        _tidy(dataset, fresh=fresh)
        yield dataset


def _tidy(dataset: Dataset, *, fresh: bool) -> None:
    if fresh:
        for file in dataset.files("decks"):
            file.unlink()
    finished = {file.name for file in dataset.files("decks")}
    for table in dataset.tables[1:]:
        for file in dataset.files(table):
            if file.name not in finished:
                file.unlink()
    for table in dataset.tables:
        for left in (dataset.folder / table).glob(".*.part"):
            left.unlink(missing_ok=True)


def finished_keys(dataset: Dataset) -> set[bytes]:
    """The keys of the decks that need no more work."""
    return {bytes.fromhex(row["key"]) for row in dataset.rows("decks", ["key"]) if row["key"]}


def write_part(dataset: Dataset, rows: Iterable[DeckRows]) -> None:
    """Write the rows of some decks as the next part; OSError if they cannot be written."""
    files = dataset.files("decks")
    number = 1 + (int(files[-1].stem.removeprefix("part-")) if files else 0)
    tables: dict[str, list[pa.Table]] = defaultdict(list)
    for deck in rows:
        for name, data in deck.tables.items():
            tables[name].append(unpacked(data))
    name = f"part-{number:07d}.parquet"
    for table in reversed(dataset.tables):
        if tables[table]:
            _write(dataset.folder / table / name, pa.concat_tables(tables[table]))


def _write(path: Path, table: pa.Table) -> None:
    with whole_file(path) as unfinished:
        parquet.write_table(table, unfinished, compression="zstd", row_group_size=_GROUP_ROWS)


def drop_replaced(dataset: Dataset) -> int:
    """Remove the rows of decks that a later part has anew; returns how many there were.

    It may be stopped anywhere, and is then done by the next run.
    """
    last: dict[str, str] = {}
    for file in dataset.files("decks"):
        for deck in parquet.read_table(file, columns=["deck"])["deck"].to_pylist():
            last[deck] = file.name
    dropped = 0
    for file in dataset.files("decks"):
        decks = parquet.read_table(file, columns=["deck"])["deck"].to_pylist()
        if old := [deck for deck in decks if last[deck] != file.name]:
            dropped += len(old)
            _drop(dataset, file.name, old, everything=len(old) == len(decks))
    return dropped


def _drop(dataset: Dataset, part: str, decks: list[str], *, everything: bool) -> None:
    if everything:
        for table in dataset.tables:  # decks first: what is left is then an unfinished part
            (dataset.folder / table / part).unlink(missing_ok=True)
        return
    values = pa.array(decks)
    for table in reversed(dataset.tables):
        if (path := dataset.folder / table / part).exists():
            rows = parquet.read_table(path)
            _write(path, rows.filter(pc.invert(pc.is_in(rows["deck"], value_set=values))))


def counts(dataset: Dataset) -> Mapping[str, int]:
    """How many decks have each status."""
    totals: dict[str, int] = defaultdict(int)
    for row in dataset.rows("decks", ["status"]):
        totals[row["status"]] += 1
    return dict(totals)
