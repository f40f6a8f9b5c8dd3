"""Whole runs of ``decklab bench ppteval`` and ``ppteval-meta``, and what they leave on disk."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import astuple
from itertools import count
from pathlib import Path
from typing import Any

from decklab.core.errors import UnknownName
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import EditLimits, EditorAccess, Spending, TaskAgent
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.evals.editors.isolation import EditorFor, describe_isolation, isolation_facts
from decklab.evals.editors.protocol import NEEDS_MODEL
from decklab.evals.editors.running import editor_for
from decklab.evals.inspect_run import run_task
from decklab.evals.ppteval.agents import STEPS_PAGE, TaskAgents
from decklab.evals.ppteval.meta import (
    GradedAttempt,
    agreement,
    find_attempts,
    grade_attempts,
    repeated,
)
from decklab.evals.ppteval.outcomes import (
    Grading,
    RunSummary,
    TaskOutcome,
    agent_numbers,
    outcomes_of,
    summarize,
)
from decklab.evals.ppteval.report import (
    TREES,
    MetaRun,
    PptevalRun,
    agent_words,
    tree_pages,
    write_attempt_page,
    write_meta_report,
    write_report,
)
from decklab.evals.ppteval.task import ppteval_task
from decklab.evals.ppteval.tasks import (
    EDITORS,
    EditingTask,
    case_files,
    load_editing_tasks,
    write_starter,
)
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run, file_digest
from decklab.pages.files import strict_json
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation

_DECKS, _LOGS = "decks", "logs"
_OUTPUTS = (_DECKS, _LOGS, TREES, "index.html", "results.json")
"""What a run writes; no editor may see it."""


def bench_ppteval(
    out: Path,
    *,
    tasks: Path | None = None,
    files: Path | None = None,
    names: Sequence[str] = (),
    editor: str = "noop",
    model: str | None = None,
    judge: str | None = None,
    limits: EditLimits | None = None,
    access: EditorAccess | None = None,
    agent: TaskAgent | None = None,
    spending: Spending | None = None,
    pictures: bool = True,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> PptevalRun:
    """Have ``editor`` do tasks, all or those of ``names``, and leave pages, decks, log and
    ``results.json`` in ``out``.

    ``tasks`` is a list or its folder, without it the starter set; ``files`` the folder of decks.
    With ``agent`` that does the tasks, and no editor. ``spending`` bounds and keeps what models are
    asked; what is left then is not scored.
    ``progress`` is called with the number of tasks done and of all tasks, first with 0 when
    everything is ready, and ``tell`` with a line whenever a model is asked again. Until then it
    raises DecklabError or OSError for anything missing or wrong; after that as `run_ppteval` does.
    """
    limits = limits or EditLimits()
    title = "PPT-Eval, starter set" if tasks is None else f"PPT-Eval, {tasks.resolve().name}"
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite or bool(spending and spending.record))
        for name in filter(None, (model, judge)):
            open_model(name)
        check_isolation()
        if tasks is None:
            folder = stack.enter_context(scratch_folder("starter"))
            tasks = write_starter(folder)
        listed = load_editing_tasks(tasks, files)
        chosen = _chosen(listed, names)
        named = {"editor": editor, "model": model, "judge": judge}
        if agent is not None:
            named = {"agent": agent.kind, "model": model, "judge": judge}
        run = begin_run(spending, _asked(named, limits, chosen), tell=tell)
        hidden = [*case_files(tasks, listed), *(out / name for name in _OUTPUTS), *run.folders]
        agents = None
        if agent is not None:
            agents = TaskAgents(agent, limits=limits, costs=run.costs, hidden=hidden)
            agents.check(chosen)
            chosen = tuple(agents.graded(chosen))
        under_test = editor_for(editor, EDITORS, limits=limits, access=access, hidden=hidden)
        isolation = {} if agents else isolation_facts(under_test(chosen[0]))
        begin_run_folder(out, overwrite=overwrite or run.resumed)
        done = count(1)
        progress(0, len(chosen))
        outcomes = run_ppteval(
            chosen, under_test, name=editor, model=model, judge=judge, limits=limits,
            pictures=pictures, out=out, run=run, agents=agents,
            ended=lambda: progress(next(done), len(chosen)),
        )  # fmt: skip
    summary = summarize(outcomes)
    assert isinstance(summary, RunSummary), "a run without tasks has raised"
    numbers = agent_numbers(outcomes) if agents else None
    board = PptevalRun(outcomes, summary, run.words, run.costs.ended, numbers)
    _write_results(out, board, named, agents.facts if agents else {"kept_apart": isolation})
    facts = _facts(board, named, limits, isolation)
    if agents is not None and agents.setup.environments > 1:
        facts["Environments"] = f"{agents.setup.environments} side by side"
    write_report(out, title, chosen, outcomes, summary=summary, facts=facts)
    return board


def _asked(
    named: Mapping[str, str | None], limits: EditLimits, tasks: Sequence[EditingTask]
) -> dict[str, Any]:
    """Facts on a run for its record: all that changes its questions."""
    return {
        "command": "bench ppteval",
        **named,
        "limits": astuple(limits),
        "tasks": {task.name: file_digest(task.deck) for task in tasks},
    }


def _facts(
    run: PptevalRun, named: Mapping[str, str | None], limits: EditLimits, isolation: dict[str, Any]
) -> dict[str, str]:
    """Facts on the run for the report, by words."""
    facts = {
        **{word.capitalize(): value for word, value in named.items()},
        "Limits": f"{limits.seconds:g} s, {limits.steps} steps, {limits.messages} messages a task",
        "Spent": run.spent,
        "Models were asked no more": run.ended,
        **(agent_words(run.agent) if run.agent else {}),
        "Editor kept apart": describe_isolation(isolation) if isolation else "",
    }
    return {word: said for word, said in facts.items() if said}


def _write_results(
    out: Path, run: PptevalRun, named: Mapping[str, str | None], facts: Mapping[str, Any]
) -> None:
    results = {
        **named,
        "spent": run.spent,
        "ended": run.ended,
        **facts,
        **({"agent_numbers": run.agent.to_json()} if run.agent else {}),
        "summary": run.summary.to_json(),
        "tasks": [outcome.to_json() for outcome in run.outcomes],
    }
    write_whole(out / "results.json", strict_json(results).encode())


def _chosen(tasks: tuple[EditingTask, ...], names: Sequence[str]) -> tuple[EditingTask, ...]:
    unknown = set(names) - {task.name for task in tasks}
    if unknown:
        raise UnknownName(f"no task named {', '.join(sorted(unknown))}")
    return tuple(item for item in tasks if not names or item.name in names)


def run_ppteval(
    tasks: Sequence[EditingTask],
    editor: EditorFor[EditingTask],
    *,
    name: str,
    model: str | None,
    judge: str | None,
    limits: EditLimits,
    pictures: bool,
    out: Path,
    run: ModelRun | None = None,
    agents: TaskAgents | None = None,
    ended: Callable[[], object] | None = None,
) -> list[TaskOutcome]:
    """Have ``editor``, called ``name``, or ``agents`` do ``tasks``; the outcome of each, in their
    order.

    The log goes to ``out/logs``, decks before and after to ``out/decks/TASK``, the page of each
    graded tree to the path that ``tree_pages`` gives; pages of an earlier run are deleted.
    ``run`` counts and keeps what models are asked, ``ended`` is called after each task. Raises
    ModelUnavailable if there is no such model, UnknownName where the editor asks for a model and
    none was named, and ModelFailed where the run as a whole failed; a single task that broke off is
    an outcome.
    """
    pages = {name: out / page for name, page in tree_pages(tasks).items()}
    for page in pages.values():
        page.unlink(missing_ok=True)  # a task that breaks off writes none
        page.with_name(f"{page.stem}{STEPS_PAGE}").unlink(missing_ok=True)
    with ExitStack() as stack:
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        room = stack.enter_context(LeafRoom())
        task = ppteval_task(
            tasks,
            editor,
            name=name,
            judge=open_model(judge) if judge else None,
            limits=limits,
            grading=Grading(pictures=pictures, room=room, renderer=renderer),
            keep=out / _DECKS,
            pages=pages,
            run=run,
            agents=agents,
            ended=ended,
        )
        log = run_task(task, logs=out / _LOGS, model=model or None)
    outcomes = {outcome.task: outcome for outcome in outcomes_of(log)}
    if model is None and any(item.ended == NEEDS_MODEL for item in outcomes.values()):
        raise UnknownName(f"{NEEDS_MODEL}: nothing of it is scored")
    return [outcomes[item.name] for item in tasks]


def bench_ppteval_meta(
    tasks: Path | None = None,
    *,
    files: Path | None = None,
    out: Path | None = None,
    pictures: bool = False,
    judge: str | None = None,
    repeats: int = 1,
    spending: Spending | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> MetaRun:
    """Grade the attempts beside a list of tasks, or those of the starter set, and compare with
    their levels; with ``out`` a report goes there, with a page for each tree.

    With ``pictures`` changed slides are drawn too. ``judge`` is the model that leaves ask, and each
    attempt is graded ``repeats`` times. For ``progress`` see `bench_ppteval`.
    """
    with ExitStack() as stack:
        if out is not None:
            check_run_folder(out, overwrite=overwrite, mark="index.html")
        title = "The starter set" if tasks is None else str(tasks)
        if tasks is None:
            tasks = stack.enter_context(scratch_folder("starter"))
            write_starter(tasks, attempts=True)
        attempts = find_attempts(load_editing_tasks(tasks, files), tasks)
        check_isolation()
        run = begin_run(
            spending,
            {
                "command": "bench ppteval-meta",
                "judge": judge,
                "repeats": repeats,
                "attempts": [[row.task.name, file_digest(row.deck)] for row in attempts],
            },
        )
        if out is not None:
            begin_run_folder(out, overwrite=overwrite, mark="index.html")
        ask = stack.enter_context(run.asking(judge)) if judge else None
        renderer = stack.enter_context(Renderer().started(own_cache=True))
        renderer.check()
        done = count(1)
        progress(0, len(attempts))

        def shown(attempt: GradedAttempt, decks: ComparedDecks) -> None:
            if out is not None:
                write_attempt_page(out, attempt, decks, pictures=pictures)
            progress(next(done), len(attempts))

        graded = grade_attempts(
            attempts, ask=ask, repeats=repeats, pictures=pictures, renderer=renderer, shown=shown,
            secret=run.secret if judge else "",
        )  # fmt: skip
    levels = agreement(row.attempt for row in graded)
    if out is not None:
        write_meta_report(out, title, graded, levels)
    return MetaRun(graded, levels, repeats, repeated(graded) if repeats > 1 else None)
