"""Table 3 for a terminal."""

from rich import box
from rich.console import Console
from rich.table import Table

from decklab.reports.pptarena_view import ArenaRun
from decklab.reports.wording import clean

__all__ = ["print_arena"]

_SHORT = {"preservation": "preserv.", "precision": "precis."}


def print_arena(run: ArenaRun, console: Console) -> None:
    """Print a run: the version of its cases, a table for each editor, and the facts beneath.

    Columns that no editor has a value in are left out; a value of fewer cases than the row has
    says of how many.
    """
    console.print(f"{clean(run.title)}, {clean(run.version)}", highlight=False)
    columns = [
        column
        for column in run.columns
        if any(row.cells[column].mean is not None for one in run.editors for row in one.rows)
    ]
    for editor in run.editors:
        table = Table(title=clean(editor.name), title_justify="left", box=box.SIMPLE_HEAD)
        table.add_column("category")
        table.add_column("cases", justify="right")
        for column in columns:
            table.add_column(_SHORT.get(column, column), justify="right")
        for row in editor.rows:
            cells = [row.cells[column] for column in columns]
            table.add_row(
                clean(row.category),
                str(row.cases),
                *(
                    f"{cell.shown} ({cell.scored})" if 0 < cell.scored < row.cases else cell.shown
                    for cell in cells
                ),
            )
        console.print(table)
    for fact in run.facts:
        console.print(clean(fact), highlight=False, soft_wrap=True)
