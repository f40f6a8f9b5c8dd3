"""Requests that delete anything but slides."""

from dataclasses import replace

from decklab.editing.motion import TRANSITIONS
from decklab.editing.requests.clause import Clause, Former, Read, together
from decklab.editing.requests.look_operations import color_background, fill_shapes, format_texts
from decklab.editing.requests.object_operations import delete_shapes, title_chart
from decklab.editing.requests.operation import Unclear
from decklab.editing.requests.phrases import DRAWN, Slots, Target
from decklab.editing.requests.reading_tables import heading_behind, read_delete_in_table
from decklab.editing.requests.show_operations import (
    change_transition,
    number_slides,
    stop_animations,
    unlink,
    write_footer,
)
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import (
    delete_bullets,
    describe,
    hide_bullet_marks,
    replace_words,
    set_words,
    take_out_named,
    write_notes,
)

_WORDS = ("title", "subtitle", "body")
_AROUND = ("notes", "footer", "numbers", "transition", "animation", "link", "alt text",
           "chart title", "background", "outline")  # fmt: skip
_SWITCHED = ("no", "disable", "turn off", "switch off")
"""Verbs for what is shown or not: things themselves are deleted by others."""


def read_delete(clause: Clause) -> Read | None:
    """``delete`` anything but slides."""
    slots = clause.slots(clause.body)
    table = read_delete_in_table(clause)
    if table is not None:
        return table
    words = _deleted_words(clause, slots)
    if words is not None:
        return words
    if slots.kinds == {"transition"} and {token.low for token in slots.rest} <= set(TRANSITIONS):
        slots.rest = []
    if slots.kinds == {"bullet"} and slots.rest and not slots.quoted:
        slots.quoted = list(
            heading_behind(clause, clause.body, clause.body[_before(clause, slots)].low, slots)
        )
    if slots.rest or slots.contradicts or slots.measures or slots.numbers:
        return None
    if slots.look:
        return _look_off(slots)
    name = slots.quoted[0] if len(slots.quoted) == 1 else None
    scope = slots.scope_or_all
    switched = clause.verb in _SWITCHED
    if slots.kinds & set(_AROUND):
        return _delete_around(slots, scope, name)
    if slots.kinds == {"bullet mark"} or (switched and slots.kinds == {"bullet"} and not name):
        return Read(hide_bullet_marks(scope), Former(slots.scope))
    if switched:
        return None
    if slots.kinds == {"bullet"}:
        bullets = sorted(slots.targets, key=lambda one: -(one.place or 0))
        named = [replace(one, name=name) for one in bullets]
        return together([Read(delete_bullets(scope, one), Former(slots.scope)) for one in named])
    return _delete_shapes(slots, scope, name)


def _before(clause: Clause, slots: Slots) -> int:
    """The place before the first word that nothing explains."""
    return max(0, next(n for n, token in enumerate(clause.body) if token is slots.rest[0]) - 1)


def _delete_shapes(slots: Slots, scope: Scope, name: str | None) -> Read | None:
    drawn = [one for one in slots.targets if one.kind in DRAWN]
    words = [one for one in slots.targets if one.kind in _WORDS]
    if not slots.targets and name and not slots.everywhere:
        return Read(take_out_named(name, scope), Former(slots.scope))
    if words and "text" in slots.kinds:
        return Read(set_words("", scope, words[0]), Former(slots.scope, words[0]))
    if words and not drawn and not name:
        kind = words[0].kind
        raise Unclear(
            f"the {kind} may be its words or its box",
            (
                f"delete the text of the {kind} on {scope.words}",
                f"delete the {kind} box on {scope.words}",
            ),
        )
    kinds = {one.kind for one in slots.targets}
    if words and {one.kind for one in drawn} <= {"shape", "text box"} and not name:
        return Read(delete_shapes(scope, words[0]), Former(slots.scope))
    if not drawn or not kinds <= set(DRAWN) or (name and len(drawn) > 1):
        return None
    targets = [replace(one, name=name) if name else one for one in drawn]
    return together([Read(delete_shapes(scope, one), Former(slots.scope)) for one in targets])


def _delete_around(slots: Slots, scope: Scope, name: str | None) -> Read | None:
    kind = next(one.kind for one in slots.targets if one.kind in _AROUND)
    others = slots.kinds - {kind, "text", "word"}
    target = next((one for one in slots.targets if one.kind in others), None)
    if kind == "alt text":
        found = target or Target("picture", plural=True)
        return Read(describe("", scope, replace(found, name=name) if name else found))
    if kind == "outline" and target:
        return Read(fill_shapes(None, scope, target, outline=True))
    if kind == "link" and len(others) == 0:
        return Read(unlink(name, scope))
    if others or name:
        return None
    if kind == "notes":
        return Read(write_notes("", scope))
    simple = {
        "footer": write_footer(None, scope),
        "numbers": number_slides(scope, on=False),
        "transition": change_transition(None, scope),
        "animation": stop_animations(scope),
        "chart title": title_chart(None, scope),
        "background": color_background(None, scope),
    }
    return Read(simple[kind]) if kind in simple else None


def _look_off(slots: Slots) -> Read | None:
    styles = {"bold", "italic", "underline"}
    if not set(slots.look) <= styles or slots.quoted:
        return None
    target = slots.target("title", "body", "text", "subtitle", "caption", "header", "text box")
    look = dict.fromkeys(slots.look, False)
    return Read(format_texts(look, slots.scope_or_all, target or Target("text")))


def _deleted_words(clause: Clause, slots: Slots) -> Read | None:
    """``delete the words “…”``, ``delete the text 'DRAFT' in titles``."""
    lows = [token.low for token in clause.body if token.kind != "quoted"]
    says_words = any(low in ("word", "words", "text", "phrase") for low in lows)
    others = slots.kinds - {"word", "text", "title", "body", "notes", "footer"}
    if not says_words or others or slots.look or len(slots.quoted) != 1 or slots.rest:
        return _deleted_bare_words(clause, slots) if slots.rest else None
    where = slots.target("title", "body", "notes", "footer")
    return Read(
        replace_words(slots.quoted[0], "", slots.scope_or_all, target=where), Former(slots.scope)
    )


def _deleted_bare_words(clause: Clause, slots: Slots) -> Read | None:
    tokens = list(clause.body)
    lead = 0
    while lead < len(tokens) and tokens[lead].low in ("the", "all", "every"):
        lead += 1
    if lead >= len(tokens) - 1 or tokens[lead].low not in ("word", "words", "phrase"):
        return None
    value = clause.value(tokens[lead + 1 :], scoped=False)
    return None if value is None else Read(replace_words(value[0], "", value[1] or Scope()))
