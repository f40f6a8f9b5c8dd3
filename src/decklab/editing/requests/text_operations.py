"""Operations on words: replaced, set, in another case; bullets, notes and alternative texts."""

from decklab.diffing.changes import Kind
from decklab.editing.bullets import add_bullet, delete_bullet, hide_marks
from decklab.editing.finding import EditError, find_shape, slide_at, text_bodies
from decklab.editing.letter_case import set_letter_case
from decklab.editing.replacing import replace_text
from decklab.editing.replacing_everywhere import (
    replace_in_shape,
    replace_on_masters,
    replace_on_slide,
)
from decklab.editing.requests.operation import OpenDeck, Operation, Unclear
from decklab.editing.requests.phrases import Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.selecting import texts_of
from decklab.editing.texts import add_notes, get_notes, set_alt_text, set_notes, set_text
from decklab.editing.verification import ExpectedChange
from decklab.editing.words_left import left_out
from decklab.ooxml.xml import qn

MOST_ADDED = 200_000
"""Characters that one request may add. Ours: more than all text of most decks."""
ONE_LOOK = "the new text has one look where the old had several"
_ON_SLIDE: tuple[Kind, ...] = ("text", "table", "diagram", "chart", "notes", "alt text")
_KINDS: dict[str, tuple[Kind, ...]] = {
    "notes": ("notes",), "footer": ("text",), "title": ("text",), "body": ("text",),
}  # fmt: skip
_CASES = {"upper": "capitals", "lower": "small letters", "title": "title case",
          "sentence": "sentence case"}  # fmt: skip


def replace_words(
    old: str,
    new: str,
    scope: Scope,
    *,
    target: Target | None = None,
    part_words: bool = False,
    match_case: bool = True,
) -> Operation:
    """Replace words, without slides named also in notes, descriptions and on masters.

    ``target`` narrows it to titles, bodies, footers, notes, or to shapes of a kind.
    """
    where = "all" if target is None or target.kind == "text" else target.kind
    place = "" if where == "all" else f" in the {where}"
    to = f"replace “{old}” with “{new}”" if new else f"take out “{old}”"
    how = {"whole_word": not part_words, "match_case": match_case}

    def replaced(deck: OpenDeck, number: int, **how: bool) -> int:
        if where not in ("all", *_KINDS):
            found = deck.shapes_on(number, target or Target(where))
            return sum(replace_in_shape(deck.prs, number, id, old, new, **how) for id in found)
        if where != "all":
            return replace_text(deck.prs, old, new, slides=[number], where=where, **how)
        beyond = scope.slides is None
        return sum(replace_on_slide(deck.prs, number, old, new, beyond_view=beyond, **how).values())

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if "\n" in new:
            raise EditError("words are replaced within a line; the new text has several")
        if not old or old == new:
            raise EditError("it would change nothing")
        counts = {number: replaced(deck, number, **how) for number in deck.numbers(scope)}
        whole_deck = where == "all" and scope == Scope() and deck.limit is None
        on_masters = replace_on_masters(deck.prs, old, new, **how) if whole_deck else 0
        total = sum(counts.values()) + on_masters
        beyond = left_out(deck.prs) if whole_deck else ()
        if not total:
            looser = {"whole_word": False, "match_case": match_case}
            inside = not part_words and any(replaced(deck, number, **looser) for number in counts)
            raise EditError(
                f"“{old}” stands nowhere{place} on {scope.words}"
                + (" but inside of longer words; for these add “part of words”" if inside else "")
            )
        added = total * (len(new) - len(old))
        if added > MOST_ADDED:
            raise EditError(f"it would add {added:,} characters, more than {MOST_ADDED:,}")
        if beyond:
            deck.left_out.append(f"not looked at for “{old}”: {'; '.join(beyond)}")
        ids = tuple(deck.id(number) for number, count in counts.items() if count)
        return (
            *([ExpectedChange(f"{to}{place}", _KINDS.get(where, _ON_SLIDE), ids)] if ids else ()),
            ExpectedChange(
                "looks of what was replaced", ("style", "table"), ids, ("font",), required=False
            ),
            *_on_masters(to, on_masters),
        )

    return Operation(f"{to}{place} on {scope.words}", apply)


def _on_masters(to: str, count: int) -> tuple[ExpectedChange, ...]:
    if not count:
        return ()
    return (ExpectedChange(f"{to} on masters", ("layout", "master"), (None,)),)


def set_words(text: str, scope: Scope, target: Target) -> Operation:
    """Give shapes of one kind, one on each slide, a new text."""
    which = f"“{target.name}”" if target.name else f"the {target.kind}"
    what = f"{which} reads “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if target.kind == "title" and scope.slides is None and deck.total > 1:
            readings = ["the title on slide 1 …", "all titles on slides 1-2 …"]
            raise Unclear("say which slide's title: '... on slide 2'", readings)
        found = deck.shapes(scope, target)
        if target.plural or any(len(ids) > 1 for ids in found.values()):
            raise EditError(f"several would read “{text}”; name one")
        for number, ids in found.items():
            set_text(deck.prs, number, ids[0], text)
        slides = tuple(deck.id(number) for number in found)
        shapes = tuple(ids[0] for ids in found.values())
        return (
            ExpectedChange(what, ("text",), slides, shapes=shapes),
            ExpectedChange(ONE_LOOK, ("style",), slides, ("font",), shapes, required=False),
        )

    return Operation(f"{what} on {scope.words}", apply)


def change_case(case: str, scope: Scope, target: Target) -> Operation:
    """Write titles, bodies, all text or one shape's in another case."""
    what = f"{target.kind} in {_CASES[case]}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> int:
            if target.kind in ("title", "body", "text"):
                where = "all" if target.kind == "text" else target.kind
                bodies = list(text_bodies(slide_at(deck.prs, number), where))
            else:
                bodies = [body for id in named.get(number, ())
                          for body in texts_of(find_shape(deck.prs, number, id))]  # fmt: skip
            return set_letter_case(bodies, case)

        roles = ("title", "body", "text")
        named = {} if target.kind in roles else deck.shapes(scope, target)
        ids = deck.changed_on(scope, change, "it is so already, or there is no such text")
        return (ExpectedChange(what, ("text", "table"), ids),)

    return Operation(f"{what} on {scope.words}", apply)


def add_bullets(texts: tuple[str, ...], scope: Scope, place: int | None = None) -> Operation:
    """Add bullets to the body text of a slide, at the end or as number ``place``."""
    what = f"add the bullet “{'”, “'.join(texts)}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if scope.slides is None and deck.total > 1:
            raise EditError("say on which slide: '... to slide 2'")
        ids, touched = [], []
        for number in deck.numbers(scope):
            shape = only_body(deck, number)
            for offset, text in enumerate(texts):
                add_bullet(deck.prs, number, shape, text, None if place is None else place + offset)
            ids.append(deck.id(number))
            touched.append(shape)
        return _of_bodies(what, ids, touched)

    return Operation(f"{what} on {scope.words}", apply)


def delete_bullets(scope: Scope, target: Target) -> Operation:
    """Take bullets out of the body text of a slide, by their place or their text."""
    which = f"“{target.name}”" if target.name else f"bullet {target.place or ''}".strip()
    what = f"delete {which}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if target.place is None and target.name is None:
            raise EditError("say which bullet: its number or its text in quotes")
        ids, touched = [], []
        if scope.slides is None and target.name is None and deck.total > 1:
            raise EditError("say on which slide: '... on slide 2'")
        for number in deck.numbers(scope):
            shape = only_body(deck, number)
            which_one = target.place or target.name or 1
            delete_bullet(deck.prs, number, shape, which_one, target.count)
            ids.append(deck.id(number))
            touched.append(shape)
        return _of_bodies(what, ids, touched)

    return Operation(f"{what} on {scope.words}", apply)


def set_bullet(text: str, scope: Scope, target: Target) -> Operation:
    """Give one bullet of a slide's body a new text."""
    what = f"bullet {target.place} reads “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if target.place is None:
            raise EditError("say which bullet, such as the second")
        number = deck.only_number(scope, "say on which slide: '... on slide 2'")
        shape = only_body(deck, number)
        add_bullet(deck.prs, number, shape, text, target.place, over=True)
        return _of_bodies(what, [deck.id(number)], [shape])

    return Operation(f"{what} on {scope.words}", apply)


def only_body(deck: OpenDeck, number: int) -> int:
    """The id of the only text with bullets on a slide; raises Unclear where there are several."""
    found = deck.shapes_on(number, Target("body"))
    if not found:
        raise EditError(f"slide {number} has no body text")
    if len(found) > 1:
        raise Unclear(
            f"slide {number} has {len(found)} texts with bullets",
            [f"… of the shape '{id}' on slide {number}" for id in found[:2]],
        )
    return found[0]


def _of_bodies(what: str, ids: list[int], shapes: list[int]) -> tuple[ExpectedChange, ...]:
    return (
        ExpectedChange(what, ("text",), tuple(ids), shapes=tuple(shapes)),
        ExpectedChange(ONE_LOOK, ("style",), tuple(ids), (), tuple(shapes), required=False),
    )


def hide_bullet_marks(scope: Scope) -> Operation:
    """Let the lines of body texts stand without bullets; their words stay."""
    what = "no bullets before the lines"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> int:
            return sum(
                hide_marks(deck.prs, number, id) for id in deck.shapes_on(number, Target("body"))
            )

        ids = deck.changed_on(scope, change, f"there are none on {scope.words}")
        return (ExpectedChange(what, ("style",), ids),)

    return Operation(f"{what} on {scope.words}", apply)


def take_out_named(name: str, scope: Scope) -> Operation:
    """Take words out; Unclear where a shape is named so, or a line reads so and nothing else."""
    taken = replace_words(name, "", scope)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        shape, numbers = Target("shape", name=name), deck.numbers(scope)
        if any(
            deck.shapes_on(number, shape) or _has_line(deck, number, name) for number in numbers
        ):
            ways = [f"delete the {what} '{name}' on {scope.words}" for what in ("text", "shape")]
            raise Unclear(f"“{name}” may be words or what holds them", ways)
        return taken.apply(deck)

    return Operation(taken.words, apply)


def _has_line(deck: OpenDeck, number: int, text: str) -> bool:
    bodies = text_bodies(slide_at(deck.prs, number), "all")
    lines = [line for body in bodies for line in body.iter(qn("a:p"))]
    said = ("".join(item.text or "" for item in line.iter(qn("a:t"))) for line in lines)
    return any(one.strip().casefold() == text.strip().casefold() for one in said)


def write_notes(text: str, scope: Scope, *, adds: bool = False, said: bool = True) -> Operation:
    """Set or add to the speaker notes; an empty text takes them away.

    ``said`` is whether the request names slides.
    """
    what = "the notes go" if not text else f"the notes {'end with' if adds else 'read'} “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        if text and not said and deck.total > 1:
            raise Unclear("say on which slide", ["… on slide 2", "… on all slides"])

        def change(number: int) -> bool:
            before = get_notes(deck.prs, number)
            (add_notes if adds else set_notes)(deck.prs, number, text)
            return bool(get_notes(deck.prs, number) != before)

        so_already = f"the notes on {scope.words} are so already"
        ids = deck.changed_on(scope, change, so_already)
        return (ExpectedChange(what, ("notes",), ids),)

    return Operation(f"{what} on {scope.words}", apply)


def describe(text: str, scope: Scope, target: Target) -> Operation:
    """Give a picture or another shape an alternative text; an empty one takes it away."""
    which = f"“{target.name}”" if target.name else f"the {target.kind}"
    what = f"{which} has the alternative text “{text}”" if text else f"{which} has none"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        found = deck.shapes(scope, target)
        for number, ids in found.items():
            for id in ids:
                set_alt_text(deck.prs, number, id, text)
        slides = tuple(deck.id(number) for number in found)
        shapes = tuple(id for ids in found.values() for id in ids)
        return (ExpectedChange(what, ("alt text",), slides, shapes=shapes),)

    return Operation(f"{what} on {scope.words}", apply)
