"""References to spreadsheet cells, as formulas and chart series spell them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["CellRange", "cell_name", "column_number", "parse_cell", "parse_reference"]

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384
"""What a sheet can hold (Excel specifications and limits)."""

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})\Z")
_AREA = re.compile(
    r"""\s*
    (?: (?: '(?P<quoted>(?:[^']|'')+)' | (?P<plain>[^'!,:()]+) ) ! )?
    (?P<first>\$?[A-Za-z]{1,3}\$?\d{1,7})
    (?: : (?P<last>\$?[A-Za-z]{1,3}\$?\d{1,7}) )?
    \s*""",
    re.VERBOSE,
)
_BOOK = re.compile(r".*\[[^\]]*\]")


@dataclass(frozen=True)
class CellRange:
    """A rectangle of cells; rows and columns count from 1, both ends included."""

    sheet: str | None
    """None where the reference names no sheet."""
    first_row: int
    first_column: int
    last_row: int
    last_column: int

    @property
    def size(self) -> int:
        """Number of cells."""
        return (self.last_row - self.first_row + 1) * (self.last_column - self.first_column + 1)

    def cells(self) -> Iterator[tuple[int, int]]:
        """Row and column of each cell, row by row."""
        for row in range(self.first_row, self.last_row + 1):
            for column in range(self.first_column, self.last_column + 1):
                yield row, column


def column_number(letters: str) -> int:
    """The column that letters name, from 1.

    >>> column_number("A"), column_number("XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def cell_name(row: int, column: int) -> str:
    """The A1 name of a cell.

    >>> cell_name(2, 28)
    'AB2'
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Row and column of an A1 name; None where it is none.

    >>> parse_cell("$B$2"), parse_cell("B0"), parse_cell("ZZZ1")
    ((2, 2), None, None)
    """
    match = _CELL.match(text)
    if match is None:
        return None
    row, column = int(match[2]), column_number(match[1])
    return (row, column) if row <= LAST_ROW and column <= LAST_COLUMN else None


def parse_reference(text: str) -> tuple[CellRange, ...] | None:
    """The ranges of a reference, several where commas join them; None where it is no such.

    Sheet names may be quoted; the workbook in brackets that links carry is left out.

    >>> parse_reference("Sheet1!$B$2:$B$5")
    (CellRange(sheet='Sheet1', first_row=2, first_column=2, last_row=5, last_column=2),)
    >>> parse_reference("'[a.xlsx]It''s, mine'!A1")[0].sheet
    "It's, mine"
    >>> parse_reference("OFFSET(A1,1,1)") is None
    True
    """
    body = text.strip()
    if body.startswith("(") and body.endswith(")"):
        body = body[1:-1]
    ranges: list[CellRange] = []
    position = 0
    while True:
        match = _AREA.match(body, position)
        found = None if match is None else _range(match)
        if match is None or found is None:
            return None
        ranges.append(found)
        position = match.end()
        if position == len(body):
            return tuple(ranges)
        if body[position] != ",":
            return None
        position += 1


def _range(match: "re.Match[str]") -> CellRange | None:
    first = parse_cell(match["first"])
    last = parse_cell(match["last"] or match["first"])
    if first is None or last is None:
        return None
    quoted, plain = match["quoted"], match["plain"]
    name = quoted.replace("''", "'") if quoted else plain
    sheet = None if name is None else _BOOK.sub("", name)
    rows, columns = sorted((first[0], last[0])), sorted((first[1], last[1]))
    return CellRange(sheet, rows[0], columns[0], rows[1], columns[1])
