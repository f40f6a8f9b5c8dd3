"""The check of drafted tasks, and of tasks that a person wrote in the same form.

The content of a folder says which benchmark it is for. Each task is loaded as its benchmark loads
it; the untouched deck must fail, the truth pass, nothing be there twice, and quotes stand in their
sources. No model is asked. It needs ``decklab[evals]``.
"""

import json
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError
from decklab.documents.quotes import plain_words
from decklab.documents.reading import read_documents
from decklab.evals.judge_tasks import BANK
from decklab.evals.judges.quiz.bank import QuizBank, load_bank
from decklab.evals.judges.scenario.drafting import DRAFTED, MODEL_DRAFT
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, load_cases
from decklab.evals.pptarena.checking import self_check
from decklab.evals.ppteval.tasks import ATTEMPTS, REGISTRY, find_registry, load_editing_tasks
from decklab.evals.rubrics.graded import REGISTRY_NAME
from decklab.evals.rubrics.running import LeafRoom
from decklab.evals.unippt.tasks import TASK_FILE, DeckTask, load_deck_tasks
from decklab.models.model_run import file_digest
from decklab.workbench.corpus.document_drafts import (
    DECKS,
    EMPTY,
    QUIZ_SOURCES,
    TRUTH,
    exam_faults,
    task_faults,
)
from decklab.workbench.corpus.draft_run import DRAFT, DraftKind
from decklab.workbench.corpus.edit_drafts import CASES_FILE, attempt_faults


@dataclass(frozen=True)
class CheckedCases:
    """Result of checking a folder."""

    benchmark: DraftKind
    cases: int
    """How many tasks could be loaded."""
    faults: tuple[str, ...]
    """Everything that is wrong, a line each with the name of its task."""
    notes: tuple[str, ...] = ()
    """Checks that could not be made, and why, a line each."""
    drafts: tuple[str, ...] = ()
    """Names of tasks that are still marked as drafts."""


def check_cases(path: str | Path) -> CheckedCases:
    """Check each task of a list of cases, or of a folder in the form of one of the benchmarks.

    Raises what the benchmark raises if it cannot load the folder at all: CasesRejected,
    RubricError, ScenarioTaskError, QuizError; OSError if it cannot be read.
    """
    given = Path(path)
    if given.is_file() or (given / CASES_FILE).is_file():
        return _check_arena(given)
    if list(given.glob(f"*/{BANK}")):
        return _check_banks(given)
    if list(given.glob(f"*/{TASK_FILE}")):
        return _check_scenarios(given)
    if any(file.is_file() for file in (given / REGISTRY_NAME, given / REGISTRY / REGISTRY_NAME)):
        return _check_rubrics(given)
    return _check_arena(given)  # which says what is missing, or looks deeper


def _check_arena(path: Path) -> CheckedCases:
    cases = load_cases(path)
    with Decks(pictures=False) as decks:
        checks = self_check(cases, decks=decks)
    faults = [str(fault) for fault in cases.faults]
    faults += [f"{check.case.name}: {fault}" for check in checks for fault in check.faults]
    faults += _repeated(
        (case.name, (file_digest(case.original), plain_words(case.prompt).casefold()))
        for case in cases
    )
    notes = [f"{check.case.name}: {note}" for check in checks for note in check.notes]
    return CheckedCases(
        "pptarena", len(cases), tuple(faults), tuple(notes), tuple(_arena_drafts(cases))
    )


def _arena_drafts(cases: CaseSet) -> Iterator[str]:
    entries = json.loads(cases.path.read_bytes())
    named: dict[int, Case] = {case.number: case for case in cases}
    for number, entry in enumerate(entries, start=1):
        if number in named and isinstance(entry, dict) and entry.get("status") == DRAFT:
            yield named[number].name


def _check_rubrics(folder: Path) -> CheckedCases:
    """The tasks of PPT-Eval; the truth is the perfect attempt beside the list."""
    try:
        tasks = load_editing_tasks(folder)
    except DecklabError as error:
        return CheckedCases("ppteval", 0, (str(error),))
    registry = find_registry(folder)
    faults, notes = [], []
    attempts = registry.resolve().parent.parent / ATTEMPTS
    with LeafRoom() as room:
        for task in tasks:
            truth = attempts / task.name / "perfect.pptx"
            known = truth.is_file()
            if not known:
                notes.append(f"{task.name}: no perfect attempt: its truth is not checked")
            try:
                problems = attempt_faults(
                    task.deck, truth if known else None, task.rubric, room=room
                )
            except DecklabError as error:
                problems = [str(error)]
            faults += [f"{task.name}: {fault}" for fault in problems]
    faults += _repeated(
        (task.name, (file_digest(task.deck), plain_words(task.goal).casefold())) for task in tasks
    )
    listed = json.loads(registry.read_bytes())
    marked = [task.name for task in tasks if _is_draft(listed[task.name])]
    return CheckedCases("ppteval", len(tasks), tuple(faults), tuple(notes), tuple(marked))


def _is_draft(entry: dict[str, Any]) -> bool:
    return (entry.get("misc") or {}).get("status") == DRAFT


def _check_scenarios(folder: Path) -> CheckedCases:
    """The tasks of UniPPTBench, each by itself, so that one fault does not hide another."""
    faults: list[str] = []
    notes: list[str] = []
    tasks: list[DeckTask] = []
    for path in sorted(folder.glob(f"*/{TASK_FILE}")):
        name = path.parent.name
        try:
            (task,) = load_deck_tasks(folder, [name])
            tasks.append(task)
            truth, empty = (folder / DECKS / kind / f"{name}.pptx" for kind in (TRUTH, EMPTY))
            if truth.is_file() and empty.is_file():
                problems = task_faults(task.task, task.sources, truth, empty)
                faults += [f"{name}: {fault}" for fault in problems]
            else:
                notes.append(f"{name}: it has no {DECKS}/{TRUTH} and {DECKS}/{EMPTY} to try it out")
        except DecklabError as error:
            faults += [f"{name}: {line}" for line in str(error).splitlines()]
    faults += _repeated(
        (task.name, (task.setting, *sorted(map(file_digest, task.sources)))) for task in tasks
    )
    marked = [kind.name for kind in tasks if kind.task.made_by.endswith((MODEL_DRAFT, DRAFTED))]
    return CheckedCases("unippt", len(tasks), tuple(faults), tuple(notes), tuple(marked))


def _check_banks(folder: Path) -> CheckedCases:
    """The banks of QuizBank; their documents lie in the folder of sources."""
    faults: list[str] = []
    notes: list[str] = []
    banks: dict[str, QuizBank] = {}
    for path in sorted(folder.glob(f"*/{BANK}")):
        name = path.parent.name
        documents = sorted((folder / QUIZ_SOURCES / name).glob("*"))
        if not documents:
            notes.append(f"{name}: no document in {QUIZ_SOURCES}/{name}, so quotes are not checked")
        decks = [path.with_name(f"{kind}.pptx") for kind in (TRUTH, EMPTY)]
        if not all(deck.is_file() for deck in decks):
            notes.append(f"{name}: it has no {TRUTH}.pptx and {EMPTY}.pptx to try it out")
        try:
            banks[name] = load_bank(path, read_documents(documents) if documents else None)
            problems = exam_faults(banks[name], *decks) if all(map(Path.is_file, decks)) else []
        except DecklabError as error:
            problems = [str(error)]
        faults += [f"{name}: {fault}" for fault in problems]
    faults += _repeated(
        (f"{name}, question {question.number}", plain_words(question.question).casefold())
        for name, bank in banks.items()
        for question in bank.questions
    )
    marked = [name for name, bank in banks.items() if bank.made_by.endswith(MODEL_DRAFT)]
    return CheckedCases("quizbank", len(banks), tuple(faults), tuple(notes), tuple(marked))


def _repeated(asked: Iterable[tuple[str, Hashable]]) -> Iterator[str]:
    """The tasks that ask what an earlier one asks, a line each."""
    first: dict[Hashable, str] = {}
    for name, what in asked:
        if what in first:
            yield f"{name}: {first[what]} asks the same"
        first.setdefault(what, name)
