"""Plans of requests about shapes, pictures, tables and charts, and the changes to expect."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editing.arranging import follow_with_connectors, rotation_of, set_geometry
from decklab.editing.charts import add_chart, number_format_of, point_value
from decklab.editing.finding import FOOTERS, EditError, find_shape, placeholder_type, shapes
from decklab.editing.new_shapes import add_picture, add_text_box
from decklab.editing.placing import PxBox, frame_of, free_box, place_shape
from decklab.editing.plan import ExpectedChange
from decklab.editing.requests.carrying_out import (
    SO_ALREADY,
    Expected,
    OpenDeck,
    PlainRequest,
    Slots,
    carry_out,
    cell_of,
    changed_shapes,
    line_place,
    line_places,
    new_number,
)
from decklab.editing.requests.templates import plain
from decklab.editing.requests.things import Spot, Target
from decklab.editing.requests.values import NewBox
from decklab.editing.slides import add_slide
from decklab.editing.tables import add_row, add_table, has_total, table_of, table_texts
from decklab.ooxml.xml import qn

Operation = Callable[..., object]
_MOST_CELLS = 400


def plan_new_thing(request: PlainRequest) -> Expected:
    """Add something in its box, or in the largest free room of the slide if none is said."""
    deck = request.deck
    numbers = deck.numbers(request.slides())
    for number in numbers:
        _add_thing(request.operation, request.slots, deck, number)
    return request.expected(tuple(map(deck.id, numbers)))


def _add_thing(operation: Operation, slots: Slots, deck: OpenDeck, number: int) -> None:
    given = {name: value for name, value in slots.items() if name not in ("slides", "box")}
    if "picture" in given:
        given["picture"] = deck.read_file(given["picture"])
    if "named" in given:
        named = dict(given.pop("named"))
        title = given.get("title")
        given |= {"categories": list(named), "series": {title or "Values": list(named.values())}}
    if "row_count" in given or "texts" in given:
        given = {"rows": _empty_rows(given)}
    box = _box(slots.get("box"), operation) or free_box(deck.prs, number)
    operation(deck.prs, number, box, **given)


_THINGS: tuple[tuple[str, Operation], ...] = (
    ("named", add_chart), ("row_count", add_table), ("texts", add_table),
    ("text", add_text_box), ("picture", add_picture),
)  # fmt: skip
"""Contents that a new slide may hold, by the slot that names them."""


def plan_new_slide(request: PlainRequest) -> Expected:
    """Add a slide at a place, also one with something on it."""
    slots, deck = request.slots, request.deck
    at = new_number(deck, slots.get("place"))
    add = next((operation for name, operation in _THINGS if name in slots), None)
    layout = slots.get("layout")
    if add is not None:
        layout = _layout_for_one_thing(deck)
    number = add_slide(deck.prs, at, title=slots.get("title", ""), layout=layout)
    if add is not None:
        held = {name: value for name, value in slots.items() if name not in ("title", "place")}
        _add_thing(add, held, deck, number)
    return request.expected((deck.id(number),))


def _layout_for_one_thing(deck: OpenDeck) -> str:
    """The first layout with a title and no other place for content."""
    for layout in deck.prs.slide_layouts:
        roles = [placeholder_type(shape) for shape in shapes(layout)]
        held = {role for role in roles if role is not None and role not in FOOTERS}
        if held == {"title"}:
            return str(layout.name)
    raise EditError("the deck has no layout with a title only; add a slide, then what is on it")


_SIZES = {"add_text_box": (260, 50), "add_picture": (180, 120), "add_shape": (180, 80)}
_LARGE = (400, 220)
_EDGE = 24
"""Pixels of the frame: of what is put into a corner, and what stays free around it. Ours."""


def _box(box: NewBox | None, operation: Operation) -> PxBox | None:
    """The frame of something new; None if none is said."""
    if box is None or box.frame is not None:
        return None if box is None else box.frame
    width, height = _SIZES.get(operation.__name__, _LARGE)
    lefts = {"left": _EDGE, "right": FRAME_WIDTH - _EDGE - width}
    down, _blank, across = box.corner.partition(" ")
    top = _EDGE if down == "top" else FRAME_HEIGHT - _EDGE - height
    return (lefts.get(across, (FRAME_WIDTH - width) / 2), top, width, height)


def _empty_rows(given: dict[str, Any]) -> list[list[str]]:
    headings = list(given.get("texts", ()))
    columns = given.get("column_count", len(headings))
    rows = given.get("row_count", 1) + bool(headings)
    if not (rows and columns) or rows * columns > _MOST_CELLS:
        raise EditError(f"a table has 1 to {_MOST_CELLS} cells")
    return [headings or [""] * columns, *([""] * columns for _row in range(rows - 1))]


def plan_new_picture(request: PlainRequest) -> Expected:
    """Show another picture in the frame of one."""
    slots, deck = request.slots, request.deck
    given = {**slots, "picture": deck.read_file(slots["picture"])}
    return carry_out(replace(request, slots=given))


def plan_geometry(request: PlainRequest) -> Expected:
    """Move or size shapes by lengths in EMU, or by factors; a picture keeps its proportions."""
    slots, deck = request.slots, request.deck

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
            sides = {"width": slots.get("wide", factor and width * factor)}
            sides["height"] = slots.get("high", factor and height * factor)
            is_picture = find_shape(deck.prs, number, id).tag == qn("p:pic")
            if is_picture and factor is None and len({"wide", "high"} & slots.keys()) == 1:
                share = slots["wide"] / width if "wide" in slots else slots["high"] / height
                sides = {"width": width * share, "height": height * share}
        changed = place_shape(deck.prs, number, id, **sides)
        follow_with_connectors(deck.prs, number, id)
        return changed

    return _placed(request, change)


def _factor(slots: Slots) -> float | None:
    if "percent" in slots:
        factor = 1 + (slots["percent"] if slots["sign"] == "bigger" else -slots["percent"])
        if factor <= 0:
            raise EditError("a shape cannot become smaller than nothing")
        return float(factor)
    if "multiple" in slots:
        return 2.0 if slots["multiple"] == "twice" else 0.5
    factor = slots.get("times", slots.get("scale"))
    return None if factor is None else float(factor)


def plan_edge(request: PlainRequest) -> Expected:
    """Move shapes to edges of the slide, or line several up among themselves."""
    slots, deck = request.slots, request.deck
    if "shapes" in slots:
        return carry_out(request)
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

    return _placed(request, change)


def _placed(request: PlainRequest, change: Callable[[int, int], bool]) -> Expected:
    shapes = request.deck.shapes(request.scope, request.slots["shape"])
    moved = changed_shapes(request, shapes, change)
    slides = moved[0].slides
    return (*moved, ExpectedChange("connectors follow", ("geometry",), slides, required=False))


def plan_line(request: PlainRequest) -> Expected:
    """Add a row or column to a table beside another, or take one or several out."""
    slots, deck = request.slots, request.deck
    tables = request.shapes()
    if len(tables) > 1:
        raise EditError("several slides have such a table; name one")
    number, id = next((number, ids[0]) for number, ids in tables.items())
    texts = table_texts(deck.prs, number, id)
    line: Target | None = slots.get("row") or slots.get("column")
    if line is not None:
        for at in reversed(line_places(line, texts)):
            request.operation(deck.prs, number, at, shape=id)
    else:
        texts_of_line = [*filter(None, [slots.get("label")]), *slots.get("texts", ())]
        after = _after(slots.get("spot"), texts, request.phrase.templates[0].split()[2])
        if "spot" not in slots and request.operation is add_row and has_total(deck.prs, number, id):
            after = len(texts) - 1
        request.operation(deck.prs, number, texts_of_line, after=after, shape=id)
    return request.expected((deck.id(number),), (id,))


def _after(spot: Spot | None, texts: Sequence[Sequence[str]], kind: str) -> int | None:
    """Behind which row or column a new one comes; None for the last."""
    if spot is None or spot.beside is None:
        return 0 if spot is not None and spot.side == "start" else None
    if not kind.startswith(spot.beside.kind):
        raise EditError(f"{spot.beside.words} is no place for a {kind.rstrip('s')}")
    return line_place(spot.beside, texts) - (spot.side == "before")


def plan_merge(request: PlainRequest) -> Expected:
    """Make the cells from one to another one cell."""
    slots, deck = request.slots, request.deck
    row: Target | None = slots.get("row")
    if row is None:
        first, last = slots["first"], slots["last"]
    else:
        ends = (Target("column", place=at) for at in (1, slots["count"]))
        first, last = (replace(row, kind="cell", column=column) for column in ends)
    tables = request.shapes()
    shapes = []
    for number, ids in tables.items():
        corners = [cell_of(deck, number, ids[0], cell) for cell in (first, last)]
        request.operation(deck.prs, number, corners[0], corners[1], shape=ids[0])
        shapes.append(ids[0])
    return request.expected(tuple(map(deck.id, tables)), shapes)


def plan_cell(request: PlainRequest) -> Expected:
    """Give a cell a text, or a row or column another heading; the request may name the old one."""
    slots, deck = request.slots, request.deck
    given = dict(slots)
    line: Target | None = given.pop("lines", None)
    if line is not None and line.kind == "column":
        given["cell"] = Target("cell", place=1, column=line, within=line.within)
    elif line is not None:
        given["cell"] = replace(line, kind="cell", column=Target("column", place=1))
    was = given.pop("was", None)
    for number, ids in replace(request, slots=given).shapes().items() if was is not None else ():
        row, column = cell_of(deck, number, ids[0], given["cell"])
        held = table_texts(deck.prs, number, ids[0])[row - 1][column - 1]
        if plain(held) != plain(was):
            raise EditError(f"{given['cell'].words} is “{held}”, not “{was}”")
    return carry_out(replace(request, slots=given))


def plan_point(request: PlainRequest) -> Expected:
    """Give a point of a chart a value; shares are said in percent."""
    slots, deck = request.slots, request.deck
    given = dict(slots)
    point, was, share = given["point"], given.pop("was", None), given.pop("share", None)
    for number, ids in request.shapes().items():
        is_share = "%" in number_format_of(deck.prs, number, ids[0])
        if is_share != (share is not None):
            held = "has shares; say the value in percent" if is_share else "has no shares"
            raise EditError(f"the chart on slide {number} {held}")
        if (
            was is not None
            and point_value(deck.prs, number, (point.category, point.series), shape=ids[0]) != was
        ):
            raise EditError(f"“{point.category}” is not {was:g}")
    if share is not None:
        given["value"] = share
    return carry_out(replace(request, slots=given))


def plan_moved_line(request: PlainRequest) -> Expected:
    """Move a row or column of a table beside another one, to an end, or by one place."""
    slots, deck = request.slots, request.deck
    kind = "row" if "row" in slots else "column"
    line: Target = slots[kind]
    tables = request.shapes()
    for number, ids in tables.items():
        texts = table_texts(deck.prs, number, ids[0])
        count = len(texts if kind == "row" else texts[0])
        old = line_place(line, texts)
        if "other" in slots:
            old, new = sorted((old, line_place(slots["other"], texts)))
            if new > old + 1:
                request.operation(deck.prs, number, old, new - 1, shape=ids[0])
                old, new = new, old
        elif "way" in slots:
            new = old + (1 if slots["way"] in ("down", "right") else -1)
        else:
            after = _after(slots["spot"], texts, kind)
            new = count if after is None else after + (after < old)
        several = line.count > 1 or line.plural
        if several or not request.operation(deck.prs, number, old, new, shape=ids[0]):
            raise EditError("it is so already, or more than one is meant")
    ids_of = [ids[0] for ids in tables.values()]
    return request.expected(tuple(map(deck.id, tables)), ids_of)


def plan_line_size(request: PlainRequest) -> Expected:
    """Give a row its height, or a column its width, also by how much it grows."""
    slots, deck = request.slots, request.deck
    kind = "row" if request.operation.__name__ == "set_row_height" else "column"
    line: Target = slots.get(kind, Target(kind, plural=True))
    tables = request.shapes()
    for number, ids in tables.items():
        table = table_of(deck.prs, number, ids[0])
        for at in line_places(line, table_texts(deck.prs, number, ids[0])):
            if (size := slots.get("width", slots.get("height"))) is None:
                grid = table.find(qn("a:tblGrid"))
                items = table.findall(qn("a:tr")) if kind == "row" else list(grid)
                grows = slots["sign"] in ("wider", "taller")
                held = int(items[at - 1].get("h" if kind == "row" else "w") or 0)
                size = held + (slots["by"] if grows else -slots["by"])
            request.operation(deck.prs, number, at, size, shape=ids[0])
    ids_of = [ids[0] for ids in tables.values()]
    return request.expected(tuple(map(deck.id, tables)), ids_of)


def plan_cells(request: PlainRequest) -> Expected:
    """Fill a cell, a row, a column or the header of a table."""
    slots, deck = request.slots, request.deck
    held: Target = slots["cells"]
    color = slots.get("color", request.phrase.fixed.get("color"))
    tables = request.shapes()
    for number, ids in tables.items():
        cells = _cells_of(deck, number, ids[0], held)
        if not request.operation(deck.prs, number, cells, color, shape=ids[0]):
            raise EditError(SO_ALREADY)
    ids_of = [ids[0] for ids in tables.values()]
    return request.expected(tuple(map(deck.id, tables)), ids_of)


def _cells_of(deck: OpenDeck, number: int, id: int, held: Target) -> list[tuple[int, int]]:
    """The places of the cells that a request names, (row, column) from 1."""
    texts = table_texts(deck.prs, number, id)
    if held.kind == "cell":
        return [cell_of(deck, number, id, held)]
    lines = [1] if held.kind == "header" else line_places(held, texts)
    if held.kind == "column":
        return [(row, column) for row in range(1, len(texts) + 1) for column in lines]
    return [(row, column) for row in lines for column in range(1, len(texts[0]) + 1)]
