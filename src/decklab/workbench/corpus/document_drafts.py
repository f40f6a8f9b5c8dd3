"""Tasks about documents, for UniPPTBench and QuizBank, each with two decks that try it out.

Annotations are made by ``decklab.evals.judges.scenario``, questions by
``decklab.evals.judges.quiz``, by program or by a model, whose quotes are looked up in the
documents. The truth is a deck of the quotes themselves, the other deck is empty. A task that does
not tell the two apart is left out.

Programs judge, as proxies: what only a model can judge is not checked.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any, Final

from decklab.board.blueprint import read_plan
from decklab.board.pages.writing import write_deck
from decklab.core.errors import BudgetSpent, DecklabError
from decklab.core.files import write_whole
from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.quotes import plain_words
from decklab.documents.reading import read_documents
from decklab.evals.judge_tasks import BANK
from decklab.evals.judges.quiz.bank import (
    QUESTIONS,
    QuizBank,
    bank_problems,
    sources_title,
    write_bank,
)
from decklab.evals.judges.quiz.quiz import bank_by_model, cloze_bank, take_quiz
from decklab.evals.judges.scenario.drafting import MODEL_DRAFT, draft_task, draft_task_by_model
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import (
    ScenarioTask,
    metrics_of,
    source_visual,
    task_problems,
    write_task,
)
from decklab.evals.pptarena.cases import slug
from decklab.evals.unippt.tasks import SOURCES, TASK_FILE
from decklab.workbench.corpus.draft_run import DraftFailed, DraftRun, DraftSource, free_path

_OF_CONTENT: Final = frozenset(
    {"key_coverage", "visual_use", "chart_fidelity", "source_coverage", "integration"}
)
"""Metrics of whether a deck has what a task lists. Others ask how well it says it."""
LEAST_TRUTH: Final = 8.0
MOST_EMPTY: Final = 2.0
"""Of 10: least score of a deck of the quotes, and highest of an empty one. Ours."""
MOST_GUESSED: Final = 2
"""Right answers of ten that an empty deck may have. Ours."""


def task_faults(task: ScenarioTask, sources: Sequence[Path], truth: Path, empty: Path) -> list[str]:
    """Faults of a task, a line each, by the scores of the two decks.

    Raises DeckError if a file cannot be read.
    """
    judged = judge_decks([truth, empty], sources=sources, task=task)
    best, worst = (judgement.scores for judgement in judged)
    faults = list(_repeated(task))
    checked = 0
    for name in (judgement for judgement in metrics_of(task) if judgement in _OF_CONTENT):
        high, low = best.get(name), worst.get(name)
        if high is None or low is None or _only_a_model(high) or _only_a_model(low):
            continue
        if isinstance(high, NotScored):
            faults.append(f"{name}: a deck of the quotes has no score: {high.reason}")
            continue
        checked += 1
        if high < LEAST_TRUTH:
            faults.append(f"{name}: a deck of the quotes has {high:.1f} of 10 only")
        if not isinstance(low, NotScored) and low > MOST_EMPTY:
            faults.append(f"{name}: an empty deck has {low:.1f} of 10")
    if not checked:
        faults.append("no metric of its setting can be judged by program")
    return faults


def _only_a_model(score: float | NotScored) -> bool:
    return isinstance(score, NotScored) and score.reason == ONLY_A_MODEL


def _repeated(task: ScenarioTask) -> Iterator[str]:
    """Statements of one list that say the same letters."""
    for name, lists in (("key_points", task.key_points), ("contributions", task.contributions)):
        seen: set[str] = set()
        for item in lists:
            if (words := plain_words(item.statement).casefold()) in seen:
                yield f"{name} {item.id}: an earlier one says the same"
            seen.add(words)


def exam_faults(bank: QuizBank, truth: Path, empty: Path) -> list[str]:
    """Faults of a bank, a line each, by the exams of the two decks, without a model.

    Questions have to be answered from their quotes, and not without. One of a model in other words
    than its source may be a good one that a program cannot answer: of those, half have to be.
    """
    faults = []
    best, worst = take_quiz(bank, [truth, empty])
    least = QUESTIONS if bank.proxy else QUESTIONS // 2
    if best.accuracy.correct < least:
        missed = [question for question, said in best.pairs if said.selected != question.answer]
        wrong = ", ".join(str(question.number) for question in missed)
        faults.append(
            f"a deck of the quotes answers {best.accuracy.correct} questions of {QUESTIONS}, not "
            f"{least} at least; wrong: {wrong}"
        )
    if worst.accuracy.correct > MOST_GUESSED:
        faults.append(f"an empty deck answers {worst.accuracy.correct} questions")
    return faults


_THEME: Final = "academic"
_COLUMNS: Final = 8
_ROWS: Final = 12
_TITLE: Final = 70
"""Largest table of a slide, and most characters of a title. Ours."""


def write_truth_deck(
    path: Path,
    title: str,
    statements: Iterable[Sequence[str]],
    visuals: Sequence[Figure | DocumentTable] = (),
) -> None:
    """Write a deck with a slide for each group of ``statements``, each figure and each table.

    ``title`` is that of the sources and stands on every slide, so that no slide says what they do
    not. Raises PlanError if a slide cannot be made of one, Unavailable without ``decklab[write]``.
    """
    with TemporaryDirectory(prefix="decklab-visuals-") as folder:
        slides: list[dict[str, Any]] = [_opening(title)]
        for group in statements:
            body = [{"text": _line(text)} for text in group]
            slides.append({"layout": "body", "title": _heading(title), "body": body})
        for number, visual in enumerate(visuals, start=1):
            slides += _visual_slides(visual, title, Path(folder) / f"{number}.png")
        _write(path, slides)


def write_empty_deck(path: Path) -> None:
    """Write a deck of one slide that says nothing of any source; else as ``write_truth_deck``."""
    _write(path, [_opening("Presentation")])


def _opening(title: str) -> dict[str, Any]:
    return {"layout": "title", "title": _heading(title)}


def _visual_slides(
    visual: Figure | DocumentTable, title: str, picture: Path
) -> Iterator[dict[str, Any]]:
    """A figure with its caption beside it, or a table, on as many slides as it takes."""
    heading = _heading(visual.caption or title)
    if isinstance(visual, Figure):
        picture.write_bytes(visual.draw())
        caption = _line(visual.caption or title)
        shown = {"path": str(picture), "alt": caption}
        body = [{"text": caption}]
        yield {"layout": "picture_left", "title": heading, "picture": shown, "body": body}
        return
    header, *rows = [[_line(cell) for cell in row[:_COLUMNS]] for row in visual.rows]
    for start in range(0, len(rows), _ROWS):
        part = {"header": header, "rows": rows[start : start + _ROWS]}
        yield {"layout": "table", "title": heading, "table": part}


def _heading(text: str) -> str:
    return shorten(_line(text), _TITLE, placeholder=" ...")


def _line(text: str) -> str:
    """A text as one paragraph, without characters that no paragraph may have; never empty."""
    return "".join(char for char in " ".join(text.split()) if char.isprintable()) or "-"


def _write(path: Path, slides: Sequence[dict[str, Any]]) -> None:
    plan = read_plan({"title": slides[0]["title"], "slides": list(slides)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_deck(plan, _THEME, path)


DECKS: Final = "decks"
TRUTH: Final = "truth"
EMPTY: Final = "empty"
"""Folders of decks of UniPPTBench, as its systems; names of the decks beside a bank."""
_TABLES: Final = 8
"""Tables that the truth of a bank shows at most: the quote of a number in one is a row.
Ours."""
QUIZ_SOURCES: Final = "sources"
"""Folder of the documents of banks: beside a bank they would be decks that answer it."""
_SETTINGS: Final[tuple[ScenarioSetting, ...]] = ("long-doc", "multimodal")
"""Settings of one document, in the order in which they are tried."""


def scenario_tasks(source: DraftSource, run: DraftRun) -> Iterator[dict[str, Any]]:
    """The tasks of UniPPTBench that documents give, written with sources and two decks.

    Several documents make one task of several sources; one makes a task by its words and one by its
    figures and tables. Each task as its name.
    """
    known = read_documents(source.paths)
    settings = ("multi-source",) if len(source.paths) > 1 else _SETTINGS[: run.tasks]
    for setting in settings:
        try:
            task = _task(setting, known, run, source.name)
            folder = free_path(run.folder / slug(f"{source.stem}-{setting}"))
            _write_scenario(task, known, source, folder, run.folder)
        except BudgetSpent:
            raise
        except DecklabError as error:
            run.left_out.append(f"{source.name}, {setting}: {error}")
            continue
        yield {"name": folder.name}


def _task(setting: ScenarioSetting, known: KnowledgeBase, run: DraftRun, name: str) -> ScenarioTask:
    if run.ask is None:
        task = draft_task(setting, known)
    else:
        draft = draft_task_by_model(setting, known, run.ask, model=run.model)
        run.left_out.extend(f"{name}, {setting}: {line}" for line in draft.left_out)
        task = draft.task
    if problems := task_problems(task, known):
        raise DraftFailed("; ".join(problems))
    return task


def _write_scenario(
    task: ScenarioTask, known: KnowledgeBase, source: DraftSource, target: Path, folder: Path
) -> None:
    """Write a task that its two decks keep apart; DraftFailed, and nothing written, where not."""
    visuals = [shown for visual in task.visuals if (shown := source_visual(visual, known))]
    with TemporaryDirectory(prefix="decklab-draft-") as scratch:
        truth, empty = (Path(scratch) / f"{name}.pptx" for name in (TRUTH, EMPTY))
        write_truth_deck(truth, sources_title(known), _said(task), visuals)
        write_empty_deck(empty)
        if faults := task_faults(task, source.paths, truth, empty):
            raise DraftFailed("; ".join(faults))
        for deck in (truth, empty):
            write_whole(folder / DECKS / deck.stem / f"{target.name}.pptx", deck.read_bytes())
    for path, name in zip(source.paths, task.sources, strict=True):
        write_whole(target / SOURCES / name, path.read_bytes())
    write_task(task, target / TASK_FILE)


def _said(task: ScenarioTask) -> list[tuple[str, ...]]:
    """The quotes of a task by slide, none twice; those that belong together are on one."""
    groups = [(item.statement, *(part.quote for part in item.parts)) for item in task.integrations]
    quotes = {quote for group in groups for quote in group}
    alone = dict.fromkeys(quote.quote for _, quote in task.quotes if quote.quote not in quotes)
    return [*dict.fromkeys(groups), *((quote,) for quote in alone)]


def quiz_banks(source: DraftSource, run: DraftRun) -> Iterator[dict[str, Any]]:
    """A bank of QuizBank about documents, written with two decks beside it; as its name.

    Raises QuizError if no bank keeps the rules, DraftFailed if it does not tell the decks apart.
    """
    known = read_documents(source.paths)
    if run.ask is None:
        bank = cloze_bank(known, seed=run.seed)
    else:
        built = bank_by_model(known, run.ask, model=run.model, seed=run.seed)
        run.left_out.extend(f"{source.name}: {line}" for line in built.left_out)
        bank = built.bank
    bank = bank.model_copy(update={"made_by": f"{bank.made_by}{MODEL_DRAFT}"})
    folder = free_path(run.folder / slug(source.stem))
    _write_quiz(bank, known, source, folder, run.folder)
    yield {"name": folder.name}


def _write_quiz(
    bank: QuizBank, known: KnowledgeBase, source: DraftSource, target: Path, folder: Path
) -> None:
    """Write a bank that its two decks keep apart; DraftFailed, and nothing written, where not."""
    quotes = dict.fromkeys(question.quote for question in bank.questions)
    tables = [table for table in known.tables if len(table.rows) > 1][:_TABLES]
    with TemporaryDirectory(prefix="decklab-draft-") as scratch:
        truth, empty = (Path(scratch) / f"{name}.pptx" for name in (TRUTH, EMPTY))
        write_truth_deck(truth, sources_title(known), [(quote,) for quote in quotes], tables)
        write_empty_deck(empty)
        if faults := [*bank_problems(bank, known), *exam_faults(bank, truth, empty)]:
            raise DraftFailed("; ".join(faults))
        for deck in (truth, empty):
            write_whole(target / deck.name, deck.read_bytes())
    for path, document in zip(source.paths, known.documents, strict=True):
        write_whole(folder / QUIZ_SOURCES / target.name / document.name, path.read_bytes())
    write_bank(bank, target / BANK)
