"""Requests about the theme: its fonts and colours."""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import EditError
from decklab.editing.theme import set_theme_color, set_theme_fonts


def _whole(desk: Desk) -> None:
    if desk.limit is not None:
        raise EditError("the theme is of all slides; leave out which slides may be edited")


def _fonts(said: Said) -> Step:
    name, which = said.text("name"), said.word("which").lower()
    headings = name if which != "body" else None
    body = name if which in ("body", "") else None
    what = f"the theme's {which + ' ' if which else ''}font becomes {name}"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        _whole(desk)
        if not set_theme_fonts(desk.prs, headings=headings, body=body):
            raise EditError("it is so already")
        return (
            Planned(what, ("theme",), (None,)),
            Planned("what follows", ("master", "layout", "style"), new=(name,), required=False),
        )

    return Step(what, apply)


def _color(said: Said) -> Step:
    slot, color = said.word("slot").lower().replace(" ", ""), said.word("color").upper()
    what = f"the theme's {slot} becomes {color}"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        _whole(desk)
        set_theme_color(desk.prs, slot, color)
        return (Planned(what, ("theme",), (None,)),)

    return Step(what, apply)


FORMS = (
    Form(
        "(set|change) the theme('s|’s)? [(?P<which>headings?|body) ]fonts? to {q:name}",
        ("set the theme's heading font to 'Georgia'", "set the theme font to 'Verdana'"),
        _fonts,
    ),
    Form(
        r"(set|change) the theme('s|’s)? (?P<slot>accent\s?\d|dk1|dk2|lt1|lt2|hlink)[ colou?r] to "
        r"(?P<color>#\w\w\w\w\w\w)",
        ("set the theme's accent1 to #0B6E4F",),
        _color,
    ),
)
