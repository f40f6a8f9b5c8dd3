"""Requests about what lies on slides: deleted, added, moved, linked; numbers and transitions."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.agents.requests.clause import Clause, Former, Read, together
from decklab.agents.requests.look_operations import color_background, fill_shapes, format_texts
from decklab.agents.requests.object_operations import (
    add_to_table,
    delete_from_table,
    delete_shapes,
    place_shapes,
    shift_shapes,
    title_chart,
)
from decklab.agents.requests.operation import Unclear
from decklab.agents.requests.phrases import Slots, StatedLength, Target
from decklab.agents.requests.reading_texts import read_named_value
from decklab.agents.requests.show_operations import (
    change_transition,
    link_to,
    number_slides,
    stop_animations,
    unlink,
    write_footer,
)
from decklab.agents.requests.slide_names import Scope
from decklab.agents.requests.text_operations import (
    add_bullets,
    delete_bullets,
    describe,
    replace_words,
    set_words,
    write_notes,
)
from decklab.agents.requests.words import Token
from decklab.editing.motion import TRANSITIONS

_DRAWN = ("picture", "shape", "rectangle", "circle", "text box", "caption", "table", "chart",
          "diagram", "line", "group")  # fmt: skip
_WORDS = ("title", "subtitle", "body")
_AROUND = ("notes", "footer", "numbers", "transition", "animation", "link", "alt text",
           "chart title", "background", "outline")  # fmt: skip


def read_delete(clause: Clause) -> Read | None:
    """``delete`` anything but slides."""
    slots = clause.slots(clause.body)
    table = _in_table(clause, slots)
    if table is not None:
        former = Former(slots.scope, Target("table"))
        parts = [table[1]]
        if table[1].place is not None and table[1].place > 0:
            parts = sorted((one for one in slots.targets if one.kind == table[0]),
                           key=lambda one: -(one.place or 0))  # fmt: skip
        scope = slots.scope_or_all
        return together([Read(delete_from_table(one.kind, scope, one), former) for one in parts])
    words = _deleted_words(clause, slots)
    if words is not None:
        return words
    if slots.kinds == {"transition"} and {token.low for token in slots.rest} <= set(TRANSITIONS):
        slots.rest = []
    if slots.kinds == {"bullet"} and slots.rest and not slots.quoted:
        slots.quoted = list(
            _heading_behind(clause, clause.body, clause.body[_before(clause, slots)].low, slots)
        )
    if slots.rest or slots.contradicts or slots.measures or slots.numbers:
        return None
    if slots.look:
        return _look_off(slots)
    name = slots.quoted[0] if len(slots.quoted) == 1 else None
    scope = slots.scope_or_all
    if slots.kinds & set(_AROUND):
        return _delete_around(slots, scope, name)
    if slots.kinds == {"bullet"}:
        bullets = sorted(slots.targets, key=lambda one: -(one.place or 0))
        named = [replace(one, name=name) for one in bullets]
        return together([Read(delete_bullets(scope, one), Former(slots.scope)) for one in named])
    return _delete_shapes(slots, scope, name)


def _before(clause: Clause, slots: Slots) -> int:
    """The place before the first word that nothing explains."""
    return max(0, next(n for n, token in enumerate(clause.body) if token is slots.rest[0]) - 1)


def _delete_shapes(slots: Slots, scope: Scope, name: str | None) -> Read | None:
    drawn = [one for one in slots.targets if one.kind in _DRAWN]
    words = [one for one in slots.targets if one.kind in _WORDS]
    if not slots.targets and name and not slots.everywhere:
        ways = [f"delete the {what} '{name}' on {scope.words}" for what in ("text", "shape")]
        raise Unclear(f"“{name}” may be words or the name of a shape", ways)
    if words and "text" in slots.kinds:
        return Read(set_words("", scope, words[0]), Former(slots.scope, words[0]))
    if words and not drawn and not name:
        kind = words[0].kind
        raise Unclear(f"the {kind} may be its words or its box", (
            f"delete the text of the {kind} on {scope.words}",
            f"delete the {kind} box on {scope.words}"))  # fmt: skip
    kinds = {one.kind for one in slots.targets}
    if words and {one.kind for one in drawn} <= {"shape", "text box"} and not name:
        return Read(delete_shapes(scope, words[0]), Former(slots.scope))
    if not drawn or not kinds <= set(_DRAWN) or (name and len(drawn) > 1):
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
        "footer": write_footer(None, scope), "numbers": number_slides(scope, on=False),
        "transition": change_transition(None, scope), "animation": stop_animations(scope),
        "chart title": title_chart(None, scope), "background": color_background(None, scope),
    }  # fmt: skip
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


def _in_table(clause: Clause, slots: Slots) -> tuple[str, Target] | None:
    """The row or column that is meant, by its place or its heading."""
    if not slots.kinds or not slots.kinds <= {"row", "column", "table", "header"} or slots.look:
        return None
    if slots.numbers or slots.measures or {"row", "column"} <= slots.kinds:
        return None
    part = slots.target("row", "column")
    if part is None:
        header = slots.target("header")
        return ("row", Target("row", place=1)) if header and not slots.rest else None
    if part.place is not None and not slots.rest and not slots.quoted:
        return part.kind, part
    name = slots.quoted[0] if len(slots.quoted) == 1 and not slots.rest else ""
    if slots.rest and not slots.quoted:
        first, last = slots.rest[0].start, slots.rest[-1].end
        name = clause.source[first:last]
        if len(name.split()) != len(slots.rest):
            return None
    return (part.kind, replace(part, name=name)) if name else None


def read_unlink(clause: Clause) -> Read | None:
    """``unlink 'our site' on slide 5``."""
    slots = clause.slots(clause.body)
    plain = not (slots.rest or slots.targets or slots.look or slots.numbers)
    name = slots.quoted[0] if len(slots.quoted) == 1 else None
    return Read(unlink(name, slots.scope_or_all)) if plain and name else None


def read_add(clause: Clause) -> Read | None:
    """``add`` slide numbers, rows, columns, bullets, notes, footers, alternative texts."""
    slots = clause.slots(clause.body)
    if slots.kinds == {"numbers"} and not (slots.rest or slots.quoted or slots.look):
        return Read(
            number_slides(slots.scope_or_all, on=True), Former(slots.scope, Target("numbers"))
        )
    row = _new_in_table(clause)
    if row is not None:
        return row
    if (
        slots.kinds & set(_DRAWN) - {"picture", "chart", "table", "shape"}
        and "alt text" not in slots.kinds
    ):
        return None
    if "bullet" in slots.kinds or slots.kinds & {"body"}:
        return _new_bullets(clause, slots)
    return read_link(clause) if "link" in slots.kinds else read_named_value(clause)


def _new_bullets(clause: Clause, slots: Slots) -> Read | None:
    """``add the bullets 'A' and 'B' to slide 2``, ``add 'A' as the first bullet of slide 2``."""
    if slots.quoted and not slots.rest and not slots.look:
        bullet = slots.target("bullet")
        place = bullet.place if bullet and bullet.place != -1 and bullet.count == 1 else None
        return Read(
            add_bullets(tuple(slots.quoted), slots.scope_or_all, place),
            Former(slots.scope, Target("body")),
        )
    for left, right in clause.splits("to", "as", "on"):
        after = clause.slots(right)
        if (
            left
            and not (after.rest or after.quoted or after.look)
            and after.kinds & {"bullet", "body"}
        ):
            if clause.slots(left).kinds:
                continue
            return Read(
                add_bullets((clause.text(left),), after.scope or Scope()),
                Former(after.scope, Target("body")),
            )
    return read_named_value(clause)


_EDGES = {
    ("at", "the", "end", "of"): -1, ("at", "the", "bottom", "of"): -1, ("at", "the", "end"): -1,
    ("at", "the", "bottom"): -1, ("at", "the", "top", "of"): 1, ("at", "the", "top"): 1,
    ("at", "the", "beginning", "of"): 1, ("at", "the", "start", "of"): 1,
}  # fmt: skip


def _new_in_table(clause: Clause) -> Read | None:
    """``add a row to the table on slide 4 with A, B, C``; ``add a column Age after column 2``."""
    tokens = clause.body
    lows = [token.low if token.kind != "quoted" else "" for token in tokens]
    marks = ("with", ":", "called", "named", "headed", "containing")
    at = next((n for n, low in enumerate(lows) if low in marks), len(tokens))
    texts = _list_of(clause, tokens[at + 1 :])
    plain = [token for token in tokens[:at] if token.low not in ("new", "another", "extra")]
    head, edge = _without_edge(plain)
    side = next((n for n, token in enumerate(head) if token.low in _SIDES), None)
    other = clause.slots(head[side + 1 :]) if side is not None else Slots()
    beside = _in_table(clause, other) if side is not None else None
    if side is not None and beside is None:
        return None
    slots = clause.slots(head if side is None else head[:side])
    part = slots.target("row", "column")
    if clause.action != "add" or part is None or part.count > 1 or (slots.quoted and texts):
        return None
    if part.place is None and slots.rest and not texts and not slots.quoted:
        texts = _heading_behind(clause, head, part.kind, slots)
    if slots.rest or slots.look or not slots.kinds <= {"row", "column", "table"}:
        return None
    where: tuple[str, Target] | None = None
    if beside is not None and side is not None:
        where = (_SIDES[head[side].low], beside[1])
    elif (place := part.place or edge) is not None:
        where = ("after" if place < 0 else "before", Target(part.kind, place=place))
    scope = slots.scope or other.scope
    operation = add_to_table(part.kind, texts or tuple(slots.quoted), scope or Scope(), where)
    return Read(operation, Former(scope, Target("table")))


_SIDES = {
    "after": "after",
    "below": "after",
    "under": "after",
    "before": "before",
    "above": "before",
}


def _without_edge(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], int | None]:
    """Words without ``at the top of``, and the place that it says."""
    for phrase, place in _EDGES.items():
        for at in range(len(tokens)):
            if tuple(token.low for token in tokens[at : at + len(phrase)]) == phrase:
                return (*tokens[:at], *tokens[at + len(phrase) :]), place
    return tuple(tokens), None


def _heading_behind(
    clause: Clause, tokens: Sequence[Token], part: str, slots: Slots
) -> tuple[str, ...]:
    """What stands right behind ``row`` or ``column`` and nothing else explains, taken as a text."""
    first = slots.rest[0]
    name = clause.source[first.start : slots.rest[-1].end]
    at = next(n for n, token in enumerate(tokens) if token is first)
    if tokens[at - 1].low != part or len(name.split()) != len(slots.rest):
        return ()
    last = next(n for n, token in enumerate(tokens) if token is slots.rest[-1])
    slots.rest = []
    return _list_of(clause, tokens[at : last + 1])


def _list_of(clause: Clause, tokens: Sequence[Token]) -> tuple[str, ...]:
    """The items of a list that commas divide, and ``and`` where no comma does."""
    lead = 0
    while lead < len(tokens) and tokens[lead].low in (
        "the",
        "values",
        "texts",
        "cells",
        "heading",
        "header",
        "text",
        "title",
    ):
        lead += 1
    items: list[list[Token]] = [[]]
    has_comma = any(token.text in (",", "|", "/") for token in tokens)
    for token in tokens[lead:]:
        divides = token.kind != "quoted" and (token.text in (",", "|") or (token.low == "and" and (
            not has_comma or (items and not items[-1]))))  # fmt: skip
        if divides:
            items.append([])
        else:
            items[-1].append(token)
    return tuple(clause.text(item) for item in items if item)


def read_numbers(clause: Clause) -> Read | None:
    """``number the slides``, ``show``, ``hide``, ``turn on`` slide numbers; footers hidden."""
    lows = [token.low for token in clause.body]
    if clause.action == "number":
        slots = clause.slots(clause.body)
        plain = not (slots.rest or slots.targets or slots.look or slots.quoted)
        return Read(number_slides(slots.scope, on=True)) if plain and slots.scope else None
    tokens = [
        token
        for token in clause.body
        if token.low not in ("on", "off", "visible") or _before_slides(clause, token)
    ]
    slots = clause.slots(tokens)
    if slots.rest or slots.quoted or slots.look or len(slots.kinds) != 1:
        return None
    off = clause.action == "hide" or "off" in lows
    if (
        clause.verb not in ("show", "hide", "turn", "switch", "use", "put", "enable", "unhide")
        and "on" not in lows
    ):
        return None
    if slots.kinds == {"numbers"}:
        return Read(number_slides(slots.scope_or_all, on=not off), Former(slots.scope))
    if slots.kinds == {"footer"} and off:
        return Read(write_footer(None, slots.scope_or_all), Former(slots.scope))
    return None


def _before_slides(clause: Clause, token: Token) -> bool:
    at = clause.body.index(token)
    return token.low == "on" and clause.reader.slides.read(clause.body, at + 1) is not None


def read_transition(clause: Clause) -> Read | None:
    """``use the push transition on slide 2``, ``push transition on slides 2 to 4, one second``."""
    tokens = list(clause.body)
    joined = " ".join(token.low if token.kind != "quoted" else "" for token in tokens)
    kind = next(
        (
            name
            for name in sorted(TRANSITIONS, key=len, reverse=True)
            if f" {name} " in f" {joined} "
        ),
        None,
    )
    says = (
        "transition" in joined
        or (" between " in f" {joined} " and kind)
        or " effect " in f" {joined} "
    )
    if kind is None or not says:
        return None
    words = kind.split()
    at = next(
        n for n in range(len(tokens)) if [one.low for one in tokens[n : n + len(words)]] == words
    )
    del tokens[at : at + len(words)]
    seconds, tokens = _seconds(tokens)
    tokens = [
        one for one in tokens if one.low not in ("between", "effect", "effects", "style", "type")
    ]
    slots = clause.slots(tokens)
    if slots.rest or slots.quoted or slots.look or slots.kinds - {"transition"} or slots.numbers:
        return None
    return Read(
        change_transition(kind, slots.scope_or_all, seconds),
        Former(slots.scope, Target("transition")),
    )


def _seconds(tokens: list[Token]) -> tuple[float | None, list[Token]]:
    """How long it lasts, and the words without that."""
    numbers = {"one": 1.0, "two": 2.0, "three": 3.0, "half": 0.5}
    for at, token in enumerate(tokens):
        if token.low in ("second", "seconds", "s", "sec") and at:
            start = (
                at
                - 1
                - (tokens[at - 1].low in ("a", "an") and at > 1 and tokens[at - 2].low == "half")
            )
            low = tokens[start].low
            number = float(low) if tokens[start].kind == "number" else numbers.get(low)
            if number is None:
                continue
            lead = start
            while lead and tokens[lead - 1].low in (
                "lasting",
                "of",
                "over",
                "in",
                "for",
                "with",
                "duration",
                "a",
                ",",
                "taking",
                "that",
                "lasts",
            ):
                lead -= 1
            return number, [*tokens[:lead], *tokens[at + 1 :]]
    return None, tokens


def read_link(clause: Clause) -> Read | None:
    """``link 'Questions' on slide 10 to slide 2``, ``link the picture to https://…``."""
    for left, right in reversed(list(_link_splits(clause))):
        slots = clause.slots(right)
        goal: str | int | None = None
        if len(right) == 1 and right[0].kind in ("url", "quoted"):
            goal = right[0].text
            goal = f"https://{goal}" if goal.startswith("www.") else goal
        elif (
            slots.scope
            and slots.scope.slides
            and len(slots.scope.slides) == 1
            and not (slots.rest or slots.targets)
        ):
            goal = slots.scope.slides[0]
        if goal is None or not left:
            continue
        return _linked(clause, left, goal)
    return None


def _link_splits(clause: Clause) -> list[tuple[tuple[Token, ...], tuple[Token, ...]]]:
    return [(clause.body[:at], clause.body[at + 1 :]) for at, token in enumerate(clause.body)
            if token.kind == "word" and token.low in ("to", "with", "at")]  # fmt: skip


def _linked(clause: Clause, left: Sequence[Token], goal: str | int) -> Read | None:
    slots = clause.slots(left)
    drawn = slots.target(*_DRAWN)
    kinds = slots.kinds - {"word", "text", "link"}
    scope = slots.scope_or_all
    if slots.look or slots.measures or slots.contradicts:
        return None
    if drawn and not slots.rest and len(kinds) == 1 and len(slots.quoted) < 2:
        shape = replace(drawn, name=slots.quoted[0]) if slots.quoted else drawn
        return Read(link_to(goal, scope, text=None, shape=shape), Former(slots.scope, shape))
    if len(slots.quoted) == 1 and not slots.rest and not kinds:
        return Read(link_to(goal, scope, text=slots.quoted[0], shape=None), Former(slots.scope))
    if slots.rest and not slots.quoted and not kinds:
        held = list(left)
        while held and held[0].low in ("the", "word", "words", "text", "phrase"):
            held.pop(0)
        value = clause.value(held, scoped=False) if held else None
        if value:
            return Read(link_to(goal, value[1] or Scope(), text=value[0], shape=None))
    return None


def read_move_shape(clause: Clause) -> Read | None:
    """``move the caption on slide 5 down half an inch``, ``… to the left edge``."""
    slots = clause.slots(
        [
            token
            for token in clause.body
            if token.low
            not in ("edge", "corner", "side", "middle", "centre", "center", "top", "bottom")
        ]
    )
    edges = ["center"] if clause.verb in ("center", "centre") else []
    edges += [
        token.low
        for token in clause.body
        if token.kind == "word" and token.low in ("top", "bottom", "middle", "center", "centre")
    ]
    target = slots.target(*_DRAWN, *_WORDS)
    look = {key: value for key, value in slots.look.items() if key != "points"}
    sides = [str(look.pop("align"))] if "align" in look else []
    kinds = slots.kinds
    if (
        target is None
        or len(kinds) != 1
        or slots.rest
        or look
        or slots.numbers
        or slots.contradicts
    ):
        return None
    target = replace(target, name=slots.quoted[0]) if slots.quoted else target
    axes = [*sides, *slots.axes]
    scope = slots.scope_or_all
    former = Former(slots.scope, target)
    if slots.measures and not edges:
        shifts = _shifts(slots.measures, axes)
        return Read(shift_shapes(scope, target, *shifts), former) if shifts else None
    if slots.measures:
        return None
    says_slide_edge = clause.action == "align" or any(
        token.low in ("edge", "corner", "side", "of", "middle", "center", "centre", "top", "bottom")
        for token in clause.body
    )
    wanted = [{"centre": "center"}.get(one, one) for one in (*sides, *slots.axes, *edges)]
    if not says_slide_edge or not wanted:
        return None
    wanted = ["center", "middle"] if set(wanted) <= {"center", "middle"} else wanted
    return Read(place_shapes(scope, target, wanted), former)


def _shifts(measures: Sequence[StatedLength], axes: Sequence[str]) -> tuple[float, float] | None:
    """How far to the right and down; None where a direction is missing."""
    directions = [one.axis for one in measures if one.axis] + list(axes)
    directions = [one for one in directions if one in ("left", "right", "up", "down")]
    if len(directions) != len(measures):
        return None
    right = down = 0.0
    for measure, direction in zip(measures, directions, strict=True):
        right += measure.length * {"right": 1, "left": -1}.get(direction, 0)
        down += measure.length * {"down": 1, "up": -1}.get(direction, 0)
    return right, down
