"""Requests about whole slides, and the places that they are moved to."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.editing.requests.clause import Clause, Former, Read, is_name
from decklab.editing.requests.lexicon import NUMBERS, word_set
from decklab.editing.requests.operation import Unclear
from decklab.editing.requests.phrases import Slots
from decklab.editing.requests.slide_names import Scope, ordinal_of
from decklab.editing.requests.slide_operations import (
    SlidePlace,
    change_layout,
    copy_slides,
    delete_slides,
    hide_slides,
    insert_slide,
    move_slides,
    reverse_slides,
    swap_slides,
)
from decklab.editing.requests.words import Token, low_at, phrase_at

_START = word_set("start beginning front top")
_END = word_set("end back bottom")
_POSITION = word_set("position place spot slot number")
_NEW = word_set("a an another one new blank empty extra fresh")
_TITLED = ("with the title", "with title", "with a title", "titled", "called", "named", "entitled",
           "saying", "headed", ", title", "and title it", "and call it", "title")  # fmt: skip
_NOT_OF_SLIDES = ("clear", "strip", "turn off", "switch off", "disable", "leave out", "no")
"""Verbs that delete things, but not slides."""
_COPIED = "“it” may be the slide or its copy; name the slide by its number or title"
_BETWEEN_SWAPPED = ("and", "with", "the", "positions", "places", "order", "of", "position",
                    "around", "for", ",", "both")  # fmt: skip


def only_slides(slots: Slots) -> Scope | None:
    """The slides named, where nothing else is."""
    plain = not (slots.rest or slots.targets or slots.look or slots.quoted or slots.measures
                 or slots.properties or slots.numbers or slots.axes or slots.relative)  # fmt: skip
    return slots.scope if plain and not (slots.everywhere or slots.contradicts) else None


def read_slides(clause: Clause) -> Read | None:
    """``delete``, ``hide``, ``show``, ``keep``, ``reverse`` or ``duplicate`` slides."""
    body, times = _times(clause)
    scope = only_slides(clause.slots(body))
    action = "unhide" if clause.verb in ("show", "unhide") else clause.action
    if action == "reverse":
        return _reverse(clause)
    if scope is None or (body and body[0].low in ("on", "in", "at") and body[0].kind == "word"):
        return None  # what stands there is meant, not the slide
    former = Former(scope)
    if action == "delete":
        return None if clause.verb in _NOT_OF_SLIDES else Read(delete_slides(scope), former)
    if action in ("hide", "unhide"):
        return Read(hide_slides(scope, hidden=action == "hide"), former)
    if action == "duplicate":
        return Read(copy_slides(scope, None, times), Former(scope, doubt=_COPIED))
    if action == "keep":
        return _keep(clause, scope)
    return None


def _times(clause: Clause) -> tuple[tuple[Token, ...], int]:
    """How many copies are asked for, and the words without that."""
    counted = [_count(word) for word in clause.verb.split()]
    tokens = clause.body
    if clause.action != "duplicate":
        return tokens, 1
    if len(tokens) > 1 and tokens[-1].low in ("twice", "thrice"):
        return tokens[:-1], 2 + (tokens[-1].low == "thrice")
    number = _count(tokens[-2].low) if len(tokens) > 2 else 0
    if number and tokens[-1].low == "times":
        return tokens[:-2], number
    return tokens, max([1, *counted])


def _count(word: str) -> int:
    return int(word) if word.isdigit() and len(word) < 3 else NUMBERS.get(word, 0)


def _keep(clause: Clause, scope: Scope) -> Read | None:
    if "only" not in [token.low for token in clause.body]:
        return None
    total = clause.reader.slides.facts.total
    kept = scope.numbers(total)
    return Read(delete_slides(Scope(tuple(n for n in range(1, total + 1) if n not in kept))))


def _reverse(clause: Clause) -> Read | None:
    slots = clause.slots(clause.body)
    said = slots.scope or (Scope() if slots.properties == {"order"} else None)
    if slots.rest or slots.targets or slots.quoted or said is None:
        return None
    return Read(reverse_slides(said))


def read_swap(clause: Clause) -> Read | None:
    """``swap slides 3 and 5``, ``switch slide 2 with slide 4``."""
    numbers: list[int] = []
    at = 0
    tokens = clause.body
    while at < len(tokens):
        found = clause.reader.slides.read(tokens, at)
        found = found or (clause.reader.slides.read_title(tokens, at) if numbers else None)
        number = None if found or not numbers or not tokens[at].is_number else int(tokens[at].text)
        if found:
            numbers += found[0].numbers(clause.reader.slides.facts.total)
            at = found[1]
        elif number is not None:
            numbers.append(number)
            at += 1
        elif tokens[at].low in _BETWEEN_SWAPPED:
            at += 1
        else:
            return None
    if len(set(numbers)) != 2:
        return None
    return Read(swap_slides(Scope(tuple(numbers))))


def read_move(clause: Clause) -> Read | None:
    """``move`` or ``copy`` slides to a place; Unclear where no place is said."""
    tokens, times = _times(clause)
    copies = clause.action == "duplicate"
    for at in range(1, len(tokens)):
        scope = only_slides(clause.slots(tokens[:at]))
        titled = clause.reader.slides.read_title(tokens, 0)
        if scope is None and titled and titled[1] == at:
            scope = titled[0]
        if scope is None:
            continue
        found = place_at(clause, tokens, at, scope)
        if found is None or found[1] != len(tokens):
            continue
        operation = copy_slides(scope, found[0], times) if copies else move_slides(scope, found[0])
        return Read(operation, Former(scope, doubt=_COPIED if copies else ""))
    scope = only_slides(clause.slots(tokens))
    if clause.action == "move" and scope is not None:
        raise Unclear(
            "it does not say where to",
            (f"move {scope.words} to the end", f"move {scope.words} after slide 1"),
        )
    return None


def place_at(
    clause: Clause, tokens: Sequence[Token], at: int, scope: Scope | None = None
) -> tuple[SlidePlace, int] | None:
    """The place in the order of slides named from a token on, and the place after it.

    ``scope`` is what is moved, for ``one up``. Raises Unclear for ``to slide 2``.
    """
    lows = [token.low if token.kind != "quoted" else "" for token in tokens[at:]] + [""] * 5
    skipped = lows[0] in ("so", "directly", "right", "immediately", "just", "it") or lows[:1] == [
        ","
    ]
    if skipped:
        return place_at(clause, tokens, at + 1, scope)
    rest = [low for low in lows if low not in ("", "the", "slide", "one", "to", "be")]
    if rest in (["first"], ["last"]) and scope is not None:
        return SlidePlace("start" if rest == ["first"] else "end"), len(tokens)
    if lows[:3] == ["in", "front", "of"] or lows[:2] == ["ahead", "of"]:
        return _beside(clause, tokens, at + (3 if lows[0] == "in" else 2), "before")
    if lows[0] == "to" and lows[1] in ("before", "after", "behind", "between", "right", "directly"):
        return place_at(clause, tokens, at + 1, scope)
    if lows[0] in ("before", "after", "behind", "following"):
        return _beside(clause, tokens, at + 1, "before" if lows[0] == "before" else "after")
    if lows[0] == "between":
        pair = clause.reader.slides.read(tokens, at + 1)
        numbers = pair[0].slides if pair else None
        if pair and numbers and len(numbers) == 2 and numbers[1] == numbers[0] + 1:
            return SlidePlace("after", numbers[0]), pair[1]
        return None
    if lows[0] in ("up", "down") or lows[1] in ("up", "down"):
        return _steps(tokens, at, lows, scope)
    if lows[0] not in ("to", "at", "as", "in", "into"):
        return None
    return _to(clause, tokens, at, lows)


def _to(
    clause: Clause, tokens: Sequence[Token], at: int, lows: list[str]
) -> tuple[SlidePlace, int] | None:
    skip = 1 + (lows[1] in ("the", "be"))
    skip += lows[skip] == "very"
    word = lows[skip]
    of_deck = 0
    if lows[skip + 1 : skip + 2] == ["of"]:
        named = clause.reader.slides.read(tokens, at + skip + 2)
        if named is None or named[0] != Scope():
            return None
        of_deck = named[1] - (at + skip + 1)
    if word in _START | _END:
        return SlidePlace("start" if word in _START else "end"), at + skip + 1 + of_deck
    ordinal = ordinal_of(word)
    if ordinal is not None and (lows[skip + 1] in _POSITION or at + skip + 1 == len(tokens)):
        end = at + skip + 1 + (lows[skip + 1] in _POSITION)
        return (SlidePlace("end"), end) if ordinal == -1 else (SlidePlace("at", ordinal), end)
    skip += word in _POSITION
    skip += lows[skip] == "number"
    number = clause.reader.slides.read(
        [_slide_word(tokens[0]), *tokens[at + skip : at + skip + 1]], 0
    )
    if number is not None and number[1] == 2 and number[0].slides:
        return SlidePlace("at", number[0].slides[0]), at + skip + 1
    named = clause.reader.slides.read(tokens, at + 1)
    if named is not None and named[0].slides and len(named[0].slides) == 1:
        place = named[0].slides[0]
        raise Unclear(f"“to slide {place}” may be that place or beside that slide",
                      (f"… to position {place}", f"… after slide {place}"))  # fmt: skip
    return None


def _slide_word(token: Token) -> Token:
    return replace(token, kind="word", text="slide", low="slide")


def _beside(
    clause: Clause, tokens: Sequence[Token], at: int, side: str
) -> tuple[SlidePlace, int] | None:
    reader = clause.reader.slides
    found = reader.read(tokens, at) or reader.read_title(tokens, at)
    if found is None and at < len(tokens):
        rest = [_slide_word(tokens[at]), *tokens[at : at + 1]]
        number = reader.read(rest, 0)
        found = (number[0], at + 1) if number and number[1] == 2 else None
    if found is None or not found[0].slides:
        return None
    numbers = found[0].slides
    return SlidePlace(side, min(numbers) if side == "before" else max(numbers)), found[1]


def _steps(
    tokens: Sequence[Token], at: int, lows: list[str], scope: Scope | None
) -> tuple[SlidePlace, int] | None:
    """``one up``, ``down by two places``: places from where the slide is."""
    if scope is None or scope.slides is None or len(scope.slides) != 1:
        return None
    words = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "a": 1}
    used = list(lows[: len(tokens) - at])
    known = word_set("up down by position positions place places slide slides spot spots")
    counts = [words.get(word) or int(word) for word in used if word in words or word.isdigit()]
    if (
        any(word not in known and word not in words and not word.isdigit() for word in used)
        or len(counts) > 1
    ):
        return None
    step = counts[0] if counts else 1
    to = scope.slides[0] + (-step if "up" in used else step)
    return SlidePlace("at", to), len(tokens)


def read_new_slide(clause: Clause) -> Read | None:
    """``add a new slide after slide 2 with the title Goals``."""
    tokens = clause.body
    at = 0
    while at < len(tokens) and tokens[at].low in _NEW:
        at += 1
    if at >= len(tokens) or tokens[at].low not in ("slide", "page") or at == 0:
        return None
    at += 1
    place, title, layout = None, "", None
    while at < len(tokens):
        found = place_at(clause, tokens, at) if place is None else None
        if found:
            place, at = found
            continue
        start = _after_phrase(tokens, at)
        if start and not title:
            end = _end_of_title(clause, tokens, start, place is None)
            title, at = clause.text(tokens[start:end]), end
            continue
        named = _layout_at(clause, tokens, at) if layout is None else None
        if named is not None:
            layout, at = named
        elif not title and (tokens[at].kind == "quoted" or is_name(tokens[at])):
            end = _end_of_title(clause, tokens, at, place is None)
            title, at = clause.text(tokens[at:end]), end
        else:
            return None
    if any(token.kind == "word" and token.low in ("bullet", "bullets") for token in tokens):
        detail = f"“{title}” may be the title, or a title and bullets"
        raise Unclear(detail, (f"add a slide called '{title}'", "add the bullet '…' to slide 3"))
    return Read(insert_slide(place, title, layout))


def _after_phrase(tokens: Sequence[Token], at: int) -> int:
    """The place after ``with the title`` and its like; 0 where there is none or nothing behind."""
    phrase = phrase_at(tokens, at, _TITLED)
    following = at + len(phrase.split())
    following += low_at(tokens, following) in (":", "of")
    return following if phrase and following < len(tokens) else 0


def _end_of_title(clause: Clause, tokens: Sequence[Token], start: int, wants_place: bool) -> int:
    if tokens[start].kind == "quoted":
        return start + 1
    for end in range(start + 1, len(tokens)):
        found = place_at(clause, tokens, end) if wants_place else None
        layout = _layout_at(clause, tokens, end) if tokens[-1].low == "layout" else None
        if (found and found[1] == len(tokens)) or (layout and layout[1] == len(tokens)):
            return end
    return len(tokens)


def _layout_at(clause: Clause, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    lows = [token.low for token in tokens[at:]]
    if lows[:1] not in (["with"], ["using"], ["in"], ["based"], ["from"]):
        return None
    at += 1 + (lows[1:2] == ["on"])
    at += tokens[at].low in ("the", "a") if at < len(tokens) else 0
    at += tokens[at].low == "layout" if at < len(tokens) else 0
    end = next((n for n in range(at, len(tokens)) if tokens[n].low == "layout"), len(tokens))
    return (clause.text(tokens[at:end]), min(end + 1, len(tokens))) if end > at else None


def read_layout(clause: Clause) -> Read | None:
    """``apply the layout 'Title Only' to slide 6``, ``change the layout of slide 6 to …``."""
    at = next((n for n, token in enumerate(clause.body) if token.low == "layout"), None)
    if at is None:
        return None
    for left, right in clause.splits("to", "for", "on"):
        slots, scoped = clause.slots(left), clause.slots(right)
        if slots.target("layout") and slots.scope and not slots.rest and right:
            return Read(
                change_layout(_layout_name(clause, right), slots.scope), Former(slots.scope)
            )
        if (
            only_slides(slots) is not None
            and clause.action in ("", "set")
            and right[-1:]
            and (right[-1].low == "layout" or right[0].low == "layout")
        ):
            return Read(change_layout(_layout_name(clause, right), slots.scope_or_all))
        scope = only_slides(scoped)
        named = [token for token in left if token.low not in ("the", "layout", "a")]
        if scope is not None and named:
            return Read(change_layout(clause.text(named), scope), Former(scope))
    return None


def _layout_name(clause: Clause, tokens: Sequence[Token]) -> str:
    return clause.text([token for token in tokens if token.low not in ("the", "layout")])
