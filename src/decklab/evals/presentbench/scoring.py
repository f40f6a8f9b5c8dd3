"""Scores of checklists by the published arithmetic of PresentBench (arXiv 2603.07244), and files of
verdicts in its form.

The weight of a class times its share of items answered yes; the score is the sum of these over the
sum of all weights, in per cent. The published scorer counts every other answer, and none, as no. An
item without an answer is open here: the score then is not known, only its bounds.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import yaml

from decklab.core.results import NotScored
from decklab.evals.presentbench.instances import CLASSES, InstanceError, yaml_in
from decklab.metrics.statistics import Interval

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
                    str(name): _answer(item)
                    for name, item in items.items()
                    if isinstance(item, dict)
                }
    return answers


def _answer(item: Mapping[str, Any]) -> Answer:
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
