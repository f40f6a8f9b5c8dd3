"""Requests about transitions and animations."""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import EditError
from decklab.editing.motion import TRANSITIONS, remove_animations, set_transition
from decklab.ooxml.xml import qn

_KIND = rf"(?P<kind>{'|'.join(sorted(TRANSITIONS, key=len, reverse=True))})"
_LASTS = r"[,? (lasting|of|over|in|for) (?P<seconds>\d{1,6}(?:\.\d{1,6})?) ?(s|seconds?)]"


def _set(said: Said) -> Step:
    kind = said.word("kind").lower() or None
    seconds = said.number("seconds") if "seconds" in said.words else None
    what = f"a {kind} transition" if kind else "no transition"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids = []
        for number in desk.numbers(said.scope):
            before = _state(desk, number)
            set_transition(desk.prs, kind, slides=[number], seconds=seconds)
            ids += [desk.id(number)] * (_state(desk, number) != before)
        if not ids:
            raise EditError(f"{said.scope.words} have {what} already")
        return (Planned(f"{what} on {said.scope.words}", ("transition",), tuple(ids)),)

    return Step(f"{what} on {said.scope.words}", apply)


def _state(desk: Desk, number: int) -> tuple[object, ...]:
    """Effect and duration of a slide's transition, as far as decklab tells them apart."""
    root = desk.prs.slides[number - 1]._element
    return tuple(
        (dict(item.attrib), [(child.tag, dict(child.attrib)) for child in item])
        for item in root.iter(qn("p:transition"))
    )


def _still(said: Said) -> Step:
    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids = [desk.id(n) for n in desk.numbers(said.scope) if remove_animations(desk.prs, n)]
        if not ids:
            raise EditError(f"there are no animations on {said.scope.words}")
        return (Planned("animations go", ("animation",), tuple(ids)),)

    return Step(f"remove animations on {said.scope.words}", apply)


FORMS = (
    Form(
        f"set [the ]transitions?{{scope}} to [a ]{_KIND}{_LASTS}{{scope}}",
        (
            "set the transition to fade",
            "set the transition on slides 2-3 to push, lasting 0.7 seconds",
        ),
        _set,
    ),
    Form(
        f"(add|use) [a |an ]{_KIND} transition{{scope}}{_LASTS}",
        ("add a wipe transition to slide 2",),
        _set,
    ),
    Form(
        "(remove|delete) [the |all |all the ]transitions?{scope}",
        ("remove all transitions", "remove the transition on slide 5"),
        _set,
    ),
    Form(
        "(remove|delete) [the |all |all the ]animations?{scope}",
        ("remove all animations on slide 5",),
        _still,
    ),
)
