"""Cells of a workbook inside a deck, by the references that formulas and charts use.

openpyxl drops the last results of formulas when it saves a workbook, so it is not used here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

from lxml import etree

from decklab.core.errors import LimitExceeded, MalformedPart, MissingPart, UnsupportedFormat
from decklab.core.files import Closing
from decklab.ooxml.package import Package, package_bytes
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.signatures import DEFAULT_LIMITS, Limits
from decklab.ooxml.xml import Element, parse_int, qn, serialize_xml

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384
"""Most columns and rows of a sheet (Excel specifications and limits)."""

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
    """None if the reference names no sheet."""
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
    """Row and column of an A1 name; None for another text.

    >>> parse_cell("$B$2"), parse_cell("B0"), parse_cell("ZZZ1")
    ((2, 2), None, None)
    """
    if (match := _CELL.match(text)) is None:
        return None
    row, column = int(match[2]), column_number(match[1])
    return (row, column) if row <= LAST_ROW and column <= LAST_COLUMN else None


def parse_reference(text: str) -> tuple[CellRange, ...] | None:
    """The ranges of a reference, several where commas join them; None if it is no such.

    Sheet names may be quoted; the workbook in brackets, as in links, is left out.

    >>> parse_reference("Sheet1!$B$2:$B$5")
    (CellRange(sheet='Sheet1', first_row=2, first_column=2, last_row=5, last_column=2),)
    >>> parse_reference("'[a.xlsx]It''s, mine'!A1")[0].sheet
    "It's, mine"
    >>> parse_reference("OFFSET(A1,1,1)") is None
    True
    """
    if (body := text.strip()).startswith("(") and body.endswith(")"):
        body = body[1:-1]
    ranges: list[CellRange] = []
    position = 0
    while True:
        match = _AREA.match(body, position)
        area = None if match is None else _range(match)
        if match is None or area is None:
            return None
        ranges.append(area)
        if (position := match.end()) == len(body):
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


CellValue: TypeAlias = float | str | bool | None
"""A number, a text, a truth value, or None for a blank cell. Errors are texts: ``#N/A``."""

_MOST_CELLS = 1_048_576  # of one reference: a whole column
_BINARY = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
_CALC_CHAIN = "calcChain"


class Workbook(Closing):
    """The cells of an .xlsx or .xlsm workbook. Close it, or use it as a context manager.

    Values are the ones the workbook keeps: of a formula, its last result. Sheet names are looked
    up as Excel does, without regard to case. Opening raises as ``Package`` does, with
    UnsupportedFormat also for binary workbooks (.xls, .xlsb).
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        main = package.main_part
        if (content_type := package.content_type(main) or "") == _BINARY:
            raise UnsupportedFormat(package.label, "a binary workbook (.xlsb), which is not read")
        if (root := package.xml(main)).tag != qn("s:workbook"):
            raise UnsupportedFormat(package.label, f"no workbook but {content_type}", main)
        self._parts = dict(_sheet_parts(root, package, main))
        self._grids: dict[str, dict[tuple[int, int], Element]] = {}
        self._texts: tuple[str, ...] | None = None

    @classmethod
    def from_bytes(cls, data: bytes, label: str, limits: Limits = DEFAULT_LIMITS) -> "Workbook":
        """A workbook in memory; ``label`` names it in errors."""
        package = Package.from_bytes(data, label, limits)
        try:
            return cls(package)
        except BaseException:
            package.close()
            raise

    @classmethod
    def embedded(cls, package: Package, part: str) -> "Workbook":
        """The workbook that is a part of a deck, under the deck's limits."""
        return cls.from_bytes(package.read(part), f"{package.label}: {part}", package.limits)

    def close(self) -> None:
        """Close the package."""
        self._package.close()

    @property
    def sheets(self) -> tuple[str, ...]:
        """Names of the sheets, in order."""
        return tuple(self._parts)

    def cell(self, sheet: str, name: str) -> CellValue:
        """The value of a cell such as ``B2``; raises MissingPart for a sheet that is not there,
        MalformedPart for a name that is no cell.
        """
        return self._value(self._part(sheet), self._position(name))

    def values(self, reference: str) -> tuple[CellValue, ...]:
        """The values of a reference such as ``Sheet1!$B$2:$B$5``, row by row.

        A reference without a sheet means the first one. Raises MalformedPart if it is a
        formula or a name and no reference, LimitExceeded past a column's worth of cells.
        """
        cells: list[CellValue] = []
        for area in self._areas(reference):
            part = self._part(area.sheet or next(iter(self._parts), ""))
            cells += [self._value(part, position) for position in area.cells()]
        return tuple(cells)

    def with_number(self, sheet: str, name: str, value: float) -> bytes:
        """The bytes of a copy in which one cell holds a number; this workbook stays as it is.

        The number takes the place of a formula in the cell; other cells keep their last results.
        Raises ValueError for a number that is not finite.
        """
        if not isfinite(value):
            raise ValueError(f"a cell cannot hold {value}")
        return self._with_cells({(self._part(sheet), self._position(name)): value})

    def with_texts(self, texts: Mapping[str, str]) -> bytes:
        """The bytes of a copy in which cells, such as ``Sheet1!B2``, hold these texts.

        Headers of tables follow their cells. Else as ``with_number``, and raises MalformedPart
        if a name is no cell.
        """
        values: dict[tuple[str, tuple[int, int]], float | str] = {}
        for reference, text in texts.items():
            areas = self._areas(reference)
            if len(areas) != 1 or areas[0].size != 1:
                raise MalformedPart(self._package.label, f"{reference[:100]!r} is no single cell")
            part = self._part(areas[0].sheet or next(iter(self._parts), ""))
            values[part, (areas[0].first_row, areas[0].first_column)] = text
        return self._with_cells(values)

    def _with_cells(self, values: Mapping[tuple[str, tuple[int, int]], float | str]) -> bytes:
        roots = {part: self._package.xml(part) for part, _position in values}
        had_formula = False
        for (part, position), value in values.items():
            cell = _place_cell(roots[part], position)
            had_formula |= cell.find(qn("s:f")) is not None
            _set_value(cell, value)
            if isinstance(value, str):
                roots |= self._with_header(part, position, value, roots)
        replace = {part: serialize_xml(root) for part, root in roots.items()}
        remove: tuple[str, ...] = ()
        if had_formula:
            remove, links = self._without_calc_chain()
            replace |= links
        return package_bytes(self._package, replace=replace, remove=remove)

    def _with_header(
        self, sheet: str, position: tuple[int, int], text: str, roots: Mapping[str, Element]
    ) -> dict[str, Element]:
        """The tables of a sheet of which a cell is a header, with its new text.

        A header has to equal its cell, or Excel repairs the table (ECMA-376 Part 1, 18.5.1.3).
        """
        changed = {}
        for part in self._package.related(sheet, "table"):
            root = roots.get(part)
            root = self._package.xml(part) if root is None else root
            area = next(iter(parse_reference(root.get("ref") or "") or ()), None)
            columns = root.findall(f"{qn('s:tableColumns')}/{qn('s:tableColumn')}")
            if area is None or root.get("headerRowCount") == "0" or position[0] != area.first_row:
                continue
            at = position[1] - area.first_column
            if 0 <= at < len(columns):
                columns[at].set("name", text)
                changed[part] = root
        return changed

    def _areas(self, reference: str) -> tuple[CellRange, ...]:
        if (areas := parse_reference(reference)) is None:
            detail = f"{reference[:100]!r} is no reference to cells"
            raise MalformedPart(self._package.label, detail)
        if sum(area.size for area in areas) > _MOST_CELLS:
            detail = f"{reference[:100]!r} takes in more than {_MOST_CELLS:,} cells"
            raise LimitExceeded(self._package.label, detail)
        return areas

    def _part(self, sheet: str) -> str:
        for name, part in self._parts.items():
            if name.casefold() == sheet.casefold():
                return part
        raise MissingPart(self._package.label, f"there is no sheet named {sheet!r}")

    def _position(self, name: str) -> tuple[int, int]:
        if (position := parse_cell(name)) is None:
            raise MalformedPart(self._package.label, f"{name[:100]!r} is no cell")
        return position

    def _value(self, part: str, position: tuple[int, int]) -> CellValue:
        if part not in self._grids:
            self._grids[part] = dict(_cells(self._package.xml(part)))
        cell = self._grids[part].get(position)
        return None if cell is None else self._content(cell)

    def _content(self, cell: Element) -> CellValue:
        if (kind := cell.get("t") or "n") == "inlineStr":
            return _rich_text(cell.find(qn("s:is")))
        if (text := cell.findtext(qn("s:v"))) is None or (text == "" and kind == "n"):
            return None
        if kind == "s":
            return self._shared_text(parse_int(text))
        if kind == "b":
            return text.strip() in ("1", "true")
        if kind == "n":
            return self._number(text)
        return text

    def _number(self, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise MalformedPart(
                self._package.label, f"a cell says it holds a number, but holds {text[:50]!r}"
            ) from None

    def _shared_text(self, index: int | None) -> str:
        if self._texts is None:
            names = self._package.related(self._package.main_part, "sharedStrings")
            root = self._package.xml(names[0]) if names else None
            items = () if root is None else root.iterfind(qn("s:si"))
            self._texts = tuple(_rich_text(item) for item in items)
        if index is None or not 0 <= index < len(self._texts):
            raise MalformedPart(self._package.label, "a cell names a shared text that is not there")
        return self._texts[index]

    def _without_calc_chain(self) -> tuple[tuple[str, ...], dict[str, bytes]]:
        """Drop the calculation chain: Excel rebuilds a missing one, but not a wrong one."""
        main = self._package.main_part
        chain = self._package.related(main, _CALC_CHAIN)
        links_part = self._package.find(relationships_part(main))
        if not chain or links_part is None:
            return (), {}
        root = self._package.xml(links_part)
        for item in root.findall(qn("rel:Relationship")):
            if (item.get("Type") or "").endswith(f"/{_CALC_CHAIN}"):
                root.remove(item)
        return chain, {links_part: serialize_xml(root)}


def _sheet_parts(root: Element, package: Package, main: str) -> Iterator[tuple[str, str]]:
    links = package.relationships(main)
    for item in root.iterfind(f"{qn('s:sheets')}/{qn('s:sheet')}"):
        link = links.get(item.get(qn("r:id")) or "")
        if link is not None and not link.external and link.kind == "worksheet":
            yield item.get("name") or "", link.target


def _rows(root: Element) -> Iterator[tuple[int, Element]]:
    """Rows with their numbers; one that states none follows the row before it."""
    number = 0
    for row in root.iterfind(f"{qn('s:sheetData')}/{qn('s:row')}"):
        number = parse_int(row.get("r")) or number + 1
        yield number, row


def _row_cells(number: int, row: Element) -> Iterator[tuple[tuple[int, int], Element]]:
    column = 0
    for cell in row.iterfind(qn("s:c")):
        position = parse_cell(cell.get("r") or "") or (number, column + 1)
        column = position[1]
        yield position, cell


def _cells(root: Element) -> Iterator[tuple[tuple[int, int], Element]]:
    for number, row in _rows(root):
        yield from _row_cells(number, row)


def _rich_text(item: Element | None) -> str:
    """The text of a string item: its runs joined, phonetic guides left out."""
    if item is None:
        return ""
    plain = item.findtext(qn("s:t"))
    runs = (run.findtext(qn("s:t")) or "" for run in item.iterfind(qn("s:r")))
    return (plain or "") + "".join(runs)


def _place_cell(root: Element, position: tuple[int, int]) -> Element:
    """The element of a cell, added in its place if there is none yet."""
    if (data := root.find(qn("s:sheetData"))) is None:
        data = etree.SubElement(root, qn("s:sheetData"))
    row = None
    at = 0
    for number, item in _rows(root):
        if number == position[0]:
            row = item
        if number < position[0]:
            at += 1
    if row is None:
        row = etree.Element(qn("s:row"), {"r": str(position[0])})
        data.insert(at, row)
    at = 0
    for other, cell in _row_cells(position[0], row):
        if other == position:
            return cell
        if other[1] < position[1]:
            at += 1
    cell = etree.Element(qn("s:c"), {"r": cell_name(*position)})
    row.insert(at, cell)
    return cell


def _set_value(cell: Element, value: float | str) -> None:
    for child in list(cell):
        cell.remove(child)
    if isinstance(value, str):
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, qn("s:is")), qn("s:t"))
        text.text = value
        text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        return
    if "t" in cell.attrib:
        del cell.attrib["t"]
    etree.SubElement(cell, qn("s:v")).text = repr(float(value))
