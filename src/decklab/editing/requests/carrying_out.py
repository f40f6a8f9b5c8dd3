"""Carries out a phrase of an operation: finds its slides and shapes, calls it, says what to expect.

Slots go to the parameters of their names. An operation with ``slide`` is called for each slide of
the request, with ``shape`` for each shape, with neither once for the whole deck.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from decklab.editing.bullets import bullet_place
from decklab.editing.finding import EditError, slide_at
from decklab.editing.phrasing import Phrase
from decklab.editing.requests.operation import OpenDeck, Unclear
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.things import Point, Target
from decklab.editing.requests.values import Box
from decklab.editing.tables import table_texts
from decklab.editing.texts import get_notes
from decklab.editing.verification import ExpectedChange

Slots = Mapping[str, Any]
_OF_SHAPES = frozenset(
    ("text", "alt text", "geometry", "style", "table", "chart", "diagram", "picture", "z-order")
)
_IN_SLIDE = frozenset(
    ("text", "alt_text", "geometry", "style", "table", "z-order", "added", "removed", "link",
     "transition", "animation", "picture")
)  # fmt: skip
"""Kinds of changes that stand in the XML of the slide itself."""
_SO_ALREADY = "it is so already"


def carry_out(
    operation: Callable[..., object], phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> tuple[ExpectedChange, ...]:
    """Do what a request asks for; give the changes to expect, with ids of slides for numbers.

    Raises EditError where it cannot be done, Unclear where it has to be said which.
    """
    scope: Scope = slots.get("slides", Scope())
    parameters = inspect.signature(operation).parameters
    check_slide_is_named(phrase, scope, deck)
    elsewhere = ("slides", "shape", "table", "cell")
    given = {name: _plain(value) for name, value in slots.items() if name not in elsewhere}
    run = _Calls(operation, phrase, {**phrase.fixed, **given}, slots.get("cell"), deck)
    target = _target(phrase, slots) if "shape" in parameters else None
    if target is not None:
        shapes = deck.shapes(scope, target)
        changed = [(number, id) for number, ids in shapes.items() for id in ids
                   if run.changes(number, id)]  # fmt: skip
        if not changed:
            raise EditError(_SO_ALREADY)
        slides = tuple(dict.fromkeys(deck.id(number) for number, _id in changed))
        return expected(phrase, words, slides, [id for _number, id in changed])
    if "slide" in parameters or "slides" in parameters:
        return expected(phrase, words, deck.changed_on(scope, run.changes, _SO_ALREADY))
    if deck.limit is not None:
        raise EditError("it is about all slides; leave out which slides may be edited")
    if _nothing(operation(deck.prs, **run.arguments)):
        raise EditError(_SO_ALREADY)
    return expected(phrase, words, (None,))


@dataclass(frozen=True)
class _Calls:
    """Calls of one operation on slides and shapes."""

    operation: Callable[..., object]
    phrase: Phrase
    arguments: dict[str, Any]
    cell: Target | None
    deck: OpenDeck

    def changes(self, number: int, id: int | None = None) -> bool:
        """Call it on one slide or shape; whether that changed anything."""
        parameters = inspect.signature(self.operation).parameters
        settled = {name: _in_deck(value, self.deck, number, id)
                   for name, value in self.arguments.items() if name != "bullet"}  # fmt: skip
        if self.cell is not None:
            settled["row"], settled["column"] = cell_of(self.deck, number, id, self.cell)
        bullet: Target | None = self.arguments.get("bullet")
        if bullet is not None:
            settled["place"] = place_of_bullet(self.deck, number, id, bullet)
            if "count" in parameters:
                settled["count"] = bullet.count
        if id is not None:
            settled["shape"] = id
        settled |= {"slide": number} if "slide" in parameters else {"slides": [number]}
        before = self._written(number)
        result = self.operation(self.deck.prs, **settled)
        return not _nothing(result) and (before is None or before != self._written(number))

    def _written(self, number: int) -> bytes | None:
        """The XML of a slide, if the changes to expect stand in it."""
        kinds = self.phrase.changes.partition(":")[0].split()
        if kinds == ["notes"]:
            return get_notes(self.deck.prs, number).encode()
        if not _IN_SLIDE.issuperset(kinds):
            return None
        return bytes(etree.tostring(slide_at(self.deck.prs, number)._element))


def check_slide_is_named(phrase: Phrase, scope: Scope, deck: OpenDeck) -> None:
    """Raise Unclear where a phrase needs a slide, none is named, and the deck has several."""
    if phrase.needs_slide and scope.slides is None and deck.total > 1:
        numbers = range(1, min(deck.total, 3) + 1)
        choices = [{"slides": Scope((number,))} for number in numbers]
        raise Unclear(f"the deck has {deck.total} slides; say on which", choices)


def _nothing(result: object) -> bool:
    """Whether an operation says that it changed nothing."""
    return result is False or (isinstance(result, int) and result == 0)


def _target(phrase: Phrase, slots: Slots) -> Target | None:
    cell = slots.get("cell")
    held: Target | None = slots.get("shape") or slots.get("table") or (cell and cell.table)
    return held or (Target(phrase.shape) if phrase.shape else None)


def _plain(value: Any) -> Any:
    """A value as operations take it."""
    return value.frame if isinstance(value, Box) else value


def _in_deck(value: Any, deck: OpenDeck, number: int, id: int | None) -> Any:
    """A value with names of rows and columns as numbers."""
    if isinstance(value, Target) and value.kind in ("row", "column"):
        return line_place(value, table_texts(deck.prs, number, id))
    if isinstance(value, Point):
        return (value.category, value.series)
    return value


def cell_of(deck: OpenDeck, number: int, id: int | None, cell: Target) -> tuple[int, int]:
    """Row and column of a cell that a request names, from 1."""
    texts = table_texts(deck.prs, number, id)
    row = Target("row", place=cell.place, name=cell.name)
    assert cell.column is not None
    return line_place(row, texts), line_place(cell.column, texts)


def line_place(line: Target, texts: Sequence[Sequence[str]]) -> int:
    """The number of a row or column of a table from its place, or from its first cell's text."""
    headings = [row[0] for row in texts] if line.kind == "row" else list(texts[0])
    if line.name is not None:
        named = [" ".join(heading.split()).casefold() for heading in headings]
        wanted = " ".join(line.name.split()).casefold()
        if named.count(wanted) != 1:
            names = ", ".join(f"“{heading}”" for heading in headings)
            raise EditError(
                f"the table has no {line.kind} “{line.name}”, or several; it has {names}"
            )
        return named.index(wanted) + 1
    place = line.place or 0
    if not 1 <= abs(place) <= len(headings):
        raise EditError(f"the table has {len(headings)} {line.kind}s, no {line.kind} {place}")
    return place if place > 0 else len(headings) + 1 + place


def place_of_bullet(deck: OpenDeck, number: int, id: int | None, bullet: Target) -> int:
    """The place of a bullet in the text of a shape, of several that of the first, from 1."""
    assert id is not None
    which = bullet.name if bullet.name is not None else bullet.place or 1
    return bullet_place(deck.prs, number, id, which, bullet.count)


def expected(
    phrase: Phrase, words: str, slides: Sequence[int | None], shapes: Sequence[int] = ()
) -> tuple[ExpectedChange, ...]:
    """The changes that a phrase declares, on some slides and shapes."""
    found = [_change(phrase.changes, words, slides, shapes, required=True)]
    if phrase.follows:
        # When slides move or a design changes, others follow.
        is_wide = tuple(slides) in ((), (None,)) or phrase.changes.startswith("slide:")
        beside = () if is_wide else (*slides, None)
        found.append(_change(phrase.follows, words, beside, (), required=False))
    return tuple(found)


def _change(
    declared: str,
    words: str,
    slides: Sequence[int | None],
    shapes: Sequence[int],
    *,
    required: bool,
) -> ExpectedChange:
    text, _colon, names = declared.partition(":")
    kinds = tuple(kind.replace("_", " ") for kind in text.split())
    of_shapes = _OF_SHAPES.issuperset(kinds)
    return ExpectedChange(
        words, kinds, tuple(slides), tuple(names.replace("_", " ").split()),  # type: ignore[arg-type]
        tuple(shapes) if of_shapes else (), required=required,
    )  # fmt: skip
