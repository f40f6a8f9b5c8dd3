"""Changes to one slide of a plan by rule, which mend what is wrong with it as it is drawn.

None of them adds or drops anything: contents move to another layout or slide, or get smaller.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from decklab.board.blueprint import SlidePlan
from decklab.board.library import LayoutName
from decklab.board.splitting import split
from decklab.core.errors import PlanError
from decklab.writer.wishes import in_layout


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


def _relaid(slide: SlidePlan, layout: LayoutName) -> PatchedSlide | None:
    """The same contents in another layout; None if it does not show all of them."""
    words = f"the layout {slide.layout} gave way to {layout}"
    if slide.picture:
        return PatchedSlide((slide.model_copy(update={"layout": layout}),), words)
    made = in_layout(slide.model_copy(update={"subtitle": None}), layout)
    kept = {name: getattr(slide, name) for name in ("subtitle", "first", "text_size")}
    if len(made.slide.items) == len(slide.items):
        kept["key"] = slide.key
    moved = made.slide.model_copy(update=kept)
    return None if made.told else PatchedSlide((moved,), words)


def _split(slide: SlidePlan) -> PatchedSlide | None:
    parts = split(slide, 2)
    return PatchedSlide(tuple(parts), "it was split into two slides") if len(parts) == 2 else None


def _picture_alone(slide: SlidePlan) -> PatchedSlide | None:
    """The visual of a slide on a slide of its own, its words on the one before."""
    shown = "picture" if slide.picture else "chart" if slide.chart else ""
    if not slide.body or not shown:
        return None
    left_out = {"layout", "body", "picture", "chart", "source"}
    base = {name: getattr(slide, name) for name in SlidePlan.model_fields if name not in left_out}
    words = SlidePlan(**{**base, "layout": "body", "body": slide.body})
    own = {"layout": "picture_full" if slide.picture else "chart", shown: getattr(slide, shown)}
    alone = SlidePlan(**{**base, "key": None, "notes": "", "source": slide.source, **own})
    return PatchedSlide((words, alone), "what it shows went to a slide of its own")


def _smaller(slide: SlidePlan) -> PatchedSlide | None:
    if slide.text_size == "small":
        return None
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
    tries: list[Callable[[SlidePlan], PatchedSlide | None]] = [_picture_alone, _split, _smaller]
    tries += [partial(_relaid, layout=name) for name in _ALIKE.get(slide.layout, ())]
    for change in tries:
        try:
            made = change(slide)
        except (PlanError, ValidationError):
            continue
        if made is not None:
            yield made
