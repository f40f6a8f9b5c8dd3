"""The content of a planned slide in the terms of examples: points, items, or one object."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from decklab.board.blueprint import ChartPlan, PicturePlan, Point, SlidePlan, TablePlan
from decklab.board.examples.slots import TextLine
from decklab.board.splitting import split


@dataclass(frozen=True)
class ContentItem:
    """A card, column, step or number: what stands out, and the text below it."""

    label: str
    lines: tuple[TextLine, ...] = ()

    def as_lines(self, levels: int = 2) -> tuple[TextLine, ...]:
        """Both as paragraphs, the text one level below; as one paragraph where there is only one
        level to tell them apart by, and the text is one too."""
        if levels < 2 and len(self.lines) == 1:
            return ((f"{self.label.rstrip(':')}: {self.lines[0][0]}", 0),)
        return ((self.label, 0), *((text, level + 1) for text, level in self.lines))


@dataclass(frozen=True)
class Content:
    """What a slide shows beside its title."""

    title: str
    subtitle: str | None
    points: tuple[TextLine, ...] = ()
    items: tuple[ContentItem, ...] = ()
    shown: ChartPlan | TablePlan | PicturePlan | None = None
    ordered: bool = False
    """Whether the items are steps in time."""
    numbers: bool = False
    """Whether the labels of items are numbers to be seen from afar."""

    @property
    def kind(self) -> Literal["picture", "chart", "table"] | None:
        """What kind of object it shows."""
        if self.shown is None:
            return None
        if isinstance(self.shown, ChartPlan):
            return "chart"
        return "table" if isinstance(self.shown, TablePlan) else "picture"


def content_of(plan: SlidePlan) -> Content:
    """The content of a planned slide."""
    points = tuple((point.text, point.level) for point in plan.body)
    if plan.quote is not None:
        by = ((f"— {plan.quote.by}", 0),) if plan.quote.by else ()
        points = ((f"“{plan.quote.text}”", 0), *by)
    subtitle = " · ".join(text for text in (plan.subtitle, plan.byline) if text) or None
    return Content(
        plan.title, subtitle, points, tuple(_items(plan)),
        plan.chart or plan.table or plan.picture,
        ordered=bool(plan.steps), numbers=bool(plan.numbers),
    )  # fmt: skip


def _items(plan: SlidePlan) -> Iterator[ContentItem]:
    for column in plan.columns:
        lines = _lines(column.points)
        if column.heading is None:
            yield ContentItem(lines[0][0], lines[1:])
        else:
            yield ContentItem(column.heading, lines)
    for number in plan.numbers:
        yield ContentItem(number.value, ((number.label, 0),))
    for step in (*plan.steps, *plan.cards):
        yield ContentItem(step.label, ((step.text, 0),) if step.text else ())


def _lines(points: tuple[Point, ...]) -> tuple[TextLine, ...]:
    return tuple((point.text, point.level) for point in points)


def parts_of(plan: SlidePlan, parts: int) -> list[SlidePlan]:
    """A slide in so many parts; what stands beside an object goes on over slides of its own."""
    if parts > 1 and plan.body and (plan.chart or plan.picture):
        alone = plan.model_copy(
            update={"layout": "chart" if plan.chart else "picture_full", "body": ()}
        )
        words = plan.model_copy(
            update={
                "layout": "body", "chart": None, "picture": None, "notes": "",
                "source": plan.shown_source,
            }
        )  # fmt: skip
        rest = split(words, parts - 1)
        if len(rest) != parts - 1:
            return [plan]
        return [
            part.model_copy(update={"title": f"{plan.title} ({number}/{parts})"})
            for number, part in enumerate((alone, *rest), start=1)
        ]
    return split(plan, parts)
