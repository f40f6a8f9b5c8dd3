"""Items judged by a model: one typed question a batch, asked again for what cannot be used.

Evidence that is not there is asked for again too; then the item counts as not found.
An item without an answer, with several different ones, or with a state that its metric does not
have is asked for again, that item alone, and is then not scored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored
from decklab.evals.judges.asking import JudgeReply, ask_for, ask_for_items, batches
from decklab.evals.judges.fencing import FENCE_RULE, fenced
from decklab.evals.judges.known import KnownStatements, KnownTally, WithKnown, known_statements
from decklab.evals.judges.scenario.metrics import ScenarioItem
from decklab.evals.judges.scenario.questions import (
    ITEM_FORM,
    ITEM_RULES,
    ITEM_STATES,
    SCENARIO_SYSTEM,
)
from decklab.models.answering import TRIES
from decklab.models.asking import Ask, StrictForm, Usage

ITEMS_A_QUESTION: Final = 12
"""Ours."""
_LINE: Final = "-" * 40
_VALUES: Final[Mapping[str, float | None]] = {
    "full": 1.0, "partial": 0.5, "none": 0.0, "not applicable": None,
}  # fmt: skip
_SPELLINGS: Final[Mapping[str, str]] = {
    "1": "full", "1.0": "full", "0.5": "partial", "0": "none", "0.0": "none",
    "not_applicable": "not applicable", "n/a": "not applicable",
}  # fmt: skip


def _state(given: Any) -> Any:
    """A state in the spellings that models use for it; anything else as it is."""
    if isinstance(given, str | int | float) and not isinstance(given, bool):
        word = str(given).strip().strip(".*\"'").lower()
        return _SPELLINGS.get(word, word)
    return given


class JudgedItem(StrictForm):
    """The state of one item and what decides it."""

    item: int
    state: Annotated[Literal["full", "partial", "none", "not applicable"], BeforeValidator(_state)]
    evidence: str
    slide: int = Field(ge=0)


class JudgedItems(WithKnown):
    """One answer for every item."""

    items: tuple[JudgedItem, ...]


@dataclass(frozen=True)
class AskedItem:
    """An item before it is judged, as a model sees it."""

    id: str
    text: str
    material: str = ""
    """What is shown with it, such as passages of the sources."""
    weight: float = 1.0
    slide: int | None = None


@dataclass(frozen=True)
class ItemAnswers:
    """Items in their order, judged or not scored, and what they cost with all tries."""

    items: tuple[ScenarioItem, ...]
    usage: Usage = field(default_factory=Usage)
    known: KnownTally = field(default_factory=KnownTally)
    """How the judge did on what is known about the deck."""


Check = Callable[[AskedItem, JudgedItem], str | None]
"""What is wrong with the answer for an item, in a line; None where it can be used."""


def no_problem(_item: AskedItem, _judged: JudgedItem) -> None:
    """Finds nothing wrong."""


@dataclass(frozen=True)
class ItemQuestion:
    """What all items of a question share."""

    metric: str
    material: str = ""
    """What they are judged by besides the deck's text."""
    deck_text: str = ""
    """What is shown of the deck's text; it stands between marks."""
    of_deck: bool = False
    """Whether the items are in words of the deck, which then stand between marks too."""
    said: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """Sentences of the slides that the question shows, of which it also asks what is known."""
    secret: str = ""
    """Of the run, for the marks."""
    images: Sequence[bytes] = ()
    check: Check = no_problem
    slides: Sequence[int] = ()
    """The numbers of the deck's slides, where they are known: others in answers are left out."""


def judge_items(
    ask: Ask,
    question: ItemQuestion,
    items: Sequence[AskedItem],
    *,
    batch: int = ITEMS_A_QUESTION,
    tries: int = TRIES,
) -> ItemAnswers:
    """Have a model judge items of a metric, ``batch`` at once, each at most ``tries`` times."""
    found: list[ScenarioItem] = []
    usage, known = Usage(), KnownTally()
    for part in batches(items, batch):
        answers = _judge_batch(ask, question, part, tries)
        found += answers.items
        usage += answers.usage
        known += answers.known
    return ItemAnswers(tuple(found), usage, known)


def _judge_batch(
    ask: Ask, question: ItemQuestion, items: Sequence[AskedItem], tries: int
) -> ItemAnswers:
    more: dict[str, Any] = {"images": question.images} if question.images else {}
    tally, unproven = KnownTally(), dict[int, str]()

    def put(
        open_ones: Mapping[int, AskedItem], wrong: Mapping[int, str]
    ) -> JudgeReply[JudgedItems]:
        prompt, known = _prompt(question, open_ones, wrong)
        replied = ask_for(
            ask, prompt, JudgedItems,
            stage=f"judge {question.metric.replace('_', ' ')}", system=SCENARIO_SYSTEM,
            temperature=JUDGE_TEMPERATURE, **more,
        )  # fmt: skip
        if not isinstance(replied.answer, NotScored):
            tally.add(known, replied.answer.known)
        return replied

    def read(number: int, item: AskedItem, answer: JudgedItems) -> ScenarioItem | NotScored:
        said = _answer(question, number, item, answer.items)
        problem = "" if isinstance(said, NotScored) else question.check(item, said[1]) or ""
        unproven[number] = problem
        if isinstance(said, NotScored):
            return said
        return NotScored(problem) if problem else said[0]

    numbered = dict(enumerate(items, start=1))
    replies = ask_for_items(numbered, put=put, read=read, tries=tries)
    judged = (
        said
        if isinstance(said := replies.found[n], ScenarioItem)
        else _not_had(one, said, unproven.get(n, ""))
        for n, one in numbered.items()
    )
    return ItemAnswers(tuple(judged), replies.usage, tally)


def _not_had(item: AskedItem, cause: NotScored, unproven: str) -> ScenarioItem:
    """An item that was not judged; what rests on evidence that is not there counts as not found."""
    if unproven and cause.reason == unproven:
        told = f"it does not count: {unproven}"
        return replace(_bare(item), state=0.0, evidence=told, unproven=True)
    return replace(_bare(item), state=cause)


def _bare(item: AskedItem) -> ScenarioItem:
    return ScenarioItem(item.id, item.text, None, item.weight, slide=item.slide)


def _answer(
    question: ItemQuestion, number: int, item: AskedItem, answers: Sequence[JudgedItem]
) -> tuple[ScenarioItem, JudgedItem] | NotScored:
    """The item as it was judged with its answer, or what is wrong with the answers."""
    own = [one for one in answers if one.item == number]
    if not own:
        return NotScored("there is no answer")
    states = sorted({one.state for one in own})
    if len(states) > 1:
        return NotScored(f"there are several answers: {', '.join(states)}")
    judged = own[0]
    if judged.state not in ITEM_STATES[question.metric]:
        return NotScored(f"{judged.state!r} is none of {', '.join(ITEM_STATES[question.metric])}")
    slide = item.slide or (judged.slide if _is_slide(judged.slide, question) else None)
    state = _VALUES[judged.state]
    return replace(_bare(item), state=state, evidence=judged.evidence, slide=slide), judged


def _is_slide(number: int, question: ItemQuestion) -> bool:
    return number in question.slides if question.slides else number > 0


def _prompt(
    question: ItemQuestion, items: Mapping[int, AskedItem], wrong: Mapping[int, str]
) -> tuple[str, KnownStatements]:
    """A question, and the statements in it of which it is known whether they are true."""
    rules = f"{ITEM_RULES[question.metric]}\n\n{ITEM_FORM}"
    listed = "\n\n".join(
        f"{number}. {one.text}" + (f"\n{one.material}" if one.material else "")
        for number, one in items.items()
    )
    known = known_statements(question.said, f"{rules}\n{listed}", question.secret)
    parts = [f"{rules}\n{FENCE_RULE}", _LINE]
    if question.material:
        parts.append(question.material)
    if question.deck_text:
        parts.append(fenced(question.deck_text, f"{rules}\n{listed}", question.secret))
    own = fenced(listed, rules, question.secret) if question.of_deck else listed
    parts.append(f"The items:\n\n{own}")
    if known.text:
        parts.append(known.text)
    if wrong:
        lines = (f"- item {number}: {cause}" for number, cause in wrong.items())
        parts.append("\n".join(("Your answers for these could not be used:", *lines)))
    return "\n\n".join(parts), known
