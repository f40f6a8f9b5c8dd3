"""Requests that delete, move, double and hide slides."""

from functools import partial

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.commands.scope import LAST, NUMBERS, Scope, numbers_in
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import EditError
from decklab.editing.slides import clone_slide, delete_slide, hide_slide, move_slide

_WHICH = rf"(?:(?:the )?slides?\s+(?P<which>{NUMBERS})|the\s+(?P<end>first|last)\s+slide)"
_PLACE = (
    r"(?:(?:to\s+)?(?:position|place|number)\s+(?P<position>\d{1,6})|(?:to\s+)?(?P<side>before|after)\s+"
    r"slide\s+(?P<anchor>\d{1,6})|to\s+the\s+(?P<edge>start|beginning|front|top|end|back))"
)


def _which(said: Said) -> Scope:
    end = said.word("end").lower()
    return Scope((1,) if end == "first" else (LAST,) if end else numbers_in(said.words["which"]))


def _delete(said: Said) -> Step:
    scope = _which(said)

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(scope)
        if len(numbers) == desk.total:
            raise EditError("a deck cannot lose all its slides")
        ids = tuple(desk.id(number) for number in numbers)
        for number in reversed(numbers):
            delete_slide(desk.prs, number)
        return (
            Planned(f"{scope.words} go", ("slide",), ids, ("removed",)),
            Planned("links to them go", ("link",), required=False),
            Planned("sections follow", ("section", "show"), required=False),
        )

    return Step(f"delete {scope.words}", apply)


def _move(said: Said) -> Step:
    scope = _which(said)

    def apply(desk: Desk) -> tuple[Planned, ...]:
        (number,) = _single(desk, scope)
        target = _target(said, desk, number)
        id = desk.id(number)
        if number == target:
            raise EditError(f"slide {number} is there already")
        move_slide(desk.prs, number, target)
        what = f"{scope.words} moves to place {target}"
        near = abs(number - target) == 1  # it may as well be its neighbour that moved
        ids = (id, desk.id(number)) if near else (id,)
        return (
            Planned(what, ("slide",), () if near else ids, ("moved",)),
            Planned("sections follow", ("section",), required=False),
        )

    return Step(f"move {scope.words}", apply)


def _clone(said: Said) -> Step:
    scope = _which(said)

    def apply(desk: Desk) -> tuple[Planned, ...]:
        planned = []
        for id in [desk.id(number) for number in desk.numbers(scope)]:
            number = desk.number(id)
            place = _target(said, desk, None) if _has_place(said) else number + 1
            clone_slide(desk.prs, number, place)
            what = f"slide {number} is doubled"
            planned.append(Planned(what, ("slide",), (desk.id(place),), ("added",)))
        return (*planned, Planned("sections follow", ("section",), required=False))

    return Step(f"double {scope.words}", apply)


def _hide(said: Said, hidden: bool) -> Step:
    scope = _which(said)
    to = "hide" if hidden else "show"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = [
            number
            for number in desk.numbers(scope)
            if (desk.prs.slides[number - 1]._element.get("show") in ("0", "false")) != hidden
        ]
        if not numbers:
            raise EditError(f"{scope.words} {'hidden' if hidden else 'shown'} already")
        for number in numbers:
            hide_slide(desk.prs, number, hidden)
        ids = tuple(desk.id(number) for number in numbers)
        return (Planned(f"{to} {scope.words}", ("slide",), ids, ("hidden",)),)

    return Step(f"{to} {scope.words}", apply)


def _single(desk: Desk, scope: Scope) -> list[int]:
    numbers = desk.numbers(scope)
    if len(numbers) != 1:
        raise EditError("slides are moved one at a time")
    return numbers


def _has_place(said: Said) -> bool:
    return any(said.word(name) for name in ("position", "side", "edge"))


def _target(said: Said, desk: Desk, number: int | None) -> int:
    """The place that is meant, for a slide that stands at ``number`` or is new."""
    last = desk.total + (number is None)
    if said.word("position"):
        place = int(said.words["position"])
    elif said.word("edge"):
        place = last if said.word("edge").lower() in ("end", "back") else 1
    else:
        anchor = int(said.words["anchor"])
        if not 1 <= anchor <= desk.total or anchor == number:
            raise EditError(f"there is no such place: {said.word('side')} slide {anchor}")
        place = anchor + (said.word("side").lower() == "after")
        place -= number is not None and number < anchor
    if not 1 <= place <= last:
        raise EditError(f"there is no place {place}; the deck has {desk.total} slides")
    return place


FORMS = (
    Form(f"(delete|remove) {_WHICH}", ("delete slide 3", "delete slides 2 and 4-5"), _delete),
    Form(
        f"move {_WHICH} {_PLACE}",
        ("move slide 4 to position 2", "move slide 2 after slide 4", "move slide 3 to the end"),
        _move,
    ),
    Form(
        f"(duplicate|clone|copy|double) {_WHICH}(?:\\s+{_PLACE})?",
        ("duplicate slide 2", "copy slide 1 to the end"),
        _clone,
    ),
    Form(f"hide {_WHICH}", ("hide slide 3",), partial(_hide, hidden=True)),
    Form(f"(unhide|show) {_WHICH}", ("unhide slide 4",), partial(_hide, hidden=False)),
)
