"""Changes to one slide of a plan by rule, which mend what is wrong with it as it is drawn.

None of them adds or drops anything: contents move to another layout or to a slide of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from decklab.board.blueprint import Point, SlidePlan, Step
from decklab.board.library import LayoutName
from decklab.board.splitting import split
from decklab.core.errors import fault_words


class PatchRefused(ValueError):
    """A change that cannot be made of this slide; the message says why."""


@dataclass(frozen=True)
class PatchedSlide:
    """The slides that take the place of one, and what was done, in words."""

    slides: tuple[SlidePlan, ...]
    words: str


def slide_for_model(slide: SlidePlan) -> str:
    """The content of a slide as JSON, without notes and names of files: these differ by run.

    >>> slide_for_model(SlidePlan(layout="section", title="One", notes="Two"))
    '{"layout":"section","title":"One"}'
    """
    left_out: dict[str, Any] = {"notes": True, "section": True, "picture": {"path"}}
    return slide.model_dump_json(exclude_defaults=True, exclude=left_out)


def relaid(slide: SlidePlan, layout: str) -> PatchedSlide:
    """The same contents in another layout. Raises PatchRefused where it does not show them."""
    content = slide.model_dump(exclude={"layout"})
    steps = slide.steps or slide.cards
    if layout == "cards" and not (slide.picture or slide.chart):
        # Never the other way: what has no order is no process.
        content |= {"steps": (), "body": ()}
        content["cards"] = [step.model_dump() for step in steps or _as_cards(slide.body)]
    if layout == "body" and steps:
        content |= {"steps": (), "cards": ()}
        content["body"] = [point.model_dump() for step in steps for point in _as_points(step)]
    made = _validated({**content, "layout": layout}, f"layout: {layout!r} cannot show this slide")
    return PatchedSlide((made,), f"the layout {slide.layout} gave way to {layout}")


def _as_cards(points: tuple[Point, ...]) -> list[Step]:
    if any(point.level for point in points):
        raise PatchRefused("layout: points below points cannot be cards")
    return [Step(label=point.text) for point in points]


def _as_points(step: Step) -> list[Point]:
    return [Point(text=step.label), *([Point(text=step.text, level=1)] if step.text else [])]


def _split(slide: SlidePlan) -> PatchedSlide:
    parts = split(slide, 2)
    if len(parts) != 2:
        raise PatchRefused("action: this slide cannot be split")
    return PatchedSlide(
        tuple(_validated(part.model_dump(), "text") for part in parts),
        "it was split into two slides",
    )


def _picture_alone(slide: SlidePlan) -> PatchedSlide:
    """The visual of a slide on a slide of its own, its words on the one before."""
    if not slide.body or not (slide.picture or slide.chart):
        raise PatchRefused("action: there is no picture or chart beside words")
    base = slide.model_dump(exclude={"layout", "body", "picture", "chart", "source"})
    words = _validated({**base, "layout": "body", "body": slide.model_dump()["body"]}, "action")
    shown: dict[str, Any] = {**base, "notes": "", "source": slide.source}
    if slide.picture:
        shown |= {"layout": "picture_full", "picture": slide.picture.model_dump()}
    elif slide.chart:
        shown |= {"layout": "chart", "chart": slide.chart.model_dump()}
    alone = _validated(shown, "action")
    return PatchedSlide((words, alone), "what it shows went to a slide of its own")


def _smaller(slide: SlidePlan) -> PatchedSlide:
    if slide.text_size == "small":
        raise PatchRefused("action: its text is at the scale's small size already")
    made = slide.model_copy(update={"text_size": "small"})
    return PatchedSlide((made,), "its text was set at the scale's small size")


_ALIKE: Final[dict[LayoutName, tuple[LayoutName, ...]]] = {
    "body": ("cards",), "cards": ("body",), "process": ("cards", "body"),
    "timeline": ("process", "body"), "picture_right": ("picture_left",),
    "picture_left": ("picture_right",), "comparison": ("two_columns",),
}  # fmt: skip
"""Layouts that show the same contents, in the order in which they are tried without a model."""


def patches_by_rule(slide: SlidePlan) -> Iterator[PatchedSlide]:
    """The changes that a program tries on a slide with defects, those that change least first."""
    tries: list[Callable[[], PatchedSlide]] = []
    tries += [partial(change, slide) for change in (_picture_alone, _split, _smaller)]
    tries += [partial(relaid, slide, name) for name in _ALIKE.get(slide.layout, ())]
    for change in tries:
        try:
            yield change()
        except PatchRefused:
            continue


def _validated(content: dict[str, Any], place: str) -> SlidePlan:
    try:
        return SlidePlan.model_validate(content, strict=False)
    except ValidationError as error:
        raise PatchRefused(f"{place}: {fault_words(error.errors()[0])}") from error
