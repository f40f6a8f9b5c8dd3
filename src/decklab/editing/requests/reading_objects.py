"""Requests about things on slides: added, moved; slide numbers shown and hidden."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read
from decklab.editing.requests.lexicon import NUMBERS, word_set
from decklab.editing.requests.object_operations import place_shapes, shift_shapes
from decklab.editing.requests.phrases import DRAWN, Slots, StatedLength, Target
from decklab.editing.requests.reading_links import read_link
from decklab.editing.requests.reading_tables import read_new_in_table
from decklab.editing.requests.reading_texts import read_named_value
from decklab.editing.requests.show_operations import number_slides, write_footer
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import add_bullets

_WORDS = ("title", "subtitle", "body")


def read_add(clause: Clause) -> Read | None:
    """``add`` slide numbers, rows, columns, bullets, notes, footers, alternative texts."""
    slots = clause.slots(clause.body)
    if slots.kinds == {"numbers"} and not (slots.rest or slots.quoted or slots.look):
        return Read(
            number_slides(slots.scope_or_all, on=True), Former(slots.scope, Target("numbers"))
        )
    row = read_new_in_table(clause)
    if row is not None:
        return row
    if (
        slots.kinds & set(DRAWN) - {"picture", "chart", "table", "shape"}
        and "alt text" not in slots.kinds
    ):
        return None
    if "bullet" in slots.kinds or slots.kinds & {"body"}:
        return _new_bullets(clause, slots)
    return read_link(clause) if "link" in slots.kinds else read_named_value(clause)


def _new_bullets(clause: Clause, slots: Slots) -> Read | None:
    """``add the bullets 'A' and 'B' to slide 2``, ``add 'A' as the first bullet of slide 2``."""
    if slots.quoted and not slots.look and _counts(slots):
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


def read_numbers(clause: Clause) -> Read | None:
    """``number the slides``, ``show``, ``hide`` slide numbers; footers hidden."""
    slots = clause.slots(clause.body)
    if slots.rest or slots.quoted or slots.look or slots.numbers:
        return None
    if clause.action == "number":
        plain = not slots.targets
        return Read(number_slides(slots.scope, on=True)) if plain and slots.scope else None
    if clause.verb not in ("show", "hide", "use", "put", "unhide"):
        return None
    off = clause.action == "hide"
    if slots.kinds == {"numbers"}:
        return Read(number_slides(slots.scope_or_all, on=not off), Former(slots.scope))
    if slots.kinds == {"footer"} and off:
        return Read(write_footer(None, slots.scope_or_all), Former(slots.scope))
    return None


def _counts(slots: Slots) -> bool:
    """Whether what is left over is nothing, or says how many texts are quoted: ``two bullets``."""
    count = str(len(slots.quoted))
    said = [str(NUMBERS.get(token.low, token.low)) for token in slots.rest]
    return said in ([], [count]) and [f"{number:g}" for number in slots.numbers] in ([], [count])


_EDGE_WORDS = word_set("edge corner side middle centre center top bottom horizontally vertically")
_CENTERS = {"horizontally": "center", "vertically": "middle", "centre": "center"}


def read_move_shape(clause: Clause) -> Read | None:
    """``move the caption on slide 5 down half an inch``, ``… to the left edge``."""
    lows = [token.low for token in clause.body if token.kind == "word"]
    slots = clause.slots([token for token in clause.body if token.low not in _EDGE_WORDS])
    edges = [low for low in lows if low in _EDGE_WORDS - word_set("edge corner side")]
    is_one_way = bool({"horizontally", "vertically"} & set(lows))
    if clause.verb in ("center", "centre") and not is_one_way:
        edges.append("center")
    edges = [_CENTERS.get(one, one) for one in edges]
    if is_one_way:
        edges = [_CENTERS[low] for low in lows if low in ("horizontally", "vertically")]
    target = slots.target(*DRAWN, *_WORDS)
    look = {key: value for key, value in slots.look.items() if key != "points"}
    sides = [str(look.pop("align"))] if "align" in look else []
    plain = not (slots.rest or look or slots.numbers or slots.contradicts)
    if target is None or len(slots.kinds) != 1 or not plain or len(slots.quoted) > 1:
        return None
    target = replace(target, name=slots.quoted[0]) if slots.quoted else target
    scope, former = slots.scope_or_all, Former(slots.scope, target)
    if slots.measures:
        shifts = None if edges else _shifts(slots.measures, [*sides, *slots.axes])
        return Read(shift_shapes(scope, target, *shifts), former) if shifts else None
    wanted = list(dict.fromkeys([*sides, *slots.axes, *edges]))
    says_edge = clause.action == "align" or bool((_EDGE_WORDS | {"of"}) & set(lows))
    if not says_edge or not wanted:
        return None
    if wanted in (["center"], ["middle"]) and not is_one_way:
        wanted = ["center", "middle"]
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
