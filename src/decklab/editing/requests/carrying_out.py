"""Carries out a phrase of an operation: finds its slides and shapes, calls it, says what to expect.

Slots go to the parameters of their names. An operation with ``slide`` is called for each slide of
the request, with ``shape`` for each shape, with neither once for the whole deck.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from lxml import etree

from decklab.core.errors import DeckError
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.charts import chart_data, kind_of_chart
from decklab.editing.finding import (
    EditError,
    find_shape,
    shape_text,
    shapes,
    shapes_of,
    slide_at,
    slide_ids,
)
from decklab.editing.lists import bullet_place
from decklab.editing.opening import Presentation, opened
from decklab.editing.phrasing import Phrase
from decklab.editing.placing import frame_of
from decklab.editing.plan import ExpectedChange, declared_changes
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.templates import plain
from decklab.editing.requests.things import CHARTS, ChartPoint, Target
from decklab.editing.requests.values import NewBox, SlidePlace
from decklab.editing.tables import table_texts
from decklab.editing.texts import get_notes
from decklab.ooxml.xml import qn, shape_id, shape_name

_MOST_CHOICES = 12
_MOST_BYTES = 50_000_000
"""Of a picture or deck that a request names. Ours."""


class Unclear(EditError):
    """A request that can be read in several ways that do different things.

    ``choices`` holds for each of them which slots differ, such as ``{"shape": target}``.
    """

    def __init__(self, why: str, choices: Sequence[Mapping[str, Any]]) -> None:
        self.choices = tuple(choices)
        super().__init__(why)


class OpenDeck:
    """A copy of a deck that is being edited, open in python-pptx.

    ``before`` is the deck before the request; ``limit`` holds the ids of the slides that a request
    may change, None for all. ``files`` is the folder that names of pictures and decks are relative
    to; without it no file is read. Slides are numbered as they stand before the request.
    """

    def __init__(
        self,
        prs: Presentation,
        before: DeckElements,
        limit: frozenset[int] | None = None,
        files: Path | None = None,
    ) -> None:
        self.prs, self.limit, self.files = prs, limit, files
        self.left_out: list[str] = []
        """Content that an operation did not look at, though it may hold what was asked for."""
        self._start = tuple(self._ids())
        self._before = {slide.id: slide for slide in before.slides}

    @property
    def total(self) -> int:
        """How many slides the deck has now."""
        return len(self.prs.slides)

    def id(self, number: int) -> int:
        """The id of the slide that has a number now; ids stay when slides move."""
        return self._ids()[number - 1]

    def number(self, id: int) -> int | None:
        """The present number of the slide with an id; None if it is gone."""
        ids = self._ids()
        return ids.index(id) + 1 if id in ids else None

    def _ids(self) -> list[int]:
        return slide_ids(self.prs)

    def now(self, number: int) -> int:
        """The present number of the slide that had a number before the request.

        Raises EditError if there was none, or it is deleted.
        """
        if not 1 <= number <= len(self._start):
            raise EditError(f"there is no slide {number}; the deck has {len(self._start)}")
        if (present := self.number(self._start[number - 1])) is None:
            raise EditError(f"slide {number} is deleted by then")
        return present

    def before(self, number: int) -> SlideElements | None:
        """A slide, by its present number, as it was; None for one that the request added."""
        return self._before.get(self.id(number))

    def numbers(self, scope: Scope) -> list[int]:
        """The present numbers of the slides that an operation applies to.

        Raises EditError if ``scope`` names slides that may not be changed, or none is left.
        """
        if scope.slides is None:
            out = {self.now(number) for number in scope.but}
            named = [number for number in range(1, self.total + 1) if number not in out]
        else:
            named = [self.now(number) for number in scope.numbers(len(self._start))]
        ids = self._ids()
        allowed = [
            number for number in named if self.limit is None or ids[number - 1] in self.limit
        ]
        outside = [number for number in named if number not in allowed]
        if scope.slides is not None and outside:
            raise EditError(f"slide {outside[0]} is not among the slides that may be edited")
        if not allowed:
            raise EditError("no slide is left to apply it to")
        return sorted(allowed)

    def only_number(self, scope: Scope, if_several: str) -> int:
        """The one slide that an operation applies to.

        Raises EditError as ``numbers`` does, and with ``if_several`` if there are more.
        """
        number, *more = self.numbers(scope)
        if more:
            raise EditError(if_several)
        return number

    def changed_on(
        self, scope: Scope, change: Callable[[int], object], if_none: str
    ) -> tuple[int, ...]:
        """Call ``change`` with the number of each slide in ``scope``.

        ``change`` returns something true if it changed the slide; the ids of these slides are
        given. Raises EditError as ``numbers`` does, and with ``if_none`` if there are none.
        """
        if not (ids := tuple(self.id(number) for number in self.numbers(scope) if change(number))):
            raise EditError(if_none)
        return ids

    def shapes(
        self,
        scope: Scope,
        target: Target,
        fits: Callable[[int, int], bool] | None = None,
        *,
        can_be_all: bool = True,
    ) -> dict[int, list[int]]:
        """The ids of the shapes that a target means, by the present number of their slide.

        Where ``fits`` holds for any, by number and id, only those are meant. ``can_be_all`` says
        whether a question offers all of them.

        Raises EditError if there is none, Unclear if one is meant and there are several.
        """
        numbers = self.numbers(scope)
        shapes = {number: ids for number in numbers if (ids := self.shapes_on(number, target))}
        if fits is not None:
            kept = (
                (number, [id for id in shapes[number] if fits(number, id)]) for number in shapes
            )
            shapes = {number: ids for number, ids in kept if ids} or shapes
        what = f"“{target.name}”" if target.name else target.kind
        if not shapes:
            raise EditError(f"there is no {what} on {scope.words}")
        if target.plural:
            return shapes
        many = len(shapes) > 1 and scope.slides is None and not scope.every
        several = target.place is None and any(len(ids) > 1 for ids in shapes.values())
        if many or several:
            why = f"several shapes on {scope.words} are meant by “{target.words}”"
            why = f"{len(shapes)} slides have {what}" if many else why
            choices, more = self._choices(shapes, target)
            every = [{"shape": replace(target, plural=True)}] if can_be_all else []
            why += f" ({more} more are not listed)" if more else ""
            raise Unclear(why, choices + every * (not target.name))
        return shapes

    def bullets(self, scope: Scope, target: Target) -> dict[int, tuple[int, int]]:
        """The shape and the place of the line that a target means, by the number of its slide.

        Of several lines it is the place of the first. Raises EditError if there is none, Unclear
        if several lines are meant by one text.
        """
        body = target.within or Target("body")
        if target.name is None:
            shapes = self.shapes(scope, body, can_be_all=False)
            position = target.place or 1
            lines = {number: (ids[0], position) for number, ids in shapes.items()}
            for number, line in lines.items():
                lines[number] = line[0], bullet_place(self.prs, number, *line, target.count)
            return lines
        wanted = plain(target.name)
        places = [
            (number, id, position)
            for number in self.numbers(scope)
            for id in self.shapes_on(number, body)
            for position, line in enumerate(self._text(number, id).split("\n"), start=1)
            if plain(line) == wanted
        ]
        if not places:
            raise EditError(f"no bullet “{target.name}” stands on {scope.words}")
        slides = {number: (id, position) for number, id, position in places}
        if len(slides) > 1 and scope.slides is None:
            raise Unclear(
                f"{len(slides)} slides have the bullet “{target.name}”",
                [{"slides": Scope((self.number_before(number),))} for number in slides],
            )
        if len(places) > len(slides):
            raise EditError(f"a slide has several bullets “{target.name}”; name them by number")
        return slides

    def _text(self, number: int, id: int) -> str:
        return shape_text(find_shape(self.prs, number, id))

    def _choices(
        self, shapes: Mapping[int, list[int]], target: Target
    ) -> tuple[list[dict[str, Any]], int]:
        """The first shapes to choose from, those with words first, and how many more."""
        choices: list[tuple[tuple[bool, bool], dict[str, Any]]] = []
        total = 0
        for number, ids in shapes.items():
            elements = {shape_id(shape): shape for shape in shapes_in(self.prs, number)}
            shown = {id: (shape_name(elements[id]), shape_text(elements[id])) for id in ids}
            scope = Scope((self.number_before(number),))
            inner = {id for id in ids if elements[id].getparent().tag == qn("p:grpSp")}
            total += len(ids)
            is_all = bool(target.name) or len(inner) == len(ids)
            for id in (id for id in ids if is_all or id not in inner):
                named = _called(target, id, shown) if len(ids) > 1 else target
                rank = (id in inner, not shown[id][1].strip())
                choices.append((rank, {"slides": scope, "shape": named}))
        choices.sort(key=itemgetter(0))
        listed = [choice for _rank, choice in choices[:_MOST_CHOICES]]
        return listed, total - len(listed)

    def number_before(self, number: int) -> int:
        """The number before the request of the slide that has a number now."""
        id = self.id(number)
        return self._start.index(id) + 1 if id in self._start else number

    def shapes_on(self, number: int, target: Target) -> list[int]:
        """The ids of the shapes on a slide, by its present number, that fit a target.

        A name is a shape's name or id, else its whole text.
        """
        if target.name is not None:
            wanted = target.name.casefold()
            every = {shape_id(shape): shape for shape in shapes_in(self.prs, number)}
            called = {id: shape_name(shape).casefold() for id, shape in every.items()}
            ids = [id for id in every if wanted in (called[id], str(id))]
            ids = ids or [id for id in every if shape_text(every[id]).casefold() == wanted]
            ids = [id for id in ids if target.id in (None, id)]
            if target.kind in ("shape", "placeholder"):
                return ids
            of_kind = self._of_kind(number, target.kind)
            return [id for id in ids if id in of_kind]
        ids = self._of_kind(number, target.kind)
        if target.side:
            return self._at_side(number, ids, target.side)
        if target.place is None:
            return ids
        start = target.place - 1 if target.place > 0 else len(ids) + target.place
        if target.place < 0:
            start -= target.count - 1
        return ids[start : start + target.count] if start >= 0 else []

    def _at_side(self, number: int, ids: list[int], side: str) -> list[int]:
        """Of several shapes the one that stands farthest to a side; none if two do."""
        axis = 0 if side in ("left", "right") else 1
        frames = {id: frame_of(self.prs, number, id) for id in ids}
        middles = {id: 2 * box[axis] + box[axis + 2] for id, box in frames.items()}
        order = sorted(ids, key=middles.__getitem__, reverse=side in ("right", "bottom"))
        return [] if len(ids) < 2 or middles[order[0]] == middles[order[1]] else order[:1]

    def _of_kind(self, number: int, kind: str) -> list[int]:
        """The ids of the shapes of a kind on a slide."""
        slide = slide_at(self.prs, number)
        if kind not in CHARTS:
            return [shape_id(shape) for shape in shapes_of(slide, kind)]
        ids = [shape_id(shape) for shape in shapes_of(slide, "chart")]
        return [id for id in ids if f"{kind_of_chart(self.prs, number, id)} chart" == kind]

    def read_file(self, name: str) -> bytes:
        """The bytes of a file that a request names; raises EditError if it may not be read."""
        path = self._path(name)
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise EditError(f"“{name}” has more than {_MOST_BYTES:,} bytes")
            return path.read_bytes()
        except OSError as error:
            raise EditError(f"“{name}” cannot be read: {error.strerror}") from None

    def other_deck(self, name: str) -> Presentation:
        """Another deck that a request names; raises EditError if it may not be read."""
        try:
            return opened(self._path(name))
        except DeckError as error:
            raise EditError(str(error)) from None

    def _path(self, name: str) -> Path:
        if self.files is None:
            raise EditError(f"the file “{name}” is not read: requests made here cannot name files")
        return self.files / Path(name).expanduser()


def _called(target: Target, id: int, shown: Mapping[int, tuple[str, str]]) -> Target:
    """A shape by its name, else by its text, else by its name and id: as no other is called."""
    for called in zip(*shown.values(), strict=True):
        words = dict(zip(shown, called, strict=True))[id]
        alike = [other.casefold() for other in called].count(words.casefold())
        if words and words.isprintable() and alike == 1:
            return replace(target, plural=False, name=words)
    return replace(target, plural=False, name=shown[id][0] or target.kind, id=id)


def shapes_in(prs: Presentation, number: int) -> list[Any]:
    """The elements of all shapes of a slide, members of groups included."""
    return list(shapes(slide_at(prs, number)))


def place_among(deck: OpenDeck, place: SlidePlace, others: list[int], count: int) -> int:
    """Where among the other slides the moved ones go, from 0; raises EditError for no place."""
    if place.side in ("start", "end"):
        return 0 if place.side == "start" else len(others)
    if place.side == "at":
        if not 1 <= place.number <= len(others) + 1:
            raise EditError(
                f"there is no place {place.number}; the deck has {len(others) + count} slides"
            )
        return place.number - 1
    if (anchor := deck.now(place.number)) not in others:
        raise EditError(f"slide {place.number} is among the slides that move")
    return others.index(anchor) + (place.side == "after")


def new_number(deck: OpenDeck, place: SlidePlace | None) -> int:
    """The number of a new slide at a place, at the end if none is said."""
    everything = list(range(1, deck.total + 1))
    return 1 + (len(everything) if place is None else place_among(deck, place, everything, 0))


Slots = Mapping[str, Any]
_IN_SLIDE = frozenset(
    ("text", "alt_text", "geometry", "style", "table", "z-order", "added", "removed", "link",
     "transition", "animation", "picture")
)  # fmt: skip
"""Kinds of changes that stand in the XML of the slide itself."""
_MOST_SLIDES = 12
"""Slides that a question names. Ours."""
SO_ALREADY = "it is so already"
"""Why a request that changes nothing is not done."""
Expected = tuple[ExpectedChange, ...]


@dataclass(frozen=True)
class PlainRequest:
    """A request for one operation, and the deck on which it is carried out."""

    operation: Callable[..., object]
    phrase: Phrase
    words: str
    """The request as it can be made again."""
    slots: Slots
    deck: OpenDeck

    @property
    def scope(self) -> Scope:
        """The slides that it names; all if it names none."""
        scope: Scope = self.slots.get("slides", Scope())
        return scope

    def slides(self) -> Scope:
        """The slides that it is about; the one that has the shapes it names, if none is named.

        Raises Unclear if what is added or set is of one slide, and that may be several.
        """
        scope, deck, slots = self.scope, self.deck, self.slots
        parameters = inspect.signature(self.operation).parameters
        is_of_one = "slide" in parameters and "shape" not in parameters and not self.phrase.fixed
        if not is_of_one or scope.slides is not None or scope.every or deck.total == 1:
            return scope
        ends = [slots[end] for end in ("start", "end") if end in slots]
        named = [*slots.get("shapes", ()), *ends]
        shapes = [Target("shape", name=name) for name in named]
        scopes = [
            Scope((deck.number_before(number),))
            for number in deck.numbers(scope)
            if all(deck.shapes_on(number, shape) for shape in shapes)
        ]
        if named and len(scopes) == 1:
            return scopes[0]
        choices = [{"slides": scope} for scope in scopes[:_MOST_SLIDES]]
        if named and not choices:
            raise EditError(f"no slide has {' and '.join(f'“{name}”' for name in named)}")
        raise Unclear(f"the deck has {deck.total} slides; say on which", choices)

    @property
    def target(self) -> Target | None:
        """The shape or table that it means; None if it names none."""
        within = (value.within for value in self.slots.values() if isinstance(value, Target))
        named = self.slots.get("shape") or self.slots.get("table")
        held = named or next(filter(None, within), None)
        return held or (Target(self.phrase.shape) if self.phrase.shape else None)

    def shapes(self, scope: Scope | None = None) -> dict[int, list[int]]:
        """The shapes that it means, tables if it names no kind, by the number of their slide."""
        target = self.target or Target("table")
        return self.deck.shapes(self.scope if scope is None else scope, target, self._fits())

    def expected(self, slides: Sequence[int | None], shapes: Sequence[int] = ()) -> Expected:
        """The changes that its phrase declares, on some slides, by id, and shapes."""
        return declared_changes(self.phrase, self.words, slides, shapes)

    def _fits(self) -> Callable[[int, int], bool] | None:
        """Whether a table or chart has what is named of it; None if nothing is."""
        if self.phrase.shape == "chart":
            return self._fits_chart()
        things = [value for value in self.slots.values() if isinstance(value, Target)]
        things += [value.column for value in things if value.column is not None]
        lines = [line for line in things if line.kind in ("row", "column", "cell") and line.name]
        if not lines:
            return None

        def fits(number: int, id: int) -> bool:
            try:
                texts = table_texts(self.deck.prs, number, id)
            except EditError:
                return False
            rows = [row[0] for row in texts]
            heads = [texts[0] if line.kind == "column" else rows for line in lines]
            named = zip(lines, heads, strict=True)
            return all(plain(line.name or "") in map(plain, texts) for line, texts in named)

        return fits

    def _fits_chart(self) -> Callable[[int, int], bool] | None:
        point = self.slots.get("point")
        texts = [self.slots.get(name) for name in ("series", "name", "old")]
        texts += [point.category, point.series] if isinstance(point, ChartPoint) else []
        if not (wanted := {plain(text) for text in texts if isinstance(text, str)}):
            return None

        def fits(number: int, id: int) -> bool:
            held = chart_data(self.deck.prs, number, id)
            return wanted <= {plain(name) for name in (*held["categories"], *held["series"])}

        return fits


def carry_out(request: PlainRequest) -> Expected:
    """Do what a request asks for; give the changes to expect, with ids of slides for numbers.

    Raises EditError if it cannot be done, Unclear if it has to be said which.
    """
    slots, deck, scope = request.slots, request.deck, request.slides()
    parameters = inspect.signature(request.operation).parameters
    elsewhere = ("slides", "shape", "table", "cell", "bullet")
    given = {name: _plain(value) for name, value in slots.items() if name not in elsewhere}
    bullets = deck.bullets(scope, slots["bullet"]) if "bullet" in slots else {}
    calls = _Calls(request, {**request.phrase.fixed, **given}, bullets)
    if "shape" in parameters and request.target is not None:
        held = {number: [id] for number, (id, _place) in bullets.items()}
        return changed_shapes(request, held or request.shapes(scope), calls.changes)
    if "slide" in parameters or "slides" in parameters:
        return request.expected(deck.changed_on(scope, calls.changes, SO_ALREADY))
    if deck.limit is not None:
        raise EditError("it is about all slides; leave out which slides may be edited")
    if _nothing(request.operation(deck.prs, **calls.arguments)):
        raise EditError(SO_ALREADY)
    return request.expected((None,))


def changed_shapes(
    request: PlainRequest, shapes: Mapping[int, Sequence[int]], change: Callable[[int, int], object]
) -> Expected:
    """Call ``change`` with the slide and id of each shape; the changes to expect on those that it
    says it changed. Raises EditError if it changed none."""
    changed = [(number, id) for number, ids in shapes.items() for id in ids if change(number, id)]
    if not changed:
        raise EditError(SO_ALREADY)
    slides = tuple(dict.fromkeys(request.deck.id(number) for number, _id in changed))
    return request.expected(slides, [id for _number, id in changed])


@dataclass(frozen=True)
class _Calls:
    """Calls of one operation on slides and shapes."""

    request: PlainRequest
    arguments: dict[str, Any]
    bullets: Mapping[int, tuple[int, int]]

    def changes(self, number: int, id: int | None = None) -> bool:
        """Call it on one slide or shape; whether that changed anything."""
        deck, slots, operation = self.request.deck, self.request.slots, self.request.operation
        parameters = inspect.signature(operation).parameters
        given = self.arguments
        settled = {name: _in_deck(name, given[name], deck, number, id) for name in given}
        if "cell" in slots:
            settled["row"], settled["column"] = cell_of(deck, number, id, slots["cell"])
        if number in self.bullets:
            settled["place"] = self.bullets[number][1]
            if "count" in parameters:
                settled["count"] = slots["bullet"].count
        if id is not None:
            settled["shape"] = id
        settled |= {"slide": number} if "slide" in parameters else {"slides": [number]}
        before = self._written(number)
        result = operation(deck.prs, **settled)
        if isinstance(result, tuple) and result:
            deck.left_out.append(f"not kept on slide {number}: {', '.join(result)}")
        return not _nothing(result) and (before is None or before != self._written(number))

    def _written(self, number: int) -> bytes | None:
        """The XML of a slide, if the changes to expect stand in it."""
        prs = self.request.deck.prs
        if (kinds := self.request.phrase.changes.partition(":")[0].split()) == ["notes"]:
            return get_notes(prs, number).encode()
        if not _IN_SLIDE.issuperset(kinds):
            return None
        return bytes(etree.tostring(slide_at(prs, number)._element))


def _nothing(result: object) -> bool:
    """Whether an operation says that it changed nothing."""
    return result is False or (isinstance(result, int) and result == 0)


def _plain(value: Any) -> Any:
    """A value as operations take it."""
    return value.frame if isinstance(value, NewBox) else value


def _in_deck(name: str, value: Any, deck: OpenDeck, number: int, id: int | None) -> Any:
    """A value with names of rows, columns and shapes as numbers."""
    if isinstance(value, Target) and value.kind in ("row", "column"):
        return line_place(value, table_texts(deck.prs, number, id))
    if name == "shapes":
        return [_shape_called(deck, number, name) for name in value]
    if isinstance(value, ChartPoint):
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
    at = line_place(line, texts)
    first = at - line.count + 1 if (line.place or 0) < 0 else at
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
    at = line.place or 0
    if not 1 <= abs(at) <= len(headings):
        raise EditError(f"the table has {len(headings)} {line.kind}s, no {line.kind} {at}")
    return at if at > 0 else len(headings) + 1 + at
