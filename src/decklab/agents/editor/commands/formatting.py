"""Requests that set font, size, colour, style and alignment."""

import re
from collections.abc import Iterator
from typing import Any

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.library.errors import EditError
from decklab.agents.editor.library.finding import BODIES, FOOTERS, TITLES
from decklab.agents.editor.library.formatting import (
    COLOR_NAMES,
    THEME_COLORS,
    format_text,
    normalise_fonts,
)
from decklab.agents.editor.verification.plan import Planned
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.diffing.changes import Kind

_COLOR = rf"(?P<color>#\w\w\w\w\w\w|{'|'.join([*COLOR_NAMES, *THEME_COLORS])})"
_STYLE = r"(?P<style>(?:not |no longer )?(?:bold|italic|underlined|underline))"
_ALIGN = r"(?P<align>left|right|center|centre|centered|centred|justified|justify)"
_PROPERTIES = {
    "font": "font.name", "size": "font.size", "color": "font.color", "bold": "font.bold",
    "italic": "font.italic", "underline": "font.underline", "align": "paragraph.align",
}  # fmt: skip
_ALSO = {"font.bold": (), "font.name": ("font.east_asian", "font.complex_script")}


def _format(said: Said, name: str, value: Any) -> Step:
    scope = said.scope
    which = (
        f"the shape {scope.shape}"
        if scope.shape
        else {"all": "all text"}.get(scope.where, f"the {scope.where}")
    )
    what = _words(which, name, value)

    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(scope)
        touched, needed = [], []
        for number in numbers:
            needs = _needs(desk.before(number), scope.where, scope.shape, name, value)
            count = format_text(
                desk.prs, slides=[number], where=scope.where, shape=scope.shape, **{name: value}
            )
            touched += [desk.id(number)] * bool(count)
            needed += [desk.id(number)] * bool(needs)
        if not touched:
            raise EditError("there is no such text")
        held = [desk.before(number) for number in numbers]
        if not needed and all(held):
            said = any(_runs(slide, scope.where, scope.shape) for slide in held if slide)
            raise EditError("it is so already" if said else "it has no words")
        allowed = (_PROPERTIES[name], *_ALSO.get(_PROPERTIES[name], ()))
        kinds: tuple[Kind, ...] = ("style", "table")
        return (
            Planned(what, kinds, tuple(touched), allowed, required=False),
            *([Planned(what, kinds, tuple(needed), allowed)] if needed else ()),
        )

    return Step(f"{what} on {scope.words}", apply)


def _words(which: str, name: str, value: Any) -> str:
    """What becomes of a text, such as ``the title becomes 32 pt``."""
    if isinstance(value, bool):
        style = "underlined" if name == "underline" else name
        return f"{which} becomes {style}" if value else f"{which} is {style} no more"
    told = {"font": f"is set in {value}", "size": f"becomes {value} pt".replace(".0 ", " "),
            "align": f"is aligned {value}"}  # fmt: skip
    return f"{which} {told.get(name, f'becomes {value}')}"


def _needs(
    slide: SlideElements | None, where: str, shape: str | None, name: str, value: Any
) -> bool:
    """Whether any text of a slide, as it was, does not look so yet."""
    return slide is not None and any(
        _differs(paragraph, run, name, value) for paragraph, run in _runs(slide, where, shape)
    )


def _runs(slide: SlideElements, where: str, shape: str | None) -> list[tuple[Paragraph, Run]]:
    """The runs of a slide that show anything, with their paragraphs."""
    return [
        (paragraph, run)
        for paragraph in _paragraphs(slide, where, shape)
        for run in paragraph.runs
        if run.text.strip()
    ]


def _paragraphs(slide: SlideElements, where: str, shape: str | None) -> Iterator[Paragraph]:
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


def _font(said: Said) -> Step:
    name = said.text("name") if "name" in said.words else said.word("bare")
    return _format(said, "font", name)


def _size(said: Said) -> Step:
    return _format(said, "size", said.number("size"))


def _colored(said: Said) -> Step:
    name = said.word("color").lower()
    return _format(said, "color", name.upper() if name.startswith("#") else name)


def _styled(said: Said) -> Step:
    words = said.word("style").lower()
    name = re.sub(r"^(not|no longer) ", "", words).replace("underlined", "underline")
    return _format(said, name, name == words.replace("underlined", "underline"))


def _aligned(said: Said) -> Step:
    names = {"le": "left", "ri": "right", "ce": "center", "ju": "justify"}
    return _format(said, "align", names[(said.word("align") or "center").lower()[:2]])


def _normalised(said: Said) -> Step:
    def apply(desk: Desk) -> tuple[Planned, ...]:
        numbers = desk.numbers(said.scope)
        ids = [desk.id(n) for n in numbers if normalise_fonts(desk.prs, slides=[n])]
        if not ids:
            raise EditError(f"all text on {said.scope.words} is in the theme's fonts already")
        fonts = ("font.name", "font.east_asian", "font.complex_script", "font.symbol")
        what = "all text takes the theme's fonts"
        return (Planned(what, ("style", "table"), tuple(ids), fonts, required=False),)

    return Step(f"let all text take the theme's fonts on {said.scope.words}", apply)


FORMS = (
    Form(
        "(set|change) [the |all |all the ]fonts?[ (type|family|face)][ of {where}]{scope} to "
        "{q:name}{scope}",
        ("set the font of the titles to 'Georgia'", "set the font on slides 2 and 3 to 'Arial'"),
        _font,
    ),
    Form(
        "(set|change) [the |all |all the ]fonts?[ (type|family|face)][ of {where}]{scope} to "
        "(?P<bare>\\w+( \\w+)*?){scope}",
        ("set the font of the body text on slide 2 to Georgia",),
        _font,
    ),
    Form(
        "(set|change) [the ][font |text ]sizes?[ of {where}]{scope} to {n:size}[(pt|points?)]"
        "{scope}",
        ("set the size of the titles to 32 pt", "set the font size on slide 3 to 20"),
        _size,
    ),
    Form(
        "make {where}{scope} {n:size}[(pt|points?)]{scope}",
        ("make the body text 18 pt on slides 2-3",),
        _size,
    ),
    Form(
        f"(set|change) [the ][font |text ]colou?rs?[ of {{where}}]{{scope}} to {_COLOR}{{scope}}",
        (
            "set the color of the titles to #1F4E79",
            "set the color of the body on slide 2 to accent2",
        ),
        _colored,
    ),
    Form(
        f"(set|change) {{where}} [font |text ]colou?r{{scope}} to {_COLOR}{{scope}}",
        ("set the title color to accent1",),
        _colored,
    ),
    Form(
        "(set|change) {where} [font |text ]size{scope} to {n:size}[(pt|points?)]{scope}",
        ("set the title size on slide 2 to 36 pt",),
        _size,
    ),
    Form(
        f"(make|color|colour) {{where}}{{scope}} {_COLOR}{{scope}}",
        ("make the title red on slide 2",),
        _colored,
    ),
    Form(
        f"(make|set) {{where}}{{scope}} [to ]{_STYLE}{{scope}}",
        ("make the titles bold", "make the body text not italic on slide 3"),
        _styled,
    ),
    Form(
        "(?P<style>underline|bold) {where}{scope}",
        ("underline the title on slide 3", "bold the titles on slides 2-3"),
        _styled,
    ),
    Form(
        f"align {{where}}{{scope}} [to the |to ]{_ALIGN}{{scope}}",
        ("align the titles left", "align the body text on slide 3 to the right"),
        _aligned,
    ),
    Form("(center|centre) {where}{scope}", ("center the body text on slides 2-3",), _aligned),
    Form("(?P<align>justify) {where}{scope}", ("justify the body text on slide 2",), _aligned),
    Form(
        "(normali(s|z)e [all ][the ]fonts|use the theme fonts?){scope}",
        ("normalise fonts", "normalise fonts on slides 2-4"),
        _normalised,
    ),
)
