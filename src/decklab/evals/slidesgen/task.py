"""The task ``slidesgen`` for Inspect AI: a system writes a deck, and its scores are taken.

For each deck the log holds its row: scores, reasons, questions that it failed, what costs points.
"""

import atexit
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from decklab.core.files import Scratch
from decklab.core.options import SlideReading
from decklab.core.results import NotScored
from decklab.evals.editors.running import NO_MODEL, asking_in_run
from decklab.evals.slidesgen.instructions import load_instructions, write_starter_set
from decklab.evals.slidesgen.jobs import (
    DeckJob,
    SlidesgenBench,
    deck_jobs,
    find_system_decks,
    writer_name,
)
from decklab.evals.slidesgen.rows import DECK_MEASURES, SlidesgenRow
from decklab.models.inspect import open_model

_ROW = "slidesgen_row"


@task
def slidesgen(
    *,
    instructions: str | None = None,
    decks: str | None = None,
    writer: bool = True,
    baseline: bool = False,
    judge: str | None = None,
    reading: SlideReading = "text",
) -> Task:
    """SlidesGen-Bench, paper 002: systems that write decks from documents.

    ``instructions`` is a set's file or folder, decklab's own if it is not given; ``decks`` a
    folder of decks by system, or a table. With ``writer`` decklab writes too, with the task's model
    or without one; with ``baseline`` a program puts sentences on plain slides. ``judge`` is the
    model that makes and answers the questions; without it programs do, which is a proxy.
    """
    scratch = Scratch("slidesgen")
    atexit.register(scratch.remove)  # samples read it
    folder = scratch.folder
    listed = load_instructions(instructions or write_starter_set(folder / "set"))
    entries = find_system_decks(decks, listed.topics).entries if decks else ()
    model = str(get_model()) if writer else NO_MODEL
    name = writer_name(None if model == NO_MODEL else model)
    jobs = deck_jobs(listed, entries, writer=name if writer else "", baseline=baseline)
    bench = SlidesgenBench.begun(
        listed, jobs, folder, judge=open_model(judge) if judge else None, reading=reading
    )
    return slidesgen_task(bench)


def slidesgen_task(
    bench: SlidesgenBench, jobs: Sequence[DeckJob] | None = None, *,
    ended: Callable[[], object] = lambda: None,
) -> Task:  # fmt: skip
    """The task ``slidesgen`` of a prepared bench, for all its decks or for some.

    ``ended`` is called after each deck.
    """
    return Task(
        dataset=[
            Sample(
                id=job.sample,
                input=job.instruction.request or f"Write a deck: {job.instruction.name}.",
                metadata={"system": job.system, "topic": job.instruction.topic,
                          "purpose": job.instruction.purpose},
            )
            for job in (bench.jobs.values() if jobs is None else jobs)
        ],
        solver=write_or_take(bench),
        scorer=deck_measures(bench, ended),
        name="slidesgen",
        metadata={"reading": bench.reading, "judge": str(bench.judge) if bench.judge else None},
        fail_on_error=False,
    )  # fmt: skip


@solver
def write_or_take(bench: SlidesgenBench) -> Solver:
    """Have the system write its deck, decklab's writer with the task's model if there is one."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        job = bench.jobs[str(state.sample_id)]
        ask = asking_in_run(bench.run, model) if job.how == "writer" else None
        async with concurrency("decklab-writing", 1):  # so that seconds are those of one deck
            made = await anyio.to_thread.run_sync(partial(bench.make, job, ask))
        bench.made[state.uuid] = made
        said = str(made.deck)
        state.output = ModelOutput.from_content(str(model), said)
        state.messages.append(ChatMessageAssistant(content=said, source="generate"))
        return state

    return solve


@metric
def slidesgen_means() -> Metric:
    """The mean of each measure over all decks that have it, and by system."""

    def means(scores: list[SampleScore]) -> Value:
        rows = [(score.score.metadata or {}).get(_ROW) for score in scores]
        means: dict[str, list[float]] = {}
        for row in filter(None, rows):
            for measure, value in row["values"].items():
                if value is not None:
                    means.setdefault(measure, []).append(value)
                    means.setdefault(f"{row['system']}: {measure}", []).append(value)
        return {name: fmean(values) for name, values in means.items()}

    return means


@scorer(metrics=[slidesgen_means()])
def deck_measures(bench: SlidesgenBench, ended: Callable[[], object]) -> Scorer:
    """Content, aesthetics, editability, quality and cost of a deck; the score's value is the
    quality, and not scored if there is none."""

    async def score(state: TaskState, target: Target) -> Score:
        job = bench.jobs[str(state.sample_id)]
        ask = asking_in_run(bench.run, bench.judge)
        work = partial(bench.evaluate, job, bench.made.pop(state.uuid), ask)
        async with concurrency("decklab-scoring", 1):  # LibreOffice and measuring fill a core
            row = await anyio.to_thread.run_sync(work)
        ended()
        return _score(row)

    return score


def _score(row: SlidesgenRow) -> Score:
    metadata: dict[str, Any] = {_ROW: row.to_json()}
    reasons = "; ".join(
        f"{name}: {row.reasons[name]}" for name in DECK_MEASURES if name in row.reasons
    )
    quality = row.value("quality")
    if isinstance(quality, NotScored):
        return Score.unscored(explanation=quality.reason, metadata=metadata)
    return Score(value=quality, explanation=reasons, metadata=metadata)
