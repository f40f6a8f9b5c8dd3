"""Workbooks (.xlsx), by openpyxl, and CSV files: a table for each block of filled cells."""

import csv
import datetime
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from decklab.core.errors import NotAPackage
from decklab.documents.drafting import DocumentDraft
from decklab.documents.extras import checked_package, needed
from decklab.documents.model import Document

MAX_CELLS = 200_000
"""Ours: cells of one sheet that are read; a deck shows some hundreds."""
_DAMAGE = (AttributeError, IndexError, KeyError, OSError, SyntaxError, TypeError, ValueError)
"""Errors that openpyxl raises for damaged workbooks."""
_NUMBER = re.compile(r"[-+(]?\W{,4}[\d.,]+\s?%?\)?")
_CURRENCY = re.compile(r"US\$|[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)\b")


def read_xlsx(path: Path, name: str) -> Document:
    """A workbook: each sheet a page, each block of filled cells a table, as the file last
    calculated it. A line of one cell above a table is its title.

    Raises DeckError, and Unavailable without ``decklab[write]``.
    """
    openpyxl = needed("openpyxl", "reading workbooks")
    data = checked_package(path)
    try:
        with redirect_stdout(io.StringIO()):  # openpyxl prints what is wrong with styles
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
    except _DAMAGE as error:
        raise NotAPackage(path, f"no workbook that can be read: {error}") from None
    draft = DocumentDraft(path, name, "xlsx")
    names = []
    sheets = zip(book.worksheets, formulas.worksheets, strict=True)
    for number, (sheet, written) in enumerate(sheets, start=1):
        names.append(str(sheet.title))
        draft.page = number
        draft.add("heading", sheet.title, 1)
        try:
            _sheet(draft, sheet, written)
        except _DAMAGE as error:
            draft.refuse(f"the sheet is damaged: {error}")
    book.close()
    formulas.close()
    above = draft.blocks[1:2]  # the line above the first table of the first sheet
    title = next((block.text for block in above if block.kind == "paragraph"), path.stem)
    return draft.finish(title=title, pages=len(names), page_names=names)


def _sheet(draft: DocumentDraft, sheet: Any, written: Any) -> None:
    """The tables of a sheet; ``written`` is the same sheet with its formulas, not their values."""
    rows: list[list[str]] = []
    cells, unknown = 0, 0
    for one in (sheet, written):
        one.reset_dimensions()  # a file may state millions of rows, or too few
    for row, sources in zip(sheet.iter_rows(), written.iter_rows(), strict=True):
        cells += len(row)
        unknown += sum(
            cell.value is None and source.data_type == "f"
            for cell, source in zip(row, sources, strict=True)
        )
        if cells > MAX_CELLS:
            draft.refuse(f"only its first {len(rows)} rows: more than {MAX_CELLS:,} cells")
            break
        rows.append([_shown(cell.value, cell.number_format or "") for cell in row])
    if unknown:
        draft.refuse(
            f"{unknown} formulas without a value: save it once in a program that calculates"
        )
    _tables(draft, rows)


def _shown(value: Any, format: str) -> str:
    """A cell as text: dates by ISO 8601, percent and currency as their formats say."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if not isinstance(value, int | float):
        return " ".join(str(value).split())
    if "%" in format:
        return f"{value * 100:.12g}%"
    currency = _CURRENCY.search(format)
    return f"{currency.group()} {value:.15g}" if currency else f"{value:.15g}"


def read_csv(path: Path, name: str, text: str) -> Document:
    """A CSV file with any of the usual separators as one table."""
    draft = DocumentDraft(path, name, "csv")
    draft.page = 1
    separator = max(",;\t|", key=lambda mark: _evenness(text[:20_000], mark))
    rows: list[list[str]] = []
    cells = 0
    for row in _csv_rows(text, separator, draft):
        cells += len(row)
        if cells > MAX_CELLS:
            draft.refuse(f"only its first {len(rows)} rows: more than {MAX_CELLS:,} cells")
            break
        rows.append([cell.strip() for cell in row])
    _tables(draft, rows)
    return draft.finish(title=path.stem, pages=1)


def _evenness(text: str, separator: str) -> tuple[float, int]:
    """The share of lines that a separator parts into the most frequent number of cells, and that
    number; a separator that parts none has 0."""
    lines = [line for line in text.splitlines()[:100] if line.strip()]
    widths = [len(row) for row in csv.reader(lines, delimiter=separator)]
    parted = Counter(width for width in widths if width > 1)
    width, count = max(parted.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return count / max(len(lines), 1), width


def _csv_rows(text: str, separator: str, draft: DocumentDraft) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        yield from reader
    except csv.Error as error:
        draft.refuse(f"line {reader.line_num} and what follows: {error}")


def _tables(draft: DocumentDraft, rows: Sequence[Sequence[str]]) -> None:
    """Tables from blocks of rows between empty rows, each without its empty columns."""
    for block in _blocks(rows):
        width = max(len(row) for row in block)
        padded = [[*row, *[""] * (width - len(row))] for row in block]
        used = [number for number in range(width) if any(row[number] for row in padded)]
        table = [[row[number] for number in used] for row in padded]
        while len(table[0]) > 1 and sum(1 for cell in table[0] if cell) == 1 and len(table) > 1:
            draft.add("paragraph", "".join(table[0]))
            table = table[1:]
        if len(used) == 1 and not any(map(_NUMBER.fullmatch, (row[0] for row in table[1:]))):
            for (line,) in table:
                draft.add("paragraph", line)
        else:
            draft.add_table(table)


def _blocks(rows: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    block: list[Sequence[str]] = []
    for row in rows:
        if any(row):
            block.append(row)
        elif block:
            yield block
            block = []
    if block:
        yield block
