"""Requests about speaker notes and alternative texts."""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.verification.plan import Planned
from decklab.editing.finding import EditError, properties, shapes, slide_at
from decklab.editing.texts import add_notes, get_notes, set_alt_text, set_notes
from decklab.ooxml.xml import qn


def _notes(said: Said) -> Step:
    text = said.text("text") if "text" in said.words else ""
    adds = said.word("verb").lower() in ("add", "append")
    what = "the notes go" if not text else f"the notes {'end with' if adds else 'read'} “{text}”"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids = []
        for number in desk.numbers(said.scope):
            before = get_notes(desk.prs, number)
            (add_notes if adds else set_notes)(desk.prs, number, text)
            ids += [desk.id(number)] * (get_notes(desk.prs, number) != before)
        if not ids:
            raise EditError(f"the notes on {said.scope.words} are so already")
        return (Planned(what, ("notes",), tuple(ids)),)

    return Step(f"{what} on {said.scope.words}", apply)


def _alt(said: Said) -> Step:
    text = said.text("text") if "text" in said.words else ""
    named = said.text("shape") if "shape" in said.words else None
    which = "the picture" if named is None else f"“{named}”"
    what = f"{which} has the alternative text “{text}”" if text else f"{which} has none"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        ids, touched = [], []
        for number in desk.numbers(said.scope):
            shape: str | int = _only_picture(desk, number) if named is None else named
            set_alt_text(desk.prs, number, shape, text)
            ids.append(desk.id(number))
            touched.append(shape)
        return (Planned(what, ("alt text",), tuple(ids), shapes=tuple(touched)),)

    return Step(f"{what} on {said.scope.words}", apply)


def _only_picture(desk: Desk, number: int) -> int:
    found = [item for item in shapes(slide_at(desk.prs, number)) if item.tag == qn("p:pic")]
    if len(found) != 1:
        names = ", ".join(f"'{properties(item).get('name')}'" for item in found)
        more = f"{len(found)} pictures, say which: {names}" if found else "no picture"
        raise EditError(f"slide {number} has {more}")
    return int(properties(found[0]).get("id"))


FORMS = (
    Form(
        "(set|change) [the ][speaker ]notes{scope} to {q:text}{scope}",
        ("set the notes of slide 2 to 'Start with the story.'",),
        _notes,
    ),
    Form(
        "(?P<verb>add|append) [the ][speaker ]notes? {q:text}{scope}",
        ("add the note 'Ask for questions.' to slide 2",),
        _notes,
    ),
    Form(
        "(?P<verb>add|append) {q:text} to [the ][speaker ]notes{scope}",
        ("add 'Ask for questions.' to the notes of slide 3",),
        _notes,
    ),
    Form(
        "(remove|delete|clear) [the |all ][speaker ]notes{scope}",
        ("remove the notes on slide 3", "remove all notes"),
        _notes,
    ),
    Form(
        "(set|change|add) [the |an ]alt(ernative)? text (of|for|to) [the ]"
        "[(shape|picture|chart|table) ]{q:shape}{scope} (to |as )?{q:text}{scope}",
        ("set the alt text of 'Picture 3' on slide 4 to 'Sales by region'",),
        _alt,
    ),
    Form(
        "(set|change|add) [the |an ]alt(ernative)? text (of|for) the (picture|image){scope} to "
        "{q:text}{scope}",
        ("set the alt text of the picture on slide 4 to 'Sales by region'",),
        _alt,
    ),
    Form(
        "(remove|delete) [the ]alt(ernative)? text of [the ][(shape|picture|chart|table) ]{q:shape}"
        "{scope}",
        ("remove the alt text of 'Picture 3' on slide 4",),
        _alt,
    ),
)
