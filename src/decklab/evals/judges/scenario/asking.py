"""Items judged by a model: its rules, one typed question a batch, asked again for what cannot be
used.

Evidence that is not there is asked for again too; then the item counts as not found.
An item without an answer, with several different ones, or with a state that its metric does not
have is asked for again, that item alone, and is then not scored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from decklab.core.files import package_values
from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored
from decklab.evals.judges.asking import (
    FENCE_RULE,
    LINE,
    KnownStatements,
    Questions,
    WithKnown,
    batches,
    fenced,
    known_statements,
)
from decklab.evals.judges.scenario.task import ScenarioItem
from decklab.models.asking import Ask, StrictForm
from decklab.models.reading import TRIES

PROMPTS: Final[Mapping[str, Any]] = package_values(__package__, "prompts.toml")
"""By name; ``items`` and ``marks`` have those of metrics."""

ITEM_STATES: Final[Mapping[str, tuple[str, ...]]] = {
    name: (
        ("full", "none")
        if name in {"checklist", "faithfulness", "visual_use", "visual_integrity"}
        else ("full", "partial", "none", "not applicable")
        if name == "deduplication"
        else ("full", "partial", "none")
    )
    for name in PROMPTS["items"]
}
"""Which states the items of each metric may have."""

ITEMS_A_QUESTION: Final = 12
"""Ours."""
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
    """Material shown with it, such as passages of the sources."""
    weight: float = 1.0
    slide: int | None = None


Check = Callable[[AskedItem, JudgedItem], str | None]
"""The fault of the answer for an item, in a line; None if it can be used."""


def no_problem(_item: AskedItem, _judged: JudgedItem) -> None:
    """Finds nothing wrong."""


@dataclass(frozen=True)
class ItemQuestion:
    """Properties that all items of a question share."""

    metric: str
    material: str = ""
    """Material by which they are judged, besides the deck's text."""
    deck_text: str = ""
    """The part of the deck's text that is shown; it stands between marks."""
    of_deck: bool = False
    """Whether the items are in words of the deck, which then stand between marks too."""
    said: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """Sentences of the slides that the question shows, of which it also asks what is known."""
    images: Sequence[bytes] = ()
    check: Check = no_problem
    slides: Sequence[int] = ()
    """The numbers of the deck's slides, where they are known: others in answers are left out."""


def scenario_judge(ask: Ask, secret: str) -> Questions:
    """A model that judges decks for a task."""
    return Questions(ask, secret, system=PROMPTS["system"], temperature=JUDGE_TEMPERATURE)


def judge_items(
    judge: Questions,
    question: ItemQuestion,
    items: Sequence[AskedItem],
    *,
    batch: int = ITEMS_A_QUESTION,
    tries: int = TRIES,
) -> tuple[ScenarioItem, ...]:
    """Items of a metric in their order, judged or not scored, ``batch`` at once, each asked about
    at most ``tries`` times."""
    parts = (_judge_batch(judge, question, part, tries) for part in batches(items, batch))
    return tuple(item for part in parts for item in part)


def _judge_batch(
    judge: Questions, question: ItemQuestion, items: Sequence[AskedItem], tries: int
) -> Iterator[ScenarioItem]:
    stage = f"judge {question.metric.replace('_', ' ')}"
    unproven = dict[int, str]()

    def put(
        open_items: Mapping[int, AskedItem], wrong: Mapping[int, str]
    ) -> JudgedItems | NotScored:
        prompt, known = _prompt(question, open_items, wrong, judge.secret)
        return judge.put(prompt, JudgedItems, known=known, stage=stage, images=question.images)

    def read(number: int, item: AskedItem, answer: JudgedItems) -> ScenarioItem | NotScored:
        said = _answer(question, number, item, answer.items)
        problem = "" if isinstance(said, NotScored) else question.check(item, said[1]) or ""
        unproven[number] = problem
        if isinstance(said, NotScored):
            return said
        return NotScored(problem) if problem else said[0]

    numbered = dict(enumerate(items, start=1))
    for n, said in judge.put_items(numbered, put=put, read=read, tries=tries).items():
        if isinstance(said, NotScored):
            yield _not_had(numbered[n], said, unproven.get(n, ""))
        else:
            yield said


def _not_had(item: AskedItem, cause: NotScored, unproven: str) -> ScenarioItem:
    """An item that was not judged; what rests on evidence that is not there counts as not found."""
    if unproven and cause.reason == unproven:
        note = f"it does not count: {unproven}"
        return replace(_bare(item), state=0.0, evidence=note, unproven=True)
    return replace(_bare(item), state=cause)


def _bare(item: AskedItem) -> ScenarioItem:
    return ScenarioItem(item.id, item.text, None, item.weight, slide=item.slide)


def _answer(
    question: ItemQuestion, number: int, item: AskedItem, answers: Sequence[JudgedItem]
) -> tuple[ScenarioItem, JudgedItem] | NotScored:
    """The item as it was judged with its answer, or what is wrong with the answers."""
    if not (own := [answer for answer in answers if answer.item == number]):
        return NotScored("there is no answer")
    states = sorted({reply.state for reply in own})
    if len(states) > 1:
        return NotScored(f"there are several answers: {', '.join(states)}")
    if (judged := own[0]).state not in ITEM_STATES[question.metric]:
        return NotScored(f"{judged.state!r} is none of {', '.join(ITEM_STATES[question.metric])}")
    known = judged.slide in question.slides if question.slides else judged.slide > 0
    slide = item.slide or (judged.slide if known else None)
    state = _VALUES[judged.state]
    return replace(_bare(item), state=state, evidence=judged.evidence, slide=slide), judged


def _prompt(
    question: ItemQuestion, items: Mapping[int, AskedItem], wrong: Mapping[int, str], secret: str
) -> tuple[str, KnownStatements]:
    """A question, and the statements in it of which it is known whether they are true."""
    rules = f"{PROMPTS['items'][question.metric]}\n\n{PROMPTS['item_form']}"
    listed = "\n\n".join(
        f"{number}. {item.text}" + (f"\n{item.material}" if item.material else "")
        for number, item in items.items()
    )
    known = known_statements(question.said, f"{rules}\n{listed}", secret)
    parts = [f"{rules}\n{FENCE_RULE}", LINE]
    if question.material:
        parts.append(question.material)
    if question.deck_text:
        parts.append(fenced(question.deck_text, f"{rules}\n{listed}", secret))
    own = fenced(listed, rules, secret) if question.of_deck else listed
    parts.append(f"The items:\n\n{own}")
    if known.text:
        parts.append(known.text)
    if wrong:
        lines = (f"- item {number}: {cause}" for number, cause in wrong.items())
        parts.append("\n".join(("Your answers for these could not be used:", *lines)))
    return "\n\n".join(parts), known
