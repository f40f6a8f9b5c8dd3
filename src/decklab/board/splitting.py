"""A slide that holds too much, as several: rows, points, steps and cards go on over slides."""

from collections.abc import Sequence
from typing import Final, TypeVar

from decklab.board.blueprint import Point, SlidePlan

T = TypeVar("T")

MOST_PARTS: Final = 12
"""Slides that one slide may become."""


def split(plan: SlidePlan, parts: int) -> list[SlidePlan]:
    """The slide in so many parts of about equal length, with their count in the titles.

    Body text is split before outermost points only, a table keeps its headings on each part, with
    the points beside it on the first, and
    the columns of a slide are split alike; no point stands out then. Returns the plan alone where
    it cannot be split so. Notes stay with the first part, so that nothing is told twice.
    """
    if parts == 1:
        return [plan]
    plan = plan if plan.key is None else plan.model_copy(update={"key": None})
    for field in ("body", "steps", "cards"):
        items = getattr(plan, field)
        if items and (field != "body" or plan.layout in ("body", "contents")):
            pieces = _pieces(
                _blocks(items) if field == "body" else [(one,) for one in items],
                parts,
                least=1 if field == "body" else 2,
            )
            return _plans(plan, _numbered_on(plan, field, pieces))
    if plan.table is not None:
        rows = _pieces([(row,) for row in plan.table.rows], parts)
        tables = [plan.table.model_copy(update={"rows": piece}) for piece in rows]
        bodies = [plan.body if not at else () for at in range(len(tables))]
        return _plans(
            plan, [{"table": one, "body": body} for one, body in zip(tables, bodies, strict=True)]
        )
    if plan.code is not None:
        lines = _pieces([(line,) for line in plan.code.lines], parts)
        codes = [plan.code.model_copy(update={"lines": piece}) for piece in lines]
        return _plans(plan, [{"code": code, "body": () if at else plan.body}
                             for at, code in enumerate(codes)])  # fmt: skip
    if plan.columns:
        return _plans(plan, _column_parts(plan, parts))
    return [plan]


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
