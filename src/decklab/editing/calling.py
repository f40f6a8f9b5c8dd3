"""Operations called by name with plain values, as pages and programs send them, and checked: what
changes is what the operations declare in their phrases, or nothing is written.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from pptx.presentation import Presentation
from pydantic import TypeAdapter, ValidationError

from decklab.core.errors import fault_words
from decklab.editing.finding import EditError, find_shape, slide_at, slide_ids
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.operations import named_operations
from decklab.editing.phrasing import phrases_of
from decklab.editing.plan import ExpectedChange, Plan, declared_changes
from decklab.editing.verify import OriginalDeck, Verification, verify
from decklab.ooxml.xml import shape_id

MOST_CALLS = 500
"""Calls that are made together (ours)."""


@dataclass(frozen=True)
class OperationCall:
    """An operation by its name, and its arguments by theirs, without the presentation."""

    operation: str
    arguments: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The call in a few words: ``set cell on slide 4``."""
        slide = self.arguments.get("slide")
        return self.operation.replace("_", " ") + (f" on slide {slide}" if slide else "")

    def checked(self) -> dict[str, Any]:
        """The arguments in the types that the operation declares.

        Raises EditError for an operation that is unknown or declares no changes, and for arguments
        that do not fit.
        """
        operation = named_operations().get(self.operation)
        if operation is None or not phrases_of(operation):
            raise EditError(f"there is no operation {self.operation!r} that can be called")
        hints = get_type_hints(operation)
        _prs, *parameters = inspect.signature(operation).parameters.values()
        unknown = set(self.arguments) - {parameter.name for parameter in parameters}
        needed = [item.name for item in parameters if item.default is item.empty]
        missing = [name for name in needed if name not in self.arguments]
        if unknown or missing:
            fault = "no argument of it" if unknown else "missing"
            names = ", ".join(sorted(unknown) or missing)
            raise EditError(f"{self.operation}: {names} is {fault}")
        try:
            return {
                name: TypeAdapter(hints[name]).validate_python(value)
                for name, value in self.arguments.items()
            }
        except ValidationError as error:
            fault = fault_words(error.errors()[0])
            raise EditError(f"{self.operation}: an argument does not fit: {fault}") from None


def make_calls(
    deck: Path,
    calls: Sequence[OperationCall],
    out: Path,
    *,
    made: Callable[[list[int]], object] = lambda slides: None,
) -> Verification:
    """Write ``out``: a deck after some calls, made in their order, all of them or none.

    ``made`` is called with the slides that are to change once ``out`` is there, before it is
    checked. Raises EditError for a call that cannot be made, if nothing changes, and if anything
    else changes than the operations declare or the deck becomes invalid; DeckError if the deck
    cannot be read.
    """
    if not 0 < len(calls) <= MOST_CALLS:
        raise EditError(f"1 to {MOST_CALLS} operations are made together")
    prs = opened(deck)
    before = slide_ids(prs)
    planned = [expected for call in calls for expected in _made(prs, call)]
    saved(prs, out)
    plan = Plan(tuple(numbered(change, before, prs) for change in planned))
    made(sorted({slide for change in plan.changes for slide in change.slides if slide}))
    checked = verify(OriginalDeck(deck), out, plan, draw=False)
    if checked.passed and checked.diff.edits:
        return checked
    out.unlink()
    raise EditError("; ".join(checked.messages[:3]) or "it is so already")


def _made(prs: Presentation, call: OperationCall) -> Iterator[ExpectedChange]:
    """Make a call; the changes to expect, with ids of slides for their numbers."""
    arguments, operation = call.checked(), named_operations()[call.operation]
    slide, shape = arguments.get("slide"), arguments.get("shape")
    slides: list[int | None] = []
    if slide is not None:
        slide_at(prs, slide)
        slides = [slide_ids(prs)[slide - 1]]
    shapes = [shape_id(find_shape(prs, slide, shape))] if slide and shape is not None else []
    try:
        result = operation(prs, **arguments)
    except PPTX_ERRORS as error:
        if isinstance(error, EditError):
            raise
        raise EditError(f"the deck is built so that it cannot be: {error}") from error
    declared = phrases_of(operation)
    if any(phrase.changes.startswith("slide:added") for phrase in declared):
        slides = [slide_ids(prs)[int(str(result)) - 1]]
    if any(phrase.changes == "slide:moved" for phrase in declared):
        slides = []  # of two neighbours either has moved
    distinct = {(phrase.changes, phrase.follows): phrase for phrase in declared}
    for phrase in distinct.values():
        for expected in declared_changes(phrase, call.words, slides, shapes):
            yield replace(expected, required=False)


def numbered(planned: ExpectedChange, before: Sequence[int], prs: Presentation) -> ExpectedChange:
    """A change with numbers of slides in place of their ids: the numbers in the edited deck, of
    deleted slides those in the original."""
    numbers = {id: number for number, id in enumerate(before, start=1)}
    present = slide_ids(prs)
    numbers |= {id: number for number, id in enumerate(present, start=1)}
    # A change on a slide that was deleted later can no longer be seen.
    ids = [id for id in planned.slides if id is None or id in present or "slide" in planned.kinds]
    named = tuple(None if id is None else numbers[id] for id in ids if id is None or id in numbers)
    visible = bool(named) or not planned.slides
    return replace(planned, slides=named or planned.slides, required=planned.required and visible)
