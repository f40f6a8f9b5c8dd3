"""Requests that set the kind, a name or a value of a chart, or describe a picture."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read
from decklab.editing.requests.lexicon import CHARTS
from decklab.editing.requests.object_operations import (
    draw_chart_as,
    rename_chart_name,
    write_chart_value,
)
from decklab.editing.requests.phrases import Slots, Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import describe
from decklab.editing.requests.words import Token


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


def read_chart_kind(clause: Clause) -> Read | None:
    """``make the chart on slide 3 a bar chart``."""
    for left, right in clause.splits("a", "an"):
        slots = clause.slots(left)
        if right and slots.kinds == {"chart"} and not (slots.rest or slots.quoted or slots.look):
            return set_chart(clause, slots, right)
    return None


def set_chart(clause: Clause, slots: Slots, right: Sequence[Token]) -> Read | None:
    """The operation that gives a chart another kind, or a name in it another text."""
    if "chart" not in slots.kinds or slots.target("chart title", "title", "alt text"):
        return None
    for end in range(len(right), 0, -1):
        words = [token.low for token in right[:end] if token.low not in ("a", "an", "the", "of")]
        kind = CHARTS.get(" ".join(words)) or CHARTS.get(" ".join([*words, "chart"]))
        after = clause.slots(right[end:])
        if kind and not (after.rest or after.targets or after.look or after.quoted):
            scope = slots.scope or after.scope
            return Read(draw_chart_as(kind, scope or Scope()), Former(scope, Target("chart")))
    if len(slots.quoted) == 1 and right[0].kind == "quoted":
        value = clause.value(right, scoped=slots.scope is not None)
        if value is not None:
            return Read(
                rename_chart_name(slots.quoted[0], value[0], slots.scope or value[1] or Scope())
            )
    return None
