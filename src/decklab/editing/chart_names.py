"""Names of categories and series of a chart: one text for each cell of its workbook.

A chart repeats the names of its categories for every series; here each of them is one name, which
stands in the chart's caches and in the cell that they were read from.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation

from decklab.core.errors import DeckError
from decklab.editing.charts import chart_data, chart_of, name_place
from decklab.editing.finding import GivenShape
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import chart_phrase
from decklab.editing.replacing import replaced
from decklab.ooxml.package import Package, package_bytes
from decklab.ooxml.workbook import CellRange, Workbook, cell_name, parse_reference
from decklab.ooxml.xml import parse_int, qn, serialize_xml

_LABELS = "{http://schemas.microsoft.com/office/drawing/2012/chart}"
_CACHES = {
    qn("c:strCache"): qn("c:f"),
    qn("c:multiLvlStrCache"): qn("c:f"),
    f"{_LABELS}dlblRangeCache": f"{_LABELS}f",
    qn("cx:strDim"): qn("cx:f"),
}
"""Elements that repeat texts of cells, and the one in or beside them that says of which."""


@dataclass(frozen=True)
class ChartName:
    """A name in a chart, with all elements that hold it."""

    cell: str
    """The cell it was read from, such as ``Sheet1!A2``, or a number for one without."""
    elements: tuple[Any, ...]

    @property
    def text(self) -> str:
        """The name."""
        return str(self.elements[0].text or "")

    def write(self, text: str) -> None:
        """Give the chart another name, not its workbook."""
        for item in self.elements:
            item.text = text

    def replace(self, pattern: re.Pattern[str], new: str) -> int:
        """Replace words of the name in the chart, not in its workbook; return how often."""
        fresh, count = replaced(self.text, pattern, new)
        if count:
            self.write(fresh)
        return count


def chart_names(root: Any) -> list[ChartName]:
    """The names in the root of a chart part, in the order in which they stand there first."""
    holders: dict[str, list[Any]] = {}
    for item in root.iter(qn("c:v"), qn("cx:pt"), qn("cx:v")):
        if item.text and _is_name(item):
            holders.setdefault(_cell(item) or f"{len(holders) + 1}", []).append(item)
    return [ChartName(cell, tuple(elements)) for cell, elements in holders.items()]


def _is_name(item: Any) -> bool:
    parent = item.getparent()
    if item.tag == qn("cx:v"):
        return bool(parent.tag == qn("cx:txData"))
    if parent.tag == qn("c:tx"):
        return True
    holders = {holder.tag for holder in item.iterancestors()}
    return bool(holders & {*_CACHES, qn("c:strLit")})


def _cell(item: Any) -> str | None:
    """The cell that a text in a cache was read from; None if it is unknown."""
    if (cache := next(item.iterancestors(*_CACHES), None)) is None:
        return None
    point = item if item.tag == qn("cx:pt") else item.getparent()
    holder = cache if item is point else cache.getparent()
    formula, index = holder.findtext(_CACHES[cache.tag]), parse_int(point.get("idx"))
    if (areas := parse_reference(formula or "")) is None or len(areas) != 1 or index is None:
        return None if index is None else f"{formula}#{index}"
    row, column = _place(areas[0], index, point.getparent(), cache)
    sheet = "" if areas[0].sheet is None else _quoted(areas[0].sheet) + "!"
    return f"{sheet}{cell_name(row, column)}"


def _place(area: CellRange, index: int, level: Any, cache: Any) -> tuple[int, int]:
    """Row and column of a point; levels of categories are listed from the innermost on."""
    levels = [*cache.iterfind(qn("c:lvl")), *cache.iterfind(qn("cx:lvl"))]
    deep = levels.index(level) if level in levels else 0
    width, height = (area.last_column - area.first_column + 1, area.last_row - area.first_row + 1)
    if width == max(1, len(levels)) and height >= width:
        return area.first_row + index, area.last_column - deep
    return area.last_row - deep, area.first_column + index


def _quoted(sheet: str) -> str:
    return sheet if re.fullmatch(r"[A-Za-z_]\w*", sheet) else "'" + sheet.replace("'", "''") + "'"


def rename_in_chart_part(part: Any, pattern: re.Pattern[str], new: str) -> int:
    """Rename categories and series of a chart that a pattern finds, in its workbook too."""
    count = 0
    with edited(part) as root:
        for name in chart_names(root):
            count += name.replace(pattern, new)
    if count:
        replace_in_workbook(part, pattern, new)
    return count


@chart_phrase("rename [(category|series)] {old:chart name} [of {shape:chart}] to {new:words}",
              "rename [(category|series)] {old:chart name} to {new:words} of {shape:chart}",
              example="rename the category 'North' to 'Nord' in the chart on slide 6")  # fmt: skip
def rename_in_chart(
    prs: Presentation, slide: int, old: str, new: str, *, shape: GivenShape = None
) -> None:
    """Rename a category or a series of a chart, in its workbook too.

    Raises EditError if there is no such name, or several.
    """
    held = chart_data(prs, slide, shape)
    name_place([*held["categories"], *held["series"]], old, "name", slide)
    part = chart_of(prs, slide, shape).part
    rename_in_chart_part(part, re.compile(rf"\A{re.escape(old)}\Z", re.IGNORECASE), new)


def write_in_workbook(part: Any, texts: dict[str, str]) -> None:
    """Write texts into cells of the workbook of a chart's part.

    A workbook of another format, and a cell that cannot be found, stay as they are.
    """
    cells = {cell: text for cell, text in texts.items() if parse_reference(cell)}
    for held in _workbooks(part) if cells else ():
        try:
            with Workbook.from_bytes(held.blob, "workbook") as book:
                held._blob = book.with_texts(cells)
        except DeckError:
            continue


def replace_in_workbook(part: Any, pattern: re.Pattern[str], new: str) -> None:
    """Replace words in all cells of a chart's workbook; one of another format stays as it is."""
    for held in _workbooks(part):
        try:
            with Package.from_bytes(held.blob, "workbook") as package:
                if changed := dict(_changed_strings(package, pattern, new)):
                    held._blob = package_bytes(package, replace=changed)
        except DeckError:
            continue


def _workbooks(part: Any) -> list[Any]:
    """The embedded workbooks of a chart's part."""
    links = (link for link in part.rels.values() if not link.is_external)
    return [link.target_part for link in links if link.reltype == RELATIONSHIP_TYPE.PACKAGE]


def _changed_strings(
    package: Package, pattern: re.Pattern[str], new: str
) -> Iterator[tuple[str, bytes]]:
    for name in _string_parts(package.names):
        root = package.xml(name)
        count = 0
        for column in root.iter(qn("s:tableColumn")):  # has to equal the cell above the column
            fresh, more = replaced(column.get("name") or "", pattern, new)
            column.set("name", fresh)
            count += more
        for item in root.iter(qn("s:t")):
            fresh, more = replaced(item.text or "", pattern, new)
            item.text = fresh if more else item.text
            count += more
        if count:
            yield name, serialize_xml(root)


def _string_parts(names: Collection[str]) -> list[str]:
    """The parts of a workbook that hold words of cells and headers of its tables."""
    kinds = r"(sharedStrings|/sheet\d+|/table\d+)\.xml$"
    return [name for name in names if re.search(kinds, name)]
