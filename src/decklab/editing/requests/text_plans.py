"""Plans of requests about words and their look, and the changes to expect."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from decklab.deck.model.shapes import Paragraph, Run
from decklab.deck.model.slide import SlideElements
from decklab.diffing.changes import Kind
from decklab.editing.every_text import (
    OF_SLIDES,
    ON_SLIDES,
    HeldText,
    is_in,
    left_out,
    replace_everywhere,
    words_in,
)
from decklab.editing.finding import (
    BODIES,
    FOOTERS,
    TITLES,
    EditError,
    find_shape,
    paragraphs,
    properties,
    shape_text,
    slide_at,
    text_bodies,
    texts_of,
)
from decklab.editing.formatting import THEME_COLORS, TextFormat, set_letter_case, style_paragraph
from decklab.editing.links import point_link, set_link, style_words
from decklab.editing.lists import add_bullet, bullet_family, one_bullet, space_line, space_paragraph
from decklab.editing.plan import ExpectedChange, kinds_of
from decklab.editing.replacing import replace_text, word_pattern
from decklab.editing.requests.carrying_out import (
    SO_ALREADY,
    Expected,
    OpenDeck,
    PlainRequest,
    Slots,
    Unclear,
    cell_of,
    line_places,
    shapes_in,
)
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.templates import quoted
from decklab.editing.requests.things import Target
from decklab.editing.tables import part_of_table, table_of, table_texts
from decklab.editing.texts import resize_text
from decklab.ooxml.xml import qn, shape_id

ROLES = ("text", "title", "body", "footer")
ALL_TEXT = Target("text", plural=True)
_OTHER = {"text": "title", "all": "footer"}
"""Texts that the text of a slide, and all of its text, do not include."""
_PROPERTIES = {
    "font": "font.name", "size": "font.size", "color": "font.color", "bold": "font.bold",
    "italic": "font.italic", "underline": "font.underline", "strike": "font.strike",
    "align": "paragraph.align", "points": "font.size", "factor": "font.size",
}  # fmt: skip
_ALSO = {"font": ("font.east_asian", "font.complex_script", "font.name latin")}
_RELATIVE = ("points", "factor")
_TEXT: tuple[Kind, ...] = ("style", "table")
_STYLES = {
    "bold": "bold",
    "italicize": "italic",
    "underline": "underline",
    "strike through": "strike",
    "cross out": "strike",
}


def plan_look(request: PlainRequest) -> Expected:
    """Give texts a look, also one relative to the size they have."""
    slots, deck = request.slots, request.deck
    look, scope = _look_of(slots), request.scope
    target: Target = slots.get("shape", ALL_TEXT)
    wanted = TextFormat(**{name: value for name, value in look.items() if name not in _RELATIVE})
    wanted.check()
    if target.kind == "word":
        style = partial(style_words, deck.prs, words=target.name or "", look=wanted)
        ids = deck.changed_on(scope, style, f"“{target.name}” stands nowhere on {scope.words}")
        return (ExpectedChange(request.words, _TEXT, ids, _allowed(look)),)
    chosen = chosen_lines(deck, scope, target)
    if not any(chosen.values()):
        raise EditError("there is no such text")
    for number, lines in chosen.items():
        for line in lines:
            style_paragraph(line, wanted)
        if look.keys() & set(_RELATIVE):
            points, factor = look.get("points", 0), look.get("factor", 1)
            resize_text(deck.prs, number, lines, points=points, factor=factor)
    touched = [number for number, lines in chosen.items() if lines]
    return _expected(request, look, target, touched)


def _look_of(slots: Slots) -> dict[str, Any]:
    if "look" in slots:
        return dict(slots["look"].values)
    if "way" in slots:
        return {"points": slots["amount"] * (1 if slots["way"] == "increase" else -1)}
    if "style" in slots:
        return {_STYLES[slots["style"]]: True}
    if "align" in slots:
        return {"align": slots["align"].removesuffix("-align")}
    stated = {name: slots[name] for name in ("font", "size", "color") if name in slots}
    return stated or {"align": "justify"}


def plan_case(request: PlainRequest) -> Expected:
    """Write texts in another case."""
    slots, deck = request.slots, request.deck
    case = slots["case"].removesuffix(" case").removesuffix("case").replace("capitals", "upper")
    lines = chosen_lines(deck, request.scope, slots["shape"])
    changed = _changed(deck, lines, lambda held: set_letter_case(held, case))
    return (ExpectedChange(request.words, ("text", "table"), changed),)


def plan_spacing(request: PlainRequest) -> Expected:
    """Give the lines of texts another distance."""
    return _each_line(request, lambda line: space_line(line, request.slots["lines"]))


def plan_space(request: PlainRequest) -> Expected:
    """Leave another space before or after the paragraphs of texts."""
    side, points = request.slots["side"], request.slots["points"]
    return _each_line(request, lambda line: space_paragraph(line, side, points))


def _each_line(request: PlainRequest, change: Callable[[Any], int]) -> Expected:
    deck = request.deck
    lines = chosen_lines(deck, request.scope, request.slots.get("shape", ALL_TEXT))
    return request.expected(_changed(deck, lines, lambda held: sum(map(change, held))))


def _changed(
    deck: OpenDeck, lines: dict[int, list[Any]], change: Callable[[list[Any]], int]
) -> tuple[int, ...]:
    """The ids of the slides whose lines a change changed. Raises EditError for none."""
    if not (changed := [number for number, held in lines.items() if change(held)]):
        raise EditError("it is so already, or there is no such text")
    return tuple(map(deck.id, changed))


def chosen_lines(deck: OpenDeck, scope: Scope, target: Target) -> dict[int, list[Any]]:
    """The paragraphs that a target means, by the number of their slide."""
    if target.kind == "bullet":
        chosen = {}
        for number, (id, first) in deck.bullets(scope, target).items():
            places = range(first, first + target.count)
            chosen[number] = [one_bullet(deck.prs, number, id, at) for at in places]
        return chosen
    bodies = _chosen_bodies(deck, scope, target)
    return {number: [*chain.from_iterable(map(paragraphs, bodies[number]))] for number in bodies}


def _chosen_bodies(deck: OpenDeck, scope: Scope, target: Target) -> dict[int, list[Any]]:
    """The text bodies that are meant, by the number of their slide."""
    many = scope.slides is not None or scope.every or target.plural or deck.total == 1
    if target.kind in ("text", "footer") or (target.kind in ROLES and many and _is_role(target)):
        where = "all" if target.kind == "text" else target.kind
        apart = target.kind == "text" and not target.plural
        bodies = {}
        for number in deck.numbers(scope):
            slide = slide_at(deck.prs, number)
            titles = list(text_bodies(slide, "title")) if apart else []
            bodies[number] = [body for body in text_bodies(slide, where) if body not in titles]
        return bodies
    if target.kind in ("row", "column", "header", "cell"):
        tables = deck.shapes(scope, target.within or Target("table"))
        return {
            number: [body for id in ids for body in _table_bodies(deck, number, id, target)]
            for number, ids in tables.items()
        }
    return {
        number: [body for id in ids for body in texts_of(find_shape(deck.prs, number, id))]
        for number, ids in deck.shapes(scope, target).items()
    }


def _is_role(target: Target) -> bool:
    return target.name is None and target.place is None and not target.side


def _table_bodies(deck: OpenDeck, number: int, id: int, target: Target) -> list[Any]:
    if target.kind == "cell":
        row, column = cell_of(deck, number, id, target)
        cell = table_of(deck.prs, number, id).findall(qn("a:tr"))[row - 1].findall(qn("a:tc"))
        return list(cell[column - 1].iterfind(qn("a:txBody")))
    if target.kind == "header":
        return part_of_table(deck.prs, number, id, "header", 1)
    return [
        body
        for at in line_places(target, table_texts(deck.prs, number, id))
        for body in part_of_table(deck.prs, number, id, target.kind, at)
    ]


def _expected(
    request: PlainRequest, look: Mapping[str, Any], target: Target, touched: list[int]
) -> Expected:
    """The changes of a look; needed where any text looked otherwise before."""
    deck, words = request.deck, request.words
    allowed = _allowed(look)
    ids = tuple(map(deck.id, touched))
    before = {deck.id(number): deck.before(number) for number in touched}
    needed: tuple[int, ...] = ()
    if target.kind in ROLES and _is_role(target) and not look.keys() & set(_RELATIVE):
        role = "all" if target == ALL_TEXT else target.kind
        needed = tuple(id for id, slide in before.items() if _needs(slide, role, look))
        if not needed and all(before.values()):
            said = any(_runs(slide, role) for slide in before.values() if slide)
            raise EditError(SO_ALREADY if said else "it has no words")
    return (
        ExpectedChange(words, _TEXT, ids, allowed, required=False),
        *([ExpectedChange(words, _TEXT, needed, allowed)] if needed else ()),
    )


def _allowed(look: Mapping[str, Any]) -> tuple[str, ...]:
    also = [name for property in look for name in _ALSO.get(property, ())]
    return tuple(dict.fromkeys([*(_PROPERTIES[name] for name in look), *also]))


def _needs(slide: SlideElements | None, role: str, look: Mapping[str, Any]) -> bool:
    """Whether any text of a slide, as it was, looks otherwise."""
    return slide is not None and any(
        _differs(paragraph, run, name, value)
        for paragraph, run in _runs(slide, role)
        for name, value in look.items()
    )


def _runs(slide: SlideElements, role: str) -> list[tuple[Paragraph, Run]]:
    """The runs of a slide that show anything, with their paragraphs."""
    lines = _paragraphs(slide, role)
    return [(line, run) for line in lines for run in line.runs if run.text.strip()]


def _paragraphs(slide: SlideElements, role: str) -> Iterator[Paragraph]:
    for text in slide.texts:
        kind = text.placeholder.type if text.placeholder else ""
        own = "body" if kind in BODIES else "text"
        own = "footer" if kind in FOOTERS else "title" if kind in TITLES else own
        if role == own or (role in ("text", "all") and own not in ("footer", _OTHER[role])):
            yield from text.paragraphs
    if role in ("text", "all"):
        for table in slide.tables:
            for row in table.rows:
                for cell in row:
                    yield from cell.paragraphs


def _differs(paragraph: Paragraph, run: Run, name: str, value: Any) -> bool:
    font = run.font
    held: Any
    if name == "align":
        held = paragraph.align
    elif name == "underline":
        held = font.underline != "none"
    elif name == "strike":
        held = font.strike not in ("", "none", "noStrike")
    elif name in ("bold", "italic"):
        held = name in font.style
    elif name == "color":
        held = font.slot if value in THEME_COLORS else font.color
    else:
        held = font.name if name == "font" else font.size
    return bool(held != value)


MOST_ADDED = 200_000
"""Characters that one request may add. Ours: more than all text of most decks."""
_KINDS: dict[str, tuple[Kind, ...]] = {"notes": ("notes",)}


def plan_replacement(request: PlainRequest) -> Expected:
    """Replace words, without slides named also in notes, descriptions and on masters."""
    slots, deck = request.slots, request.deck
    held = {"new": "", "whole_word": True, "match_case": True, **request.phrase.fixed, **slots}
    scope: Scope = held.get("slides", Scope())
    old, new, target = held["old"], held["new"], held.get("shape")
    where = held.get("where", "all")
    how = {name: bool(held[name]) for name in ("whole_word", "match_case")}
    if "\n" in new:
        raise EditError("words are replaced within a line; the new text has several")
    if not old or old == new:
        raise EditError("it would change nothing")
    apart: Target | None = held.get("apart")
    within = {} if target is None else deck.shapes(scope, target)
    put = partial(replace_everywhere, deck.prs, word_pattern(old, **how), new)

    def replaced(number: int) -> int:
        if target is not None:
            meant = _any_of(deck, number, within.get(number, ()))
            return put(slides=[number], kinds=ON_SLIDES, where=meant).total()
        if where != "all":
            return replace_text(deck.prs, old, new, slides=[number], where=where, **how)
        kinds = OF_SLIDES if scope.slides is None else ON_SLIDES
        return put(slides=[number], kinds=kinds, where=_not_spared(deck, number, apart)).total()

    counts = {number: replaced(number) for number in deck.numbers(scope)}
    is_everywhere = scope in (Scope(), Scope(every=True)) and deck.limit is None
    whole_deck = where == "all" and target is apart is None and is_everywhere
    on_masters = put(kinds=("layout", "master")).total() if whole_deck else 0
    if not (total := sum(counts.values()) + on_masters):
        raise EditError(f"“{old}” stands nowhere on {scope.words}{_otherwise(deck, held, counts)}")
    if (added := total * (len(new) - len(old))) > MOST_ADDED:
        raise EditError(f"it would add {added:,} characters, more than {MOST_ADDED:,}")
    _tell_what_stays(deck, held, counts, whole_deck=whole_deck)
    ids = tuple(deck.id(number) for number, count in counts.items() if count)
    kinds = _KINDS.get(where, kinds_of(request.phrase.changes))
    return (
        *([ExpectedChange(request.words, kinds, ids)] if ids else ()),  # type: ignore[arg-type]
        ExpectedChange(request.words, ("style", "table"), ids, ("font",), required=False),
        ExpectedChange(request.words, ("detail", "other"), required=False),
        *([ExpectedChange(request.words, ("layout", "master"), (None,))] if on_masters else ()),
    )


def _any_of(deck: OpenDeck, number: int, ids: Collection[int]) -> Callable[[HeldText], bool]:
    """Whether a text of a slide is in one of some shapes."""
    held = [find_shape(deck.prs, number, id) for id in ids]
    return lambda text: any(is_in(text, shape) for shape in held)


def _not_spared(deck: OpenDeck, number: int, apart: Target | None) -> Callable[[HeldText], bool]:
    """Whether a text of a slide is none of those that are left as they are."""
    if apart is None:
        return lambda _text: True
    if apart.kind in ("notes", "footer"):
        return lambda text: text.place.kind != apart.kind
    spared = _any_of(
        deck, number, deck.shapes_on(number, replace(apart, plural=apart.name is None))
    )
    return lambda text: not spared(text)


def _otherwise(deck: OpenDeck, held: dict[str, Any], counts: dict[int, int]) -> str:
    """Where words stand that are almost the ones to replace."""
    if not (spelled := words_in(deck.prs, list(counts), held["old"], whole_word=False)):
        return ""
    return f"; there are {_counted(spelled)}: a form with “part of words” or “in any case” has them"


def _counted(spelled: dict[str, int]) -> str:
    return ", ".join(f"{count} “{word}”" for word, count in sorted(spelled.items()))


def _tell_what_stays(
    deck: OpenDeck, held: dict[str, Any], counts: dict[int, int], *, whole_deck: bool
) -> None:
    """Say which spellings were left, and which contents were not looked at."""
    old, new = held["old"], held["new"]
    if held["match_case"] and held["whole_word"]:
        spelled = words_in(deck.prs, list(counts), old)
        spelled = {word: count for word, count in spelled.items() if word not in (old, new)}
        if spelled:
            again = f"replace {quoted(next(iter(spelled)))} with {quoted(new)}"
            deck.left_out.append(
                f"left as it is, for it is spelled otherwise than “{old}”: {_counted(spelled)}"
                f" (to change it: {again})"
            )
    if beyond := left_out(deck.prs) if whole_deck else ():
        deck.left_out.append(f"not looked at for “{old}”: {'; '.join(beyond)}")


def plan_bullets(request: PlainRequest) -> Expected:
    """Add bullets at a place, or give one another text."""
    slots, deck = request.slots, request.deck
    scope: Scope = request.scope
    texts = slots["text"] if isinstance(slots["text"], tuple) else (slots["text"],)
    over = bool(request.phrase.fixed.get("over"))
    beside = next((name for name in ("bullet", "before", "after") if name in slots), None)
    spots: dict[int, tuple[int, int | None]] = {}
    if beside:
        for number, (id, held) in deck.bullets(scope, slots[beside]).items():
            spots[number] = (id, held + (beside == "after"))
    else:
        at: int | None = 1 if slots.get("end") == "start" else slots.get("place")
        shapes = deck.shapes(scope, slots.get("shape") or Target("body"), can_be_all=False)
        spots = {number: (ids[0], at) for number, ids in shapes.items()}
    for number, (id, index) in spots.items():
        for offset, text in enumerate(texts):
            add_bullet(deck.prs, number, id, text, index and index + offset, over=over)
    slides, touched = tuple(map(deck.id, spots)), tuple(id for id, _place in spots.values())
    return request.expected(slides, touched)


def plan_link(request: PlainRequest) -> Expected:
    """Link words or a shape to an address, or to a slide by its number before the request."""
    slots, deck = request.slots, request.deck
    scope: Scope = request.scope
    target = slots["target"]
    goal = deck.now(target) if isinstance(target, int) else target
    shape: Target | None = slots.get("shape")
    text: str | None = slots.get("text")
    if request.phrase.fixed.get("again") and shape is None:
        return request.expected((deck.id(_lead_elsewhere(deck, scope, goal)),))
    button, numbers = Target("shape", name=text), [] if text is None else deck.numbers(scope)
    buttons = {number: deck.shapes_on(number, button) for number in numbers}
    if text is not None and any(_links(deck, number, id) for number in buttons
                                for id in buttons[number]):  # fmt: skip
        raise Unclear(f"“{text}” is a shape that leads somewhere itself", [{"shape": button}])
    linked = {} if shape is None else deck.shapes(scope, shape)

    def change(number: int) -> int:
        if shape is not None:
            return sum(set_link(deck.prs, number, goal, shape=id) for id in linked.get(number, ()))
        try:
            set_link(deck.prs, number, goal, text=text)
        except EditError:
            if scope.slides is not None:
                raise
            return False
        return True

    ids = deck.changed_on(scope, change, f"“{text}” stands nowhere on {scope.words}")
    return request.expected(ids)


def _lead_elsewhere(deck: OpenDeck, scope: Scope, goal: str | int) -> int:
    """Let the only link of the slides lead elsewhere; the number of its slide."""
    roots = ((number, slide_at(deck.prs, number)._element) for number in deck.numbers(scope))
    links = [(number, link) for number, root in roots for link in root.iter(qn("a:hlinkClick"))]
    where = {(number, link.get(qn("r:id")), link.get("action")) for number, link in links}
    if len(where) > 1 and len({number for number, _link in links}) > 1 and scope.slides is None:
        numbers = dict.fromkeys(number for number, _link in links)
        raise Unclear("several slides have links", [{"slides": Scope((n,))} for n in numbers])
    if len(where) != 1:
        raise EditError(f"{scope.words} have {len(where)} links; name the words of one")
    for number, link in links:
        point_link(deck.prs, number, link, goal)
    return links[0][0]


def _links(deck: OpenDeck, number: int, id: int) -> bool:
    """Whether a shape leads somewhere itself, not its words."""
    element = next(shape for shape in shapes_in(deck.prs, number) if shape_id(shape) == id)
    return properties(element).find(qn("a:hlinkClick")) is not None


def plan_moved_bullet(request: PlainRequest) -> Expected:
    """Move lines of a text to an end of it, beside another line, or by one place."""
    slots, deck = request.slots, request.deck
    scope: Scope = request.scope
    bullet: Target = slots["bullet"]
    places = deck.bullets(scope, bullet)
    beside = next((name for name in ("before", "after") if name in slots), None)
    goals = deck.bullets(Scope(tuple(places)), slots[beside]) if beside else {}
    for number, (id, at) in places.items():
        count = bullet_family(deck.prs, number, id, at, bullet.count)
        last = len(shape_text(find_shape(deck.prs, number, id)).split("\n")) - count + 1
        if beside:
            if goals.get(number, (None,))[0] != id:
                raise EditError("the two bullets are not in one text")
            to = goals[number][1] + (beside == "after")
            to -= count if to > at else 0
        elif "end" in slots:
            to = 1 if slots["end"] in ("start", "first") else last
        else:
            to = slots["to"] if "to" in slots else at + (1 if slots["way"] == "down" else -1)
        if not request.operation(deck.prs, number, id, at, to, count=count):
            raise EditError(SO_ALREADY)
    slides = tuple(map(deck.id, places))
    return request.expected(slides, tuple(id for id, _place in places.values()))
