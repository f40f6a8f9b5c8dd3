"""Requests that change words: replacing, titles and cells, notes and alternative texts, footers."""

from functools import partial

from decklab.agents.editor.grammar import MatchedRequest, OpenDeck, Operation, RequestForm
from decklab.agents.editor.verification import ExpectedChange
from decklab.diffing.changes import Kind
from decklab.editing.finding import (
    TITLES,
    EditError,
    placeholder_type,
    properties,
    shapes,
    slide_at,
)
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.replacing import replace_text
from decklab.editing.texts import add_notes, get_notes, set_alt_text, set_cell, set_notes, set_text
from decklab.ooxml.xml import qn

_OPTIONS = (
    r"[,? (?P<whole>(as |only )?(a )?whole words?( only)?)]"
    r"[,? (?P<any>ignoring case|in any case|case.insensitive(ly)?)]"
)
MOST_ADDED = 200_000
"""Characters that one request may add. Ours: more than all text of most decks."""
_ONE_LOOK = "the new text has one look where the old had several"
_KINDS: dict[str, tuple[Kind, ...]] = {
    "notes": ("notes",),
    "footer": ("text",),
    "title": ("text",),
    "body": ("text",),
}


def _replace(request: MatchedRequest, *, old: str, new: str, whole: bool = False) -> Operation:
    whole = whole or bool(request.word("whole"))
    place = "" if request.scope.where == "all" else f" in the {request.scope.where}"
    to = f"replace “{old}” with “{new}”" if new else f"take out “{old}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if "\n" in new:
            raise EditError("words are replaced within a line; the new text has several")
        added = 0

        def change(number: int) -> int:
            nonlocal added
            hits = replace_text(
                deck.prs, old, new, slides=[number], where=request.scope.where, whole_word=whole,
                match_case=not request.word("any"),
            )  # fmt: skip
            added += hits * max(0, len(new) - len(old))
            return hits

        absent = f"“{old}” stands nowhere{place} on {request.scope.words}"
        ids = deck.changed_on(request.scope, change, absent)
        if added > MOST_ADDED:
            raise EditError(f"it would add {added:,} characters, more than {MOST_ADDED:,}")
        kinds = _KINDS.get(request.scope.where, ("text", "table", "diagram"))
        # A text that ran across looks now has that of its beginning.
        looks = ExpectedChange(
            "looks of what was replaced", ("style",), ids, ("font",), required=False
        )
        return (ExpectedChange(f"{to}{place}", kinds, ids), looks)

    return Operation(f"{to}{place} on {request.scope.words}", apply)


def _of_quoted(
    request: MatchedRequest, *, new: str | None = None, whole: bool = False
) -> Operation:
    new = request.text("new") if new is None else new
    return _replace(request, old=request.text("old"), new=new, whole=whole)


WORD_FORMS = (
    RequestForm(
        "replace [all ][the text ]{q:old}{scope} (with|by) {q:new}{scope}" + _OPTIONS,
        (
            "replace 'Agenda' with 'Overview'",
            "replace 'cat' with 'dog' in titles on slides 2-4, whole word",
            "replace 'teh' with 'the' in notes, ignoring case",
        ),
        _of_quoted,
    ),
    RequestForm(
        "replace [the ]words? {q:old}{scope} (with|by) {q:new}{scope}[ (?P<any>ignoring case)]",
        ("replace the word 'art' with 'craft' on slide 2",),
        partial(_of_quoted, whole=True),
    ),
    RequestForm(
        "(change|rename) [the text ]{q:old}{scope} (to|into) {q:new}{scope}",
        ("change 'Q3' to 'Q4' on slide 2",),
        _of_quoted,
    ),
    RequestForm(
        "(delete|remove|take out) [the ](text|words?) {q:old}{scope}",
        ("delete the text 'DRAFT'",),
        partial(_of_quoted, new=""),
    ),
)


def _title(request: MatchedRequest) -> Operation:
    text = request.text("text")
    what = f"the title reads “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number = deck.only_number(request.scope, "say which slide's title: '... on slide 2'")
        found = shapes(deck.prs.slides[number - 1])
        title = next((item for item in found if placeholder_type(item) in TITLES), None)
        if title is None:
            raise EditError(f"slide {number} has no title")
        shape, ids = int(properties(title).get("id")), (deck.id(number),)
        set_text(deck.prs, number, shape, text)
        return (
            ExpectedChange(what, ("text",), ids, shapes=(shape,)),
            ExpectedChange(_ONE_LOOK, ("style",), ids, ("font",), (shape,), required=False),
        )

    return Operation(f"{what} on {request.scope.words}", apply)


def _cell(request: MatchedRequest) -> Operation:
    row, column = int(request.words["row"]), int(request.words["column"])
    text = request.text("text")
    what = f"row {row}, column {column} of the table reads “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number = deck.only_number(request.scope, "say which slide's table: '... on slide 2'")
        set_cell(deck.prs, number, row, column, text)
        ids = (deck.id(number),)
        return (
            ExpectedChange(what, ("table",), ids, ("cell text",)),
            ExpectedChange(_ONE_LOOK, ("table",), ids, ("font",), required=False),
        )

    return Operation(f"{what} on {request.scope.words}", apply)


TITLE_FORMS = (
    RequestForm(
        "(set|change) [the ]title{scope} to {q:text}{scope}",
        ("set the title of slide 2 to 'What we found'",),
        _title,
    ),
    RequestForm(
        "(set|change) row (?P<row>\\d{1,6}),? column (?P<column>\\d{1,6}) of the table{scope} "
        "to {q:text}",
        ("set row 2, column 3 of the table on slide 6 to '17 %'",),
        _cell,
    ),
)


def _notes(request: MatchedRequest) -> Operation:
    text = request.optional_text("text") or ""
    adds = request.word("verb").lower() in ("add", "append")
    what = "the notes go" if not text else f"the notes {'end with' if adds else 'read'} “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            before = get_notes(deck.prs, number)
            (add_notes if adds else set_notes)(deck.prs, number, text)
            return bool(get_notes(deck.prs, number) != before)

        so_already = f"the notes on {request.scope.words} are so already"
        ids = deck.changed_on(request.scope, change, so_already)
        return (ExpectedChange(what, ("notes",), ids),)

    return Operation(f"{what} on {request.scope.words}", apply)


def _alt(request: MatchedRequest) -> Operation:
    text = request.optional_text("text") or ""
    named = request.optional_text("shape")
    which = "the picture" if named is None else f"“{named}”"
    what = f"{which} has the alternative text “{text}”" if text else f"{which} has none"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids, touched = [], []
        for number in deck.numbers(request.scope):
            shape: str | int = _only_picture(deck, number) if named is None else named
            set_alt_text(deck.prs, number, shape, text)
            ids.append(deck.id(number))
            touched.append(shape)
        return (ExpectedChange(what, ("alt text",), tuple(ids), shapes=tuple(touched)),)

    return Operation(f"{what} on {request.scope.words}", apply)


def _only_picture(deck: OpenDeck, number: int) -> int:
    found = [item for item in shapes(slide_at(deck.prs, number)) if item.tag == qn("p:pic")]
    if len(found) != 1:
        names = ", ".join(f"'{properties(item).get('name')}'" for item in found)
        more = f"{len(found)} pictures, say which: {names}" if found else "no picture"
        raise EditError(f"slide {number} has {more}")
    return int(properties(found[0]).get("id"))


NOTE_FORMS = (
    RequestForm(
        "(set|change) [the ][speaker ]notes{scope} to {q:text}{scope}",
        ("set the notes of slide 2 to 'Start with the story.'",),
        _notes,
    ),
    RequestForm(
        "(?P<verb>add|append) [the ][speaker ]notes? {q:text}{scope}",
        ("add the note 'Ask for questions.' to slide 2",),
        _notes,
    ),
    RequestForm(
        "(?P<verb>add|append) {q:text} to [the ][speaker ]notes{scope}",
        ("add 'Ask for questions.' to the notes of slide 3",),
        _notes,
    ),
    RequestForm(
        "(remove|delete|clear) [the |all ][speaker ]notes{scope}",
        ("remove the notes on slide 3", "remove all notes"),
        _notes,
    ),
    RequestForm(
        "(set|change|add) [the |an ]alt(ernative)? text (of|for|to) [the ]"
        "[(shape|picture|chart|table) ]{q:shape}{scope} (to |as )?{q:text}{scope}",
        ("set the alt text of 'Picture 3' on slide 4 to 'Sales by region'",),
        _alt,
    ),
    RequestForm(
        "(set|change|add) [the |an ]alt(ernative)? text (of|for) the (picture|image){scope} to "
        "{q:text}{scope}",
        ("set the alt text of the picture on slide 4 to 'Sales by region'",),
        _alt,
    ),
    RequestForm(
        "(remove|delete) [the ]alt(ernative)? text of [the ][(shape|picture|chart|table) ]{q:shape}"
        "{scope}",
        ("remove the alt text of 'Picture 3' on slide 4",),
        _alt,
    ),
)


def _slide_numbers(request: MatchedRequest, on: bool) -> Operation:
    what = "slide numbers appear" if on else "slide numbers go"
    why = "they are there, or the layouts have no place for them" if on else "there are none"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            request.scope,
            lambda number: show_slide_numbers(deck.prs, on, slides=[number]),
            f"no slide number changed on {request.scope.words}: {why}",
        )
        return (ExpectedChange(what, ("added",) if on else ("removed",), ids),)

    return Operation(f"{what} on {request.scope.words}", apply)


def _footer(request: MatchedRequest) -> Operation:
    text = request.optional_text("text")
    what = f"the footer reads “{text}”" if text else "footers go"
    why = "the layouts have no place for one" if text else "there are none"
    kinds: tuple[Kind, ...] = ("added", "text") if text else ("removed",)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            request.scope,
            lambda number: set_footer(deck.prs, text, slides=[number]),
            f"no footer changed on {request.scope.words}: {why}",
        )
        return (ExpectedChange(what, kinds, ids),)

    return Operation(f"{what} on {request.scope.words}", apply)


FOOTER_FORMS = (
    RequestForm(
        "(show|add|insert|turn on|switch on) [the ](slide|page) numbers{scope}",
        ("show slide numbers", "add slide numbers on slides 2-4"),
        partial(_slide_numbers, on=True),
    ),
    RequestForm(
        "(hide|remove|delete|turn off|switch off) [the |all ](slide|page) numbers{scope}",
        ("remove slide numbers on slide 1",),
        partial(_slide_numbers, on=False),
    ),
    RequestForm(
        "turn [the ](slide|page) numbers (?P<on>on){scope}",
        ("turn slide numbers on",),
        partial(_slide_numbers, on=True),
    ),
    RequestForm(
        "turn [the ](slide|page) numbers off{scope}",
        ("turn slide numbers off on slide 1",),
        partial(_slide_numbers, on=False),
    ),
    RequestForm(
        "(set|change) [the ]footers?[ text]{scope} to {q:text}{scope}",
        ("set the footer to 'Internal'", "set the footer on slides 2-3 to 'Draft'"),
        _footer,
    ),
    RequestForm(
        "(add|insert) [the |a ]footer {q:text}{scope}",
        ("add the footer 'Draft' to slide 2",),
        _footer,
    ),
    RequestForm(
        "(remove|delete) [the |all ]footers?{scope}", ("remove the footer on slide 1",), _footer
    ),
)
