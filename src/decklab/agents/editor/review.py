"""The review of an edit: a look at the edited deck by the model, after the checks by program."""

from decklab.agents.editor.conversation import Conversation, prompt
from decklab.agents.editor.pictures import SlidePictures, changed_slides
from decklab.agents.editor.planning import EditPlan
from decklab.agents.editor.steps import plan_words
from decklab.agents.editor.verification import Verification
from decklab.models.asking import StrictForm


class Review(StrictForm):
    """What a look at the edited deck found."""

    satisfied: bool
    problems: tuple[str, ...]
    """What still has to be repaired, one instruction each."""


def ask_for_review(
    conversation: Conversation,
    instruction: str,
    plan: EditPlan,
    checked: Verification,
    changes: str,
    *,
    vision: bool = True,
) -> Review:
    """Have a model look at an edited deck.

    ``changes`` are its changes in words; with ``vision`` the slides that were drawn go along.
    Raises Unanswered where no answer can be used, and ModelError.
    """
    shown = changed_slides(checked, pairs=True) if vision else SlidePictures()
    text = prompt(
        "review",
        instruction=instruction,
        plan=plan_words(plan),
        changes=changes,
        pictures=shown.words or "There are no pictures.",
    )
    return conversation.answer("review", text, Review, images=shown.images, check=_contradiction)


def _contradiction(review: Review) -> str | None:
    if review.satisfied and review.problems:
        return "satisfied is true, and there are problems: it can only be one of the two"
    if not review.satisfied and not review.problems:
        return "satisfied is false: say in problems what is still to be mended"
    return None
