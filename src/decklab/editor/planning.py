"""The plan of an edit: what will change, which is what the edited deck is verified against.

Paper 003, section 4 and appendix G.1.
"""

from collections.abc import Collection, Sequence

from pydantic import Field

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Kind
from decklab.editor.conversation import Conversation, prompt
from decklab.editor.outline import deck_outline
from decklab.editor.pictures import NO_PICTURES, SlidePictures
from decklab.editor.routing import Route, bound_words, route_material, steps_words
from decklab.models.asking import ModelTool, StrictForm


class PlannedChange(StrictForm):
    """One change that the edited deck will show."""

    what: str = Field(min_length=1)
    kinds: tuple[Kind, ...]
    slides: tuple[int, ...]
    """Empty for any slide."""
    design: bool
    """Whether layouts, masters, themes, sections or the deck as a whole change, too."""
    shapes: tuple[str, ...]
    """Ids or names; empty for any."""
    required: bool
    count: int = Field(ge=1)
    """How many such changes there have to be at least on each of its slides."""
    new_texts: tuple[str, ...]
    """Words that have to be on its slides afterwards, as they will stand there; often empty."""


class EditPlan(StrictForm):
    """What an edit will change, and the words and values it will bring."""

    content: tuple[str, ...]
    """The content plan: one line for each text or value, place and wording."""
    changes: tuple[PlannedChange, ...]
    parts: tuple[str, ...]
    """Names of parts whose XML is needed beside that of the slides."""
    cannot: str


def make_plan(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    route: Route,
    *,
    slides: Collection[int] | None = None,
    pictures: SlidePictures = NO_PICTURES,
    tools: Sequence[ModelTool] = (),
    before: EditPlan | None = None,
    objections: Sequence[str] = (),
) -> EditPlan:
    """Ask a model what will change, and with which words.

    ``pictures`` are the slides of the route; with ``tools`` the model may look at more.
    ``objections`` are what was said against an earlier plan ``before``. Raises Unanswered where no
    answer can be used.
    """
    text = prompt(
        "plan",
        instruction=instruction,
        outline=deck_outline(snapshot),
        slides=route_material(snapshot, route) or "none: the deck as a whole is meant",
        steps=steps_words(route),
        bound=bound_words(slides),
        pictures=pictures.words or "There are no pictures.",
        objections=_objections_words(before, objections),
    )
    plan = conversation.answer(
        "plan",
        text,
        EditPlan,
        images=pictures.images,
        tools=tools,
        check=lambda got: plan_problem(got, slides),
    )
    return _with_followers(plan, route)


def _with_followers(plan: EditPlan, route: Route) -> EditPlan:
    """A plan that allows links to stand on other words, where steps change words and no links; and
    looks of words that are replaced to go with them, where no step can change looks otherwise."""
    if not any(step.path == "texts" for step in route.steps):
        return plan
    whole = any(step.path == "texts" and not step.slides for step in route.steps)
    words_only = all(step.path == "texts" for step in route.steps)
    allowed = PlannedChange(
        what="links and looks follow the new words",
        kinds=("link", "style") if words_only else ("link",),
        slides=() if whole else route.slides,
        design=False,
        shapes=(),
        required=False,
        count=1,
        new_texts=(),
    )
    return plan.model_copy(update={"changes": (*plan.changes, allowed)})


def _objections_words(before: EditPlan | None, objections: Sequence[str]) -> str:
    if before is None:
        return ""
    lines = "\n".join(f"- {line}" for line in objections)
    return (
        "You have planned this before, and somebody else held it against the request. Plan anew; "
        f"where an objection is wrong, keep to the request.\n\nYour plan:\n"
        f"{before.model_dump_json()}\n\nWhat was said against it:\n{lines}"
    )


def plan_problem(plan: EditPlan, slides: Collection[int] | None) -> str | None:
    """Why a plan cannot be used, in a line; ``slides`` are the only ones that may be changed."""
    if plan.cannot.strip():
        return None
    if not any(change.required for change in plan.changes):
        return "changes: give at least one change that is required, or say in cannot why not"
    for number, change in enumerate(plan.changes):
        problem = change_problem(change, slides)
        if problem:
            return f"changes.{number}: {problem}"
    return None


def change_problem(change: PlannedChange, slides: Collection[int] | None) -> str | None:
    """Why one change of a plan cannot be used, in a line; see ``plan_problem``."""
    if not change.slides and not change.kinds:
        return "say on which slides, or of which kinds; anything anywhere is no plan"
    if min(change.slides, default=1) < 1:
        return "slides count from 1"
    if slides is None:
        return None
    if change.design or not change.slides:
        return "only some slides may be changed: name them in slides, with design false"
    beyond = sorted(set(change.slides) - set(slides))
    return f"slide {beyond[0]} may not be changed" if beyond else None
