"""Results as rows: a table in a notebook, a data frame, an Arrow table."""

from collections.abc import Iterator, Mapping
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra

if TYPE_CHECKING:
    import pyarrow

_MOST_ROWS = 200
"""Rows that a notebook shows. Ours: more would hide what comes after the table."""
_STYLE = "text-align:left;vertical-align:top;max-width:40em;overflow-wrap:anywhere"


class Tabular:
    """A result that has rows. Subclasses define ``records()``."""

    def records(self) -> Iterator[Mapping[str, Any]]:
        """The rows, each by column; every row has the same columns."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """The rows as a pandas data frame; raises Unavailable without pandas."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError as error:
            raise Unavailable(needs_extra("a data frame", "notebook")) from error
        return pandas.DataFrame(list(self.records()))

    def to_arrow(self) -> "pyarrow.Table":
        """The rows as an Arrow table, which Polars, DuckDB and pandas take.

        Raises Unavailable without pyarrow.
        """
        try:
            pyarrow = import_module("pyarrow")
        except ModuleNotFoundError as error:
            raise Unavailable(needs_extra("an Arrow table", "notebook")) from error
        return pyarrow.Table.from_pylist([dict(row) for row in self.records()])

    def summary(self) -> Iterator[Mapping[str, Any]]:
        """The table that a notebook shows: the rows, or fewer that say the same."""
        return self.records()

    def _repr_html_(self) -> str:
        rows = list(self.summary())
        if not rows:
            return f"<p>{escape(type(self).__name__)}: nothing</p>"
        head = "".join(f'<th style="{_STYLE}">{escape(str(name))}</th>' for name in rows[0])
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[:_MOST_ROWS])
        more = len(rows) - _MOST_ROWS
        note = f"<p>{more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cells(row: Mapping[str, Any]) -> str:
    return "".join(f'<td style="{_STYLE}">{_shown(value)}</td>' for value in row.values())


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return escape(f"{value:.4g}" if isinstance(value, float) else str(value))
