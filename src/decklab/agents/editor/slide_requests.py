"""Requests about whole slides: their order and number, transitions, animations and links."""

from functools import partial

from decklab.agents.editor.grammar import (
    LAST,
    NUMBERS,
    MatchedRequest,
    OpenDeck,
    Operation,
    RequestForm,
    RequestScope,
    numbers_in,
)
from decklab.agents.editor.verification import ExpectedChange
from decklab.editing.finding import EditError
from decklab.editing.links import remove_links, set_link
from decklab.editing.motion import TRANSITIONS, remove_animations, set_transition
from decklab.editing.slides import clone_slide, delete_slide, hide_slide, move_slide
from decklab.ooxml.xml import qn

_WHICH = rf"(?:(?:the )?slides?\s+(?P<which>{NUMBERS})|the\s+(?P<end>first|last)\s+slide)"
_PLACE = (
    r"(?:(?:to\s+)?(?:position|place|number)\s+(?P<position>\d{1,6})|(?:to\s+)?(?P<side>before|after)\s+"
    r"slide\s+(?P<anchor>\d{1,6})|to\s+the\s+(?P<edge>start|beginning|front|top|end|back))"
)
_TRANSITION = rf"(?P<kind>{'|'.join(sorted(TRANSITIONS, key=len, reverse=True))})"
_LASTS = r"[,? (lasting|of|over|in|for) (?P<seconds>\d{1,6}(?:\.\d{1,6})?) ?(s|seconds?)]"
_LINK_LOOK = ("font.color", "font.underline")
"""The properties of a text that a link on it changes."""


def _which(request: MatchedRequest) -> RequestScope:
    end = request.word("end").lower()
    if end:
        return RequestScope((1,) if end == "first" else (LAST,))
    return RequestScope(numbers_in(request.words["which"]))


def _delete(request: MatchedRequest) -> Operation:
    scope = _which(request)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        numbers = deck.numbers(scope)
        if len(numbers) == deck.total:
            raise EditError("a deck cannot lose all its slides")
        ids = tuple(deck.id(number) for number in numbers)
        for number in reversed(numbers):
            delete_slide(deck.prs, number)
        return (
            ExpectedChange(f"{scope.words} go", ("slide",), ids, ("removed",)),
            ExpectedChange("links to them go", ("link",), required=False),
            ExpectedChange("sections follow", ("section", "show"), required=False),
        )

    return Operation(f"delete {scope.words}", apply)


def _move(request: MatchedRequest) -> Operation:
    scope = _which(request)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number = deck.only_number(scope, "slides are moved one at a time")
        target = _target(request, deck, number)
        id = deck.id(number)
        if number == target:
            raise EditError(f"slide {number} is there already")
        move_slide(deck.prs, number, target)
        what = f"{scope.words} moves to place {target}"
        near = abs(number - target) == 1  # it may as well be its neighbour that moved
        ids = (id, deck.id(number)) if near else (id,)
        return (
            ExpectedChange(what, ("slide",), () if near else ids, ("moved",)),
            ExpectedChange("sections follow", ("section",), required=False),
        )

    return Operation(f"move {scope.words}", apply)


def _clone(request: MatchedRequest) -> Operation:
    scope = _which(request)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        planned = []
        for id in [deck.id(number) for number in deck.numbers(scope)]:
            number = deck.number(id)
            place = _target(request, deck, None) if _has_place(request) else number + 1
            clone_slide(deck.prs, number, place)
            what = f"slide {number} is doubled"
            planned.append(ExpectedChange(what, ("slide",), (deck.id(place),), ("added",)))
        return (*planned, ExpectedChange("sections follow", ("section",), required=False))

    return Operation(f"double {scope.words}", apply)


def _hide(request: MatchedRequest, hidden: bool) -> Operation:
    scope = _which(request)
    to = "hide" if hidden else "show"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            shown = deck.prs.slides[number - 1]._element.get("show") not in ("0", "false")
            if shown == hidden:
                hide_slide(deck.prs, number, hidden)
            return shown == hidden

        so_already = f"{scope.words} {'hidden' if hidden else 'shown'} already"
        ids = deck.changed_on(scope, change, so_already)
        return (ExpectedChange(f"{to} {scope.words}", ("slide",), ids, ("hidden",)),)

    return Operation(f"{to} {scope.words}", apply)


def _has_place(request: MatchedRequest) -> bool:
    return any(request.word(name) for name in ("position", "side", "edge"))


def _target(request: MatchedRequest, deck: OpenDeck, number: int | None) -> int:
    """The place that is meant for a slide, which has ``number`` now or, with None, is new."""
    last = deck.total + (number is None)
    if request.word("position"):
        place = int(request.words["position"])
    elif request.word("edge"):
        place = last if request.word("edge").lower() in ("end", "back") else 1
    else:
        anchor = int(request.words["anchor"])
        if not 1 <= anchor <= deck.total or anchor == number:
            raise EditError(f"there is no such place: {request.word('side')} slide {anchor}")
        place = anchor + (request.word("side").lower() == "after")
        place -= number is not None and number < anchor
    if not 1 <= place <= last:
        raise EditError(f"there is no place {place}; the deck has {deck.total} slides")
    return place


SLIDE_FORMS = (
    RequestForm(
        f"(delete|remove) {_WHICH}", ("delete slide 3", "delete slides 2 and 4-5"), _delete
    ),
    RequestForm(
        f"move {_WHICH} {_PLACE}",
        ("move slide 4 to position 2", "move slide 2 after slide 4", "move slide 3 to the end"),
        _move,
    ),
    RequestForm(
        f"(duplicate|clone|copy|double) {_WHICH}(?:\\s+{_PLACE})?",
        ("duplicate slide 2", "copy slide 1 to the end"),
        _clone,
    ),
    RequestForm(f"hide {_WHICH}", ("hide slide 3",), partial(_hide, hidden=True)),
    RequestForm(f"(unhide|show) {_WHICH}", ("unhide slide 4",), partial(_hide, hidden=False)),
)


def _transition(request: MatchedRequest) -> Operation:
    kind = request.word("kind").lower() or None
    seconds = request.number("seconds") if "seconds" in request.words else None
    what = f"a {kind} transition" if kind else "no transition"
    words = f"{what} on {request.scope.words}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            before = _transition_state(deck, number)
            set_transition(deck.prs, kind, slides=[number], seconds=seconds)
            return _transition_state(deck, number) != before

        so_already = f"{request.scope.words} have {what} already"
        ids = deck.changed_on(request.scope, change, so_already)
        return (ExpectedChange(words, ("transition",), ids),)

    return Operation(words, apply)


def _transition_state(deck: OpenDeck, number: int) -> tuple[object, ...]:
    """Effect and duration of a slide's transition, as far as decklab tells them apart."""
    root = deck.prs.slides[number - 1]._element
    return tuple(
        (dict(item.attrib), [(child.tag, dict(child.attrib)) for child in item])
        for item in root.iter(qn("p:transition"))
    )


def _no_animations(request: MatchedRequest) -> Operation:
    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            request.scope,
            lambda number: remove_animations(deck.prs, number),
            f"there are no animations on {request.scope.words}",
        )
        return (ExpectedChange("animations go", ("animation",), ids),)

    return Operation(f"remove animations on {request.scope.words}", apply)


MOTION_FORMS = (
    RequestForm(
        f"set [the ]transitions?{{scope}} to [a ]{_TRANSITION}{_LASTS}{{scope}}",
        (
            "set the transition to fade",
            "set the transition on slides 2-3 to push, lasting 0.7 seconds",
        ),
        _transition,
    ),
    RequestForm(
        f"(add|use) [a |an ]{_TRANSITION} transition{{scope}}{_LASTS}",
        ("add a wipe transition to slide 2",),
        _transition,
    ),
    RequestForm(
        "(remove|delete) [the |all |all the ]transitions?{scope}",
        ("remove all transitions", "remove the transition on slide 5"),
        _transition,
    ),
    RequestForm(
        "(remove|delete) [the |all |all the ]animations?{scope}",
        ("remove all animations on slide 5",),
        _no_animations,
    ),
)


def _link(request: MatchedRequest) -> Operation:
    text = request.optional_text("text")
    shape = request.optional_text("shape")
    target: str | int = (
        request.text("url") if "url" in request.words else int(request.words["target"])
    )
    which = f"“{text}”" if shape is None else f"the shape “{shape}”"
    to = f"slide {target}" if isinstance(target, int) else target
    what = f"{which} links to {to}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> bool:
            try:
                set_link(deck.prs, number, target, text=text, shape=shape)
            except EditError:
                if request.scope.slides is not None or shape is not None:
                    raise
                return False
            return True

        absent = f"{which} stands nowhere on {request.scope.words}"
        ids = deck.changed_on(request.scope, change, absent)
        return (
            ExpectedChange(what, ("link",), ids),
            ExpectedChange("links have their look", ("style",), ids, _LINK_LOOK, required=False),
        )

    return Operation(f"{what} on {request.scope.words}", apply)


def _unlink(request: MatchedRequest) -> Operation:
    text = request.optional_text("text")
    which = "all links" if text is None else f"the link on “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            request.scope,
            lambda number: remove_links(deck.prs, number, text=text),
            "there is none there",
        )
        return (
            ExpectedChange(f"{which} go", ("link",), ids),
            ExpectedChange("links lose their look", ("style",), ids, _LINK_LOOK, required=False),
        )

    return Operation(f"remove {which} on {request.scope.words}", apply)


LINK_FORMS = (
    RequestForm(
        "link [the text |the words? ]{q:text}{scope} to {q:url}{scope}",
        ("link 'study' on slide 2 to 'https://example.org'",),
        _link,
    ),
    RequestForm(
        "link [the text |the words? ]{q:text}{scope} to slide (?P<target>\\d{1,6})",
        ("link 'study' on slide 2 to slide 4",),
        _link,
    ),
    RequestForm(
        "link [the ](shape|picture|box) {q:shape}{scope} to {q:url}",
        ("link the picture 'Picture 3' on slide 4 to 'https://example.org'",),
        _link,
    ),
    RequestForm(
        "link [the ](shape|picture|box) {q:shape}{scope} to slide (?P<target>\\d{1,6})",
        ("link the shape 'Picture 3' on slide 4 to slide 1",),
        _link,
    ),
    RequestForm(
        "(remove|delete) [the |all |all the ](hyper)?links?{scope}",
        ("remove all links on slide 5",),
        _unlink,
    ),
    RequestForm(
        "(remove|delete) [the ](hyper)?link (on|from|of) {q:text}{scope}",
        ("remove the link on 'our site' on slide 5",),
        _unlink,
    ),
)
