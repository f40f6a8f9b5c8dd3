"""Tables of results as text for a terminal, and as Markdown, LaTeX, CSV and Parquet."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyarrow
from pyarrow import parquet

from decklab.core.files import whole_file, write_whole
from decklab.core.results import value_or_none
from decklab.evals.results.comparing import SystemDifference
from decklab.evals.results.means import METHOD, MeanOf
from decklab.evals.results.tables import PLACES, ResultColumn, ResultRow, ResultTable
from decklab.pages.files import csv_text
from decklab.pages.wording import clean_line, shorten

TABLES: Final = "tables"
"""Folder of the tables, in the folder of a run."""
DIFFERENCES: Final = "differences.csv"
_LONGEST: Final = 24
_DIFFERENCE: Final = (
    "table", "metric", "first", "second", "difference", "low", "high", "units", "p", "corrected_p",
)  # fmt: skip


def table_lines(table: ResultTable) -> Iterator[str]:
    """The lines of a table for a terminal, each row's intervals below its means."""
    grid = [_heads(table), *(line for row in table.rows for line in _two_lines(table, row))]
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    for name, *cells in grid:
        shown = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        yield f"{name:<{widths[0]}}{shown}".rstrip()


def run_lines(tables: Iterable[ResultTable], spent: str) -> Iterator[str]:
    """The tables of a run under their titles, each with an empty line below, and its cost if it
    has any."""
    for table in tables:
        yield table.caption
        yield from table_lines(table)
        yield from filter(None, [table.too_few])
        yield ""
    if spent:
        yield spent


def _heads(table: ResultTable) -> list[str]:
    place = ["Place"] if table.placed else []
    return [table.head, *place, *(column.heading for column in table.columns)]


def _two_lines(table: ResultTable, row: ResultRow) -> Iterator[list[str]]:
    name = shorten(clean_line(row.name), _LONGEST)
    place = [row.place] if table.placed else []
    yield [name, *place, *_cells(table, row)]
    ends = [column.ends(row.cells[column.key]) for column in table.columns]
    if any(ends):
        yield ["  95%", *("" for _ in place), *ends]


def _cells(table: ResultTable, row: ResultRow) -> Iterator[str]:
    for column in table.columns:
        cell = row.cells[column.key]
        count = column.counted(cell)
        yield f"{column.words(cell)} ({count})" if count else column.words(cell)


def table_markdown(table: ResultTable) -> str:
    """A table as Markdown, each interval in brackets behind its mean."""
    heads = _heads(table)
    rules = ["---", *("---:" for _ in heads[1:])]
    rows = [
        [row.name, *([row.place] if table.placed else []), *map(_joined, _pairs(table, row))]
        for row in table.rows
    ]
    grid = "\n".join("| " + " | ".join(map(_plain, line)) + " |" for line in (heads, rules, *rows))
    return f"**{table.caption}**\n\n{grid}\n\n{' '.join(_notes(table))}\n"


def _notes(table: ResultTable) -> Iterator[str]:
    """How to read a table that stands alone."""
    yield METHOD.format(units=table.units)
    if table.differences:
        yield PLACES.format(units=table.units)
        yield from filter(None, [table.too_few])


def _pairs(table: ResultTable, row: ResultRow) -> Iterator[tuple[str, str]]:
    ends = (column.ends(row.cells[column.key]) for column in table.columns)
    return zip(_cells(table, row), ends, strict=True)


def _joined(pair: tuple[str, str]) -> str:
    mean, ends = pair
    return f"{mean} [{ends}]" if ends else mean


def _plain(text: str) -> str:
    return clean_line(text).replace("|", "\\|")


def table_csv(table: ResultTable) -> str:
    """A table as CSV with raw numbers: by column the mean, the ends of its interval and the number
    of values it is of and that were due, and last why means are missing."""
    ends = ("", "_low", "_high", "_scored", "_of")
    columns = [f"{column.key}{end}" for column in table.columns for end in ends]
    return csv_text([[table.head.lower(), "place", *columns, "reasons"], *_csv_rows(table)])


def write_table_parquet(table: ResultTable, path: Path) -> None:
    """The rows of ``table_csv`` as Parquet: a mean that is missing is null, as is its interval."""
    ends = ("mean", "low", "high", "scored", "of")
    rows = [
        {
            table.head.lower(): row.name,
            "place": row.place or None,
            **{
                f"{column.key}_{end}": number
                for column in table.columns
                for end, number in zip(ends, _numbers(row.cells[column.key]), strict=True)
            },
        }
        for row in table.rows
    ]
    kinds = {"mean": pyarrow.float64(), "low": pyarrow.float64(), "high": pyarrow.float64(),
             "scored": pyarrow.int64(), "of": pyarrow.int64()}  # fmt: skip
    fields = [pyarrow.field(table.head.lower(), pyarrow.string()),
              pyarrow.field("place", pyarrow.string())]  # fmt: skip
    fields += [
        pyarrow.field(f"{column.key}_{end}", kinds[end]) for column in table.columns for end in ends
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as unfinished:
        parquet.write_table(
            pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(fields)), unfinished
        )


def _numbers(cell: MeanOf) -> tuple[float | None, ...]:
    """The mean, the ends of its interval, and the counts of a cell."""
    ends = value_or_none(cell.interval) or (None, None)
    return value_or_none(cell.mean), *ends, cell.scored, cell.of


def _csv_rows(table: ResultTable) -> Iterator[Sequence[object]]:
    for row in table.rows:
        cells = [row.cells[column.key] for column in table.columns]
        reasons = {cell.reason: None for cell in cells if cell.reason}
        numbers = [number for cell in cells for number in _numbers(cell)]
        yield formula_free(row.name), row.place, *numbers, formula_free("; ".join(reasons))


def formula_free(value: object) -> object:
    """A value for a table; text that a spreadsheet would take for a formula is quoted."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@")) else value


def write_tables(folder: Path, tables: Iterable[ResultTable]) -> None:
    """Write each table as Markdown, CSV, LaTeX and Parquet into ``folder/tables``, and the
    differences between systems into one CSV."""
    listed = list(tables)
    for table in listed:
        for ending, text in (
            ("md", table_markdown(table)), ("csv", table_csv(table)), ("tex", latex_table(table)),
        ):  # fmt: skip
            write_whole(folder / TABLES / f"{table.name}.{ending}", text.encode())
        write_table_parquet(table, folder / TABLES / f"{table.name}.parquet")
    rows = [_difference(table.name, pair) for table in listed for pair in table.differences]
    write_whole(folder / TABLES / DIFFERENCES, csv_text([_DIFFERENCE, *rows]).encode())


def _difference(table: str, pair: SystemDifference) -> Sequence[object]:
    return (
        table, pair.metric, formula_free(pair.first), formula_free(pair.second),
        value_or_none(pair.mean), *(value_or_none(pair.interval) or (None, None)), pair.units,
        value_or_none(pair.p), value_or_none(pair.corrected),
    )  # fmt: skip


_SPECIAL: Final[Mapping[str, str]] = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "–": "--", "—": "---", "−": "$-$", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}",
    "τ": r"$\tau$", "ρ": r"$\rho$", "Δ": r"$\Delta$", "≤": r"$\leq$", "≥": r"$\geq$",
    "×": r"$\times$", "→": r"$\rightarrow$", "\u00a0": "~", "∕": "/",
}  # fmt: skip
_LAST_LATIN: Final = 0xFF
_MANY: Final = 6
_DENSE: Final = "\\scriptsize\\setlength{\\tabcolsep}{2pt}"
"""For tables of more than ``_MANY`` columns."""
_OF_PAPER: Final = re.compile(r"^((?:Table|Figure) \w+): (.+)$")
"""Titles with the number that a table has in the benchmark's paper."""


def latex_text(text: str) -> str:
    """A text in which LaTeX finds nothing to obey; letters beyond Latin-1 become code points.

    >>> latex_text("a_b & 50% é 表")
    'a\\\\_b \\\\& 50\\\\% é [U+8868]'
    """
    return "".join(map(_letter, clean_line(text)))


def _letter(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    return letter if ord(letter) <= _LAST_LATIN else f"[U+{ord(letter):04X}]"


def latex_table(table: ResultTable) -> str:
    """A ``table`` with caption and label; each row's intervals stand small below its means."""
    columns = [*(["Place"] if table.placed else []), *(row.heading for row in table.columns)]
    heads = " & ".join(map(latex_text, (table.head, *columns)))
    body = "\n".join(line for row in table.rows for line in _lines(table, row))
    dense = _DENSE if len(columns) > _MANY else ""
    title = _OF_PAPER.sub(r"\2 (\1 of the paper)", table.caption)
    caption = latex_text(" ".join([f"{title}.", *_notes(table)]))
    return (
        f"\\begin{{table}}\n\\centering{dense}\n"
        f"\\caption{{{caption}}}\n\\label{{tab:{table.name}}}\n\\vspace{{0.5em}}\n"
        f"\\begin{{tabular}}{{l{'r' * len(columns)}}}\n\\hline\n{heads} \\\\\n\\hline\n"
        f"{body}\n\\hline\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def _lines(table: ResultTable, row: ResultRow) -> Iterator[str]:
    cells = [_mean(table, row, column) for column in table.columns]
    place = [latex_text(row.place)] if table.placed else []
    yield " & ".join([latex_text(row.name), *place, *cells]) + r" \\"
    ends = [latex_text(column.ends(row.cells[column.key])) for column in table.columns]
    if any(ends):
        small = [f"{{\\scriptsize {words}}}" if words else "" for words in ends]
        yield " & ".join(["", *("" for _ in place), *small]) + r" \\"


def _mean(table: ResultTable, row: ResultRow, column: ResultColumn) -> str:
    cell = row.cells[column.key]
    words = latex_text(column.words(cell))
    count = column.counted(cell)
    if (row.name, column.key) in table.leading:
        words = f"\\textbf{{{words}}}"
    return f"{words} {{\\scriptsize ({count})}}" if count else words
