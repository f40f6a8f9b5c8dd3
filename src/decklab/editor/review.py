"""The review of an edit: a look at the edited deck by the model, after the checks by program."""

from collections.abc import Sequence

from decklab.editing.verification import Verification
from decklab.editor.conversation import Conversation, prompt
from decklab.editor.outline import fitting_lines
from decklab.editor.pictures import NO_PICTURES, review_pictures
from decklab.editor.planning import EditPlan
from decklab.editor.result import EditOverview
from decklab.editor.steps import plan_words
from decklab.models.asking import StrictForm

_ADDED, _LEFT_ALONE = 8_000, 6_000
"""Characters of what was added, and of texts that stayed as they were. Ours."""


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
    overview: EditOverview | None = None,
    put_back: Sequence[str] = (),
    vision: bool = True,
) -> Review:
    """Have a model look at an edited deck.

    ``changes`` are its changes in words, ``put_back`` those that were undone; with ``vision`` the
    slides that were drawn go along, in several questions where they are many: it is satisfied if it
    is each time.
    Raises Unanswered where no answer can be used, and ModelError.
    """
    planned = [number for change in plan.changes if change.required for number in change.slides]
    seen = overview or EditOverview()
    turns = review_pictures(checked, first=planned) if vision else (NO_PICTURES,)
    reviews = []
    for shown in turns:
        text = prompt(
            "review",
            instruction=instruction,
            plan=plan_words(plan),
            changes=changes,
            added=fitting_lines(seen.added, _ADDED, "of what was added") or "nothing",
            counts=seen.counts or "none",
            left_alone=fitting_lines(seen.left_alone, _LEFT_ALONE, "texts"),
            put_back="\n".join(put_back) or "nothing",
            pictures=shown.words or "There are no pictures.",
        )
        reviews.append(
            conversation.answer("review", text, Review, images=shown.images, check=_contradiction)
        )
    problems = dict.fromkeys(problem for review in reviews for problem in review.problems)
    return Review(satisfied=all(one.satisfied for one in reviews), problems=tuple(problems))


def _contradiction(review: Review) -> str | None:
    if review.satisfied and review.problems:
        return "satisfied is true, and there are problems: it can only be one of the two"
    if not review.satisfied and not review.problems:
        return "satisfied is false: say in problems what is still to be mended"
    return None
