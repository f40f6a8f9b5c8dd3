"""Requests about tables: rows and columns added and deleted, cells and headings set."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read, refuse_wish, together
from decklab.editing.requests.lexicon import word_set
from decklab.editing.requests.object_operations import add_to_table, delete_from_table, write_cell
from decklab.editing.requests.phrases import Slots, Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.words import Token, without_phrase

_TO = ("to", "=", "be", "read", "as", "into", ":")
_SIDES = {"after": "after", "below": "after", "under": "after", "before": "before",
          "above": "before"}  # fmt: skip
_CELL = "“it” may be the cell or the table; name the table, its row or its column"
_LABELS = word_set("the values texts cells heading header text title")


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
        return Read(
            write_cell(text, where or Scope(), row, column), Former(where, Target("table"), _CELL)
        )
    return _named_cell(clause) or _put_in_cell(clause)


def _named_cell(clause: Clause) -> Read | None:
    """``change Bob Ray's office to Rome``, ``set the office of Bob Ray to Rome``."""
    facts = clause.reader.slides.facts
    for left, right in clause.splits("to"):
        for at in range(1, len(left)):
            if left[at].low in ("of", "for"):
                column, row = clause.text(left[:at]), clause.text(left[at + 1 :])
            elif left[at - 1].is_possessive:
                row, column = clause.text(left[:at])[:-2], clause.text(left[at:])
            else:
                continue
            column = column.removeprefix("the ")
            if column.lower() not in facts.columns or row.lower() not in facts.rows or not right:
                continue
            value = clause.value(right, scoped=False, within=("table",))
            if value is None:
                return None
            named = Target("row", name=row), Target("column", name=column)
            text = refuse_wish(value[0], value[2])
            return Read(
                write_cell(text, value[1] or Scope(), *named), Former(value[1], doubt=_CELL)
            )
    return None


def _put_in_cell(clause: Clause) -> Read | None:
    if clause.verb not in ("put", "write", "enter", "set", "insert", "add"):
        return None
    for left, right in clause.splits("in", "into", "to"):
        slots = clause.slots(right)
        row, column = slots.target("row"), slots.target("column")
        known = slots.kinds <= {"row", "column", "table", "cell"}
        if left and row and column and known and not slots.rest and not slots.quoted:
            scope = slots.scope_or_all
            return Read(
                write_cell(clause.text(left), scope, row, column), Former(slots.scope, doubt=_CELL)
            )
    return None


def read_heading(clause: Clause) -> Read | None:
    """``rename the column Role to Position``: the cell at the top of a column."""
    for left, right in clause.splits("to", "into", "as"):
        slots = clause.slots(left)
        column = slots.target("column", "header")
        if column is None or not slots.kinds <= {"column", "header", "table"} or slots.look:
            continue
        name = slots.quoted[0] if slots.quoted else ""
        if slots.rest and not name:
            name = clause.source[slots.rest[0].start : slots.rest[-1].end]
        place = (slots.target("column") or column).place
        value = clause.value(right, scoped=slots.scope is not None, within=("table",))
        if value is None or not (name or place):
            return None
        found = Target("column", place=None if name else place, name=name or None)
        where = slots.scope or value[1]
        operation = write_cell(value[0], where or Scope(), Target("row", place=1), found)
        return Read(operation, Former(where, Target("table")))
    return None


def read_delete_in_table(clause: Clause) -> Read | None:
    """``delete the last two rows of the table``, ``remove the column Role``."""
    slots = clause.slots(clause.body)
    found = _in_table(clause, slots)
    if found is None:
        return None
    kind, part = found
    parts = [part]
    if part.place is not None and part.place > 0:
        parts = sorted(
            (one for one in slots.targets if one.kind == kind), key=lambda one: -(one.place or 0)
        )
    former, scope = Former(slots.scope, Target("table")), slots.scope_or_all
    return together([Read(delete_from_table(one.kind, scope, one), former) for one in parts])


def _in_table(clause: Clause, slots: Slots) -> tuple[str, Target] | None:
    """The row or column that is meant, by its place or its heading."""
    if not slots.kinds or not slots.kinds <= {"row", "column", "table", "header"} or slots.look:
        return None
    if slots.numbers or slots.measures or {"row", "column"} <= slots.kinds:
        return None
    part = slots.target("row", "column")
    if part is None:
        header = slots.target("header")
        return ("row", Target("row", place=1)) if header and not slots.rest else None
    if part.place is not None and not slots.rest and not slots.quoted:
        return part.kind, part
    name = slots.quoted[0] if len(slots.quoted) == 1 and not slots.rest else ""
    if slots.rest and not slots.quoted:
        first, last = slots.rest[0].start, slots.rest[-1].end
        name = clause.source[first:last]
        if len(name.split()) != len(slots.rest):
            return None
    return (part.kind, replace(part, name=name)) if name else None


_EDGES = {
    "at the end of": -1, "at the bottom of": -1, "at the end": -1, "at the bottom": -1,
    "at the top of": 1, "at the top": 1, "at the beginning of": 1, "at the start of": 1,
}  # fmt: skip


def read_new_in_table(clause: Clause) -> Read | None:
    """``add a row to the table on slide 4 with A, B, C``; ``add a column Age after column 2``."""
    tokens = clause.body
    if clause.action != "add":
        return None
    lows = [token.low if token.kind != "quoted" else "" for token in tokens]
    marks = ("with", ":", "called", "named", "headed", "containing")
    at = next((n for n, low in enumerate(lows) if low in marks), len(tokens))
    listed, behind = _without_table(clause, tokens[at + 1 :])
    texts = _list_of(clause, listed)
    if at < len(tokens) and not texts:
        return None
    plain = [token for token in tokens[:at] if token.low not in ("new", "another", "extra")]
    edge, head = without_phrase(plain, _EDGES)
    if not texts:
        texts, head = _listed_values(clause, head)
    side = next((n for n, token in enumerate(head) if token.low in _SIDES), None)
    other = clause.slots(head[side + 1 :]) if side is not None else Slots()
    beside = _in_table(clause, other) if side is not None else None
    if side is not None and beside is None:
        return None
    slots = clause.slots(head if side is None else head[:side])
    part = slots.target("row", "column")
    if part is None or part.count > 1 or other.numbers or (slots.quoted and slots.rest):
        return None
    if part.place is None and slots.rest and not texts and not slots.quoted:
        texts = heading_behind(clause, head, part.kind, slots)
    if slots.rest or slots.look or slots.numbers or not slots.kinds <= {"row", "column", "table"}:
        return None
    where: tuple[str, Target] | None = None
    if beside is not None and side is not None:
        where = (_SIDES[head[side].low], beside[1])
    elif (place := part.place or edge) is not None:
        where = ("after" if place < 0 else "before", Target(part.kind, place=place))
    scope = slots.scope or other.scope or behind.scope
    operation = add_to_table(part.kind, (*slots.quoted, *texts), scope or Scope(), where)
    return Read(operation, Former(scope, Target("table")))


def _without_table(clause: Clause, tokens: Sequence[Token]) -> tuple[Sequence[Token], Slots]:
    """A list without ``to the table on slide 4`` behind it, and what that names."""
    for at in range(len(tokens)):
        if tokens[at].kind == "word" and tokens[at].low in ("to", "in", "of", "on"):
            slots = clause.slots(tokens[at:])
            plain = not (slots.rest or slots.quoted or slots.look or slots.numbers)
            if plain and (slots.kinds == {"table"} or (slots.scope and not slots.kinds)):
                return tokens[:at], slots
    return tokens, Slots()


def _listed_values(
    clause: Clause, tokens: Sequence[Token]
) -> tuple[tuple[str, ...], tuple[Token, ...]]:
    """Quoted texts and numbers that follow one another, ``'Term', 20, 25``, and the words around.

    Nothing where no quoted text begins them.
    """
    start = next((n for n, token in enumerate(tokens) if token.kind == "quoted"), len(tokens))
    end = start
    while end < len(tokens) and (
        tokens[end].kind in ("quoted", "number") or tokens[end].low in (",", "and")
    ):
        end += 1
    texts = tuple(token.text for token in tokens[start:end] if token.kind in ("quoted", "number"))
    return texts, (*tokens[:start], *tokens[end:])


def heading_behind(
    clause: Clause, tokens: Sequence[Token], part: str, slots: Slots
) -> tuple[str, ...]:
    """What stands right behind ``row`` or ``column`` and nothing else explains, taken as a text."""
    first = slots.rest[0]
    name = clause.source[first.start : slots.rest[-1].end]
    at = next(n for n, token in enumerate(tokens) if token is first)
    if tokens[at - 1].low != part or len(name.split()) != len(slots.rest):
        return ()
    last = next(n for n, token in enumerate(tokens) if token is slots.rest[-1])
    slots.rest = []
    return _list_of(clause, tokens[at : last + 1])


def _list_of(clause: Clause, tokens: Sequence[Token]) -> tuple[str, ...]:
    """The items of a list that commas divide, and ``and`` where no comma does."""
    lead = 0
    while lead < len(tokens) and tokens[lead].low in _LABELS:
        lead += 1
    items: list[list[Token]] = [[]]
    has_comma = any(token.text in (",", "|", "/") for token in tokens)
    for token in tokens[lead:]:
        divides = token.kind != "quoted" and (
            token.text in (",", "|")
            or (token.low == "and" and (not has_comma or (items and not items[-1])))
        )
        if divides:
            items.append([])
        else:
            items[-1].append(token)
    return tuple(clause.text(item) for item in items if item)
