"""Running the task from Python, for those who do not type ``inspect eval``."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from inspect_ai import eval as inspect_eval

from decklab.benchmarks.editors.isolation import EditorFor
from decklab.benchmarks.editors.protocol import NEEDS_MODEL, EditLimits
from decklab.benchmarks.ppteval.logs import outcomes_of
from decklab.benchmarks.ppteval.outcomes import TaskOutcome
from decklab.benchmarks.ppteval.report import TREES, tree_pages
from decklab.benchmarks.ppteval.task import ppteval_task
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.errors import ModelFailed, RendererMissing, UnknownName
from decklab.models.inspect import open_model
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Office
from decklab.rubrics.running import LeafRoom

NO_MODEL = "none"
"""Inspect's name for doing without."""


DECKS, LOGS = "decks", "logs"


def results_in(out: Path) -> list[Path]:
    """What a run leaves in ``out``, which is no editor's business."""
    return [out / name for name in (DECKS, LOGS, TREES, "index.html", "results.json")]


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
    ended: Callable[[], None] | None = None,
) -> list[TaskOutcome]:
    """Have ``editor``, called ``name``, do ``tasks``; what came of each, in their order.

    The log goes to ``out/logs``, decks before and after to ``out/decks/TASK``, the page of each
    graded tree to where ``tree_pages`` says; those of an earlier run go. ``ended`` is
    called after each task. Raises ModelUnavailable where there is no such model, UnknownName where
    the editor asked for one and none was named, and ModelFailed where the run as a whole came to
    nothing; a single task that broke off is an outcome.
    """
    pages = {name: out / page for name, page in tree_pages(tasks).items()}
    for page in pages.values():
        page.unlink(missing_ok=True)  # a task that breaks off leaves none
    with ExitStack() as stack:
        office = _office(stack)
        room = stack.enter_context(LeafRoom())
        task = ppteval_task(
            tasks, editor, name=name, judge=open_model(judge) if judge else None, limits=limits,
            pictures=pictures, keep=out / DECKS, pages=pages, room=room, office=office,
            cache=Cache(), ended=ended,
        )  # fmt: skip
        [log] = inspect_eval(
            task,
            model=open_model(model) if model else NO_MODEL,
            log_dir=str(out / LOGS),
            display="none",
        )
    if log.status != "success" or not log.samples:
        raise ModelFailed(model or NO_MODEL, log.error.message if log.error else "no task was done")
    found = {outcome.task: outcome for outcome in outcomes_of(log)}
    if model is None and any(one.ended == NEEDS_MODEL for one in found.values()):
        raise UnknownName(f"{NEEDS_MODEL}: nothing of it is scored")
    return [found[one.name] for one in tasks]


def _office(stack: ExitStack) -> Office | None:
    """One LibreOffice for all tasks; None where there is none, which each score then says."""
    try:
        return stack.enter_context(Office())
    except RendererMissing:
        return None
