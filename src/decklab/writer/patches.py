"""Changes to one slide of a plan that mend what is wrong with it as it is drawn.

None of them adds anything: a shorter text has only words and numbers of the longer one, so that the
evidence of a point still proves it; everything else moves to another layout or to a slide of its
own. Only a picture that does not fit its words may go, which is told.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from decklab.board.blueprint import LayoutName, Point, SlidePlan, Step
from decklab.board.splitting import split
from decklab.core.errors import fault_words
from decklab.documents.numbers import parse_numbers
from decklab.documents.retrieval import search_words
from decklab.models.asking import StrictForm

PatchAction = Literal["shorten", "layout", "split", "picture_alone", "without_picture", "smaller"]


class SlidePatch(StrictForm):
    """One change to a slide. Text is counted from 1; 0, "" and "" where the action needs none."""

    action: PatchAction
    text_number: int
    """Of the text to shorten."""
    text: str
    """The shorter text."""
    layout: str
    """The layout to use."""
    reason: str = Field(min_length=1)


class PatchRefused(ValueError):
    """A change that cannot be made of this slide; the message says why."""


@dataclass(frozen=True)
class PatchedSlide:
    """The slides that take the place of one, and what was done, in words."""

    slides: tuple[SlidePlan, ...]
    words: str


_DENIALS: Final = frozenset({
    "no", "not", "never", "none", "nor", "neither", "without", "hardly", "only", "except", "unless",
    "cannot", "less", "fewer", "nicht", "kein", "keine", "keinen", "nie", "ohne", "nur", "kaum",
    "weniger", "ne", "pas", "jamais", "sans", "sin", "nunca",
})  # fmt: skip
"""Words without which a text says something else."""
_TEXT_FIELDS: Final = ("body", "columns", "numbers", "steps", "cards")


def slide_for_model(slide: SlidePlan) -> str:
    """What a slide shows as JSON, without notes and names of files, which differ from run to run.

    >>> slide_for_model(SlidePlan(layout="section", title="One", notes="Two"))
    '{"layout":"section","title":"One"}'
    """
    left_out: dict[str, Any] = {"notes": True, "section": True, "picture": {"path"}}
    return slide.model_dump_json(exclude_defaults=True, exclude=left_out)


def slide_texts(slide: SlidePlan) -> list[str]:
    """The texts of a slide that can be shortened, in their order: title, then its contents.

    >>> slide_texts(SlidePlan(layout="body", title="One", body=(Point(text="Two"),)))
    ['One', 'Two']
    """
    return [text for text, _ in _texts(slide)]


def _texts(slide: SlidePlan) -> Iterator[tuple[str, Callable[[str], SlidePlan]]]:
    """Each text with what makes the slide with another one in its place."""
    yield slide.title, lambda text: slide.model_copy(update={"title": text})
    for field in _TEXT_FIELDS:
        items = getattr(slide, field)
        for at, item in enumerate(items):
            if field == "columns":
                for place, point in enumerate(item.points):
                    yield point.text, _in_column(slide, at, place)
                continue
            name = "label" if field == "numbers" else "text"
            if field in ("steps", "cards") and item.text is None:
                name = "label"
            yield getattr(item, name), _in_field(slide, field, at, name)


def _in_field(slide: SlidePlan, field: str, at: int, name: str) -> Callable[[str], SlidePlan]:
    def changed(text: str) -> SlidePlan:
        items = list(getattr(slide, field))
        items[at] = items[at].model_copy(update={name: text})
        return slide.model_copy(update={field: tuple(items)})

    return changed


def _in_column(slide: SlidePlan, at: int, place: int) -> Callable[[str], SlidePlan]:
    def changed(text: str) -> SlidePlan:
        columns = list(slide.columns)
        points = list(columns[at].points)
        points[place] = points[place].model_copy(update={"text": text})
        columns[at] = columns[at].model_copy(update={"points": tuple(points)})
        return slide.model_copy(update={"columns": tuple(columns)})

    return changed


def patched(slide: SlidePlan, patch: SlidePatch) -> PatchedSlide:
    """A slide with one change made. Raises PatchRefused, in words for a model."""
    if patch.action == "shorten":
        return _shortened(slide, patch.text_number, patch.text)
    if patch.action == "layout":
        return relaid(slide, patch.layout)
    return _SIMPLE[patch.action](slide)


def _shortened(slide: SlidePlan, number: int, text: str) -> PatchedSlide:
    texts = list(_texts(slide))
    if not 1 <= number <= len(texts):
        raise PatchRefused(f"text_number: there is no text {number}; name one to {len(texts)}")
    old, change = texts[number - 1]
    new = " ".join(text.split())
    if not new or len(new) >= len(old):
        raise PatchRefused("text: it has to be shorter than the one in its place, and not empty")
    known = set(search_words(old))
    added = [word for word in new.split() if not known.issuperset(search_words(word))]
    if added:
        raise PatchRefused(f"text: {added[0]!r} does not stand in the longer text; only leave out")
    denied = _DENIALS.intersection(old.lower().split()).difference(new.lower().split())
    if denied:
        raise PatchRefused(f"text: without {min(denied)!r} it says something else")
    values = {value for item in parse_numbers(old) for value in item.values}
    if any(not values.issuperset(item.values) for item in parse_numbers(new)):
        raise PatchRefused("text: it has a number that does not stand in the longer text")
    return PatchedSlide((_checked(change(new)),), f"“{old}” was shortened to “{new}”")


def relaid(slide: SlidePlan, layout: str) -> PatchedSlide:
    """The same contents in another layout. Raises PatchRefused where it does not show them."""
    if layout == slide.layout:
        raise PatchRefused(f"layout: the slide has the layout {layout!r} already")
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
    return PatchedSlide(tuple(map(_checked, parts)), "it was split into two slides")


def _picture_alone(slide: SlidePlan) -> PatchedSlide:
    """What a slide shows on a slide of its own, its words on the one before."""
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


def _without_picture(slide: SlidePlan) -> PatchedSlide:
    if slide.picture is None or not slide.body:
        raise PatchRefused("action: there is no picture beside words")
    content = slide.model_dump(exclude={"layout", "picture", "source"})
    alone = _validated({**content, "layout": "body"}, "action")
    return PatchedSlide((alone,), f"the picture was left out: {slide.picture.alt}")


def _smaller(slide: SlidePlan) -> PatchedSlide:
    if slide.text_size == "small":
        raise PatchRefused("action: its text is at the scale's small size already")
    made = slide.model_copy(update={"text_size": "small"})
    return PatchedSlide((made,), "its text was set at the scale's small size")


_SIMPLE: Final[dict[PatchAction, Callable[[SlidePlan], PatchedSlide]]] = {
    "split": _split, "picture_alone": _picture_alone, "without_picture": _without_picture,
    "smaller": _smaller,
}  # fmt: skip

_ALIKE: Final[dict[LayoutName, tuple[LayoutName, ...]]] = {
    "body": ("cards",), "cards": ("body",), "process": ("cards", "body"),
    "timeline": ("process", "body"), "picture_right": ("picture_left",),
    "picture_left": ("picture_right",), "comparison": ("two_columns",),
}  # fmt: skip
"""Layouts that show the same contents, in the order in which they are tried without a model."""


def patches_by_rule(slide: SlidePlan) -> Iterator[PatchedSlide]:
    """The changes that a program tries on a slide with defects, those that change least first."""
    tries = [partial(change, slide) for change in (_picture_alone, _split, _smaller)]
    tries += [partial(relaid, slide, name) for name in _ALIKE.get(slide.layout, ())]
    for change in tries:
        try:
            yield change()
        except PatchRefused:
            continue


def _checked(slide: SlidePlan) -> SlidePlan:
    return _validated(slide.model_dump(), "text")


def _validated(content: dict[str, Any], place: str) -> SlidePlan:
    try:
        return SlidePlan.model_validate(content, strict=False)
    except ValidationError as error:
        raise PatchRefused(f"{place}: {fault_words(error.errors()[0])}") from error
