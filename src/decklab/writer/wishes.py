"""Wishes for one slide in plain words, such as "shorter, as a timeline", that a program can fulfil.

Each changes the plan of the slide; no word of it is made up. What a slide loses is told.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from decklab.board.blueprint import BigNumber, Column, Point, SlidePlan, Step, TablePlan
from decklab.board.chart_looks import chart_table
from decklab.board.library import LayoutName
from decklab.core.errors import PlanError
from decklab.documents.numbers import parse_numbers
from decklab.writer.markdown_charts import chart_of_rows
from decklab.writer.prose_numbers import amount_of

SAYABLE: Final = (
    "shorter, longer, with picture, without picture, without chart, as bullets, cards, timeline, "
    "process, table, chart, comparison, two columns, three columns, big numbers"
)
"""Wishes that need no model, in words."""
_SHAPES: Final[dict[str, str]] = {
    "bullets?": "body", "list": "body", "bullet points": "body", "text": "body", "cards?": "cards",
    "time ?line": "timeline", "process": "process", "steps?": "process", "table": "table",
    "(?:two|2) columns?": "two_columns", "(?:three|3) columns?": "three_columns",
    "comparison": "comparison", "(?:big|large) numbers?": "big_numbers",
    "key (?:figures|numbers)": "big_numbers", "chart": "chart",
}  # fmt: skip
_SHAPE = re.compile(rf"(?:(?:as|in|make it|into) )?(?:an? )?({'|'.join(_SHAPES)})")
_PART = re.compile(r"\s*(?:[,;.]|\band\b|\bbut\b|\bplease\b)\s*", re.IGNORECASE)
_NAMES: Final[dict[str, str]] = {
    "(?:much |make it )?(?:shorter|less text|fewer (?:points|words|bullets))": "shorter",
    "(?:make it )?(?:longer|more (?:text|points|detail|details))": "longer",
    "with (?:a |the )?(?:picture|image|photo|figure)": "with picture",
    "(?:without|no) (?:a |the )?(?:picture|image|photo|figure)": "without picture",
    "(?:without|no) (?:a |the )?chart": "without chart",
}  # fmt: skip


def read_wishes(text: str) -> tuple[list[str], list[str]]:
    """The wishes that a program understands, layouts and names of changes, and the parts of the
    text that it does not.

    >>> read_wishes("Shorter, as a timeline and funnier")
    (['shorter', 'timeline'], ['funnier'])
    """
    wishes: list[str] = []
    unknown: list[str] = []
    for part in (part.strip() for part in _PART.split(text)):
        plain = " ".join(part.casefold().split())
        shape = _SHAPE.fullmatch(plain)
        kinds, said = (_SHAPES, shape[1]) if shape else (_NAMES, plain)
        name = next((name for words, name in kinds.items() if re.fullmatch(words, said)), "")
        if name:
            wishes.append(name)
        elif plain:
            unknown.append(part)
    return wishes, unknown


@dataclass(frozen=True)
class Wished:
    """A slide after a wish, and what it lost by it."""

    slide: SlidePlan
    told: tuple[str, ...] = ()


_Rows = list[tuple[str, str]]
"""Label and text of each point; the label is empty where it has none."""


def in_layout(slide: SlidePlan, layout: LayoutName) -> Wished:
    """A slide's content in another layout.

    Raises PlanError, in words for who asked, where the layout cannot show what the slide says: a
    timeline needs dates, big numbers need numbers, a chart and a table need rows.
    """
    if slide.shown_role in ("opening", "contents", "section") or slide.layout == "closing":
        raise PlanError(f"a {slide.layout} slide keeps its layout")
    made = _MAKERS[layout](slide)
    if layout in ("table", "chart") and (slide.chart or slide.table) and 0 < len(slide.body) <= 3:
        made |= {"body": slide.body, "layout": "table" if layout == "table" else "chart_takeaways"}
    kept = {"role": slide.role} if slide.shown_role == "ending" else {}
    told = [
        f"the {name} of the slide is left out"
        for name in ("picture", "quote")
        if getattr(slide, name) is not None and name not in made
    ]
    if slide.chart is not None and not {"chart", "table"} & made.keys():
        told.append("the chart of the slide is left out")
    if slide.table is not None and not {"chart", "table"} & made.keys():
        told.append("the table of the slide is left out")
    return Wished(rebuilt(slide, {**kept, **made}), tuple(told))


def rebuilt(slide: SlidePlan, fields: dict[str, Any]) -> SlidePlan:
    """A slide with its title, section, source and notes, and other content."""
    common = {"title": slide.title, "section": slide.section, "notes": slide.notes}
    source = fields.pop("source", slide.source or (slide.chart.source if slide.chart else None))
    if "chart" in fields:
        source = slide.source
    return SlidePlan(**{**common, "source": source, **fields})


def shortened(slide: SlidePlan) -> Wished:
    """A slide with about half of its points; the others stand in its notes.

    Raises PlanError where it has no two points.
    """
    for name in ("body", "cards", "steps", "numbers"):
        items = getattr(slide, name)
        if not items:
            continue
        outer = [at for at, item in enumerate(items) if getattr(item, "level", 0) == 0]
        least = 2 if name in ("cards", "steps") else 1
        keep = max(least, -(-len(outer) // 2))
        if keep >= len(outer):
            break
        end = outer[keep]
        return Wished(_noted(slide, {name: items[:end]}, items[end:]))
    if slide.columns and max(len(column.points) for column in slide.columns) > 1:
        halves = [-(-len(column.points) // 2) for column in slide.columns]
        both = list(zip(slide.columns, halves, strict=True))
        columns = tuple(one.model_copy(update={"points": one.points[:at]}) for one, at in both)
        return Wished(_noted(slide, {"columns": columns}, [
            point for one, at in both for point in one.points[at:]
        ]))  # fmt: skip
    raise PlanError("the slide has too few points to be shorter")


def _noted(slide: SlidePlan, fields: dict[str, Any], dropped: Sequence[Any]) -> SlidePlan:
    lines = [_words(item) for item in dropped]
    notes = "\n".join([*lines, *([slide.notes] if slide.notes else [])])
    return slide.model_copy(update={**fields, "notes": notes})


def _words(item: Any) -> str:
    if isinstance(item, Point):
        return item.text
    if isinstance(item, BigNumber):
        return f"{item.value}: {item.label}"
    return f"{item.label}: {item.text}" if item.text else str(item.label)


def without_picture(slide: SlidePlan) -> Wished:
    """A slide without its picture. Raises PlanError where it has none, or nothing else."""
    if slide.picture is None:
        raise PlanError("the slide has no picture")
    if not slide.body:
        raise PlanError("the slide shows its picture alone")
    return Wished(rebuilt(slide, {"layout": "body", "body": slide.body, "source": None}))


def without_chart(slide: SlidePlan) -> Wished:
    """A slide with its text in place of its chart; without text the numbers become a table."""
    if slide.chart is None:
        raise PlanError("the slide has no chart")
    if slide.body:
        fields = {"layout": "body", "body": slide.body, "source": None}
        return Wished(rebuilt(slide, fields), ("the chart of the slide is left out",))
    return in_layout(slide, "table")


def _rows(slide: SlidePlan) -> _Rows:
    """The content of a slide as labelled rows, whatever its layout."""
    rows: _Rows = []
    for point in slide.body:
        if point.level == 0 or not rows:
            rows.append(("", point.text))
        else:
            label, text = rows[-1]
            label, text = (label, text) if label else (text, "")
            rows[-1] = (label, f"{text}; {point.text}" if text else point.text)
    rows += [(step.label, step.text or "") for step in (*slide.steps, *slide.cards)]
    rows += [(number.value, number.label) for number in slide.numbers]
    for column in slide.columns:
        rows += [(column.heading or "", point.text) for point in column.points]
    if slide.table is not None:
        rows += [(row[0], ", ".join(row[1:])) for row in slide.table.rows]
    return rows


def _needed_rows(slide: SlidePlan, least: int, name: str) -> _Rows:
    rows = _rows(slide)
    if len(rows) < least:
        raise PlanError(f"{name} needs at least {least} points; the slide has {len(rows)}")
    return rows


def _body(slide: SlidePlan) -> dict[str, Any]:
    points: list[Point] = []
    if slide.body:
        points = list(slide.body)
    elif slide.columns:
        for column in slide.columns:
            if column.heading:
                points.append(Point(text=column.heading))
            deeper = 1 if column.heading else 0
            points += [Point(text=one.text, level=min(one.level + deeper, 2))
                       for one in column.points]  # fmt: skip
    else:
        for label, text in _needed_rows(slide, 1, "a list"):
            points += [Point(text=one, level=at) for at, one in enumerate((label, text)) if one]
    return {"layout": "body", "body": tuple(points)}


def _steps(slide: SlidePlan, name: str) -> tuple[Step, ...]:
    return tuple(
        Step(label=label or text, text=(text if label else None) or None)
        for label, text in _needed_rows(slide, 2, name)
    )


def _timeline(slide: SlidePlan) -> dict[str, Any]:
    dated = []
    for label, text in _needed_rows(slide, 2, "a timeline"):
        words = f"{label} {text}".strip()
        found = [at for at in parse_numbers(words) if at.kind in ("year", "date", "range")]
        if not found:
            raise PlanError(f"a timeline needs a date in each point; there is none in {words!r}")
        own = words[found[0].start : found[0].end]
        plain = label == own
        dated.append((found[0].values, Step(label=own, text=text if plain else words)))
    dated.sort(key=lambda one: one[0])
    return {"layout": "timeline", "steps": tuple(step for _, step in dated)}


def _columns(slide: SlidePlan, layout: str, count: int) -> dict[str, Any]:
    rows = _needed_rows(slide, count, f"a slide of {count} columns")
    names = list(dict.fromkeys(label for label, _ in rows if label))
    if len(names) == count and all(label for label, _ in rows):
        groups = [(name, [text for label, text in rows if label == name]) for name in names]
    else:
        texts = [f"{label}: {text}" if label and text else label or text for label, text in rows]
        size = -(-len(texts) // count)
        cut = [texts[at * size : (at + 1) * size] for at in range(count)]
        if not all(cut):
            cut = [texts[at::count] for at in range(count)]
        groups = [("", part) for part in cut]
    if layout == "comparison" and not all(name for name, _ in groups):
        raise PlanError("a comparison needs two headings; as two columns it can be done")
    return {"layout": layout, "columns": tuple(
        Column(heading=name or None, points=tuple(Point(text=text) for text in texts if text))
        for name, texts in groups
    )}  # fmt: skip


def _big_numbers(slide: SlidePlan) -> dict[str, Any]:
    rows = _needed_rows(slide, 1, "a slide of big numbers")
    pairs = [_numbered(*row) for row in rows]
    if len(pairs) > 4:
        raise PlanError(f"a slide shows four big numbers; this one has {len(pairs)} points")
    return {"layout": "big_numbers", "numbers": tuple(
        BigNumber(value=value, label=text) for value, text in pairs
    )}  # fmt: skip


def _numbered(label: str, text: str) -> tuple[str, str]:
    words = f"{label} {text}".strip()
    numbers = (at for at in parse_numbers(words) if at.kind != "reference")
    own = amount_of(words) or next((words[at.start : at.end] for at in numbers), "")
    if not own:
        raise PlanError(f"big numbers need a number in each point; there is none in {words!r}")
    return own, text if label == own and text else words


def _table(slide: SlidePlan) -> dict[str, Any]:
    if slide.chart is not None:
        return {"layout": "table", "table": chart_table(slide.chart)}
    if slide.table is not None:
        return {"layout": "table", "table": slide.table}
    if slide.columns and all(column.heading for column in slide.columns):
        columns = [[point.text for point in column.points] for column in slide.columns]
        most = max(map(len, columns))
        filled = [column + [""] * (most - len(column)) for column in columns]
        header = tuple(column.heading or "" for column in slide.columns)
        return {
            "layout": "table",
            "table": TablePlan(header=header, rows=tuple(zip(*filled, strict=True))),
        }
    rows_ = _needed_rows(slide, 2, "a table")
    if not all(label and text for label, text in rows_):
        raise PlanError("a table needs a name and a text in each row; the points have no names")
    return {"layout": "table", "table": TablePlan(header=("", ""), rows=tuple(rows_))}


def _chart(slide: SlidePlan) -> dict[str, Any]:
    if slide.chart is not None:
        return {"layout": "chart", "chart": slide.chart}
    if slide.table is None:
        raise PlanError("a chart needs a table of numbers on the slide")
    rows = (slide.table.header, *slide.table.rows)
    made = chart_of_rows(rows, {}, slide.source or slide.title)
    if isinstance(made, str):
        raise PlanError(f"no chart can be made of the table: {made}")
    return {"layout": "chart", "chart": made}


_MAKERS: Final[dict[LayoutName, Callable[[SlidePlan], dict[str, Any]]]] = {
    "body": _body,
    "cards": lambda slide: {"layout": "cards", "cards": _steps(slide, "a slide of cards")},
    "process": lambda slide: {"layout": "process", "steps": _steps(slide, "a process")},
    "timeline": _timeline,
    "two_columns": lambda slide: _columns(slide, "two_columns", 2),
    "three_columns": lambda slide: _columns(slide, "three_columns", 3),
    "comparison": lambda slide: _columns(slide, "comparison", 2),
    "big_numbers": _big_numbers,
    "table": _table,
    "chart": _chart,
}
