"""A page in the layout that a model chose: what each layout takes of its points, and its slide."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from decklab.board.blueprint import (
    BigNumber,
    Column,
    LayoutName,
    Point,
    Quote,
    SlidePlan,
    Step,
    layout_fields,
)
from decklab.writer.outline import OutlinePage, OutlinePoint

_USES: Final[dict[LayoutName, str]] = {
    "body": "points below each other, at most six; level 1 stands below the point before it",
    "two_columns": "two lists side by side, in group the heading of each",
    "three_columns": "three lists side by side, in group the heading of each",
    "comparison": "two sides against each other, in group the name of each",
    "cards": "two to six parts of one rank; label is the name of each, text what it means",
    "process": "steps in order, label is the name of each",
    "timeline": "dates in order, label is the date",
    "big_numbers": "one to four numbers that are the message; label is the number with its unit, "
                   "text says in a few words what it counts",
    "quote": "one sentence that somebody said; text is copied letter by letter, "
             "label is who said it",
    "chart": "the page's table as a chart alone, no points; what it says is the title",
    "chart_takeaways": "the page's table as a chart, with one to three points beside it",
    "table": "the page's table, with up to three points below it",
    "picture_left": "the page's figure left of its points",
    "picture_right": "the page's figure right of its points",
    "picture_full": "the page's figure alone, no points",
}  # fmt: skip
"""For each layout that a model may choose, when and how."""
VISUAL_FIELDS: Final = ("picture", "chart", "table")


def layout_lines(shown: Collection[str]) -> str:
    """The layouts that a page may have, a line each; ``shown`` are the fields of ``VISUAL_FIELDS``
    of which it shows one, empty for a page of words.

    >>> layout_lines(["table"])
    "table: the page's table, with up to three points below it"
    """
    lines = []
    for name, use in _USES.items():
        needed, _also = layout_fields(name)
        if needed in shown if shown else needed not in VISUAL_FIELDS:
            lines.append(f"{name}: {use}")
    return "\n".join(lines)


def slide_in_layout(
    page: OutlinePage, layout: LayoutName, common: dict[str, Any], shown: dict[str, Any]
) -> SlidePlan:
    """The slide of a page in a layout; ``shown`` is its picture, chart or table as a plan has it.

    Raises ValidationError where the layout does not show what the page has.
    """
    needed, also = layout_fields(layout)
    fields: dict[str, Any] = {**common, **shown, "layout": layout}
    if "subtitle" in (needed, *also) and page.subtitle.strip():
        fields["subtitle"] = page.subtitle.strip()
    listed = next((name for name in (needed, *also) if name in _MADE), None)
    if page.points:
        fields[listed or "body"] = _MADE[listed or "body"](page.points)
    if page.accent:
        fields["key"] = page.accent - 1
    return SlidePlan.model_validate(fields)


def _step(point: OutlinePoint) -> Step:
    if not point.label or point.label == point.text:
        return Step(label=point.text)
    return Step(label=point.label, text=point.text)


def _columns(points: Sequence[OutlinePoint]) -> tuple[Column, ...]:
    groups: dict[str, list[OutlinePoint]] = {}
    for point in points:
        groups.setdefault(point.group.strip(), []).append(point)
    return tuple(
        Column(heading=heading or None, points=_points(own)) for heading, own in groups.items()
    )


def _points(points: Sequence[OutlinePoint]) -> tuple[Point, ...]:
    return tuple(_labelled(points))


def _labelled(points: Sequence[OutlinePoint]) -> Iterator[Point]:
    for point in points:
        said = point.text if point.text.startswith(point.label) else f"{point.label}: {point.text}"
        yield Point(text=said, level=point.level)


def _quote(points: Sequence[OutlinePoint]) -> Quote:
    first = points[0]
    return Quote(text=first.text.strip(' “”„«»"'), by=first.label or None)


_MADE: Final[dict[str, Callable[[Sequence[OutlinePoint]], Any]]] = {
    "body": _points,
    "columns": _columns,
    "numbers": lambda points: tuple(
        BigNumber(value=point.label or point.text, label=point.text) for point in points
    ),
    "steps": lambda points: tuple(map(_step, points)),
    "cards": lambda points: tuple(map(_step, points)),
    "quote": _quote,
}
"""What a model's points are in each field of a slide."""
