"""The plain form of the source documents: Markdown with headings, lists, tables and figures.

A figure is a line of five fields: ``!figure KIND | Caption | unit | name=value; name=value``. The
caption of a table is the paragraph below it that begins with "Table".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

_FIGURE: Final = re.compile(r"^!figure (\w+) \|([^|]*)\|([^|]*)\|(.*)$")
_CAPTION: Final = re.compile(r"^Table \d+: ")
_ROW: Final = re.compile(r"^\|(.+)\|$")

Kind = Literal["heading", "paragraph", "items", "table", "figure"]


@dataclass(frozen=True)
class FigureText:
    """A figure as it is written: its kind, caption, unit, and names with values as text."""

    kind: str
    caption: str
    unit: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TextBlock:
    """A piece of a text; ``level`` is that of a heading, 1 for the title. The ``text`` of a table
    or figure is its caption."""

    kind: Kind
    text: str = ""
    level: int = 0
    items: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    figure: FigureText | None = None


def read_text(text: str) -> list[TextBlock]:
    """The blocks of a text, which empty lines part."""
    found: list[TextBlock] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        block = _block(part.splitlines())
        if found and found[-1].kind == "table" and _CAPTION.match(block.text):
            found[-1] = replace(found[-1], text=block.text)
        else:
            found.append(block)
    return found


def _block(lines: Sequence[str]) -> TextBlock:
    first = lines[0]
    rows = [match[1].split("|") for line in lines if (match := _ROW.match(line))]
    found = _FIGURE.match(first)
    if found:
        pairs = (pair.split("=") for pair in found[4].split(";"))
        values = tuple((name.strip(), value.strip()) for name, value in pairs)
        figure = FigureText(found[1], found[2].strip(), found[3].strip(), values)
        return TextBlock("figure", figure.caption, figure=figure)
    if first.startswith("#"):
        marks, _, words = first.partition(" ")
        return TextBlock("heading", words, level=len(marks))
    if rows:
        kept = [row for row in rows if not set("".join(row)) <= set("-: ")]
        return TextBlock("table", rows=tuple(tuple(cell.strip() for cell in row) for row in kept))
    if first.startswith("- "):
        return TextBlock("items", items=tuple(line[2:] for line in lines))
    return TextBlock("paragraph", " ".join(lines))
