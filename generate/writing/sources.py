"""Documents of our own, made up, to write decks from: reports, a workbook and a web page."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

HARBOUR = Path(__file__).parent / "harbour.md"
LIBRARIES = Path(__file__).parent / "libraries.md"
GARDEN = Path(__file__).parent / "garden.html"
_BRANCHES = (
    ("Central", 480, 300, 281), ("Oberau", 760, 170, 118), ("Millbrook", 250, 150, 92),
    ("Saint Anne", 220, 420, 63), ("Heath", 640, 460, 41), ("Quarry", 860, 380, 37),
)  # fmt: skip
"""The libraries of the report: name, place on its map, thousand visits in 2025."""
_MAP_CAPTION = "Figure 1: Visits to the six libraries in 2025, in thousands"
_TABLE_ROW = re.compile(r"^\|(.+)\|$")

_SHEETS: dict[str, list[list[Any]]] = {
    "Revenue": [
        ["Region", "Q1", "Q2", "Q3", "Q4"],
        ["North", 412, 438, 461, 502],
        ["East", 288, 301, 276, 319],
        ["South", 530, 548, 590, 611],
        ["West", 197, 214, 240, 262],
    ],
    "Products": [
        ["Product", "Units", "Returns", "Price (EUR)", "Since"],
        ["Valve V2", 18200, 140, 34.5, "2019"],
        ["Valve V3", 9600, 61, 48.0, "2023"],
        ["Pump P1", 4100, 90, 210.0, "2016"],
        ["Pump P4", 2700, 18, 320.0, "2024"],
        ["Filter F", 31000, 410, 9.9, "2014"],
        ["Meter M", 7700, 52, 61.0, "2021"],
    ],
    "Staff": [
        ["Year", "Employees"],
        ["2021", 118],
        ["2022", 124],
        ["2023", 131],
        ["2024", 150],
        ["2025", 162],
    ],
    "Complaints": [
        ["Cause", "Cases"],
        ["Late delivery", 61],
        ["Wrong part", 34],
        ["Leak", 22],
        ["Noise", 9],
        ["Invoice", 17],
    ],
    "Notes": [
        ["Note"],
        ["Revenue is in thousand euros, without tax"],
        ["The plant in the west opened in February"],
        ["Returns are counted in the quarter in which they arrive"],
        ["Prices are list prices of January"],
    ],
}


def own_sources(folder: Path) -> list[Path]:
    """A workbook and a DOCX with a picture, written into the folder, and a web page: the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [write_workbook(folder / "valves.xlsx"), write_report(folder / "libraries.docx"), GARDEN]


def write_workbook(path: Path) -> Path:
    """A workbook as a company keeps it: sheets of numbers, and one of remarks."""
    import openpyxl  # noqa: PLC0415 - slow to load

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in _SHEETS.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def write_report(path: Path) -> Path:
    """The report on libraries as a DOCX with headings, lists, tables and a map drawn here."""
    import docx  # noqa: PLC0415 - slow to load

    report = docx.Document()
    picture = path.with_name("map.png")
    draw_map(picture)
    for block in LIBRARIES.read_text(encoding="utf-8").strip().split("\n\n"):
        _add_block(report, block.splitlines())
        if block == "## Visitors":
            report.add_picture(str(picture), width=docx.shared.Inches(6))
            report.add_paragraph(_MAP_CAPTION, style="Caption")
    report.save(str(path))
    return path


def _add_block(report: Any, lines: Sequence[str]) -> None:
    first = lines[0]
    rows = [match[1].split("|") for line in lines if (match := _TABLE_ROW.match(line))]
    if first.startswith("#"):
        marks, _, words = first.partition(" ")
        report.add_heading(words, level=0 if len(marks) == 1 else len(marks) - 1)
    elif rows:
        kept = [row for row in rows if not set("".join(row)) <= set("-: ")]
        table = report.add_table(len(kept), len(kept[0]))
        for at, row in enumerate(kept):
            for column, cell in enumerate(row):
                table.cell(at, column).text = cell.strip()
    elif first.startswith(("- ", "1. ")):
        style = "List Number" if first[0] == "1" else "List Bullet"
        for line in lines:
            report.add_paragraph(line.split(" ", 1)[1], style=style)
    else:
        report.add_paragraph(" ".join(lines))


def draw_map(path: Path) -> None:
    """A map of the libraries in the report: the river, and a disc for each by its visits."""
    image = Image.new("RGB", (1040, 580), "#F4F7FA")
    pen = ImageDraw.Draw(image)
    large, small = ImageFont.load_default(26), ImageFont.load_default(22)
    river = [(0, 330), (180, 300), (360, 340), (560, 250), (760, 280), (1040, 210)]
    pen.line(river, fill="#B9CCE0", width=34, joint="curve")
    for name, x, y, visits in _BRANCHES:
        side = 8 + visits**0.5 * 3.2
        pen.ellipse((x - side, y - side, x + side, y + side), fill="#2F6DA8")
        pen.text((x, y), str(visits), fill="white", font=large, anchor="mm")
        pen.text((x, y + side + 18), name, fill="#22303C", font=small, anchor="mm")
    image.save(path)
