"""Requests that replace words."""

from functools import partial

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.library.errors import EditError
from decklab.agents.editor.library.replacing import replace_text
from decklab.agents.editor.verification.plan import Planned
from decklab.diffing.changes import Kind

_OPTIONS = (
    r"[,? (?P<whole>(as |only )?(a )?whole words?( only)?)]"
    r"[,? (?P<any>ignoring case|in any case|case.insensitive(ly)?)]"
)
MOST_ADDED = 200_000
"""Characters that one request may add. Ours: more than all text of most decks."""
_KINDS: dict[str, tuple[Kind, ...]] = {
    "notes": ("notes",),
    "footer": ("text",),
    "title": ("text",),
    "body": ("text",),
}


def _replace(said: Said, *, old: str, new: str, whole: bool = False) -> Step:
    whole = whole or bool(said.word("whole"))
    place = "" if said.scope.where == "all" else f" in the {said.scope.where}"
    to = f"replace “{old}” with “{new}”" if new else f"take out “{old}”"

    def apply(desk: Desk) -> tuple[Planned, ...]:
        if "\n" in new:
            raise EditError("words are replaced within a line; the new text has several")
        found, added = [], 0
        for number in desk.numbers(said.scope):
            hits = replace_text(
                desk.prs, old, new, slides=[number], where=said.scope.where, whole_word=whole,
                match_case=not said.word("any"),
            )  # fmt: skip
            found += [desk.id(number)] * bool(hits)
            added += hits * max(0, len(new) - len(old))
        if added > MOST_ADDED:
            raise EditError(f"it would add {added:,} characters, more than {MOST_ADDED:,}")
        if not found:
            raise EditError(f"“{old}” stands nowhere{place} on {said.scope.words}")
        kinds = _KINDS.get(said.scope.where, ("text", "table", "diagram"))
        ids = tuple(found)
        # A text that ran across looks now has that of its beginning.
        looks = Planned("looks of what was replaced", ("style",), ids, ("font",), required=False)
        return (Planned(f"{to}{place}", kinds, ids), looks)

    return Step(f"{to}{place} on {said.scope.words}", apply)


def _of_quoted(said: Said, *, new: str | None = None, whole: bool = False) -> Step:
    return _replace(said, old=said.text("old"), new=said.text("new") if new is None else new,
                    whole=whole)  # fmt: skip


FORMS = (
    Form(
        "replace [all ][the text ]{q:old}{scope} (with|by) {q:new}{scope}" + _OPTIONS,
        (
            "replace 'Agenda' with 'Overview'",
            "replace 'cat' with 'dog' in titles on slides 2-4, whole word",
            "replace 'teh' with 'the' in notes, ignoring case",
        ),
        _of_quoted,
    ),
    Form(
        "replace [the ]words? {q:old}{scope} (with|by) {q:new}{scope}[ (?P<any>ignoring case)]",
        ("replace the word 'art' with 'craft' on slide 2",),
        partial(_of_quoted, whole=True),
    ),
    Form(
        "(change|rename) [the text ]{q:old}{scope} (to|into) {q:new}{scope}",
        ("change 'Q3' to 'Q4' on slide 2",),
        _of_quoted,
    ),
    Form(
        "(delete|remove|take out) [the ](text|words?) {q:old}{scope}",
        ("delete the text 'DRAFT'",),
        partial(_of_quoted, new=""),
    ),
)
