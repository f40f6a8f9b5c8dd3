"""Table 3 for a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from decklab.reports.pptarena_view import ArenaCell, ArenaRow, ArenaRun
from decklab.reports.wording import clean

_WIDEST = 1000
_SHORT = {"preservation": "preserv.", "precision": "precis."}


def print_arena(run: ArenaRun, console: Console) -> None:
    """Print a run: the version of its cases, each editor by category, and the facts beneath.

    Attempts that are flawed on purpose have one row each. Columns that no editor has a value in
    are left out, and why they are empty is said; a value of fewer cases than the row has says of
    how many.
    """
    console.print(f"{clean(run.title)}, {clean(run.version)}", highlight=False, markup=False)
    columns = [
        column
        for column in run.columns
        if any(row.cells[column].mean is not None for one in run.editors for row in one.rows)
    ]
    table = _table(columns)
    for editor in run.tried:
        table.add_row(Text(clean(editor.name), style="bold"))
        for row in editor.rows:
            _add(table, f"  {row.category}", row, columns, last=row is editor.total)
    for editor in run.editors:
        if editor.flawed:
            _add(table, editor.name, editor.total, columns)
    # Wider than the terminal rather than cut: a number without its end is a wrong number.
    options = console.options.update(max_width=_WIDEST)
    table.width = Measurement.get(console, options, table).maximum
    console.print(table, crop=False)
    for fact in (*run.unscored, *run.facts):
        console.print(clean(fact), highlight=False, markup=False, soft_wrap=True)


def _table(columns: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("editor, category", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    for column in columns:
        table.add_column(_SHORT.get(column, column), justify="right", no_wrap=True)
    return table


def _add(
    table: Table, name: str, row: ArenaRow, columns: Sequence[str], *, last: bool = False
) -> None:
    cells = [_shown(row.cells[column], row.cases) for column in columns]
    table.add_row(Text(clean(name)), str(row.cases), *cells, end_section=last)


def _shown(cell: ArenaCell, cases: int) -> str:
    return f"{cell.shown} ({cell.scored})" if 0 < cell.scored < cases else cell.shown
