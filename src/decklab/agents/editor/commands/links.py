"""Requests about links."""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import EditError
from decklab.editing.links import remove_links, set_link

_COLORED = ("font.color", "font.underline")
"""What a link does to the look of its text."""


def _link(said: Said) -> Step:
    text = said.text("text") if "text" in said.words else None
    shape = said.text("shape") if "shape" in said.words else None
    target: str | int = said.text("url") if "url" in said.words else int(said.words["target"])
    which = f"“{text}”" if shape is None else f"the shape “{shape}”"
    to = f"slide {target}" if isinstance(target, int) else target
    what = f"{which} links to {to}"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids = []
        for number in _with_text(said, desk):
            try:
                set_link(desk.prs, number, target, text=text, shape=shape)
            except EditError:
                if said.scope.slides is not None or shape is not None or number is None:
                    raise
                continue
            ids.append(desk.id(number))
        if not ids:
            raise EditError(f"{which} stands nowhere on {said.scope.words}")
        return (
            Planned(what, ("link",), tuple(ids)),
            Planned("links have their look", ("style",), tuple(ids), _COLORED, required=False),
        )

    return Step(f"{what} on {said.scope.words}", apply)


def _with_text(said: Said, desk: Desk) -> list[int]:
    return desk.numbers(said.scope)


def _unlink(said: Said) -> Step:
    text = said.text("text") if "text" in said.words else None
    which = "all links" if text is None else f"the link on “{text}”"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids = [
            desk.id(number)
            for number in desk.numbers(said.scope)
            if remove_links(desk.prs, number, text=text)
        ]
        if not ids:
            raise EditError("there is none there")
        return (
            Planned(f"{which} go", ("link",), tuple(ids)),
            Planned("links lose their look", ("style",), tuple(ids), _COLORED, required=False),
        )

    return Step(f"remove {which} on {said.scope.words}", apply)


FORMS = (
    Form(
        "link [the text |the words? ]{q:text}{scope} to {q:url}{scope}",
        ("link 'study' on slide 2 to 'https://example.org'",),
        _link,
    ),
    Form(
        "link [the text |the words? ]{q:text}{scope} to slide (?P<target>\\d{1,6})",
        ("link 'study' on slide 2 to slide 4",),
        _link,
    ),
    Form(
        "link [the ](shape|picture|box) {q:shape}{scope} to {q:url}",
        ("link the picture 'Picture 3' on slide 4 to 'https://example.org'",),
        _link,
    ),
    Form(
        "link [the ](shape|picture|box) {q:shape}{scope} to slide (?P<target>\\d{1,6})",
        ("link the shape 'Picture 3' on slide 4 to slide 1",),
        _link,
    ),
    Form(
        "(remove|delete) [the |all |all the ](hyper)?links?{scope}",
        ("remove all links on slide 5",),
        _unlink,
    ),
    Form(
        "(remove|delete) [the ](hyper)?link (on|from|of) {q:text}{scope}",
        ("remove the link on 'our site' on slide 5",),
        _unlink,
    ),
)
