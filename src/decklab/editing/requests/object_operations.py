"""Operations on pictures, boxes, tables and charts."""

from collections.abc import Callable, Sequence

from decklab.diffing.changes import Kind
from decklab.editing.chart_values import has_chart_title, rename_in_chart, set_chart_value
from decklab.editing.charts import set_chart_title, set_chart_type
from decklab.editing.finding import EditError
from decklab.editing.frames import frame_of
from decklab.editing.placing import delete_shape, place_shape
from decklab.editing.requests.operation import OpenDeck, Operation
from decklab.editing.requests.phrases import StatedLength, Target
from decklab.editing.requests.slide_names import Scope
from decklab.editing.requests.text_operations import ONE_LOOK
from decklab.editing.tables import add_column, add_row, delete_column, delete_row, table_texts
from decklab.editing.texts import set_cell
from decklab.editing.verification import ExpectedChange

_SHAPES: tuple[Kind, ...] = ("removed", "animation", "link", "media", "detail")


def delete_shapes(scope: Scope, target: Target) -> Operation:
    """Take shapes off slides."""
    what = f"delete {_which(target)}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        found = deck.shapes(scope, target)
        for number, ids in found.items():
            for id in ids:
                delete_shape(deck.prs, number, id)
        slides = tuple(deck.id(number) for number in found)
        return (
            ExpectedChange(what, ("removed",), slides),
            ExpectedChange("what hung on it goes", _SHAPES, slides, required=False),
        )

    return Operation(f"{what} on {scope.words}", apply)


def _which(target: Target) -> str:
    if target.name:
        return f"“{target.name}”"
    plural = f"{target.kind}es" if target.kind.endswith("x") else f"{target.kind}s"
    return f"all {plural}" if target.plural else f"the {target.kind}"


def resize_shapes(
    scope: Scope, target: Target, measures: Sequence[StatedLength], factor: float | None
) -> Operation:
    """Size shapes by a factor, or to lengths; a picture keeps its form if one is said."""
    what = f"size {_which(target)}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int, id: int) -> bool:
            _left, _top, width, height = frame_of(deck.prs, number, id)
            if factor is not None:
                return place_shape(
                    deck.prs, number, id, width=width * factor, height=height * factor
                )
            sides = {one.axis: one.length for one in measures}
            if target.kind == "picture" and len(sides) == 1:
                share = sides.get("width", 0) / width or sides.get("height", 0) / height
                sides = {"width": width * share, "height": height * share}
            return place_shape(deck.prs, number, id, **sides)

        return _placed(deck, scope, target, change, what)

    return Operation(f"{what} on {scope.words}", apply)


def shift_shapes(scope: Scope, target: Target, right: float, down: float) -> Operation:
    """Move shapes by lengths in EMU."""
    what = f"move {_which(target)}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        def change(number: int, id: int) -> bool:
            left, top, _width, _height = frame_of(deck.prs, number, id)
            return place_shape(deck.prs, number, id, left=left + right, top=top + down)

        return _placed(deck, scope, target, change, what)

    return Operation(f"{what} on {scope.words}", apply)


def place_shapes(scope: Scope, target: Target, edges: Sequence[str]) -> Operation:
    """Move shapes to edges of the slide: ``left``, ``top``; ``center`` and ``middle`` of it."""
    what = f"move {_which(target)} to the {' '.join(edges)}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        across, down = int(deck.prs.slide_width or 0), int(deck.prs.slide_height or 0)

        def change(number: int, id: int) -> bool:
            _left, _top, width, height = frame_of(deck.prs, number, id)
            lefts = {"left": 0, "right": across - width, "center": (across - width) / 2}
            tops = {"top": 0, "bottom": down - height, "middle": (down - height) / 2}
            left = next((lefts[edge] for edge in edges if edge in lefts), None)
            top = next((tops[edge] for edge in edges if edge in tops), None)
            return place_shape(deck.prs, number, id, left=left, top=top)

        return _placed(deck, scope, target, change, what)

    return Operation(f"{what} on {scope.words}", apply)


def _placed(
    deck: OpenDeck, scope: Scope, target: Target, change: Callable[[int, int], bool], what: str
) -> tuple[ExpectedChange, ...]:
    found = deck.shapes(scope, target)
    changed = [(number, id) for number, ids in found.items() for id in ids if change(number, id)]
    if not changed:
        raise EditError("it is so already")
    slides = tuple(dict.fromkeys(deck.id(number) for number, _id in changed))
    shapes = tuple(id for _number, id in changed)
    return (
        ExpectedChange(what, ("geometry",), slides, shapes=shapes),
        ExpectedChange(
            "what is in it follows",
            ("geometry", "table", "style"),
            slides,
            shapes=shapes,
            required=False,
        ),
    )


def write_cell(text: str, scope: Scope, row: Target, column: Target) -> Operation:
    """Give a cell of the only table a new text; rows and columns by number or by their heading."""
    what = f"row {row.name or row.place}, column {column.name or column.place} reads “{text}”"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number, id = _only(deck, scope, "table")
        texts = table_texts(deck.prs, number, id)
        at_row, at_column = place_of(row, texts, "row"), place_of(column, texts, "column")
        set_cell(deck.prs, number, at_row, at_column, text, shape=id)
        slides = (deck.id(number),)
        return (
            ExpectedChange(what, ("table",), slides, ("cell text",)),
            ExpectedChange(ONE_LOOK, ("table",), slides, ("font",), required=False),
        )

    return Operation(f"{what} on {scope.words}", apply)


def place_of(target: Target, texts: Sequence[Sequence[str]], part: str) -> int:
    """The number of a row or column from its place, or from the text in its heading cell."""
    headings = [row[0] for row in texts] if part == "row" else list(texts[0])
    if target.name is not None:
        named = [heading.strip().casefold() for heading in headings]
        wanted = target.name.strip().casefold()
        if named.count(wanted) != 1:
            names = ", ".join(f"“{heading}”" for heading in headings)
            raise EditError(f"the table has no {part} “{target.name}”, or several; it has {names}")
        return named.index(wanted) + 1
    if target.place is None:
        raise EditError(f"say which {part}: its number or its heading in quotes")
    return target.place if target.place > 0 else len(headings) + 1 + target.place


def _only(deck: OpenDeck, scope: Scope, kind: str) -> tuple[int, int]:
    """The slide and id of the only shape of a kind."""
    found = deck.shapes(scope, Target(kind))
    if len(found) > 1:
        raise EditError(f"several slides have a {kind}; name one")
    return next((number, ids[0]) for number, ids in found.items())


def add_to_table(
    part: str, texts: Sequence[str], scope: Scope, beside: tuple[str, Target] | None
) -> Operation:
    """Add a row or column at the end, or ``before`` or ``after`` another."""
    what = f"add a {part}" + (f" with “{'”, “'.join(texts)}”" if texts else "")

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number, id = _only(deck, scope, "table")
        after = None
        if beside is not None:
            held = table_texts(deck.prs, number, id)
            after = place_of(beside[1], held, part) - (beside[0] == "before")
        (add_row if part == "row" else add_column)(deck.prs, number, texts, after=after, shape=id)
        return _of_table(what, deck.id(number))

    return Operation(f"{what} on {scope.words}", apply)


def delete_from_table(part: str, scope: Scope, target: Target) -> Operation:
    """Take rows or columns out of the only table."""
    which = f"“{target.name}”" if target.name else str(target.place)
    what = f"delete {part} {which}"

    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number, id = _only(deck, scope, "table")
        place = place_of(target, table_texts(deck.prs, number, id), part)
        first = place - target.count + 1 if (target.place or 0) < 0 else place
        for _one in range(target.count):
            (delete_row if part == "row" else delete_column)(deck.prs, number, first, shape=id)
        return _of_table(what, deck.id(number))

    return Operation(f"{what} on {scope.words}", apply)


def _of_table(what: str, slide: int) -> tuple[ExpectedChange, ...]:
    return (
        ExpectedChange(what, ("table",), (slide,)),
        ExpectedChange(
            "its frame follows", ("style",), (slide,), ("height", "width"), required=False
        ),
    )


def draw_chart_as(kind: str, scope: Scope) -> Operation:
    """Draw the only chart's data another way."""
    return _of_chart(
        f"the chart becomes a {kind} chart", scope,
        lambda deck, number, id: set_chart_type(deck.prs, number, kind, shape=id),
    )  # fmt: skip


def title_chart(text: str | None, scope: Scope) -> Operation:
    """Give the only chart a title; None takes it away."""

    def change(deck: OpenDeck, number: int, id: int) -> None:
        if text is None and not has_chart_title(deck.prs, number, shape=id):
            raise EditError("the chart has no title")
        set_chart_title(deck.prs, number, text, shape=id)

    what = f"the chart's title reads “{text}”" if text else "the chart's title goes"
    return _of_chart(what, scope, change)


def write_chart_value(said: str, value: float, scope: Scope) -> Operation:
    """Give one point of the only chart a value; ``said`` holds the names of what is meant."""
    return _of_chart(
        f"{said} becomes {value:g} in the chart", scope,
        lambda deck, number, id: set_chart_value(deck.prs, number, said, value, shape=id),
    )  # fmt: skip


def rename_chart_name(old: str, new: str, scope: Scope) -> Operation:
    """Rename a category or a series of the only chart."""
    return _of_chart(
        f"“{old}” in the chart becomes “{new}”", scope,
        lambda deck, number, id: rename_in_chart(deck.prs, number, old, new, shape=id),
    )  # fmt: skip


def _of_chart(what: str, scope: Scope, change: Callable[[OpenDeck, int, int], None]) -> Operation:
    def apply(deck: OpenDeck) -> tuple[ExpectedChange, ...]:
        number, id = _only(deck, scope, "chart")
        change(deck, number, id)
        slide = deck.id(number)
        return (
            ExpectedChange(what, ("chart",), (slide,)),
            ExpectedChange(
                "its workbook follows", ("detail", "other"), (slide, None), required=False
            ),
        )

    return Operation(f"{what} on {scope.words}", apply)
