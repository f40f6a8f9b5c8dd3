"""The tables of a data set as views of DuckDB, which reads them from disk as it needs them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from decklab.core.errors import SourceError
from decklab.workbench.cluster.dataset import Dataset, open_dataset


@contextmanager
def corpus_tables(folder: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which every table of the data set is a view of its name.

    Tables that the data set does not have are not there. Raises SourceError where there is no data
    set, or one without any deck.
    """
    dataset = open_dataset(folder)
    if not dataset.files("decks"):
        raise SourceError(folder, "has no deck yet")
    with duckdb.connect() as connection:
        for table in dataset.tables:
            if dataset.files(table):
                path = dataset.pattern(table).replace("'", "''")
                connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{path}', "
                    "union_by_name = true)"
                )
        yield connection


def has_table(folder: str | Path, table: str) -> bool:
    """Whether a data set has rows of a table."""
    dataset: Dataset = open_dataset(folder)
    return table in dataset.tables and bool(dataset.files(table))


def records(
    connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | None = None
) -> list[dict[str, Any]]:
    """The rows that a query gives, each by column."""
    found = connection.execute(query, values or [])
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
