"""A deck judged by the checklist of an instance: counts by program, all else by a model whose
answers are looked up in the deck.

The protocol is that of PresentBench (arXiv 2603.07244): each item is a question with yes or no. The
words of the questions are the instance's, those around them ours; prefixes of its files, which ask
for another form of reply, are not sent. An item of completeness is yes only with words that the
named slide shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.documents.retrieval import retrieve
from decklab.evals.judges.asking import Questions, lines_said
from decklab.evals.judges.preference.showing import ShownDeck, show_deck
from decklab.evals.judges.quiz.statements import own_slide_texts
from decklab.evals.judges.scenario.asking import (
    AskedItem,
    ItemQuestion,
    JudgedItem,
    judge_items,
    scenario_judge,
)
from decklab.evals.judges.scenario.by_model import AudienceWords
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import ScenarioItem
from decklab.evals.presentbench.instances import PAGE_CLASS, ChecklistItem, Instance
from decklab.evals.presentbench.scoring import Answer, ChecklistScore, checklist_score
from decklab.models.asking import Ask, Usage
from decklab.rendering.opening import deck_kind
from decklab.rendering.renderer import Renderer

_COMPLETENESS: Final = ("material_dependent", "1")
_PASSAGES, _CHARACTERS = 3, 1800
_CARD: Final = 1500
"""Passages of the sources that are shown with an item, and their characters; characters of the
sources' titles, headings and beginnings that go with each question about them. Ours."""


@dataclass(frozen=True)
class JudgedAnswer:
    """The answer to an item, and what decides it."""

    item: ChecklistItem
    answer: Answer
    evidence: str = ""
    slide: int | None = None


@dataclass(frozen=True)
class ChecklistJudgement:
    """The answers for one deck, in the order of the checklist."""

    instance: Instance
    deck: str
    answers: Sequence[JudgedAnswer]
    notes: Sequence[str] = ()
    """Facts for a reader of the scores, such as how the judge did on what is known."""
    usage: Usage = field(default_factory=Usage)

    @property
    def by_class(self) -> dict[tuple[str, str], dict[str, Answer]]:
        """Answers by section and class, then item, as scores and files of verdicts take them."""
        found: dict[tuple[str, str], dict[str, Answer]] = {}
        for said in self.answers:
            found.setdefault(said.item.kind, {})[said.item.id] = said.answer
        return found

    @property
    def score(self) -> ChecklistScore:
        """Its scores under the weights of the instance."""
        return checklist_score(self.by_class, self.instance.weights)


def judge_checklist(
    instance: Instance, deck: str | Path, *, model: Ask | None, renderer: Renderer, secret: str = ""
) -> ChecklistJudgement:
    """Answer the checklist of an instance for a deck; without a model only what a program counts.

    ``secret`` makes the marks around deck text. Raises DeckError and RenderError if the deck or a
    source cannot be read or drawn.
    """
    shown = show_deck(deck, renderer)
    items = instance.items_for(len(shown.numbers))
    answers = {item: _counted(item, len(shown.numbers)) for item in items}
    usage, notes = Usage(), tuple(shown.notes)
    if model is not None:
        judge = scenario_judge(model, secret)
        material = read_documents(instance.task.sources)
        asked = [item for item in items if item.slides is None and not item.unknown]
        for said in _DeckChecklist(deck, shown, material).answers(judge, asked):
            answers[said.item] = said
        if judge.known.failure:
            answers |= {item: JudgedAnswer(item, NotScored(judge.known.failure)) for item in asked}
        usage, notes = judge.usage, (*notes, *filter(None, [judge.known.words]))
    return ChecklistJudgement(instance, str(deck), tuple(answers.values()), notes, usage)


def _counted(item: ChecklistItem, slides: int) -> JudgedAnswer:
    """The answer of a program, or why there is none."""
    if item.unknown:
        return JudgedAnswer(item, NotScored(item.unknown))
    if item.slides is None:
        return JudgedAnswer(item, NotScored(ONLY_A_MODEL))
    least, most = item.slides
    return JudgedAnswer(item, least <= slides <= most, f"counted by program: {slides}")


class _DeckChecklist:
    """The questions about one deck."""

    def __init__(self, deck: str | Path, shown: ShownDeck, material: KnowledgeBase) -> None:
        self._shown, self._material = shown, material
        drawn = dict(zip(shown.numbers, shown.texts, strict=True))
        self._slides = _slide_texts(deck, drawn)
        self._words = AudienceWords.of(self._slides, drawn)
        self._said = {
            slide: [line for line in lines if "|" not in line and self._words.says(slide, line)]
            for slide, lines in lines_said(self._slides).items()
        }

    def answers(self, judge: Questions, items: Sequence[ChecklistItem]) -> Iterator[JudgedAnswer]:
        """The model's answers, class by class."""
        for kind, group in groupby(items, key=attrgetter("kind")):
            own, of_material = list(group), kind[0] == _COMPLETENESS[0]
            question = ItemQuestion(
                "checklist",
                f"The sources begin:\n{self._material.card[:_CARD]}" if of_material else "",
                deck_text="\n\n".join(self._slides.values()),
                said=self._said,
                images=self._shown.sheets,
                check=partial(self._problem, kind == _COMPLETENESS),
                slides=self._shown.numbers,
            )
            judged = judge_items(judge, question, [self._asked(item) for item in own])
            yield from map(_answer, own, judged)

    def _asked(self, item: ChecklistItem) -> AskedItem:
        """An item as the model sees it, with the passages of the sources that fit it best."""
        slide = self._shown.numbers[item.number - 1] if item.kind == PAGE_CLASS else None
        if item.section != _COMPLETENESS[0]:
            return AskedItem(item.id, item.question, slide=slide)
        query = self._slides.get(slide, "") if slide else item.question
        found = retrieve(self._material, query, passages=_PASSAGES, characters=_CHARACTERS)
        passages = "\n".join(f"[{passage.document}] {passage.quote}" for passage in found)
        about = [f"About slide {slide}."] if slide else []
        return AskedItem(item.id, item.question, "\n".join((*about, passages)), slide=slide)

    def _problem(self, words: bool, _item: AskedItem, judged: JudgedItem) -> str | None:
        if judged.state != "full":
            return None
        if words:
            return self._words.problem(judged.slide, judged.evidence)
        known = not judged.slide or judged.slide in self._shown.numbers
        return None if known else f"the deck shows no slide {judged.slide}"


def _slide_texts(deck: str | Path, drawn: Mapping[int, str]) -> dict[int, str]:
    """Slides as Markdown by their numbers; as drawn where the deck has no text of its own."""
    headed = {number: f"## {number}.\n\n{text}" for number, text in drawn.items()}
    if deck_kind(deck) != "office":
        return headed
    own = own_slide_texts(deck).markdown
    return dict(zip(drawn, own, strict=True)) if len(own) == len(drawn) else headed


def _answer(item: ChecklistItem, judged: ScenarioItem) -> JudgedAnswer:
    state = NotScored("it does not apply") if judged.state is None else judged.state
    answer = state if isinstance(state, NotScored) else state == 1.0
    return JudgedAnswer(item, answer, judged.evidence, judged.slide)
