"""Requests about slide numbers and footers."""

from functools import partial

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.library.errors import EditError
from decklab.agents.editor.library.footers import set_footer, show_slide_numbers
from decklab.agents.editor.verification.plan import Planned
from decklab.diffing.changes import Kind


def _numbers(said: Said, on: bool) -> Step:
    what = "slide numbers appear" if on else "slide numbers go"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(said.scope)
        ids = [
            desk.id(number)
            for number in numbers
            if show_slide_numbers(desk.prs, on, slides=[number])
        ]
        if not ids:
            why = (
                "they are there, or the layouts have no place for them" if on else "there are none"
            )
            raise EditError(f"no slide number changed on {said.scope.words}: {why}")
        return (Planned(what, ("added",) if on else ("removed",), tuple(ids)),)

    return Step(f"{what} on {said.scope.words}", apply)


def _footer(said: Said) -> Step:
    text = said.text("text") if "text" in said.words else None
    what = f"the footer reads “{text}”" if text else "footers go"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(said.scope)
        ids = [desk.id(n) for n in numbers if set_footer(desk.prs, text, slides=[n])]
        if not ids:
            why = "the layouts have no place for one" if text else "there are none"
            raise EditError(f"no footer changed on {said.scope.words}: {why}")
        kinds: tuple[Kind, ...] = ("added", "text") if text else ("removed",)
        return (Planned(what, kinds, tuple(ids)),)

    return Step(f"{what} on {said.scope.words}", apply)


FORMS = (
    Form(
        "(show|add|insert|turn on|switch on) [the ](slide|page) numbers{scope}",
        ("show slide numbers", "add slide numbers on slides 2-4"),
        partial(_numbers, on=True),
    ),
    Form(
        "(hide|remove|delete|turn off|switch off) [the |all ](slide|page) numbers{scope}",
        ("remove slide numbers on slide 1",),
        partial(_numbers, on=False),
    ),
    Form(
        "turn [the ](slide|page) numbers (?P<on>on){scope}",
        ("turn slide numbers on",),
        partial(_numbers, on=True),
    ),
    Form(
        "turn [the ](slide|page) numbers off{scope}",
        ("turn slide numbers off on slide 1",),
        partial(_numbers, on=False),
    ),
    Form(
        "(set|change) [the ]footers?[ text]{scope} to {q:text}{scope}",
        ("set the footer to 'Internal'", "set the footer on slides 2-3 to 'Draft'"),
        _footer,
    ),
    Form(
        "(add|insert) [the |a ]footer {q:text}{scope}",
        ("add the footer 'Draft' to slide 2",),
        _footer,
    ),
    Form("(remove|delete) [the |all ]footers?{scope}", ("remove the footer on slide 1",), _footer),
)
