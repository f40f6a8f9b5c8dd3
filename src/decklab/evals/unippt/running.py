"""Whole runs of ``decklab bench unippt``, and what they leave on disk."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Final

from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import SCENARIO_RUNS, WRITE_SLIDES, Spending
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.core.results import NotScored
from decklab.evals.inspect_run import run_task
from decklab.evals.unippt.outcomes import AVERAGE, JUDGED, SHARED, DeckOutcome, deck_outcomes
from decklab.evals.unippt.report import UnipptRun, write_unippt_report
from decklab.evals.unippt.starter import QUALITIES, write_starter, write_starter_decks
from decklab.evals.unippt.task import unippt_task
from decklab.evals.unippt.tasks import (
    DeckSystem,
    DeckTask,
    folder_systems,
    load_deck_tasks,
    system_names,
    writer_system,
)
from decklab.models.inspect import open_model
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.pages.files import csv_text, strict_json
from decklab.rendering.renderer import Cache, Renderer

SCORES: Final = "scores.csv"
_WRITTEN, _LOGS = "written", "logs"
_PLACES: Final = {str(name): index for index, name in enumerate(QUALITIES)}
STARTER_TITLE: Final = "UniPPTBench, starter set"


def bench_unippt(
    out: Path,
    *,
    tasks: Path | None = None,
    decks: Path | None = None,
    write: bool = False,
    names: Sequence[str] = (),
    slides: int = WRITE_SLIDES,
    model: str | None = None,
    judge: str | None = None,
    runs: int = SCENARIO_RUNS,
    spending: Spending | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> UnipptRun:
    """Have systems make decks for tasks, all or those of ``names``, judge them, and leave report,
    pages, log, ``results.json`` and ``scores.csv`` in ``out``.

    ``tasks`` is a folder of tasks, without it the starter set. ``decks`` is a folder with a folder
    of decks for each system; without it the starter set has its own four of known quality.
    ``write`` has decklab's writer make decks too, of ``slides`` slides at most, with ``model`` or
    without one. ``judge`` is the model that judges, ``runs`` times; None has programs stand in.
    ``spending`` bounds and keeps what models are asked. ``progress`` is called with the number of
    decks done and of all, ``tell`` with a line whenever a model is asked again. Raises
    DecklabError or OSError for anything missing or wrong before it begins; later a deck that cannot
    be made or judged is an outcome with its cause.
    """
    title = STARTER_TITLE if tasks is None else f"UniPPTBench, {tasks.resolve().name}"
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite or bool(spending and spending.record))
        for name in filter(None, (model, judge)):
            open_model(name)
        scratch = stack.enter_context(scratch_folder("unippt"))
        folder = tasks or write_starter(scratch / "tasks", names)
        chosen = load_deck_tasks(folder, names)
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        systems = folder_systems(decks) if decks else ()
        if not decks and tasks is None and not write:
            given = folder_systems(write_starter_decks(folder, scratch / "decks", names))
            systems = tuple(sorted(given, key=lambda system: _PLACES[system.name]))
        if write or not systems:
            systems += (writer_system(out / _WRITTEN, slides=slides, renderer=renderer),)
        asked = {"model": model, "judge": judge, "runs": runs if judge else None, "slides": slides}
        run = begin_run(spending, _asked(asked, chosen, systems), tell=tell)
        begin_run_folder(out, overwrite=overwrite or run.resumed)
        total, done = len(chosen) * len(systems), count(1)
        progress(0, total)
        task = unippt_task(
            chosen, systems, judge=open_model(judge) if judge else None,
            runs=runs if judge else 1, pages=out, renderer=renderer, run=run,
            ended=lambda: progress(next(done), total),
        )  # fmt: skip
        log = run_task(task, logs=out / _LOGS, model=model)
    by_pair = {(outcome.system, outcome.task): outcome for outcome in deck_outcomes(log)}
    named = system_names(systems)
    outcomes = [by_pair[name, item.name] for name in named for item in chosen]
    ended = UnipptRun(outcomes, named, run.words, run.costs.ended)
    _write_results(out, ended, asked)
    write_unippt_report(out, title, chosen, ended, facts=_facts(asked, ended))
    return ended


def _asked(
    named: Mapping[str, Any], tasks: Sequence[DeckTask], systems: Sequence[DeckSystem]
) -> dict[str, Any]:
    """Facts that a record keeps of a run: all that changes its questions."""
    return {
        "command": "bench unippt",
        **named,
        "systems": list(system_names(systems)),
        "tasks": {task.name: task.task.model_dump_json() for task in tasks},
        "sources": {item.name: [file_digest(path) for path in item.sources] for item in tasks},
    }


def _facts(named: Mapping[str, Any], run: UnipptRun) -> dict[str, str]:
    facts = {
        "Judge": named["judge"] or "decklab, by program",
        "Runs": str(named["runs"]) if named["runs"] else "",
        "Writer's model": named["model"] or "",
        "Spent": run.spent,
        "Models were asked no more": run.ended,
    }
    return {word: said for word, said in facts.items() if said}


def _write_results(out: Path, run: UnipptRun, named: Mapping[str, Any]) -> None:
    results = {
        **named,
        "systems": list(run.systems),
        "spent": run.spent,
        "ended": run.ended,
        "settings": {
            setting: {row.system: row.to_json() for row in rows}
            for setting, rows in run.tables.items()
        },
        "decks": [outcome.to_json() for outcome in run.outcomes],
    }
    write_whole(out / "results.json", strict_json(results).encode())
    write_whole(out / SCORES, _scores_csv(run.outcomes).encode())


def _scores_csv(outcomes: Sequence[DeckOutcome]) -> str:
    """All scores as ``decklab agree`` takes them; missing scores are left out."""
    rows = [["topic", "product", "metric", "value"]]
    for outcome in outcomes:
        for metric in dict.fromkeys((*outcome.scores, SHARED, AVERAGE, JUDGED)):
            value = outcome.value(metric)
            if not isinstance(value, NotScored):
                rows.append([outcome.task, outcome.system, metric, f"{value:.6g}"])
    return csv_text(rows)
