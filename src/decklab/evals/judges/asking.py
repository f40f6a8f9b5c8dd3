"""How judges ask a model: a reply that fits its form, item by item where there are many.

What could not be had is NotScored with its cause, never a raised error or a low score.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.core.results import NotScored
from decklab.models.asking import Ask, Usage
from decklab.models.reading import Unanswered, answered

Form = TypeVar("Form", bound=BaseModel)
Item = TypeVar("Item")
Said = TypeVar("Said")


@dataclass(frozen=True)
class JudgeReply(Generic[Form]):
    """A reply that fits its form, or why there is none, and what it cost with all tries."""

    answer: Form | NotScored
    usage: Usage = field(default_factory=Usage)
    model: str = ""


def ask_for(ask: Ask, prompt: str, form: type[Form], *, stage: str, **how: Any) -> JudgeReply[Form]:
    """A reply that fits the form, asked for again where one does not; ``how`` as in ``Ask``.

    NotScored where the model failed, the budget is spent or the last reply is still amiss.
    """
    try:
        found = answered(ask, prompt, form, stage=stage, **how)
    except Unanswered as error:
        cause = NotScored(f"the judge's reply does not fit: {error.problem}")
        return JudgeReply(cause, error.usage, error.model)
    except (ModelFailed, BudgetSpent) as error:
        return JudgeReply(NotScored(str(error)))
    return JudgeReply(found.answer, found.usage, found.reply.model)


@dataclass(frozen=True)
class ItemReplies(Generic[Said]):
    """What a model said of items, by their numbers, and what it cost with all tries."""

    found: Mapping[int, Said | NotScored]
    """For every item what was read of a reply, or why nothing could be."""
    usage: Usage


def ask_for_items(
    items: Mapping[int, Item],
    *,
    put: Callable[[Mapping[int, Item], Mapping[int, str]], JudgeReply[Form]],
    read: Callable[[int, Item, Form], Said | NotScored],
    tries: int,
) -> ItemReplies[Said]:
    """Ask about numbered items at once, and again about those whose answer cannot be used.

    ``put`` asks about the items it gets; it is told, by number, what was wrong with their last
    answers. ``read`` finds the answer of one item in a reply, or says what is wrong with it. An
    item is asked about ``tries`` times at most; a reply that fits no form ends it for all that are
    still open.
    """
    found: dict[int, Said | NotScored] = {}
    wrong = {number: NotScored("it was not asked") for number in items}
    usage = Usage()
    told: dict[int, str] = {}
    for _ in range(tries):
        still = {number: items[number] for number in wrong}
        if not still:
            break
        replied = put(still, told)
        usage += replied.usage
        if isinstance(replied.answer, NotScored):
            wrong = dict.fromkeys(still, replied.answer)
            break
        answers = {number: read(number, item, replied.answer) for number, item in still.items()}
        wrong = {number: said for number, said in answers.items() if isinstance(said, NotScored)}
        told = {number: cause.reason for number, cause in wrong.items()}
        found |= {number: said for number, said in answers.items() if number not in wrong}
    return ItemReplies(found | wrong, usage)


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """``size`` items at a time; the last batch may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
