"""A deck judged by the checklist of an instance: counts by program, all else by a model whose
answers are looked up in the deck; its score by the published arithmetic of PresentBench (arXiv
2603.07244), and files of verdicts in its form.

The protocol is that of PresentBench: each item is a question with yes or no. The words of the
questions are the instance's, those around them ours; prefixes of its files, which ask for another
form of reply, are not sent. An item of completeness is yes only with words that the named slide
shows.

The score is the weight of a class times its share of items answered yes, summed over all classes,
over the sum of all weights, in per cent. The published scorer counts every other answer, and none,
as no. An item without an answer is open here: the score then is not known, only its bounds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import yaml

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
from decklab.evals.presentbench.instances import (
    CLASSES,
    PAGE_CLASS,
    ChecklistItem,
    Instance,
    InstanceError,
    yaml_in,
)
from decklab.metrics.statistics import Interval
from decklab.models.asking import Ask, Usage
from decklab.rendering.opening import deck_kind
from decklab.rendering.renderer import Renderer

Answer = bool | NotScored
Answers = Mapping[tuple[str, str], Mapping[str, Answer]]
"""Answers by section and class, then by the id of the item."""
SECTIONS: Final = tuple(dict.fromkeys(section for section, _ in CLASSES))
_FULL: Final = 100.0


@dataclass(frozen=True)
class ClassScore:
    """A class of items: its weight, and how many are answered yes, are open, and are due."""

    weight: float
    yes: int
    open: int
    of: int
    causes: tuple[str, ...] = ()
    """Why items are open, one each."""

    def score(self, yes: int) -> float:
        """Its weight times the share ``yes`` of its items; 0 for a class without items."""
        return self.weight * yes / self.of if self.of and self.weight else 0.0


@dataclass(frozen=True)
class ChecklistScore:
    """Scores of one deck, 0 to 100, higher is better.

    >>> answers = {("material_independent", "1"): {"1.1": True, "1.2": False},
    ...            ("material_dependent", "1"): {"1.1": True}}
    >>> weights = {"material_independent": {"1": 20.0}, "material_dependent": {"1": 60.0}}
    >>> checklist_score(answers, weights).total
    87.5
    """

    classes: Mapping[tuple[str, str], ClassScore]
    weights: Mapping[str, Any]

    @cached_property
    def weight(self) -> float:
        """What full marks are: ``total`` of the file of weights, or their sum. As in the published
        scorer a section's sum is over all keys that its weights have."""
        sums = sum(self._section_weight(section) for section in SECTIONS)
        return float(self.weights.get("total", sums))

    def _section_weight(self, section: str) -> float:
        return float(sum(self.weights.get(section, {}).values()))

    @property
    def open(self) -> int:
        """How many items have no answer."""
        return sum(part.open for part in self.classes.values())

    @property
    def total(self) -> float | NotScored:
        """The weighted mean of all classes, in per cent."""
        return self._scored(self.classes, self.weight)

    @property
    def bounds(self) -> Interval:
        """The least and the greatest total that open items leave."""
        return self._bounds(self.classes, self.weight)

    def section(self, section: str) -> float | NotScored:
        """The weighted mean of a section."""
        own = {kind: part for kind, part in self.classes.items() if kind[0] == section}
        return self._scored(own, self._section_weight(section))

    def of_class(self, kind: tuple[str, str]) -> float | NotScored:
        """The share of a class in per cent; NotScored if it has no items or no weight."""
        part = self.classes.get(kind)
        if part is None or not part.of or not part.weight:
            return NotScored("the checklist has no such items")
        return self._scored({kind: part}, part.weight)

    def without(self, kind: tuple[str, str]) -> float | NotScored:
        """The weighted mean over the other classes that the checklist has."""
        others = {other: part for other, part in self.classes.items() if other != kind}
        return self._scored(others, sum(part.weight for part in others.values()))

    @staticmethod
    def _bounds(classes: Mapping[tuple[str, str], ClassScore], weight: float) -> Interval:
        if weight <= 0:
            return 0.0, 0.0
        least = sum(part.score(part.yes) for part in classes.values())
        most = sum(part.score(part.yes + part.open) for part in classes.values())
        return least / weight * _FULL, most / weight * _FULL

    def _scored(
        self, classes: Mapping[tuple[str, str], ClassScore], weight: float
    ) -> float | NotScored:
        least, most = self._bounds(classes, weight)
        causes = Counter(cause for part in classes.values() for cause in part.causes)
        if causes:
            due, ends = sum(part.of for part in classes.values()), f"{least:.1f} and {most:.1f}"
            return NotScored(f"{causes.total()} of {due} items have no answer: "
                             f"{causes.most_common(1)[0][0]}; between {ends}")  # fmt: skip
        return least


def checklist_score(answers: Answers, weights: Mapping[str, Any]) -> ChecklistScore:
    """The scores of answers under ``weights``; a class that has no weight counts with 0."""
    classes = {
        (section, class_id): ClassScore(
            float(weights.get(section, {}).get(class_id, 0.0)),
            sum(said is True for said in own.values()),
            sum(isinstance(said, NotScored) for said in own.values()),
            len(own),
            tuple(said.reason for said in own.values() if isinstance(said, NotScored)),
        )
        for (section, class_id), own in answers.items()
    }
    return ChecklistScore(classes, weights)


def read_verdicts(path: str | Path) -> dict[tuple[str, str], dict[str, Answer]]:
    """The answers in a file of verdicts, as the published judge and ``verdicts_yaml`` write them.

    An item without an answer is NotScored with what its log says; every other word than yes is no.
    Raises InstanceError if the file is none.
    """
    found = yaml_in(path)
    answers: dict[tuple[str, str], dict[str, Answer]] = {}
    for section in SECTIONS:
        classes = found.get(section)
        if not isinstance(classes, dict):
            raise InstanceError(f"{path}: has no {section}")
        for class_id, items in classes.items():
            if class_id != "total" and isinstance(items, dict):
                answers[section, str(class_id)] = {
                    str(name): _read_answer(item)
                    for name, item in items.items()
                    if isinstance(item, dict)
                }
    return answers


def _read_answer(item: Mapping[str, Any]) -> Answer:
    said = item.get("answer")
    if not isinstance(said, str):
        return NotScored(str(item.get("log") or "it has no answer"))
    return said.strip().lower() == "yes"


def verdicts_yaml(answers: Answers, explanations: Mapping[tuple[str, str, str], str]) -> str:
    """A file of verdicts in the published form, which its scorer reads.

    ``explanations`` are by section, class and item. An open item has no answer; the published
    scorer takes such a file only if each has one.
    """
    data: dict[str, dict[str, dict[str, Any]]] = {section: {} for section in SECTIONS}
    for (section, class_id), own in answers.items():
        data[section][class_id] = {
            name: {"answer": None, "log": said.reason}
            if isinstance(said, NotScored)
            else {"answer": "yes" if said else "no",
                  "explanation": explanations.get((section, class_id, name), "")}
            for name, said in own.items()
        }  # fmt: skip
    return str(yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


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
