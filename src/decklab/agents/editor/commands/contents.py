"""Requests that give a title, a shape or a table cell a new text."""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import TITLES, EditError, placeholder_type, properties, shapes
from decklab.editing.texts import set_cell, set_text

_ONE_LOOK = "the new text has one look where the old had several"


def _title(said: Said) -> Step:
    text = said.text("text")
    what = f"the title reads “{text}”"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(said.scope)
        if len(numbers) > 1:
            raise EditError("say which slide's title: '... on slide 2'")
        held = [
            item
            for item in shapes(desk.prs.slides[numbers[0] - 1])
            if placeholder_type(item) in TITLES
        ]
        if not held:
            raise EditError(f"slide {numbers[0]} has no title")
        id = int(properties(held[0]).get("id"))
        set_text(desk.prs, numbers[0], id, text)
        return (
            Planned(what, ("text",), (desk.id(numbers[0]),), shapes=(id,)),
            Planned(
                _ONE_LOOK, ("style",), (desk.id(numbers[0]),), ("font",), (id,), required=False
            ),
        )

    return Step(f"{what} on {said.scope.words}", apply)


def _cell(said: Said) -> Step:
    row, column, text = int(said.words["row"]), int(said.words["column"]), said.text("text")
    what = f"row {row}, column {column} of the table reads “{text}”"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(said.scope)
        if len(numbers) > 1:
            raise EditError("say which slide's table: '... on slide 2'")
        set_cell(desk.prs, numbers[0], row, column, text)
        return (
            Planned(what, ("table",), (desk.id(numbers[0]),), ("cell text",)),
            Planned(_ONE_LOOK, ("table",), (desk.id(numbers[0]),), ("font",), required=False),
        )

    return Step(f"{what} on {said.scope.words}", apply)


FORMS = (
    Form(
        "(set|change) [the ]title{scope} to {q:text}{scope}",
        ("set the title of slide 2 to 'What we found'",),
        _title,
    ),
    Form(
        "(set|change) row (?P<row>\\d{1,6}),? column (?P<column>\\d{1,6}) of the table{scope} "
        "to {q:text}",
        ("set row 2, column 3 of the table on slide 6 to '17 %'",),
        _cell,
    ),
)
