"""The pages around what a deck says: its title page, its contents, and how it ends."""

from dataclasses import dataclass

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.library import Role
from decklab.core.errors import PlanError
from decklab.writer.request import WriteOptions
from decklab.writer.wording import fixed_words

_MOST_ENTRIES = 10


@dataclass(frozen=True)
class Framed:
    """A plan with the pages around it that are wanted, and what could not be done."""

    plan: DeckPlan
    told: tuple[str, ...] = ()


def framed(plan: DeckPlan, options: WriteOptions) -> Framed:
    """A plan with or without title page, contents and ending, as ``options`` say.

    What they do not say stays as it is. A contents page lists the sections, or the titles where
    there are no two sections; where there are no two titles either, there is none, and that is
    told. Raises PlanError where no slide would be left.
    """
    slides, told = list(plan.slides), []
    unwanted: set[Role] = set()
    wanted: dict[Role, bool | None] = {
        "opening": options.title_page, "contents": options.contents, "ending": options.closing,
    }  # fmt: skip
    unwanted = {role for role, choice in wanted.items() if choice is False}
    slides = [slide for slide in slides if slide.shown_role not in unwanted]
    if not slides:
        raise PlanError("no slide is left without title page, contents and closing")
    roles = {slide.shown_role for slide in slides}
    if options.title_page and "opening" not in roles:
        slides.insert(0, SlidePlan(layout="title", title=plan.title))
    if options.contents and "contents" not in roles:
        entries = _entries(slides)
        if len(entries) < 2:
            told.append("no contents page: there are no two sections or titles to list")
        else:
            place = sum(slide.shown_role == "opening" for slide in slides[:1])
            slides.insert(place, _contents(plan, entries))
    if options.closing and "ending" not in roles:
        slides.append(SlidePlan(layout="closing", title=plan.title))
    return Framed(with_slides(plan, slides), tuple(told))


def with_slides(plan: DeckPlan, slides: list[SlidePlan]) -> DeckPlan:
    """A plan with other slides; its sections are those that the slides name."""
    if tuple(slides) == plan.slides:
        return plan
    sections = tuple(dict.fromkeys(slide.section for slide in slides if slide.section))
    return plan.model_copy(update={"slides": tuple(slides), "sections": sections})


def _entries(slides: list[SlidePlan]) -> tuple[str, ...]:
    sections = tuple(dict.fromkeys(slide.section for slide in slides if slide.section))
    titles = tuple(
        dict.fromkeys(slide.title for slide in slides if slide.shown_role in ("body", "section"))
    )
    return sections if len(sections) > 1 else titles[:_MOST_ENTRIES]


def _contents(plan: DeckPlan, entries: tuple[str, ...]) -> SlidePlan:
    return SlidePlan(
        layout="contents",
        title=fixed_words(plan.language).contents,
        body=tuple(Point(text=name) for name in entries),
    )
