"""The plan of a deck: what each slide says, by layout, before anything has a place or a size.

The forms are strict: an unknown key, an empty title or content that the layout does not show is an
error that names the slide. So nothing of a plan is dropped without a word.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from decklab.board.flowchart import FlowPlan
from decklab.board.languages import is_right_to_left
from decklab.board.library import ITEMS, LAYOUTS, LayoutName, Role
from decklab.board.marked_text import CONTROL, CellText, Line, PlanForm, Text, joined
from decklab.board.pages.free import clean_html, html_words, places
from decklab.core.errors import PlanError, UnknownName, fault_words

_MOST_BESIDE_TABLE: Final = 3
_MOST_SLICES: Final = 7
"""Of a pie, that an eye keeps apart; lint has the same limit."""
_FIELDS: Final = (
    "subtitle", "byline", "body", "columns", "picture", "pictures", "labels", "chart", "charts",
    "table", "numbers", "quote", "steps", "cards", "axes", "code", "remarks", "formula", "options",
    "people", "schedule", "lanes", "actions", "flow", "html",
)  # fmt: skip
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")


def language_tag(text: str) -> str:
    """``text``, where it has the form of a BCP 47 tag; raises ValueError where not."""
    if not _LANGUAGE.match(text):
        raise ValueError(f"{text!r} is no language tag such as 'en-GB' (BCP 47)")
    return text


class Point(PlanForm):
    """A paragraph of body text. ``level`` is 0 for the outermost, up to 2.

    ``mark`` stands before it: the bullet of the design, a number, a box of a task, or nothing.
    """

    text: Text
    level: Annotated[int, Field(ge=0, le=2)] = 0
    mark: Annotated[str, Field(pattern=r"^([•☐☑]|\d{1,3}[.)])?$")] = "•"

    @property
    def ticked_text(self) -> str:
        """The text, behind the box of a task, for places that have bullets of their own."""
        return joined(" ", (self.mark, self.text)) if self.mark in ("☐", "☑") else self.text


Points = tuple[Point, ...]


class Column(PlanForm):
    """One of several columns, with or without a heading."""

    heading: Text | None = None
    points: Annotated[Points, Field(min_length=1)]


class PicturePlan(PlanForm):
    """A picture from a file. Photographs are cropped to their place; figures are shown whole.

    ``caption`` stands below one of several. ``width`` is a share of the width of the page.
    """

    path: Line
    alt: Line
    kind: Literal["photograph", "figure"] = "figure"
    caption: Text | None = None
    width: Annotated[float, Field(gt=0, le=1)] | None = None


class PictureLabel(PlanForm):
    """The name of a part of a picture, and what to say of it.

    ``x`` and ``y`` are shares of the picture's width and height, from its upper left corner.
    """

    x: Annotated[float, Field(ge=0, le=1)]
    y: Annotated[float, Field(ge=0, le=1)]
    label: Line
    text: Text | None = None


class SeriesPlan(PlanForm):
    """One series of a chart; None stands for a value that is not known.

    ``unit`` is that of its values, where it is not the unit of the chart.
    """

    name: Line
    values: Annotated[tuple[float | None, ...], Field(min_length=1)]
    unit: Line | None = None


ChartKind = Literal[
    "column", "bar", "line", "pie", "area", "stacked", "share", "scatter", "combination"
]
"""``stacked`` are columns on each other, ``share`` parts of 100 %, ``combination`` columns with
lines that have an axis of their own."""


class ChartPlan(PlanForm):
    """A chart with its data. ``accent`` is the index of the series shown in the accent colour.

    Where there is one series, ``accent_category`` is the index of the category that stands out;
    None gives all the accent colour. ``source`` says where the numbers are from: a chart without
    one is refused. Two units never share an axis: only a combination (the series of the first unit
    are columns, those of the second lines) and a scatter (the first series is across, the second
    up; each category is a point) may have two. ``heading`` stands above one of several. The value
    axis of columns, bars, lines and areas also reaches the values of ``reach``.
    """

    kind: ChartKind
    categories: Annotated[tuple[Line, ...], Field(min_length=1, max_length=36)]
    series: Annotated[tuple[SeriesPlan, ...], Field(min_length=1, max_length=6)]
    unit: Line | None = None
    source: Line
    accent: Annotated[int, Field(ge=0)] = 0
    accent_category: Annotated[int, Field(ge=0)] | None = None
    heading: Line | None = None
    reach: tuple[float, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> "ChartPlan":
        for item in self.series:
            if len(item.values) != len(self.categories):
                raise ValueError(
                    f"series {item.name!r} has {len(item.values)} values for "
                    f"{len(self.categories)} categories"
                )
        if all(value is None for item in self.series for value in item.values):
            raise ValueError("the chart has no value at all")
        if self.accent >= len(self.series):
            raise ValueError(f"there is no series {self.accent} to stand out")
        if self.accent_category is not None and self.accent_category >= len(self.categories):
            raise ValueError(f"there is no category {self.accent_category} to stand out")
        self._check_units()
        if self.kind == "pie" and len(self.series) > 1:
            raise ValueError("a pie shows one series")
        if self.kind == "pie" and len(self.categories) > _MOST_SLICES:
            raise ValueError(
                f"a pie shows at most {_MOST_SLICES} parts, not {len(self.categories)}"
            )
        if self.kind in ("pie", "share"):
            self._check_parts()
        if self.kind == "area":
            self._check_area()
        if self.kind == "scatter" and not self.points:
            raise ValueError("no point of the scatter has both values")
        return self

    def _check_units(self) -> None:
        units = self.units
        if self.kind == "scatter":
            if len(self.series) != 2:
                raise ValueError(f"a scatter shows two series, not {len(self.series)}")
        elif self.kind == "combination":
            if len(units) != 2 or None in units:
                named = ", ".join(unit or "none" for unit in units)
                raise ValueError(f"a combination shows series of two units, not of {named}")
        elif len(units) > 1:
            named = " and ".join(repr(unit or "no unit") for unit in units)
            raise ValueError(f"{named} cannot share an axis (kind 'combination' has two)")

    def _check_parts(self) -> None:
        """Raise ValueError if the parts of a whole are unknown, negative, or all 0."""
        whole = "a pie" if self.kind == "pie" else "a whole"
        rows = zip(*(item.values for item in self.series), strict=True)
        wholes = [self.series[0].values] if self.kind == "pie" else list(rows)
        for parts in wholes:
            if any(value is None or value < 0 for value in parts) or not sum(map(_number, parts)):
                raise ValueError(f"the parts of {whole} are numbers of 0 or more, not all 0")

    def _check_area(self) -> None:
        values = [value for item in self.series for value in item.values]
        if len(self.categories) < 2:
            raise ValueError("an area shows two categories or more")
        if any(value is None for value in values):
            raise ValueError("an area has no gaps: a line shows missing values")
        if len(self.series) > 1 and any(_number(value) < 0 for value in values):
            raise ValueError("areas on each other are numbers of 0 or more")

    @property
    def units(self) -> tuple[str | None, ...]:
        """The units of the series, each once, in the order of the series."""
        return tuple(dict.fromkeys(item.unit or self.unit for item in self.series))

    @property
    def lines(self) -> tuple[int, ...]:
        """The series of a combination that are lines: those of the second unit; else none."""
        if self.kind != "combination":
            return ()
        return tuple(
            number
            for number, item in enumerate(self.series)
            if (item.unit or self.unit) == self.units[1]
        )

    @property
    def points(self) -> tuple[tuple[int, float, float], ...]:
        """The points of a scatter that have both values: category, value across, value up."""
        across, up = self.series[0].values, self.series[1].values
        return tuple(
            (number, x, y)
            for number, (x, y) in enumerate(zip(across, up, strict=True))
            if x is not None and y is not None
        )


def _number(value: float | None) -> float:
    return 0.0 if value is None else value


class TablePlan(PlanForm):
    """A table: one row of headings, then rows of as many cells. Headings and cells may be empty.

    ``align`` says for each column where its cells stand; if it is empty, numbers stand at the end.
    """

    header: Annotated[tuple[CellText, ...], Field(min_length=1, max_length=8)]
    rows: Annotated[tuple[tuple[CellText, ...], ...], Field(min_length=1)]
    align: tuple[Literal["start", "center", "end", ""], ...] = ()

    @model_validator(mode="after")
    def _check(self) -> "TablePlan":
        if any(CONTROL.search(cell) for cell in self.header):
            raise ValueError("a heading has a control character")
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.header):
                raise ValueError(
                    f"row {number} has {len(row)} cells under {len(self.header)} headings"
                )
            if any(CONTROL.search(cell) for cell in row):
                raise ValueError(f"row {number} has a control character in a cell")
        if len(self.align) not in (0, len(self.header)):
            raise ValueError(f"{len(self.align)} columns are aligned, not {len(self.header)}")
        return self


class Quote(PlanForm):
    """Words of somebody, without quotation marks, and whose they are.

    ``quoted`` is False for a statement that stands alone and is shown without marks.
    """

    text: Text
    by: Text | None = None
    quoted: bool = True


class BigNumber(PlanForm):
    """A number as it is shown, such as ``42 %``, and what it counts."""

    value: Line
    label: Text


class Step(PlanForm):
    """A step of a process or a date of a timeline, or a card: a short label and what it means."""

    label: Text
    text: Text | None = None


class CodePlan(PlanForm):
    """Lines of a program, as they are written; ``language`` is the name that the source gives."""

    lines: Annotated[tuple[str, ...], Field(min_length=1)]
    language: Line | None = None

    @model_validator(mode="after")
    def _check(self) -> "CodePlan":
        for number, line in enumerate(self.lines, start=1):
            if CONTROL.search(line):
                raise ValueError(f"line {number} has a tab or another control character")
        if not any(line.strip() for line in self.lines):
            raise ValueError("it is empty")
        return self


class CodeRemark(PlanForm):
    """A remark on a line of a program; ``line`` counts from 1."""

    line: Annotated[int, Field(ge=1)]
    text: Text


class FormulaPlan(PlanForm):
    """A formula, as text such as ``E = m · c²`` or in TeX, and how it is read aloud."""

    text: Text
    reading: Text | None = None


class Axes(PlanForm):
    """The measures that grow to the right and upward."""

    across: Line
    up: Line


class OptionPlan(PlanForm):
    """One of several choices; ``recommended`` marks the one to take."""

    name: Text
    text: Text | None = None
    pros: tuple[Text, ...] = ()
    cons: tuple[Text, ...] = ()
    recommended: bool = False


class Person(PlanForm):
    """Somebody with a role. ``level`` 0 is the top of an organisation; each other person reports
    to the nearest one above of the level before."""

    name: Text
    role: Text | None = None
    text: Text | None = None
    level: Annotated[int, Field(ge=0, le=3)] = 0
    picture: PicturePlan | None = None


class ScheduleTask(PlanForm):
    """A task of a schedule, from its first to its last period, which count from 1."""

    label: Line
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]


class SchedulePlan(PlanForm):
    """Tasks over periods of equal length, such as months."""

    periods: Annotated[tuple[Line, ...], Field(min_length=2, max_length=24)]
    tasks: Annotated[tuple[ScheduleTask, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> "SchedulePlan":
        for task in self.tasks:
            if not task.first <= task.last <= len(self.periods):
                raise ValueError(
                    f"task {task.label!r} lasts from period {task.first} to {task.last} "
                    f"of {len(self.periods)}"
                )
        return self


class LaneStep(PlanForm):
    """A step of a process over several lanes; steps with a higher ``at`` come later."""

    text: Line
    at: Annotated[int, Field(ge=1, le=8)]


class Lane(PlanForm):
    """The steps that one person or office does."""

    name: Text
    steps: Annotated[tuple[LaneStep, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> "Lane":
        if len({step.at for step in self.steps}) != len(self.steps):
            raise ValueError(f"lane {self.name!r} has two steps at one time")
        return self


class ActionPlan(PlanForm):
    """A decision or a task, who answers for it, and its date."""

    text: Text
    owner: Text | None = None
    due: Text | None = None


def _check_levels(levels: Sequence[int], kind: str) -> None:
    """Raise ValueError if items by level are no tree with one root."""
    if levels[0] or levels.count(0) > 1:
        raise ValueError(f"the first {kind}, and no other, has level 0")
    for number, (before, level) in enumerate(pairwise(levels), start=1):
        if level > before + 1:
            raise ValueError(f"{kind} {number} is more than one level below the one before")


def _is_layout(name: LayoutName) -> LayoutName:
    """The name of a layout; raises ValueError, as pydantic wants it, if there is none."""
    try:
        LAYOUTS[name]
    except UnknownName as error:
        raise ValueError(str(error)) from error
    return name


class SlidePlan(PlanForm):
    """One slide by its content. ``role`` follows the layout where it is not stated.

    ``section`` is the name of the section that the slide is in. ``first`` is the number of the
    first point of a contents slide or step of a process that goes on from the slide before.
    ``key`` is the index of the item that stands out, over all columns or lanes: a point, a card, a
    number, a step, a person, a row of a table without points beside it; a point of a body slide has
    an area of its own; what a call to action asks for first; the present part of an agenda.
    ``source`` is shown small below the content; that of a chart is added by itself.
    ``html`` stands below the title under the variables of the theme; it is cleaned, and a figure
    element in it is the place of the picture, chart or table.
    ``change`` stands at an arrow from the first of two big numbers to the second, such as "-35 %".
    ``text_size`` bounds the size of its text by one of the theme's scale.
    """

    layout: Annotated[LayoutName, AfterValidator(_is_layout)]
    title: Text
    role: Role | None = None
    section: Line | None = None
    subtitle: Text | None = None
    byline: Text | None = None
    body: Points = ()
    key: Annotated[int, Field(ge=0)] | None = None
    columns: tuple[Column, ...] = ()
    picture: PicturePlan | None = None
    pictures: tuple[PicturePlan, ...] = ()
    labels: tuple[PictureLabel, ...] = ()
    chart: ChartPlan | None = None
    charts: tuple[ChartPlan, ...] = ()
    table: TablePlan | None = None
    numbers: tuple[BigNumber, ...] = ()
    change: Line | None = None
    quote: Quote | None = None
    steps: tuple[Step, ...] = ()
    cards: tuple[Step, ...] = ()
    axes: Axes | None = None
    code: CodePlan | None = None
    remarks: tuple[CodeRemark, ...] = ()
    formula: FormulaPlan | None = None
    options: tuple[OptionPlan, ...] = ()
    people: tuple[Person, ...] = ()
    schedule: SchedulePlan | None = None
    lanes: tuple[Lane, ...] = ()
    actions: tuple[ActionPlan, ...] = ()
    flow: FlowPlan | None = None
    html: Annotated[str, AfterValidator(clean_html)] | None = None
    first: Annotated[int, Field(ge=1)] = 1
    source: Text | None = None
    notes: str = ""
    text_size: Literal["body", "small"] | None = None

    @model_validator(mode="after")
    def _check(self) -> "SlidePlan":
        layout = LAYOUTS[self.layout]
        name = f"layout {self.layout!r}"
        for field in layout.needs:
            if not getattr(self, field):
                raise ValueError(f"{name} needs {field}")
        for field in _FIELDS:
            if getattr(self, field) and field not in (*layout.needs, *layout.shows):
                raise ValueError(f"{name} does not show {field}")
        if layout.count is not None:
            self._check_count(layout.needs[0], *layout.count)
        if self.key is not None:
            self._check_key(self.key)
        outermost = sum(point.level == 0 for point in self.body)
        if self.layout == "table" and outermost > _MOST_BESIDE_TABLE:
            raise ValueError(f"{name} shows at most {_MOST_BESIDE_TABLE} points, not {outermost}")
        if self.change is not None and len(self.numbers) != 2:
            raise ValueError(f"a change is between 2 numbers, not {len(self.numbers)}")
        if layout.headings and not all(column.heading for column in self.columns):
            raise ValueError(f"{name} needs a heading for each column")
        self._check_parts()
        return self

    def _check_count(self, field: str, least: int, most: int) -> None:
        count = len(getattr(self, field))
        if not least <= count <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise ValueError(f"layout {self.layout!r} shows {wanted} {field}, not {count}")

    def _check_key(self, key: int) -> None:
        if not key < len(self.items):
            raise ValueError(f"there is no item {key} that can stand out")

    def _check_parts(self) -> None:
        """Raise ValueError if parts of the content do not belong together."""
        if self.layout == "problem_solution":
            problems, solutions = (len(column.points) for column in self.columns)
            if problems != solutions:
                raise ValueError(f"there are {solutions} solutions of {problems} problems")
        if self.layout == "tree":
            _check_levels([point.level for point in self.body], "point")
        if self.layout == "org_chart":
            _check_levels([person.level for person in self.people], "person")
        if self.layout == "faq" and not all(card.text for card in self.cards):
            raise ValueError("each question needs an answer")
        if self.layout == "options" and sum(option.recommended for option in self.options) > 1:
            raise ValueError("one option can be recommended")
        if self.html is not None:
            shown = sum(map(bool, (self.picture, self.chart, self.table)))
            if shown > 1 or shown != places(self.html):
                raise ValueError(
                    f"its HTML has {places(self.html)} figure elements, each the place of a "
                    f"picture, chart or table, of which it shows {shown}; at most one fits"
                )
        for remark in self.remarks:
            if self.code is not None and remark.line > len(self.code.lines):
                raise ValueError(f"there is no line {remark.line} to remark on")

    @property
    def items(self) -> tuple[object, ...]:
        """The items of the slide, over all columns or lanes; one of them can stand out."""
        shown = (*LAYOUTS[self.layout].needs, *LAYOUTS[self.layout].shows)
        fields = (getattr(self, field) for field in ITEMS if field in shown)
        held = next(filter(None, fields), ())
        if isinstance(held, SchedulePlan):
            return held.tasks
        if isinstance(held, TablePlan):
            return held.rows
        return tuple(
            item
            for part in held or ()
            for item in (part.points if isinstance(part, Column)
                         else part.steps if isinstance(part, Lane) else (part,))
        )  # fmt: skip

    @property
    def top(self) -> object | None:
        """The item that stands out; None for none."""
        return None if self.key is None else self.items[self.key]

    @property
    def stands_apart(self) -> bool:
        """Whether the point of a body slide that stands out has others beside it and none below."""
        if self.key is None or len(self.body) < 2:
            return False
        return not any(point.level for point in self.body[self.key : self.key + 2])

    @property
    def shown_role(self) -> Role:
        """The role as stated, else that of the layout."""
        return self.role or LAYOUTS[self.layout].role

    @property
    def all_charts(self) -> tuple[ChartPlan, ...]:
        """The charts of the slide, be it one or several, whose axes are alike if they can be."""
        kinds = {chart.kind for chart in self.charts}
        if self.chart is not None or len({chart.units for chart in self.charts}) > 1:
            return (*filter(None, (self.chart,)), *self.charts)
        values = [
            value for chart in self.charts for item in chart.series for value in item.values
            if value is not None
        ]  # fmt: skip
        if not values or not kinds <= {"column", "bar", "line"}:
            return self.charts
        reach = {"reach": (min(values), max(values))}
        return tuple(chart.model_copy(update=reach) for chart in self.charts)

    @property
    def all_pictures(self) -> tuple[PicturePlan, ...]:
        """The pictures of the slide, those of people included."""
        several = (*self.pictures, *(person.picture for person in self.people if person.picture))
        return several if self.picture is None else (self.picture, *several)

    @property
    def shown_source(self) -> str | None:
        """The source line of the slide, else those of its charts; None if there is neither."""
        sources = dict.fromkeys(chart.source for chart in self.all_charts)
        return self.source or "; ".join(sources) or None

    @property
    def texts(self) -> tuple[str, ...]:
        """Title and texts in reading order, without tables, charts, source and notes."""
        texts: list[str | None] = [self.title, self.subtitle, self.byline]
        texts += [point.text for point in self.body]
        for column in self.columns:
            texts += [column.heading, *(point.text for point in column.points)]
        for step in (*self.steps, *self.cards):
            texts.append(f"{step.label}: {step.text}" if step.text else step.label)
        texts += [f"{number.value}: {number.label}" for number in self.numbers]
        texts.append(self.change)
        texts += [self.quote.text] if self.quote else []
        texts += self.code.lines if self.code else ()
        return tuple(text for text in (*texts, *self._more_texts()) if text)

    def _more_texts(self) -> Iterator[str | None]:
        """The texts of content that few layouts have."""
        for label in self.labels:
            yield from (label.label, label.text)
        yield from (remark.text for remark in self.remarks)
        yield from (self.formula.text, self.formula.reading) if self.formula else ()
        yield from (self.axes.across, self.axes.up) if self.axes else ()
        for option in self.options:
            yield from (option.name, option.text, *option.pros, *option.cons)
        for person in self.people:
            yield from (person.name, person.role, person.text)
        yield from (task.label for task in self.schedule.tasks) if self.schedule else ()
        for lane in self.lanes:
            yield from (lane.name, *(step.text for step in lane.steps))
        for action in self.actions:
            yield from (action.text, action.owner, action.due)
        yield from self.flow.texts if self.flow else ()
        yield from html_words(self.html or "")
        yield from (picture.caption for picture in self.all_pictures)


class DeckPlan(PlanForm):
    """A whole deck. ``language`` is a BCP 47 tag; ``sections`` are names in the order of slides.

    ``footer`` stands at the foot of the body slides.
    """

    title: Line
    language: Annotated[str, AfterValidator(language_tag)] = "en"
    sections: tuple[Line, ...] = ()
    footer: Line | None = None
    slides: Annotated[tuple[SlidePlan, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> "DeckPlan":
        if len(set(self.sections)) != len(self.sections):
            raise ValueError("two sections have one name")
        last = -1
        for number, slide in enumerate(self.slides, start=1):
            if slide.section is None:
                continue
            if slide.section not in self.sections:
                raise ValueError(f"slide {number} is in section {slide.section!r}: there is none")
            place = self.sections.index(slide.section)
            if place < last:
                raise ValueError(f"slide {number}: its section {slide.section!r} is over already")
            last = place
        return self

    @property
    def right_to_left(self) -> bool:
        """Whether the language of the deck is written from right to left."""
        return is_right_to_left(self.language)


def read_plan(source: str | Path | dict[str, Any]) -> DeckPlan:
    """A plan from a JSON file or from what such a file holds.

    Raises PlanError, in one line that names the slide and field, where it is no plan.
    """
    name = "the plan"
    try:
        if isinstance(source, dict):
            text = json.dumps(source)
        else:
            name = str(source)
            text = Path(source).read_text(encoding="utf-8")
        return DeckPlan.model_validate_json(text)
    except ValidationError as error:
        raise PlanError(f"{name}: {first_fault(error)}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{name}: it cannot be read: {error}") from error


def first_fault(error: ValidationError) -> str:
    """The first of what is wrong with a plan or outline, in one line that names its place."""
    fault = error.errors(include_url=False)[0]
    place = list(fault["loc"])
    words = []
    if len(place) > 1 and place[0] == "slides" and isinstance(place[1], int):
        words.append(f"slide {place[1] + 1}")
        place = place[2:]
    words += [".".join(str(step) for step in place)] if place else []
    more = error.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    return f"{': '.join((*words, fault_words(fault)))}{tail}"
