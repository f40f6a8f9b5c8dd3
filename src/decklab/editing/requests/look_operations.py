"""Operations on looks: of texts, parts of tables, words; fills, outlines, backgrounds."""

from collections.abc import Iterator, Mapping
from typing import Any

from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.diffing.changes import Kind
from decklab.editing.bullets import one_bullet
from decklab.editing.finding import (
    BODIES,
    FOOTERS,
    TITLES,
    EditError,
    find_shape,
    paragraphs,
    slide_at,
    text_bodies,
)
from decklab.editing.formatting import THEME_COLORS, TextFormat, normalise_fonts, style_paragraph
from decklab.editing.placing import fill_shape, outline_shape, set_background
from decklab.editing.requests.operation import OpenDeck, Operation
from decklab.editing.requests.phrases import Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import only_body
from decklab.editing.selecting import texts_of
from decklab.editing.tables import part_of_table
from decklab.editing.text_sizes import resize_text
from decklab.editing.verification import ExpectedChange
from decklab.editing.word_looks import format_words

ROLES = ("text", "title", "body", "footer")
TABLE_PARTS = ("row", "column", "header")
_PROPERTIES = {
    "font": "font.name", "size": "font.size", "color": "font.color", "bold": "font.bold",
    "italic": "font.italic", "underline": "font.underline", "align": "paragraph.align",
    "points": "font.size", "factor": "font.size",
}  # fmt: skip
_ALSO = {"font": ("font.east_asian", "font.complex_script")}
_RELATIVE = ("points", "factor")
_TEXT: tuple[Kind, ...] = ("style", "table")


def format_texts(look: Mapping[str, Any], scope: Scope, target: Target) -> Operation:
    """Give texts a look: values as ``TextFormat`` takes them, ``points`` more, ``factor`` as large.

    ``target`` is a role of texts, a kind of shapes, a part of a table, or words by their name.
    """
    what = look_words(look, target)

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        stated = {name: value for name, value in look.items() if name not in _RELATIVE}
        wanted = TextFormat(**stated)
        wanted.check()
        if target.kind == "word":
            ids = deck.changed_on(
                scope,
                lambda number: format_words(deck.prs, number, target.name or "", wanted),
                f"“{target.name}” stands nowhere on {scope.words}",
            )
            return (ExpectedChange(what, _TEXT, ids, _allowed(look)),)
        chosen = _chosen(deck, scope, target)
        if not any(chosen.values()):
            raise EditError("there is no such text")
        for number, lines in chosen.items():
            for line in lines:
                style_paragraph(line, wanted)
            if look.keys() & set(_RELATIVE):
                resize_text(deck.prs, number, lines, points=look.get("points", 0),
                            factor=look.get("factor", 1))  # fmt: skip
        touched = [number for number, lines in chosen.items() if lines]
        return _expected(deck, what, look, target, touched)

    return Operation(f"{what} on {scope.words}", apply)


def look_words(look: Mapping[str, Any], target: Target) -> str:
    """What becomes of a text, such as ``the title becomes 32 pt``."""
    which = f"“{target.name}”" if target.name else f"the {target.kind}"
    which = "all text" if target.kind == "text" else which
    return " and ".join(_phrase(which, name, value) for name, value in look.items())


def _phrase(which: str, name: str, value: Any) -> str:
    if isinstance(value, bool):
        style = "underlined" if name == "underline" else name
        return f"{which} becomes {style}" if value else f"{which} is {style} no more"
    if name == "points":
        return f"{which} becomes {abs(value):g} pt {'larger' if value > 0 else 'smaller'}"
    phrases = {"font": f"is set in {value}", "align": f"is aligned {value}"}
    if name in ("size", "factor"):
        unit = "pt" if name == "size" else "times as large"
        return f"{which} becomes {value:g} {unit}"
    return f"{which} {phrases.get(name, f'becomes {value}')}"


def _chosen(deck: OpenDeck, scope: Scope, target: Target) -> dict[int, list[Any]]:
    """The paragraphs that are meant, by the number of their slide."""
    if target.kind == "bullet":
        if scope.slides is None and deck.total > 1:
            raise EditError("say on which slide: '... on slide 2'")
        return {number: [one_bullet(deck.prs, number, only_body(deck, number), target.place or 1)]
                for number in deck.numbers(scope)}  # fmt: skip
    found = _chosen_bodies(deck, scope, target)
    return {number: [line for body in bodies for line in paragraphs(body)]
            for number, bodies in found.items()}  # fmt: skip


def _chosen_bodies(deck: OpenDeck, scope: Scope, target: Target) -> dict[int, list[Any]]:
    """The text bodies that are meant, by the number of their slide."""
    if target.kind in ROLES and target.name is None:
        where = "all" if target.kind == "text" else target.kind
        return {number: list(text_bodies(slide_at(deck.prs, number), where))
                for number in deck.numbers(scope)}  # fmt: skip
    if target.kind in TABLE_PARTS:
        tables = deck.shapes(scope, Target("table", plural=scope.slides is not None))
        return {
            number: [body for id in ids
                     for body in part_of_table(deck.prs, number, id, target.kind, target.place)]
            for number, ids in tables.items()
        }  # fmt: skip
    return {
        number: [body for id in ids for body in texts_of(find_shape(deck.prs, number, id))]
        for number, ids in deck.shapes(scope, target).items()
    }


def _expected(
    deck: OpenDeck, what: str, look: Mapping[str, Any], target: Target, touched: list[int]
) -> tuple[ExpectedChange, ...]:
    """The changes of a look; needed where any text looked otherwise before."""
    allowed = _allowed(look)
    ids = tuple(deck.id(number) for number in touched)
    before = {deck.id(number): deck.before(number) for number in touched}
    needed: tuple[int, ...] = ()
    if target.kind in ROLES and target.name is None and not look.keys() & set(_RELATIVE):
        needed = tuple(id for id, slide in before.items() if _needs(slide, target.kind, look))
        if not needed and all(before.values()):
            words = any(_runs(slide, target.kind) for slide in before.values() if slide)
            raise EditError("it is so already" if words else "it has no words")
    return (
        ExpectedChange(what, _TEXT, ids, allowed, required=False),
        *([ExpectedChange(what, _TEXT, needed, allowed)] if needed else ()),
    )


def _allowed(look: Mapping[str, Any]) -> tuple[str, ...]:
    also = [name for one in look for name in _ALSO.get(one, ())]
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
    return [
        (paragraph, run)
        for paragraph in _paragraphs(slide, role)
        for run in paragraph.runs
        if run.text.strip()
    ]


def _paragraphs(slide: SlideElements, role: str) -> Iterator[Paragraph]:
    for text in slide.texts:
        kind = text.placeholder.type if text.placeholder else ""
        own = "footer" if kind in FOOTERS else "title" if kind in TITLES else (
            "body" if kind in BODIES else "text")  # fmt: skip
        if role == own or (role == "text" and own != "footer"):
            yield from text.paragraphs
    if role == "text":
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
    elif name in ("bold", "italic"):
        held = name in font.style
    elif name == "color":
        held = font.slot if value in THEME_COLORS else font.color
    else:
        held = font.name if name == "font" else font.size
    return bool(held != value)


def normalise_texts(scope: Scope) -> Operation:
    """Let all text take the theme's fonts again."""

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope,
            lambda number: normalise_fonts(deck.prs, slides=[number]),
            f"all text on {scope.words} is in the theme's fonts already",
        )
        fonts = ("font.name", "font.east_asian", "font.complex_script", "font.symbol")
        what = "all text takes the theme's fonts"
        return (ExpectedChange(what, _TEXT, ids, fonts, required=False),)

    return Operation(f"let all text take the theme's fonts on {scope.words}", apply)


def fill_shapes(
    color: str | None, scope: Scope, target: Target, *, outline: bool = False
) -> Operation:
    """Fill shapes with a colour, or draw their outline in it; None takes it away."""
    which = f"“{target.name}”" if target.name else f"the {target.kind}"
    part = "the outline of " if outline else ""
    what = f"{part}{which} becomes {color}" if color else f"{part}{which} is without fill"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        found = deck.shapes(scope, target)
        for number, ids in found.items():
            for id in ids:
                (outline_shape if outline else fill_shape)(deck.prs, number, id, color)
        return _style_of_shapes(what, deck, found)

    return Operation(f"{what} on {scope.words}", apply)


def _style_of_shapes(
    what: str, deck: OpenDeck, found: Mapping[int, list[int]]
) -> tuple[ExpectedChange, ...]:
    slides = tuple(deck.id(number) for number in found)
    shapes = tuple(id for ids in found.values() for id in ids)
    return (ExpectedChange(what, ("style", "detail", "picture"), slides, shapes=shapes),)


def color_background(color: str | None, scope: Scope) -> Operation:
    """Give slides a plain background; None lets that of the layout show."""
    what = f"the background becomes {color}" if color else "the background of the layout shows"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        ids = deck.changed_on(
            scope,
            lambda number: set_background(deck.prs, color, slides=[number]),
            "it is so already",
        )
        return (ExpectedChange(what, ("style", "slide", "detail"), ids),)

    return Operation(f"{what} on {scope.words}", apply)
