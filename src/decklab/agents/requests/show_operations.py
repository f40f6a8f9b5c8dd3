"""Operations on what surrounds the contents: numbers, footers, transitions, links, the theme."""

from decklab.agents.editor.verification import ExpectedChange
from decklab.agents.requests.operation import OpenDeck, Operation
from decklab.agents.requests.phrases import Target
from decklab.agents.requests.slide_names import Scope
from decklab.diffing.changes import Kind
from decklab.editing.finding import EditError
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.links import remove_links, set_link
from decklab.editing.motion import remove_animations, set_transition
from decklab.editing.theme import set_theme_color, set_theme_fonts
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
            try:
                set_link(deck.prs, number, goal, text=text)
            except EditError:
                named = deck.shapes_on(number, Target("shape", name=text))
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


def unlink(text: str | None, scope: Scope) -> Operation:
    """Take all links off slides, or those on some words."""
    which = "all links" if text is None else f"the link on “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope, lambda number: remove_links(deck.prs, number, text=text), "there is none there"
        )
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
