"""Things on slides that a request names: shapes, texts, bullets, cells and points of charts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from decklab.editing.finding import EditError
from decklab.editing.requests.facts import DeckFacts
from decklab.editing.requests.slide_names import form
from decklab.editing.requests.templates import Form, Node, Piece, Way, Words
from decklab.editing.requests.tokens import quoted
from decklab.editing.requests.values import VALUES

DRAWN = (
    "picture", "shape", "box", "rectangle", "circle", "text box", "table", "chart", "diagram",
    "line", "group",
)  # fmt: skip
"""The kinds of things drawn on slides."""
_NOUNS: Mapping[str, str] = {
    **{noun: kind for kind in DRAWN for noun in (kind, kind + ("es" if kind[-1] == "x" else "s"))},
    "image": "picture", "images": "picture", "photo": "picture", "photos": "picture",
    "oval": "circle", "ovals": "circle", "textbox": "text box", "textboxes": "text box",
    "smartart": "diagram", "graph": "chart", "graphs": "chart", "connector": "line",
    "connectors": "line", "title": "title", "titles": "title", "subtitle": "subtitle",
    "subtitles": "subtitle", "heading": "title", "headings": "title", "headline": "title",
    "headlines": "title", "slide title": "title", "slide titles": "title", "body": "body",
    "bodies": "body", "body text": "body", "body texts": "body",
    "placeholder": "placeholder", "placeholders": "placeholder",
}  # fmt: skip
_LONGEST_NAME = 6


@dataclass(frozen=True)
class Target:
    """A thing on slides."""

    kind: str
    """A kind of ``shapes_of``, or ``text``, ``footer``, ``bullet``, ``word``, ``row``, ``column``,
    ``header``, ``cell``."""
    plural: bool = False
    """Whether all of its kind are meant."""
    place: int | None = None
    """Which of its kind, from 1; -1 is the last."""
    count: int = 1
    """How many from that place on."""
    name: str | None = None
    """Its name, where it is said; of a word the word, of a row its first cell."""
    table: "Target | None" = None
    """Of a row, column or cell: the table it is in."""
    column: "Target | None" = None
    """Of a cell: its column; kind, place and name are those of its row."""

    @property
    def words(self) -> str:
        """The thing as a request may name it."""
        within = f" of {self.table.words}" if self.table else ""
        if self.kind == "cell" and self.column is not None:
            row = replace(self, kind="row", table=None, column=None)
            return f"{row.words}, {self.column.words}{within}"
        if self.kind == "header":
            return f"the header row{within}"
        if self.name is not None:
            noun = "words" if self.kind == "word" else self.kind
            return f"the {noun} {quoted(self.name)}{within}"
        plural = plurals(self.kind)
        if self.place is None:
            fixed = {"text": "the text", "body": "the body text"}.get(self.kind)
            return f"all {plural}" if self.plural else fixed or f"the {self.kind}{within}"
        if self.count > 1:
            return f"the {'first' if self.place > 0 else 'last'} {self.count} {plural}{within}"
        if self.place < 0:
            last = "last" if self.place == -1 else f"{ordinal(-self.place)} to last"
            return f"the {last} {self.kind}{within}"
        if self.kind in ("row", "column", "bullet"):
            return f"{self.kind} {self.place}{within}"
        return f"the {ordinal(self.place)} {self.kind}"


def plurals(kind: str) -> str:
    """The name of several things of a kind."""
    return "body texts" if kind == "body" else kind + ("es" if kind.endswith("x") else "s")


def ordinal(number: int) -> str:
    """A number as a place: ``2nd``."""
    teen = number % 100 in (11, 12, 13)
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


class NounSlot:
    """A kind of thing, one or several of it."""

    def __init__(self, *kinds: str) -> None:
        self.nouns = {noun: kind for noun, kind in _NOUNS.items() if not kinds or kind in kinds}

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The longest noun that stands there; its value is a ``Target``."""
        at += words.low(at) in ("the", "a", "an")
        for length in (2, 1):
            noun = " ".join(words.low(place) for place in range(at, at + length))
            kind = self.nouns.get(noun)
            if kind is not None:
                plural = noun.endswith("s") or noun == "bodies"
                yield (Piece(noun, value=Target(kind, plural)),), at + length
                return


class NameSlot:
    """The name of a shape that the deck has, of two words or more, without quotes."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The names that stand there."""
        at += words.low(at) == "the"
        for end in range(at + 2, min(len(words.tokens), at + _LONGEST_NAME) + 1):
            text = " ".join(words.text(at, end).split())
            if text.lower() in words.facts.names:
                yield (Piece(quoted(text), value=text),), end


class AddressSlot:
    """A web or mail address without quotes."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The address that stands there."""
        if at < len(words.tokens) and words.tokens[at].kind == "address":
            text = words.tokens[at].text
            yield (Piece(quoted(text), value=text),), at + 1


class GridSlot:
    """A cell as spreadsheets name it, such as ``B3``: column letter, row number."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The row and column of the cell."""
        low = words.low(at)
        if len(low) in (2, 3) and low[0].isascii() and low[0].isalpha() and low[1:].isdigit():
            column, row = ord(low[0]) - ord("a") + 1, int(low[1:])
            yield (Piece(low.upper(), value=(row, column)),), at + 1


def _of_kind(_facts: DeckFacts, noun: Target) -> Target:
    return noun


def _named(_facts: DeckFacts, name: str, noun: Target | None = None) -> Target | None:
    if noun is not None and noun.plural:
        return None
    return Target(noun.kind if noun else "shape", name=name)


def _placed(
    _facts: DeckFacts, ordinal: int, noun: Target, number: int | None = None
) -> Target | None:
    if (number is not None) != noun.plural or (number is not None and abs(ordinal) != 1):
        return None
    return Target(noun.kind, place=ordinal, count=number or 1)


def _every(_facts: DeckFacts, noun: Target) -> Target:
    return replace(noun, plural=True)


def _numbered(facts: DeckFacts, noun: Target, number: int) -> list[Target]:
    """``picture 3``: the one of that name, else the third."""
    if noun.plural or noun.kind in ("title", "subtitle", "body"):
        return []
    name = f"{noun.kind} {number}"
    return [Target("shape", name=name) if name in facts.names else Target(noun.kind, place=number)]


_KINDS: dict[str, Node] = {
    **VALUES, "noun": NounSlot(), "drawn": NounSlot(*DRAWN), "name": NameSlot(),
    "grid": GridSlot(), "table noun": NounSlot("table"),
}  # fmt: skip


def _things(noun: str) -> tuple[tuple[str, Any], ...]:
    """The ways to name things of a type of nouns."""
    return (
        (f"{{noun:{noun}}}", _of_kind),
        (f"(every|each|all|both|all of) {{noun:{noun}}}", _every),
        (f"{{noun:{noun}}} [titled] {{name:quoted}}", _named),
        (f"{{name:quoted}} {{noun:{noun}}}", _named),
        (f"{{ordinal}} {{noun:{noun}}}", _placed),
        (f"{{ordinal}} {{number}} {{noun:{noun}}}", _placed),
        (f"{{noun:{noun}}} {{number}}", _numbered),
    )


def _say(target: Target) -> str:
    return target.words


def _alone(_facts: DeckFacts, name: str) -> Target:
    return Target("shape", name=name)


SHAPE = form(
    *_things("noun"), ("{name:quoted}", _alone), ("[shape] {name}", _alone), say=_say, kinds=_KINDS
)
"""A shape of any kind, or several."""
DRAWN_SHAPE = form(
    *_things("drawn"), ("{name:quoted}", _alone), ("[shape] {name}", _alone),
    say=_say, kinds=_KINDS,
)  # fmt: skip
"""A shape that is no title, subtitle or body."""
NOUN_SHAPE = form(*_things("drawn"), say=_say, kinds=_KINDS)
"""A drawn shape that is called by what it is, not by a quoted name alone."""
TABLE = form(*_things("table noun"), say=_say, kinds=_KINDS)


def _line(_facts: DeckFacts, part: str, table: Target | None = None, **which: Any) -> Target | None:
    """A row or column by its number, its place, or the text of its first cell."""
    plural = part.endswith("s")
    count = which.get("number") if "ordinal" in which else None
    if plural != (count is not None):
        return None
    place = which.get("ordinal", which.get("number"))
    return Target(part.rstrip("s"), False, place, count or 1, which.get("heading"), table)


_PART = "{part=row|rows|column|columns}"
_OF_TABLE = "[(of|in) {table}]"
LINE = form(
    (f"{_PART} {{number}}", _line),
    (f"{_PART} {{heading}}", _line),
    (f"{{ordinal}} {_PART}", _line),
    (f"{{ordinal}} {{number}} {_PART}", _line),
    (f"{{heading:quoted}} {_PART}", _line),
    say=_say, kinds=_KINDS,
)  # fmt: skip
"""A row or column of a table."""


def _cell(_facts: DeckFacts, row: Target, column: Target, table: Target | None = None) -> Any:
    if (row.kind, column.kind) != ("row", "column"):
        return None
    return replace(row, kind="cell", column=column, table=table)


def _grid_cell(
    _facts: DeckFacts, table: Target | None = None, grid: tuple[int, int] = (0, 0),
    row: int | None = None, column: int | None = None,
) -> Target:  # fmt: skip
    at_row, at_column = grid if row is None else (row, column)
    return Target("cell", place=at_row, table=table, column=Target("column", place=at_column))


_TABLE_KINDS: dict[str, Node] = {**_KINDS, "line": LINE, "table": TABLE}
ROW = form(
    ("{line}", lambda f, line: line if line.kind == "row" else None), say=_say, kinds=_TABLE_KINDS
)
COLUMN = form(
    ("{line}", lambda f, line: line if line.kind == "column" else None),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip
CELL = form(
    (f"[cell] [(in|at)] {{row:line}} [,] [and] {{column:line}} {_OF_TABLE}", _cell),
    (f"cell {{row:number}} , {{column:number}} {_OF_TABLE}", _grid_cell),
    (f"cell {{grid}} {_OF_TABLE}", _grid_cell),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip
"""A cell of a table."""
GRID_CELL = form(
    ("{grid}", _grid_cell),
    say=lambda cell: f"{chr(ord('A') + cell.column.place - 1)}{cell.place}", kinds=_TABLE_KINDS,
)  # fmt: skip
NAMED_COLUMN = form(
    ("{heading:quoted}", lambda f, heading: Target("column", name=heading)),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip
CELLS = form(
    (f"{{line}} {_OF_TABLE}", lambda f, line, table=None: replace(line, table=table)),
    (f"header [row] {_OF_TABLE}", lambda f, table=None: Target("header", table=table)),
    ("header [row] of {table}", lambda f, table: Target("header", table=table)),
    ("{table} header [row]", lambda f, table: Target("header", table=table)),
    ("{cell}", lambda f, cell: cell),
    say=_say, kinds={**_TABLE_KINDS, "cell": CELL},
)  # fmt: skip
"""A row, a column, the header or a cell of a table."""


def _bullet(
    _facts: DeckFacts, number: int | None = None, ordinal: int | None = None,
    count: int = 1, name: str | None = None,
) -> Target:  # fmt: skip
    return Target("bullet", place=number if ordinal is None else ordinal, count=count, name=name)


BULLET = form(
    ("bullet [point] {number}", _bullet),
    ("{ordinal} bullet [point]", _bullet),
    ("{ordinal} {count:number} bullets", _bullet),
    ("bullet [point] {name:quoted}", _bullet),
    say=_say, kinds=_KINDS,
)  # fmt: skip
"""A bullet of a body text, or several in a row."""
_WRITTEN = ("title", "subtitle", "body", "placeholder")
_WRITTEN_KINDS: dict[str, Node] = {
    **_TABLE_KINDS, "written": NounSlot(*_WRITTEN), "shape": SHAPE, "bullet": BULLET,
    "cells": CELLS,
}  # fmt: skip
_WRITINGS = (
    *_things("written"),
    ("text (of|in) {shape}", lambda f, shape: shape),
    ("[all] text", lambda f: Target("text")),
    ("[all] footer [text]", lambda f: Target("footer")),
    ("bullets", lambda f: Target("body")),
    ("{bullet}", lambda f, bullet: bullet),
    ("{cells}", lambda f, cells: cells),
)  # fmt: skip


ROLE = form(
    ("{noun:written}", _of_kind), ("text", lambda f: Target("text")), say=_say, kinds=_WRITTEN_KINDS
)
"""A kind of text, before what of it is meant: ``title color``."""


def _say_text(target: Target) -> str:
    within = (*_WRITTEN, "text", "footer", "bullet", "word", "row", "column", "header", "cell")
    return target.words if target.kind in within else f"the text of {target.words}"


WRITING = form(*_WRITINGS, say=_say_text, kinds=_WRITTEN_KINDS)
"""Texts as a whole. Those of drawn shapes need ``the text of``: the shape itself is something
else."""
TEXTS = form(
    *_WRITINGS,
    ("(words|text) {name:quoted}", lambda f, name: Target("word", name=name)),
    ("word {name:single}", lambda f, name: Target("word", name=name)),
    ("{name:quoted}", lambda f, name: Target("word", name=name)),
    say=_say_text, kinds=_WRITTEN_KINDS,
)  # fmt: skip
"""Texts that can be given a look, single words too."""


_BOXES = ("subtitle", "body", "placeholder", "text box", "shape", "box", "rectangle", "circle")


def _only(*kinds: str) -> Form:
    """Shapes of some kinds."""
    return form(*_things("noun"), say=_say, kinds={**_KINDS, "noun": NounSlot(*kinds)})


@dataclass(frozen=True)
class Point:
    """A value of a chart, by the names of its category and series."""

    category: str
    series: str | None = None


def _point(facts: DeckFacts, category: str, series: str | None = None) -> Point:
    if category.lower() not in facts.categories:
        raise EditError(f"no chart of the deck has a category “{category}”")
    if series is not None and series.lower() not in facts.series:
        raise EditError(f"no chart of the deck has a series “{series}”")
    return Point(category, series)


POINT = form(
    ("{category} (in|of|for) {series}", _point),
    ("{series} (in|of|for) {category}", _point),
    ("{category}", _point),
    say=lambda point: quoted(point.category)
    + (f" in {quoted(point.series)}" if point.series else ""),
    kinds=_KINDS,
)  # fmt: skip
"""A point of a chart."""
GOAL = form(
    ("slide [number] {number}", lambda f, number: number),
    ("{address}", lambda f, address: address),
    ("{quoted}", lambda f, quoted: quoted),
    say=lambda goal: f"slide {goal}" if isinstance(goal, int) else quoted(goal),
    kinds={**_KINDS, "address": AddressSlot()},
)  # fmt: skip
"""What a link leads to: a slide or an address."""


class NumberedSlot:
    """Names with a number each: ``'North' 4, 'South' 6.5``."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The pairs up to the first word that is none."""
        pairs: list[tuple[str, float]] = []
        names, amounts = VALUES["quoted"], VALUES["value"]
        while True:
            pair = [(name, value, end) for name, after in names.read(words, at)
                    for value, end in amounts.read(words, after)]  # fmt: skip
            if not pair:
                break
            name, value, at = pair[0]
            pairs.append((str(name[0].value), float(value[0].value)))  # type: ignore[arg-type]
            text = ", ".join(f"{quoted(name)} {value:g}" for name, value in pairs)
            yield (Piece(text, value=tuple(pairs)),), at
            at += words.low(at) == ","
            at += words.low(at) == "and"


THINGS: Mapping[str, Node] = {
    **VALUES, "shape": SHAPE, "drawn": DRAWN_SHAPE, "noun shape": NOUN_SHAPE,
    "table": TABLE, "row": ROW, "column": COLUMN, "cell": CELL,
    "grid cell": GRID_CELL, "named column": NAMED_COLUMN,
    "cells": CELLS, "bullet": BULLET, "texts": TEXTS, "writing": WRITING, "role": ROLE,
    "point": POINT, "picture": _only("picture"), "chart": _only("chart"),
    "box shape": _only(*_BOXES), "goal": GOAL, "numbered": NumberedSlot(),
}  # fmt: skip
"""Types of slots for things and values, by name."""
