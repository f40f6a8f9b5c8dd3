"""Requests about words: replaced, set, added, taken out."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read, refuse_wish
from decklab.editing.requests.lexicon import PROPERTIES, word_set
from decklab.editing.requests.object_operations import title_chart, write_cell
from decklab.editing.requests.operation import Operation, Unclear
from decklab.editing.requests.phrases import Slots, Target, ends_noun
from decklab.editing.requests.reading_looks import look_value
from decklab.editing.requests.reading_values import set_chart
from decklab.editing.requests.show_operations import (
    change_theme_color,
    change_theme_font,
    write_footer,
)
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import (
    add_bullets,
    describe,
    set_bullet,
    set_words,
    write_notes,
)
from decklab.editing.requests.words import Token

_TO = ("to", "into", "as", "reading", "saying", "=", ":", "read", "say", "with", "be", "reads",
       "says")  # fmt: skip
_WRITTEN = frozenset(
    ("title", "subtitle", "caption", "body", "text box", "shape", "rectangle", "circle", "notes",
     "alt text", "footer", "chart title", "bullet", "row", "text")
)  # fmt: skip
_NAMED = ("title", "subtitle", "notes", "footer", "bullet", "alt text", "caption")
_SHAPES = ("title", "subtitle", "caption", "body", "text box", "shape", "rectangle", "circle")


def read_set(clause: Clause) -> Read | None:
    """``set``, ``change``, ``make``, ``rename`` something to a value."""
    for left, right in clause.splits(*_TO):
        slots = clause.slots(left)
        if slots.rest or not right or slots.contradicts:
            continue
        joint = clause.body[len(left)].low
        if joint in ("as", "with") and right[0].kind != "quoted" and clause.action not in (
            "replace", "rename"
        ):  # fmt: skip
            continue
        # What names nothing, or words, is replaced; see ``read_replace``.
        if not (slots.targets or slots.properties or (slots.scope and _renames(clause))):
            continue
        found = _set_to(clause, slots, right)
        if found is not None:
            return found
    return None


def read_new_name(clause: Clause) -> Read | None:
    """``call slide 9 Future``, ``retitle the agenda slide Contents``."""
    if not _renames(clause):
        return None
    for at in range(1, len(clause.body)):
        slots = clause.slots(clause.body[:at])
        ends = clause.body[at - 1].low not in ("on", "in", "of")
        if slots.kinds == {"chart"} and ends and not (slots.rest or slots.quoted):
            value = clause.value(clause.body[at:], scoped=slots.scope is not None)
            if value and _begins_value(clause, clause.body, at):
                scope = slots.scope or value[1] or Scope()
                return Read(title_chart(value[0], scope), Former(scope))
        longer = clause.reader.slides.read(clause.body, 0)
        plain = not (slots.rest or slots.targets or slots.look or slots.quoted or slots.numbers)
        if plain and slots.scope and slots.scope.slides and (longer is None or longer[1] <= at):
            value = clause.value(clause.body[at:], scoped=True)
            return (
                None if value is None else text_of(clause, slots, refuse_wish(value[0], value[2]))
            )
    return None


def _renames(clause: Clause) -> bool:
    return clause.action == "rename" or clause.verb in ("call", "name")


def _set_to(clause: Clause, slots: Slots, right: Sequence[Token]) -> Read | None:
    """The operation that gives what ``slots`` name a value."""
    for read in (_set_theme, set_chart, _set_font, _set_look):
        found = read(clause, slots, right)
        if found is not None:
            return found
    if slots.targets and not slots.kinds & _WRITTEN:
        return None
    value = clause.value(right, scoped=slots.scope is not None)
    if value is None or slots.properties or ("text" in slots.kinds and not slots.kinds - {"text"}):
        return None
    text, scope, quoted = value
    slots.scope = slots.scope or scope
    other = clause.reader.read(right)
    if not quoted and other.scope and (other.targets or right[0].text.islower()) and not other.rest:
        raise Unclear(f"“{text}” may be the words or what stands there", (f"… to '{text}'",
                      "… to '(the words that you want)'"))  # fmt: skip
    return text_of(clause, slots, refuse_wish(text, quoted), replaced=clause.action != "add")


def _set_theme(clause: Clause, slots: Slots, right: Sequence[Token]) -> Read | None:
    if not slots.target("theme"):
        return None
    color = str(slots.look.get("color", ""))
    value = clause.slots(right)
    new = value.look.get("color")
    if (
        color.startswith("accent")
        and isinstance(new, str)
        and new.startswith("#")
        and not value.rest
    ):
        return Read(change_theme_color(color, new))
    if "font" not in slots.properties and not slots.target("text"):
        return None
    which = "heading" if slots.target("title") else "body" if slots.target("body") else ""
    name = _font_name(clause, right, value)
    return Read(change_theme_font(name, which)) if name else None


def _font_name(clause: Clause, right: Sequence[Token], value: Slots) -> str:
    """The font that a value names: a known one, a quoted one, or words with capitals."""
    if len(right) == 1 and right[0].kind == "quoted":
        return right[0].text
    if "font" in value.look and not value.rest:
        return str(value.look["font"])
    capitals = all(token.text[:1].isupper() for token in right if token.kind == "word")
    return clause.text(right) if capitals and right and right[0].kind == "word" else ""


def _set_font(clause: Clause, slots: Slots, right: Sequence[Token]) -> Read | None:
    if "font" not in slots.properties and not _only_fonts(slots, clause):
        return None
    if "size" in slots.properties or "color" in slots.properties:
        return None
    at, scope = clause.trailing_scope(right) if right[0].kind == "quoted" or not slots.scope else (
        len(right), None)  # fmt: skip
    name = _font_name(clause, right[:at], clause.slots(right[:at]))
    if not name:
        return None
    value = Slots(look={"font": name}, scope=scope)
    return look_value(slots, value, clause)


def _only_fonts(slots: Slots, clause: Clause) -> bool:
    return slots.kinds == {"text"} and any(token.low in ("font", "fonts") for token in clause.body)


def _set_look(clause: Clause, slots: Slots, right: Sequence[Token]) -> Read | None:
    value = clause.reader.read(right)
    if value.quoted or (
        slots.kinds & {"notes", "footer", "alt text", "cell", "row", "value"}
        and (not slots.properties)
    ):
        return None
    capital = right[0].kind == "word" and right[0].text[:1].isupper() and len(right) == 1
    stated = slots.properties & {"color", "size", "font", "style", "alignment", "fill"}
    found = look_value(slots, value, clause)
    single = next((one for one in slots.targets if one.kind in _SHAPES and not one.plural), None)
    if found and capital and not stated and single and "background" not in slots.kinds:
        where = slots.scope_or_all.words
        raise Unclear(f"“{clause.text(right)}” may be the words or the look", (
            f"set the {single.kind} on {where} to '{clause.text(right)}'",
            f"make the {single.kind} on {where} {clause.text(right).lower()}"))  # fmt: skip
    return found


def text_of(clause: Clause, slots: Slots, text: str, *, replaced: bool = True) -> Read | None:
    """The operation that makes what slots name read ``text``; None where that holds no text."""
    if slots.look or slots.measures or slots.contradicts or slots.numbers or slots.relative:
        return None
    scope = slots.scope
    if not slots.target("notes"):
        text = _closed(clause, text, sentence=False)
    found = _text_operation(clause, slots, text, scope or Scope(), replaced=replaced)
    if found is None:
        return None
    operation, target = found
    return Read(operation, Former(scope, target))


def _text_operation(
    clause: Clause, slots: Slots, text: str, scope: Scope, *, replaced: bool
) -> tuple[Operation, Target | None] | None:
    kinds = slots.kinds
    named = slots.quoted[0] if len(slots.quoted) == 1 else None
    row, column = slots.target("row"), slots.target("column")
    if row and column:
        return write_cell(text, scope, row, column), Target("table")
    if "notes" in kinds:
        text = _closed(clause, text, sentence=True)
        named_slides = slots.scope is not None
        return write_notes(text, scope, adds=not replaced, said=named_slides), Target("notes")
    if "alt text" in kinds:
        other = next((one for one in slots.targets if one.kind != "alt text"), Target("picture"))
        return describe(text, scope, replace(other, name=named) if named else other), other
    if "footer" in kinds:
        return write_footer(text, scope, only_held=_changes(clause)), Target("footer")
    if "chart title" in kinds or {"chart", "title"} <= kinds:
        return title_chart(text, scope), Target("chart")
    if "bullet" in kinds:
        bullet = slots.target("bullet") or Target("bullet")
        bullet = replace(bullet, name=named)
        if not replaced:
            return add_bullets((text,), scope), Target("body")
        return set_bullet(text, scope, bullet), Target("body")
    return _shape_text(clause, slots, text, scope, named)


def _shape_text(
    clause: Clause, slots: Slots, text: str, scope: Scope, named: str | None
) -> tuple[Operation, Target | None] | None:
    shapes = [one for one in slots.targets if one.kind in _SHAPES]
    others = slots.kinds - set(_SHAPES) - {"text", "word"}
    if others or len({one.kind for one in shapes}) > 1:
        return None
    if clause.action == "add" and slots.scope is None:
        return None
    if clause.action == "rename" and shapes and shapes[0].kind not in ("title", "subtitle"):
        return None  # its name or its words
    if shapes:
        target = replace(shapes[0], name=named) if named else shapes[0]
        return set_words(text, scope, target), target
    if not slots.targets and _renames(clause) and slots.scope and not named:
        return set_words(text, scope, Target("title")), Target("title")
    return None


def _changes(clause: Clause) -> bool:
    """Whether a footer that is there is changed rather than put on every slide."""
    return clause.verb in ("change", "update", "rename", "edit")


def _closed(clause: Clause, text: str, *, sentence: bool) -> str:
    """A text with the mark that ended the request; a full stop belongs to a sentence only."""
    last = clause.tokens[-1].end
    following = clause.source[last : last + 1]
    before = clause.source[: clause.tokens[0].start].lower()
    is_question = following == "?" and " you " in f" {before} "
    if is_question or (following == "." and not sentence):
        return text
    ends = clause.source[:last].rstrip().endswith(text)
    return text + following if following in (".", "!", "?") and following and ends else text


def read_put_in(clause: Clause) -> Read | None:
    """``put Draft in the footer``, ``write 'Hello' as the title of slide 2``."""
    if clause.verb not in ("put", "write", "insert", "enter", "use", "set", "add"):
        return None
    for left, right in clause.splits("in", "into", "as", "to"):
        slots = clause.slots(right)
        held = {"footer", "notes", *(() if clause.action == "add" else _SHAPES[:3])}
        if not left or slots.rest or slots.quoted or not slots.kinds or not slots.kinds <= held:
            continue
        before = clause.slots(left)
        if before.targets or before.scope or before.look or len(before.quoted) > 1:
            return None
        quoted = left[0].kind == "quoted"
        text = refuse_wish(clause.text(left), quoted)
        return text_of(clause, slots, text, replaced=clause.action != "add")
    return None


def read_named_value(clause: Clause) -> Read | None:
    """A value behind its noun: ``give slide 3 the title Results``, ``add the footer Draft``."""
    tokens = clause.body
    if clause.verb in ("let", "have", "need", "want", "i want"):
        return None  # what is said of a thing, not its words
    found = _quoted_value(clause)
    if found is not None:
        return found
    for at in range(1, len(tokens)):
        slots = clause.slots(tokens[:at])
        last = slots.targets[-1].kind if slots.targets else ""
        ends_with_noun = last in _NAMED
        if slots.rest or slots.quoted or slots.look or slots.numbers or not ends_with_noun:
            continue
        if not ends_noun(tokens, at):
            continue
        start = at + (
            tokens[at].low in (":", "of", "saying", "reading", "called") and at + 1 < len(tokens)
        )
        if not _begins_value(clause, tokens, start):
            continue
        if clause.verb in ("make", "turn", "") and tokens[start].text[:1].islower():
            continue
        value = clause.value(tokens[start:], scoped=slots.scope is not None)
        if value is None:
            continue
        text, scope, quoted = value
        slots.scope = slots.scope or scope
        return text_of(clause, slots, refuse_wish(text, quoted), replaced=clause.action != "add")
    return None


def _quoted_value(clause: Clause) -> Read | None:
    """``add 'Thanks' to the notes of slide 3``: the only quoted text is the value."""
    slots = clause.slots(clause.body)
    if len(slots.quoted) != 1 or slots.rest or slots.look or not slots.targets or slots.properties:
        return None
    text, slots.quoted = slots.quoted[0], []
    at = next(n for n, token in enumerate(clause.body) if token.kind == "quoted")
    before = clause.slots(clause.body[:at]).kinds
    if clause.action == "add" and slots.kinds & set(_SHAPES) and not before & set(_SHAPES):
        return None  # words added to others
    return text_of(clause, slots, text, replaced=clause.action != "add")


def _begins_value(clause: Clause, tokens: Sequence[Token], at: int) -> bool:
    """Whether a value may begin at a place: not with what says where."""
    if tokens[at].kind == "quoted":
        return True
    if tokens[at].low in PROPERTIES:
        return False
    where = clause.slots(tokens[at:])
    if not (where.rest or where.quoted or where.look or where.numbers):
        return False
    return tokens[at].low not in word_set("on in of from for to at with and , as is be")
