"""A plan amended: a model may say once which changes that nobody planned the request needs.

Otherwise what was asked for would be put back wherever a plan had forgotten it.
"""

from collections.abc import Collection, Sequence

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change
from decklab.diffing.wording import sentence
from decklab.editing.verification import Verification
from decklab.editor.conversation import Conversation, prompt
from decklab.editor.outline import fitting_lines
from decklab.editor.planning import EditPlan, PlannedChange, change_problem, objections_to
from decklab.editor.routing import bound_words
from decklab.models.asking import StrictForm

_CHARACTERS = 6_000
"""Of the changes that a model is told: some 60 lines. Ours."""


class PlanAmendment(StrictForm):
    """Changes that the plan should have had, and why the request needs them; else empty."""

    changes: tuple[PlannedChange, ...]
    reason: str


NOT_AMENDED = PlanAmendment(changes=(), reason="")


def may_be_forgotten(plan: EditPlan, checked: Verification) -> tuple[Change, ...]:
    """The unplanned changes that are where the plan has something to change."""
    required = [change for change in plan.changes if change.required]
    anywhere = any(not change.slides for change in required)
    slides = {number for change in required for number in change.slides}
    design = any(change.design for change in required)
    return tuple(
        one
        for one in checked.unplanned
        if (design if one.slide is None else anywhere or one.slide in slides)
    )


def ask_for_amendment(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    plan: EditPlan,
    unplanned: Sequence[Change],
    *,
    slides: Collection[int] | None = None,
    check_plan: bool = True,
    objections: Collection[str] = (),
) -> tuple[EditPlan, PlanAmendment]:
    """The plan with the changes that a model adds to it, which may come and need not.

    ``slides`` are the only ones that may be changed. With ``check_plan`` the new plan is held
    against the request like the first one, and not taken where anything speaks against it besides
    ``objections``, which are known; the amendment is empty then. Raises Unanswered where no answer
    can be used, and ModelError.
    """
    text = prompt(
        "amend",
        instruction=instruction,
        plan="\n".join(change.model_dump_json() for change in plan.changes),
        changes=fitting_lines([*map(sentence, unplanned)], _CHARACTERS, "changes"),
        bound=bound_words(slides),
    )
    amendment = conversation.answer(
        "amend", text, PlanAmendment, check=lambda got: _problem(got, slides)
    )
    if not amendment.changes:
        return plan, NOT_AMENDED
    allowed = tuple(
        change.model_copy(update={"required": False, "count": 1}) for change in amendment.changes
    )
    amended = plan.model_copy(update={"changes": (*plan.changes, *allowed)})
    if check_plan:
        said = objections_to(conversation, instruction, snapshot, amended)
        if set(said) - set(objections):
            return plan, NOT_AMENDED
    return amended, amendment


def _problem(amendment: PlanAmendment, slides: Collection[int] | None) -> str | None:
    if bool(amendment.changes) != bool(amendment.reason.strip()):
        return "give changes with the reason why the request needs them, or leave both empty"
    for number, change in enumerate(amendment.changes):
        problem = change_problem(change, slides)
        if problem:
            return f"changes.{number}: {problem}"
    return None
