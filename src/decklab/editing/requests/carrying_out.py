"""Carries out a phrase of an operation: finds its slides and shapes, calls it, says what to expect.

Slots go to the parameters of their names. An operation with ``slide`` is called for each slide of
the request, with ``shape`` for each shape, with neither once for the whole deck.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from decklab.editing.charts import chart_data
from decklab.editing.finding import EditError, slide_at
from decklab.editing.phrasing import Phrase
from decklab.editing.requests.facts import plain
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
_MOST_SLIDES = 12
"""Slides that a question names. Ours."""
_SO_ALREADY = "it is so already"


def carry_out(
    operation: Callable[..., object], phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> tuple[ExpectedChange, ...]:
    """Do what a request asks for; give the changes to expect, with ids of slides for numbers.

    Raises EditError if it cannot be done, Unclear if it has to be said which.
    """
    scope = slides_of_request(operation, phrase, slots, deck)
    parameters = inspect.signature(operation).parameters
    elsewhere = ("slides", "shape", "table", "cell", "bullet")
    given = {name: _plain(value) for name, value in slots.items() if name not in elsewhere}
    bullets = deck.bullets(scope, slots["bullet"]) if "bullet" in slots else {}
    run = _Calls(operation, phrase, {**phrase.fixed, **given}, slots, bullets, deck)
    target = target_of(phrase, slots) if "shape" in parameters else None
    if target is not None:
        held = {number: [id] for number, (id, _place) in bullets.items()}
        shapes = held or deck.shapes(scope, target, _fits(phrase, slots, deck))
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
    slots: Slots
    bullets: Mapping[int, tuple[int, int]]
    deck: OpenDeck

    def changes(self, number: int, id: int | None = None) -> bool:
        """Call it on one slide or shape; whether that changed anything."""
        parameters = inspect.signature(self.operation).parameters
        settled = {name: _in_deck(name, value, self.deck, number, id)
                   for name, value in self.arguments.items()}  # fmt: skip
        if "cell" in self.slots:
            settled["row"], settled["column"] = cell_of(self.deck, number, id, self.slots["cell"])
        if number in self.bullets:
            settled["place"] = self.bullets[number][1]
            if "count" in parameters:
                settled["count"] = self.slots["bullet"].count
        if id is not None:
            settled["shape"] = id
        settled |= {"slide": number} if "slide" in parameters else {"slides": [number]}
        before = self._written(number)
        result = self.operation(self.deck.prs, **settled)
        if isinstance(result, tuple) and result:
            self.deck.left_out.append(f"not kept on slide {number}: {', '.join(result)}")
        return not _nothing(result) and (before is None or before != self._written(number))

    def _written(self, number: int) -> bytes | None:
        """The XML of a slide, if the changes to expect stand in it."""
        kinds = self.phrase.changes.partition(":")[0].split()
        if kinds == ["notes"]:
            return get_notes(self.deck.prs, number).encode()
        if not _IN_SLIDE.issuperset(kinds):
            return None
        return bytes(etree.tostring(slide_at(self.deck.prs, number)._element))


def slides_of_request(
    operation: Callable[..., object], phrase: Phrase, slots: Slots, deck: OpenDeck
) -> Scope:
    """The slides that a request is about; the one that has the shapes it names, if none is named.

    Raises Unclear if what is added or set is of one slide, and that may be several.
    """
    scope: Scope = slots.get("slides", Scope())
    parameters = inspect.signature(operation).parameters
    is_of_one = "slide" in parameters and "shape" not in parameters and not phrase.fixed
    if not is_of_one or scope.slides is not None or scope.every or deck.total == 1:
        return scope
    named = [*slots.get("shapes", ()), *(slots[end] for end in ("start", "end") if end in slots)]
    shapes = [Target("shape", name=name) for name in named]
    fitting = [number for number in deck.numbers(scope)
               if all(deck.shapes_on(number, shape) for shape in shapes)]  # fmt: skip
    scopes = [Scope((deck.number_before(number),)) for number in fitting]
    if named and len(scopes) == 1:
        return scopes[0]
    choices = [{"slides": one} for one in scopes[:_MOST_SLIDES]]
    if named and not choices:
        raise EditError(f"no slide has {' and '.join(f'“{name}”' for name in named)}")
    raise Unclear(f"the deck has {deck.total} slides; say on which", choices)


def _nothing(result: object) -> bool:
    """Whether an operation says that it changed nothing."""
    return result is False or (isinstance(result, int) and result == 0)


def target_of(phrase: Phrase, slots: Slots) -> Target | None:
    """The shape or table that a request means; None if it names none."""
    within = (value.within for value in slots.values() if isinstance(value, Target))
    held = slots.get("shape") or slots.get("table") or next(filter(None, within), None)
    return held or (Target(phrase.shape) if phrase.shape else None)


def shapes_of_request(deck: OpenDeck, phrase: Phrase, slots: Slots) -> dict[int, list[int]]:
    """The tables or charts that a request means, by the number of their slide."""
    target = target_of(phrase, slots) or Target("table")
    return deck.shapes(slots.get("slides", Scope()), target, _fits(phrase, slots, deck))


def _fits(phrase: Phrase, slots: Slots, deck: OpenDeck) -> Callable[[int, int], bool] | None:
    """Whether a table or chart has what a request names of it; None if it names nothing."""
    things = [value for value in slots.values() if isinstance(value, Target)]
    things += [value.column for value in things if value.column is not None]
    lines = [one for one in things if one.kind in ("row", "column", "cell") and one.name]
    if phrase.shape == "chart":
        return _fits_chart(slots, deck)
    if not lines:
        return None

    def fits(number: int, id: int) -> bool:
        try:
            texts = table_texts(deck.prs, number, id)
        except EditError:
            return False
        heads = {"column": texts[0]}
        rows = [row[0] for row in texts]
        return all(plain(one.name or "") in map(plain, heads.get(one.kind, rows)) for one in lines)

    return fits


def _fits_chart(slots: Slots, deck: OpenDeck) -> Callable[[int, int], bool] | None:
    point = slots.get("point")
    texts = [slots.get(name) for name in ("series", "name", "old")]
    texts += [point.category, point.series] if isinstance(point, Point) else []
    wanted = {plain(text) for text in texts if isinstance(text, str)}
    if not wanted:
        return None

    def fits(number: int, id: int) -> bool:
        held = chart_data(deck.prs, number, id)
        return wanted <= {plain(name) for name in (*held["categories"], *held["series"])}

    return fits


def _plain(value: Any) -> Any:
    """A value as operations take it."""
    return value.frame if isinstance(value, Box) else value


def _in_deck(name: str, value: Any, deck: OpenDeck, number: int, id: int | None) -> Any:
    """A value with names of rows, columns and shapes as numbers."""
    if isinstance(value, Target) and value.kind in ("row", "column"):
        return line_place(value, table_texts(deck.prs, number, id))
    if name == "shapes":
        return [_shape_called(deck, number, one) for one in value]
    if isinstance(value, Point):
        return (value.category, value.series)
    return value


def _shape_called(deck: OpenDeck, number: int, name: str) -> int:
    ids = deck.shapes_on(number, Target("shape", name=name))
    if len(ids) != 1:
        raise EditError(f"slide {number} has {len(ids) or 'no'} shapes “{name}”")
    return ids[0]


def cell_of(deck: OpenDeck, number: int, id: int | None, cell: Target) -> tuple[int, int]:
    """Row and column of a cell that a request names, from 1."""
    texts = table_texts(deck.prs, number, id)
    row = Target("row", place=cell.place, name=cell.name)
    assert cell.column is not None
    return line_place(row, texts), line_place(cell.column, texts)


def line_places(line: Target, texts: Sequence[Sequence[str]]) -> list[int]:
    """The numbers of the rows or columns of a table that are meant; see ``line_place``."""
    total = len(texts) if line.kind == "row" else len(texts[0])
    if line.plural:
        return list(range(1, total + 1))
    place = line_place(line, texts)
    first = place - line.count + 1 if (line.place or 0) < 0 else place
    if not 1 <= first <= first + line.count - 1 <= total:
        raise EditError(f"the table has no {line.count} {line.kind}s there")
    return list(range(first, first + line.count))


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
