"""An operation on an open deck, and what can stand in its way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.finding import EditError, slide_at, slide_ids
from decklab.editing.opening import Presentation
from decklab.editing.requests.phrases import Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.selecting import shape_id, shape_name, shape_text, shapes_of
from decklab.editing.verification import ExpectedChange


class Unclear(EditError):
    """A request that can be read in two ways that do different things."""

    def __init__(self, why: str, readings: Sequence[str]) -> None:
        self.readings = tuple(readings)
        choices = " or ".join(f"“{reading}”" for reading in self.readings)
        super().__init__(f"{why}; say {choices}" if choices else why)


class OpenDeck:
    """A copy of a deck that is being edited, open in python-pptx.

    ``before`` is the deck before the request; ``limit`` holds the ids of the slides that a request
    may change, None for all. Slides are numbered as they stand before the request.
    """

    def __init__(
        self, prs: Presentation, before: DeckElements, limit: frozenset[int] | None = None
    ) -> None:
        self.prs = prs
        self.limit = limit
        self.left_out: list[str] = []
        """What an operation says that it did not look at, where it may hold what was asked for."""
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
        """The present number of the slide with an id; None where it is gone."""
        ids = self._ids()
        return ids.index(id) + 1 if id in ids else None

    def _ids(self) -> list[int]:
        return slide_ids(self.prs)

    def now(self, number: int) -> int:
        """The present number of the slide that had a number before the request.

        Raises EditError where there was none, or it is deleted.
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

        Raises EditError where ``scope`` names slides that may not be changed, or none is left.
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

        Raises EditError as ``numbers`` does, and with ``if_several`` where there are more.
        """
        number, *more = self.numbers(scope)
        if more:
            raise EditError(if_several)
        return number

    def changed_on(
        self, scope: Scope, change: Callable[[int], object], if_none: str
    ) -> tuple[int, ...]:
        """Call ``change`` with the number of each slide in ``scope``.

        ``change`` returns something true where it changed the slide; the ids of these slides are
        given. Raises EditError as ``numbers`` does, and with ``if_none`` where there are none.
        """
        ids = tuple(self.id(number) for number in self.numbers(scope) if change(number))
        if not ids:
            raise EditError(if_none)
        return ids

    def shapes(self, scope: Scope, target: Target) -> dict[int, list[int]]:
        """The ids of the shapes that a target means, by the present number of their slide.

        Raises EditError where there is none, Unclear where one is meant and there are several.
        """
        found = {number: self.shapes_on(number, target) for number in self.numbers(scope)}
        found = {number: ids for number, ids in found.items() if ids}
        what = f"“{target.name}”" if target.name else target.kind
        if not found:
            raise EditError(f"there is no {what} on {scope.words}")
        one_each = target.kind in ("title", "body") and scope.slides is not None
        if target.plural or target.place is not None or one_each:
            return found
        if len(found) > 1 and scope.slides is None:
            numbers = list(found)[:2]
            raise Unclear(
                f"{len(found)} slides have {what}",
                [f"the {target.kind} on slide {number}" for number in numbers],
            )
        for number, ids in found.items():
            if len(ids) > 1:
                raise self._several(number, ids, target.kind)
        return found

    def shapes_on(self, number: int, target: Target) -> list[int]:
        """The ids of the shapes on a slide, by its present number, that fit a target."""
        slide = slide_at(self.prs, number)
        if target.name is not None:
            wanted = target.name.casefold()
            kinds = ("picture", "shape", "text box", "table", "chart", "diagram", "line", "group",
                     "placeholder")  # fmt: skip
            every = {shape_id(one): one for kind in kinds for one in shapes_of(slide, kind)}
            named = [id for id, one in every.items()
                     if wanted in (shape_name(one).casefold(), str(id))]  # fmt: skip
            return named or [id for id, one in every.items()
                             if shape_text(one).casefold() == wanted]  # fmt: skip
        ids = [shape_id(one) for one in _shapes_of(slide, target.kind)]
        if target.place is None:
            return ids
        start = target.place - 1 if target.place > 0 else len(ids) + target.place
        if target.place < 0:
            start -= target.count - 1
        return ids[start : start + target.count] if start >= 0 else []

    def _several(self, number: int, ids: Sequence[int], kind: str) -> Unclear:
        names = {
            shape_id(one): shape_name(one) for one in _shapes_of(slide_at(self.prs, number), kind)
        }
        called = [names.get(id, str(id)) for id in ids]
        readings = [f"the {kind} '{name}' on slide {number}" for name in called]
        if len(set(called)) < len(called):
            readings = [f"the {kind} '{id}' on slide {number}" for id in ids]
        return Unclear(f"slide {number} has {len(ids)} of the kind “{kind}”", readings[:6])


def _shapes_of(slide: Any, kind: str) -> list[Any]:
    """The shapes that people mean by a word; a box without more may be a text box too."""
    found = list(shapes_of(slide, kind))
    if kind == "caption":
        named = [one for one in found if "caption" in shape_name(one).casefold()]
        return named or found
    return found


@dataclass(frozen=True)
class Operation:
    """One thing to do to a deck.

    ``apply`` does it and gives the changes to expect, with ids of slides in place of their numbers.
    It raises EditError where it cannot be done.
    """

    words: str
    """What it does, such as ``replace “a” with “b” on slide 2``."""
    apply: Callable[[OpenDeck], tuple[ExpectedChange, ...]]
