"""What requests about shapes, pictures, tables and charts do, and which changes to expect."""

from collections.abc import Callable
from typing import Any

from decklab.editing.arranging import rotation_of, set_geometry
from decklab.editing.connectors import follow_with_connectors
from decklab.editing.finding import EditError, find_shape
from decklab.editing.frames import frame_of
from decklab.editing.phrasing import Phrase
from decklab.editing.placing import place_shape
from decklab.editing.requests.carrying_out import (
    Slots,
    carry_out,
    check_slide_is_named,
    expected,
    line_place,
)
from decklab.editing.requests.operation import OpenDeck
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.things import Target
from decklab.editing.room import free_box
from decklab.editing.tables import table_texts
from decklab.editing.verification import ExpectedChange
from decklab.ooxml.xml import qn

Expected = tuple[ExpectedChange, ...]
Operation = Callable[..., object]
_MOST_CELLS = 400


def plan_new_thing(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Add something in its box, or in the largest free room of the slide where none is said."""
    scope: Scope = slots.get("slides", Scope())
    check_slide_is_named(phrase, scope, deck)
    given = {name: value for name, value in slots.items() if name not in ("slides", "box")}
    if "picture" in given:
        given["picture"] = deck.read_file(given["picture"])
    if "named" in given:
        named = dict(given.pop("named"))
        title = given.get("title")
        given |= {"categories": list(named), "series": {title or "Values": list(named.values())}}
    if "row_count" in given or "texts" in given:
        given = {"rows": _empty_rows(given)}
    for number in deck.numbers(scope):
        box = slots["box"].frame if "box" in slots else free_box(deck.prs, number)
        operation(deck.prs, number, box, **given)
    return expected(phrase, words, tuple(map(deck.id, deck.numbers(scope))))


def _empty_rows(given: dict[str, Any]) -> list[list[str]]:
    headings = list(given.get("texts", ()))
    columns = given.get("column_count", len(headings))
    rows = given.get("row_count", 1) + bool(headings)
    if not (rows and columns) or rows * columns > _MOST_CELLS:
        raise EditError(f"a table has 1 to {_MOST_CELLS} cells")
    return [headings or [""] * columns, *([""] * columns for _row in range(rows - 1))]


def plan_new_picture(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Show another picture in the frame of one."""
    given = {**slots, "picture": deck.read_file(slots["picture"])}
    return carry_out(operation, phrase, words, given, deck)


def plan_geometry(
    _operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Move or size shapes by lengths in EMU, or by factors; a picture keeps its proportions."""

    def change(number: int, id: int) -> bool:
        left, top, width, height = frame_of(deck.prs, number, id)
        if "turn" in slots:
            held = rotation_of(deck.prs, number, id)
            return set_geometry(deck.prs, number, id, rotation=held + slots["turn"])
        if "way" in slots:
            across, down = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[
                slots["way"]
            ]
            sides = {"left": left + across * slots["by"], "top": top + down * slots["by"]}
        else:
            factor = _factor(slots)
            sides = {"width": slots.get("wide", factor and width * factor),
                     "height": slots.get("high", factor and height * factor)}  # fmt: skip
            is_picture = find_shape(deck.prs, number, id).tag == qn("p:pic")
            if is_picture and factor is None and len({"wide", "high"} & slots.keys()) == 1:
                share = slots["wide"] / width if "wide" in slots else slots["high"] / height
                sides = {"width": width * share, "height": height * share}
        changed = place_shape(deck.prs, number, id, **sides)
        follow_with_connectors(deck.prs, number, id)
        return changed

    return _placed(deck, phrase, words, slots, change)


def _factor(slots: Slots) -> float | None:
    if "percent" in slots:
        factor = 1 + (slots["percent"] if slots["sign"] == "bigger" else -slots["percent"])
        if factor <= 0:
            raise EditError("a shape cannot become smaller than nothing")
        return float(factor)
    if "multiple" in slots:
        return 2.0 if slots["multiple"] == "twice" else 0.5
    return slots.get("times")


def plan_edge(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Move shapes to edges of the slide, or line several up among themselves."""
    if "shapes" in slots:
        return carry_out(operation, phrase, words, slots, deck)
    across, down = int(deck.prs.slide_width or 0), int(deck.prs.slide_height or 0)
    edges = [slots[name] for name in ("edge", "across") if name in slots]
    edges = [{"horizontally": "center", "vertically": "middle"}.get(edge, edge) for edge in edges]
    edges = edges or ["center", "middle"]

    def change(number: int, id: int) -> bool:
        _left, _top, width, height = frame_of(deck.prs, number, id)
        lefts = {"left": 0, "right": across - width, "center": (across - width) / 2}
        tops = {"top": 0, "bottom": down - height, "middle": (down - height) / 2}
        left = next((lefts[edge] for edge in edges if edge in lefts), None)
        top = next((tops[edge] for edge in edges if edge in tops), None)
        changed = place_shape(deck.prs, number, id, left=left, top=top)
        follow_with_connectors(deck.prs, number, id)
        return changed

    return _placed(deck, phrase, words, slots, change)


def _placed(
    deck: OpenDeck, phrase: Phrase, words: str, slots: Slots, change: Callable[[int, int], bool]
) -> Expected:
    shapes = deck.shapes(slots.get("slides", Scope()), slots["shape"])
    changed = [(number, id) for number, ids in shapes.items() for id in ids if change(number, id)]
    if not changed:
        raise EditError("it is so already")
    slides = tuple(dict.fromkeys(deck.id(number) for number, _id in changed))
    connectors = ExpectedChange("connectors follow", ("geometry",), slides, required=False)
    return (*expected(phrase, words, slides, [id for _number, id in changed]), connectors)


def plan_line(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Add a row or column to a table beside another, or take one or several out."""
    scope: Scope = slots.get("slides", Scope())
    tables = deck.shapes(scope, slots.get("table") or Target("table"))
    if len(tables) > 1:
        raise EditError("several slides have such a table; name one")
    number, id = next((number, ids[0]) for number, ids in tables.items())
    texts = table_texts(deck.prs, number, id)
    line: Target | None = slots.get("row") or slots.get("column")
    if line is not None:
        place = line_place(line, texts)
        first = place - line.count + 1 if (line.place or 0) < 0 else place
        if not 1 <= first <= first + line.count - 1 <= len(texts if line.kind == "row"
                                                           else texts[0]):  # fmt: skip
            raise EditError(f"the table has no {line.count} {line.kind}s there")
        for _time in range(line.count):
            operation(deck.prs, number, first, shape=id)
    else:
        after: int | None = 0 if slots.get("end") == "start" else None
        if "beside" in slots:
            after = line_place(slots["beside"], texts) - (slots["side"] in ("before", "above"))
        operation(deck.prs, number, list(slots.get("texts", ())), after=after, shape=id)
    return expected(phrase, words, (deck.id(number),), (id,))


def plan_merge(
    operation: Operation, phrase: Phrase, words: str, slots: Slots, deck: OpenDeck
) -> Expected:
    """Make the cells from one to another one cell."""
    first, last = slots["first"], slots["last"]
    target = slots.get("table") or last.table or first.table or Target("table")
    tables = deck.shapes(slots.get("slides", Scope()), target)
    shapes = []
    for number, ids in tables.items():
        texts = table_texts(deck.prs, number, ids[0])
        corners = [
            (line_place(Target("row", place=cell.place, name=cell.name), texts),
             line_place(cell.column, texts))
            for cell in (first, last)
        ]  # fmt: skip
        operation(deck.prs, number, corners[0], corners[1], shape=ids[0])
        shapes.append(ids[0])
    return expected(phrase, words, tuple(map(deck.id, tables)), shapes)
