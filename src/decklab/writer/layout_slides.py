"""A page in the layout that a model chose: what each layout takes of its points, and its slide."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from decklab.board.blueprint import (
    ActionPlan,
    BigNumber,
    Column,
    FormulaPlan,
    Lane,
    LaneStep,
    OptionPlan,
    Person,
    Point,
    Quote,
    SchedulePlan,
    ScheduleTask,
    SlidePlan,
    Step,
)
from decklab.board.library import LAYOUTS, LayoutName, layout_fields
from decklab.board.pages.free import places
from decklab.documents.numbers import parse_numbers
from decklab.writer.outline import OutlinePage, OutlinePoint

VISUAL_FIELDS: Final = ("picture", "chart", "table")
_FIELD_WORDS: Final = {
    "body": "points; level 1 stands below the point before it",
    "columns": "in group the heading of the column that each point is in",
    "numbers": "label is the number with its unit, the shorter the larger (54 %, $4.6m; beside "
               "three others at most 6 characters), text says in a few words what it counts",
    "steps": "in order; label is the name, date or stage, text what happens, in few words where "
             "there are more than three",
    "cards": "label is the name of each, text what it means",
    "quote": "one point: text is copied letter by letter, label is who said it",
    "actions": "text is what, label who answers for it, group the date",
    "options": "in group the option; label is pro or con, or empty for what it is; "
               "accent is a point of the recommended one",
    "people": "label is the name, text the role; level 1 reports to the level 0 before it",
    "lanes": "in the order of the work; group is who does it, text the step; at most 8 points",
    "schedule": "text of the first point names the periods, parted by semicolons; then text is a "
                "task, label its first period and group its last",
    "formula": "the first point is the formula, its label how it is read; the others are its "
               "parts, label the sign and text what it is",
    "picture": "the page's figure",
    "chart": "the page's table as a chart",
    "table": "the page's table",
}  # fmt: skip
"""A model's points in each field of a slide; layouts that need another field are not offered."""
_NUMBER = re.compile(r"([-−]?\d[\d.,'’]*(?<=\d))")
_OF_POINTS: Final = (
    "chart: numbers that are compared, as bars (label is the number with its unit, one unit for "
    "all, text in few words what it is of; 2 to 9)",
    "table: words or numbers by rows and columns (label is the row, group the column, text the "
    "cell)",
)
"""How a page without a table of a source has a chart or table of its points."""
_BESIDE, _MOST = 3, 9
"""Points beside a figure, chart or table, and parts of a page, that a model is told. Ours."""
_OWN: Final = frozenset({"title", "contents", "section", "closing", "agenda", "free"})
"""Layouts of pages that follow from the others, and the one that is offered on request."""


_FREE: Final = (
    "free: what no other layout shows, as HTML of your own (html is what stands below the title, "
    "on 864 by 340 pixels, of div, p, h3, ul, ol, table, span, strong with style attributes: "
    "flex, grid, borders, backgrounds, sizes of 16 px at least, 20 to 26 of what is read; colours "
    "and fonts only by var(--accent), var(--on-accent), var(--ink), var(--muted), var(--surface), "
    "var(--tint), var(--line), var(--heading-font), var(--text-font); its words are those of the "
    "points, whose quotes prove them"
)
_FREE_PLACE: Final = (
    '; one empty figure element with a height, such as <figure style="height:300px"></figure>, is '
    "where the page's figure, or its table as a chart, is drawn; 310 pixels are left in all then"
)


def layout_lines(shown: Collection[str], *, free: bool = False) -> str:
    """The layouts that a page may have, a line each; ``shown`` are the fields of ``VISUAL_FIELDS``
    of which it shows one, empty for a page of words. Then those without it follow. With ``free``
    HTML of its own is one.

    >>> layout_lines(["table"]).splitlines()[0]
    "table: exact values to look up (table: the page's table; up to 3 points beside it)"
    """
    lines = [_line(name) for name in LAYOUTS if _is_offered(name, shown)] if shown else []
    if shown:
        lines.append("Without the figure or table, which is then not shown:")
    lines += [_line(name) for name in LAYOUTS if _is_offered(name, ())]
    lines += () if {"chart", "table"} & set(shown) else _OF_POINTS
    if free:
        lines.append(f"{_FREE}{_FREE_PLACE if shown else ''})")
    return "\n".join(lines)


def _is_offered(name: LayoutName, shown: Collection[str]) -> bool:
    """Whether a layout shows a page with one of some visuals, or one of words if there are none."""
    needs = LAYOUTS[name].needs
    visual = {field for field in needs if field in VISUAL_FIELDS}
    fits = visual <= set(shown) and bool(visual) == bool(shown)
    return fits and name not in _OWN and all(field in _FIELD_WORDS for field in needs)


def _line(name: LayoutName) -> str:
    layout = LAYOUTS[name]
    said = [f"{field}: {_FIELD_WORDS[field]}" for field in layout.needs]
    if any(field in VISUAL_FIELDS for field in layout.needs):
        beside = "body" in layout.shows
        said.append(f"up to {_BESIDE} points beside it" if beside else "no points")
    if name == "picture_half":
        said.append("cut to the shape of the half: not for charts and diagrams")
    if name == "problem_solution":
        said.append("as many solutions as problems, in their order")
    if layout.count is not None:
        least, most = layout.count
        said.append(f"exactly {least}" if least == most else f"{least} to {min(most, _MOST)}")
    return f"{name}: {layout.use} ({'; '.join(said)})"


def slide_in_layout(
    page: OutlinePage, layout: LayoutName, common: dict[str, Any], shown: dict[str, Any]
) -> SlidePlan:
    """The slide of a page in a layout; ``shown`` is its picture, chart or table as a plan has it.

    Raises ValidationError where the layout does not show what the page has.
    """
    taken = layout_fields(layout)
    kept = {name: value for name, value in shown.items() if name in taken}
    if layout == "free" and not places(page.html):
        kept = {}
    fields: dict[str, Any] = {**common, **kept, "layout": layout}
    if shown and not kept:
        fields["source"] = None
    if "subtitle" in taken and page.subtitle.strip():
        fields["subtitle"] = page.subtitle.strip()
    if layout == "free":
        fields["html"] = page.html
    elif page.points:
        own = layout in ("chart", "table") and not kept and all(one.label for one in page.points)
        parts = (name for name in taken if name in _MADE and name not in VISUAL_FIELDS)
        field = layout if own else next(parts, "body")
        fields[field] = _MADE[field](page.points, page.accent)
        if field == "chart" and fields["chart"]:
            fields["chart"]["source"] = fields.pop("source", None)
        if field == "formula":
            fields["steps"] = tuple(map(_step, page.points[1:]))
    slide = SlidePlan.model_validate(fields)
    key = _key(page, slide)
    return slide if key is None else SlidePlan.model_validate({**fields, "key": key})


def _key(page: OutlinePage, slide: SlidePlan) -> int | None:
    """The place among the items of a slide of the point that stands out; None where none does."""
    if slide.table and not slide.body:
        names = [row[0] for row in slide.table.rows]
        accent = page.visual.accent if page.visual else ""
        accent = page.points[page.accent - 1].label if page.accent else accent
        return names.index(accent) if accent in names else None
    if not page.accent:
        return None
    order = [point for own in _groups(page.points).values() for point in own]
    grouped = slide.columns or slide.lanes
    places = [id(point) for point in (order if grouped else page.points)]
    key = places.index(id(page.points[page.accent - 1])) - bool(slide.formula or slide.schedule)
    return key if 0 <= key < len(slide.items) else None


Points = Sequence[OutlinePoint]


def _step(point: OutlinePoint) -> Step:
    if not point.label or point.label == point.text:
        return Step(label=point.text)
    return Step(label=point.label, text=point.text)


def _groups(points: Points) -> dict[str, list[OutlinePoint]]:
    groups: dict[str, list[OutlinePoint]] = {}
    for point in points:
        groups.setdefault(point.group.strip(), []).append(point)
    return groups


def _body(points: Points) -> tuple[Point, ...]:
    return tuple(Point(text=_said(point), level=point.level) for point in points)


def _said(point: OutlinePoint) -> str:
    return point.text if point.text.startswith(point.label) else f"{point.label}: {point.text}"


def _columns(points: Points) -> tuple[Column, ...]:
    return tuple(
        Column(heading=heading or None, points=_body(own))
        for heading, own in _groups(points).items()
    )


def _quote(points: Points) -> Quote:
    first = points[0]
    return Quote(text=first.text.strip(' “”„«»"'), by=first.label or None)


def _options(points: Points, accent: int) -> Iterator[OptionPlan]:
    chosen = points[accent - 1].group.strip() if accent else None
    for name, own in _groups(points).items():
        marks = {mark: tuple(point.text for point in own if point.label.lower().startswith(mark))
                 for mark in ("pro", "con")}  # fmt: skip
        plain = [point.text for point in own if point.text not in (*marks["pro"], *marks["con"])]
        yield OptionPlan(name=name, text=". ".join(plain) or None, pros=marks["pro"],
                         cons=marks["con"], recommended=name == chosen)  # fmt: skip


def _lanes(points: Points) -> tuple[Lane, ...]:
    times = {id(point): at for at, point in enumerate(points, start=1)}
    return tuple(
        Lane(name=name, steps=tuple(LaneStep(text=item.text, at=times[id(item)]) for item in own))
        for name, own in _groups(points).items()
    )


def _schedule(points: Points) -> SchedulePlan:
    first, *tasks = points
    periods = tuple(name.strip() for name in first.text.split(";"))
    at = {name: place for place, name in enumerate(periods, start=1)}
    return SchedulePlan(periods=periods, tasks=tuple(
        ScheduleTask(label=task.text, first=at.get(task.label, 0), last=at.get(task.group, 0))
        for task in tasks
    ))  # fmt: skip


def _bars(points: Points, accent: int) -> dict[str, Any] | None:
    """A chart of the numbers that the labels of points are; None if their units differ."""
    labels = [_NUMBER.split(point.label, maxsplit=1) for point in points]
    units = {" ".join((cut[0] + cut[-1]).split()) for cut in labels}
    if len(units) > 1 or any(len(cut) == 1 for cut in labels):
        return None
    values = tuple(parse_numbers(cut[1])[0].values[0] for cut in labels)
    unit = units.pop() or None
    return {
        "kind": "bar", "categories": tuple(point.text for point in points),
        "series": ({"name": unit or "–", "values": values},), "unit": unit,
        "accent_category": accent - 1 if accent else None,
    }  # fmt: skip


def _cells(points: Points) -> dict[str, Any]:
    """A table whose rows and columns are the labels and groups of points."""
    cells = {(point.label, point.group): point.text for point in points}
    rows, columns = (tuple(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    told = tuple((row, *(cells.get((row, name), "") for name in columns)) for row in rows)
    return {"header": ("", *columns), "rows": told}


_MADE: Final[dict[str, Callable[[Points, int], Any]]] = {
    "body": lambda points, _accent: _body(points),
    "columns": lambda points, _accent: _columns(points),
    "numbers": lambda points, _accent: tuple(
        BigNumber(value=point.label, label=point.text) for point in points
    ),
    "formula": lambda points, _accent: FormulaPlan(
        text=points[0].text, reading=points[0].label or None
    ),
    "steps": lambda points, _accent: tuple(map(_step, points)),
    "cards": lambda points, _accent: tuple(map(_step, points)),
    "quote": lambda points, _accent: _quote(points),
    "actions": lambda points, _accent: tuple(
        ActionPlan(text=point.text, owner=point.label or None, due=point.group or None)
        for point in points
    ),
    "options": lambda points, accent: tuple(_options(points, accent)),
    "people": lambda points, _accent: tuple(
        Person(name=point.label or point.text, level=point.level,
               role=point.text if point.label else None)
        for point in points
    ),
    "lanes": lambda points, _accent: _lanes(points),
    "schedule": lambda points, _accent: _schedule(points),
    "chart": _bars,
    "table": lambda points, _accent: _cells(points),
}  # fmt: skip
"""How each field of a slide is made of a model's points, in the order in which they are taken."""
