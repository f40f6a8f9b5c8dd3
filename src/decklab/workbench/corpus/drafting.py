"""Tasks drafted for a benchmark from decks or documents, each tried out before it is kept; and the
check of drafted tasks, and of tasks that a person wrote in the same form.

Without a model requests are plain ones, and annotations and questions are proxies: they try a
pipeline and rank nothing. A person has to look at each draft, and to take its mark away, before
results by it are compared.

The content of a folder says which benchmark it is for. Each task is loaded as its benchmark loads
it; the untouched deck must fail, the truth pass, nothing be there twice, and quotes stand in their
sources. The check asks no model. It needs ``decklab[evals]``.
"""

import errno
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import BudgetSpent, DecklabError, SourceError
from decklab.core.files import check_folder
from decklab.core.options import Spending
from decklab.core.stages import Progress, silent
from decklab.documents.model import DOCUMENT_SUFFIXES
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
from decklab.models.model_run import begin_run, file_digest
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation
from decklab.workbench.cluster.sources import SourceItem, fetched, source_items
from decklab.workbench.corpus.document_drafts import (
    DECKS,
    EMPTY,
    QUIZ_SOURCES,
    TRUTH,
    exam_faults,
    quiz_banks,
    scenario_tasks,
    task_faults,
)
from decklab.workbench.corpus.draft_run import DRAFT, DraftKind, DraftRun, DraftSource
from decklab.workbench.corpus.edit_drafts import (
    CASES_FILE,
    arena_cases,
    attempt_faults,
    rubric_tasks,
    write_arena,
    write_registry,
)


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
    if (given := Path(path)).is_file() or (given / CASES_FILE).is_file():
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
    asked = ((case, plain_words(case.prompt).casefold()) for case in cases)
    faults += _repeated((case.name, (file_digest(case.original), said)) for case, said in asked)
    notes = [f"{check.case.name}: {note}" for check in checks for note in check.notes]
    drafts = tuple(_arena_drafts(cases))
    return CheckedCases("pptarena", len(cases), tuple(faults), tuple(notes), drafts)


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
            if not (known := truth.is_file()):
                notes.append(f"{task.name}: no perfect attempt: its truth is not checked")
            try:
                perfect = truth if known else None
                problems = attempt_faults(task.deck, perfect, task.rubric, room=room)
            except DecklabError as error:
                problems = [str(error)]
            faults += [f"{task.name}: {fault}" for fault in problems]
    goals = ((task, plain_words(task.goal).casefold()) for task in tasks)
    faults += _repeated((task.name, (file_digest(task.deck), goal)) for task, goal in goals)
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
        if not (documents := sorted((folder / QUIZ_SOURCES / name).glob("*"))):
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
    asked = ((name, question) for name, bank in banks.items() for question in bank.questions)
    faults += _repeated(
        (f"{name}, question {question.number}", plain_words(question.question).casefold())
        for name, question in asked
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


_MOST_BYTES: Final = 500_000_000
_DECKS: Final = frozenset({".pptx", ".potx", ".ppsx", ".pptm"})
"""Kinds of decks that are read as documents."""

_Entry = dict[str, Any]
_Drafter = Callable[[DraftSource, DraftRun], Iterator[_Entry]]


def _no_list(folder: Path, entries: Sequence[_Entry]) -> Path:
    """Benchmarks whose tasks are folders have no list of them."""
    return folder


_DRAFTERS: Final[dict[DraftKind, tuple[_Drafter, Callable[[Path, Sequence[_Entry]], Path]]]] = {
    "pptarena": (arena_cases, write_arena),
    "ppteval": (rubric_tasks, write_registry),
    "unippt": (scenario_tasks, _no_list),
    "quizbank": (quiz_banks, _no_list),
}
_OF_DECKS: Final = frozenset({"pptarena", "ppteval"})


@dataclass(frozen=True)
class DraftedCases:
    """Result of drafting: the list, how many tasks it has, and what was left out and why."""

    path: Path
    cases: int
    left_out: tuple[str, ...]
    ended: str = ""
    """Why no more was drafted, if a budget was spent."""
    spent: str = ""
    """Cost of the model, in a sentence."""


def draft_cases(
    sources: Iterable[str],
    out: str | Path,
    *,
    benchmark: DraftKind = "pptarena",
    tasks: int = 2,
    seed: int = 0,
    together: bool = False,
    model: str | None = None,
    spending: Spending | None = None,
    progress: Progress = silent,
) -> DraftedCases:
    """Draft at most ``tasks`` tasks of each source into the folder ``out``, the list last.

    Sources are those of ``--cluster``, among them the file of ``corpus select``; for UniPPTBench
    and QuizBank documents too, all of one task if they are ``together``. Without ``model`` the
    same sources and ``seed`` give the same tasks; ``spending`` bounds and keeps what it is asked.
    ``progress`` is called with the name of each source. Raises FileExistsError if ``out`` holds
    anything, SourceError if no task could be drafted, ValueError for editing tasks of several
    decks together, ModelUnavailable before anything is asked.
    """
    folder, named = Path(out), list(sources)
    if together and benchmark in _OF_DECKS:
        raise ValueError(f"a task of {benchmark} is about one deck")
    check_folder(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "holds something; name another folder", str(folder))
    if benchmark == "ppteval" or (model is not None and benchmark == "pptarena"):
        check_isolation()
    facts: dict[str, object] = {
        "command": "corpus draft",
        "benchmark": benchmark,
        "sources": named,
        "tasks": tasks,
    }
    facts |= {"seed": seed, "together": together, "model": model}
    listed = source_items(named) if benchmark in _OF_DECKS else _document_items(named)
    with ExitStack() as stack:
        asked = begin_run(spending if model else None, facts, tell=progress)
        ask = stack.enter_context(asked.asking(model)) if model else None
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        room = stack.enter_context(LeafRoom()) if benchmark == "ppteval" else None
        run = DraftRun(folder, tasks, seed, renderer, renderer.can_draw, room, ask, model or "")
        entries, ended = _drafted(listed, run, _DRAFTERS[benchmark][0], together, progress)
    if not entries:
        causes = "; ".join([*run.left_out[:3], *filter(None, [ended])])
        raise SourceError(folder, f"no task could be drafted: {causes or 'there is no source'}")
    path = _DRAFTERS[benchmark][1](folder, entries)
    return DraftedCases(path, len(entries), tuple(run.left_out), ended, asked.words)


def _drafted(
    items: Iterable[SourceItem], run: DraftRun, draft: _Drafter, together: bool, progress: Progress
) -> tuple[list[_Entry], str]:
    """The entries of all sources, and why no more is asked; raises SourceError for none."""
    entries: list[_Entry] = []
    groups = [list(items)] if together else ([item] for item in items)
    for group in groups:
        if not group:
            raise SourceError("the sources", "hold no document")
        progress(group[0].name)
        try:
            with _opened(group) as source:
                for entry in draft(source, run):
                    entries.append(entry)  # what was drafted before an error counts
        except BudgetSpent as error:
            return entries, str(error)
        except (DecklabError, OSError) as error:
            run.left_out.append(f"{group[0].name}: {error}")
    return entries, ""


@contextmanager
def _opened(group: Sequence[SourceItem]) -> Iterator[DraftSource]:
    """The files of a source. Raises what fetching raises."""
    with ExitStack() as stack:
        paths = []
        for item in group:
            if item.problem:
                raise SourceError(item.name, item.problem)
            paths.append(stack.enter_context(fetched(item, most_bytes=_MOST_BYTES)))
        first = group[0]
        name = Path(first.member or first.about.get("name") or first.address).name
        yield DraftSource(first.name, tuple(paths), {**first.about, "name": name})


def _document_items(sources: Iterable[str]) -> Iterator[SourceItem]:
    """Documents by their paths, those directly in folders, and the decks of other sources."""
    for source in sources:
        if (path := Path(source)).is_dir():
            for file in sorted(path.iterdir()):
                if file.suffix.lower() in {*DOCUMENT_SUFFIXES, *_DECKS} and file.is_file():
                    yield SourceItem(str(file), "path", str(file))
        elif path.suffix.lower() in DOCUMENT_SUFFIXES and "://" not in source:
            yield SourceItem(source, "path", source)
        else:
            yield from source_items([source])
