"""The steps of an edit: paper 003, section 4 and appendix G.1.

The router chooses the path of each step and its slides. The paper's section 4 shows the router
pictures, its appendix a summary in JSON alone; this is the appendix's, so that a small fast model
will do.
"""

from collections.abc import Collection
from typing import Literal

from pydantic import Field

from decklab.core.options import EditPaths
from decklab.deck.views.snapshot import Snapshot
from decklab.editor.conversation import Conversation, prompt, with_less
from decklab.editor.outline import (
    DETAIL_CHARACTERS,
    OUTLINE_CHARACTERS,
    deck_outline,
    slides_in_full,
    slides_named_in,
    text_view,
)
from decklab.models.asking import StrictForm

MOST_STEPS = 4
"""Steps of one edit. Ours: each costs a call of the model in every round."""
ROUTE_CHARACTERS = OUTLINE_CHARACTERS
"""Most characters of what the router is shown of slides, and of the outline beside it. Ours."""


class RouteStep(StrictForm):
    """One step of an edit, made in one way."""

    path: Literal["program", "xml", "texts"]
    """``texts``: the model gives new words for old ones; counts as a program in paper 003's
    ablation."""
    task: str = Field(min_length=1)
    """What this step has to do, in words that need no other step."""
    slides: tuple[int, ...]
    """Numbers of the slides it works on; empty for the deck as a whole."""


class Route(StrictForm):
    """How an edit will be made, step after step; ``cannot`` says why it cannot be, else empty."""

    steps: tuple[RouteStep, ...]
    cannot: str

    @property
    def slides(self) -> tuple[int, ...]:
        """All slides that it works on."""
        return tuple(sorted({number for step in self.steps for number in step.slides}))


def find_route(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    *,
    paths: EditPaths = "hybrid",
    slides: Collection[int] | None = None,
) -> Route:
    """Ask a model for the steps of an edit.

    With ``slides`` no other slides may be changed. If ``paths`` is one path, every step takes
    it, but steps of texts stay if that is ``program``; neighbouring steps of one path are
    joined. Raises Unanswered if no answer can be used.
    """
    named = slides_named_in(instruction, snapshot) if slides is None else tuple(sorted(slides))
    count = len(snapshot["slides"])

    def asked(most: int) -> Route:
        text = prompt(
            "route",
            instruction=instruction,
            outline=deck_outline(snapshot, most=most),
            named=_named_words(snapshot, named, most),
            bound=bound_words(slides),
            most=str(MOST_STEPS),
        )
        return conversation.answer(
            "route", text, Route, check=lambda got: _route_problem(got, count, slides)
        )

    route = with_less(asked, ROUTE_CHARACTERS)
    steps = tuple(_bounded(_forced(step, paths), slides) for step in route.steps)
    return Route(steps=_joined(steps), cannot=route.cannot.strip())


def route_material(snapshot: Snapshot, route: Route, *, most: int = DETAIL_CHARACTERS) -> str:
    """Material on its slides that the plan of an edit needs, beside the outline.

    If an edit only changes texts this is the words, of the whole deck if a step names no slide.
    Empty if no slide is named and more than words is to change.
    """
    if route.steps and all(step.path == "texts" for step in route.steps):
        whole = not all(step.slides for step in route.steps)
        view = text_view(snapshot, None if whole else route.slides, most=most)
        return f"(their words)\n{view.lines}"
    return slides_in_full(snapshot, route.slides, most=most)


def _named_words(snapshot: Snapshot, named: Collection[int], most: int) -> str:
    """The slides that a request names, in full; the words of all slides where it names none."""
    if named:
        shown = slides_in_full(snapshot, named, most=most)
        return f"Slides that the request seems to name, in full:\n{shown}"
    view = text_view(snapshot, most=most)
    left = "" if view.complete else " (as far as there is room)"
    return f"It names no slide. The words of all slides{left}:\n{view.lines or 'none'}"


def _forced(step: RouteStep, paths: EditPaths) -> RouteStep:
    """A step made in the way that is called for; new texts count as a program."""
    if paths == "hybrid" or (paths == "program" and step.path == "texts"):
        return step
    return step.model_copy(update={"path": paths})


def _bounded(step: RouteStep, slides: Collection[int] | None) -> RouteStep:
    """A step on texts that names no slide, on those that may be changed."""
    if step.path != "texts" or step.slides or slides is None:
        return step
    return step.model_copy(update={"slides": tuple(sorted(slides))})


def bound_words(slides: Collection[int] | None) -> str:
    """Which slides may be changed, for a prompt."""
    if slides is None:
        return "The whole deck may be changed where the request asks for it."
    return f"Only these slides may be changed, nothing else: {', '.join(map(str, sorted(slides)))}."


def steps_words(route: Route) -> str:
    """The steps, one a line."""
    return "\n".join(
        f"{number}. ({step.path}) {step.task}" for number, step in enumerate(route.steps, 1)
    )


_BOTH = "give steps, or say in cannot why there are none; one of the two stays empty"


def _route_problem(route: Route, count: int, slides: Collection[int] | None) -> str | None:
    if route.cannot.strip():
        return _BOTH if route.steps else None
    if not 1 <= len(route.steps) <= MOST_STEPS:
        return f"steps: there are {len(route.steps)}; give 1 to {MOST_STEPS}, or say in cannot why"
    # Later steps count slides in the deck that the steps before them leave.
    wrong = [n for n in route.steps[0].slides if n > count] + [n for n in route.slides if n < 1]
    if wrong:
        return f"slides: there is no slide {wrong[0]}; the deck has {count}"
    beyond = sorted(set(route.slides) - set(slides)) if slides is not None else []
    if beyond:
        return f"slides: slide {beyond[0]} may not be changed"
    return None


def _joined(steps: tuple[RouteStep, ...]) -> tuple[RouteStep, ...]:
    found: list[RouteStep] = []
    for step in steps:
        if found and found[-1].path == step.path:
            found[-1] = _two_joined(found[-1], step)
        else:
            found.append(step)
    return tuple(found)


def _two_joined(first: RouteStep, second: RouteStep) -> RouteStep:
    """Two steps of one path as one; if either works on the deck as a whole, so does it."""
    whole = not (first.slides and second.slides)
    numbers = () if whole else tuple(sorted({*first.slides, *second.slides}))
    return RouteStep(path=first.path, task=f"{first.task}\n{second.task}", slides=numbers)
