"""Requests that set font, size, colour, style and alignment of texts, and the theme."""

import re
from collections.abc import Iterator
from typing import Any

from decklab.agents.editor.grammar import (
    MatchedRequest,
    OpenDeck,
    Operation,
    RequestForm,
    RequestScope,
)
from decklab.agents.editor.verification import ExpectedChange
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.diffing.changes import Kind
from decklab.editing.finding import BODIES, FOOTERS, TITLES, EditError
from decklab.editing.formatting import COLOR_NAMES, THEME_COLORS, format_text, normalise_fonts
from decklab.editing.theme import set_theme_color, set_theme_fonts

_COLOR = rf"(?P<color>#\w\w\w\w\w\w|{'|'.join([*COLOR_NAMES, *THEME_COLORS])})"
_STYLE = r"(?P<style>(?:not |no longer )?(?:bold|italic|underlined|underline))"
_ALIGN = r"(?P<align>left|right|center|centre|centered|centred|justified|justify)"
_PROPERTIES = {
    "font": "font.name", "size": "font.size", "color": "font.color", "bold": "font.bold",
    "italic": "font.italic", "underline": "font.underline", "align": "paragraph.align",
}  # fmt: skip
_ALSO = {"font.bold": (), "font.name": ("font.east_asian", "font.complex_script")}


def _format(request: MatchedRequest, name: str, value: Any) -> Operation:
    scope = request.scope
    role = "all text" if scope.where == "all" else f"the {scope.where}"
    what = _words(f"the shape {scope.shape}" if scope.shape else role, name, value)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int) -> int:
            return format_text(
                deck.prs, slides=[number], where=scope.where, shape=scope.shape, **{name: value}
            )

        numbers = deck.numbers(scope)
        before = {deck.id(number): deck.before(number) for number in numbers}
        touched = deck.changed_on(scope, change, "there is no such text")
        needed = tuple(id for id, slide in before.items() if _needs(slide, scope, name, value))
        if not needed and all(before.values()):
            words = any(_runs(slide, scope) for slide in before.values() if slide)
            raise EditError("it is so already" if words else "it has no words")
        allowed = (_PROPERTIES[name], *_ALSO.get(_PROPERTIES[name], ()))
        kinds: tuple[Kind, ...] = ("style", "table")
        return (
            ExpectedChange(what, kinds, touched, allowed, required=False),
            *([ExpectedChange(what, kinds, needed, allowed)] if needed else ()),
        )

    return Operation(f"{what} on {scope.words}", apply)


def _words(which: str, name: str, value: Any) -> str:
    """What becomes of a text, such as ``the title becomes 32 pt``."""
    if isinstance(value, bool):
        style = "underlined" if name == "underline" else name
        return f"{which} becomes {style}" if value else f"{which} is {style} no more"
    phrases = {"font": f"is set in {value}", "size": f"becomes {value} pt".replace(".0 ", " "),
               "align": f"is aligned {value}"}  # fmt: skip
    return f"{which} {phrases.get(name, f'becomes {value}')}"


def _needs(slide: SlideElements | None, scope: RequestScope, name: str, value: Any) -> bool:
    """Whether any text of a slide, as it was, looks otherwise."""
    return slide is not None and any(
        _differs(paragraph, run, name, value) for paragraph, run in _runs(slide, scope)
    )


def _runs(slide: SlideElements, scope: RequestScope) -> list[tuple[Paragraph, Run]]:
    """The runs of a slide that show anything, with their paragraphs."""
    return [
        (paragraph, run)
        for paragraph in _paragraphs(slide, scope)
        for run in paragraph.runs
        if run.text.strip()
    ]


def _paragraphs(slide: SlideElements, scope: RequestScope) -> Iterator[Paragraph]:
    where, shape = scope.where, scope.shape
    for text in slide.texts:
        kind = text.placeholder.type if text.placeholder else ""
        role = "footer" if kind in FOOTERS else "title" if kind in TITLES else (
            "body" if kind in BODIES else "all")  # fmt: skip
        fits = where == role or (where == "all" and role != "footer")
        if shape in (text.name, str(text.id)) or (shape is None and fits):
            yield from text.paragraphs
    for table in slide.tables:
        if shape in (table.name, str(table.id)) or (shape is None and where == "all"):
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
    elif name in ("bold", "italic"):
        held = name in font.style
    elif name == "color":
        held = font.slot if value in THEME_COLORS else font.color
        value = value if value in THEME_COLORS else COLOR_NAMES.get(value, value).upper()
    else:
        held = font.name if name == "font" else font.size
    return bool(held != value)


def _font(request: MatchedRequest) -> Operation:
    name = request.text("name") if "name" in request.words else request.word("bare")
    return _format(request, "font", name)


def _size(request: MatchedRequest) -> Operation:
    return _format(request, "size", request.number("size"))


def _colored(request: MatchedRequest) -> Operation:
    name = request.word("color").lower()
    return _format(request, "color", name.upper() if name.startswith("#") else name)


def _styled(request: MatchedRequest) -> Operation:
    words = request.word("style").lower()
    name = re.sub(r"^(not|no longer) ", "", words).replace("underlined", "underline")
    return _format(request, name, name == words.replace("underlined", "underline"))


def _aligned(request: MatchedRequest) -> Operation:
    names = {"le": "left", "ri": "right", "ce": "center", "ju": "justify"}
    return _format(request, "align", names[(request.word("align") or "center").lower()[:2]])


def _normalised(request: MatchedRequest) -> Operation:
    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            request.scope,
            lambda number: normalise_fonts(deck.prs, slides=[number]),
            f"all text on {request.scope.words} is in the theme's fonts already",
        )
        fonts = ("font.name", "font.east_asian", "font.complex_script", "font.symbol")
        what = "all text takes the theme's fonts"
        return (ExpectedChange(what, ("style", "table"), ids, fonts, required=False),)

    return Operation(f"let all text take the theme's fonts on {request.scope.words}", apply)


LOOK_FORMS = (
    RequestForm(
        "(set|change) [the |all |all the ]fonts?[ (type|family|face)][ of {where}]{scope} to "
        "{q:name}{scope}",
        ("set the font of the titles to 'Georgia'", "set the font on slides 2 and 3 to 'Arial'"),
        _font,
    ),
    RequestForm(
        "(set|change) [the |all |all the ]fonts?[ (type|family|face)][ of {where}]{scope} to "
        "(?P<bare>\\w+( \\w+)*?){scope}",
        ("set the font of the body text on slide 2 to Georgia",),
        _font,
    ),
    RequestForm(
        "(set|change) [the ][font |text ]sizes?[ of {where}]{scope} to {n:size}[(pt|points?)]"
        "{scope}",
        ("set the size of the titles to 32 pt", "set the font size on slide 3 to 20"),
        _size,
    ),
    RequestForm(
        "make {where}{scope} {n:size}[(pt|points?)]{scope}",
        ("make the body text 18 pt on slides 2-3",),
        _size,
    ),
    RequestForm(
        f"(set|change) [the ][font |text ]colou?rs?[ of {{where}}]{{scope}} to {_COLOR}{{scope}}",
        (
            "set the color of the titles to #1F4E79",
            "set the color of the body on slide 2 to accent2",
        ),
        _colored,
    ),
    RequestForm(
        f"(set|change) {{where}} [font |text ]colou?r{{scope}} to {_COLOR}{{scope}}",
        ("set the title color to accent1",),
        _colored,
    ),
    RequestForm(
        "(set|change) {where} [font |text ]size{scope} to {n:size}[(pt|points?)]{scope}",
        ("set the title size on slide 2 to 36 pt",),
        _size,
    ),
    RequestForm(
        f"(make|color|colour) {{where}}{{scope}} {_COLOR}{{scope}}",
        ("make the title red on slide 2",),
        _colored,
    ),
    RequestForm(
        f"(make|set) {{where}}{{scope}} [to ]{_STYLE}{{scope}}",
        ("make the titles bold", "make the body text not italic on slide 3"),
        _styled,
    ),
    RequestForm(
        "(?P<style>underline|bold) {where}{scope}",
        ("underline the title on slide 3", "bold the titles on slides 2-3"),
        _styled,
    ),
    RequestForm(
        f"align {{where}}{{scope}} [to the |to ]{_ALIGN}{{scope}}",
        ("align the titles left", "align the body text on slide 3 to the right"),
        _aligned,
    ),
    RequestForm(
        "(center|centre) {where}{scope}", ("center the body text on slides 2-3",), _aligned
    ),
    RequestForm(
        "(?P<align>justify) {where}{scope}", ("justify the body text on slide 2",), _aligned
    ),
    RequestForm(
        "(normali(s|z)e [all ][the ]fonts|use the theme fonts?){scope}",
        ("normalise fonts", "normalise fonts on slides 2-4"),
        _normalised,
    ),
)


def _check_all_slides(deck: OpenDeck) -> None:
    if deck.limit is not None:
        raise EditError("the theme is of all slides; leave out which slides may be edited")


def _theme_fonts(request: MatchedRequest) -> Operation:
    name, which = request.text("name"), request.word("which").lower()
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


def _theme_color(request: MatchedRequest) -> Operation:
    slot, color = request.word("slot").lower().replace(" ", ""), request.word("color").upper()
    what = f"the theme's {slot} becomes {color}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        _check_all_slides(deck)
        set_theme_color(deck.prs, slot, color)
        return (ExpectedChange(what, ("theme",), (None,)),)

    return Operation(what, apply)


THEME_FORMS = (
    RequestForm(
        "(set|change) the theme('s|’s)? [(?P<which>headings?|body) ]fonts? to {q:name}",
        ("set the theme's heading font to 'Georgia'", "set the theme font to 'Verdana'"),
        _theme_fonts,
    ),
    RequestForm(
        r"(set|change) the theme('s|’s)? (?P<slot>accent\s?\d|dk1|dk2|lt1|lt2|hlink)[ colou?r] to "
        r"(?P<color>#\w\w\w\w\w\w)",
        ("set the theme's accent1 to #0B6E4F",),
        _theme_color,
    ),
)
