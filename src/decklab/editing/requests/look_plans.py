"""Plans of requests about the look of texts, and the changes to expect."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pptx.presentation import Presentation

from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.diffing.changes import Kind
from decklab.editing.finding import (
    BODIES,
    FOOTERS,
    TITLES,
    EditError,
    find_shape,
    paragraphs,
    slide_at,
    text_bodies,
    texts_of,
)
from decklab.editing.formatting import THEME_COLORS, TextFormat, style_paragraph
from decklab.editing.letter_case import set_letter_case
from decklab.editing.links import runs_of_words
from decklab.editing.lists import one_bullet, space_line, space_paragraph
from decklab.editing.phrasing import Phrase
from decklab.editing.replacing import word_pattern
from decklab.editing.requests.carrying_out import Slots, cell_of, expected, line_places
from decklab.editing.requests.operation import OpenDeck
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.things import Target
from decklab.editing.tables import part_of_table, table_of, table_texts
from decklab.editing.texts import resize_text
from decklab.editing.verification import ExpectedChange
from decklab.ooxml.xml import qn


def format_words(prs: Presentation, slide: int, words: str, look: TextFormat) -> int:
    """Give words a look wherever they stand whole on a slide; return how many runs they make."""
    pattern = word_pattern(words, whole_word=True, match_case=True)
    runs = [
        run for body in text_bodies(slide_at(prs, slide)) for run in runs_of_words(body, pattern)
    ]
    for run in runs:
        look.apply(run.get_or_add_rPr())
    return len(runs)


Expected = tuple[ExpectedChange, ...]
Operation = Callable[..., object]
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


def plan_look(
    _operation: Operation, _phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Give texts a look, also one relative to the size they have."""
    look, scope = _look_of(slots), slots.get("slides", Scope())
    target: Target = slots.get("shape", ALL_TEXT)
    wanted = TextFormat(**{name: value for name, value in look.items() if name not in _RELATIVE})
    wanted.check()
    if target.kind == "word":
        ids = deck.changed_on(
            scope,
            lambda number: format_words(deck.prs, number, target.name or "", wanted),
            f"“{target.name}” stands nowhere on {scope.words}",
        )
        return (ExpectedChange(words, _TEXT, ids, _allowed(look)),)
    chosen = chosen_lines(deck, scope, target)
    if not any(chosen.values()):
        raise EditError("there is no such text")
    for number, lines in chosen.items():
        for line in lines:
            style_paragraph(line, wanted)
        if look.keys() & set(_RELATIVE):
            resize_text(deck.prs, number, lines, points=look.get("points", 0),
                        factor=look.get("factor", 1))  # fmt: skip
    touched = [number for number, lines in chosen.items() if lines]
    return _expected(deck, words, look, target, touched)


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


def plan_case(
    _operation: Operation, _phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Write texts in another case."""
    case = slots["case"].removesuffix(" case").removesuffix("case").replace("capitals", "upper")
    lines = chosen_lines(deck, slots.get("slides", Scope()), slots["shape"])
    changed = [number for number, held in lines.items()
               if set_letter_case(held, case)]  # fmt: skip
    if not changed:
        raise EditError("it is so already, or there is no such text")
    return (ExpectedChange(words, ("text", "table"), tuple(map(deck.id, changed))),)


def plan_spacing(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Give the lines of texts another distance."""
    lines = chosen_lines(deck, slots.get("slides", Scope()), slots.get("shape", ALL_TEXT))
    changed = [number for number, held in lines.items()
               if sum(space_line(line, slots["lines"]) for line in held)]  # fmt: skip
    if not changed:
        raise EditError("it is so already, or there is no such text")
    return expected(phrase, words, tuple(map(deck.id, changed)))


def plan_space(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Leave another space before or after the paragraphs of texts."""
    lines = chosen_lines(deck, slots.get("slides", Scope()), slots.get("shape", ALL_TEXT))
    side, points = slots["side"], slots["points"]
    changed = [number for number, held in lines.items()
               if sum(space_paragraph(line, side, points) for line in held)]  # fmt: skip
    if not changed:
        raise EditError("it is so already, or there is no such text")
    return expected(phrase, words, tuple(map(deck.id, changed)))


def chosen_lines(deck: OpenDeck, scope: Scope, target: Target) -> dict[int, list[Any]]:
    """The paragraphs that a target means, by the number of their slide."""
    if target.kind == "bullet":
        return {
            number: [one_bullet(deck.prs, number, id, place)
                     for place in range(first, first + target.count)]
            for number, (id, first) in deck.bullets(scope, target).items()
        }  # fmt: skip
    bodies = _chosen_bodies(deck, scope, target)
    return {number: [line for body in held for line in paragraphs(body)]
            for number, held in bodies.items()}  # fmt: skip


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
            bodies[number] = [one for one in text_bodies(slide, where) if one not in titles]
        return bodies
    if target.kind in ("row", "column", "header", "cell"):
        tables = deck.shapes(scope, target.within or Target("table"))
        return {number: [body for id in ids for body in _table_bodies(deck, number, id, target)]
                for number, ids in tables.items()}  # fmt: skip
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
        for place in line_places(target, table_texts(deck.prs, number, id))
        for body in part_of_table(deck.prs, number, id, target.kind, place)
    ]


def _expected(
    deck: OpenDeck, words: str, look: Mapping[str, Any], target: Target, touched: list[int]
) -> Expected:
    """The changes of a look; needed where any text looked otherwise before."""
    allowed = _allowed(look)
    ids = tuple(map(deck.id, touched))
    before = {deck.id(number): deck.before(number) for number in touched}
    needed: tuple[int, ...] = ()
    if target.kind in ROLES and _is_role(target) and not look.keys() & set(_RELATIVE):
        role = "all" if target == ALL_TEXT else target.kind
        needed = tuple(id for id, slide in before.items() if _needs(slide, role, look))
        if not needed and all(before.values()):
            said = any(_runs(slide, role) for slide in before.values() if slide)
            raise EditError("it is so already" if said else "it has no words")
    return (
        ExpectedChange(words, _TEXT, ids, allowed, required=False),
        *([ExpectedChange(words, _TEXT, needed, allowed)] if needed else ()),
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
