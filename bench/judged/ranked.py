"""Decks of four qualities, and whether each metric without a model ranks them as people would."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pptx import Presentation

from bench.judged.damages import corrupt_numbers, distort_charts, drop_points, drop_visuals
from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.bank import QuizError
from decklab.evals.judges.quiz.quiz import build_quiz, take_quiz
from decklab.evals.judges.scenario.drafting import draft_task
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.task import ScenarioTask, load_task
from decklab.evals.unippt.tasks import (
    QUALITIES,
    SOURCES,
    TASK_FILE,
    starter_names,
    write_starter,
    write_starter_decks,
)
from decklab.metrics.statistics import spearman_rho
from decklab.rendering.renderer import Renderer
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

SLIDES: Final = 14
"""Of the best deck of a document. Ours."""
QUIZ: Final = "quiz"
"""The share of questions of a cloze bank on the sources that a deck answers."""


@dataclass(frozen=True)
class RankedCase:
    """Four decks for one task, the best first."""

    name: str
    task: ScenarioTask
    sources: tuple[Path, ...]
    decks: tuple[Path, ...]


@dataclass(frozen=True)
class RankedMetric:
    """The scores of four decks by one metric, the best deck first."""

    case: str
    metric: str
    scores: tuple[float | NotScored, ...]

    @property
    def rho(self) -> float | NotScored:
        """Spearman's, of the scores and the stated order, -1 to 1; higher is better."""
        known = [value for value in self.scores if not isinstance(value, NotScored)]
        order = [
            -place for place, value in enumerate(self.scores) if not isinstance(value, NotScored)
        ]
        return spearman_rho(known, order)

    @property
    def against(self) -> list[tuple[int, int]]:
        """The pairs of places where the worse deck has the higher score."""
        known = [
            (n, value) for n, value in enumerate(self.scores) if not isinstance(value, NotScored)
        ]
        return [(a, b) for a, one in known for b, other in known if a < b and one < other]


def handmade_cases(folder: Path, names: Sequence[str] = ()) -> Iterator[RankedCase]:
    """Tasks of these names, or all, of the starter set of UniPPTBench, with decks made by hand."""
    tasks, decks = folder / "tasks", folder / "decks"
    write_starter(tasks, names)
    write_starter_decks(tasks, decks, names)
    for name in names or starter_names():
        sources = tuple(sorted((tasks / name / SOURCES).glob("*")))
        task = load_task(tasks / name / TASK_FILE, read_documents(sources))
        four = tuple(decks / quality / f"{name}.pptx" for quality in QUALITIES)
        yield RankedCase(f"{name}, {task.setting}", task, sources, four)


def documents_in_four_qualities(documents: Sequence[Path], folder: Path) -> Iterator[RankedCase]:
    """Documents of strangers, with drafted tasks: each alone in two settings, and of three and more
    each second one with the next.

    The best deck is what ``decklab write`` makes; the next lacks every other slide; of what is
    left, the third has other numbers and lacks every other point and visual; the worst is the best
    deck of another document.
    """
    full = [_written([one], folder / f"{one.stem}.pptx") for one in documents]
    for number, document in enumerate(documents):
        strange = full[(number + 1) % len(full)]
        four = ranked_decks(full[number], strange)
        settings: tuple[ScenarioSetting, ...] = ("long-doc", "multimodal")
        for setting in settings:
            task = draft_task(setting, read_documents([document]))
            yield RankedCase(f"{document.stem}, {setting}", task, (document,), four)
    for number in range(0, len(documents) - 1, 2) if len(documents) > 2 else ():
        both = tuple(documents[number : number + 2])
        name = "+".join(one.stem for one in both)
        task = draft_task("multi-source", read_documents(both))
        deck = _written(both, folder / f"{name}.pptx")
        strange = full[(number + 2) % len(full)]
        yield RankedCase(f"{name}, multi-source", task, both, ranked_decks(deck, strange))


def ranked_decks(best: Path, strange: Path) -> tuple[Path, ...]:
    """Four decks from one and another document's, the best first; two are written beside it."""
    half, spoilt = best.with_stem(f"{best.stem}-half"), best.with_stem(f"{best.stem}-spoilt")
    deck = Presentation(os.fspath(best))
    _drop_slides(deck)
    deck.save(os.fspath(half))
    for damage in (drop_points, drop_visuals, corrupt_numbers, distort_charts):
        damage(deck)
    deck.save(os.fspath(spoilt))
    return best, half, spoilt, strange


def _written(documents: Sequence[Path], deck: Path) -> Path:
    deck.unlink(missing_ok=True)
    write_deck(list(documents), deck, options=WriteOptions(slides=SLIDES))
    return deck


def _drop_slides(deck: Any) -> None:
    """Delete every other slide; the cover stays."""
    listed = deck.slides._sldIdLst
    for one in list(listed)[1::2]:
        deck.part.drop_rel(one.rId)
        listed.remove(one)


def ranked_metrics(case: RankedCase, folder: Path, renderer: Renderer) -> Iterator[RankedMetric]:
    """The scores of a case's decks by every metric without a model; those of the setting only."""
    found = judge_decks(case.decks, sources=case.sources, task=case.task, renderer=renderer)
    scored = (one for one in found[0].metrics if not isinstance(one.score, NotScored))
    for name in [one.name for one in scored]:
        yield RankedMetric(case.name, name, tuple(one.scores[name] for one in found))
    if case.sources:
        yield from _quizzed(case, folder)


def _quizzed(case: RankedCase, folder: Path) -> Iterator[RankedMetric]:
    try:
        bank = build_quiz(case.sources, folder / "bank.json", force=True).bank
    except QuizError:
        return
    results = take_quiz(bank, case.decks)
    yield RankedMetric(case.name, QUIZ, tuple(one.accuracy.share for one in results))


def mean_rho(found: Sequence[RankedMetric]) -> Mapping[str, tuple[float, int, int]]:
    """By metric: mean Spearman's rho over its cases, how many these are, and how many pairs of
    decks were put in the wrong order."""
    means: dict[str, tuple[float, int, int]] = {}
    for name in dict.fromkeys(one.metric for one in found):
        own = [one for one in found if one.metric == name]
        known = [rho for one in own if not isinstance(rho := one.rho, NotScored)]
        if known:
            wrong = sum(len(one.against) for one in own)
            means[name] = (sum(known) / len(known), len(known), wrong)
    return means
