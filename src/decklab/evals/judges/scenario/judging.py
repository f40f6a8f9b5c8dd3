"""Judge decks for a task: the work of ``decklab judge``."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from decklab.core.errors import UnsupportedFormat
from decklab.core.files import check_file, output_file
from decklab.core.options import SCENARIO_RUNS, ScenarioSetting, Spending
from decklab.core.stages import Progress, silent
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.asking import AskedModel, asked_model
from decklab.evals.judges.preference.showing import deck_notes
from decklab.evals.judges.scenario.by_model import PreparedTask, judge_by_model
from decklab.evals.judges.scenario.drafting import (
    DRAFTED,
    MODEL_DRAFT,
    draft_task,
    draft_task_by_model,
)
from decklab.evals.judges.scenario.proxies import (
    BY_PROGRAM,
    SourceFacts,
    scenario_proxies,
    shared_proxies,
)
from decklab.evals.judges.scenario.result import ScenarioJudgement
from decklab.evals.judges.scenario.shown_deck import read_stated_deck
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SETTING_METRICS,
    ScenarioTask,
    ScenarioTaskError,
    load_task,
    metrics_of,
    task_problems,
    write_task,
)
from decklab.models.asking import Ask
from decklab.models.model_run import file_digest
from decklab.rendering.opening import deck_kind
from decklab.rendering.renderer import Cache, Renderer

_DRAFT_NOTE: Final = (
    "the task was drafted by {}: a person should check it before scores are compared"
)


def judge_decks(
    decks: Sequence[str | Path],
    *,
    sources: Sequence[str | Path] = (),
    setting: ScenarioSetting | None = None,
    task: ScenarioTask | str | Path | None = None,
    request: str = "",
    model: str | Ask | None = None,
    runs: int = SCENARIO_RUNS,
    spending: Spending | None = None,
    renderer: Renderer | None = None,
    draft_by_model: bool = False,
    save_task: str | Path | None = None,
    force: bool = False,
    secret: str = "",
    progress: Progress = silent,
) -> tuple[ScenarioJudgement, ...]:
    """Say how far each deck does what its task asks, by UniPPTEval (paper 004, section IV).

    ``task`` is a file of annotations; without one they are drafted from the ``sources`` by program
    for the ``setting``, or with ``draft_by_model`` by the model. ``request`` is what the user
    asked for. ``model`` judges ``runs`` times; None has programs stand in, which are proxies, and
    leaves out what only a model can judge. The task that was used is written to ``save_task``,
    which with ``force`` may exist: a copy of it is kept beside it. ``secret`` makes the marks
    around deck text for a ``model`` that is a function; a new one by default.

    ::

        (found,) = decklab.evals.judge(["talk.pptx"], sources=["report.pdf"], setting="long-doc")
        print(found.scores, found.average)

    Raises ScenarioTaskError for a task that cannot be used, DeckError where a deck or source cannot
    be read, RenderError where a model has to see a deck that cannot be drawn, ModelUnavailable, and
    ValueError for less than one run and for a draft by a model that is not named.
    """
    if runs < 1:
        raise ValueError(f"a deck is judged once at least, not {runs} times")
    if draft_by_model and (model is None or task is not None):
        raise ValueError("a draft by a model needs a model, and no task")
    if save_task is not None:
        check_file(save_task, inputs=[*sources, *decks], force=force)
    _check_decks(decks, sources)
    prepared = _prepared(read_documents(sources), setting, task, request)
    if not draft_by_model:
        _save_task(prepared, save_task, force=force)
    with ExitStack() as stack:
        drawn = (renderer or Renderer(cache=Cache())).started()
        started = stack.enter_context(drawn)
        if model is None:
            progress("judge")
            return tuple(_by_program(deck, prepared, started) for deck in decks)
        files = [file_digest(path) for path in (*sources, *decks) if Path(path).is_file()]
        annotated = prepared.task.model_dump_json()
        facts = {"command": "judge", "runs": runs, "task": annotated, "files": files}
        asking = asked_model(model, spending, facts, secret=secret, tell=progress)
        asked = stack.enter_context(asking)
        if draft_by_model:
            prepared = _drafted(prepared, asked, progress)
            _save_task(prepared, save_task, force=force)
        progress("judge")
        judge = partial(judge_by_model, asked, prepared, renderer=started, runs=runs, tell=progress)
        judged = [judge(deck) for deck in decks]
        return tuple(replace(judgement, spent=asked.run.words) for judgement in judged)


def _save_task(prepared: PreparedTask, path: str | Path | None, *, force: bool) -> None:
    if path is not None:
        with output_file(path, force=force) as unfinished:
            write_task(prepared.task, unfinished)


def _check_decks(decks: Sequence[str | Path], sources: Sequence[str | Path]) -> None:
    """Raises DeckError for the first that is no deck, before any is judged."""
    for deck in decks:
        try:
            deck_kind(deck)
        except UnsupportedFormat as error:
            hint = "; a source is named by an option of its own" if sources else ""
            raise UnsupportedFormat(error.path, error.detail + hint, error.part) from None


def _drafted(prepared: PreparedTask, asked: AskedModel, progress: Progress) -> PreparedTask:
    """The same with a task by the model in place of that by program."""
    task, known = prepared.task, prepared.facts.sources
    draft = draft_task_by_model(
        task.setting, known, asked.ask, request=task.request, model=asked.name, tell=progress
    )
    left = [f"left out of the draft: {line}" for line in draft.left_out]
    notes = (*_notes(draft.task), *left, *(str(unread) for unread in known.unread))
    return replace(prepared, task=draft.task, notes=notes)


def _prepared(
    known: KnowledgeBase,
    setting: ScenarioSetting | None,
    task: ScenarioTask | str | Path | None,
    request: str,
) -> PreparedTask:
    notes = tuple(str(unread) for unread in known.unread)
    if task is None:
        if setting is None:
            raise ScenarioTaskError("name a task or a setting")
        _check_sources(setting, known)
        drafted = draft_task(setting, known, request=request)
        return PreparedTask(drafted, SourceFacts(known), (*_notes(drafted), *notes))
    if isinstance(task, ScenarioTask):
        if problems := task_problems(task, known):
            raise ScenarioTaskError("\n".join(problems))
    else:
        task = load_task(task, known)
    if setting is not None and setting != task.setting:
        raise ScenarioTaskError(f"the task is of setting {task.setting}, not {setting}")
    _check_sources(task.setting, known)
    if request:
        task = task.model_copy(update={"request": request})
    return PreparedTask(task, SourceFacts(known), (*_notes(task), *notes))


def _notes(task: ScenarioTask) -> Iterator[str]:
    """Who drafted an unchecked task, and the metrics that it has no items for."""
    drafter = "program" if task.made_by == DRAFTED else task.made_by.removesuffix(MODEL_DRAFT)
    if SETTING_METRICS[task.setting] and drafter != task.made_by:
        yield _DRAFT_NOTE.format(drafter)
    for name in SETTING_METRICS[task.setting]:
        if name not in metrics_of(task):
            yield f"{name} is left out: {SCENARIO_METRICS[name].no_items}"


def _check_sources(setting: ScenarioSetting, sources: KnowledgeBase) -> None:
    least = {"vague": 0, "multi-source": 2}.get(setting, 1)
    if len(sources.documents) < least:
        raise ScenarioTaskError(f"setting {setting} needs {least} sources at least")


def _by_program(deck: str | Path, prepared: PreparedTask, renderer: Renderer) -> ScenarioJudgement:
    metrics = shared_proxies(deck, renderer)
    stated = None
    if SETTING_METRICS[prepared.task.setting]:
        stated = read_stated_deck(deck)
        metrics += scenario_proxies(prepared.task, prepared.facts, stated)
    notes = (*prepared.notes, *deck_notes(deck, stated.texts if stated else None))
    return ScenarioJudgement(str(deck), prepared.task, tuple(metrics), BY_PROGRAM, notes)
