"""Requests that set a cell of a table, a value of a chart, or describe a picture."""

from dataclasses import replace

from decklab.agents.requests.clause import Clause, Former, Read
from decklab.agents.requests.object_operations import write_cell, write_chart_value
from decklab.agents.requests.phrases import Target
from decklab.agents.requests.slide_names import Scope
from decklab.agents.requests.text_operations import describe

_TO = ("to", "=", "be", "read", "as", "into", ":")


def read_cell(clause: Clause) -> Read | None:
    """``set row 2 column 3 of the table to Berlin``, ``put Berlin in row 2, column 3``."""
    for left, right in clause.splits(*_TO):
        slots = clause.slots(left)
        row, column = slots.target("row"), slots.target("column")
        known = slots.kinds <= {"row", "column", "table", "cell", "text", "value"}
        if not (row and column and known) or slots.rest or slots.quoted or slots.numbers:
            continue
        if not right or row.place is None or column.place is None:
            continue
        value = clause.value(right, scoped=slots.scope is not None, within=("table",))
        if value is None:
            return None
        text, scope, _quoted = value
        where = slots.scope or scope
        return Read(write_cell(text, where or Scope(), row, column), Former(where, Target("table")))
    return _put_in_cell(clause)


def _put_in_cell(clause: Clause) -> Read | None:
    if clause.verb not in ("put", "write", "enter", "set", "insert", "add"):
        return None
    for left, right in clause.splits("in", "into", "to"):
        slots = clause.slots(right)
        row, column = slots.target("row"), slots.target("column")
        known = slots.kinds <= {"row", "column", "table", "cell"}
        if left and row and column and known and not slots.rest and not slots.quoted:
            scope = slots.scope_or_all
            return Read(write_cell(clause.text(left), scope, row, column), Former(slots.scope))
    return None


def read_chart_value(clause: Clause) -> Read | None:
    """``change the value of South in 2025 to 6 in the chart``."""
    whole = clause.slots(clause.body)
    if "chart" not in whole.kinds or whole.kinds - {
        "chart",
        "value",
        "series",
        "category",
        "column",
    }:
        return None
    for left, right in clause.splits("to", "=", "be"):
        number = right[0].text if right and right[0].kind == "number" else None
        after = clause.slots(right[1:]) if right else whole
        if number is None or after.rest or after.quoted or after.look or after.numbers:
            continue
        before = clause.slots(left)
        if before.properties or before.look or not (before.rest or before.quoted):
            return None
        said = clause.text(left)
        scope = before.scope or after.scope
        operation = write_chart_value(said, float(number), scope or Scope())
        return Read(operation, Former(scope, Target("chart")))
    return None


def read_description(clause: Clause) -> Read | None:
    """``describe the picture on slide 5 as “…”``."""
    for left, right in clause.splits("as", "with", ":"):
        slots = clause.slots(left)
        if slots.rest or len(slots.kinds) != 1 or not right:
            continue
        value = clause.value(right, scoped=slots.scope is not None)
        if value is None:
            return None
        target = slots.targets[0]
        target = replace(target, name=slots.quoted[0]) if slots.quoted else target
        where = slots.scope or value[1]
        return Read(describe(value[0], where or Scope(), target), Former(where, target))
    return None
