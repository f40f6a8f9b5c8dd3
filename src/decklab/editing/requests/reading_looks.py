"""Requests about looks: size, colour, font, style, alignment, case, fill and background."""

from dataclasses import replace

from decklab.editing.finding import EditError
from decklab.editing.requests.clause import Clause, Former, Read, together
from decklab.editing.requests.look_operations import (
    ROLES,
    TABLE_PARTS,
    color_background,
    fill_shapes,
    format_texts,
    normalise_texts,
)
from decklab.editing.requests.object_operations import resize_shapes
from decklab.editing.requests.operation import Unclear
from decklab.editing.requests.phrases import Slots, Target
from decklab.editing.requests.show_operations import change_theme_font
from decklab.editing.requests.slide_names import Scope, ordinal_of
from decklab.editing.requests.text_operations import change_case
from decklab.editing.requests.words import Token

_SHRINKING = frozenset(("shrink", "decrease", "reduce", "lower", "narrow"))
_GROWING = frozenset(("enlarge", "increase", "grow", "raise", "widen"))
_DRAWN = ("shape", "rectangle", "circle", "line")
_SIZED = (*_DRAWN, "picture", "chart", "table", "diagram")
_TEXTS = (*ROLES, *TABLE_PARTS, "subtitle", "caption", "text box", "table", "word", "bullet",
          "shape", "rectangle", "circle")  # fmt: skip
_STATED = ("bold", "italic", "underline", "color", "font", "align")
_VERBS: dict[str, tuple[str, object]] = {
    "bold": ("bold", True), "italic": ("italic", True), "underline": ("underline", True),
    "capitalize": ("case", "upper"), "lowercase": ("case", "lower"),
    "center": ("align", "center"), "centre": ("align", "center"), "justify": ("align", "justify"),
    "left-align": ("align", "left"), "right-align": ("align", "right"),
    "left align": ("align", "left"), "right align": ("align", "right"),
}  # fmt: skip
"""What a verb says by itself."""
_FACTORS = {"double": 2.0, "halve": 0.5, "triple": 3.0}


def read_look(clause: Clause) -> Read | None:
    """A request that gives things a look, in any order of words; None for other requests."""
    slots = clause.slots(clause.body)
    name, value = _VERBS.get(clause.verb, _VERBS.get(clause.action, ("", None)))
    if clause.verb in _FACTORS and slots.properties & {"size", "width", "height"}:
        slots.put("factor", _FACTORS[clause.verb])
    elif clause.action == "duplicate":
        return None
    if name:
        slots.put(name, value)
        if not (slots.targets or slots.quoted):
            return None
    if slots.target("word") and slots.rest and not slots.quoted:
        first, last = slots.rest[0], slots.rest[-1]
        if ordinal_of(first.low) is not None and _stands_before_word(clause, last):
            return None
        words = clause.source[first.start : last.end]
        if len(words.split()) == len(slots.rest):
            slots.quoted, slots.rest = [words], []
    return look_of(slots, clause)


def _stands_before_word(clause: Clause, last: Token) -> bool:
    """Whether ``word`` follows a token, as in ``the first word``: it is no name then."""
    after = (one.low for one in clause.body if one.start >= last.end)
    return next(after, "") in ("word", "words")


def look_of(slots: Slots, clause: Clause) -> Read | None:
    """The operation of some slots; None where they leave words over or name no look."""
    _take_up_shape_name(slots, clause)
    _take_up_side(slots)
    if clause.action == "normalise" and not slots.rest and "font" in slots.properties:
        return Read(normalise_texts(slots.scope_or_all))
    if slots.target("theme") and not slots.rest:
        return _of_theme(slots)
    if not _is_look(slots, clause):
        return None
    if slots.contradicts:
        raise EditError("it asks for two different things at once")
    found = [_look_of_one(slots, clause, target) for target in _things(slots)]
    reads = [one for one in found if one is not None]
    return together(reads) if reads and len(reads) == len(found) else None


def _look_of_one(slots: Slots, clause: Clause, target: Target) -> Read | None:
    if "background" in slots.kinds or "outline" in slots.kinds or "fill" in slots.properties:
        return _area(slots, target)
    size = _size(slots, clause, target)
    if slots.numbers and not size:
        return None
    sided = slots.axes or slots.properties & {"width", "height"}
    if sided and "factor" in size:
        raise Unclear("only that side may be meant, or the whole",
                      ("… 20% larger", "… 3 inches wide"))  # fmt: skip
    scope = slots.scope_or_all
    if target.kind in _SIZED and _is_area_size(slots, size, target):
        measures = [one for one in slots.measures if one.axis in ("width", "height")]
        factor = size.get("factor")
        number = float(str(factor)) if factor is not None else None
        return Read(resize_shapes(scope, target, measures, number), Former(slots.scope, target))
    if "case" in slots.look:
        return Read(
            change_case(str(slots.look["case"]), scope, target), Former(slots.scope, target)
        )
    look = {key: slots.look[key] for key in _STATED if key in slots.look} | size
    drawn_fill = target.kind in _DRAWN and not slots.target("text") and "color" in look
    if drawn_fill and set(look) == {"color"} and "color" not in _text_properties(slots):
        return Read(fill_shapes(str(look["color"]), scope, target), Former(slots.scope, target))
    if drawn_fill and len(look) > 1:
        raise Unclear("a colour may be of the words or of the box", (
            f"make the text of the {target.kind} … {look['color']}",
            f"fill the {target.kind} … {look['color']}"))  # fmt: skip
    if target.kind not in _TEXTS and target.name is None:
        return None
    if not look or slots.axes or (slots.measures and "points" not in slots.look):
        return None
    return Read(format_texts(look, scope, target), Former(slots.scope, target))


def _of_theme(slots: Slots) -> Read | None:
    """``make the theme heading font Verdana``."""
    which = "heading" if slots.target("title") else "body" if slots.target("body") else ""
    if slots.properties == {"font"} and not slots.look and not slots.quoted:
        return Read(normalise_texts(slots.scope_or_all))
    plain = set(slots.look) == {"font"} and not slots.quoted
    return Read(change_theme_font(str(slots.look["font"]), which)) if plain else None


def _take_up_side(slots: Slots) -> None:
    """``the width … 3 inches``: the side of a length that is said before it."""
    sides = sorted(slots.properties & {"width", "height"})
    if len(sides) == len(slots.measures) == 1 and not slots.measures[0].axis:
        slots.measures = [replace(slots.measures[0], axis=sides[0])]
        slots.look.pop("points", None)


def _take_up_shape_name(slots: Slots, clause: Clause) -> None:
    """A quoted name of a shape that no noun stands beside."""
    names = clause.reader.slides.facts.names
    if not slots.targets and len(slots.quoted) == 1 and slots.quoted[0].lower() in names:
        slots.targets.append(Target("shape", name=slots.quoted.pop()))


def _text_properties(slots: Slots) -> set[str]:
    """Properties that are of the words: a font colour is not the colour of a box."""
    return {"color"} if slots.target("text") or "font" in slots.properties else set()


def _is_look(slots: Slots, clause: Clause) -> bool:
    """Whether the slots hold a look and nothing else."""
    named = slots.quoted and not _names_thing(slots)
    if slots.rest or named or (slots.axes and not slots.measures and not slots.relative):
        return False
    has_size = slots.measures or slots.relative or clause.verb in _SHRINKING | _GROWING
    return bool(slots.look or has_size or (slots.numbers and "size" in slots.properties))


def _names_thing(slots: Slots) -> bool:
    kinds = slots.kinds & {
        "word",
        "shape",
        "picture",
        "text box",
        "chart",
        "table",
        "rectangle",
        "text",
    }
    return len(slots.quoted) == 1 and bool(kinds)


def _things(slots: Slots) -> list[Target]:
    """What the look is of: the things named, else all text where the look is of texts."""
    kinds = [one for one in slots.targets if one.kind not in ("background", "outline", "value")]
    kinds = _narrowed(kinds)
    name = slots.quoted[0] if slots.quoted else None
    if not kinds:
        return [_without_target(slots)]
    if {"row", "column"} <= {one.kind for one in kinds} or (name is not None and len(kinds) > 1):
        raise EditError("single cells, or several things by name, have no look of their own here")
    return [_thing(found, name) for found in dict.fromkeys(kinds)]


def _thing(found: Target, name: str | None) -> Target:
    if found.kind == "text" and name is not None:
        return Target("word", name=name)
    if found.kind == "bullet" and found.place is None:
        found = Target("body", plural=True)
    return replace(found, name=name) if name is not None else found


def _narrowed(targets: list[Target]) -> list[Target]:
    """Without what only says more of another: the text of a title, the table of a row."""
    kinds = {one.kind for one in targets}
    dropped = set()
    if len(kinds) > 1:
        dropped |= {"text"}
        if kinds & set(TABLE_PARTS):
            dropped |= {"table"}
        if "header" in kinds:
            dropped |= {"row"}
        if "word" in kinds:
            dropped |= kinds - {"word"}
    return [one for one in targets if one.kind not in dropped]


def _without_target(slots: Slots) -> Target:
    if slots.target("background", "outline"):
        return Target("slide")
    if slots.pronoun:
        raise Unclear("“it” may be anything", ("… the titles …", "… the picture on slide 2 …"))
    look = set(slots.look)
    if not look and not slots.properties and slots.relative:
        raise Unclear(
            "it does not say what", ("make the titles …", "make the picture on slide 2 …")
        )
    if not slots.scope and not slots.properties and not slots.everywhere and "font" not in look:
        raise EditError("it does not say what")
    if look == {"color"} and not slots.properties & {"font"}:
        where = slots.scope_or_all.words
        raise Unclear("a colour may be of the words or of the background", (
            f"make all text {slots.look['color']} on {where}",
            f"make the background {slots.look['color']} on {where}"))  # fmt: skip
    return Target("text", plural=True)


def _area(slots: Slots, target: Target) -> Read | None:
    color = slots.look.get("color")
    if not isinstance(color, str) or set(slots.look) != {"color"}:
        return None
    scope = slots.scope_or_all
    if slots.target("outline"):
        if target.kind not in (*_DRAWN, "picture", "text box"):
            return None
        return Read(fill_shapes(color, scope, target, outline=True), Former(slots.scope, target))
    if target.kind in (*_DRAWN, "text box", "caption", "title", "body", "subtitle"):
        return Read(fill_shapes(color, scope, target), Former(slots.scope, target))
    if target.kind in ("slide", "text") and slots.target("background"):
        return Read(color_background(color, scope), Former(slots.scope, Target("background")))
    return None


def _is_area_size(slots: Slots, size: dict[str, object], target: Target) -> bool:
    if slots.properties & {"font"} or slots.target("text"):
        return False
    lengths = [one for one in slots.measures if one.axis in ("width", "height")]
    is_text_size = "size" in size or "points" in size
    return (bool(lengths) and set(slots.look) <= {"points"}) or (
        "factor" in size
        and not is_text_size
        and ("size" not in slots.properties or target.kind in _SIZED)
    )


def _size(slots: Slots, clause: Clause, target: Target) -> dict[str, object]:
    """``size``, ``points`` or ``factor`` from what is said of sizes.

    Raises Unclear where it says larger without an amount, EditError where it contradicts.
    """
    direction = slots.relative
    verb = "smaller" if clause.verb in _SHRINKING else "larger" if clause.verb in _GROWING else ""
    if verb and direction and verb != direction:
        raise EditError("it asks for larger and smaller at once")
    direction = direction or verb
    sign = -1 if direction == "smaller" else 1
    held = {
        key: float(str(slots.look[key]))
        for key in ("points", "percent", "factor")
        if key in slots.look
    }
    lengths = [one for one in slots.measures if one.axis in ("width", "height")]
    if len(held) > 1:
        raise EditError("it asks for two sizes at once")
    if "factor" in held:
        if (held["factor"] > 1) == (direction == "smaller") and direction:
            raise EditError("it asks for larger and smaller at once")
        return {"factor": held["factor"]}
    is_difference = slots.by or slots.relative != ""
    if "percent" in held:
        if not direction and (is_difference or not (clause.action == "resize" or _says_to(clause))):
            raise Unclear("a share may be of the size or a difference",
                          ("… to 50% …", "… 50% smaller …"))  # fmt: skip
        share = held["percent"] / 100
        return {"factor": 1 + sign * share if direction and is_difference else share}
    if "points" in held and not lengths:
        return {"points": sign * held["points"]} if is_difference else {"size": held["points"]}
    if lengths:
        return {}
    if slots.numbers and ("size" in slots.properties or is_difference or verb):
        if len(slots.numbers) > 1:
            raise EditError("it names two sizes")
        number = slots.numbers[0]
        return {"points": sign * number} if is_difference else {"size": number}
    if direction:
        which = f"the {target.kind}s" if target.plural else f"the {target.kind}"
        than = "smaller" if sign < 0 else "larger"
        raise Unclear("it does not say by how much",
                      (f"make {which} 2 points {than}", f"make {which} 20% {than}"))  # fmt: skip
    return {}


def _says_to(clause: Clause) -> bool:
    return any(token.low in ("to", "of") for token in clause.body)


def look_value(slots: Slots, value: Slots, clause: Clause) -> Read | None:
    """A look in two parts, such as ``the title color`` and ``red``; None where it is none."""
    both = replace(
        slots,
        look={**slots.look, **value.look},
        numbers=[*slots.numbers, *value.numbers],
        measures=[*slots.measures, *value.measures],
        properties={*slots.properties, *value.properties},
        scope=slots.scope or value.scope or (Scope() if value.everywhere else None),
        rest=[*slots.rest, *value.rest],
        relative=slots.relative or value.relative,
        by=slots.by or value.by,
        targets=[*slots.targets, *value.targets],
        quoted=[*slots.quoted, *value.quoted],
        axes=[*slots.axes, *value.axes],
        contradicts=slots.contradicts
        or value.contradicts
        or bool(slots.look.keys() & value.look.keys()),
    )
    return look_of(both, clause)
