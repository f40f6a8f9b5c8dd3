"""An operation on an open deck, and the obstacles to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from decklab.core.errors import DeckError
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.charts import kind_of_chart
from decklab.editing.finding import (
    EditError,
    find_shape,
    shape_id,
    shape_name,
    shape_text,
    shapes,
    shapes_of,
    slide_at,
    slide_ids,
)
from decklab.editing.frames import frame_of
from decklab.editing.lists import bullet_place
from decklab.editing.opening import Presentation, opened
from decklab.editing.requests.facts import plain
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.things import CHARTS, Target
from decklab.editing.verification import ExpectedChange
from decklab.ooxml.xml import qn

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
        self.prs = prs
        self.limit = limit
        self.files = files
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
        found = self.number(self._start[number - 1])
        if found is None:
            raise EditError(f"slide {number} is deleted by then")
        return found

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
        allowed = [one for one in named if self.limit is None or ids[one - 1] in self.limit]
        outside = [one for one in named if one not in allowed]
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
        ids = tuple(self.id(number) for number in self.numbers(scope) if change(number))
        if not ids:
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
        shapes = {number: self.shapes_on(number, target) for number in self.numbers(scope)}
        shapes = {number: ids for number, ids in shapes.items() if ids}
        if fits is not None:
            kept = {
                number: [id for id in ids if fits(number, id)] for number, ids in shapes.items()
            }
            shapes = {number: ids for number, ids in kept.items() if ids} or shapes
        what = f"“{target.name}”" if target.name else target.kind
        if not shapes:
            raise EditError(f"there is no {what} on {scope.words}")
        if target.plural:
            return shapes
        many = len(shapes) > 1 and scope.slides is None and not scope.every
        several = target.place is None and any(len(ids) > 1 for ids in shapes.values())
        if many or several:
            why = f"{len(shapes)} slides have {what}" if many else (
                f"several shapes on {scope.words} are meant by “{target.words}”")  # fmt: skip
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
            place = target.place or 1
            return {number: (ids[0], bullet_place(self.prs, number, ids[0], place, target.count))
                    for number, ids in shapes.items()}  # fmt: skip
        wanted = plain(target.name)
        places = [
            (number, id, place)
            for number in self.numbers(scope)
            for id in self.shapes_on(number, body)
            for place, line in enumerate(
                shape_text(find_shape(self.prs, number, id)).split("\n"), start=1
            )
            if plain(line) == wanted
        ]
        if not places:
            raise EditError(f"no bullet “{target.name}” stands on {scope.words}")
        slides = {number: (id, place) for number, id, place in places}
        if len(slides) > 1 and scope.slides is None:
            raise Unclear(
                f"{len(slides)} slides have the bullet “{target.name}”",
                [{"slides": Scope((self.number_before(number),))} for number in slides],
            )
        if len(places) > len(slides):
            raise EditError(f"a slide has several bullets “{target.name}”; name them by number")
        return slides

    def _choices(
        self, shapes: Mapping[int, list[int]], target: Target
    ) -> tuple[list[dict[str, Any]], int]:
        """The first shapes to choose from, and how many more there are.

        Those with words come first. Parts of groups are listed if a slide has nothing else.
        """
        choices: list[tuple[tuple[bool, bool], dict[str, Any]]] = []
        total = 0
        for number, ids in shapes.items():
            elements = {shape_id(one): one for one in shapes_in(self.prs, number)}
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
            every = {shape_id(one): one for one in shapes_in(self.prs, number)}
            named = [id for id, one in every.items()
                     if wanted in (shape_name(one).casefold(), str(id))]  # fmt: skip
            ids = named or [id for id, one in every.items()
                            if shape_text(one).casefold() == wanted]  # fmt: skip
            if target.id is not None:
                ids = [id for id in ids if id == target.id]
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
        if len(ids) < 2 or middles[order[0]] == middles[order[1]]:
            return []
        return order[:1]

    def _of_kind(self, number: int, kind: str) -> list[int]:
        """The ids of the shapes of a kind on a slide."""
        slide = slide_at(self.prs, number)
        if kind not in CHARTS:
            return [shape_id(one) for one in shapes_of(slide, kind)]
        ids = [shape_id(one) for one in shapes_of(slide, "chart")]
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
    for called in (0, 1):
        words = shown[id][called]
        same = [one for one in shown.values() if one[called].casefold() == words.casefold()]
        if words and words.isprintable() and len(same) == 1:
            return replace(target, plural=False, name=words)
    return replace(target, plural=False, name=shown[id][0] or target.kind, id=id)


def shapes_in(prs: Presentation, number: int) -> list[Any]:
    """The elements of all shapes of a slide, members of groups included."""
    return list(shapes(slide_at(prs, number)))


@dataclass(frozen=True)
class Operation:
    """One thing to do to a deck.

    ``apply`` does it and gives the changes to expect, with ids of slides in place of their numbers.
    It raises EditError if it cannot be done.
    """

    words: str
    """The change that it makes, as a request that can be made again."""
    apply: Callable[[OpenDeck], tuple[ExpectedChange, ...]]
    """The readings of an ``Unclear`` that it raises are written by ``reading``."""
    reading: Callable[[Mapping[str, Any]], str]
    """The request with other values in some of its slots."""
