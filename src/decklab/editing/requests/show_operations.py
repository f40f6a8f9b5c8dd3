"""Operations on what surrounds the contents: numbers, footers, transitions, links, the theme."""

from decklab.diffing.changes import Kind
from decklab.editing.finding import EditError, find_shape, properties
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.links import remove_links, set_link
from decklab.editing.motion import add_animation, remove_animations, set_transition
from decklab.editing.requests.operation import OpenDeck, Operation, Unclear
from decklab.editing.requests.phrases import Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.theme import set_theme_color, set_theme_fonts
from decklab.editing.verification import ExpectedChange
from decklab.ooxml.xml import qn

_LINK_LOOK = ("font.color", "font.underline")
"""The properties of a text that a link on it changes."""


def number_slides(scope: Scope, *, on: bool) -> Operation:
    """Show slide numbers, or take them off."""
    what = "slide numbers appear" if on else "slide numbers go"
    why = "they are there, or the layouts have no place for them" if on else "there are none"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope,
            lambda number: show_slide_numbers(deck.prs, on, slides=[number]),
            f"no slide number changed on {scope.words}: {why}",
        )
        return (ExpectedChange(what, ("added",) if on else ("removed",), ids),)

    return Operation(f"{what} on {scope.words}", apply)


def write_footer(text: str | None, scope: Scope, *, only_held: bool = False) -> Operation:
    """Set the footer, None takes it off; ``only_held`` leaves slides without one as they are."""
    what = f"the footer reads “{text}”" if text else "footers go"
    why = "the layouts have no place for one" if text else "there are none"
    kinds: tuple[Kind, ...] = ("added", "text") if text else ("removed",)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        numbers = deck.numbers(scope)
        held = [number for number in numbers if (seen := deck.before(number)) and seen.footer]

        def change(number: int) -> bool:
            skipped = only_held and held and number not in held
            return not skipped and bool(set_footer(deck.prs, text, slides=[number]))

        ids = deck.changed_on(scope, change, f"no footer changed on {scope.words}: {why}")
        return (ExpectedChange(what, kinds, ids),)

    return Operation(f"{what} on {scope.words}", apply)


def change_transition(kind: str | None, scope: Scope, seconds: float | None = None) -> Operation:
    """Set how slides appear; None takes the transition away."""
    what = f"a {kind} transition" if kind else "no transition"
    words = f"{what} on {scope.words}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            before = _transition_state(deck, number)
            set_transition(deck.prs, kind, slides=[number], seconds=seconds)
            return _transition_state(deck, number) != before

        so_already = f"{scope.words} have {what} already"
        ids = deck.changed_on(scope, change, so_already)
        return (ExpectedChange(words, ("transition",), ids),)

    return Operation(words, apply)


def _transition_state(deck: OpenDeck, number: int) -> tuple[object, ...]:
    """Effect and duration of a slide's transition, as far as decklab tells them apart."""
    root = deck.prs.slides[number - 1]._element
    return tuple(
        (dict(item.attrib), [(child.tag, dict(child.attrib)) for child in item])
        for item in root.iter(qn("p:transition"))
    )


def bring_in(
    effect: str, scope: Scope, target: Target, start: str, seconds: float | None = None
) -> Operation:
    """Let one thing on each slide come in with an effect, see ``add_animation``."""
    which = f"“{target.name}”" if target.name else f"the {target.kind}"
    what = f"{which} comes in by {effect}, {start}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        found = deck.shapes(scope, target)
        for number, ids in found.items():
            if len(ids) > 1:
                raise EditError(f"several things on slide {number} would come in; name one")
            how = {} if seconds is None else {"seconds": seconds}
            add_animation(deck.prs, number, ids[0], effect, start=start, **how)
        slides = tuple(deck.id(number) for number in found)
        return (ExpectedChange(what, ("animation",), slides),)

    return Operation(f"{what} on {scope.words}", apply)


def stop_animations(scope: Scope) -> Operation:
    """Take all animations off slides."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope,
            lambda number: remove_animations(deck.prs, number),
            f"there are no animations on {scope.words}",
        )
        return (ExpectedChange("animations go", ("animation",), ids),)

    return Operation(f"remove animations on {scope.words}", apply)


def link_to(
    target: str | int, scope: Scope, *, text: str | None, shape: Target | None
) -> Operation:
    """Link words or a shape to an address, or to a slide by its number before the request."""
    which = f"“{text}”" if shape is None else f"the shape “{shape.name or shape.kind}”"
    to = f"slide {target}" if isinstance(target, int) else target
    what = f"{which} links to {to}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        goal = deck.now(target) if isinstance(target, int) else target
        found = {} if shape is None else deck.shapes(scope, shape)

        def change(number: int) -> bool:
            if shape is not None:
                return any(
                    set_link(deck.prs, number, goal, shape=id) for id in found.get(number, ())
                )
            named = deck.shapes_on(number, Target("shape", name=text))
            is_button = [id for id in named if _has_own_link(deck, number, id)]
            if len(is_button) == 1:
                return bool(set_link(deck.prs, number, goal, shape=is_button[0]))
            try:
                set_link(deck.prs, number, goal, text=text)
            except EditError:
                if len(named) == 1:
                    return bool(set_link(deck.prs, number, goal, shape=named[0]))
                if scope.slides is not None:
                    raise
                return False
            return True

        ids = deck.changed_on(scope, change, f"{which} stands nowhere on {scope.words}")
        return (
            ExpectedChange(what, ("link",), ids),
            ExpectedChange("links have their look", ("style",), ids, _LINK_LOOK, required=False),
        )

    return Operation(f"{what} on {scope.words}", apply)


def _has_own_link(deck: OpenDeck, number: int, id: int) -> bool:
    """Whether a shape leads somewhere itself, not its words."""
    held = properties(find_shape(deck.prs, number, id))
    return held.find(qn("a:hlinkClick")) is not None


def unlink(
    text: str | None, scope: Scope, *, shape: Target | None = None, only_one: bool = False
) -> Operation:
    """Take all links off slides, or those on some words or on shapes.

    With ``only_one`` it is Unclear which is meant where a slide has several.
    """
    named = text or (shape and (shape.name or f"the {shape.kind}"))
    which = f"the link on “{named}”" if named else "all links"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        found = {} if shape is None else deck.shapes(scope, shape)

        def change(number: int) -> int:
            if shape is not None:
                return sum(remove_links(deck.prs, number, shape=id) for id in found.get(number, ()))
            count = remove_links(deck.prs, number, text=text)
            if only_one and count > 1:
                readings = (f"remove all links on slide {number}", "unlink '(its words)'")
                raise Unclear(f"slide {number} has {count} links", readings)
            return count

        ids = deck.changed_on(scope, change, "there is none there")
        return (
            ExpectedChange(f"{which} go", ("link",), ids),
            ExpectedChange("links lose their look", ("style",), ids, _LINK_LOOK, required=False),
        )

    return Operation(f"remove {which} on {scope.words}", apply)


def change_theme_font(name: str, which: str) -> Operation:
    """Change the theme's font: ``heading``, ``body``, or empty for both."""
    headings = name if which != "body" else None
    body = name if which in ("body", "") else None
    what = f"the theme's {which + ' ' if which else ''}font becomes {name}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        _check_all_slides(deck)
        if not set_theme_fonts(deck.prs, headings=headings, body=body):
            raise EditError("it is so already")
        return (
            ExpectedChange(what, ("theme",), (None,)),
            ExpectedChange(
                "what follows", ("master", "layout", "style"), new=(name,), required=False
            ),
        )

    return Operation(what, apply)


def change_theme_color(slot: str, color: str) -> Operation:
    """Change a colour of the theme."""
    what = f"the theme's {slot} becomes {color}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        _check_all_slides(deck)
        set_theme_color(deck.prs, slot, color)
        return (ExpectedChange(what, ("theme",), (None,)),)

    return Operation(what, apply)


def _check_all_slides(deck: OpenDeck) -> None:
    if deck.limit is not None:
        raise EditError("the theme is of all slides; leave out which slides may be edited")
