"""One slide in Markdown: which layout shows what stands on it, and what goes on slides of its own.

A slide may name its layout; else what it holds decides. A slide that holds more than one layout
shows becomes several with the same title.
"""

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

from pydantic import ValidationError

from decklab.board.blueprint import (
    BigNumber,
    ChartPlan,
    CodePlan,
    Column,
    PicturePlan,
    Point,
    Quote,
    SlidePlan,
    Step,
    TablePlan,
    first_fault,
)
from decklab.board.flowchart import FlowPlan
from decklab.board.library import LAYOUTS, LayoutName, Role
from decklab.board.marked_text import bold, joined, spans_of, text_of
from decklab.writer.markdown_charts import chart_of_rows, csv_rows
from decklab.writer.markdown_groups import (
    DEEPEST_LEVEL,
    TextGroup,
    by_outer_points,
    points_of,
    steps_of,
)
from decklab.writer.markdown_parts import ListItem, MarkdownPart, picture_words
from decklab.writer.mermaid import flow_of_mermaid

_ALIASES: Final = {
    "cover": "title", "lead": "title", "bullets": "body", "default": "body", "agenda": "contents",
    "two_cols": "two_columns", "two_cols_header": "two_columns", "three_cols": "three_columns",
    "steps": "process", "end": "closing",
    "big_number": "big_numbers", "fact": "big_numbers", "image_right": "picture_right",
    "image_left": "picture_left", "image": "picture_full", "columns": "two_columns",
}  # fmt: skip
"""Names that Marp, Slidev and people use for layouts."""
_ANY_LAYOUT: Final = frozenset({"center", "full", "intro", "invert", "none"})
"""Layouts of Slidev that look different and hold the same: what fits is taken."""
_BESIDE_CHARACTERS = 420
_MOST_STEPS, _MOST_WITH_QUOTE = 8, 420
"""Items of a numbered list that are steps, and characters of text that a quote stands below. Ours.
"""
_BESIDE_POINTS = 5
_BESIDE_TABLE = 3
_CODE_STEP = re.compile(r"(?ms)^```(\w+)[^\n]*\n(.*?)^```\s*$")
_SUBTITLE_CHARACTERS = 110
_TITLE_CHARACTERS = 90
_BODY_LAYOUTS: Final = ("body", "contents", "statement", "call_to_action", "checklist", "tree")
_COLUMN_LAYOUTS: Final = {
    "two_columns": 2, "three_columns": 3, "comparison": 2, "problem_solution": 2, "before_after": 2,
}  # fmt: skip
_STEP_FIELDS: Final = {
    "cards": "cards", "process": "steps", "timeline": "steps", "faq": "cards",
    "two_by_two": "cards", "cycle": "steps", "funnel": "steps", "pyramid": "steps",
}  # fmt: skip
_NUMBER_LAYOUTS: Final = ("big_numbers", "number_wall")
_OBJECT_LAYOUTS: Final[dict[str, tuple[str, type]]] = {
    "picture_left": ("picture", PicturePlan), "picture_right": ("picture", PicturePlan),
    "picture_full": ("picture", PicturePlan), "picture_half": ("picture", PicturePlan),
    "chart": ("chart", ChartPlan), "chart_takeaways": ("chart", ChartPlan),
    "table": ("table", TablePlan), "quote": ("quote", Quote), "code": ("code", CodePlan),
    "flowchart": ("flow", FlowPlan),
}  # fmt: skip
MARKDOWN_LAYOUTS: Final = frozenset(
    {"title", "section", "closing", *_BODY_LAYOUTS, *_COLUMN_LAYOUTS, *_STEP_FIELDS,
     *_NUMBER_LAYOUTS, *_OBJECT_LAYOUTS} - {"flowchart"}
)  # fmt: skip
"""Layouts whose content plain Markdown holds; a fence ``slide`` with JSON holds that of any."""
_SHOWS_SUBTITLE: Final = frozenset(
    {"flowchart", "table", "process", "chart", "picture_full", "code"}
)

_Fields = dict[str, Any]


@dataclass
class _Steps:
    """A numbered list."""

    items: list[ListItem]
    first: int


_Object = PicturePlan | ChartPlan | TablePlan | Quote | CodePlan | FlowPlan | _Steps


class MarkdownSlide:
    """The content of one slide, as it is read. ``told`` is what is not on it as it is written."""

    def __init__(
        self, file: Path, parts: Sequence[MarkdownPart], source: str, *, first: bool, last: bool
    ) -> None:
        self._file, self._source, self._first, self._last = file, source, first, last
        self._line = parts[0].line
        self.told: list[str] = []
        self._title, self._subtitle = "", ""
        self._values: dict[str, str] = {}
        self._groups: list[TextGroup] = []
        self._objects: list[_Object] = []
        self._notes: list[str] = []
        self._lists = self._left = self._after_code = False
        self._given: _Fields = {}
        kinds = [part.kind for part in parts]
        self._covers = (
            first and kinds.count("heading") == 2 and not {"list", "table", "fence"} & {*kinds}
        )
        resting = False
        for part in parts:
            resting = resting or (part.kind == "notes" and part.name == "rest")
            self._add(part, resting=resting)

    def section_after(self, before: str | None, known: set[str | None]) -> str | None:
        """The section that the slide is in, where ``before`` is that of the slide before.

        A slide that is a heading alone begins one; a directive names one, or none.
        """
        if "section" in self._values:
            return self._values["section"] or None
        large = self._layout() == "section" and not self._given
        begins = self._title and large and self._title not in known
        return self._title if begins else before

    def plans(self, before: str, section: str | None) -> list[SlidePlan]:
        """The plans of the slide, several if it does not fit on one; empty if nothing is on it.

        ``before`` is the title if the slide has none.
        """
        if not (self._title or self._groups or self._objects or self._given):
            if self._notes:
                left = " ".join(" ".join(self._notes).split())
                self._tell(self._line, f"nothing is to be shown, so the notes are left out: {left}")
            return []
        self._join_texts()
        made = [self._given or self._next(self._layout())]
        while self._groups or self._objects:
            made.append(self._next(self._fitting()))
        title = self._title or self._made_up_title(made, before)
        common = self._common(section)
        plans = []
        for number, fields in enumerate(made, start=1):
            name = title if len(made) == 1 else f"{title} ({number}/{len(made)})"
            own = {**common, "notes": ""} if number > 1 else common
            plans.append(SlidePlan(**{**own, **fields, "title": name}))
        return plans

    def _join_texts(self) -> None:
        """Numbered lists beside a picture, chart or code as points, and a short quote below other
        text as its last paragraph: one slide shows both."""
        said = sum(len(item.text) for group in self._groups for item in group.items)
        quotes = [item for item in self._objects if isinstance(item, Quote)]
        if self._groups and "layout" not in self._values and said < _MOST_WITH_QUOTE:
            for quote in quotes:
                self._objects.remove(quote)
                words = text_of(replace(span, italic=True) for span in spans_of(quote.text))
                said_by = f" — {quote.by}" if quote.by else ""
                self._group().items.append(ListItem(joined("", (words, said_by)), 0, mark=""))
        if any(isinstance(item, PicturePlan | ChartPlan | CodePlan) for item in self._objects):
            for steps in [item for item in self._objects if isinstance(item, _Steps)]:
                self._objects.remove(steps)
                self._group().items.extend(steps.items)
                self._lists = True

    def _tell(self, line: int, text: str) -> None:
        self.told.append(f"line {line}: {text}")

    # reading

    def _add(self, part: MarkdownPart, *, resting: bool) -> None:
        if resting and part.kind in ("paragraph", "list", "heading", "quote"):
            self._notes += [part.text] if part.text else [item.text for item in part.items]
        elif part.kind == "heading":
            self._heading(part)
        elif part.kind == "directive":
            self._directive(part)
        elif part.kind == "notes":
            self._notes.append(part.text)
        elif part.kind == "paragraph" and part.text.startswith("<<< "):
            self._tell(part.line, f"code of another file is not read: {part.text[4:84]}")
        elif part.kind == "paragraph":
            self._group().items.append(ListItem(part.text, 0, mark=""))
        elif part.kind == "list":
            self._list(part)
        elif part.kind == "html":
            self._tell(part.line, f"HTML is not shown: {part.text[:300]}")
        else:
            self._object(part)

    def _heading(self, part: MarkdownPart) -> None:
        empty = not self._groups and all(isinstance(item, PicturePlan) for item in self._objects)
        column = bool(self._groups) and self._groups[-1] == TextGroup(marked=True)
        if not self._title and empty and part.text:
            self._title = part.text
        elif (part.level == 2 or self._covers) and empty and not self._subtitle:
            self._subtitle = part.text
        elif column:
            self._groups[-1].heading = part.text
        else:
            self._groups.append(TextGroup(part.text, marked=True))

    def _directive(self, part: MarkdownPart) -> None:
        if part.name == "column":
            self._groups.append(TextGroup(part.text, marked=True))
        elif part.name == "layout":
            name = part.text.replace("-", "_").casefold()
            name = _ALIASES.get(name, name)
            if name in MARKDOWN_LAYOUTS:
                self._values["layout"] = name
            elif name in LAYOUTS:
                self._tell(part.line, f"the content of layout {part.text!r} is written in a fence "
                           "'slide'; what fits is taken")  # fmt: skip
            elif name not in _ANY_LAYOUT:
                self._tell(part.line, f"there is no layout {part.text!r}; what fits is taken")
        elif part.name == "source" and (before := self._values.get("source")):
            self._values["source"] = joined(" · ", (before, part.text))
        else:
            self._values[part.name] = part.text

    def _group(self) -> TextGroup:
        self._after_code = self._after_code or any(
            isinstance(item, CodePlan) for item in self._objects
        )
        if not self._groups:
            self._groups.append(TextGroup())
        return self._groups[-1]

    def _list(self, part: MarkdownPart) -> None:
        self._lists = True
        deep = max(item.level for item in part.items)
        if deep > DEEPEST_LEVEL:
            self._tell(
                part.line, f"points of level {deep + 1} are shown on level {DEEPEST_LEVEL + 1}"
            )
        top = sum(item.level == 0 for item in part.items)
        as_text = self._values.get("layout") in ("body", "contents", "closing")
        numbered_below = any(item.level and item.mark != "•" for item in part.items)
        if part.start and 1 < top <= _MOST_STEPS and not (as_text or numbered_below):
            self._objects.append(_Steps(list(part.items), part.start))
            return
        if part.start and as_text:
            self._values["first"] = str(part.start)
        self._group().items.extend(part.items)

    def _object(self, part: MarkdownPart) -> None:
        if part.kind == "picture":
            self._picture(part)
        elif part.kind == "quote":
            self._objects.append(Quote(text=part.text or part.by, by=part.by or None))
        elif part.kind == "table":
            self._table(part)
        elif part.kind == "fence" and part.name.split(" ")[0] == "chart":
            kind = part.name.partition(" ")[2].strip()
            self._values["chart"] = kind or self._values.get("chart", "")
            self._chart(part.line, csv_rows(part.text))
        elif part.kind == "fence" and part.name.split(" ")[0].strip("{}.") == "mermaid":
            self._diagram(part)
        elif part.kind == "fence" and part.name == "slide":
            self._given_slide(part)
        elif part.text.strip():
            self._code(part)

    def _diagram(self, part: MarkdownPart) -> None:
        flow = flow_of_mermaid(part.text)
        if isinstance(flow, str):
            self._tell(part.line, f"the diagram stands as its source: {flow}")
            self._code(part)
        else:
            self._objects.append(flow)

    def _code(self, part: MarkdownPart) -> None:
        if part.name.startswith("md magic-move") and (steps := _CODE_STEP.findall(part.text)):
            self._tell(part.line, f"of {len(steps)} steps of code the last is shown")
            part = replace(part, name=steps[-1][0], text=steps[-1][1])
        lines = part.text.rstrip().expandtabs(4).splitlines()
        language = re.search(r"[\w+#-][\w+#.-]*", part.name)
        self._objects.append(
            CodePlan(lines=tuple(lines), language=language[0] if language else None)
        )

    def _given_slide(self, part: MarkdownPart) -> None:
        """A layout and its content as JSON, as a plan has them."""
        try:
            given = json.loads(part.text)
            checked = SlidePlan.model_validate_json(json.dumps({"title": "-", **given}))
        except (ValueError, TypeError) as error:
            fault = first_fault(error) if isinstance(error, ValidationError) else str(error)
            self._tell(part.line, f"the slide is none: {fault}")
            self._notes.append(part.text)
            return
        self._given = {name: getattr(checked, name) for name in given}

    def _picture(self, part: MarkdownPart) -> None:
        address = urlsplit(part.name)
        if address.scheme or address.netloc:
            self._tell(part.line, f"the picture {part.name[:80]} is no file; nothing is fetched")
            return
        path = self._file.parent / unquote(part.name)
        if not path.is_file():
            self._tell(part.line, f"the picture {part.name[:80]} is not there")
            return
        behind, words, width = picture_words(part.text)
        self._left = self._left or "left" in behind
        photograph = path.suffix.lower() in (".jpg", ".jpeg")
        kind = part.by if part.by in ("photograph", "figure") else ""
        self._objects.append(
            PicturePlan(
                path=str(path),
                alt=words or path.stem,
                width=width,
                kind=cast(Any, kind or ("photograph" if photograph else "figure")),
            )
        )

    def _table(self, part: MarkdownPart) -> None:
        if "chart" in self._values:
            self._chart(part.line, part.rows)
            return
        header = tuple(part.rows[0])
        if len(part.rows) < 2:
            self._tell(part.line, "a table of headings alone is shown as a list")
            self._group().items.extend(ListItem(name, 0) for name in header)
            return
        self._objects.append(TablePlan(header=header, rows=part.rows[1:], align=part.sides))

    def _chart(self, line: int, rows: Sequence[tuple[str, ...]]) -> None:
        made = chart_of_rows(rows, self._values, self._source)
        if isinstance(made, ChartPlan):
            self._objects.append(made)
            return
        self._tell(line, f"no chart can be made: {made}")
        if len(rows) > 1 and len({len(row) for row in rows}) == 1:
            self._objects.append(TablePlan(header=rows[0], rows=tuple(rows[1:])))
        else:
            self._notes += ["; ".join(row) for row in rows]

    # layouts

    def _layout(self) -> LayoutName:
        """The layout that the slide names, where it can be filled; else what fits."""
        name = self._values.get("layout")
        return name if name else self._fitting()

    def _fitting(self) -> LayoutName:
        if self._objects:
            return self._object_layout(self._objects[0])
        if self._groups:
            return self._text_layout()
        return "title" if self._first else "closing" if self._last else "section"

    def _object_layout(self, shown: _Object) -> LayoutName:
        """The layout of an object; that of the text where both do not fit one slide."""
        alone: dict[type, LayoutName] = {
            PicturePlan: "picture_full", ChartPlan: "chart", TablePlan: "table", Quote: "quote",
            CodePlan: "code", FlowPlan: "flowchart", _Steps: "process",
        }  # fmt: skip
        beside: dict[type, LayoutName] = {
            PicturePlan: "picture_right", ChartPlan: "chart_takeaways", CodePlan: "code",
        }  # fmt: skip
        name = alone[type(shown)]
        if not self._groups or (name in _SHOWS_SUBTITLE and self._lead()):
            return name
        items = [item for group in self._groups for item in group.items]
        short = sum(len(item.text) for item in items) <= _BESIDE_CHARACTERS
        if type(shown) in beside and short and len(items) <= _BESIDE_POINTS:
            return "picture_left" if name == "picture_full" and self._left else beside[type(shown)]
        return self._text_layout()

    def _lead(self) -> str:
        """The text of a slide where it is one short paragraph that can be its subtitle."""
        plain = not (self._lists or self._after_code)
        single = plain and len(self._groups) == 1 and not self._groups[0].marked
        items = self._groups[0].items if single else []
        fits = len(items) == 1 and len(items[0].text) <= _SUBTITLE_CHARACTERS
        return items[0].text if fits and not (self._subtitle or "subtitle" in self._values) else ""

    def _lead_above(self) -> str:
        """A short paragraph above columns that can be the subtitle; empty if there is none."""
        first = self._groups[0]
        fits = not first.marked and len(first.items) == 1 and not first.items[0].mark
        short = fits and len(first.items[0].text) <= _SUBTITLE_CHARACTERS
        known = self._subtitle or "subtitle" in self._values
        return first.items[0].text if short and not known else ""

    def _text_layout(self) -> LayoutName:
        marked = [group for group in self._groups if group.marked]
        if len(marked) > 1 and len(marked) == len(self._groups):
            if all(group.heading and len(group.items) < 2 for group in marked):
                return "cards"
            if len(marked) < 4 and all(group.items for group in marked):
                return "two_columns" if len(marked) == 2 else "three_columns"
        if len(marked) in (2, 3) and self._lead_above() and all(group.items for group in marked):
            return "two_columns" if len(marked) == 2 else "three_columns"
        texts = [item for group in self._groups for item in group.items]
        if self._first and not (marked or self._lists or self._objects) and len(texts) < 3:
            return "title"
        return "body"

    def _next(self, layout: LayoutName) -> _Fields:
        """The fields of a slide of a layout, taken from what is left; of what fits where it cannot
        be filled."""
        fields = self._fields(layout)
        if fields is None:
            self._values.pop("layout", None)
            other = self._instead(layout)
            if other == "statement":
                return {"layout": other, **(self._fields(other) or {})}
            self._tell(self._line, f"the slide does not hold what the layout {layout!r} shows; "
                       f"it is shown as {other!r}")  # fmt: skip
            fields, layout = self._fields(other) or {"body": self._all_points()}, other
        return {"layout": layout, **fields}

    def _instead(self, layout: LayoutName) -> LayoutName:
        """The layout for what a named one does not show: a heading that is a quote or a number with
        its words (Slidev) is a statement."""
        stated = layout in ("quote", "big_numbers") and not (self._objects or self._lists)
        return "statement" if stated and self._title and self._groups else self._fitting()

    def _fields(self, layout: LayoutName) -> _Fields | None:
        """The content of a layout, taken from what is left; None if what is left is none."""
        left = deepcopy((self._groups, self._objects, self._values, self._subtitle))
        fields = self._taken(layout)
        try:
            SlidePlan(layout=layout, title="-", **(fields or {}))
        except ValidationError:
            self._groups, self._objects, self._values, self._subtitle = left
            return None
        return fields

    def _taken(self, layout: LayoutName) -> _Fields | None:
        if layout in ("title", "section", "closing"):
            return self._large(layout)
        if layout in _BODY_LAYOUTS:
            points = self._all_points()
            first = int(self._values.pop("first", "1") or 1)
            asked = {"key": 0} if layout == "call_to_action" and len(points) > 1 else {}
            fields = {"body": points, "first": first, **asked, **self._below(layout)}
            return fields if points else None
        if layout in _COLUMN_LAYOUTS:
            return self._columns(layout)
        if layout in _STEP_FIELDS or layout in _NUMBER_LAYOUTS:
            return self._rows(layout)
        return self._shown(layout)

    def _below(self, layout: str) -> _Fields:
        subtitle = self._values.pop("subtitle", "") or self._subtitle
        self._subtitle = ""
        return {"subtitle": subtitle} if subtitle else {}

    def _large(self, layout: str) -> _Fields | None:
        """Title, section, closing: the first paragraph is the subtitle, the second the byline."""
        fields = self._below(layout)
        texts = [item.text for group in self._groups for item in group.items]
        marked = any(group.marked for group in self._groups)
        if byline := self._values.pop("byline", ""):
            fields["byline"] = byline
        if layout == "closing" and self._lists:
            fields["body"] = self._all_points()
            return fields
        for name in ("subtitle", "byline") if layout == "title" else ("subtitle",):
            if texts and name not in fields:
                fields[name] = texts.pop(0)
        if texts or marked or self._lists:
            return None
        self._groups = []
        return fields

    def _listed(self) -> list[ListItem]:
        """The outermost points of what is left, if it is lists only; else none."""
        if not self._lists or any(group.marked or group.heading for group in self._groups):
            return []
        return [item for group in self._groups for item in group.items if item.level == 0]

    def _all_points(self) -> tuple[Point, ...]:
        points: list[Point] = []
        for group in self._groups:
            if group.heading:
                points.append(Point(text=bold(group.heading), mark=""))
            points += points_of(group.items, 1 if group.heading else 0)
        self._groups = []
        return tuple(points)

    def _columns(self, layout: LayoutName) -> _Fields | None:
        groups = self._groups
        if len(groups) == 1 and not groups[0].marked:
            groups = by_outer_points(groups[0])
        lead = self._lead_above() if len(groups) == _COLUMN_LAYOUTS[layout] + 1 else ""
        groups = groups[1:] if lead else groups
        filled = [group for group in groups if group.items]
        if len(filled) != _COLUMN_LAYOUTS[layout] or len(filled) != len(groups):
            return None
        if LAYOUTS[layout].headings and not all(group.heading for group in filled):
            return None
        columns = tuple(
            Column(heading=group.heading or None, points=group.points) for group in filled
        )
        self._groups = []
        return {"columns": columns, **({"subtitle": lead} if lead else self._below(layout))}

    def _rows(self, layout: LayoutName) -> _Fields | None:
        """Cards, steps, dates or numbers: of headings with text, or of the items of a list."""
        steps, first = self._step_items()
        least, most = LAYOUTS[layout].count or (1, len(steps))
        texts = layout == "faq" or layout in _NUMBER_LAYOUTS
        if not least <= len(steps) <= most or (texts and not all(step.text for step in steps)):
            return None
        made: _Fields
        if layout in _NUMBER_LAYOUTS:
            made = {"numbers": tuple(
                BigNumber(value=step.label, label=step.text or "") for step in steps
            )}  # fmt: skip
            change = self._values.pop("change", "")
            if change and len(steps) == 2:
                made["change"] = change
            elif change:
                self._tell(self._line, f"a change is between 2 numbers, not {len(steps)}")
        else:
            made = {_STEP_FIELDS[layout]: tuple(steps)}
            if layout == "process" and first > 1:
                made["first"] = first
        if self._objects and isinstance(self._objects[0], _Steps):
            self._objects.pop(0)
            lead = self._lead()
        else:
            self._groups, lead = [], ""
        made |= self._below(layout)
        if lead:
            made["subtitle"], self._groups = lead, []
        return made

    def _step_items(self) -> tuple[list[Step], int]:
        if self._objects and isinstance(self._objects[0], _Steps):
            return steps_of(self._objects[0].items), self._objects[0].first
        marked = [group for group in self._groups if group.marked and group.heading]
        if marked and len(marked) == len(self._groups):
            texts = [joined("; ", (item.text for item in group.items)) for group in marked]
            return [
                Step(label=group.heading, text=text or None)
                for group, text in zip(marked, texts, strict=True)
            ], 1
        items: list[ListItem] = []
        for group in self._groups:
            deeper = 1 if group.heading else 0
            items += [ListItem(group.heading, 0)] if group.heading else []
            items += [replace(item, level=item.level + deeper) for item in group.items]
        return steps_of(items), 1

    def _shown(self, layout: LayoutName) -> _Fields | None:
        """A picture, chart, table or quote, with the text that the layout shows beside it."""
        name, kind = _OBJECT_LAYOUTS[layout]
        shown = next((one for one in self._objects if isinstance(one, kind)), None)
        if shown is None:
            return None
        self._objects.remove(shown)
        fields: _Fields = {name: shown}
        if layout in ("picture_left", "picture_right", "picture_half", "chart_takeaways"):
            points = self._all_points()
            return {**fields, "body": points} if points else fields
        if layout == "quote":
            return fields
        if (
            1
            <= self._beside_count(layout)
            <= (_BESIDE_TABLE if layout == "table" else _BESIDE_POINTS)
        ):
            fields["body"] = self._all_points()
        if lead := self._lead():
            self._groups, fields["subtitle"] = [], lead
        return {**self._below(layout), **fields}

    def _beside_count(self, layout: LayoutName) -> int:
        """How many points may stand beside a table or code; 0 for text that may not."""
        if layout == "code" and not self._lead():
            return sum(len(group.items) + bool(group.heading) for group in self._groups)
        return len(self._listed()) if layout in ("code", "table") else 0

    # what all slides of it share

    def _common(self, section: str | None) -> _Fields:
        fields: _Fields = {"section": section, "notes": "\n".join(self._notes).strip()}
        charted = any(key in self._values for key in ("chart",))
        source = self._values.get("source", "")
        if source and ("chart-source" in self._values or not charted):
            fields["source"] = source
        role = self._values.get("role", "")
        if role in ("opening", "contents", "section", "body", "ending"):
            fields["role"] = cast(Role, role)
        elif role:
            self._tell(self._line, f"there is no role {role!r}")
        if left := self._subtitle or self._values.get("subtitle"):
            self._tell(self._line, f"the layout shows no subtitle; it stands in the notes: {left}")
            fields["notes"] = f"{left}\n{fields['notes']}".strip()
        return fields

    def _made_up_title(self, made: Sequence[_Fields], before: str) -> str:
        """The title of a slide without a heading: its picture's words, else that before it."""
        picture = made[0].get("picture")
        title = picture.alt if picture is not None else before
        if len(title) > _TITLE_CHARACTERS:
            title = before
        self._tell(self._line, f"the slide has no heading; its title is {title!r}")
        return str(title)
