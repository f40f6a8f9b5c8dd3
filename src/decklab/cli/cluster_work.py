"""Shared code of commands with ``--cluster``: the options, the run, and its printed report."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from decklab import workbench
from decklab.cli import calls
from decklab.cli.parameters import option
from decklab.cli.terminal import NOT_BEGUN, in_words, needing, note, progress_bar
from decklab.core.errors import DecklabError

if TYPE_CHECKING:
    from decklab.workbench.cluster.jobs import Job, JobKind
    from decklab.workbench.cluster.run import DatasetRun, Progress

ClusterAddress = Annotated[
    str | None,
    option(
        "Work on any number of decks and write a data set to --out: on N Dask workers of this "
        "machine, on the Dask scheduler at an address, or with local:0 without Dask.",
        "local[:N]|ADDRESS",
    ),
]
DeckMemory = Annotated[
    int | None, option("Memory that one deck may take, with --cluster.", "MB", min=64)
]
DatasetFolder = Annotated[Path | None, option("Where the data set of --cluster goes.", "FOLDER")]

_LINE_SECONDS = 30.0


def needs_cluster() -> AbstractContextManager[None]:
    """Unavailable, with what to install, where ``decklab[cluster]`` is missing in the block."""
    return needing("--cluster", "cluster", "dask", "distributed", "duckdb", "fsspec", "pyarrow")


def check_cluster_options(
    context: typer.Context,
    cluster: str | None,
    *,
    heeded: Collection[str],
    only_there: Collection[str] = (),
) -> None:
    """Refuse options that were given and would have no effect.

    ``heeded`` names the options that work with ``--cluster``, by their names in Python; any other
    is refused there. ``only_there`` names those that do nothing without it. Raises
    typer.BadParameter, which names the option.
    """
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if parameter.param_type_name != "option" or source is None or source.name == "DEFAULT":
            continue
        why = ""
        if cluster is None and name in only_there:
            why = "needs --cluster"
        elif cluster is not None and name not in {"cluster", *heeded}:
            why = "has no effect with --cluster: leave it out"
        if why:
            raise typer.BadParameter(why, param_hint=max(parameter.opts, key=len))


def cluster_job(kind: "JobKind", deck_memory: int | None = None, **settings: Any) -> "Job":
    """The work of a command with ``--cluster``; ``settings`` are fields of ``Job``.

    Raises Unavailable if ``decklab[cluster]`` is missing.
    """
    with needs_cluster():
        memory = deck_memory and deck_memory * 2**20
        return workbench.Job(kind, memory_bytes=memory, **settings)


def run_on_cluster(
    sources: Sequence[str],
    job: "Job",
    out: Path | None,
    *,
    cluster: str,
    jobs: int | None = None,
    fresh: bool = False,
    before: str | None = None,
) -> "DatasetRun":
    """Do the work on the cluster, show how far it is, and print the result.

    Exits with 2 and one line if it cannot begin; Ctrl-C ends it with 130.
    """
    if out is None:
        raise typer.BadParameter("--cluster needs --out, the folder of the data set")
    try:
        with needs_cluster():
            machine = calls.machine_named(cluster, jobs)
    except ValueError:
        raise typer.BadParameter(f"{cluster!r} is no local:N", param_hint="--cluster") from None
    items = calls.source_items(sources)
    if before is not None:
        items = calls.pair_items(before, sources[0])
    try:
        with _progress_shown() as show:
            run = workbench.run_job(
                items, job, out, machine=machine, fresh=fresh, progress=show, tell=note
            )
    except (DecklabError, OSError) as error:
        note(in_words(error))
        raise typer.Exit(NOT_BEGUN) from None
    except KeyboardInterrupt:
        note(f"stopped; what is done is in {out}, and the same command goes on from there")
        raise typer.Exit(130) from None
    for line in calls.dataset_lines(run):
        typer.echo(line)
    if run.first_error:
        note(f"the first that failed: {run.first_error}")
    return run


@contextmanager
def _progress_shown() -> "Iterator[Callable[[Progress], None]]":
    """A bar on a terminal; elsewhere a line on standard error now and then."""
    with progress_bar() as bar:
        task = bar.add_task("Decks", total=None)
        last = time.monotonic()

        def show(done: "Progress") -> None:
            nonlocal last
            total = done.found - done.skipped if done.complete else None
            words = f"Decks ({done.failed} failed, {done.skipped} finished before)"
            bar.update(task, completed=done.finished, total=total, description=words)
            if bar.disable and time.monotonic() - last >= _LINE_SECONDS:
                last = time.monotonic()
                of = f" of {total}" if total is not None else ""
                note(f"{done.finished}{of} decks done, {done.failed} failed")

        yield show
