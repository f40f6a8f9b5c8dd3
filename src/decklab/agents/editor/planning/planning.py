"""The content plan of paper 003, appendix G.1, and what the edited deck will be held against."""

from collections.abc import Collection, Sequence

from decklab.agents.editor.conversation import Conversation
from decklab.agents.editor.planning.answers import EditPlan, PlannedChange, Route
from decklab.agents.editor.planning.outline import deck_outline, slides_in_full
from decklab.agents.editor.planning.routing import bound_words
from decklab.agents.editor.prompts import prompt
from decklab.deck.views.snapshot import Snapshot


def make_plan(
    talk: Conversation,
    instruction: str,
    taken: Snapshot,
    route: Route,
    *,
    slides: Collection[int] | None = None,
    images: Sequence[bytes] = (),
    pictures: str = "",
) -> EditPlan:
    """Ask what will change, and with which words.

    ``images`` are the slides of the route as PNG, ``pictures`` says which they are. Raises
    Unanswered where no usable answer comes.
    """
    text = prompt(
        "plan",
        instruction=instruction,
        outline=deck_outline(taken),
        slides=slides_in_full(taken, route.slides) or "none: the deck as a whole is meant",
        steps=steps_words(route),
        bound=bound_words(slides),
        pictures=pictures or "There are no pictures.",
    )
    return talk.answer(
        "plan", text, EditPlan, images=images, check=lambda got: _problem(got, slides)
    )


def steps_words(route: Route) -> str:
    """The steps, one a line."""
    return "\n".join(
        f"{number}. ({step.path}) {step.task}" for number, step in enumerate(route.steps, 1)
    )


def _problem(plan: EditPlan, slides: Collection[int] | None) -> str | None:
    if plan.cannot.strip():
        return None
    if not any(change.required for change in plan.changes):
        return "changes: give at least one change that is required, or say in cannot why not"
    for number, change in enumerate(plan.changes):
        told = _change_problem(change, slides)
        if told:
            return f"changes.{number}: {told}"
    return None


def _change_problem(change: PlannedChange, slides: Collection[int] | None) -> str | None:
    if not change.slides and not change.design and not change.kinds:
        return "say on which slides, or of which kinds; anything anywhere is no plan"
    if min(change.slides, default=1) < 1:
        return "slides count from 1"
    if slides is None:
        return None
    if change.design or not change.slides:
        return "only some slides may be changed: name them in slides, with design false"
    beyond = sorted(set(change.slides) - set(slides))
    return f"slide {beyond[0]} may not be changed" if beyond else None
