"""Results on a terminal: tables without lines between their rows, and text around them."""

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def plain_table(first: str, *headings: str, no_wrap: bool = False) -> Table:
    """A table without rows: a column of names, and columns of numbers, which stand to the right;
    these are not broken into lines with ``no_wrap``."""
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=no_wrap)
    return table


def print_parts(parts: Iterable[Table | Text], console: Console) -> None:
    """Print tables and texts one below the other; the terminal breaks the lines of texts."""
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text))
