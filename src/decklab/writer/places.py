"""Places on the grid for the contents of slides, given by a model: paper 004, section V-C.

The layouts of the library hold every slide; a model may give the contents of a slide places of
their own. A program checks them, with the text fitted in, and where they do not hold the layout
stays.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from decklab.board.blueprint import DeckPlan, GridBox, SlidePlan
from decklab.board.compose import compose
from decklab.board.free_layout import content_names, content_rows, place_problems
from decklab.board.themes import DesignTheme
from decklab.core.errors import PlanError
from decklab.models.asking import PARALLEL, Ask, StrictForm, Usage, fill_prompt
from decklab.models.reading import Unanswered, answered
from decklab.writer.patches import slide_for_model

_LEAST_CONTENTS = 2
"""What a slide has to hold for a model to be asked: one content alone has no arrangement."""


class ContentPlace(StrictForm):
    """Where one content stands: columns of 12, rows of 8 pixels from the top of the slide."""

    content: str
    column: int
    columns: int
    row: int
    rows: int


class PlacedContents(StrictForm):
    """Places for all contents of a slide."""

    places: tuple[ContentPlace, ...]


@dataclass(frozen=True)
class PlacedPlan:
    """A plan whose slides may have places of their own, which do not, and what it cost."""

    plan: DeckPlan
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


def ask_places(
    plan: DeckPlan, theme: DesignTheme, ask: Ask, *, parallel: int = PARALLEL
) -> PlacedPlan:
    """Have a model arrange the contents of the slides that hold two or more and have no places.

    Places that do not hold are sent back with the cause; after three tries the slide keeps the
    layout of the library, which is told. Raises what ``ask`` raises.
    """
    asked = [
        at
        for at, slide in enumerate(plan.slides)
        if not slide.boxes and len(content_names(slide)) >= _LEAST_CONTENTS
    ]
    with ThreadPoolExecutor(parallel) as pool:
        made = list(pool.map(lambda at: _placed(plan, at, theme, ask), asked))
    slides = list(plan.slides)
    told: list[str] = []
    usage = Usage()
    for at, (slide, problem, spent) in zip(asked, made, strict=True):
        slides[at] = slide
        usage += spent
        if problem:
            told.append(f"slide {at + 1}: the layout of the library stays: {problem}")
    return PlacedPlan(plan.model_copy(update={"slides": tuple(slides)}), tuple(told), usage)


def _placed(plan: DeckPlan, at: int, theme: DesignTheme, ask: Ask) -> tuple[SlidePlan, str, Usage]:
    slide = plan.slides[at]

    def check(got: PlacedContents) -> str | None:
        return _problem(_with_places(slide, got.places), plan, theme)

    first, end = content_rows(slide)
    text = fill_prompt(
        "decklab.writer",
        "prompts/layout.txt",
        slide=slide_for_model(slide),
        contents=", ".join(content_names(slide)),
        first=str(first),
        end=str(end),
    )
    try:
        reply = answered(ask, text, PlacedContents, check=check, stage="layout")
    except Unanswered as error:
        return slide, error.problem, error.usage
    return _with_places(slide, reply.answer.places), "", reply.usage


def _with_places(slide: SlidePlan, places: Sequence[ContentPlace]) -> SlidePlan:
    """The slide with places as they were given; wrong ones are for ``place_problems`` to find."""
    boxes = tuple(GridBox.model_construct(**place.model_dump()) for place in places)
    return slide.model_copy(update={"boxes": boxes})


def _problem(slide: SlidePlan, plan: DeckPlan, theme: DesignTheme) -> str | None:
    for place in slide.boxes:
        if min(place.column, place.columns, place.rows) < 1 or place.row < 0:
            return f"{place.content}: columns and rows are counted from 1, and it spans at least 1"
    problem = next(place_problems(slide), None)
    if problem is not None:
        return problem
    alone = plan.model_copy(update={"slides": (slide,)})
    try:
        told = compose(alone, theme).told
    except PlanError as error:
        return str(error)
    return told[0].split(": ", 2)[-1] if told else None
