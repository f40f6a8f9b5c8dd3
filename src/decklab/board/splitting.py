"""A slide that holds too much, as several: rows, points, steps and cards go on over slides.

A figure that holds too much, such as a cycle, becomes a layout that shows the same words plainly.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeVar

from decklab.board.blueprint import Point, SlidePlan, TablePlan
from decklab.board.library import LAYOUTS

T = TypeVar("T")

MOST_PARTS: Final = 12
"""Slides that one slide may become."""


_ALONE: Final = ("body", "actions")
"""Content of which one item may stand on a slide alone."""
_INNER: Final = {"table": "rows", "code": "lines", "schedule": "tasks"}
"""The rows of content that is more than its rows."""


def split(plan: SlidePlan, parts: int) -> list[SlidePlan]:
    """The slide in so many parts of about equal length, with their count in the titles.

    Body text is split before outermost points only, a table keeps its headings on each part, with
    the points beside it on the first, and the columns of a slide are split alike; no item stands
    out then. A chart with a table becomes a chart and tables. Returns the plan alone where it
    cannot be split so. Notes stay with the first part, so that nothing is told twice.
    """
    if parts == 1:
        return [plan]
    plan = plan if plan.key is None else plan.model_copy(update={"key": None})
    if plan.layout == "chart_table":
        return _plans(plan, _chart_and_tables(plan, parts))
    field = LAYOUTS[plan.layout].splits
    if not field:
        return [plan]
    if field == "columns":
        return _plans(plan, _column_parts(plan, parts))
    if field in _INNER:
        return _plans(plan, _row_parts(plan, field, parts))
    items = getattr(plan, field)
    blocks = _blocks(items) if field == "body" else [(item,) for item in items]
    pieces = _pieces(blocks, parts, least=1 if field in _ALONE else 2)
    return _plans(plan, _numbered_on(plan, field, pieces))


def _row_parts(plan: SlidePlan, field: str, parts: int) -> list[dict[str, object]]:
    """The rows of each part, with what stands beside them on the first."""
    held, rows = getattr(plan, field), _INNER[field]
    pieces = _pieces([(row,) for row in getattr(held, rows)], parts)
    if field == "code":
        pieces = [_without_blank_ends(piece) for piece in pieces]
    if isinstance(held, TablePlan):
        held = held.model_copy(update={"align": sides_of(held)})
    return [
        {field: held.model_copy(update={rows: piece}), "body": () if at else plan.body}
        for at, piece in enumerate(pieces)
    ]


Side = Literal["start", "center", "end", ""]


def sides_of(table: TablePlan) -> tuple[Side, ...]:
    """Where the cells of each column stand: as stated, else numbers but in the first at the end."""
    none: Side = ""
    stated = table.align or (none,) * len(table.header)
    columns = zip(*table.rows, strict=True)
    numbers: Side = "end"
    return tuple(
        align or (numbers if at and _is_numeric(column) else "start")
        for at, (align, column) in enumerate(zip(stated, columns, strict=True))
    )


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether most cells with more than a dash begin with a digit, after a sign or currency."""
    full = [cell.strip() for cell in cells if cell.strip(" -–—")]
    begin = [cell.lstrip("+-−–$€£¥≈<>~( ")[:1].isdigit() for cell in full]
    return bool(full) and sum(begin) > len(full) / 2 and max(map(len, full)) <= 16


def _without_blank_ends(lines: Sequence[T]) -> tuple[T, ...]:
    """Lines of a program without empty ones at the begin and end, unless all are empty."""
    full = [number for number, line in enumerate(lines) if str(line).strip()]
    return tuple(lines[full[0] : full[-1] + 1]) if full else tuple(lines)


def _chart_and_tables(plan: SlidePlan, parts: int) -> list[dict[str, object]]:
    alone = plan.model_copy(update={"layout": "table", "chart": None})
    tables = [alone] if parts == 2 else split(alone, parts - 1)
    changes: list[dict[str, object]] = [{"layout": "chart", "table": None}]
    changes += [{"layout": "table", "chart": None, "table": part.table} for part in tables]
    return changes if len(changes) == parts else []


def _numbered_on(
    plan: SlidePlan, field: str, pieces: Sequence[tuple[object, ...]]
) -> list[dict[str, object]]:
    """Each part of a list with the number of its first item."""
    first, changes = plan.first, []
    for piece in pieces:
        changes.append({field: piece, "first": first})
        first += sum(getattr(item, "level", 0) == 0 for item in piece)
    return changes


def _column_parts(plan: SlidePlan, parts: int) -> list[dict[str, object]]:
    """The columns of each part; none where a column has too few points."""
    if plan.layout == "problem_solution":
        pairs = zip(*(column.points for column in plan.columns), strict=True)
        rows = _pieces(list(pairs), parts)
        cut = [[row[side::2] for row in rows] for side in (0, 1)]
    else:
        cut = [_pieces(_blocks(column.points), parts) for column in plan.columns]
    if any(len(pieces) != parts for pieces in cut):
        return []
    return [
        {
            "columns": tuple(
                column.model_copy(update={"points": pieces[number]})
                for column, pieces in zip(plan.columns, cut, strict=True)
            )
        }
        for number in range(parts)
    ]


def _plans(plan: SlidePlan, changes: Sequence[dict[str, object]]) -> list[SlidePlan]:
    if len(changes) < 2:
        return [plan]
    return [
        plan.model_copy(
            update={
                **change,
                "title": f"{plan.title} ({number}/{len(changes)})",
                "notes": plan.notes if number == 1 else "",
            }
        )
        for number, change in enumerate(changes, start=1)
    ]


def _blocks(points: Sequence[Point]) -> list[tuple[Point, ...]]:
    """Outermost points, each with those below it."""
    blocks: list[tuple[Point, ...]] = []
    for point in points:
        if point.level == 0 or not blocks:
            blocks.append((point,))
        else:
            blocks[-1] += (point,)
    return blocks


def _pieces(blocks: Sequence[tuple[T, ...]], parts: int, least: int = 1) -> list[tuple[T, ...]]:
    """Blocks in their order in parts of about equal length, each of at least so many items.

    >>> _pieces([("a",), ("bb",), ("c",), ("dd",)], 2)
    [('a', 'bb'), ('c', 'dd')]
    """
    if len(blocks) < parts * least:
        return []
    weights = [sum(len(str(item)) for item in block) for block in blocks]
    pieces: list[tuple[T, ...]] = []
    start, spent = 0, 0.0
    for part in range(parts):
        rest = parts - part - 1
        goal = (sum(weights) - spent) / (rest + 1)
        end, used = start + least, float(sum(weights[start : start + least]))
        while end < len(blocks) - rest * least and used + weights[end] / 2 <= goal:
            used += weights[end]
            end += 1
        end = len(blocks) if not rest else end
        pieces.append(tuple(item for block in blocks[start:end] for item in block))
        start, spent = end, spent + used
    return pieces


def plainer(plan: SlidePlan) -> SlidePlan:
    """The words of a slide in the layout that shows them if its own does not hold them.

    Returns the plan itself if its layout has no such layout.
    """
    name = LAYOUTS[plan.layout].plainer
    if name is None:
        return plan
    return plan.model_copy(update={"layout": name, "key": None, **_plain_words(plan)})


def _plain_words(plan: SlidePlan) -> dict[str, object]:
    """The content of a slide as its plainer layout has it, as far as that differs."""
    match plan.layout:
        case "call_to_action":
            last = [(plan.byline, 0)] if plan.byline else []
            return {"body": (*plan.body, *_points(last)), "byline": None}
        case "options":
            return {"body": _points(_option_words(plan)), "options": ()}
        case "swimlanes":
            words = [
                (text, level) for lane in plan.lanes
                for text, level in ((lane.name, 0), *((step.text, 1) for step in lane.steps))
            ]  # fmt: skip
            return {"body": _points(words), "lanes": ()}
        case "two_by_two":
            axes = (plan.axes.up, plan.axes.across) if plan.axes else ()
            return {"subtitle": ", ".join(filter(None, (plan.subtitle, *axes))) or None,
                    "axes": None}  # fmt: skip
        case "flowchart":
            return {"body": _points(_flow_words(plan)), "flow": None}
        case "pyramid":
            return {"cards": plan.steps, "steps": ()}
        case "picture_labels":
            words = [(f"{it.label}: {it.text}" if it.text else it.label, 0) for it in plan.labels]
            return {"body": _points(words), "labels": ()}
        case "code_remarks":
            words = [(f"{remark.line}: {remark.text}", 0) for remark in plan.remarks]
            return {"body": _points(words), "remarks": ()}
    return {}


def _flow_words(plan: SlidePlan) -> list[tuple[str, int]]:
    assert plan.flow is not None, "a flowchart has steps"
    nodes = plan.flow.nodes
    return [
        (f"{nodes[link.first].text} → {nodes[link.second].text}"
         + (f" ({link.label})" if link.label else ""), 0)
        for link in plan.flow.links
    ]  # fmt: skip


def _option_words(plan: SlidePlan) -> list[tuple[str, int]]:
    words = []
    for option in plan.options:
        name = f"{option.name} ✓" if option.recommended else option.name
        words.append((f"{name}: {option.text}" if option.text else name, 0))
        words += [(f"+ {text}", 1) for text in option.pros]
        words += [(f"– {text}", 1) for text in option.cons]
    return words


def _points(words: Iterable[tuple[str, int]]) -> tuple[Point, ...]:
    return tuple(Point(text=text, level=level) for text, level in words)
