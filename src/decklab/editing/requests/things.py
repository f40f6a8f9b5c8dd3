"""Things on slides that a request names: shapes, texts, bullets, cells and points of charts."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from decklab.editing.finding import EditError
from decklab.editing.requests.slide_names import DeckSlot, form, titled
from decklab.editing.requests.templates import (
    DeckNames,
    Piece,
    SlotForm,
    TemplateNode,
    Way,
    Words,
    choices,
    plain,
    quoted,
)
from decklab.editing.requests.values import VALUES, ListSlot

CHARTS = tuple(f"{kind} chart" for kind in
               ("bar", "column", "line", "area", "pie", "doughnut", "radar"))  # fmt: skip
"""Charts by the way they are drawn."""
DRAWN = (
    "picture", "shape", "box", "rectangle", "circle", "text box", "table", "chart", *CHARTS,
    "diagram", "line", "group",
)  # fmt: skip
"""The kinds of things drawn on slides."""
_OTHER_NOUNS: Mapping[str, str] = {
    "image": "picture", "photo": "picture", "oval": "circle", "textbox": "text box",
    "smartart": "diagram", "graph": "chart", "pie": "pie chart", "doughnut": "doughnut chart",
    "donut chart": "doughnut chart", "line graph": "line chart", "bar graph": "bar chart",
    "connector": "line", "arrow": "line", "title": "title", "subtitle": "subtitle",
    "heading": "title", "headline": "title", "slide title": "title", "body text": "body",
    "placeholder": "placeholder", "text column": "body",
}  # fmt: skip


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith("x") else "s")


_NOUNS: Mapping[str, str] = {
    spelled: kind
    for noun, kind in {**{kind: kind for kind in DRAWN}, **_OTHER_NOUNS}.items()
    for spelled in (noun, _plural(noun))
} | {"body": "body", "bodies": "body"}


@dataclass(frozen=True)
class Target:
    """A thing on slides."""

    kind: str
    """A kind of ``shapes_of``, one of ``CHARTS``, or ``text``, ``footer``, ``bullet``, ``word``,
    ``row``, ``column``, ``header``, ``cell``."""
    plural: bool = False
    """Whether all of its kind are meant."""
    place: int | None = None
    """Which of its kind, from 1; -1 is the last."""
    count: int = 1
    """How many from that place on."""
    name: str | None = None
    """Its name, if it is said; of a word the word, of a row its first cell."""
    id: int | None = None
    """The id of a shape, if several have its name."""
    side: str = ""
    """Of several of its kind the one at the ``left``, ``right``, ``top`` or ``bottom``."""
    within: "Target | None" = None
    """Of a row, column or cell: the table it is in; of a bullet the shape."""
    column: "Target | None" = None
    """Of a cell: its column; kind, place and name are those of its row."""

    @property
    def words(self) -> str:
        """The thing as a request may name it."""
        within = f" of {self.within.words}" if self.within else ""
        if self.kind == "cell" and self.column is not None:
            row = replace(self, kind="row", within=None, column=None)
            return f"{row.words}, {self.column.words}{within}"
        if self.kind == "header":
            return f"the header row{within}"
        if self.name is not None:
            noun = "words" if self.kind == "word" else self.kind
            which = "" if self.id is None else f" with id {self.id}"
            return f"the {noun} {quoted(self.name)}{which}{within}"
        plural = "body texts" if self.kind == "body" else _plural(self.kind)
        if self.side:
            return f"the {self.side} {self.kind}"
        if self.place is None:
            fixed = {"text": "the text", "body": "the body text"}.get(self.kind)
            every = "all text" if self.kind == "text" else f"all {plural}{within}"
            return every if self.plural else fixed or f"the {self.kind}{within}"
        if self.count > 1:
            return f"the {'first' if self.place > 0 else 'last'} {self.count} {plural}{within}"
        if self.place < 0:
            last = "last" if self.place == -1 else f"{ordinal(-self.place)} to last"
            return f"the {last} {self.kind}{within}"
        if self.kind in ("row", "column", "bullet"):
            return f"{self.kind} {self.place}{within}"
        return f"the {ordinal(self.place)} {self.kind}"

    @property
    def is_within(self) -> bool:
        """Whether it is a part of a table or of a text."""
        return self.kind in ("row", "column", "header", "cell", "bullet")


def ordinal(number: int) -> str:
    """A number as a place: ``2nd``."""
    teen = number % 100 in (11, 12, 13)
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


class NounSlot:
    """A kind of thing, one or several of it."""

    def __init__(self, *kinds: str) -> None:
        kinds = (*kinds, *(CHARTS if "chart" in kinds else ()))
        self.nouns = {noun: kind for noun, kind in _NOUNS.items() if not kinds or kind in kinds}

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The longest noun that stands there; its value is a ``Target``."""
        at += words.low(at) in ("the", "a", "an")
        for length in (2, 1):
            noun = " ".join(words.low(index) for index in range(at, at + length))
            if (kind := self.nouns.get(noun)) is not None:
                plural = noun.endswith("s") or noun == "bodies"
                yield (Piece(noun, value=Target(kind, plural)),), at + length
                return


@dataclass(frozen=True)
class TokenSlot:
    """A word of a certain form without quotes: an address, a file, a cell such as ``B3``."""

    pattern: str
    value: Callable[[str], object] = str

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The word that stands there."""
        if re.fullmatch(self.pattern, words.low(at)):
            text = words.tokens[at].text
            yield (Piece(quoted(text), value=self.value(text)),), at + 1


def _named(
    facts: DeckNames, name: str, noun: Target | None = None, id: int | None = None
) -> Target | None:
    if noun is not None and (noun.plural or plain(f"{name} {noun.kind}") in facts.shapes):
        return None
    return Target(noun.kind if noun else "shape", name=name, id=id)


def _placed(
    _facts: DeckNames, ordinal: int, noun: Target, number: int | None = None
) -> Target | None:
    if (number is not None) != noun.plural or (number is not None and abs(ordinal) != 1):
        return None
    return Target(noun.kind, place=ordinal, count=number or 1)


def _numbered(facts: DeckNames, noun: Target, number: int) -> list[Target]:
    """``picture 3``: the one of that name, else the third."""
    if noun.plural or noun.kind in ("title", "subtitle", "body"):
        return []
    kinds = {noun.kind, noun.kind.replace(" ", "")}  # PowerPoint itself says TextBox 2
    names = [name for kind in kinds for name in facts.shapes.get(plain(f"{kind} {number}"), ())]
    return [Target("shape", name=name) for name in names] or [Target(noun.kind, place=number)]


_SIDES = {"upper": "top", "lower": "bottom"}


def _at_side(_facts: DeckNames, side: str, noun: Target) -> Target | None:
    return None if noun.plural else replace(noun, side=_SIDES.get(side, side))


def _same(_facts: DeckNames, *_none: object, **thing: Target) -> Target:
    return next(iter(thing.values()))


_say = attrgetter("words")


def _things() -> dict[str, Callable[..., object]]:
    """The ways to name things of a type of nouns, by their templates."""
    return {
        "{noun}": _same,
        "(every|each|all|both|all of|both of) {noun}": lambda f, noun: replace(noun, plural=True),
        "{noun} [titled] {name} [with id {id:number}]": _named,
        "{name} {noun}": _named,
        "{ordinal} {noun}": _placed,
        "{ordinal} {number} {noun}": _placed,
        "{noun} {number}": _numbered,
        "{side=left|right|top|bottom|upper|lower} {noun}": _at_side,
        "{side=left|right} (text|column)": lambda f, side: Target("body", side=side),
    }


def _shapes(*kinds: str, alone: bool = False) -> SlotForm:
    """Shapes of some kinds; with ``alone`` also any shape by its name alone."""
    named = {"[(shape|object|card|icon|button|logo)] {name}": _named} if alone else {}
    held: dict[str, TemplateNode] = {**VALUES, "noun": NounSlot(*kinds)}
    return form(*{**_things(), **named}.items(), say=_say, kinds=held)


SHAPE = _shapes(alone=True)
"""A shape of any kind, or several."""
DRAWN_SHAPE = _shapes(*DRAWN, alone=True)
"""A shape that is no title, subtitle or body."""
NOUN_SHAPE = _shapes(*DRAWN)
"""A drawn shape that is called by its kind, not by a quoted name alone."""
TABLE = _shapes("table")


def _line(_facts: DeckNames, part: str, **which: Any) -> Target | None:
    """A row or column by its number, its place, or the text of its first cell."""
    plural = part.endswith("s")
    count = which.get("number") if "ordinal" in which else None
    if plural != (count is not None):
        return None
    at = which.get("ordinal", which.get("number"))
    return Target(part.rstrip("s"), False, at, count or 1, which.get("heading"))


_PART = "{part=row|rows|column|columns}"
_GRID = TokenSlot("[a-z][0-9]{1,2}", lambda text: (int(text[1:]), ord(text[0].lower()) - 96))
_TABLE_KINDS: dict[str, TemplateNode] = {**VALUES, "table": TABLE, "grid": _GRID}
_TABLE_KINDS["line"] = form(
    (f"{_PART} {{number}}", _line),
    ("({part=row} {heading:row name}|{heading:row name} {part=row})", _line),
    ("({part=column} {heading:column name}|{heading:column name} {part=column})", _line),
    ("[(all|every|each)] {part=rows|columns}", lambda f, part: Target(part[:-1], plural=True)),
    (f"{{ordinal}} {_PART}", _line),
    (f"{{ordinal}} {{number}} {_PART}", _line),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip


def _lines(*kinds: str) -> SlotForm:
    """Rows or columns of a table."""

    def made(_facts: DeckNames, line: Target, table: Target | None = None) -> Target | None:
        return replace(line, within=table) if line.kind in kinds else None

    return form(("{line}", made), ("<{line} of {table}>", made), say=_say, kinds=_TABLE_KINDS)


LINE = _lines("row", "column")


def _cell(
    _facts: DeckNames, first: Target, last: Target, table: Target | None = None
) -> Target | None:
    row, column = (first, last) if first.kind == "row" else (last, first)
    if (row.kind, column.kind) != ("row", "column") or row.count + column.count > 2:
        return None
    return replace(row, kind="cell", column=column, within=table)


def _crossing(
    facts: DeckNames, first: str, last: str, table: Target | None = None
) -> list[Target | None]:
    """The cell in the row of one heading and the column of the other."""
    return [
        Target("cell", name=row, within=table, column=Target("column", name=column))
        for row, column in ((first, last), (last, first))
        if plain(row) in facts.rows and plain(column) in facts.columns
    ]


def _grid_cell(
    _facts: DeckNames, table: Target | None = None, grid: tuple[int, int] = (0, 0),
    row: int | None = None, column: int | None = None,
) -> Target:  # fmt: skip
    at_row, at_column = grid if row is None else (row, column)
    return Target("cell", place=at_row, within=table, column=Target("column", place=at_column))


_OF_TABLE = "[of {table}]"
CELL = form(
    (f"[cell] [(in|at)] {{first:line}} [,] [(and|of)] {{last:line}} {_OF_TABLE}", _cell),
    (f"cell {{row:number}} , {{column:number}} {_OF_TABLE}", _grid_cell),
    (f"cell {{grid}} {_OF_TABLE}", _grid_cell),
    (f"[(value|number|figure|entry|cell|text)] [of] {{first:heading}} [(value|number|figure)] "
     f"[(of|,|and|/|'s|under|by)] {{last:heading}} {_OF_TABLE}", _crossing),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip
"""A cell of a table."""
GRID_CELL = form(
    ("{grid}", _grid_cell),
    say=lambda cell: f"{chr(ord('A') + cell.column.place - 1)}{cell.place}", kinds=_TABLE_KINDS,
)  # fmt: skip
CELLS = form(
    ("{lines}", _same),
    ("header [row]", lambda f: Target("header")),
    ("<header [row] of {table}>", lambda f, table: Target("header", within=table)),
    ("{cell}", _same),
    say=_say, kinds={**_TABLE_KINDS, "lines": LINE, "cell": CELL},
)  # fmt: skip
"""A row, a column, the header or a cell of a table."""


def _bullet(
    _facts: DeckNames, number: int | None = None, ordinal: int | None = None, count: int = 1,
    line: str | None = None, shape: Target | None = None,
) -> Target:  # fmt: skip
    at = number if ordinal is None else ordinal
    return Target("bullet", place=at, count=count, name=line, within=shape)


_BULLET = "(bullet|line|paragraph|item) [point]"
_BULLET_NAMES = (
    f"({_BULLET} {{number}}|{{ordinal}} {_BULLET}|{{ordinal}} {{count:number}} "
    f"(bullets|lines|paragraphs|items) [points]|{_BULLET} [saying] {{line:line text}}"
    f"|{{line:line text}} {_BULLET})"
)
_TEXT_KINDS: dict[str, TemplateNode] = {**_TABLE_KINDS, "shape": SHAPE}
BULLET = form(
    (_BULLET_NAMES, _bullet), (f"{_BULLET_NAMES} of {{shape}}", _bullet),
    (f"{{shape}} 's {_BULLET_NAMES}", _bullet), say=_say, kinds=_TEXT_KINDS,
)  # fmt: skip
"""A line of a text, or several in a row; of a body text if no shape is named."""
_WRITTEN = ("title", "subtitle", "body", "placeholder")
_WRITTEN_KINDS: dict[str, TemplateNode] = {
    **_TEXT_KINDS, "noun": NounSlot(*_WRITTEN), "bullet": BULLET, "cells": CELLS,
}  # fmt: skip
_WRITINGS = (
    *_things().items(),
    ("<text of {shape}>", _same),
    ("text", lambda f: Target("text")),
    ("all text", lambda f: Target("text", plural=True)),
    ("[all] footer [text]", lambda f: Target("footer")),
    ("[all] bullets [points]", lambda f: Target("body")),
    ("<[all] bullets [points] of {shape}>", _same),
    ("{bullet}", _same),
    ("{cells}", _same),
)

ROLE = form(("{noun}", _same), ("text", lambda f: Target("text")), say=_say, kinds=_WRITTEN_KINDS)
"""A kind of text, before what of it is meant: ``title color``."""


def _say_text(target: Target) -> str:
    within = (*_WRITTEN, "text", "footer", "bullet", "word", "row", "column", "header", "cell")
    return target.words if target.kind in within else f"the text of {target.words}"


WRITING = form(*_WRITINGS, ("text {name}", _named), say=_say_text, kinds=_WRITTEN_KINDS)
"""Texts as a whole. Those of drawn shapes need ``the text of``: the shape itself is something
else."""
TEXTS = form(
    *_WRITINGS,
    ("[(words|text|number|phrase)] {name:held}", lambda f, name: Target("word", name=name)),
    ("word {name:single}", lambda f, name: Target("word", name=name)),
    say=_say_text, kinds=_WRITTEN_KINDS,
)  # fmt: skip
"""Texts that can be given a look, single words too."""
_LETTERED = form(("{texts}", _same), ("{drawn}", _same), say=_say_text,
                 kinds={"texts": TEXTS, "drawn": DRAWN_SHAPE})  # fmt: skip
"""Texts, also those of drawn shapes and tables, for looks that shapes have not."""
_BOXES = ("subtitle", "body", "placeholder", "text box", "shape", "box", "rectangle", "circle")


@dataclass(frozen=True)
class ChartPoint:
    """A value of a chart, by the names of its category and series."""

    category: str
    series: str | None = None


def _point(facts: DeckNames, category: str, series: str | None = None) -> ChartPoint:
    if plain(category) not in facts.categories:
        raise EditError(f"no chart of the deck has a category “{category}”")
    if series is not None and plain(series) not in facts.series:
        raise EditError(f"no chart of the deck has a series “{series}”")
    return ChartPoint(category, series)


_VALUE = "[(value|share|figure)]"
POINT = form(
    (f"({{category}} {_VALUE} [(of|,|'s)] {_VALUE} {{series}}|{{category}}"
     f"|{{series}} {_VALUE} [(of|,|'s)] {_VALUE} {{category}})", _point),
    say=lambda point: quoted(point.category)
    + (f" in {quoted(point.series)}" if point.series else ""),
    kinds=VALUES,
)  # fmt: skip
"""A point of a chart."""
GOAL = form(
    ("slide [number] {number}", lambda f, number: number),
    ("({address}|{quoted})", lambda f, **goal: next(iter(goal.values()))),
    say=lambda goal: f"slide {goal}" if isinstance(goal, int) else quoted(goal),
    kinds={**VALUES, "address": TokenSlot(r"(https?|ftp|mailto|file|tel):.+")},
)
"""Target of a link: a slide or an address."""


@dataclass(frozen=True)
class Spot:
    """A place in a table for a row or column: beside another one, at the start, at the end."""

    side: str
    """``before``, ``after``, ``start`` or ``end``."""
    beside: Target | None = None

    @property
    def words(self) -> str:
        """The place as a request may name it."""
        return f"{self.side} {self.beside.words}" if self.beside else f"at the {self.side}"


def _beside(_facts: DeckNames, side: str, **named: Any) -> Spot:
    ((kind, held),) = named.items()
    line = held if isinstance(held, Target) else Target(kind, name=held)
    return Spot({"above": "before", "below": "after"}.get(side, side), line)


_SIDE = "{side=before|after|above|below}"
SPOT = form(
    (f"{_SIDE} {{line}}", _beside), (f"{_SIDE} {{row:row name}}", _beside),
    (f"{_SIDE} {{column:column name}}", _beside),
    ("(at|to) [very] {side=start|end}", lambda f, side: Spot(side)),
    say=_say, kinds=_TABLE_KINDS,
)  # fmt: skip
"""A place for a row or column."""
_FALLING = ("descending", "in descending order", "highest first", "largest first", "biggest first",
            "from high to low", "from highest to lowest", "z to a")  # fmt: skip
_RISING = ("ascending", "in ascending order", "lowest first", "smallest first", "from low to high",
           "from lowest to highest", "a to z", "alphabetically")  # fmt: skip
_AXES = {"x": "horizontal", "y": "vertical"}
_PLAIN_KINDS: dict[str, TemplateNode] = {
    "layout": form(("([layout] {name:layout name}|{name:layout name} layout)",
                    lambda f, name: name), say=quoted, kinds=VALUES),
    "apart": form(("{shape}", _same), ("footer", lambda f: Target("footer")),
                  ("[speaker] notes", lambda f: Target("notes")), say=_say, kinds=_TEXT_KINDS),
    "called": form(("[shape] {name}", _named), say=_say,
                   kinds={"name": DeckSlot(("shapes",), bare=True)}),
    "file": form(("({file:quoted}|{file:bare file})", lambda f, file: file), say=quoted,
                 kinds={**VALUES, "bare file": TokenSlot(r".+\.(png|jpe?g|gif)")}),
    "old": form(("[(every|all) [(occurrences|instances) of]] [(word|words|text|number)] {old}",
                 lambda f, old: old), say=quoted, kinds=VALUES),
    "titled": form(("{title}", titled), say=_say, kinds=VALUES),
    "order": form((f"{{order={'|'.join((*_FALLING, *_RISING))}}}",
                   lambda f, order: order in _FALLING),
                  say=lambda falls: "descending" if falls else "ascending", kinds=VALUES),
    "sort column": form(("{lines}", lambda f, lines: lines if lines.kind == "column" else None),
                        ("{name:column name}", lambda f, name: Target("column", name=name)),
                        say=_say, kinds={**_TABLE_KINDS, "lines": LINE}),
    "axis": form(("({axis=horizontal|vertical|category|value|x|y} axis|{axis=x|y}-axis)",
                  lambda f, axis: _AXES.get(axis, axis)),
                 say=lambda axis: f"{axis} axis", kinds=VALUES),
    "theme slot": form(
        ("{slot=accent1|accent2|accent3|accent4|accent5|accent6|dk1|lt1|dk2|lt2|hlink|folHlink}",
         lambda f, slot: slot),
        ("(accent {place:number}|{place:ordinal} accent)", lambda f, place: f"accent{place}"),
        say=lambda slot: slot, kinds=VALUES),
    "chart kind": choices("column|bar|line|area|pie|doughnut|radar|stacked column|stacked bar"
                          "|stacked area|100% stacked column"),
    "transition": choices("fade|push|wipe|split|cover|uncover|cut|dissolve|zoom|wheel|blinds"
                          "|checker|random bars|random"),
    "trigger": choices("on click|with previous|after previous"),
    "new shape": choices("rectangle|rounded rectangle|oval|circle|triangle|diamond|hexagon|chevron"
                         "|pentagon|right arrow|down arrow|star|speech bubble"),
}  # fmt: skip

THINGS: Mapping[str, TemplateNode] = {
    **VALUES, **_PLAIN_KINDS, "shapes": form(
        ("[(shapes|boxes|pictures|images|icons|groups|lines|circles|rectangles)] {shapes}", _same),
        kinds=VALUES,
    ), "spot": SPOT, "shape": SHAPE, "drawn": DRAWN_SHAPE, "noun shape": NOUN_SHAPE,
    "table": TABLE, "row": _lines("row"), "column": _lines("column"), "lines": LINE, "cell": CELL,
    "grid cell": GRID_CELL, "cells": CELLS, "bullet": BULLET, "texts": TEXTS, "writing": WRITING,
    "role": ROLE, "point": POINT, "lettered": _LETTERED, "picture": _shapes("picture"),
    "chart": _shapes("chart"),
    "box shape": _shapes(*_BOXES), "goal": GOAL, "numbered": ListSlot(form(
        ("{name:single} [:] {value}", lambda f, name, value: (name, value)),
        say=lambda pair: f"{quoted(pair[0])} {pair[1]:g}", kinds=VALUES,
    )),
}  # fmt: skip
"""Types of slots for things and values, by name."""
