"""The plan of an edit held against the request, before anything is made.

First by rules, then by a second question, which sees the request, the plan and the deck before the
edit, and nothing else of what the model said. So a plan that leaves too much open, or names another
slide than the request, does not let a wrong edit pass.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from decklab.deck.views.snapshot import Snapshot
from decklab.editor.conversation import Conversation, prompt, with_less
from decklab.editor.outline import DETAIL_CHARACTERS, deck_outline, slides_in_full, slides_named_in
from decklab.editor.plan_meaning import DESIGN_KINDS
from decklab.editor.planning import EditPlan, PlannedChange
from decklab.models.answering import Unanswered
from decklab.models.asking import StrictForm

_WORDS_OF_OTHERS = re.compile(
    r"\b(others?|rest|remaining|except|but|like|same|match\w*|following|next|previous|onwards?|after"
    r"|before|from)\b",
    re.IGNORECASE,
)
"""Words by which a request may mean other slides than those it names by number."""
_WORDS_OF_ALL = re.compile(r"\b(all|any|each|every\w*|whole|deck|both)\b", re.IGNORECASE)
"""Words by which it may mean more slides."""
_QUOTED = re.compile(r"[\"“‘][^\"“”‘’]*[\"”’]|(?<!\w)'[^']*'(?!\w)")


class PlanCheck(StrictForm):
    """What holding the plan of an edit against the request found."""

    missing: tuple[str, ...]
    loose: tuple[str, ...]
    wrong_slides: tuple[str, ...]
    fits: bool

    @property
    def objections(self) -> tuple[str, ...]:
        """All of them, one sentence each."""
        return (*self.missing, *self.loose, *self.wrong_slides)


def checked_plan(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    plan: Callable[[EditPlan | None, Sequence[str]], EditPlan],
) -> tuple[EditPlan, tuple[str, ...]]:
    """A plan, and what still speaks against it.

    ``plan`` makes it; where there are objections it is called once more, with the first plan and
    with them, and the second plan is taken, if there is one. A check that cannot be read objects to
    nothing. Raises Unanswered where no plan can be had, and ModelError.
    """
    made = plan(None, ())
    said = objections_to(conversation, instruction, snapshot, made)
    if not said:
        return made, ()
    try:
        made = plan(made, said)
    except Unanswered:
        return made, said
    return made, objections_to(conversation, instruction, snapshot, made)


def objections_to(
    conversation: Conversation, instruction: str, snapshot: Snapshot, plan: EditPlan
) -> tuple[str, ...]:
    """What speaks against a plan, by the rules and by the model, one sentence each.

    Raises ModelError where the model cannot be asked.
    """
    if plan.cannot.strip():
        return ()
    found = loose_changes(plan, instruction, snapshot)
    try:
        asked = _ask(conversation, instruction, snapshot, plan).objections
    except Unanswered:
        asked = ()
    return tuple(dict.fromkeys((*found, *asked)))


def loose_changes(plan: EditPlan, instruction: str, snapshot: Snapshot) -> tuple[str, ...]:
    """What rules find in a plan, one sentence each: changes of any kind and shape, and changes on
    slides beyond those that the request names by number.

    A request that may mean more slides than it names, and a plan that changes the list of slides,
    so that numbers shift, are left to the model.
    """
    return tuple(_found(plan, instruction, snapshot))


def _found(plan: EditPlan, instruction: str, snapshot: Snapshot) -> Iterator[str]:
    for change in plan.changes:
        if not (change.kinds or change.shapes):
            yield f"The change “{change.what}” names neither kinds of changes nor shapes."
    words = _QUOTED.sub(" ", instruction)
    named = set(slides_named_in(words, snapshot))
    shifts = any("slide" in change.kinds for change in plan.changes)
    if not named or shifts or _WORDS_OF_OTHERS.search(words):
        return
    covered = any(named.intersection(change.slides) or not change.slides for change in plan.changes)
    if covered and _WORDS_OF_ALL.search(words):
        return
    for change in plan.changes:
        if not change.slides and not _is_of_design(change):
            yield f"The change “{change.what}” is planned on any slide; {_named(named)}."
        beyond = set(change.slides) - named
        if beyond:
            where = _numbers(beyond)
            yield f"The change “{change.what}” is planned on {where}; {_named(named)}."


def _is_of_design(change: PlannedChange) -> bool:
    """Whether a change can be on no slide."""
    return (
        change.design and bool(change.kinds) and {*DESIGN_KINDS, "layout"}.issuperset(change.kinds)
    )


def _named(slides: set[int]) -> str:
    return f"the request names {_numbers(slides)}"


def _numbers(slides: set[int]) -> str:
    word = "slide" if len(slides) == 1 else "slides"
    return f"{word} {', '.join(map(str, sorted(slides)))}"


def _ask(
    conversation: Conversation, instruction: str, snapshot: Snapshot, plan: EditPlan
) -> PlanCheck:
    planned = {number for change in plan.changes for number in change.slides}
    shown = sorted({*slides_named_in(instruction, snapshot), *planned})
    planned_words = [change.model_dump_json() for change in plan.changes]

    def ask(most: int) -> PlanCheck:
        text = prompt(
            "check",
            instruction=instruction,
            plan="\n".join([*planned_words, *(f"- {line}" for line in plan.content)]),
            outline=deck_outline(snapshot),
            slides=slides_in_full(snapshot, shown, most=most) or "none",
        )
        return conversation.answer("check", text, PlanCheck, check=_contradiction)

    return with_less(ask, DETAIL_CHARACTERS)


def _contradiction(check: PlanCheck) -> str | None:
    if check.fits == bool(check.objections):
        return "fits: it is true where missing, loose and wrong_slides are empty, and only there"
    return None
